//! `tilebase follow`: where optimal play goes.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_game::{Board, Move, tile_value};
use tilebase_schema::{FollowAnswer, LostWith, PolicyLayer, PolicyOutcome};
use tilebase_solve::{PolicyFlow, Visit, follow};
use tilebase_table::Table;
use tilebase_table::policy::{PackedPolicy, PolicyEntry};
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

Ties are broken in the order left, right, up, down, on the canonical image of the board. A
packed policy holds the best moves of all states that are visited with at least the
threshold's probability; it is small enough for a browser.")]
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

/// How games go, as answers give it; with mistakes and regret if they add up.
pub fn outcome(table: &Table, flow: &PolicyFlow, with_regret: bool) -> PolicyOutcome {
    let lost = (0u8..16).zip(flow.lost);
    let layers = flow.layers.iter().map(|layer| PolicyLayer {
        sum: layer.sum,
        visited: layer.visited,
        states: layer.states,
        won: layer.won,
        lost: layer.lost,
        mistakes: with_regret.then_some(layer.mistakes),
        regret: with_regret.then_some(layer.regret),
    });
    PolicyOutcome {
        won: table.variant().target().map(|_| flow.won),
        mean_moves: flow.moves,
        mean_score: flow.score,
        lost_with: lost
            .filter(|&(_, probability)| probability > 0.0)
            .map(|(exponent, probability)| LostWith {
                tile: tile_value(exponent),
                probability,
            })
            .collect(),
        states_visited: flow.layers.iter().map(|layer| layer.states).sum(),
        layers: layers.collect(),
    }
}

/// How games end, and optionally the layers.
pub fn outcome_text(outcome: &PolicyOutcome, layers: bool) -> String {
    let mut text = format!(
        "  {:.6} moves and a score of {:.3} on average; {} states can be visited\n",
        outcome.mean_moves,
        outcome.mean_score,
        grouped(outcome.states_visited.into())
    );
    let mut line = |name: &str, probability: f64| {
        let bar = "█".repeat((probability * 40.0).round() as usize);
        let shown = output::small(probability);
        let _ = writeln!(text, "  {name:<12} {shown:>13}  {bar}");
    };
    if let Some(won) = outcome.won {
        line("won", won);
    }
    for end in &outcome.lost_with {
        line(&format!("lost at {}", end.tile), end.probability);
    }
    if layers {
        text.push_str(&layers_text(&outcome.layers));
    }
    text
}

fn layers_text(layers: &[PolicyLayer]) -> String {
    let with_regret = layers.iter().any(|layer| layer.regret.is_some());
    let mut text = format!(
        "  {:>6}  {:>12}  {:>10}  {:>12}  {:>12}",
        "sum", "visited", "states", "won", "lost"
    );
    text.push_str(if with_regret {
        "      mistakes        regret\n"
    } else {
        "\n"
    });
    for layer in layers {
        let _ = write!(
            text,
            "  {:>6}  {:>12}  {:>10}  {:>12}  {:>12}",
            layer.sum,
            output::small(layer.visited),
            grouped(layer.states.into()),
            output::small(layer.won),
            output::small(layer.lost)
        );
        if let Some((mistakes, regret)) = layer.mistakes.zip(layer.regret) {
            let (mistakes, regret) = (output::small(mistakes), output::small(regret));
            let _ = write!(text, "  {mistakes:>12}  {regret:>12}");
        }
        text.push('\n');
    }
    text
}

/// A state above the threshold.
struct Listed {
    board: Board,
    best: Move,
    probability: f64,
}

impl Follow {
    /// Follows optimal play, and prints where it goes.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if !(0.0..=1.0).contains(&self.threshold) {
            return Err(Failure::request(format!(
                "invalid threshold {}: use a probability, from 0 to 1",
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
            if keep {
                listed.extend(Listed::new(&visit));
            }
        };
        let flow = follow(&table, None, &ProgressLine::new(), &mut visit)?;
        let answer = FollowAnswer {
            table: self.table.clone(),
            title: table.manifest().title(),
            outcome: outcome(&table, &flow, false),
            threshold: self.threshold,
            listed: number,
            // A game visits as many states as it has moves.
            listed_probability: if flow.moves > 0.0 {
                total / flow.moves
            } else {
                0.0
            },
            csv: self.csv.clone(),
            policy: self.policy.clone(),
            policy_bytes: self.write(&table, &listed)?,
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, |answer| text(answer, self.layers))
    }

    /// Writes the files that were asked for. Returns the size of the packed policy.
    fn write(&self, table: &Table, listed: &[Listed]) -> Result<Option<usize>, Failure> {
        if let Some(path) = &self.csv {
            write_file(path, csv(table, listed)?.as_bytes())?;
        }
        let Some(path) = &self.policy else {
            return Ok(None);
        };
        let bytes = pack(table, listed)?;
        write_file(path, &bytes)?;
        Ok(Some(bytes.len()))
    }
}

impl Listed {
    /// The state of a visit with its move.
    fn new(visit: &Visit) -> Option<Listed> {
        let mut moves = Move::ALL.into_iter();
        let best = moves.find(|m| visit.weights[m.index()] > 0.0)?;
        Some(Listed {
            board: visit.board,
            best,
            probability: visit.probability,
        })
    }
}

/// The value of a state.
fn value(table: &Table, board: Board) -> Result<f64, Failure> {
    let probe = table.probe(board)?;
    Ok(probe.value.and_then(|value| value.value).unwrap_or(0.0))
}

fn csv(table: &Table, listed: &[Listed]) -> Result<String, Failure> {
    let shape = table.variant().shape();
    let mut text = "board,sum,probability,value,best\n".to_owned();
    for state in listed {
        let _ = writeln!(
            text,
            "{},{},{:e},{},{}",
            notation(&state.board.unpack(shape)),
            table.rules().sum(state.board),
            state.probability,
            value(table, state.board)?,
            state.best.name()
        );
    }
    Ok(text)
}

fn pack(table: &Table, listed: &[Listed]) -> Result<Vec<u8>, Failure> {
    let mut entries = Vec::with_capacity(listed.len());
    for state in listed {
        entries.push(PolicyEntry {
            board: state.board,
            best: state.best,
            value: value(table, state.board)?,
        });
    }
    let objective = table.objective().to_string();
    Ok(PackedPolicy::new(*table.variant(), &objective, &entries).to_bytes())
}

fn text(answer: &FollowAnswer, layers: bool) -> String {
    let mut text = format!("{}: where optimal play goes\n", answer.title);
    text.push_str(&outcome_text(&answer.outcome, layers));
    if answer.threshold > 0.0 {
        let _ = writeln!(
            text,
            "  {} states are visited with probability {:e} or more: {:.4} % of all visits",
            grouped(answer.listed.into()),
            answer.threshold,
            100.0 * answer.listed_probability
        );
    }
    if let (Some(path), Some(bytes)) = (&answer.policy, answer.policy_bytes) {
        let _ = writeln!(
            text,
            "  packed policy in {}: {}, {:.2} bytes a state",
            path.display(),
            bytes_text(bytes as u64),
            bytes as f64 / answer.listed.max(1) as f64
        );
    }
    text
}
