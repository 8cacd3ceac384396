//! The tables that can be asked: those found on disk, and those solved here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilebase_schema::Source;
use tilebase_solve::{SolveError, SolveOptions, estimate, solve, solve_in_memory};
use tilebase_table::{Content, Table, TableError, is_table};
use tilebase_util::progress::Progress;

use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::formations::is_solved_whole;
use crate::limits;
use crate::probed::ProbedTable;
use crate::scratch::{Files, Scratch};
use crate::service::Service;
use crate::table_id::TableId;

/// A table in use.
pub struct CachedTable {
    /// Its id.
    pub id: TableId,
    /// The table.
    pub table: Table,
    /// Where its values come from: a table made before, or solved here.
    pub source: Source,
    /// Its temporary directory if it was solved here and is large, removed with it.
    _files: Option<Files>,
}

impl CachedTable {
    /// Turns its probes into answers.
    pub fn probed(&self) -> ProbedTable<'_> {
        ProbedTable {
            table: &self.table,
            source: self.source,
        }
    }
}

/// A table on disk.
enum DiskTable {
    Open(Arc<CachedTable>),
    /// It cannot be used; whoever started the server has read why.
    Damaged,
}

/// All tables, by id. Requests name ids, never files.
#[derive(Default)]
pub struct TableCache {
    on_disk: BTreeMap<String, DiskTable>,
    /// Solved here, the one used last at the end.
    solved: Mutex<Vec<Arc<CachedTable>>>,
    /// Locked while a game is solved on demand, so that two requests do not both solve it.
    solving: Mutex<()>,
    /// The same for formations.
    solving_formation: Mutex<()>,
    scratch: Scratch,
}

/// Takes a lock. A panic leaves nothing half done under any of ours.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TableCache {
    /// Opens the tables in a directory and its subdirectories. The second value says what is
    /// wrong with those that cannot be used.
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
                    cache.on_disk.entry(name).or_insert(DiskTable::Damaged);
                }
            }
        }
        Ok((cache, notes))
    }

    /// Opens the tables in a directory and its subdirectories, except unfinished ones.
    pub fn find(dir: &Path) -> std::io::Result<Vec<Result<Table, TableError>>> {
        let tables = table_dirs(dir)?;
        let tables = tables.iter().map(|dir| Table::open(dir));
        Ok(tables
            .filter(|table| !matches!(table, Err(TableError::Incomplete(_))))
            .collect())
    }

    /// Adds a table. Of two with the same id, the one that knows more is kept.
    fn place(&mut self, table: Table) {
        let id = TableId::of_table(&table);
        if table.manifest().content == Content::BestPlay && is_small(&id).unwrap_or(false) {
            // All positions of a small game can be known, not only some.
            return;
        }
        let better = match self.on_disk.get(&id.to_string()) {
            Some(DiskTable::Open(cached)) => {
                let rank = |table: &Table| match table.manifest().content {
                    Content::Moves => 0,
                    Content::BestPlay => 1,
                    Content::Rounded => 2,
                    Content::Values => 3,
                };
                rank(&table) > rank(&cached.table)
            }
            Some(DiskTable::Damaged) | None => true,
        };
        if better {
            let cached = Arc::new(CachedTable {
                id,
                table,
                source: Source::Table,
                _files: None,
            });
            self.on_disk.insert(id.to_string(), DiskTable::Open(cached));
        }
    }

    /// Names of tables that are damaged.
    pub fn damaged(&self) -> impl Iterator<Item = &str> {
        let tables = self.on_disk.iter();
        tables.filter_map(|(id, table)| matches!(table, DiskTable::Damaged).then_some(id.as_str()))
    }

    /// All tables in use.
    pub fn tables(&self) -> Vec<Arc<CachedTable>> {
        let on_disk = self.on_disk.values().filter_map(|table| match table {
            DiskTable::Open(cached) => Some(Arc::clone(cached)),
            DiskTable::Damaged => None,
        });
        let mut all: Vec<Arc<CachedTable>> = on_disk.collect();
        all.extend(lock(&self.solved).iter().cloned());
        all
    }

    /// The table with an id, if there is one already.
    pub fn get(&self, id: &str) -> Result<Option<Arc<CachedTable>>, ApiError> {
        // An id may leave the objective out.
        let parsed = TableId::parse(id);
        let name = parsed.map_or_else(|| id.to_owned(), |id| id.to_string());
        match self.on_disk.get(&name) {
            Some(DiskTable::Open(cached)) => return Ok(Some(Arc::clone(cached))),
            Some(DiskTable::Damaged) => {
                return Err(ApiError::Damaged(format!("the table {name} is damaged")));
            }
            None => {}
        }
        let mut solved = lock(&self.solved);
        let Some(at) = solved.iter().position(|cached| Some(cached.id) == parsed) else {
            return Ok(None);
        };
        let cached = solved.remove(at);
        solved.push(Arc::clone(&cached));
        Ok(Some(cached))
    }

    /// Solves a game unless there is a table of it. Small tables stay in memory, others go to
    /// disk.
    pub fn solve(
        &self,
        id: TableId,
        progress: &dyn Progress,
    ) -> Result<Arc<CachedTable>, SolveError> {
        // Several requests may need the same small game: the first solves it, the others wait.
        // A formation takes seconds, which other small games must not wait for.
        let turn = match is_solved_whole(&id) {
            true => &self.solving_formation,
            false => &self.solving,
        };
        let small = is_small(&id).unwrap_or(false);
        let _one = small.then(|| lock(turn));
        if let Ok(Some(cached)) = self.get(&id.to_string()) {
            return Ok(cached);
        }
        let options = SolveOptions {
            threads: 0,
            memory: limits::JOB_MEMORY,
            rounded: false,
        };
        let (variant, objective) = (&id.variant, id.objective);
        let in_memory = estimate(variant, objective, 1, false)?.disk <= limits::IN_MEMORY;
        if in_memory {
            let table = solve_in_memory(variant, objective, &options, progress)?;
            return Ok(self.add(table, Source::Exact, None));
        }
        let files = self.scratch.directory();
        let files = files.map_err(TableError::System)?;
        solve(variant, objective, files.path(), &options, progress)?;
        let table = Table::open(files.path())?;
        Ok(self.add(table, Source::Exact, Some(files)))
    }

    /// Adds a table that was made elsewhere.
    pub fn adopt(&self, table: Table, source: Source) {
        self.add(table, source, None);
    }

    /// Adds a table, and drops those not used for longest while the cache is too large.
    fn add(&self, table: Table, source: Source, files: Option<Files>) -> Arc<CachedTable> {
        let cached = Arc::new(CachedTable {
            id: TableId::of_table(&table),
            table,
            source,
            _files: files,
        });
        let mut solved = lock(&self.solved);
        solved.retain(|other| other.id != cached.id);
        solved.push(Arc::clone(&cached));
        let bytes = |solved: &[Arc<CachedTable>], in_memory: bool| -> u64 {
            let those = solved
                .iter()
                .filter(|cached| cached._files.is_none() || !in_memory);
            those.map(|cached| cached.table.manifest().bytes()).sum()
        };
        while solved.len() > 1
            && (solved.len() > limits::CACHED_TABLES
                || bytes(&solved, false) > limits::CACHED_BYTES
                || bytes(&solved, true) > limits::CACHED_MEMORY)
        {
            solved.remove(0);
        }
        cached
    }
}

