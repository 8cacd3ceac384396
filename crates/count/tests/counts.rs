//! Counts against published values, a plain walk, and themselves.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod walk;

use std::collections::{BTreeMap, HashSet};

use tilebase_count::{Count, CountError, CountOptions, CountPlan, bounds, count, count_layers};
use tilebase_game::{Board, Representative, Rules, Shape, Spawn, Variant};
use tilebase_index::largest_exponent;
use tilebase_util::progress::Silent;
use walk::{Plain, walk};

fn variant(name: &str) -> Variant {
    name.parse().unwrap()
}

fn counted(name: &str, options: &CountOptions) -> Count {
    count(&variant(name), options, None, &Silent).unwrap()
}

fn plain(count: &Count) -> BTreeMap<u32, Plain> {
    let layer = |layer: &tilebase_index::LayerCount| {
        let plain = Plain {
            states: layer.states.iter().sum(),
            lost: layer.lost.iter().sum(),
            afterstates: layer.afterstates,
        };
        (layer.sum, plain)
    };
    count.layers.iter().map(layer).collect()
}

/// tests/data/counts.csv, up to 26 million states; the rest are long runs.
#[test]
fn published_counts() {
    let text = include_str!("../../../tests/data/counts.csv");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, live) = line.split_once(',').unwrap();
        let live: u64 = live.parse().unwrap();
        if live < 26_000_000 {
            assert_eq!(
                counted(name, &CountOptions::default()).states(),
                live,
                "{name}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 11);
}

/// 4x4 to 32: `cargo test --release -p tilebase-count -- --ignored four_by_four_to_32`.
#[test]
#[ignore = "takes a minute in a release build"]
fn four_by_four_to_32() {
    let found = counted("4x4-to-32", &CountOptions::default());
    assert_eq!(
        (found.states(), found.afterstates()),
        (1_566_798_892, 437_449_227)
    );
}

#[test]
fn first_layers() {
    for (name, expected) in [
        ("3x3-to-512", &[8, 22, 43, 79, 143][..]),
        ("4x4-to-16", &[21, 68, 170, 386][..]),
    ] {
        let found = plain(&counted(name, &CountOptions::default()));
        let states: Vec<u64> = found
            .values()
            .take(expected.len())
            .map(|l| l.states)
            .collect();
        assert_eq!(states, expected, "{name}");
    }
}

/// Every layer of every shape with at most 9 cells, and larger ones with small targets.
#[test]
fn a_plain_walk_agrees() {
    let mut names: Vec<String> = Vec::new();
    for (rows, cols) in [
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 1),
        (3, 1),
        (4, 1),
        (2, 2),
        (2, 3),
        (3, 2),
    ] {
        names.push(format!("{rows}x{cols}"));
        for target in [8, 16, 32] {
            if largest_exponent(Shape::new(rows, cols).unwrap(), Spawn::STANDARD) >= 5 {
                names.push(format!("{rows}x{cols}-to-{target}"));
            }
        }
    }
    for name in [
        "1x1-start-1",
        "2x4-to-32",
        "4x2-to-32",
        "3x3-to-16",
        "3x3-to-32",
        "4x3-to-8",
        "3x4-to-8",
        "4x4-to-8",
        // Other spawns and starts.
        "2x2-spawn-2:1",
        "2x2-spawn-4:1",
        "2x3-spawn-2:1",
        "3x2-spawn-4:1",
        "2x3-spawn-4:1-start-1",
        "3x3-to-32-spawn-2:1",
        "3x3-to-32-spawn-4:1",
        "3x3-to-16-spawn-2:0.5,4:0.5-start-5",
        "2x2-start-4",
        "2x3-to-32-start-6",
        "3x3-to-16-start-9",
        "3x3-to-16-start-1",
        "4x3-to-8-spawn-2:1-start-3",
        "4x4-to-8-spawn-4:1",
        "4x4-to-8-spawn-2:1-start-1",
        "3x4-to-16-spawn-4:1",
    ] {
        names.push(name.to_owned());
    }
    for name in names {
        assert_eq!(
            plain(&counted(&name, &CountOptions::default())),
            walk(&variant(&name)),
            "{name}"
        );
    }
}

