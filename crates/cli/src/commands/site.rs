//! `tilebase site`: the page as a static site.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};
use tilebase_schema::SiteAnswer;
use tilebase_serve::{Engine, SiteFile, site};
use tilebase_service::{TableCache, TableId};
use tilebase_solve::{SolveOptions, solve_in_memory};
use tilebase_table::Table;

use crate::destination::write_file;
use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;

/// The file that marks a directory as a site, and lists the site's files.
const LIST: &str = "site.json";

/// Games that are part of every site. A browser would take some seconds to solve them.
const GAMES: [&str; 2] = ["3x3-to-64-win", "3x3-to-128-win"];

/// Write the page as a static site, with the engine for the browser
#[derive(Args)]
#[command(after_help = "Examples:
  scripts/site public                                 builds the engine, and writes the site
  tilebase site --engine target/wasm/web --out public with the engine that scripts/wasm built
  tilebase site --out public --tables tables          with your own tables too

The directory can go to any static host, below any path. Files that are not the site's stay; a site
that is there is brought up to date. See docs/site.md.")]
pub struct Site {
    /// Directory for the site; new, empty, or one that holds a site
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Directory with tables that the site brings along, beside small ones of its own
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Directory with the engine that scripts/wasm built; needed unless it is part of the program
    #[arg(long, value_name = "DIR")]
    engine: Option<PathBuf>,
}

/// The files of a site in its directory.
#[derive(Default, Serialize, Deserialize)]
struct OwnFiles {
    version: String,
    files: BTreeSet<String>,
}

impl Site {
    /// Writes the site.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let engine = self.engine()?;
        let old = own_files(&self.out)?;
        let tables = self.tables()?;
        let files = site(engine, &tables).map_err(|error| Failure::Work(error.to_string()))?;
        for SiteFile { path, .. } in &files {
            if self.out.join(path).exists() && !old.files.contains(path) {
                return Err(Failure::Request(format!(
                    "{} exists and is not part of the site: move it, or use another directory",
                    self.out.join(path).display()
                )));
            }
        }
        self.write(&files, old)?;
        let answer = SiteAnswer {
            out: self.out.display().to_string(),
            files: files.len(),
            bytes: files.iter().map(|file| file.bytes.len()).sum(),
            tables: tables.iter().map(name).collect(),
        };
        output::print(json, &answer, text)
    }

    fn engine(&self) -> Result<Engine, Failure> {
        match &self.engine {
            Some(dir) => Engine::read(dir).map_err(|error| {
                Failure::Request(format!(
                    "there is no engine in {}: build it with scripts/wasm ({error})",
                    dir.display()
                ))
            }),
            None => Engine::embedded().ok_or_else(|| {
                Failure::Request(
                    "this program was built without the engine for the browser: give its \
                     directory with --engine, or use scripts/site, which builds it"
                        .to_owned(),
                )
            }),
        }
    }

    /// The given tables, and the games of every site.
    fn tables(&self) -> Result<Vec<Table>, Failure> {
        let mut tables = Vec::new();
        if let Some(dir) = &self.tables {
            let found = TableCache::find(dir).map_err(|error| {
                Failure::Request(format!("reading the tables in {}: {error}", dir.display()))
            })?;
            for table in found {
                tables.push(table.map_err(|error| Failure::Work(error.to_string()))?);
            }
        }
        let progress = ProgressLine::new();
        for game in GAMES {
            if tables.iter().any(|table| name(table) == game) {
                continue;
            }
            let Some(question) = TableId::parse(game) else {
                continue;
            };
            let (variant, objective) = (&question.variant, question.objective);
            let table = solve_in_memory(variant, objective, &SolveOptions::default(), &progress);
            tables.push(table.map_err(Failure::from)?);
        }
        Ok(tables)
    }

    /// Writes all files, each whole or not at all, and removes those of an older site.
    fn write(&self, files: &[SiteFile], old: OwnFiles) -> Result<(), Failure> {
        let new: BTreeSet<String> = files.iter().map(|file| file.path.clone()).collect();
        // The list comes first, so that an interrupted run can be repeated.
        self.list(old.files.union(&new).cloned().collect())?;
        for SiteFile { path, bytes } in files {
            self.put(path, bytes)?;
        }
        for path in old.files.difference(&new) {
            // A file that is gone already is fine.
            let _ = std::fs::remove_file(self.out.join(path));
        }
        self.list(new)
    }

    fn list(&self, files: BTreeSet<String>) -> Result<(), Failure> {
        let own = OwnFiles {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            files,
        };
        let text = serde_json::to_vec(&own).map_err(|error| Failure::work(LIST, error))?;
        self.put(LIST, &text)
    }

    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.out.join(path);
        let dir = path.parent().unwrap_or(&self.out);
        std::fs::create_dir_all(dir)
            .map_err(|error| Failure::work(&dir.display().to_string(), error))?;
        write_file(&path, bytes)
    }
}

/// The id of a table.
fn name(table: &Table) -> String {
    TableId::of_table(table).to_string()
}

/// The site's files in a directory, which must be new, empty or a site.
fn own_files(out: &Path) -> Result<OwnFiles, Failure> {
    let wrong = |what: String| Err(Failure::Request(format!("{}: {what}", out.display())));
    let mut entries = match std::fs::read_dir(out) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(OwnFiles::default());
        }
        Err(error) => return wrong(error.to_string()),
    };
    match std::fs::read(out.join(LIST)) {
        Ok(text) => match serde_json::from_slice::<OwnFiles>(&text) {
            Ok(own) if own.files.iter().all(|path| is_below(path)) => Ok(own),
            _ => wrong(format!("{LIST} is not the list of a site")),
        },
        Err(_) if entries.next().is_none() => Ok(OwnFiles::default()),
        Err(_) => wrong("the directory is not empty and not a site: use another one".to_owned()),
    }
}

/// Whether a path stays below the directory. The list may have been edited.
fn is_below(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    parts.all(|part| matches!(part, std::path::Component::Normal(_)))
}

fn text(answer: &SiteAnswer) -> String {
    format!(
        "{} files, {:.1} MB, with {} tables, in {}\n",
        answer.files,
        answer.bytes as f64 / 1e6,
        answer.tables.len(),
        answer.out
    )
}
