//! The heuristics against a transcription of their definitions, written for boards of values as
//! the report's code is, and bounds against true distances.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use num_bigint::BigUint;
use proptest::prelude::*;
use tilebase_game::{Grid, Shape};
use tilebase_plan::{Heuristic, HeuristicValue, RingCorners, heuristic_value, tiles};

/// Tile values, 0 for an empty cell.
fn values(grid: &Grid) -> Vec<Vec<BigUint>> {
    let value = |&e: &u8| match e {
        0 => BigUint::ZERO,
        e => BigUint::from(1u8) << e,
    };
    grid.rows()
        .map(|row| row.iter().map(value).collect())
        .collect()
}

/// log2 of a quotient of powers of two.
fn log(large: &BigUint, small: &BigUint) -> u64 {
    (large / small).bits() - 1
}

/// What a heuristic adds to the weight, for one of the largest tiles.
fn added(
    board: &[Vec<BigUint>],
    heuristic: Heuristic,
    corners: RingCorners,
    at: (i32, i32),
) -> u64 {
    let (rows, cols) = (board.len() as i32, board[0].len() as i32);
    let valid = |r: i32, c: i32| (0..rows).contains(&r) && (0..cols).contains(&c);
    let cell = |r: i32, c: i32| &board[r as usize][c as usize];
    let (row, col) = at;
    match heuristic {
        Heuristic::AdjacentPropagation => {
            let mut sum = 0;
            let mut desired = cell(row, col).clone();
            for ring in 1..rows.max(cols) {
                desired /= 2u8;
                // West and east sides with their corners, then south and north: with theirs
                // again, or without.
                let mut visited = Vec::new();
                for r in row - ring..=row + ring {
                    visited.push((r, col - ring));
                    visited.push((r, col + ring));
                }
                let short = if corners == RingCorners::Twice {
                    ring
                } else {
                    ring - 1
                };
                for c in col - short..=col + short {
                    visited.push((row + ring, c));
                    visited.push((row - ring, c));
                }
                for (r, c) in visited {
                    if valid(r, c) && *cell(r, c) < desired && *cell(r, c) > BigUint::ZERO {
                        sum += log(&desired, cell(r, c));
                    }
                }
            }
            sum
        }
        Heuristic::AdjacentLine => {
            let mut sum = 0;
            for (down, across) in [(-1, 0), (1, 0), (0, 1), (0, -1)] {
                let mut list = Vec::new();
                let (mut r, mut c) = (row, col);
                while valid(r, c) {
                    list.push(cell(r, c).clone());
                    (r, c) = (r + down, c + across);
                }
                let mut sorted = list.clone();
                sorted.sort();
                sorted.reverse();
                for i in 0..list.len() {
                    if list[i] != sorted[i] {
                        sum += 1;
                    }
                }
                for i in 0..sorted.len() - 1 {
                    if sorted[i + 1] == BigUint::ZERO {
                        break;
                    }
                    sum += log(&sorted[i], &sorted[i + 1]);
                }
            }
            sum
        }
        _ => 0,
    }
}

/// The power of two in the weight, and what is added to the weight.
fn transcribed(
    grid: &Grid,
    heuristic: Heuristic,
    corners: RingCorners,
    goal: u8,
) -> (BigUint, u64) {
    let board = values(grid);
    let mut all: Vec<BigUint> = board.concat();
    all.sort();
    let max = all.pop().unwrap();
    let power = ((BigUint::from(1u8) << goal) - &max) / 2u8;
    let rest = match heuristic {
        Heuristic::MaxTileWeight => 0,
        Heuristic::NextMax => match all.pop() {
            Some(next) if next > BigUint::ZERO => log(&max, &next),
            _ => 1,
        },
        _ => {
            let mut least = u64::MAX;
            for row in 0..board.len() {
                for col in 0..board[0].len() {
                    if board[row][col] == max {
                        let at = (row as i32, col as i32);
                        least = least.min(added(&board, heuristic, corners, at));
                    }
                }
            }
            least
        }
    };
    (power, rest)
}

