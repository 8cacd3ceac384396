//! The tables that can be asked: those found on disk at the start, and those solved here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilebase_solve::{SolveError, SolveOptions, estimate, solve, solve_in_memory};
use tilebase_table::{Content, MANIFEST, Table, TableError};
use tilebase_util::progress::Progress;

use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::scratch::{Files, Scratch};
use crate::service::Service;
use crate::table_id::TableId;

/// A table in use.
pub struct CachedTable {
    /// What it answers.
    pub question: TableId,
    /// The table.
    pub table: Table,
    /// Where its answers come from: `table` or `solved`.
    pub how: &'static str,
    /// Its temporary directory, removed with it, if it was solved here and is large.
    _files: Option<Files>,
}

/// A table that was found.
enum Found {
    Open(Arc<CachedTable>),
    /// It cannot be used; why is told to whoever started the server.
    Broken,
}

/// All tables, by id. Requests name ids, never files.
#[derive(Default)]
pub struct TableCache {
    found: BTreeMap<String, Found>,
    /// The one used last at the end.
    solved: Mutex<Vec<Arc<CachedTable>>>,
    /// CachedTable while a game is solved on the spot, so that two requests do not both do it.
    solving: Mutex<()>,
    scratch: Scratch,
}

/// Takes a lock. Nothing that is kept under one can be left half done by a panic.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TableCache {
    /// Finds the tables in a directory and in the directories in it. Returns what is wrong
    /// with some of them too.
    pub fn open(tables: Option<&Path>) -> std::io::Result<(TableCache, Vec<String>)> {
        let mut cache = TableCache::default();
        let mut notes = Vec::new();
        for dir in tables.map(table_dirs).transpose()?.unwrap_or_default() {
            match Table::open(&dir) {
                Ok(table) => cache.place(table),
                Err(error @ TableError::Incomplete(_)) => notes.push(error.to_string()),
                Err(error) => {
                    notes.push(error.to_string());
                    let name = dir.file_name().unwrap_or(dir.as_os_str());
                    let name = name.to_string_lossy().into_owned();
                    cache.found.entry(name).or_insert(Found::Broken);
                }
            }
        }
        Ok((cache, notes))
    }

    /// The tables in a directory and in the directories in it; those that are not finished
    /// are left out.
    pub fn find(dir: &Path) -> std::io::Result<Vec<Result<Table, TableError>>> {
        let tables = table_dirs(dir)?;
        let tables = tables.iter().map(|dir| Table::open(dir));
        Ok(tables
            .filter(|table| !matches!(table, Err(TableError::Incomplete(_))))
            .collect())
    }

    /// Of two tables with the same answers the one with values is kept.
    fn place(&mut self, table: Table) {
        let question = TableId::of_table(&table);
        let better = match self.found.get(&question.to_string()) {
            Some(Found::Open(cached)) => {
                cached.table.needs_values().is_err() && table.manifest().content == Content::Values
            }
            Some(Found::Broken) | None => true,
        };
        if better {
            let cached = Arc::new(CachedTable {
                question,
                table,
                how: "table",
                _files: None,
            });
            self.found.insert(question.to_string(), Found::Open(cached));
        }
    }

    /// The ids of tables that are damaged.
    pub fn damaged(&self) -> impl Iterator<Item = &str> {
        let found = self.found.iter();
        found.filter_map(|(id, found)| matches!(found, Found::Broken).then_some(id.as_str()))
    }

    /// All tables in use.
    pub fn tables(&self) -> Vec<Arc<CachedTable>> {
        let found = self.found.values().filter_map(|found| match found {
            Found::Open(cached) => Some(Arc::clone(cached)),
            Found::Broken => None,
        });
        let mut all: Vec<Arc<CachedTable>> = found.collect();
        all.extend(lock(&self.solved).iter().cloned());
        all
    }

    /// The table with an id, if there is one already.
    pub fn get(&self, id: &str) -> Result<Option<Arc<CachedTable>>, ApiError> {
        // An id may leave the objective out.
        let question = TableId::parse(id);
        let name = question.map_or_else(|| id.to_owned(), |question| question.to_string());
        match self.found.get(&name) {
            Some(Found::Open(cached)) => return Ok(Some(Arc::clone(cached))),
            Some(Found::Broken) => {
                return Err(ApiError::Damaged(format!(
                    "the table {name} is damaged: 'tilebase table verify' tells where"
                )));
            }
            None => {}
        }
        let mut solved = lock(&self.solved);
        let Some(at) = solved
            .iter()
            .position(|cached| Some(cached.question) == question)
        else {
            return Ok(None);
        };
        let cached = solved.remove(at);
        solved.push(Arc::clone(&cached));
        Ok(Some(cached))
    }

    /// Solves a game unless there is a table of it; small ones in memory, others on disk.
    pub fn solve(
        &self,
        question: TableId,
        progress: &dyn Progress,
    ) -> Result<Arc<CachedTable>, SolveError> {
        // Small games are asked for by many at once: the first solves, the others wait.
        let small = is_small(&question).unwrap_or(false);
        let _one = small.then(|| lock(&self.solving));
        if let Ok(Some(cached)) = self.get(&question.to_string()) {
            return Ok(cached);
        }
        let options = SolveOptions {
            threads: 0,
            memory: limits::JOB_MEMORY,
        };
        let (variant, objective) = (&question.variant, question.objective);
        let in_memory = estimate(variant, objective, 1)?.disk <= limits::IN_MEMORY;
        if in_memory {
            let table = solve_in_memory(variant, objective, &options, progress)?;
            return Ok(self.add(table, "solved", None));
        }
        let files = self.scratch.directory();
        let files = files.map_err(TableError::System)?;
        solve(variant, objective, files.path(), &options, progress)?;
        let table = Table::open(files.path())?;
        Ok(self.add(table, "solved", Some(files)))
    }

    /// Puts a table that was made elsewhere on the cache.
    pub fn adopt(&self, table: Table, how: &'static str) {
        self.add(table, how, None);
    }

    /// Keeps a table. The one that was not used for longest goes where there are too many.
    fn add(&self, table: Table, how: &'static str, files: Option<Files>) -> Arc<CachedTable> {
        let cached = Arc::new(CachedTable {
            question: TableId::of_table(&table),
            table,
            how,
            _files: files,
        });
        let mut solved = lock(&self.solved);
        solved.retain(|other| other.question != cached.question);
        solved.push(Arc::clone(&cached));
        let bytes = |solved: &[Arc<CachedTable>], in_memory: bool| -> u64 {
            let those = solved
                .iter()
                .filter(|cached| cached._files.is_none() || !in_memory);
            those.map(|cached| cached.table.manifest().bytes()).sum()
        };
        while solved.len() > 1
            && (solved.len() > limits::KEPT
                || bytes(&solved, false) > limits::KEPT_BYTES
                || bytes(&solved, true) > limits::KEPT_MEMORY)
        {
            solved.remove(0);
        }
        cached
    }
}

