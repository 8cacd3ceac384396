//! Tables with rounded values, and tables of what best play meets, against full tables.

use std::collections::BTreeSet;

use crate::common::{files, scratch, states};
use tilebase_game::{Board, Variant};
use tilebase_solve::{SolveError, SolveOptions, follow, keep_best_play, solve, solve_in_memory};
use tilebase_table::{Category, Objective, Status, Table, TableError, verify};
use tilebase_util::progress::{Silent, StopAfter};

const GAMES: [(&str, Objective); 7] = [
    ("2x3-to-64", Objective::Win),
    ("3x3-to-64", Objective::Win),
    ("2x3", Objective::Score),
    ("3x3-to-32-formation-free6", Objective::Win),
    ("3x3-to-32-walls-2-keep-ff", Objective::Win),
    ("3x3-to-64-walls-2-keep-ff", Objective::Score),
    ("3x4-to-32-walls-5-keep-ff0fff-goal-f0000", Objective::Win),
];

const ROUNDED: SolveOptions = SolveOptions {
    threads: 0,
    memory: u64::MAX,
    rounded: true,
};

fn full(variant: &Variant, objective: Objective) -> Table {
    solve_in_memory(variant, objective, &SolveOptions::default(), &Silent).unwrap()
}

/// The error that a rounded value may have.
fn allowed(objective: Objective, value: f64) -> f64 {
    match objective {
        Objective::Win => value.min(1.0 - value) / 4096.0 + 2f64.powi(-26) + 1e-12,
        _ => value / 1024.0 + 2f64.powi(-17),
    }
}

#[test]
fn every_value_is_within_the_stated_error() {
    for (name, objective) in GAMES {
        let variant: Variant = name.parse().unwrap();
        let full = full(&variant, objective);
        let rounded = solve_in_memory(&variant, objective, &ROUNDED, &Silent).unwrap();
        assert!(
            rounded.manifest().bytes() < full.manifest().bytes(),
            "{name}"
        );
        assert_eq!(rounded.manifest().states(), full.manifest().states());
        let start = |table: &Table| table.manifest().start.unwrap().value.unwrap();
        assert!((start(&full) - start(&rounded)).abs() < 1e-9, "{name}");
        let mut left_out = 0;
        for board in states(&full) {
            let (expected, found) = (full.probe(board).unwrap(), rounded.probe(board).unwrap());
            assert_eq!(found.status, Status::Live, "{name} {board:?}");
            let (value, near) = (expected.value.unwrap(), found.value.unwrap());
            let error = (value.value.unwrap() - near.value.unwrap()).abs();
            assert!(
                error <= allowed(objective, value.value.unwrap()),
                "{name} {board:?} {error}"
            );
            assert_eq!(value.category, near.category, "{name} {board:?}");
            // The move that seems best is at most as bad as the tolerance for ties and two errors.
            let mut moves = expected.moves.iter();
            let played = moves.find(|m| m.direction == found.moves[0].direction);
            let loss = played.unwrap().loss.unwrap();
            let most = 4.0 * allowed(objective, value.value.unwrap());
            assert!(loss <= most, "{name} {board:?} {loss}");
            left_out += usize::from(
                rounded
                    .manifest()
                    .content
                    .leaves_out(full.rules().sum(board)),
            );
        }
        assert!(left_out > 0, "{name}");
    }
}

#[test]
fn rounded_tables_are_the_same_after_an_interruption_and_verified() {
    let variant: Variant = "3x3-to-64-walls-2-keep-ff".parse().unwrap();
    let dir = scratch();
    let (once, again) = (dir.path().join("once"), dir.path().join("again"));
    solve(&variant, Objective::Win, &once, &ROUNDED, &Silent).unwrap();
    for steps in [3, 30, 70] {
        let stop = StopAfter::new(steps);
        let stopped = solve(&variant, Objective::Win, &again, &ROUNDED, &stop);
        assert!(matches!(stopped, Err(SolveError::Interrupted)), "{steps}");
    }
    solve(&variant, Objective::Win, &again, &ROUNDED, &Silent).unwrap();
    assert!(files(&once) == files(&again));
    assert!(verify(&once, &Silent).unwrap().is_ok());
    // A flipped bit is found, by a check and by a probe.
    let layer = std::fs::read_dir(&once)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let layer = layer.filter(|path| path.extension().is_some_and(|e| e == "table"));
    let largest = layer
        .max_by_key(|path| path.metadata().unwrap().len())
        .unwrap();
    let mut bytes = std::fs::read(&largest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&largest, bytes).unwrap();
    assert!(!verify(&once, &Silent).unwrap().is_ok());
    // Another kind of table does not go there.
    let other = solve(
        &variant,
        Objective::Win,
        &again,
        &SolveOptions::default(),
        &Silent,
    );
    assert!(matches!(
        other,
        Err(SolveError::Table(TableError::Other { .. }))
    ));
}

