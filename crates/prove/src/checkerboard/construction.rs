//! Sequences to a checkerboard that are known in closed form, for boards of any length.
//!
//! They are those of L. Edixhoven, *Checkerboard Patterns and Binary Decision Diagrams for
//! the Game 2048* (Leiden University, 2019), sections 4.1 and 4.2, with two corrections:
//!
//! - *m*×2 is printed as (RRDRLD)^⌊m/2⌋ (RRD)^((m−1) mod 2) RL. That is two rows too many
//!   for even *m*, and the two topmost rows are equal for odd *m*. Right is ⌊(m−1)/2⌋, and at
//!   the end RL for even *m* but RR for odd *m*: rows RR and RL by turns. The other pattern
//!   exchanges RR and RL.
//! - 2×*n* is printed as (DUR)^(⌊n/2⌋−1) DUD (UUD)^(⌊n/2⌋−1) UU. The first exponent must be
//!   ⌈n/2⌉−1, which makes a difference for odd *n*.

use tilebase_game::{Move, Shape};

use crate::checkerboard::pattern::Corner;
use crate::checkerboard::sequence::{DropPlacement, Sequence};

/// A sequence to the pattern on a board with a side of 2, or with a side of 3 and the other
/// odd; `None` for other boards, and for a 4 in the corners of the latter, which no game
/// has. Where a side is 2, all tiles fall into the topmost, then leftmost empty cell, but
/// that of the transposed board may be another: each shape has its own sequence.
///
/// ```
/// use tilebase_prove::checkerboard::{Corner, DropPlacement, construction};
///
/// let shape = "3x31".parse().unwrap();
/// let sequence = construction(shape, Corner::Two, DropPlacement::Anywhere).unwrap();
/// let boards = sequence.replay(shape)?;
/// assert_eq!(boards.last(), Some(&Corner::Two.pattern(shape)));
/// # Ok::<(), tilebase_prove::checkerboard::ReplayError>(())
/// ```
pub fn construction(shape: Shape, corner: Corner, drops: DropPlacement) -> Option<Sequence> {
    let odd_from_three = |side: u8| side >= 3 && side % 2 == 1;
    let free = drops == DropPlacement::Anywhere && corner == Corner::Two;
    match (shape.rows(), shape.cols()) {
        (rows, 2) => letters(shape, &two_columns(rows, corner)),
        (2, cols) => letters(shape, &two_rows(cols, corner)),
        (3, cols) if free && odd_from_three(cols) => Some(three_rows(cols)),
        (rows, 3) if free && odd_from_three(rows) => Some(three_rows(rows).transposed()),
        _ => None,
    }
}

/// Rows are made one by one in the topmost row, as 1 2 or as 2 1, and pushed down.
fn two_columns(rows: u8, corner: Corner) -> String {
    let row = |number: u8| match corner.exponent(number, 0) {
        1 => "RR",
        _ => "RL",
    };
    (0..rows).rev().map(row).collect::<Vec<_>>().join("D")
}

/// A row of alternating tiles first, then the other row.
fn two_rows(cols: u8, corner: Corner) -> String {
    let times = |text: &str, number: u8| text.repeat(number.into());
    if cols == 1 {
        return match corner {
            Corner::Two => "DD".to_owned(),
            Corner::Four => "DU".to_owned(),
        };
    }
    let (half, half_up) = (cols / 2, cols.div_ceil(2));
    let start = times("DUR", half_up - 1);
    // Which corner the first of the sequences ends with depends on the number of columns.
    match (corner, cols % 2) {
        (Corner::Two, 0) | (Corner::Four, 1) => start + "DUD" + &times("UUD", half - 1) + "UU",
        (_, 0) => start + "RDU" + &times("DDU", half - 1) + "DD",
        _ => start + &times("DDU", half) + "DD",
    }
}

fn letters(shape: Shape, slides: &str) -> Option<Sequence> {
    let slides: Vec<Move> = slides.chars().filter_map(Move::from_letter).collect();
    Sequence::deterministic(shape, &slides).ok()
}