impl Service {
    /// The table with an id, solved now if there is none and the game is small.
    pub(crate) fn table(&self, id: &str) -> Result<Arc<CachedTable>, ApiError> {
        if let Some(cached) = self.cache.get(id)? {
            return Ok(cached);
        }
        let question = TableId::parse(id).ok_or_else(|| unknown(id))?;
        if !is_small(&question)? {
            return Err(ApiError::Missing(format!(
                "there is no table of {question}, and the game is too large to be solved on the \
                 spot: start a job, or make one with 'tilebase solve' and serve it with --tables"
            )));
        }
        let deadline = Deadline::new(limits::SPOT, &self.stop);
        let solved = self.cache.solve(question, &deadline);
        solved.map_err(|error| match error {
            SolveError::Interrupted => ApiError::Busy(format!(
                "{question} could not be solved in time: try again, or start a job"
            )),
            error => ApiError::from(error),
        })
    }
}

/// What an id that is none is told.
pub fn unknown(id: &str) -> ApiError {
    ApiError::Missing(format!(
        "there is no variant '{id}': see /api/v1/variants, or name one such as 3x3-to-256"
    ))
}

/// Whether a game is solved when it is asked for.
pub fn is_small(question: &TableId) -> Result<bool, ApiError> {
    let estimate = estimate(&question.variant, question.objective, 1)?;
    Ok(estimate.disk <= limits::SPOT_DISK)
}

/// The directories with a table: the one given, those in it, and those in these.
fn table_dirs(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut tables = Vec::new();
    let mut level = vec![root.to_owned()];
    // The one given must be there; what is in it may be closed to us.
    std::fs::read_dir(root)?;
    for _ in 0..3 {
        let (own, others): (Vec<PathBuf>, Vec<PathBuf>) = level
            .into_iter()
            .partition(|dir| dir.join(MANIFEST).is_file());
        tables.extend(own);
        let entries = others.iter().filter_map(|dir| std::fs::read_dir(dir).ok());
        let paths = entries.flatten().flatten().map(|entry| entry.path());
        level = paths.filter(|path| path.is_dir()).collect();
        level.sort();
    }
    Ok(tables)
}