#[test]
fn what_needs_all_values_says_so() {
    let variant: Variant = "2x3-to-32".parse().unwrap();
    let rounded = solve_in_memory(&variant, Objective::Win, &ROUNDED, &Silent).unwrap();
    assert!(matches!(
        rounded.needs_values(),
        Err(TableError::Rounded(_))
    ));
    let moves = solve_in_memory(&variant, Objective::Moves, &ROUNDED, &Silent);
    let refused = matches!(
        moves,
        Err(SolveError::Table(TableError::NotRounded("moves")))
    );
    assert!(refused);
    // A packed table is the same.
    let copy = Table::from_bytes(&rounded.to_bytes().unwrap()).unwrap();
    let board = Board::parse("2,2,4/.,.,8", variant.shape()).unwrap();
    assert_eq!(copy.probe(board).unwrap(), rounded.probe(board).unwrap());
}

#[test]
fn best_play_keeps_what_following_it_visits() {
    for (name, objective) in GAMES {
        let variant: Variant = name.parse().unwrap();
        let full = full(&variant, objective);
        let mut visited: BTreeSet<Board> = BTreeSet::new();
        follow(&full, None, &Silent, &mut |visit| {
            visited.insert(full.index().canonical(visit.board));
        })
        .unwrap();
        let dir = scratch();
        let kept = keep_best_play(&full, &[], dir.path(), 0, &Silent).unwrap();
        assert_eq!(kept.states(), visited.len() as u64, "{name}");
        let best = Table::open(dir.path()).unwrap();
        assert!(verify(dir.path(), &Silent).unwrap().is_ok());
        for board in states(&full) {
            let (expected, found) = (full.probe(board).unwrap(), best.probe(board).unwrap());
            let met = visited.contains(&full.index().canonical(board));
            assert_eq!(found.value.is_some(), met, "{name} {board:?}");
            let Some(near) = found.value else { continue };
            let value = expected.value.unwrap().value.unwrap();
            assert!(
                (near.value.unwrap() - value).abs() <= allowed(objective, value),
                "{name}"
            );
            let sure = |category| category == Category::SureWin;
            assert_eq!(sure(near.category), sure(expected.value.unwrap().category));
            let first = found.moves[0];
            assert!(
                first.best && expected.best().contains(first.direction),
                "{name} {board:?}"
            );
        }
    }
}

#[test]
fn best_play_can_begin_anywhere() {
    let variant: Variant = "3x3-to-64-walls-2-keep-ff".parse().unwrap();
    let full = full(&variant, Objective::Win);
    let all = states(&full);
    let board = all[all.len() / 2];
    let dir = scratch();
    let kept = keep_best_play(&full, &[board], dir.path(), 0, &Silent).unwrap();
    let value = full.probe(board).unwrap().value.unwrap().value;
    assert_eq!(kept.start.unwrap().value, value);
    assert!(kept.states() > 0 && kept.states() < full.manifest().states());
    let never = variant.parse_board("32,32,32/32,32,32/#,32,#").unwrap();
    let other = scratch();
    let refused = keep_best_play(&full, &[never], other.path(), 0, &Silent);
    assert!(matches!(refused, Err(SolveError::Start(_))));
}

#[test]
fn a_file_that_is_lost_is_made_again() {
    let variant: Variant = "2x3-to-64".parse().unwrap();
    let (dir, source) = (scratch(), full(&variant, Objective::Win));
    let (rounded, best) = (dir.path().join("rounded"), dir.path().join("best"));
    let make = || {
        solve(&variant, Objective::Win, &rounded, &ROUNDED, &Silent).unwrap();
        keep_best_play(&source, &[], &best, 0, &Silent).unwrap();
        (files(&rounded), files(&best))
    };
    let once = make();
    for table in [&rounded, &best] {
        std::fs::remove_file(table.join("layer-000044.table")).unwrap();
    }
    assert!(make() == once);
}

#[test]
fn lost_starts_count() {
    for name in ["2x2-to-8-walls-2-keep-ff", "2x2-to-8-walls-2-keep-f00f"] {
        let variant: Variant = name.parse().unwrap();
        let rounded = solve_in_memory(&variant, Objective::Win, &ROUNDED, &Silent).unwrap();
        let (expected, found) = (full(&variant, Objective::Win), rounded.manifest().start);
        assert_eq!(found, expected.manifest().start, "{name}");
    }
}