impl Service {
    /// The table with an id. If there is none and the game is small, it is solved now.
    pub(crate) fn table(&self, id: &str) -> Result<Arc<CachedTable>, ApiError> {
        if let Some(cached) = self.cache.get(id)? {
            return Ok(cached);
        }
        let id = TableId::parse(id).ok_or_else(|| no_such_variant(id))?;
        if !is_small(&id)? {
            return Err(too_large(&id));
        }
        let deadline = Deadline::new(limits::ON_DEMAND_TIME, &self.stop);
        let solved = self.cache.solve(id, &deadline);
        solved.map_err(|error| match error {
            SolveError::Interrupted => ApiError::Busy(format!(
                "{id} could not be solved in time: try again, or start a job"
            )),
            error => ApiError::from(error),
        })
    }
}

/// The error for an id that names no game.
pub fn no_such_variant(id: &str) -> ApiError {
    ApiError::Missing(format!(
        "there is no variant '{id}': see /api/v1/variants, or use one such as 3x3-to-256"
    ))
}

/// The error for a game without a table that is not solved on demand.
pub fn too_large(id: &TableId) -> ApiError {
    ApiError::Missing(format!(
        "there is no table of {id}, and the game is too large to be solved on demand: start a job \
         that solves it"
    ))
}

/// Whether a game is solved on demand.
pub fn is_small(id: &TableId) -> Result<bool, ApiError> {
    if is_solved_whole(id) {
        return Ok(true);
    }
    let estimate = estimate(&id.variant, id.objective, 1, false)?;
    Ok(estimate.disk <= limits::ON_DEMAND_DISK)
}

/// The directories with a table: the given one, its subdirectories, and theirs.
fn table_dirs(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut tables = Vec::new();
    let mut level = vec![root.to_owned()];
    // The given one must be readable; those in it need not be.
    std::fs::read_dir(root)?;
    for _ in 0..3 {
        let (own, others): (Vec<PathBuf>, Vec<PathBuf>) =
            level.into_iter().partition(|dir| is_table(dir));
        tables.extend(own);
        let entries = others.iter().filter_map(|dir| std::fs::read_dir(dir).ok());
        let paths = entries.flatten().flatten().map(|entry| entry.path());
        level = paths.filter(|path| path.is_dir()).collect();
        level.sort();
    }
    Ok(tables)
}
