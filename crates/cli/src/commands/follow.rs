//! `tilebase follow`: where optimal play goes.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_game::{Board, Move, tile_value};
use tilebase_solve::{Course, Visit, follow};
use tilebase_table::Table;
use tilebase_table::policy::{Line, PackedPolicy};
use tilebase_util::bytes_text;

use super::probe;
use crate::destination::write_file;
use crate::failure::Failure;
use crate::output::{self, grouped, notation};
use crate::progress::ProgressLine;

/// Follow optimal play from the start: how games end, how long they take, which states
/// they visit
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase follow tables/3x3-512                              how games end
  tilebase follow tables/3x3-512 --layers                     and where
  tilebase follow tables/3x3-512 --csv states.csv --threshold 1e-4
  tilebase follow tables/3x3-512 --policy 512.policy --threshold 1e-7

Of equally good moves the first is taken, in the order left, right, up, down, on the
canonical image of the board. A packed policy has the best moves of all states that are
visited with at least the threshold's probability, for a browser.")]
pub struct Follow {
    /// Directory of the table
    table: PathBuf,

    /// List the layers too (JSON always does)
    #[arg(long)]
    layers: bool,

    /// Leave out states that are visited with less than this probability
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.0,
        hide_default_value = true
    )]
    threshold: f64,

    /// Write the states and their probabilities to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write a packed policy to this file
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

/// How games end.
#[derive(Serialize)]
pub struct EndAnswer {
    tile: u128,
    probability: f64,
}

/// A layer on the way.
#[derive(Serialize)]
pub struct LayerAnswer {
    sum: u32,
    visited: f64,
    states: u64,
    won: f64,
    lost: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    mistakes: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regret: Option<f64>,
}

/// Where a policy leads, as answers give it.
#[derive(Serialize)]
pub struct CourseAnswer {
    won: Option<f64>,
    mean_moves: f64,
    mean_score: f64,
    lost_with: Vec<EndAnswer>,
    states_visited: u64,
    layers: Vec<LayerAnswer>,
}

impl CourseAnswer {
    /// The answer of a course; `judged` tells mistakes and regret too.
    pub fn new(table: &Table, course: &Course, judged: bool) -> CourseAnswer {
        let ends = (0u8..16).zip(course.lost);
        CourseAnswer {
            won: table.variant().target().map(|_| course.won),
            mean_moves: course.moves,
            mean_score: course.score,
            lost_with: ends
                .filter(|&(_, probability)| probability > 0.0)
                .map(|(exponent, probability)| EndAnswer {
                    tile: tile_value(exponent),
                    probability,
                })
                .collect(),
            states_visited: course.layers.iter().map(|layer| layer.states).sum(),
            layers: course
                .layers
                .iter()
                .map(|layer| LayerAnswer {
                    sum: layer.sum,
                    visited: layer.visited,
                    states: layer.states,
                    won: layer.won,
                    lost: layer.lost,
                    mistakes: judged.then_some(layer.mistakes),
                    regret: judged.then_some(layer.regret),
                })
                .collect(),
        }
    }

    /// The tile sum where most is lost.
    pub fn worst_layer(&self) -> Option<u32> {
        let order = |a: &&LayerAnswer, b: &&LayerAnswer| {
            let regret = |layer: &LayerAnswer| layer.regret.unwrap_or(0.0);
            regret(a).total_cmp(&regret(b))
        };
        self.layers.iter().max_by(order).map(|layer| layer.sum)
    }

    /// How games end, and optionally the layers.
    pub fn text(&self, layers: bool) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "  {:.6} moves and a score of {:.3} on average; {} states can be visited",
            self.mean_moves,
            self.mean_score,
            grouped(self.states_visited.into())
        );
        let mut line = |name: &str, probability: f64| {
            let bar = "█".repeat((probability * 40.0).round() as usize);
            let shown = output::small(probability);
            let _ = writeln!(text, "  {name:<12} {shown:>13}  {bar}");
        };
        if let Some(won) = self.won {
            line("won", won);
        }
        for end in &self.lost_with {
            line(&format!("lost at {}", end.tile), end.probability);
        }
        if layers {
            let judged = self.layers.iter().any(|layer| layer.regret.is_some());
            let _ = writeln!(
                text,
                "  {:>6}  {:>12}  {:>10}  {:>12}  {:>12}{}",
                "sum",
                "visited",
                "states",
                "won",
                "lost",
                if judged {
                    "      mistakes        regret"
                } else {
                    ""
                }
            );
            for layer in &self.layers {
                let _ = write!(
                    text,
                    "  {:>6}  {:>12}  {:>10}  {:>12}  {:>12}",
                    layer.sum,
                    output::small(layer.visited),
                    grouped(layer.states.into()),
                    output::small(layer.won),
                    output::small(layer.lost)
                );
                let _ = match (layer.mistakes, layer.regret) {
                    (Some(mistakes), Some(regret)) => {
                        writeln!(
                            text,
                            "  {:>12}  {:>12}",
                            output::small(mistakes),
                            output::small(regret)
                        )
                    }
                    _ => writeln!(text),
                };
            }
        }
        text
    }
}

