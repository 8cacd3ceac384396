//! `tilebase solve`: optimal play, and a table of it.

mod gpu;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tilebase_cluster::{Cluster, ClusterError};
use tilebase_game::{Objective, Shape, ValueKind, Variant, tile_value};
use tilebase_schema::{Category, SectionBytes, SolveAnswer, SolveDryRun, StartValue, Walls};
use tilebase_solve::{
    SolveError, SolveOptions, check_best_play, estimate, keep_best_play, solve, solve_together,
};
use tilebase_table::{LayerBytes, LayerEntry, Manifest, Start, Table, TableWriter};
use tilebase_util::{Device, bytes_text};

use crate::arguments::{FormationOptions, MachineOptions, VariantOptions};
use crate::cluster::{ClusterOptions, SharedProgress, reports_text};
use crate::failure::Failure;
use crate::memory;
use crate::output::{self, game_text, grouped, probability, time_text};
use crate::progress::ProgressLine;

/// Solve a game: the value of every position under optimal play
#[derive(Args)]
#[command(after_help = after_help())]
pub struct Solve {
    /// Rows and columns, up to 4x4
    shape: Shape,

    #[command(flatten)]
    variant: VariantOptions,

    #[command(flatten)]
    formation: FormationOptions,

    /// What to optimize
    #[arg(long, value_name = "NAME", default_value = "win", value_parser = objective_parser())]
    objective: Objective,

    /// Value of a win one move later, as a fraction of a win now: above 0, at most 1 (with win)
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    discount: Option<f64>,

    /// Directory of the table [default: tables/GAME-OBJECTIVE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the value of this position (on a GPU), or begin best play there; may be repeated
    #[arg(long, value_name = "BOARD")]
    board: Vec<String>,

    /// The same for the positions in this file, one a line, - for stdin
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,

    /// Bits of a value: in a table 64 or 16, on a GPU 64 or 32 [default: 64, on a GPU as many as fit]
    #[arg(long, value_name = "N")]
    bits: Option<u32>,

    /// Keep only what best play can meet, from the start or from the positions of --board
    #[arg(long)]
    best_play: bool,

    /// Print what it would need, and do nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    machine: MachineOptions,

    #[command(flatten)]
    together: ClusterOptions,
}

/// The examples, and the objectives as their descriptors have them.
fn after_help() -> String {
    let mut text = "\
Examples:
  tilebase solve 3x3 --to 512 --out tables/3x3-512         the probability of winning
  tilebase solve 3x3 --objective score --out tables/score  the highest expected score
  tilebase solve 4x4 --to 16 --discount 0.99 --out soon    prefer early wins
  tilebase solve 4x4 --to 32 --dry-run                     what it would need
  tilebase solve 4x4 --formation L3 --to 512 --out L3      large tiles as walls
  tilebase solve 4x4 --formation L3 --to 512 --bits 16     a fifth of the size, for play and advice
  tilebase solve 4x4 --formation L3 --to 256 --board B --best-play   what best play from B can meet
  tilebase solve 4x4 --to 32 --processes 2 --out T         two processes share the work
  tilebase solve 4x4 --to 64 --device cuda                 on a GPU, without a table
  tilebase solve 4x4 --formation 444 --to 512 --device cuda --bits 16 --out T   with one
  tilebase solve 4x4 --to 64 --device cuda --board B       the start, and positions

Then: tilebase probe DIR --board B, tilebase play SHAPE --player optimal --table DIR,
tilebase follow DIR, tilebase evaluate DIR --player greedy, tilebase export DIR --format csv.

Objectives:
"
    .to_owned();
    for objective in Objective::ALL {
        let summary = textwrap(objective.descriptor().summary, 84);
        let _ = writeln!(text, "  {:<9} {summary}", objective.name());
    }
    text.push_str(
        "
A run that was interrupted or killed is resumed when it is started again.

With --bits 16 a table has 12 significant bits of the smaller of the probability and its complement
(10 bits of a score), and only two layers of three: it can be probed and used for advice and play.
With --best-play it has, in 16 bits, only the states that best play can meet.

On a GPU a table is only written with --bits 16. Otherwise the answer has the value of the start, the
number of sure wins, and the values of the positions given with --board and --boards.",
    );
    text
}