/// Two columns of the pattern at a time, beside two columns that wait half made.
fn three_rows(cols: u8) -> Sequence {
    use Move::{Down, Left, Right, Up};
    let mut sequence = Sequence::default();
    // Cells are counted from 1, as in the thesis.
    let mut go = |m: Option<Move>, row: u8, col: u8| {
        sequence.slides.extend(m);
        sequence.drops.push((row - 1, col - 1));
    };
    go(None, 1, 1);
    for (row, col) in [(1, 1), (1, 1), (1, 2), (1, 2), (2, 2)] {
        go(Some(Down), row, col);
    }
    for made in (0..cols - 3).step_by(2) {
        let steps = [
            (Up, 3, made + 2),
            (Down, 1, made + 1),
            (Right, 3, 1),
            (Left, 1, cols),
            (Right, 1, 1),
            (Up, 1, 2),
            (Left, 1, cols),
            (Down, 2, cols),
            (Left, 2, made + 4),
        ];
        for (m, row, col) in steps {
            go(Some(m), row, col);
        }
    }
    let end = [
        (Up, 3, cols - 1),
        (Down, 1, cols - 2),
        (Right, 1, 1),
        (Left, 1, cols),
        (Right, 2, 1),
        (Up, 2, 1),
        (Down, 1, 1),
    ];
    for (m, row, col) in end {
        go(Some(m), row, col);
    }
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replays the construction and holds it to all that it promises.
    fn check(shape: Shape, corner: Corner, drops: DropPlacement) {
        let sequence = construction(shape, corner, drops).unwrap();
        let boards = sequence.replay(shape).unwrap();
        assert_eq!(
            boards.last(),
            Some(&corner.pattern(shape)),
            "{shape} {corner}"
        );
        assert!(boards.iter().all(|board| !board.reaches(3)));
        if drops == DropPlacement::First {
            let again = Sequence::deterministic(shape, &sequence.slides);
            assert_eq!(again, Ok(sequence));
        }
    }

    #[test]
    fn constructions_reach_both_patterns_where_a_side_is_two() {
        for side in 1..=Shape::MAX_SIDE {
            for corner in Corner::ALL {
                for drops in [DropPlacement::Anywhere, DropPlacement::First] {
                    check(Shape::new(side, 2).unwrap(), corner, drops);
                    check(Shape::new(2, side).unwrap(), corner, drops);
                }
            }
        }
    }

    #[test]
    fn constructions_reach_the_pattern_where_a_side_is_three() {
        for side in (3..=Shape::MAX_SIDE).step_by(2) {
            for shape in [Shape::new(side, 3).unwrap(), Shape::new(3, side).unwrap()] {
                check(shape, Corner::Two, DropPlacement::Anywhere);
                assert_eq!(
                    construction(shape, Corner::Four, DropPlacement::Anywhere),
                    None
                );
                assert_eq!(construction(shape, Corner::Two, DropPlacement::First), None);
            }
        }
        for shape in ["1x1", "1x3", "3x4", "6x3", "4x4", "5x5", "32x32"] {
            let shape = shape.parse().unwrap();
            assert_eq!(
                construction(shape, Corner::Two, DropPlacement::Anywhere),
                None
            );
        }
    }

    #[test]
    fn the_printed_formulas_need_their_corrections() {
        // For 5x2: (RRDRLD)^2 RL leaves two equal rows at the top.
        let shape = Shape::new(5, 2).unwrap();
        let boards = letters(shape, "RRDRLDRRDRLDRL").unwrap().replay(shape);
        assert_eq!(
            boards.unwrap().last().unwrap().to_string(),
            "4,2/4,2/2,4/4,2/2,4"
        );
        // For 6x2: (RRDRLD)^3 RRD RL goes on when the board is full.
        assert_eq!(
            letters(Shape::new(6, 2).unwrap(), "RRDRLDRRDRLDRRDRLDRRDRL"),
            None
        );
        // For 2x5: (DUR)^1 DUD (UUD)^1 UU.
        assert_eq!(letters(Shape::new(2, 5).unwrap(), "DURDUDUUDUU"), None);
        assert_eq!(two_rows(5, Corner::Four), "DURDURDUDUUDUU");
    }
}
