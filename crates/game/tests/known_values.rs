//! Published numbers, by a plain breadth-first walk.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::engines::walk::{walk, walk_to_sum};
use tilebase_game::{Representative, Rules, Shape, Spawn, Variant};

fn variant(name: &str) -> Variant {
    name.parse().unwrap()
}

/// tests/data/counts.csv: live states, canonical.
#[test]
fn live_states_match_published_counts() {
    let text = include_str!("../../../tests/data/counts.csv");
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, live) = line.split_once(',').unwrap();
        let live: u64 = live.parse().unwrap();
        // Larger games are for faster programs than this walk.
        if live < 50_000 {
            let found = walk(variant(name), Representative::Canonical);
            assert_eq!(found.live.len() as u64, live, "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, 5);
}

#[test]
fn the_choice_of_representative_does_not_change_a_count() {
    for name in [
        "2x2-to-32",
        "3x3-to-8",
        "2x3-to-32",
        "3x2-to-32",
        "1x4-to-16",
    ] {
        let canonical = walk(variant(name), Representative::Canonical);
        let smallest = walk(variant(name), Representative::Smallest);
        assert_eq!(canonical.live.len(), smallest.live.len(), "{name}");
        assert_eq!(canonical.lost.len(), smallest.lost.len(), "{name}");
        assert_eq!(canonical.transitions, smallest.transitions, "{name}");
        let rules = Rules::new(variant(name).shape()).unwrap();
        for &state in &smallest.live {
            assert!(canonical.live.contains(&rules.canonical(state)));
        }
    }
}

#[test]
fn two_by_two_to_8_without_symmetry() {
    let found = walk(variant("2x2-to-8"), Representative::Itself);
    assert_eq!(found.live.len(), 68, "70 with the win and the lose state");
    assert_eq!(
        found.transitions + 2,
        530,
        "the published number has a loop at the win and at the lose state"
    );
}

#[test]
fn first_layers_match_published_counts() {
    for (name, expected) in [
        ("3x3-to-1024", &[8, 22, 43, 79, 143][..]),
        ("4x4-to-2048", &[21, 68, 170, 386][..]),
    ] {
        let last = 4 + 2 * (expected.len() as u32 - 1);
        let found = walk_to_sum(variant(name), Representative::Canonical, last);
        for (sum, &states) in (4..=last).step_by(2).zip(expected) {
            let live = found.live.iter().filter(|b| b.sum() == sum).count();
            assert_eq!(live, states, "{name}, sum {sum}");
        }
    }
}

/// On k cells no tile above 2^k arises from drops of 2, and none above 2^(k+1) from drops
/// of 2 and 4. Where both sides are at least 2 the bound is reached. Larger shapes are counted in
/// `crates/count`.
#[test]
fn the_largest_tile_is_bounded_by_the_number_of_cells() {
    for (rows, cols) in [(1, 2), (1, 3), (1, 4), (2, 2), (2, 3), (3, 2)] {
        let shape = Shape::new(rows, cols).unwrap();
        for (spawn, bound) in [
            (Spawn::TWOS, shape.cells()),
            (Spawn::STANDARD, shape.cells() + 1),
            (Spawn::FOURS, shape.cells() + 1),
        ] {
            // The whole game: no target, from a single tile.
            let game = Variant::new(shape, None, spawn, 1).unwrap();
            let largest = u16::from(walk(game, Representative::Canonical).largest);
            assert!(largest <= bound, "{game}: 2^{largest}");
            assert!(rows == 1 || largest == bound, "{game}: 2^{largest}");
        }
    }
}

#[test]
fn two_by_two_start_states() {
    let shape = Shape::new(2, 2).unwrap();
    let rules = Rules::new(shape).unwrap();
    let starts = rules.start_states(Spawn::STANDARD, 2, Representative::Smallest);
    let boards: Vec<String> = starts.iter().map(|(b, _)| b.hex(shape)).collect();
    assert_eq!(
        boards,
        ["0x0011", "0x0012", "0x0022", "0x0110", "0x0120", "0x0220"]
    );
    // Two cells of four: adjacent with 2/3, diagonal with 1/3. Tiles 2,2: 0.81; 2,4: 0.18; 4,4: 0.01.
    let expected = [0.54, 0.12, 0.02 / 3.0, 0.27, 0.06, 0.01 / 3.0];
    for ((board, probability), expected) in starts.iter().zip(expected) {
        assert!(
            (probability - expected).abs() < 1e-15,
            "{board:?} {probability}"
        );
    }
}