/// Breaks a text into lines of at most `width` characters, indented as the objectives are.
fn textwrap(text: &str, width: usize) -> String {
    let mut wrapped = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        if column > 0 && column + word.len() >= width {
            wrapped.push_str("\n            ");
            column = 0;
        } else if column > 0 {
            wrapped.push(' ');
        }
        wrapped.push_str(word);
        column += word.len() + 1;
    }
    wrapped
}

/// Parses the name of an objective.
fn objective_parser() -> impl TypedValueParser<Value = Objective> {
    let names = Objective::ALL.map(|objective| objective.name());
    PossibleValuesParser::new(names).try_map(|name| {
        Objective::from_name(&name, None).ok_or_else(|| format!("unknown objective '{name}'"))
    })
}

impl Solve {
    /// Solves, and prints the value of the start.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let variant = self.formation.variant(self.variant.variant(self.shape)?)?;
        let objective = self.objective()?;
        self.machine.check()?;
        let cuda = self.machine.device() == Device::Cuda;
        self.together.refuse("--device cuda", cuda)?;
        self.together.refuse("--best-play", self.best_play)?;
        if let Device::Cuda = self.machine.device() {
            return self.on_gpu(&variant, objective, json);
        }
        self.no_gpu_options()?;
        if self.dry_run {
            return self.print_estimate(&variant, objective, json);
        }
        let threads = self.together.threads(&self.machine);
        let dir = self.table_dir(&variant, objective);
        let start = Instant::now();
        let options = SolveOptions {
            threads,
            memory: self.together.memory(&self.machine),
            rounded: self.bits == Some(16),
        };
        if self.together.is_used() {
            return self.run_together(&variant, objective, &dir, &options, json);
        }
        let manifest = match self.best_play {
            false => solve(&variant, objective, &dir, &options, &ProgressLine::new())?,
            true => self.keep_best_play(&variant, objective, &dir, options)?,
        };
        let answer = SolveAnswer {
            seconds: start.elapsed().as_secs_f64(),
            threads,
            peak_memory_bytes: memory::peak(),
            ..solved(&variant, objective, &manifest, &dir)
        };
        let whole = !self.best_play && self.bits != Some(16);
        output::print(json, &answer, |answer| text(answer, objective, whole))
    }

    /// The directory of the table.
    fn table_dir(&self, variant: &Variant, objective: Objective) -> PathBuf {
        self.out.clone().unwrap_or_else(|| {
            let discount = self.discount.map_or(String::new(), |d| format!("-{d}"));
            PathBuf::from("tables").join(format!("{variant}-{}{discount}", objective.name()))
        })
    }

    /// Solves together with other processes, and prints the value of the start.
    fn run_together(
        &self,
        variant: &Variant,
        objective: Objective,
        dir: &Path,
        options: &SolveOptions,
        json: bool,
    ) -> Result<(), Failure> {
        let start = Instant::now();
        let bits = if options.rounded { 16 } else { 64 };
        let (name, discount) = (objective.name(), objective.discount());
        let work = format!("solve {variant} for {name}, discount {discount}, {bits} bits");
        let joined = self.together.join(&work, &self.machine)?;
        let progress = ProgressLine::new();
        let (answer, reports) = joined.run(|cluster| {
            let shared = SharedProgress::new(&progress, cluster);
            let own = solve_together(cluster, variant, objective, dir, options, &shared)?;
            let own = solved(variant, objective, &own, dir);
            Ok(whole_table(own, cluster)?)
        })?;
        let answer = SolveAnswer {
            seconds: start.elapsed().as_secs_f64(),
            threads: options.threads,
            peak_memory_bytes: memory::peak(),
            processes: Some(reports),
            ..answer
        };
        output::print(json, &answer, |answer| {
            text(answer, objective, !options.rounded)
        })
    }

    /// Solves into a directory within the table's, and keeps what best play can meet.
    fn keep_best_play(
        &self,
        variant: &Variant,
        objective: Objective,
        dir: &Path,
        options: SolveOptions,
    ) -> Result<Manifest, Failure> {
        if self.bits == Some(64) {
            return Err(Failure::request(
                "--best-play stores values in 16 bits: leave out --bits",
            ));
        }
        let from = self.positions(variant)?;
        check_best_play(variant, objective, &from, &options)?;
        let asked = Manifest::best_play(variant, objective, &from);
        let known = TableWriter::open(dir, asked)?.manifest().clone();
        if known.complete {
            return Ok(known);
        }
        let whole = dir.join("whole");
        let options = SolveOptions {
            rounded: false,
            ..options
        };
        solve(variant, objective, &whole, &options, &ProgressLine::new())?;
        let table = Table::open(&whole)?;
        let manifest = keep_best_play(&table, &from, dir, options.threads, &ProgressLine::new())?;
        drop(table);
        std::fs::remove_dir_all(&whole)
            .map_err(|error| Failure::work(&format!("removing {}", whole.display()), error))?;
        Ok(manifest)
    }

    /// Prints what solving would need.
    fn print_estimate(
        &self,
        variant: &Variant,
        objective: Objective,
        json: bool,
    ) -> Result<(), Failure> {
        let processes = self.together.number()?;
        let number = processes.unwrap_or(1);
        let threads = self.together.threads(&self.machine) * number;
        let memory = self.together.memory(&self.machine);
        let estimate = estimate(variant, objective, threads, self.bits == Some(16))?;
        let needed = estimate.process_memory(number);
        let answer = SolveDryRun {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            walls: Walls::of(variant),
            objective: objective.name(),
            dry_run: true,
            memory_bytes_estimate: estimate.memory,
            memory_bytes: memory,
            fits: needed <= memory,
            disk_bytes_estimate: estimate.disk,
            seconds_estimate: estimate.seconds,
            process_bytes_estimate: processes.map(|_| needed),
        };
        output::print(json, &answer, estimate_text)
    }

    /// The objective with its discount.
    fn objective(&self) -> Result<Objective, Failure> {
        let name = self.objective.name();
        Objective::from_name(name, self.discount).ok_or_else(|| {
            Failure::request(if self.objective.descriptor().takes_discount {
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

/// The error as the command line reports it.
pub fn failure(error: SolveError) -> Failure {
    error.into()
}

/// A solved game, without the time and the memory that it took.
fn solved(
    variant: &Variant,
    objective: Objective,
    manifest: &Manifest,
    table: &Path,
) -> SolveAnswer {
    let sum = |of: fn(&LayerEntry) -> u64| manifest.layers.iter().map(of).sum();
    // Without a target every game is lost in the end, so nothing is a sure win or loss.
    let has_target = variant.target().is_some();
    SolveAnswer {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        spawn: variant.spawn().to_string(),
        start_tiles: variant.start_tiles(),
        walls: Walls::of(variant),
        objective: objective.name(),
        discount: objective.discount(),
        states: manifest.states(),
        afterstates: manifest.afterstates(),
        sure_wins: has_target.then(|| sum(|layer| layer.sure_wins)),
        sure_losses: has_target.then(|| sum(|layer| layer.sure_losses)),
        start: start_value(manifest.start.as_ref(), has_target),
        error_bound: manifest
            .start
            .and_then(|start| error_bound(objective, &start, manifest.relative_error_bound)),
        relative_error_bound: manifest.relative_error_bound,
        tie_tolerance: manifest.tie_tolerance,
        table: table.to_owned(),
        bytes: manifest.bytes(),
        bytes_per_state: manifest.bytes() as f64 / manifest.states() as f64,
        sections: sections(manifest.sections()),
        seconds: 0.0,
        device: Device::Cpu,
        threads: 0,
        peak_memory_bytes: None,
        processes: None,
    }
}

/// The answer for all shards from those of the processes.
fn whole_table(own: SolveAnswer, cluster: &Cluster) -> Result<SolveAnswer, ClusterError> {
    let sections = own.sections;
    let sum = cluster.sum(&[
        own.states,
        own.afterstates,
        own.sure_wins.unwrap_or(0),
        own.sure_losses.unwrap_or(0),
        own.bytes,
        sections.states,
        sections.afterstates,
        sections.values,
        sections.moves,
        sections.other,
    ])?;
    Ok(SolveAnswer {
        states: sum[0],
        afterstates: sum[1],
        sure_wins: own.sure_wins.map(|_| sum[2]),
        sure_losses: own.sure_losses.map(|_| sum[3]),
        bytes: sum[4],
        bytes_per_state: sum[4] as f64 / sum[0] as f64,
        sections: SectionBytes {
            states: sum[5],
            afterstates: sum[6],
            values: sum[7],
            moves: sum[8],
            other: sum[9],
        },
        ..own
    })
}

/// The value of the start as answers give it.
pub fn start_value(start: Option<&Start>, has_target: bool) -> StartValue {
    let Some(start) = start else {
        return StartValue::default();
    };
    StartValue {
        start_value: start.value,
        start_min: start.min,
        start_max: start.max,
        start_win: start.win,
        start_complement: start.win_complement,
        category: has_target.then(|| start.category().into()),
    }
}

/// The sizes of sections as answers give them.
pub fn sections(bytes: LayerBytes) -> SectionBytes {
    SectionBytes {
        states: bytes.states,
        afterstates: bytes.afterstates,
        values: bytes.values,
        moves: bytes.moves,
        other: bytes.other,
    }
}

/// The absolute error bound of the start's value.
fn error_bound(objective: Objective, start: &Start, relative: f64) -> Option<f64> {
    // Probabilities are precise to a fraction of their smaller side.
    let scale = match objective.value_kind() {
        ValueKind::WinProbability => start.win?.min(start.win_complement?),
        ValueKind::ExpectedReturn | ValueKind::FastestWin => start.value?,
    };
    Some(scale * relative)
}

/// The answer in words. Only a table with all values in full can be followed.
fn text(answer: &SolveAnswer, objective: Objective, whole: bool) -> String {
    let (dir, program) = (answer.table.display(), output::program());
    let number = |value: Option<f64>| value.map_or("none".to_owned(), |v| format!("{v:.12}"));
    let mut text = format!(
        "{}: {}\n",
        game_text(&answer.shape, answer.to, &answer.walls),
        verdict(objective, &answer.start)
    );
    let _ = writeln!(
        text,
        "  start states from {} to {}; relative error below {:.0e}",
        number(answer.start.start_min),
        number(answer.start.start_max),
        answer.relative_error_bound
    );
    let sure = answer.sure_wins.zip(answer.sure_losses);
    text.push_str(&states_text(answer.states, sure, answer.afterstates));
    let _ = writeln!(
        text,
        "  table in {dir}: {}, {:.2} bytes a state",
        bytes_text(answer.bytes),
        answer.bytes_per_state
    );
    let peak = answer
        .peak_memory_bytes
        .map_or(String::new(), |b| format!(", {}", bytes_text(b)));
    let _ = writeln!(
        text,
        "  {:.2} s on {} threads{peak}",
        answer.seconds, answer.threads
    );
    text.push_str(&reports_text(answer.processes.as_deref().unwrap_or(&[])));
    let _ = writeln!(text, "look at it:\n  {program} probe {dir} --start");
    // Games with walls are not played, nor is best play of some positions.
    if answer.walls.walls.is_none() && whole {
        let _ = writeln!(
            text,
            "  {program} play {} --player optimal --table {dir} --games 1000 --seed 1",
            answer.shape
        );
    }
    if whole {
        let _ = writeln!(text, "  {program} follow {dir}");
    }
    text
}

/// What optimal play achieves from the start, in a line.
fn verdict(objective: Objective, start: &StartValue) -> String {
    let never = "the target is never reached".to_owned();
    let Some(value) = start.start_value else {
        return never;
    };
    if objective.value_kind() == ValueKind::WinProbability {
        match start.category {
            Some(Category::SureWin) => return "optimal play always wins".to_owned(),
            Some(Category::SureLoss) => return never,
            _ => {}
        }
    }
    let about = objective.descriptor();
    let value = match about.unit {
        "" => format!("{value:.9}"),
        _ => format!("{value:.6}"),
    };
    let win = start.start_win.unwrap_or(0.0);
    let win = probability(win, start.start_complement.unwrap_or(1.0 - win));
    about
        .result
        .replace("{win}", &win)
        .replace("{value}", &value)
        .replace("{discount}", &objective.discount().to_string())
}

/// The numbers of states, sure wins and losses, and afterstates, in a line.
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

fn estimate_text(answer: &SolveDryRun) -> String {
    let enough = if answer.fits { "enough" } else { "too little" };
    let each = answer
        .process_bytes_estimate
        .map_or(String::new(), |bytes| {
            format!(", {} for each process", bytes_text(bytes))
        });
    format!(
        "{}: about {} of memory{each} ({} allowed: {enough}), {} on disk, {} (rough estimates)\n",
        game_text(&answer.shape, answer.to, &answer.walls),
        bytes_text(answer.memory_bytes_estimate),
        bytes_text(answer.memory_bytes),
        bytes_text(answer.disk_bytes_estimate),
        time_text(answer.seconds_estimate),
    )
}
