//! Several processes solve as one does: their shards make up the same table, bit by bit.

use std::path::{Path, PathBuf};

use tempfile::tempdir;
use tilebase_cluster::{Cluster, Hosts, Secret};
use tilebase_game::{Objective, Variant};
use tilebase_solve::{SolveError, SolveOptions, solve, solve_together};
use tilebase_table::{
    Manifest, Shard, StoredValue, Table, TableWriter, shard_dir, with_value_type,
};
use tilebase_util::progress::{Progress, Silent, StopAfter};

/// Solves with several processes in one directory.
fn solve_by(
    processes: usize,
    variant: &Variant,
    objective: Objective,
    dir: &Path,
    rounded: bool,
    progress: &dyn Progress,
) -> Vec<Result<Manifest, SolveError>> {
    let hosts = Hosts::on_this_machine(processes).unwrap();
    let secret = Secret::random().unwrap();
    let options = SolveOptions {
        threads: 1,
        rounded,
        ..SolveOptions::default()
    };
    let one = |process: usize| {
        let cluster = Cluster::connect(&hosts, process, &secret, "test").unwrap();
        let solved = solve_together(&cluster, variant, objective, dir, &options, progress);
        match &solved {
            Ok(_) => cluster.close().unwrap(),
            Err(error) => cluster.stop(&error.to_string()),
        }
        solved
    };
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..processes)
            .map(|process| scope.spawn(move || one(process)))
            .collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

/// Compares the boards and the values of all layers.
fn compare<V: StoredValue>(found: &Table, expected: &Table, name: &str) {
    let sums = |table: &Table| table.layers().map(|layer| layer.sum).collect::<Vec<_>>();
    assert_eq!(sums(found), sums(expected), "{name}");
    for sum in sums(expected) {
        let boards = |table: &Table| {
            let sets = table.sets(sum).unwrap();
            sets.map(|sets| {
                let list = |set: &tilebase_index::BoardSet| set.iter().collect::<Vec<_>>();
                [list(&sets.states), list(&sets.afterstates)]
            })
        };
        assert_eq!(boards(found), boards(expected), "{name} {sum}");
        if expected.needs_values().is_ok() {
            let values = |table: &Table| table.values::<V>(sum).unwrap();
            assert_eq!(values(found), values(expected), "{name} {sum}");
        }
    }
    assert_eq!(found.manifest().start, expected.manifest().start, "{name}");
    assert_eq!(found.manifest().states(), expected.manifest().states());
}

#[test]
fn shards_make_up_the_table_of_one_process() {
    for (name, objective, rounded) in [
        ("2x2-to-32", Objective::Win, false),
        ("2x3", Objective::Score, false),
        ("3x2-to-32", Objective::Moves, false),
        ("3x3-to-32", Objective::Win, false),
        ("3x3-to-32", Objective::Win, true),
        (
            "3x3-to-16-spawn-2:1-start-1",
            Objective::Discounted(0.9),
            false,
        ),
        ("4x4-to-8", Objective::Score, false),
        ("3x3-to-16-formation-free6", Objective::Win, false),
        (
            "3x3-to-16-walls-3-keep-f0f000000-goal-ffffff",
            Objective::Win,
            false,
        ),
    ] {
        let variant: Variant = name.parse().unwrap();
        let whole = tempdir().unwrap();
        let options = SolveOptions {
            rounded,
            ..SolveOptions::default()
        };
        solve(&variant, objective, whole.path(), &options, &Silent).unwrap();
        let whole = Table::open(whole.path()).unwrap();
        for processes in [1, 2, 3, 4, 8] {
            let dir = tempdir().unwrap();
            for solved in solve_by(processes, &variant, objective, dir.path(), rounded, &Silent) {
                assert!(solved.unwrap().complete);
            }
            let table = Table::open(dir.path()).unwrap();
            let name = format!("{name} by {processes}");
            with_value_type!(objective, V => compare::<V>(&table, &whole, &name));
        }
    }
}

#[test]
fn interrupted_processes_go_on_together() {
    let variant: Variant = "3x3-to-32".parse().unwrap();
    let whole = tempdir().unwrap();
    let options = SolveOptions::default();
    solve(&variant, Objective::Win, whole.path(), &options, &Silent).unwrap();
    let whole = Table::open(whole.path()).unwrap();
    let dir = tempdir().unwrap();
    let mut interrupted = 0;
    for times in 0.. {
        // All processes ask the same one: it stops each at another moment.
        let progress = StopAfter::new(40 + 17 * times);
        let solved = solve_by(3, &variant, Objective::Win, dir.path(), false, &progress);
        if solved.iter().all(Result::is_ok) {
            break;
        }
        interrupted += 1;
    }
    assert!(interrupted > 3, "{interrupted}");
    let table = Table::open(dir.path()).unwrap();
    compare::<tilebase_table::Probability>(&table, &whole, "resumed");
    // No leftovers.
    for process in 0..3 {
        assert!(!shard(dir.path(), process).join("states").exists());
    }
}

/// The directory of a shard of three.
fn shard(dir: &Path, process: u32) -> PathBuf {
    let processes = 3;
    shard_dir(dir, Shard { process, processes })
}

/// A process can be killed when others have finished already.
#[test]
fn finished_processes_go_on_with_one_that_has_not() {
    let variant: Variant = "2x3-to-32".parse().unwrap();
    let dir = tempdir().unwrap();
    let run = || {
        for solved in solve_by(3, &variant, Objective::Win, dir.path(), false, &Silent) {
            assert!(solved.unwrap().complete);
        }
        Table::open(dir.path()).unwrap()
    };
    let expected = run();
    for (process, below) in [(1, 0), (0, 30), (2, u32::MAX)] {
        let shard_dir = shard(dir.path(), process);
        let processes = 3;
        let manifest = Manifest::new(&variant, Objective::Win, expected.manifest().content);
        let manifest = manifest.of_shard(Shard { process, processes });
        let mut writer = TableWriter::open(&shard_dir, manifest).unwrap();
        writer.drop_below(below).unwrap();
        assert!(!writer.manifest().complete);
        drop(writer);
        std::fs::create_dir_all(shard(dir.path(), 1).join("states")).unwrap();
        compare::<tilebase_table::Probability>(&run(), &expected, "finished");
        assert!(!shard(dir.path(), 1).join("states").exists());
    }
}
