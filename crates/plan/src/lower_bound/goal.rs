//! What is asked for, and why it may not be answered.

use std::fmt;

use tilebase_game::{Spawn, Variant, tile_value};

/// A target tile, a spawn rule and a number of start tiles. There is no board.
///
/// ```
/// use tilebase_plan::lower_bound::{BoundError, BoundGoal};
/// use tilebase_game::Spawn;
///
/// assert_eq!(BoundGoal::new(11, Spawn::STANDARD, 2).map(|goal| goal.target()), Ok(11));
/// assert_eq!(BoundGoal::new(21, Spawn::STANDARD, 2), Err(BoundError::Target(21)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoundGoal {
    target: u8,
    spawn: Spawn,
    start_tiles: u16,
}

impl BoundGoal {
    /// Exponent of the largest target. Beyond it the distribution takes minutes.
    pub const MAX_TARGET: u8 = 20;
    /// The most start tiles: as many as the largest board has cells.
    pub const MAX_START_TILES: u16 = 1024;

    /// A goal with a target exponent from 3 to [`BoundGoal::MAX_TARGET`] and from 1 to
    /// [`BoundGoal::MAX_START_TILES`] start tiles.
    pub fn new(target: u8, spawn: Spawn, start_tiles: u16) -> Result<BoundGoal, BoundError> {
        if !(Variant::MIN_TARGET..=BoundGoal::MAX_TARGET).contains(&target) {
            return Err(BoundError::Target(target));
        }
        if !(1..=BoundGoal::MAX_START_TILES).contains(&start_tiles) {
            return Err(BoundError::StartTiles(start_tiles));
        }
        Ok(BoundGoal {
            target,
            spawn,
            start_tiles,
        })
    }

    /// Exponent of the target tile.
    pub const fn target(&self) -> u8 {
        self.target
    }

    /// How new tiles fall.
    pub const fn spawn(&self) -> Spawn {
        self.spawn
    }

    /// How many tiles are there at the start.
    pub const fn start_tiles(&self) -> u16 {
        self.start_tiles
    }
}

/// Why there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundError {
    /// The target's exponent is out of range.
    Target(u8),
    /// The number of start tiles is out of range.
    StartTiles(u16),
    /// It was asked to stop.
    Interrupted,
}

impl fmt::Display for BoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoundError::Target(target) => write!(
                f,
                "the lower bound is for targets from {} to {}, not 2^{target}",
                tile_value(Variant::MIN_TARGET),
                tile_value(BoundGoal::MAX_TARGET)
            ),
            BoundError::StartTiles(tiles) => write!(
                f,
                "{tiles} start tiles are out of range: use 1 to {}",
                BoundGoal::MAX_START_TILES
            ),
            BoundError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for BoundError {}
