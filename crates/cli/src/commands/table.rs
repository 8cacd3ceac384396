//! `tilebase table`: information about a table, a check of it, and a smaller one for play.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use tilebase_schema::{Content as Stored, TableAnswer, TableLayer, Walls};
use tilebase_solve::{keep_best_play, strip};
use tilebase_table::{Content, Manifest, verify};
use tilebase_util::bytes_text;

use super::probe::{failure, open};
use super::solve::{sections, start_value};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Describe a table, check that it is intact, or make one with moves only
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase table info tables/3x3-512
  tilebase table verify tables/3x3-512           reads every byte
  tilebase table strip tables/3x3-512 --out p    a table for play: 2 bits a state and the states
  tilebase table strip tables/3x3-512 --out p --best-play  only what best play can meet")]
pub struct TableCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Describe a table
    Info {
        /// Directory of the table
        table: PathBuf,
        /// List the layers too (JSON always does)
        #[arg(long)]
        layers: bool,
    },
    /// Read a whole table and check it against its checksums
    Verify {
        /// Directory of the table
        table: PathBuf,
    },
    /// Make a table for play alone: the best move of every state, no values
    Strip {
        /// Directory of the table
        table: PathBuf,
        /// Directory of the new one
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Only the states that best play can meet, with rounded values
        #[arg(long)]
        best_play: bool,
        /// Begin best play at this position, not at the start; may be repeated
        #[arg(long, value_name = "BOARD", requires = "best_play")]
        board: Vec<String>,
    },
}

impl TableCommand {
    /// Runs the action.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        match &self.action {
            Action::Info { table, layers } => {
                let open = open(table)?;
                let answer = describe(table, open.manifest(), open.shards(), Vec::new());
                output::print(json, &answer, |answer| text(answer, *layers))
            }
            Action::Verify { table } => {
                let report = verify(table, &ProgressLine::new()).map_err(failure)?;
                if report.interrupted {
                    return Err(Failure::Interrupted);
                }
                let broken: Vec<String> = report.broken.iter().map(|e| e.to_string()).collect();
                let answer = describe(table, &report.manifest, report.shards, broken);
                output::print(json, &answer, verdict)?;
                match answer.broken.first() {
                    None => Ok(()),
                    Some(first) => Err(Failure::Work(first.clone())),
                }
            }
            Action::Strip {
                table,
                out,
                best_play,
                board,
            } => {
                let table = open(table)?;
                let boards = board.iter().map(|text| table.variant().parse_board(text));
                let boards: Result<Vec<_>, _> = boards.collect();
                let boards = boards.map_err(Failure::request)?;
                let manifest = match best_play {
                    false => strip(&table, out, &ProgressLine::new())?,
                    true => keep_best_play(&table, &boards, out, 0, &ProgressLine::new())?,
                };
                let answer = describe(out, &manifest, None, Vec::new());
                output::print(json, &answer, |answer| text(answer, false))
            }
        }
    }
}

/// A table as answers describe it.
fn describe(
    table: &Path,
    manifest: &Manifest,
    shards: Option<u32>,
    broken: Vec<String>,
) -> TableAnswer {
    let variant = manifest.variant(table).ok();
    let has_target = variant.is_some_and(|variant| variant.target().is_some());
    let layers = manifest.layers.iter().map(|layer| TableLayer {
        sum: layer.sum,
        states: layer.states,
        sure_wins: layer.sure_wins,
        sure_losses: layer.sure_losses,
        afterstates: layer.afterstates,
        sections: sections(layer.sections),
        bytes: layer.bytes,
        checksum: layer.checksum.clone(),
    });
    TableAnswer {
        ok: broken.is_empty(),
        broken,
        table: table.to_owned(),
        shards,
        title: manifest.title(),
        variant: manifest.variant.clone(),
        walls: variant.as_ref().map(Walls::of).unwrap_or_default(),
        objective: manifest.objective.clone(),
        discount: manifest.discount.unwrap_or(1.0),
        content: match manifest.content {
            Content::Values => Stored::Values,
            Content::Moves => Stored::Moves,
            Content::Rounded => Stored::Rounded,
            Content::BestPlay => Stored::BestPlay,
        },
        written_by: manifest.version.clone(),
        format: manifest.format,
        states: manifest.states(),
        afterstates: manifest.afterstates(),
        start: start_value(manifest.start.as_ref(), has_target),
        relative_error_bound: manifest.relative_error_bound,
        tie_tolerance: manifest.tie_tolerance,
        bytes: manifest.bytes(),
        bytes_per_state: manifest.bytes() as f64 / manifest.states() as f64,
        sections: sections(manifest.sections()),
        layers: layers.collect(),
    }
}

fn text(answer: &TableAnswer, layers: bool) -> String {
    let mut text = format!("{}\n", answer.title);
    let _ = writeln!(
        text,
        "  {} live states, {} afterstates in {} layers{}",
        grouped(answer.states.into()),
        grouped(answer.afterstates.into()),
        answer.layers.len(),
        shards_text(answer)
    );
    if let Some(value) = answer.start.start_value {
        let _ = writeln!(
            text,
            "  value from the start {value:.12}; relative error below {:.0e}, ties within {:.0e}",
            answer.relative_error_bound, answer.tie_tolerance
        );
    }
    text.push_str(&sizes_text(answer));
    if layers {
        text.push_str(&layers_text(&answer.layers));
    }
    text
}

fn sizes_text(answer: &TableAnswer) -> String {
    let mut text = format!(
        "  {}, {:.3} bytes a state:\n",
        bytes_text(answer.bytes),
        answer.bytes_per_state
    );
    let sections = &answer.sections;
    let all = [
        ("states", sections.states),
        ("afterstates", sections.afterstates),
        ("values", sections.values),
        ("moves", sections.moves),
        ("heads and checksums", sections.other),
    ];
    // A table with moves only has no afterstates either; that they take nothing is worth a line.
    let shown = |&(name, bytes): &(&str, u64)| bytes > 0 || name == "afterstates";
    for (name, bytes) in all.into_iter().filter(shown) {
        let _ = writeln!(
            text,
            "    {name:<20} {:>12}  {:.3} bytes a state",
            bytes_text(bytes),
            bytes as f64 / answer.states as f64
        );
    }
    text
}

fn layers_text(layers: &[TableLayer]) -> String {
    let mut text = format!(
        "  {:>6}  {:>14}  {:>14}  {:>14}  {:>14}\n",
        "sum", "states", "sure wins", "sure losses", "afterstates"
    );
    for layer in layers.iter().rev() {
        let _ = writeln!(
            text,
            "  {:>6}  {:>14}  {:>14}  {:>14}  {:>14}",
            layer.sum,
            grouped(layer.states.into()),
            grouped(layer.sure_wins.into()),
            grouped(layer.sure_losses.into()),
            grouped(layer.afterstates.into())
        );
    }
    text
}

/// In how many shards a table is.
fn shards_text(answer: &TableAnswer) -> String {
    match answer.shards {
        None => String::new(),
        Some(1) => ", in 1 shard".to_owned(),
        Some(shards) => format!(", in {shards} shards"),
    }
}

/// Whether a table is intact, in words.
fn verdict(answer: &TableAnswer) -> String {
    if answer.ok {
        return format!(
            "{}: intact, {} in {} layers{}\n",
            answer.title,
            bytes_text(answer.bytes),
            answer.layers.len(),
            shards_text(answer)
        );
    }
    let mut text = format!(
        "{}: {} files are broken\n",
        answer.title,
        answer.broken.len()
    );
    for error in &answer.broken {
        let _ = writeln!(text, "  {error}");
    }
    text
}
