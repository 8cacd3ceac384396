//! `tilebase solve`: optimal play, and a table of it.

mod gpu;

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tilebase_game::{Shape, tile_value};
use tilebase_solve::{SolveError, SolveOptions, estimate, solve};
use tilebase_table::{Category, LayerBytes, Manifest, Objective, Start};
use tilebase_util::bytes_text;

use crate::arguments::{Device, MachineOptions, VariantOptions};
use crate::failure::Failure;
use crate::memory;
use crate::output::{self, game_text, grouped, probability, time_text};
use crate::progress::ProgressLine;

/// Solve a game: what optimal play achieves from every position
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase solve 3x3 --to 512 --out tables/3x3-512         how likely optimal play is to win
  tilebase solve 3x3 --objective score --out tables/score  the highest expected score
  tilebase solve 4x4 --to 16 --discount 0.99 --out soon    a player who is in a hurry
  tilebase solve 4x4 --to 32 --dry-run                     what it would need
  tilebase solve 4x4 --to 64 --device cuda                 on a GPU, without a table
  tilebase solve 4x4 --to 64 --device cuda --board B       the start, and positions

Then: tilebase probe DIR --board B, tilebase play SHAPE --player optimal --table DIR,
tilebase follow DIR, tilebase evaluate DIR --player greedy, tilebase export DIR --format csv.

Objectives:
  win       the probability of reaching the target; with --discount G, the mean of G to the
            power of the number of moves until then
  score     the mean score until the target is reached or the game is lost
  moves     the probability of winning first, and then the mean number of moves to the win
  survival  the mean number of moves until the target is reached or the game is lost

A run that was stopped or killed goes on where it was when it is started again.

On a GPU nothing is kept: the answer has the value of the start, how many wins are sure, and
the values of the positions given with --board and --boards.")]
pub struct Solve {
    /// Rows and columns, up to 4x4
    shape: Shape,

    #[command(flatten)]
    variant: VariantOptions,

    /// What to achieve
    #[arg(long, value_enum, default_value_t = Goal::Win)]
    objective: Goal,

    /// What a win a move later is worth of one now, above 0 and at most 1 (with win)
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    discount: Option<f64>,

    /// Directory of the table; tables/GAME-OBJECTIVE if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// A position whose value is wanted, on a GPU; may be given again
    #[arg(long, value_name = "BOARD")]
    board: Vec<String>,

    /// File of positions whose values are wanted, on a GPU: one a line, - for stdin
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,

    /// Bits of a value on a GPU, 64 or 32; as many as fit if not given
    #[arg(long, value_name = "N")]
    bits: Option<u32>,

    /// Memory of the GPU that may be used, such as 40GB; all that is free if not given
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    gpu_memory: Option<u64>,

    /// Tell what it would need, and do nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    machine: MachineOptions,
}