/// The same walk on packed boards, for games with millions of states.
#[test]
fn a_packed_walk_agrees() {
    for name in [
        "3x4-to-32",
        "2x4",
        "4x2-to-128",
        "3x3-to-64",
        "4x2-spawn-4:1-start-3",
    ] {
        let found = plain(&counted(name, &CountOptions::default()));
        assert_eq!(found, packed_walk(&variant(name)), "{name}");
    }
}

/// Walks with hash sets of the smallest images of packed boards, one of states for each sum: what
/// is passed is forgotten, and small sets are fast ones.
fn packed_walk(variant: &Variant) -> BTreeMap<u32, Plain> {
    let rules = Rules::new(variant.shape()).unwrap();
    let of = Representative::Smallest;
    let starts = rules.start_states(variant.spawn(), variant.start_tiles(), of);
    let mut open: BTreeMap<u32, HashSet<Board>> = BTreeMap::new();
    for (board, _) in starts {
        open.entry(board.sum()).or_default().insert(board);
    }
    let mut found: BTreeMap<u32, Plain> = BTreeMap::new();
    // A slide keeps the sum, and a spawn adds to it.
    while let Some((sum, states)) = open.pop_first() {
        let layer = found.entry(sum).or_default();
        let mut afterstates: HashSet<Board> = HashSet::new();
        for state in states {
            if rules.is_lost(state) {
                layer.lost += 1;
                continue;
            }
            layer.states += 1;
            for after in rules.afterstates(state, of).iter() {
                let won = variant
                    .target()
                    .is_some_and(|target| after.board.reaches(target));
                if won || !afterstates.insert(after.board) {
                    continue;
                }
                layer.afterstates += 1;
                for outcome in rules.spawns(after.board, variant.spawn()) {
                    let next = rules.smallest(outcome.board);
                    open.entry(next.sum()).or_default().insert(next);
                }
            }
        }
    }
    found
}

#[test]
fn threads_and_memory_do_not_matter() {
    for name in [
        "3x3-to-128",
        "4x4-to-8",
        "4x3-to-16",
        "2x4-to-64",
        "4x4-to-16",
    ] {
        let whole = counted(name, &CountOptions::default());
        assert!(!whole.in_parts);
        let plan = CountPlan::new(&variant(name), u64::MAX).unwrap();
        let room = plan.whole_bytes() - plan.least_bytes();
        for threads in [1, 2, 5] {
            let options = CountOptions {
                threads,
                ..CountOptions::default()
            };
            assert_eq!(counted(name, &options), whole, "{name}, {threads} threads");
        }
        // From just too little for whole layers down to the least that works.
        let mut in_parts = 0;
        for sixteenths in [15, 12, 8] {
            let memory = plan.least_bytes() + room / 16 * sixteenths;
            let options = CountOptions {
                threads: 2,
                memory,
                ..CountOptions::default()
            };
            match count(&variant(name), &options, None, &Silent) {
                Ok(found) => {
                    assert!(found.in_parts, "{name}");
                    assert_eq!(found.layers, whole.layers, "{name}, {memory} bytes");
                    in_parts += 1;
                }
                Err(CountError::Memory { needed, allowed }) => assert!(needed > allowed),
                Err(error) => panic!("{name}: {error}"),
            }
        }
        // Small games have no room for parts beside what the program itself needs.
        assert!(in_parts > 0 || room < 1 << 20, "{name}");
    }
}

#[test]
fn without_detail_the_totals_are_the_same() {
    let options = CountOptions {
        device: tilebase_util::Device::Cpu,
        by_largest: false,
        ..CountOptions::default()
    };
    let (with, without) = (
        counted("3x3-to-64", &CountOptions::default()),
        counted("3x3-to-64", &options),
    );
    assert_eq!(plain(&with), plain(&without));
    let last = with.layers.last().unwrap();
    assert!(last.states[5] > 0 && last.states[..5].iter().sum::<u64>() < 10);
}

