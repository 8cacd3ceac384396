//! `tilebase export`: a table in the formats of other programs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use tilebase_export::{model, policy, write_csv, write_parquet};
use tilebase_model::{
    Drawing, Grouping, Model, Reduction, StateId, Ties, write_dot, write_drn, write_svg,
};
use tilebase_schema::{ExportAnswer, ExportFormat};
use tilebase_table::Table;
use tilebase_util::bytes_text;

use super::probe::open;
use crate::arguments::{ThreadOptions, whole};
use crate::destination::{deliver, failure};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;
use crate::standard::is_standard;

/// Default limit of states in a diagram: larger ones are unreadable.
const DRAWN: usize = 2000;
/// Default limit of states in a model: larger ones take gigabytes.
const LISTED: usize = 4_000_000;

/// Write a table in a format that other programs read, or draw its game
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase export tables/3x3-512 --format parquet --out 3x3.parquet   for pandas, polars, DuckDB
  tilebase export tables/3x3-512 --format csv | head                  the same as text
  tilebase export tables/2x2-32 --format drn --out 2x2.drn            for the model checker Storm
  tilebase export tables/2x2-16 --format svg --out game.svg           a picture of the whole game
  tilebase export tables/2x2-16 --format svg --policy > best.svg      best play alone
  tilebase export tables/2x2-16 --format dot | dot -Tpdf > game.pdf   drawn by Graphviz

Parquet and CSV have a row for each live state: its board, its value, and the value of each
move. docs/export.md describes the columns.")]
pub struct Export {
    /// Directory of the table
    table: PathBuf,

    /// What to write
    #[arg(long, value_enum)]
    format: Format,

    /// File to write; - is stdout [default: stdout, except for Parquet]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Symmetry reduction of a model or a diagram (drn, dot, svg) [default: actions]
    #[arg(long, value_enum)]
    reduce: Option<Reduce>,

    /// Draw only the best moves, with values (dot, svg)
    #[arg(long)]
    policy: bool,

    /// Draw all best moves where there are several, not only the first
    #[arg(long, requires = "policy")]
    ties: bool,

    /// Grouping of the drawn states (dot, svg) [default: layer]
    #[arg(long, value_enum)]
    group: Option<Group>,

    /// Most states of a model or a diagram [default: 4000000 (drn), 2000 (dot, svg)]
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    limit: Option<u64>,

    #[command(flatten)]
    threads: ThreadOptions,
}

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A row for each live state, for data tools
    Parquet,
    /// The same as text
    Csv,
    /// The game as a Markov decision process, for the model checker Storm
    Drn,
    /// A diagram of the game for Graphviz
    Dot,
    /// A diagram of the game, drawn
    Svg,
}

/// Symmetry reductions.
#[derive(Clone, Copy, ValueEnum)]
enum Reduce {
    /// Every board is a state
    None,
    /// Boards that are images of each other are one state
    States,
    /// And moves to images of each other are one action
    Actions,
}

/// Groupings of drawn states.
#[derive(Clone, Copy, ValueEnum)]
enum Group {
    /// A column for each tile sum
    Layer,
    /// And in it a box for each largest tile
    Largest,
}

impl Format {
    fn name(self) -> &'static str {
        ExportFormat::from(self).name()
    }
}

impl From<Format> for ExportFormat {
    fn from(format: Format) -> ExportFormat {
        match format {
            Format::Parquet => ExportFormat::Parquet,
            Format::Csv => ExportFormat::Csv,
            Format::Drn => ExportFormat::Drn,
            Format::Dot => ExportFormat::Dot,
            Format::Svg => ExportFormat::Svg,
        }
    }
}