/// The objectives by name.
#[derive(Clone, Copy, ValueEnum)]
enum Goal {
    /// The probability of reaching the target
    Win,
    /// The mean score
    Score,
    /// Winning first, then winning soonest
    Moves,
    /// The mean number of moves until the end
    Survival,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    to: Option<u128>,
    spawn: String,
    start_tiles: u16,
    objective: String,
    discount: f64,
    states: u64,
    afterstates: u64,
    sure_wins: Option<u64>,
    sure_losses: Option<u64>,
    #[serde(skip)]
    start: Option<Start>,
    start_value: Option<f64>,
    start_min: Option<f64>,
    start_max: Option<f64>,
    /// The probability of winning and what is missing from it to 1.
    start_win: Option<f64>,
    start_complement: Option<f64>,
    category: Option<&'static str>,
    error_bound: Option<f64>,
    relative_error_bound: f64,
    tie_tolerance: f64,
    table: PathBuf,
    bytes: u64,
    bytes_per_state: f64,
    parts: LayerBytes,
    seconds: f64,
    device: &'static str,
    threads: usize,
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
struct DryAnswer {
    shape: String,
    to: Option<u128>,
    objective: &'static str,
    dry_run: bool,
    memory_bytes_estimate: u64,
    memory_bytes: u64,
    fits: bool,
    disk_bytes_estimate: u64,
    seconds_estimate: f64,
}

impl Solve {
    /// Solves, and prints what optimal play achieves.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let variant = self.variant.variant(self.shape)?;
        let objective = self.objective()?;
        if let Device::Cuda = self.machine.device {
            return self.on_gpu(&variant, objective, json);
        }
        self.no_gpu_options()?;
        let (threads, memory) = (self.machine.threads.number(), self.machine.memory.bytes());
        if self.dry_run {
            let estimate = estimate(&variant, objective, threads).map_err(failure)?;
            let answer = DryAnswer {
                shape: variant.shape().to_string(),
                to: variant.target().map(tile_value),
                objective: objective.name(),
                dry_run: true,
                memory_bytes_estimate: estimate.memory,
                memory_bytes: memory,
                fits: estimate.memory <= memory,
                disk_bytes_estimate: estimate.disk,
                seconds_estimate: estimate.seconds,
            };
            return output::print(json, &answer, DryAnswer::text);
        }
        let dir = self.out.clone().unwrap_or_else(|| {
            let discount = self.discount.map_or(String::new(), |d| format!("-{d}"));
            PathBuf::from("tables").join(format!("{variant}-{}{discount}", objective.name()))
        });
        let start = Instant::now();
        let options = SolveOptions { threads, memory };
        let manifest =
            solve(&variant, objective, &dir, &options, &ProgressLine::new()).map_err(failure)?;
        let answer = Answer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            seconds: start.elapsed().as_secs_f64(),
            device: "cpu",
            threads,
            peak_memory_bytes: memory::peak(),
            ..Answer::new(&manifest, dir)
        };
        let answer = match variant.target() {
            Some(_) => answer,
            // Without a target every game is lost in the end, which says nothing.
            None => Answer {
                category: None,
                sure_wins: None,
                sure_losses: None,
                ..answer
            },
        };
        output::print(json, &answer, Answer::text)
    }

    fn objective(&self) -> Result<Objective, Failure> {
        let name = match self.objective {
            Goal::Win => "win",
            Goal::Score => "score",
            Goal::Moves => "moves",
            Goal::Survival => "survival",
        };
        Objective::from_name(name, self.discount).ok_or_else(|| {
            Failure::request(if name == "win" {
                format!(
                    "discount {} is out of range: use a number above 0 and at most 1",
                    self.discount.unwrap_or(1.0)
                )
            } else {
                format!("--discount goes with --objective win, not {name}: leave it out")
            })
        })
    }
}

/// What went wrong, as the program reports it.
pub fn failure(error: SolveError) -> Failure {
    error.into()
}

impl Answer {
    fn new(manifest: &Manifest, table: PathBuf) -> Answer {
        let start = manifest.start;
        let sum = |of: fn(&tilebase_table::LayerEntry) -> u64| manifest.layers.iter().map(of).sum();
        // Probabilities are precise to a fraction of their smaller side.
        let scale = start.and_then(|start| match manifest.objective.as_str() {
            "win" if manifest.discount.is_none() => Some(start.win?.min(start.win_complement?)),
            _ => start.value,
        });
        Answer {
            shape: String::new(),
            to: None,
            spawn: String::new(),
            start_tiles: 0,
            objective: manifest.objective.clone(),
            discount: manifest.discount.unwrap_or(1.0),
            states: manifest.states(),
            afterstates: manifest.afterstates(),
            sure_wins: Some(sum(|layer| layer.sure_wins)),
            sure_losses: Some(sum(|layer| layer.sure_losses)),
            start,
            start_value: start.and_then(|start| start.value),
            start_min: start.and_then(|start| start.min),
            start_max: start.and_then(|start| start.max),
            start_win: start.and_then(|start| start.win),
            start_complement: start.and_then(|start| start.win_complement),
            category: start.map(|start| start.category().name()),
            error_bound: scale.map(|scale| scale * manifest.relative_error_bound),
            relative_error_bound: manifest.relative_error_bound,
            tie_tolerance: manifest.tie_tolerance,
            table,
            bytes: manifest.bytes(),
            bytes_per_state: manifest.bytes() as f64 / manifest.states() as f64,
            parts: manifest.parts(),
            seconds: 0.0,
            device: "cpu",
            threads: 0,
            peak_memory_bytes: None,
        }
    }

