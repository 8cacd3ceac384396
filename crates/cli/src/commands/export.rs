//! `tilebase export`: a table for other programs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tilebase_export::{model, policy, write_csv, write_parquet};
use tilebase_model::{
    Drawing, Grouping, Model, Reduction, StateId, Ties, write_dot, write_drn, write_svg,
};
use tilebase_table::Table;
use tilebase_util::bytes_text;

use super::probe::open;
use crate::arguments::{ThreadOptions, whole};
use crate::destination::{deliver, failure};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// More states than this make no picture that anybody reads.
const DRAWN: usize = 2000;
/// More states than this take gigabytes as a model.
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

Parquet and CSV have a row for each live state: its board, its value, and what each move is
worth. docs/export.md describes the columns.")]
pub struct Export {
    /// Directory of the table
    table: PathBuf,

    /// What to write
    #[arg(long, value_enum)]
    format: Format,

    /// File to write; stdout if not given, but for Parquet
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// How much symmetry a model or a drawing uses (drn, dot, svg); actions if not given
    #[arg(long, value_enum)]
    reduce: Option<Reduce>,

    /// Draw best moves only, and values (dot, svg)
    #[arg(long)]
    policy: bool,

    /// Draw all best moves where there are several, not the first alone
    #[arg(long, requires = "policy")]
    ties: bool,

    /// How drawn states are put together (dot, svg); layer if not given
    #[arg(long, value_enum)]
    group: Option<Group>,

    /// Most states of a model or a drawing; 4000000 (drn) or 2000 (dot, svg) if not given
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    limit: Option<u64>,

    #[command(flatten)]
    threads: ThreadOptions,
}

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A row for each live state, for programs that work with data
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

/// How much symmetry is used.
#[derive(Clone, Copy, ValueEnum)]
enum Reduce {
    /// Every board is a state
    None,
    /// Boards that are images of each other are one state
    States,
    /// And moves to images of each other are one action
    Actions,
}

/// How drawn states are put together.
#[derive(Clone, Copy, ValueEnum)]
enum Group {
    /// A column for each tile sum
    Layer,
    /// And in it a box for each largest tile
    Largest,
}

#[derive(Serialize)]
struct Answer {
    table: PathBuf,
    title: String,
    format: &'static str,
    out: Option<PathBuf>,
    /// Rows of Parquet and CSV.
    rows: Option<u64>,
    /// Live states of the model that was written or drawn.
    states: Option<u64>,
    bytes: u64,
    seconds: f64,
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::Drn => "drn",
            Format::Dot => "dot",
            Format::Svg => "svg",
        }
    }
}

impl Export {
    /// Writes the table, and prints what was written if that went to a file.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        self.check(json)?;
        let begin = Instant::now();
        let table = open(&self.table)?;
        let mut answer = Answer {
            table: self.table.clone(),
            title: table.manifest().title(),
            format: self.format.name(),
            out: self.out.clone(),
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
        match self.out {
            Some(_) => output::print(json, &answer, Answer::text),
            None => Ok(()),
        }
    }

    /// Whether the options go together.
    fn check(&self, json: bool) -> Result<(), Failure> {
        let format = self.format.name();
        let drawn = matches!(self.format, Format::Dot | Format::Svg);
        let modelled = drawn || self.format == Format::Drn;
        let wrong = |option: &str, with: &str| {
            let text = format!("{option} goes with --format {with}, not {format}: leave it out");
            Err(Failure::Request(text))
        };
        match self.out.as_deref() {
            None if self.format == Format::Parquet => {
                return Err(Failure::request(
                    "parquet is not for the terminal: say where to write it with --out FILE",
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
        // A table that has none is told before a file is begun.
        table.needs_values().map_err(super::probe::failure)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.number())
            .build()
            .map_err(|error| Failure::work("starting threads", error))?;
        let progress = ProgressLine::new();
        let mut rows = 0;
        let bytes = deliver(self.out.as_deref(), |out| {
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
        deliver(self.out.as_deref(), |out| {
            match self.format {
                Format::Svg => write_svg(model, &drawing, out)?,
                Format::Dot => write_dot(model, &drawing, out)?,
                _ => write_drn(model, out)?,
            }
            Ok(())
        })
    }
}

impl Answer {
    fn text(&self) -> String {
        let (number, what) = match (self.rows, self.states) {
            (Some(rows), _) => (rows, "rows"),
            (None, states) => (states.unwrap_or(0), "states"),
        };
        format!(
            "{}: {} {what}, {} in {}\n",
            self.title,
            grouped(number.into()),
            bytes_text(self.bytes),
            self.out.as_deref().unwrap_or(Path::new("-")).display()
        )
    }
}