#[derive(Serialize)]
struct Answer {
    table: PathBuf,
    game: String,
    #[serde(flatten)]
    course: CourseAnswer,
    threshold: f64,
    listed: u64,
    listed_probability: f64,
    csv: Option<PathBuf>,
    policy: Option<PathBuf>,
    policy_bytes: Option<usize>,
    seconds: f64,
    #[serde(skip)]
    list: bool,
}

/// A state above the threshold.
struct Listed {
    board: Board,
    best: Move,
    probability: f64,
}

impl Follow {
    /// Follows, and prints where it leads.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if !(0.0..=1.0).contains(&self.threshold) {
            return Err(Failure::request(format!(
                "threshold {} is no probability: use a number from 0 to 1",
                self.threshold
            )));
        }
        let start = Instant::now();
        let table = probe::open(&self.table)?;
        let mut listed: Vec<Listed> = Vec::new();
        let keep = self.csv.is_some() || self.policy.is_some();
        let (mut number, mut total) = (0, 0.0);
        let mut visit = |visit: Visit| {
            if visit.probability < self.threshold {
                return;
            }
            number += 1;
            total += visit.probability;
            let best = Move::ALL
                .into_iter()
                .find(|m| visit.weights[m.index()] > 0.0);
            if let (true, Some(best)) = (keep, best) {
                listed.push(Listed {
                    board: visit.board,
                    best,
                    probability: visit.probability,
                });
            }
        };
        let course = follow(&table, None, &ProgressLine::new(), &mut visit)
            .map_err(super::solve::failure)?;
        if let Some(path) = &self.csv {
            write_file(path, csv(&table, &listed)?.as_bytes())?;
        }
        let mut policy_bytes = None;
        if let Some(path) = &self.policy {
            let bytes = pack(&table, &listed)?;
            write_file(path, &bytes)?;
            policy_bytes = Some(bytes.len());
        }
        let moves = course.moves;
        let answer = Answer {
            table: self.table.clone(),
            game: table.manifest().title(),
            course: CourseAnswer::new(&table, &course, false),
            threshold: self.threshold,
            listed: number,
            // Of all visits: a game visits as many states as it has moves.
            listed_probability: if moves > 0.0 { total / moves } else { 0.0 },
            csv: self.csv.clone(),
            policy: self.policy.clone(),
            policy_bytes,
            seconds: start.elapsed().as_secs_f64(),
            list: self.layers,
        };
        output::print(json, &answer, Answer::text)
    }
}

/// What a state is worth.
fn value(table: &Table, board: Board) -> Result<f64, Failure> {
    let truth = table.probe(board).map_err(probe::failure)?;
    Ok(truth.value.and_then(|value| value.value).unwrap_or(0.0))
}

fn csv(table: &Table, listed: &[Listed]) -> Result<String, Failure> {
    let shape = table.variant().shape();
    let mut text = "board,sum,probability,value,best\n".to_owned();
    for state in listed {
        let _ = writeln!(
            text,
            "{},{},{:e},{},{}",
            notation(&state.board.unpack(shape)),
            state.board.sum(),
            state.probability,
            value(table, state.board)?,
            state.best.name()
        );
    }
    Ok(text)
}

fn pack(table: &Table, listed: &[Listed]) -> Result<Vec<u8>, Failure> {
    let mut lines = Vec::with_capacity(listed.len());
    for state in listed {
        lines.push(Line {
            board: state.board,
            best: state.best,
            value: value(table, state.board)?,
        });
    }
    let objective = table.objective().to_string();
    Ok(PackedPolicy::new(*table.variant(), &objective, &lines).to_bytes())
}

impl Answer {
    fn text(&self) -> String {
        let mut text = format!("{}: where optimal play goes\n", self.game);
        text.push_str(&self.course.text(self.list));
        if self.threshold > 0.0 {
            let _ = writeln!(
                text,
                "  {} states are visited with probability {:e} or more: {:.4} % of all visits",
                grouped(self.listed.into()),
                self.threshold,
                100.0 * self.listed_probability
            );
        }
        if let (Some(path), Some(bytes)) = (&self.policy, self.policy_bytes) {
            let _ = writeln!(
                text,
                "  packed policy in {}: {}, {:.2} bytes a state",
                path.display(),
                bytes_text(bytes as u64),
                bytes as f64 / self.listed.max(1) as f64
            );
        }
        text
    }
}
