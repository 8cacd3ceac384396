//! The rules: lines that matter, and agreement with the naive implementation.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::engines::{Engine, Packed, assert_agrees, packed_shapes};
use proptest::prelude::*;
use tilebase_game::{Board, Grid, Move, Rules, Shape, parse_tile};
use tilebase_naive::Position;

/// The lines of tests/data/lines.csv: exponents before and after, and the score.
fn lines() -> Vec<(Vec<u8>, Vec<u8>, u128)> {
    let text = include_str!("../../../tests/data/lines.csv");
    let exponents = |cells: &str| -> Vec<u8> {
        cells
            .split(' ')
            .map(|cell| {
                if cell == "." {
                    0
                } else {
                    parse_tile(cell).unwrap()
                }
            })
            .collect()
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.splitn(4, ',');
            let mut field = || fields.next().unwrap();
            (
                exponents(field()),
                exponents(field()),
                field().parse().unwrap(),
            )
        })
        .collect()
}

/// Slides each line all four ways, as a row and as a column.
fn check_lines<E: Engine>() -> usize {
    let mut checked = 0;
    for (before, after, score) in lines() {
        let length = before.len() as u8;
        let row = Shape::new(1, length).unwrap();
        let mut held = before.clone();
        held.extend(&after);
        if !E::holds(row, &held) {
            continue;
        }
        let reversed = |line: &[u8]| -> Vec<u8> { line.iter().rev().copied().collect() };
        for (shape, m, mirrored) in [
            (row, Move::Left, false),
            (row, Move::Right, true),
            (row.transposed(), Move::Up, false),
            (row.transposed(), Move::Down, true),
        ] {
            let (from, to) = if mirrored {
                (reversed(&before), reversed(&after))
            } else {
                (before.clone(), after.clone())
            };
            let (slid, gain) = E::new(shape, &from).slide(m);
            assert_eq!((slid.exponents(), gain), (to, score), "{m} of {from:?}");
            checked += 1;
        }
    }
    checked
}

#[test]
fn lines_slide_as_listed() {
    let total = lines().len();
    assert_eq!(check_lines::<Position>(), 4 * total);
    assert_eq!(check_lines::<Grid>(), 4 * total);
    assert_eq!(check_lines::<Packed>(), 4 * (total - 4), "all but four fit");
}

/// Calls `visit` with every list of `cells` exponents up to `max`.
fn each_board(cells: u16, max: u8, visit: &mut dyn FnMut(&[u8])) {
    let mut exponents = vec![0u8; cells.into()];
    loop {
        visit(&exponents);
        let Some(at) = exponents.iter().position(|&e| e < max) else {
            return;
        };
        exponents[..at].fill(0);
        exponents[at] += 1;
    }
}

#[test]
fn every_board_of_small_shapes_agrees_with_the_naive_rules() {
    // The largest exponent for which all boards of a shape are few enough to visit.
    let max = |cells: u16| match cells {
        1..=3 => 15,
        4 => 9,
        5..=6 => 5,
        7..=9 => 3,
        _ => 1,
    };
    for shape in packed_shapes().filter(|s| s.cells() <= 12) {
        each_board(shape.cells(), max(shape.cells()), &mut |exponents| {
            assert_agrees::<Packed>(shape, exponents);
        });
    }
    for shape in packed_shapes().filter(|s| s.cells() <= 6) {
        each_board(shape.cells(), 4, &mut |exponents| {
            assert_agrees::<Grid>(shape, exponents);
        });
    }
}

/// All 65,536 rows, in every row of the frame and every direction.
#[test]
fn every_row_agrees_with_the_naive_rules() {
    let shape = Shape::new(4, 4).unwrap();
    let rules = Rules::new(shape).unwrap();
    for bits in 0..=u16::MAX {
        let board = Board::from_bits(u64::from(bits) << 16);
        let naive = Position::new(4, 4, board.unpack(shape).exponents());
        for m in [Move::Left, Move::Right] {
            let (expected, score) = Engine::slide(&naive, m);
            if expected.max_exponent() <= 15 {
                let turned = board.transposed();
                let turned_move = if m == Move::Left {
                    Move::Up
                } else {
                    Move::Down
                };
                assert_eq!(
                    rules.slide(board, m).unpack(shape).exponents(),
                    expected.exponents()
                );
                assert_eq!(
                    rules.slide(turned, turned_move),
                    rules.slide(board, m).transposed()
                );
                assert_eq!(u128::from(rules.score(board, m)), score);
                assert_eq!(rules.score(turned, turned_move), rules.score(board, m));
            } else {
                assert!(!board.slides_exactly(), "{board:?} must warn");
            }
        }
    }
}

fn any_board(max_side: u8, max_exponent: u8) -> impl Strategy<Value = (Shape, Vec<u8>)> {
    (1..=max_side, 1..=max_side, 1..=max_exponent).prop_flat_map(|(rows, cols, max)| {
        let cells = usize::from(rows) * usize::from(cols);
        // Few kinds of tiles and many gaps, so that merges are common.
        let cell = prop_oneof![1 => Just(0), 2 => 0..=max.min(3), 2 => 0..=max];
        (
            Just(Shape::new(rows, cols).unwrap()),
            prop::collection::vec(cell, cells),
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn random_packed_boards_agree((shape, exponents) in any_board(4, 15)) {
        assert_agrees::<Packed>(shape, &exponents);
        assert_agrees::<Grid>(shape, &exponents);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_grids_agree((shape, exponents) in any_board(32, 99)) {
        assert_agrees::<Grid>(shape, &exponents);
    }
}
