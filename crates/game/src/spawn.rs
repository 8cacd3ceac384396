//! New tiles: which, where, and how likely.

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::canonical::Representative;
use crate::grid::Grid;
use crate::rng::Rng;
use crate::rules::Rules;

/// How often a new tile is a 2 and how often a 4. Its cell is uniform among the empty.
///
/// Probabilities are whole billionths, so that they add up to 1 exactly.
///
/// ```
/// use tilebase_game::Spawn;
///
/// let spawn: Spawn = "2:0.9,4:0.1".parse().unwrap();
/// assert_eq!(spawn, Spawn::STANDARD);
/// assert_eq!(spawn.probability(2), 0.1);
/// assert_eq!("2:1".parse::<Spawn>().unwrap(), Spawn::TWOS);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Spawn {
    /// Billionths of 2s; the rest are 4s.
    twos: u32,
}

impl Spawn {
    /// The unit of [`Spawn::weight`].
    pub const ONE: u32 = 1_000_000_000;
    /// The game as published: `2:0.9,4:0.1`.
    pub const STANDARD: Spawn = Spawn { twos: 900_000_000 };
    /// Only 2s: `2:1`.
    pub const TWOS: Spawn = Spawn { twos: Spawn::ONE };
    /// Only 4s: `4:1`.
    pub const FOURS: Spawn = Spawn { twos: 0 };

    /// The probability of the tile 2^exponent in billionths.
    pub const fn weight(self, exponent: u8) -> u32 {
        match exponent {
            1 => self.twos,
            2 => Spawn::ONE - self.twos,
            _ => 0,
        }
    }

    /// The probability of the tile 2^exponent.
    pub fn probability(self, exponent: u8) -> f64 {
        f64::from(self.weight(exponent)) / f64::from(Spawn::ONE)
    }

    /// The exponents of the tiles that can spawn, smallest first.
    pub fn exponents(self) -> impl Iterator<Item = u8> + Clone {
        [1, 2].into_iter().filter(move |&e| self.weight(e) > 0)
    }
}

impl Default for Spawn {
    fn default() -> Spawn {
        Spawn::STANDARD
    }
}

impl fmt::Display for Spawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self
            .exponents()
            .map(|e| format!("{}:{}", 1 << e, decimal(self.weight(e).into())))
            .collect();
        f.write_str(&parts.join(","))
    }
}

/// Billionths as the shortest decimal.
fn decimal(billionths: u64) -> String {
    let one = u64::from(Spawn::ONE);
    let text = format!("{}.{:09}", billionths / one, billionths % one);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Why a text is not a spawn distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpawnError {
    /// A part is not `TILE:PROBABILITY`.
    Form(String),
    /// A tile other than 2 and 4.
    Tile(String),
    /// Not a decimal from 0 to 1 with at most nine places.
    Probability(String),
    /// A tile is given twice.
    Repeated(String),
    /// The probabilities add up to this many billionths.
    Sum(u64),
}

impl fmt::Display for SpawnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpawnError::Form(part) => write!(
                f,
                "invalid spawn rule '{part}': use TILE:PROBABILITY, such as 2:0.9,4:0.1 or 2:1"
            ),
            SpawnError::Tile(tile) => {
                write!(f, "tile '{tile}' cannot spawn: only 2 and 4 can")
            }
            SpawnError::Probability(text) => write!(
                f,
                "invalid probability '{text}': use a decimal from 0 to 1 with at most 9 places"
            ),
            SpawnError::Repeated(tile) => write!(f, "tile {tile} is given twice"),
            SpawnError::Sum(billionths) => write!(
                f,
                "the probabilities add up to {}: they must add up to 1",
                decimal(*billionths)
            ),
        }
    }
}

impl std::error::Error for SpawnError {}

impl FromStr for Spawn {
    type Err = SpawnError;

    fn from_str(text: &str) -> Result<Spawn, SpawnError> {
        let mut weights = [None; 2];
        for part in text.split(',') {
            let (tile, probability) = part
                .split_once(':')
                .ok_or_else(|| SpawnError::Form(part.to_owned()))?;
            let at = match tile.trim() {
                "2" => 0,
                "4" => 1,
                other => return Err(SpawnError::Tile(other.to_owned())),
            };
            let weight = billionths(probability.trim())
                .ok_or_else(|| SpawnError::Probability(probability.trim().to_owned()))?;
            if weights[at].replace(weight).is_some() {
                return Err(SpawnError::Repeated(tile.trim().to_owned()));
            }
        }
        let [twos, fours] = weights.map(|w| w.unwrap_or(0));
        let sum = u64::from(twos) + u64::from(fours);
        if sum != u64::from(Spawn::ONE) {
            return Err(SpawnError::Sum(sum));
        }
        Ok(Spawn { twos })
    }
}