    fn text(&self) -> String {
        let (dir, program) = (self.table.display(), output::program());
        let mut text = format!(
            "{}: {}\n",
            game_text(&self.shape, self.to),
            verdict(&self.objective, self.discount, self.start.as_ref())
        );
        let _ = writeln!(
            text,
            "  start states from {} to {}; relative error below {:.0e}",
            self.start_min
                .map_or("none".to_owned(), |v| format!("{v:.12}")),
            self.start_max
                .map_or("none".to_owned(), |v| format!("{v:.12}")),
            self.relative_error_bound
        );
        let sure = self.sure_wins.zip(self.sure_losses);
        text.push_str(&states_text(self.states, sure, self.afterstates));
        let _ = writeln!(
            text,
            "  table in {dir}: {}, {:.2} bytes a state",
            bytes_text(self.bytes),
            self.bytes_per_state
        );
        let peak = self
            .peak_memory_bytes
            .map_or(String::new(), |b| format!(", {}", bytes_text(b)));
        let _ = writeln!(
            text,
            "  {:.2} s on {} threads{peak}",
            self.seconds, self.threads
        );
        let _ = writeln!(
            text,
            "look at it:\n  {program} probe {dir} --start\n  {program} play {} --player optimal --table {dir} --games 1000 --seed 1\n  {program} follow {dir}",
            self.shape
        );
        text
    }
}

/// What optimal play achieves from the start, in a line.
fn verdict(objective: &str, discount: f64, start: Option<&Start>) -> String {
    let never = "the target is never reached".to_owned();
    let Some(start) = start else { return never };
    let chance = |start: &Start| {
        let win = start.win.unwrap_or(0.0);
        probability(win, start.win_complement.unwrap_or(1.0 - win))
    };
    match (objective, start.value) {
        ("win", Some(value)) if discount < 1.0 => {
            format!("a win is worth {value:.9}, discounted by {discount} a move")
        }
        ("win", Some(_)) => match start.category() {
            Category::SureWin => "optimal play always wins".to_owned(),
            Category::SureLoss => never,
            Category::Open => format!("optimal play wins with probability {}", chance(start)),
        },
        ("score", Some(value)) => format!("optimal play scores {value:.6} on average"),
        ("moves", Some(value)) => format!(
            "optimal play wins with probability {}, then in {value:.6} moves on average",
            chance(start)
        ),
        ("survival", Some(value)) => format!("optimal play lasts {value:.6} moves on average"),
        _ => never,
    }
}

/// How many states there are, and how many of them are sure wins and losses.
fn states_text(states: u64, sure: Option<(u64, u64)>, afterstates: u64) -> String {
    let number = |n: u64| grouped(n.into());
    let sure = sure.map_or(String::new(), |(wins, losses)| {
        format!(
            " ({} sure wins, {} sure losses)",
            number(wins),
            number(losses)
        )
    });
    let (states, afterstates) = (number(states), number(afterstates));
    format!("  {states} live states{sure}, {afterstates} afterstates\n")
}

impl DryAnswer {
    fn text(&self) -> String {
        let enough = if self.fits { "enough" } else { "too little" };
        format!(
            "{}: about {} of memory ({} allowed: {enough}), {} on disk, {} (all are rough)\n",
            game_text(&self.shape, self.to),
            bytes_text(self.memory_bytes_estimate),
            bytes_text(self.memory_bytes),
            bytes_text(self.disk_bytes_estimate),
            time_text(self.seconds_estimate),
        )
    }
}
