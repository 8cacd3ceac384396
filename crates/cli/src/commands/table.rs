//! `tilebase table`: what a table is, whether it is whole, and a smaller one for play.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;
use tilebase_solve::strip;
use tilebase_table::{Content, LayerBytes, Manifest, verify};
use tilebase_util::bytes_text;

use super::probe::{failure, open};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Tell what a table is, check that it is whole, or make one with moves only
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase table info tables/3x3-512
  tilebase table verify tables/3x3-512           reads every byte
  tilebase table strip tables/3x3-512 --out p    a table for play alone: 2 bits a state and the states")]
pub struct TableCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// What a table is
    Info {
        /// Directory of the table
        table: PathBuf,
        /// List the layers too (JSON always does)
        #[arg(long)]
        layers: bool,
    },
    /// Read all of a table and check that it is what was written
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
    },
}

#[derive(Serialize)]
struct Answer {
    ok: bool,
    broken: Vec<String>,
    table: PathBuf,
    title: String,
    states: u64,
    afterstates: u64,
    bytes: u64,
    bytes_per_state: f64,
    parts: LayerBytes,
    manifest: Manifest,
    #[serde(skip)]
    list: bool,
}

impl TableCommand {
    /// Does what was asked.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        match &self.action {
            Action::Info { table, layers } => {
                let manifest = open(table)?.manifest().clone();
                let mut answer = Answer::new(table.clone(), manifest, Vec::new());
                answer.list = *layers;
                output::print(json, &answer, Answer::text)
            }
            Action::Verify { table } => {
                let report = verify(table, &ProgressLine::new()).map_err(failure)?;
                if report.interrupted {
                    return Err(Failure::Interrupted);
                }
                let broken: Vec<String> = report.broken.iter().map(|e| e.to_string()).collect();
                let answer = Answer::new(table.clone(), report.manifest, broken);
                output::print(json, &answer, Answer::verdict)?;
                match answer.broken.first() {
                    None => Ok(()),
                    Some(first) => Err(Failure::Work(first.clone())),
                }
            }
            Action::Strip { table, out } => {
                let table = open(table)?;
                let manifest =
                    strip(&table, out, &ProgressLine::new()).map_err(super::solve::failure)?;
                let answer = Answer::new(out.clone(), manifest, Vec::new());
                output::print(json, &answer, Answer::text)
            }
        }
    }
}

impl Answer {
    fn new(table: PathBuf, manifest: Manifest, broken: Vec<String>) -> Answer {
        Answer {
            ok: broken.is_empty(),
            broken,
            table,
            title: manifest.title(),
            states: manifest.states(),
            afterstates: manifest.afterstates(),
            bytes: manifest.bytes(),
            bytes_per_state: manifest.bytes() as f64 / manifest.states() as f64,
            parts: manifest.parts(),
            manifest,
            list: false,
        }
    }

    fn text(&self) -> String {
        let per_state = |bytes: u64| bytes as f64 / self.states as f64;
        let mut text = format!("{}\n", self.title);
        let _ = writeln!(
            text,
            "  {} live states, {} afterstates in {} layers",
            grouped(self.states.into()),
            grouped(self.afterstates.into()),
            self.manifest.layers.len()
        );
        if let Some(start) = self.manifest.start
            && let Some(value) = start.value
        {
            let _ = writeln!(
                text,
                "  value from the start {value:.12}; relative error below {:.0e}, ties within {:.0e}",
                self.manifest.relative_error_bound, self.manifest.tie_tolerance
            );
        }
        let _ = writeln!(
            text,
            "  {}, {:.3} bytes a state:",
            bytes_text(self.bytes),
            self.bytes_per_state
        );
        let data = match self.manifest.content {
            Content::Values => ("values", self.parts.values),
            Content::Moves => ("moves", self.parts.moves),
        };
        for (name, bytes) in [
            ("states", self.parts.states),
            ("afterstates", self.parts.afterstates),
            data,
            ("heads and checksums", self.parts.other),
        ] {
            let _ = writeln!(
                text,
                "    {name:<20} {:>12}  {:.3} bytes a state",
                bytes_text(bytes),
                per_state(bytes)
            );
        }
        if self.list {
            let _ = writeln!(
                text,
                "  {:>6}  {:>14}  {:>14}  {:>14}  {:>14}",
                "sum", "states", "sure wins", "sure losses", "afterstates"
            );
            for layer in self.manifest.layers.iter().rev() {
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
        }
        text
    }

    fn verdict(&self) -> String {
        if self.ok {
            return format!(
                "{}: whole, {} in {} layers\n",
                self.title,
                bytes_text(self.bytes),
                self.manifest.layers.len()
            );
        }
        let mut text = format!("{}: {} files are broken\n", self.title, self.broken.len());
        for error in &self.broken {
            let _ = writeln!(text, "  {error}");
        }
        text
    }
}