fn assert_transcribed(grid: &Grid, goal: u8) {
    for heuristic in Heuristic::PUBLISHED {
        for corners in [RingCorners::Once, RingCorners::Twice] {
            let (power, rest) = transcribed(grid, heuristic, corners, goal);
            let found = heuristic_value(heuristic, corners, &tiles(grid), goal, 1);
            assert_eq!(
                (BigUint::from(found.power), found.rest),
                (power, rest),
                "{heuristic} {corners:?} {grid} to 2^{goal}"
            );
        }
    }
}

/// The board of the report: its figures are for the 32 in the third row, second column.
#[test]
fn the_worked_example_comes_out() {
    let grid: Grid = "2,8,.,./.,16,8,./32,32,16,2/2,4,8,.".parse().unwrap();
    let board = values(&grid);
    let at = |heuristic, corners| added(&board, heuristic, corners, (2, 1));
    // 2^16 - 1 + 11 and 2^16 - 1 + 9.
    assert_eq!(at(Heuristic::AdjacentPropagation, RingCorners::Once), 11);
    assert_eq!(at(Heuristic::AdjacentLine, RingCorners::Once), 9);
    assert_transcribed(&grid, 6);
    // With the other 32 out of the way the heuristic itself has these values.
    let alone: Grid = "2,8,.,./.,16,8,./16,32,16,2/2,4,8,.".parse().unwrap();
    let rings = heuristic_value(
        Heuristic::AdjacentPropagation,
        RingCorners::Once,
        &tiles(&alone),
        6,
        1,
    );
    assert_eq!(rings.to_string(), ((1 << 16) + 10).to_string());
    // The line to the west is 32, 16 now: one doubling more than 32, 32.
    let lines = heuristic_value(
        Heuristic::AdjacentLine,
        RingCorners::Once,
        &tiles(&alone),
        6,
        1,
    );
    assert_eq!(lines.to_string(), ((1 << 16) + 9).to_string());
    // The least over both 32s.
    let least = heuristic_value(
        Heuristic::AdjacentPropagation,
        RingCorners::Once,
        &tiles(&grid),
        6,
        1,
    );
    assert!(least <= rings);
}

/// The weights for the goal 32 that the report lists.
#[test]
fn the_listed_weights_come_out() {
    for (exponent, weight) in [(1, 32767), (2, 16383), (3, 4095), (4, 255), (5, 0)] {
        let grid = Grid::from_exponents(Shape::SINGLE, &[exponent]).unwrap();
        let found = heuristic_value(
            Heuristic::MaxTileWeight,
            RingCorners::Once,
            &tiles(&grid),
            5,
            1,
        );
        assert_eq!(found.to_string(), weight.to_string());
        let next = heuristic_value(Heuristic::NextMax, RingCorners::Once, &tiles(&grid), 5, 1);
        let alone = if exponent < 5 { weight + 1 } else { 0 };
        assert_eq!(next.to_string(), alone.to_string());
    }
}

/// A board of any shape with tiles up to an exponent, at least one.
fn boards(largest: u8) -> impl Strategy<Value = Grid> {
    (1u8..=9, 1u8..=9, 0u8..=4).prop_flat_map(move |(rows, cols, sparse)| {
        let shape = Shape::new(rows, cols).unwrap();
        let cell = prop_oneof![
            u32::from(sparse) => Just(0u8),
            1 => 0..=largest
        ];
        proptest::collection::vec(cell, usize::from(shape.cells())).prop_map(move |mut cells| {
            if cells.iter().all(|&e| e == 0) {
                cells[0] = 1;
            }
            Grid::from_exponents(shape, &cells).unwrap()
        })
    })
}

proptest! {
    #[test]
    fn values_are_as_defined(grid in boards(9)) {
        for goal in [10, 11, 100] {
            assert_transcribed(&grid, goal);
        }
    }

    #[test]
    fn values_are_as_defined_for_large_tiles(grid in boards(99)) {
        assert_transcribed(&grid, 100);
    }

    /// Costs compare like the numbers that they stand for.
    #[test]
    fn costs_are_ordered(p in 0u128..140, q in 0u128..140, r: u64, s: u64) {
        let number = |p: u128, r: u64| (BigUint::from(1u8) << p as u64) + r;
        let (a, b) = (HeuristicValue { power: p, rest: r }, HeuristicValue { power: q, rest: s });
        prop_assert_eq!(a.cmp(&b), number(p, r).cmp(&number(q, s)));
    }
}
