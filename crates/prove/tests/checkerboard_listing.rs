//! Sequences listed one by one by the plain rules, to hold the counts by layers against.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_game::{Grid, Move, Shape};
use tilebase_prove::checkerboard::{Corner, DropPlacement, SequenceCount, count_sequences};
use tilebase_util::progress::{Silent, StopAfter};

/// How many games go on from a board before a drop to each pattern.
fn listed(before: &Grid, drops: DropPlacement) -> [u128; 2] {
    let mut sum = [0, 0];
    for (row, col) in before.empty_cells() {
        let mut dropped = before.clone();
        dropped.set(row, col, 1);
        if let Some(corner) = Corner::of(&dropped) {
            sum[corner as usize] += 1;
        }
        for (after, _) in Move::ALL.into_iter().filter_map(|m| dropped.after(m)) {
            if !after.reaches(3) {
                let more = listed(&after, drops);
                sum = [sum[0] + more[0], sum[1] + more[1]];
            }
        }
        if drops == DropPlacement::First {
            break;
        }
    }
    sum
}

fn counted(shape: Shape, drops: DropPlacement) -> SequenceCount {
    count_sequences(shape, drops, usize::MAX, &Silent).unwrap()
}

#[test]
fn counts_are_what_a_list_has() {
    for (shape, drops) in [
        ("1x1", DropPlacement::Anywhere),
        ("1x2", DropPlacement::Anywhere),
        ("1x3", DropPlacement::Anywhere),
        ("2x2", DropPlacement::Anywhere),
        ("3x3", DropPlacement::First),
        ("3x5", DropPlacement::First),
        ("5x3", DropPlacement::First),
        ("5x2", DropPlacement::First),
        ("2x6", DropPlacement::First),
    ] {
        let shape: Shape = shape.parse().unwrap();
        let expected = listed(&Grid::empty(shape), drops);
        assert_eq!(counted(shape, drops).sequences, expected, "{shape}");
    }
}

/// The thesis prints 7,385 and 8,470.
#[test]
fn two_published_numbers_are_two_too_many() {
    for (cols, expected) in [(7, [5442, 1941]), (8, [4818, 3650])] {
        let shape = Shape::new(2, cols).unwrap();
        assert_eq!(listed(&Grid::empty(shape), DropPlacement::First), expected);
        assert_eq!(counted(shape, DropPlacement::First).sequences, expected);
    }
}

#[test]
fn counting_can_be_stopped_and_limited() {
    let shape = "2x6".parse().unwrap();
    let stopped = count_sequences(
        shape,
        DropPlacement::Anywhere,
        usize::MAX,
        &StopAfter::new(3),
    );
    assert_eq!(stopped.unwrap_err().to_string(), "interrupted");
    let limited = count_sequences(shape, DropPlacement::Anywhere, 100, &Silent).unwrap_err();
    assert_eq!(
        limited.to_string(),
        "the search needs more than 100 positions at a time"
    );
}