impl Export {
    /// Writes the table, and describes what was written if that went to a file.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        self.check(json)?;
        let begin = Instant::now();
        let table = open(&self.table)?;
        let mut answer = ExportAnswer {
            table: self.table.clone(),
            title: table.manifest().title(),
            format: self.format.into(),
            out: self.file().map(Path::to_owned),
            rows: None,
            states: None,
            bytes: 0,
            seconds: 0.0,
        };
        answer.bytes = match self.format {
            Format::Parquet | Format::Csv => {
                let (rows, bytes) = self.rows(&table)?;
                answer.rows = Some(rows);
                bytes
            }
            Format::Drn | Format::Dot | Format::Svg => {
                let limit = self.limit();
                let model = model(&table, self.reduction(), limit).map_err(failure)?;
                answer.states = Some(model.states().len() as u64);
                self.model(&table, &model)?
            }
        };
        answer.seconds = begin.elapsed().as_secs_f64();
        match self.file() {
            Some(_) => output::print(json, &answer, text),
            None => Ok(()),
        }
    }

    /// The file to write, if it is not stdout.
    fn file(&self) -> Option<&Path> {
        self.out.as_deref().filter(|file| !is_standard(file))
    }

    /// Checks that the options go together.
    fn check(&self, json: bool) -> Result<(), Failure> {
        let format = self.format.name();
        let drawn = matches!(self.format, Format::Dot | Format::Svg);
        let modelled = drawn || self.format == Format::Drn;
        let wrong = |option: &str, with: &str| {
            let text = format!("{option} goes with --format {with}, not {format}: leave it out");
            Err(Failure::Request(text))
        };
        match self.file() {
            None if self.format == Format::Parquet => {
                return Err(Failure::request(
                    "parquet is binary: name a file with --out FILE",
                ));
            }
            None if json => {
                return Err(Failure::request(
                    "stdout cannot hold the export and JSON: add --out FILE, or leave --json out",
                ));
            }
            Some(out) if out.is_dir() => {
                let text = format!("--out {} is a directory: name a file", out.display());
                return Err(Failure::Request(text));
            }
            _ => {}
        }
        match () {
            () if self.policy && !drawn => wrong("--policy", "dot or svg"),
            () if self.group.is_some() && !drawn => wrong("--group", "dot or svg"),
            () if self.reduce.is_some() && !modelled => wrong("--reduce", "drn, dot or svg"),
            () if self.limit.is_some() && !modelled => wrong("--limit", "drn, dot or svg"),
            () => Ok(()),
        }
    }

    /// Writes a row for each state. Returns their number and the bytes written.
    fn rows(&self, table: &Table) -> Result<(u64, u64), Failure> {
        // Report a table without values before a file is created.
        table.needs_values()?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.number())
            .build()
            .map_err(|error| Failure::work("starting threads", error))?;
        let progress = ProgressLine::new();
        let mut rows = 0;
        let bytes = deliver(self.file(), |out| {
            rows = pool.install(|| match self.format {
                Format::Parquet => write_parquet(table, out, &progress),
                _ => write_csv(table, out, &progress),
            })?;
            Ok(())
        })?;
        Ok((rows, bytes))
    }

    /// The most states that a model may have.
    fn limit(&self) -> usize {
        match (self.limit, self.format) {
            (Some(limit), _) => usize::try_from(limit).unwrap_or(usize::MAX),
            (None, Format::Drn) => LISTED,
            (None, _) => DRAWN,
        }
    }

    fn reduction(&self) -> Reduction {
        match self.reduce {
            Some(Reduce::None) => Reduction::None,
            Some(Reduce::States) => Reduction::States,
            Some(Reduce::Actions) | None => Reduction::Actions,
        }
    }

    /// Writes or draws a model. Returns the bytes written.
    fn model(&self, table: &Table, model: &Model) -> Result<u64, Failure> {
        let lines = match self.policy {
            true => policy(table, model).map_err(failure)?,
            false => Vec::new(),
        };
        let line = |board| match model.find(board) {
            Some(StateId::Live(at)) => lines.get(at as usize).copied(),
            _ => None,
        };
        let drawing = Drawing {
            policy: if self.policy { Some(&line) } else { None },
            ties: if self.ties { Ties::All } else { Ties::First },
            grouping: match self.group {
                Some(Group::Largest) => Grouping::LayerAndLargest,
                Some(Group::Layer) | None => Grouping::Layer,
            },
        };
        deliver(self.file(), |out| {
            match self.format {
                Format::Svg => write_svg(model, &drawing, out)?,
                Format::Dot => write_dot(model, &drawing, out)?,
                _ => write_drn(model, out)?,
            }
            Ok(())
        })
    }
}

fn text(answer: &ExportAnswer) -> String {
    let (number, what) = match (answer.rows, answer.states) {
        (Some(rows), _) => (rows, "rows"),
        (None, states) => (states.unwrap_or(0), "states"),
    };
    format!(
        "{}: {} {what}, {} in {}\n",
        answer.title,
        grouped(number.into()),
        bytes_text(answer.bytes),
        answer.out.as_deref().unwrap_or(Path::new("-")).display()
    )
}
