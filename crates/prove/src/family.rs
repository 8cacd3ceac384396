//! The tidy positions: a family of strategies of Slider that keeps few positions in play.

use std::fmt;

use tilebase_game::{Board, tile_value};

use crate::contest::Contest;

/// Which positions Slider lets arise: those in which small tiles have not piled up, and
/// large ones stand in a row.
///
/// A win by tidy positions alone is a win. The untidy ones, in which Slider has dawdled or
/// lost order, are nearly all there are, and with these limits they are dropped as soon as
/// they arise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyFilter {
    /// For each exponent, what the tiles below it may add up to.
    most: [u32; 16],
    /// Tiles from this exponent on stand in a chain.
    chain: u8,
    target: u8,
    rows: u8,
    cols: u8,
}

/// How tidy Slider is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// What the tiles smaller than a tile may add up to beyond 1.3 times its value; none for
    /// any sum.
    pub slack: Option<u32>,
    /// The exponent from which on tiles stand in a chain: the largest in a corner, each next
    /// one beside the last; none if they may stand anywhere.
    pub chain: Option<u8>,
}

impl Family {
    /// Any position.
    pub const ANY: Family = Family {
        slack: None,
        chain: None,
    };

    /// What to try in turn; the last is [`Family::ANY`].
    ///
    /// Small targets on large boards are a matter of merging in time, large targets on small
    /// boards one of keeping order. A Slider in order from 32 on needs the fewest positions;
    /// for the largest tile that the cells can hold there is no room for that, and from 64 on
    /// it is.
    pub fn stages(contest: &Contest) -> Vec<Family> {
        let room = contest.largest_exponent().saturating_sub(contest.target());
        let slack = |&slack: &u32| Family {
            slack: Some(slack),
            chain: None,
        };
        let chain = |&chain: &u8| Family {
            slack: None,
            chain: Some(chain),
        };
        let many_cells = contest.shape().cells() > 12;
        let mut stages: Vec<Family> = match contest.target() {
            0..=CHAIN if room < ROOM => Vec::new(),
            0..=CHAIN => SLACKS.iter().map(slack).collect(),
            _ if many_cells => SLACKS.iter().map(slack).collect(),
            _ if room == 0 && contest.shape().cells() > 9 => [CHAIN].iter().map(chain).collect(),
            _ => [CHAIN - 1, CHAIN].iter().map(chain).collect(),
        };
        stages.push(Family::ANY);
        stages
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.slack, self.chain) {
            (None, None) => f.write_str("any position"),
            (Some(slack), None) => write!(f, "slack {slack}"),
            (None, Some(from)) => write!(f, "tiles from {} in a chain", tile_value(from)),
            (Some(slack), Some(from)) => {
                write!(
                    f,
                    "slack {slack}, tiles from {} in a chain",
                    tile_value(from)
                )
            }
        }
    }
}

/// Sums below each tile may be this many tenths of its value, and the slack.
const TENTHS: u32 = 13;

/// What is tried, one after the other, before all positions are allowed.
const SLACKS: [u32; 8] = [8, 12, 16, 20, 26, 34, 44, 60];

/// A target this many doublings below the largest possible tile leaves Slider room to merge
/// in time; with less, every way of play is needed.
const ROOM: u8 = 4;

/// The exponent from which on order is kept at the latest.
const CHAIN: u8 = 6;

impl FamilyFilter {
    /// The limits of a tidy Slider.
    pub fn new(contest: &Contest, family: Family) -> FamilyFilter {
        let most = |e: usize| match family.slack {
            Some(slack) => slack.saturating_add((TENTHS << e) / 10),
            None => u32::MAX,
        };
        FamilyFilter {
            most: std::array::from_fn(most),
            chain: family.chain.unwrap_or(u8::MAX),
            target: contest.target(),
            rows: contest.shape().rows(),
            cols: contest.shape().cols(),
        }
    }