/// The states themselves are those of a plain walk, each found, ranked and canonical.
#[test]
fn state_sets_hold_the_states() {
    for name in [
        "2x2-to-32",
        "2x3-to-32",
        "3x2",
        "3x3-to-16",
        "4x3-to-8",
        "3x4-to-8",
        "4x4-to-8",
        "1x4",
    ] {
        let variant = variant(name);
        let rules = Rules::new(variant.shape()).unwrap();
        let mut total = 0;
        count_layers(
            &variant,
            &CountOptions::default(),
            &Silent,
            &mut |layer, states| {
                assert_eq!(states.len(), layer.states.iter().sum::<u64>());
                for (rank, board) in states.iter().enumerate() {
                    assert_eq!(rules.canonical(board), board, "{name}: {board:?}");
                    assert!(!rules.is_lost(board));
                    assert_eq!(board.sum(), layer.sum);
                    let image = rules.smallest(board);
                    assert!(states.contains(image));
                    assert_eq!(states.rank(image), Some(rank as u64));
                    total += 1;
                }
                assert!(!states.contains(tilebase_game::Board::EMPTY));
            },
        )
        .unwrap();
        let expected: u64 = walk(&variant).values().map(|layer| layer.states).sum();
        assert_eq!(total, expected, "{name}");
    }
}

#[test]
fn states_stay_below_the_bounds() {
    for name in [
        "2x2-to-16",
        "2x2-to-32",
        "3x3-to-64",
        "4x4-to-16",
        "2x3-to-64",
    ] {
        let variant = variant(name);
        let bounds = bounds(variant.shape(), variant.target().unwrap());
        let found = counted(name, &CountOptions::default());
        let boards = u128::from(found.states() + found.lost());
        assert!(bounds.layer_reachability <= bounds.baseline);
        // The bounds count every image; a class has at least one.
        assert!(boards < bounds.layer_reachability, "{name}");
    }
}

/// The largest tile that a shape can hold, by counting its whole game.
#[test]
fn the_largest_tile_is_reached() {
    for (rows, cols) in [(2, 2), (2, 3), (2, 4)] {
        let shape = Shape::new(rows, cols).unwrap();
        for spawn in [Spawn::TWOS, Spawn::FOURS, Spawn::STANDARD] {
            let variant = Variant::new(shape, None, spawn, 2).unwrap();
            let found = count(&variant, &CountOptions::default(), None, &Silent).unwrap();
            let boards = found
                .layers
                .iter()
                .flat_map(|l| l.states.iter().zip(l.lost).enumerate());
            let largest = boards
                .filter(|(_, (states, lost))| **states + lost > 0)
                .map(|(e, _)| e)
                .max();
            assert_eq!(
                largest,
                Some(usize::from(largest_exponent(shape, spawn))),
                "{variant}"
            );
        }
    }
}

#[test]
fn requests_that_cannot_work_are_refused() {
    for (name, expected) in [
        (
            "2x2-to-64",
            "a 2x2 board can never hold the target 64, at most a 32",
        ),
        (
            "2x2-to-32-spawn-2:1",
            "a 2x2 board can never hold the target 32, at most a 16",
        ),
        (
            "4x4",
            "the whole game on 4x4 is too large without a target tile",
        ),
        ("4x4-to-65536", "target 65536 is too large: at most 32768"),
        ("4x5-to-64", "shape 5x4 is too large: at most 4x4"),
    ] {
        let error = count(&variant(name), &CountOptions::default(), None, &Silent).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(error.is_request());
    }
    for name in ["2x2-to-8", "4x4-to-64", "4x4-to-2048"] {
        let options = CountOptions {
            memory: 1 << 20,
            ..CountOptions::default()
        };
        let error = count(&variant(name), &options, None, &Silent).unwrap_err();
        assert!(
            error.to_string().starts_with("counting needs at least "),
            "{error}"
        );
    }
}

/// The start states of a game are live states of its first layers.
#[test]
fn start_states_are_there() {
    let variant = variant("3x3-to-32");
    let rules = Rules::new(variant.shape()).unwrap();
    let starts = rules.start_states(variant.spawn(), 2, Representative::Canonical);
    let mut found = 0;
    count_layers(
        &variant,
        &CountOptions::default(),
        &Silent,
        &mut |_, states| {
            found += starts
                .iter()
                .filter(|(board, _)| states.contains(*board))
                .count();
        },
    )
    .unwrap();
    assert_eq!(found, starts.len());
}
