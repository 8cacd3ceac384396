//! The tidy positions: a family of strategies of Slider that keeps few positions in play.

use tilebase_game::Board;

use crate::contest::Contest;

/// How much the tiles smaller than each tile may add up to: a tidy Slider merges small tiles
/// before they pile up.
///
/// A win by tidy positions alone is a win. The untidy ones, in which Slider has dawdled, are
/// nearly all there are, and with these limits they are dropped as soon as they arise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For each exponent, what the tiles below it may add up to.
    most: [u32; 16],
    target: u8,
}

/// Sums below each tile may be this many tenths of its value, and the slack.
const TENTHS: u32 = 13;

/// What is tried, one after the other, before all positions are allowed.
const SLACKS: [u32; 8] = [8, 12, 16, 20, 26, 34, 44, 60];

/// A target this many doublings below the largest possible tile leaves Slider room to be
/// tidy; with less, every way of play is needed.
const ROOM: u8 = 4;

impl Limits {
    /// Tiles smaller than a tile may add up to 1.3 times its value and `slack`.
    pub fn with_slack(contest: &Contest, slack: u32) -> Limits {
        Limits {
            most: std::array::from_fn(|e| slack.saturating_add((TENTHS << e) / 10)),
            target: contest.target(),
        }
    }

    /// No limits.
    pub fn none(contest: &Contest) -> Limits {
        Limits {
            most: [u32::MAX; 16],
            target: contest.target(),
        }
    }

    /// The slacks to try in turn, before none at all.
    pub fn slacks(contest: &Contest) -> &'static [u32] {
        match contest.largest_exponent().saturating_sub(contest.target()) {
            room if room >= ROOM => &SLACKS,
            _ => &[],
        }
    }

    /// The tile sum by which the target must be made.
    pub fn deadline(&self) -> u32 {
        self.most[usize::from(self.target)]
    }

    /// Whether a board with a tile sum is tidy.
    #[inline]
    pub fn admit(&self, board: Board, sum: u32) -> bool {
        // The limits rise with the tiles, and no part of a sum is larger than all of it.
        if sum <= self.most[2] {
            return true;
        }
        let mut below = 0u64;
        for exponent in 1..self.target {
            let others = board.bits() ^ (0x1111_1111_1111_1111 * u64::from(exponent));
            let tiles = 16 - Board::from_bits(others).occupied().count_ones();
            below += u64::from(tiles) << exponent;
            if below > u64::from(self.most[usize::from(exponent) + 1]) {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::Drops;
    use tilebase_game::Shape;

    #[test]
    fn small_tiles_may_not_pile_up() {
        let shape: Shape = "3x3".parse().unwrap();
        let contest = Contest::new(shape, 6, Drops::Twos).unwrap();
        let limits = Limits::with_slack(&contest, 4);
        let admits = |text: &str| {
            let board = Board::parse(text, shape).unwrap();
            limits.admit(board, board.sum())
        };
        // Below 4 up to 9, below 8 up to 14, below 16 up to 24.
        assert!(admits("2,2,2/2,.,./32,.,."));
        assert!(!admits("2,2,2/2,2,./32,.,."));
        assert!(admits("4,4,4/2,.,./32,.,."));
        assert!(!admits("4,4,4/4,.,./32,.,."));
        assert!(!admits("8,8,4/4,2,./32,.,."));
        assert_eq!(limits.deadline(), 87);
    }
}