    /// The tile sum by which the target must be made.
    pub fn deadline(&self) -> u32 {
        self.most[usize::from(self.target)]
    }

    /// Whether a board with a tile sum is tidy.
    #[inline]
    pub fn admit(&self, board: Board, sum: u32) -> bool {
        self.is_merged(board, sum) && (self.chain >= self.target || self.is_in_order(board))
    }

    /// Whether small tiles have not piled up.
    #[inline]
    fn is_merged(&self, board: Board, sum: u32) -> bool {
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

    /// Whether the large tiles stand in a chain.
    fn is_in_order(&self, board: Board) -> bool {
        let mut tiles = [(0, 0, 0); 16];
        let mut len = 0;
        for row in 0..self.rows {
            for col in 0..self.cols {
                let tile = board.get(row, col);
                if tile >= self.chain {
                    tiles[len] = (tile, row, col);
                    len += 1;
                }
            }
        }
        let tiles = &mut tiles[..len];
        tiles.sort_unstable_by_key(|&(tile, ..)| std::cmp::Reverse(tile));
        self.links(tiles, 0)
    }

    /// Whether the tiles from `at` on, by falling size, go on with the chain before them.
    /// Equal tiles may stand in any order.
    fn links(&self, tiles: &mut [(u8, u8, u8)], at: usize) -> bool {
        let Some(&(tile, ..)) = tiles.get(at) else {
            return true;
        };
        for i in at..tiles.len() {
            let (other, row, col) = tiles[i];
            if other != tile {
                break;
            }
            let follows = match at.checked_sub(1).map(|last| tiles[last]) {
                None => (row == 0 || row == self.rows - 1) && (col == 0 || col == self.cols - 1),
                Some((_, r, c)) => r.abs_diff(row) + c.abs_diff(col) == 1,
            };
            if follows {
                tiles.swap(at, i);
                if self.links(tiles, at + 1) {
                    return true;
                }
                tiles.swap(at, i);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contest::DropTiles;
    use tilebase_game::Shape;

    #[test]
    fn small_tiles_may_not_pile_up() {
        let shape: Shape = "3x3".parse().unwrap();
        let contest = Contest::new(shape, 6, DropTiles::Twos).unwrap();
        let family = Family {
            slack: Some(4),
            chain: None,
        };
        let family_filter = FamilyFilter::new(&contest, family);
        let admits = |text: &str| {
            let board = Board::parse(text, shape).unwrap();
            family_filter.admit(board, board.sum())
        };
        // Below 4 up to 9, below 8 up to 14, below 16 up to 24.
        assert!(admits("2,2,2/2,.,./32,.,."));
        assert!(!admits("2,2,2/2,2,./32,.,."));
        assert!(admits("4,4,4/2,.,./32,.,."));
        assert!(!admits("4,4,4/4,.,./32,.,."));
        assert!(!admits("8,8,4/4,2,./32,.,."));
        assert_eq!(family_filter.deadline(), 87);
    }

    #[test]
    fn large_tiles_stand_in_a_chain_from_a_corner() {
        let shape: Shape = "3x3".parse().unwrap();
        let contest = Contest::new(shape, 9, DropTiles::Twos).unwrap();
        let family = Family {
            slack: None,
            chain: Some(4),
        };
        let family_filter = FamilyFilter::new(&contest, family);
        let admits = |text: &str| {
            let board = Board::parse(text, shape).unwrap();
            family_filter.admit(board, board.sum())
        };
        assert!(admits("64,32,16/8,4,2/2,2,8"));
        assert!(admits("64,32,2/16,32,8/2,2,8"));
        assert!(admits("16,32,32/8,4,2/2,2,8"));
        assert!(!admits("32,64,16/8,4,2/2,2,8"));
        assert!(!admits("64,8,32/8,4,2/2,2,8"));
        assert!(!admits("64,32,8/16,4,2/2,2,8"));
    }
}
