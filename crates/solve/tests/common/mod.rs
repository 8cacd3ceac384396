//! Tables of small games, for the tests.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

pub mod cut;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;

use tempfile::TempDir;
use tilebase_game::{Board, Rng, Rules, Variant};
use tilebase_solve::{SolveOptions, solve};
use tilebase_table::{Objective, Table, Value};
use tilebase_util::progress::Silent;

/// One of each kind of objective.
pub const EACH_OBJECTIVE: [Objective; 5] = [
    Objective::Win,
    Objective::Discounted(0.9),
    Objective::Score,
    Objective::Survival,
    Objective::Moves,
];

/// A directory in memory where the system has one: many small tables are made here, and
/// making each of them safe on a disk would take most of the time.
pub fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir()
        && let Ok(dir) = tempfile::tempdir_in(memory)
    {
        return dir;
    }
    tempfile::tempdir().unwrap()
}

/// A table whose files go away with this.
pub struct Solved {
    table: Table,
    dir: TempDir,
}

impl Solved {
    /// The table and the directory that must outlive it.
    pub fn into_parts(self) -> (Table, TempDir) {
        (self.table, self.dir)
    }
}

impl Deref for Solved {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

/// Solves a game.
pub fn solved(variant: &Variant, objective: Objective) -> Solved {
    let dir = scratch();
    let options = SolveOptions::default();
    solve(variant, objective, dir.path(), &options, &Silent)
        .unwrap_or_else(|error| panic!("{variant} {objective}: {error}"));
    Solved {
        table: Table::open(dir.path()).unwrap(),
        dir,
    }
}

/// Solves a game by its name.
pub fn named(name: &str, objective: Objective) -> Solved {
    solved(&name.parse().unwrap(), objective)
}

/// The value that a table gives a live, won or lost board.
pub fn value(table: &Table, board: Board) -> Value {
    let answer = table.probe(board).unwrap();
    answer
        .value
        .unwrap_or_else(|| panic!("{board:?} is {:?}", answer.status))
}

/// The number of a value.
pub fn number(value: Value) -> f64 {
    value.value.unwrap()
}

/// All live states of a table, as the user knows them, one for each class.
pub fn states(table: &Table) -> Vec<Board> {
    let mut boards = Vec::new();
    for entry in table.layers() {
        let sets = table.sets(entry.sum).unwrap().unwrap();
        let before = boards.len();
        boards.extend(sets.states.iter());
        assert_eq!((boards.len() - before) as u64, entry.states);
    }
    boards
}

/// One of the images of a board.
pub fn any_image(rules: &Rules, board: Board, rng: &mut Rng) -> Board {
    let images: Vec<Board> = rules.images(board).collect();
    images[rng.below(images.len() as u32) as usize]
}

/// The files of a directory and its subdirectories.
pub fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            for (inner, bytes) in files(&entry.path()) {
                found.insert(format!("{name}/{inner}"), bytes);
            }
        } else {
            found.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

/// Whether two numbers agree to within a fraction of them.
pub fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs())
}
