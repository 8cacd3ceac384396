//! Boards as small numbers, so that an answer fits into the same word.

use tilebase_game::Board;

/// Turns boards without the target into numbers: one digit a cell, in the base of the
/// target's exponent.
///
/// A packed board of 4×4 cells fills a word to the last bit. Cells with exponents below the
/// target's leave room: 15^16 boards are less than 2^63.
pub struct BoardNumbering {
    /// The number of each row of four cells; 0 for rows that hold the target.
    rows: Vec<u16>,
    /// Rows of four cells there are.
    base: u64,
}

impl BoardNumbering {
    /// For boards with exponents below `target`, which is at most 15.
    pub fn new(target: u8) -> BoardNumbering {
        let digit = u64::from(target);
        let number = |row: u16| {
            (0..4).try_fold(0u64, |number, cell| {
                let exponent = u64::from(row >> (12 - 4 * cell) & 15);
                (exponent < digit).then_some(number * digit + exponent)
            })
        };
        BoardNumbering {
            // The largest number is 15^4 - 1, which fits.
            rows: (0..=u16::MAX)
                .map(|row| number(row).unwrap_or(0) as u16)
                .collect(),
            base: digit.pow(4),
        }
    }

    /// The number of a board without the target; only the empty board's is 0.
    #[inline]
    pub fn number(&self, board: Board) -> u64 {
        (0..4).fold(0, |number, row| {
            number * self.base + u64::from(self.rows[usize::from(board.row(row))])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_board_leaves_a_bit() {
        let full = Board::from_bits(0xeeee_eeee_eeee_eeee);
        assert_eq!(BoardNumbering::new(15).number(full), 15u64.pow(16) - 1);
        assert!(15u64.pow(16) < 1 << 63);
    }

    #[test]
    fn numbers_tell_boards_apart() {
        let numbering = BoardNumbering::new(3);
        let mut seen = std::collections::HashSet::new();
        for board in 0..3u64.pow(8) {
            let bits = (0..8).fold(0, |bits, i| bits | (board / 3u64.pow(i) % 3) << (8 * i));
            assert!(seen.insert(numbering.number(Board::from_bits(bits))));
        }
    }
}