/// A decimal from 0 to 1 in billionths.
fn billionths(text: &str) -> Option<u32> {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(places) || whole.len() + places.len() == 0 || places.len() > 9 {
        return None;
    }
    let whole: u32 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let places: u32 = format!("{places:0<9}").parse().ok()?;
    let total = u64::from(whole) * u64::from(Spawn::ONE) + u64::from(places);
    u32::try_from(total).ok().filter(|&t| t <= Spawn::ONE)
}

/// One way in which a new tile can fall.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<B> {
    /// The cell's row, from 0.
    pub row: u8,
    /// The cell's column, from 0.
    pub col: u8,
    /// The new tile's exponent.
    pub exponent: u8,
    /// How likely this outcome is.
    pub probability: f64,
    /// The board with the new tile.
    pub board: B,
}

/// Spawns on packed boards.
impl Rules {
    /// The boards with a tile of this exponent dropped into each empty cell, row by row.
    #[inline]
    pub fn drops(&self, board: Board, exponent: u8) -> impl Iterator<Item = Board> + use<> {
        bits(self.empty_cells(board))
            .map(move |at| Board::from_bits(board.bits() | u64::from(exponent) << at))
    }

    /// All outcomes of a spawn: cells row by row, in each cell the smaller tile first.
    pub fn spawns(
        &self,
        board: Board,
        spawn: Spawn,
    ) -> impl Iterator<Item = Outcome<Board>> + use<> {
        let empty = self.empty_cells(board);
        let cells = f64::from(empty.count_ones());
        bits(empty).flat_map(move |at| {
            let place = (60 - at) / 4;
            spawn.exponents().map(move |exponent| Outcome {
                row: (place / 4) as u8,
                col: (place % 4) as u8,
                exponent,
                probability: spawn.probability(exponent) / cells,
                board: Board::from_bits(board.bits() | u64::from(exponent) << at),
            })
        })
    }

    /// The start states with their probabilities: `tiles` spawns, one after the other, on
    /// the empty board. Walls stand anywhere where they cover a mask, all placements equally
    /// likely. Sorted by number.
    ///
    /// ```
    /// use tilebase_game::{Representative, Rules, Shape, Spawn};
    ///
    /// let shape: Shape = "2x2".parse().unwrap();
    /// let rules = Rules::new(shape).unwrap();
    /// let starts = rules.start_states(Spawn::STANDARD, 2, Representative::Smallest);
    /// let boards: Vec<String> = starts.iter().map(|(b, _)| b.hex(shape)).collect();
    /// assert_eq!(boards, ["0x0011", "0x0012", "0x0022", "0x0110", "0x0120", "0x0220"]);
    /// ```
    pub fn start_states(&self, spawn: Spawn, tiles: u16, of: Representative) -> Vec<(Board, f64)> {
        let placements = self.wall_placements();
        let share = 1.0 / placements.len().max(1) as f64;
        let mut states: Vec<(Board, f64)> =
            placements.into_iter().map(|walls| (walls, share)).collect();
        for _ in 0..tiles {
            let mut next: Vec<(Board, f64)> = states
                .iter()
                .flat_map(|&(board, probability)| {
                    self.spawns(board, spawn).map(move |outcome| {
                        let board = self.representative(outcome.board, of);
                        (board, probability * outcome.probability)
                    })
                })
                .collect();
            next.sort_unstable_by_key(|&(board, _)| board);
            next.dedup_by(|again, first| {
                let same = again.0 == first.0;
                if same {
                    first.1 += again.1;
                }
                same
            });
            states = next;
        }
        states
    }
}

/// The positions of the set bits, highest first.
#[inline]
fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let at = 63u32.checked_sub(set.leading_zeros())?;
        set ^= 1 << at;
        Some(at)
    })
}

/// Spawns on grids.
impl Grid {
    /// All outcomes of a spawn: cells row by row, in each cell the smaller tile first.
    pub fn spawns(&self, spawn: Spawn) -> impl Iterator<Item = Outcome<Grid>> {
        let cells = self.empty_cells().count() as f64;
        self.empty_cells().flat_map(move |(row, col)| {
            spawn.exponents().map(move |exponent| {
                let mut board = self.clone();
                board.set(row, col, exponent);
                Outcome {
                    row,
                    col,
                    exponent,
                    probability: spawn.probability(exponent) / cells,
                    board,
                }
            })
        })
    }

    /// Lets a random tile fall: first its cell is drawn, then its value. `None` (and
    /// nothing drawn) on a full grid.
    pub fn spawn(&mut self, spawn: Spawn, rng: &mut Rng) -> Option<(u8, u8)> {
        let empty = self.exponents().iter().filter(|&&e| e == 0).count();
        if empty == 0 {
            return None;
        }
        // At most 1,024 cells, so the number fits.
        let cell = rng.below(empty as u32) as usize;
        let exponent = if rng.below(Spawn::ONE) < spawn.weight(1) {
            1
        } else {
            2
        };
        let (row, col) = self.empty_cells().nth(cell)?;
        self.set(row, col, exponent);
        Some((row, col))
    }
}
