//! Which positions look good for Slider: the order in which moves are tried.

use tilebase_game::Board;

/// Scores of rows and columns.
///
/// The order has no say in the answer, only in the time to it. These weights were the best of
/// a handful on 3x4 to 64 and 4x4 to 32: large tiles, beside equal ones or
/// those of half their value, and lines that rise or fall all the way.
pub struct MoveOrdering {
    rows: Vec<f32>,
}

impl MoveOrdering {
    /// Makes the scores.
    pub fn new() -> MoveOrdering {
        MoveOrdering {
            rows: (0..=u16::MAX).map(score).collect(),
        }
    }

    /// The score of a board, the same for all its images.
    #[inline]
    pub fn score(&self, board: Board) -> f32 {
        let image = board.transposed();
        (0..4)
            .map(|i| self.rows[usize::from(board.row(i))] + self.rows[usize::from(image.row(i))])
            .sum()
    }
}

/// The score of a row of four cells, the same for its mirror image.
fn score(row: u16) -> f32 {
    let cells: [i32; 4] = std::array::from_fn(|i| i32::from(row >> (12 - 4 * i) & 15));
    // A tile counts with the square of its value.
    let weight = |exponent: i32| match exponent {
        0 => 0.0,
        exponent => 4f32.powi(exponent),
    };
    // Every cell is in a row and in a column.
    let mut score: f32 = cells.iter().map(|&cell| 2.0 * weight(cell)).sum();
    let (mut rise, mut fall) = (0.0, 0.0);
    for pair in cells.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        if a > 0 && a == b {
            score += 4.0 * weight(a);
        } else if a > 0 && b > 0 && a.abs_diff(b) == 1 {
            score += weight(a.max(b));
        }
        let step = weight(b) - weight(a);
        rise += step.max(0.0);
        fall += (-step).max(0.0);
    }
    score - rise.min(fall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::{Rules, Shape};

    #[test]
    fn images_have_equal_scores() {
        let order = MoveOrdering::new();
        let shape: Shape = "4x4".parse().unwrap();
        let rules = Rules::new(shape).unwrap();
        let board = Board::parse("2,4,8,16/.,2,.,32/4,4,.,./.,.,2,64", shape).unwrap();
        for image in rules.images(board) {
            assert_eq!(order.score(image), order.score(board));
        }
    }
}
