//! A game in full: shape, target, spawn rule, start tiles.

use std::fmt;
use std::str::FromStr;

use crate::board::Board;
use crate::formation::{Formation, FormationError};
use crate::grid::{Grid, MAX_EXPONENT, tile_value};
use crate::notation::{BoardError, TileError, parse_tile};
use crate::shape::{Shape, ShapeError};
use crate::spawn::{Spawn, SpawnError};
use crate::symmetry::Symmetry;

/// A game: a shape, a target, a spawn rule, a number of start tiles.
///
/// Its name leaves out what is standard: `4x4` is played until it is lost, `3x3-to-512`
/// until the 512, `2x2-to-32-spawn-2:1-start-1` with 2s only, from a single tile,
/// `4x4-to-512-formation-L3` with the walls of a [`Formation`].
///
/// ```
/// use tilebase_game::Variant;
///
/// let variant: Variant = "3x3-to-512".parse().unwrap();
/// assert_eq!(variant.target(), Some(9));
/// assert_eq!(variant.start_tiles(), 2);
/// assert_eq!(variant.to_string(), "3x3-to-512");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    shape: Shape,
    target: Option<u8>,
    spawn: Spawn,
    start_tiles: u16,
    formation: Option<Formation>,
}

impl Variant {
    /// The smallest target: the 8 tile, the first that never spawns.
    pub const MIN_TARGET: u8 = 3;
    /// Start tiles unless said otherwise.
    pub const START_TILES: u16 = 2;

    /// A variant with a target exponent from 3 to [`MAX_EXPONENT`] or none, and from 1
    /// start tile to as many as there are cells.
    pub fn new(
        shape: Shape,
        target: Option<u8>,
        spawn: Spawn,
        start_tiles: u16,
    ) -> Result<Variant, VariantError> {
        if let Some(target) = target
            && !(Variant::MIN_TARGET..=MAX_EXPONENT).contains(&target)
        {
            return Err(VariantError::Target(target));
        }
        if start_tiles == 0 || start_tiles > shape.cells() {
            return Err(VariantError::StartTiles { start_tiles, shape });
        }
        Ok(Variant {
            shape,
            target,
            spawn,
            start_tiles,
            formation: None,
        })
    }

    /// The variant with walls.
    pub fn with_formation(self, formation: Formation) -> Result<Variant, VariantError> {
        let free = self.shape.cells().saturating_sub(formation.walls().into());
        if self.start_tiles > free {
            return Err(VariantError::FreeCells {
                start_tiles: self.start_tiles,
                free,
            });
        }
        Ok(Variant {
            formation: Some(formation),
            ..self
        })
    }

    /// The board's shape.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Exponent of the target tile, if the game has one.
    pub const fn target(&self) -> Option<u8> {
        self.target
    }

    /// How new tiles fall.
    pub const fn spawn(&self) -> Spawn {
        self.spawn
    }

    /// How many tiles are on the board at the start, beside walls.
    pub const fn start_tiles(&self) -> u16 {
        self.start_tiles
    }

    /// The formation, if the game has walls.
    pub const fn formation(&self) -> Option<&Formation> {
        self.formation.as_ref()
    }

    /// Cells without a wall.
    pub fn free_cells(&self) -> u16 {
        let walls = self.formation.map_or(0, |formation| formation.walls());
        self.shape.cells() - u16::from(walls)
    }

    /// Whether a packed board is won: it has the target or a larger tile, with a formation on
    /// one of its goal cells.
    #[inline]
    pub fn is_won(&self, board: Board) -> bool {
        match (self.target, &self.formation) {
            (None, _) => false,
            (Some(target), None) => board.reaches(target),
            (Some(target), Some(formation)) => formation.is_won(board, target),
        }
    }

    /// Reads a packed board of the game in either notation. With a formation `#` is a wall, and
    /// in hex `f`.
    pub fn parse_board(&self, text: &str) -> Result<Board, BoardError> {
        match &self.formation {
            None => Board::parse(text, self.shape),
            Some(formation) => Board::parse_with_walls(text, self.shape, formation.walls()),
        }
    }

    /// Reads a board of the game in either notation, of any shape. With a formation walls are
    /// tiles of exponent 15, as on a packed board.
    pub fn parse_grid(&self, text: &str) -> Result<Grid, BoardError> {
        match &self.formation {
            None => Grid::parse(text, Some(self.shape)),
            Some(_) => Ok(self.parse_board(text)?.unpack(self.shape)),
        }
    }

    /// A board of the game as tile values, with walls as `#`.
    pub fn tiles_text(&self, grid: &Grid) -> String {
        let packed = self.formation.and_then(|_| grid.pack());
        packed.map_or_else(
            || grid.to_string(),
            |board| board.text_with_walls(self.shape),
        )
    }

    /// The variant with rows as columns.
    #[must_use]
    pub fn transposed(&self) -> Variant {
        let image = |formation: Formation| formation.image(self.shape, Symmetry::Transpose);
        Variant {
            shape: self.shape.transposed(),
            formation: self.formation.map(image),
            ..*self
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.shape)?;
        if let Some(target) = self.target {
            write!(f, "-to-{}", tile_value(target))?;
        }
        if let Some(formation) = &self.formation {
            match formation.name(self.shape) {
                Some(name) => write!(f, "-formation-{name}")?,
                None => {
                    write!(f, "-walls-{}", formation.walls())?;
                    let masks = formation.masks().iter();
                    let masks: Vec<String> = masks.map(|mask| mask.hex(self.shape)).collect();
                    if !masks.is_empty() {
                        write!(f, "-keep-{}", masks.join("+"))?;
                    }
                    write!(f, "-goal-{}", formation.goal().hex(self.shape))?;
                }
            }
        }
        if self.spawn != Spawn::STANDARD {
            write!(f, "-spawn-{}", self.spawn)?;
        }
        if self.start_tiles != Variant::START_TILES {
            write!(f, "-start-{}", self.start_tiles)?;
        }
        Ok(())
    }
}

/// Why something is not a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantError {
    /// The name does not begin with a shape.
    Shape(ShapeError),
    /// The name's target is not a tile.
    Tile(TileError),
    /// The name's spawn rule is invalid.
    Spawn(SpawnError),
    /// The target's exponent is out of range.
    Target(u8),
    /// No start tile, or more than cells.
    StartTiles {
        /// The number asked for.
        start_tiles: u16,
        /// The shape it does not fit.
        shape: Shape,
    },
    /// More start tiles than cells without a wall.
    FreeCells {
        /// The number asked for.
        start_tiles: u16,
        /// The cells without a wall.
        free: u16,
    },
    /// The walls are not a formation.
    Formation(FormationError),
    /// The name does not continue with known parts, each with its value, in their order.
    Part(String),
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VariantError::Shape(error) => error.fmt(f),
            VariantError::Tile(error) => error.fmt(f),
            VariantError::Spawn(error) => error.fmt(f),
            VariantError::Target(exponent) => write!(
                f,
                "target {} is out of range: use a power of two from 8 to 2^{MAX_EXPONENT}",
                tile_value(*exponent)
            ),
            VariantError::StartTiles { start_tiles, shape } => write!(
                f,
                "{start_tiles} start tiles do not fit a {shape} board: use 1 to {}",
                shape.cells()
            ),
            VariantError::FreeCells { start_tiles, free } => write!(
                f,
                "{start_tiles} start tiles do not fit the {free} cells without a wall: use 1 to {free}"
            ),
            VariantError::Formation(error) => error.fmt(f),
            VariantError::Part(part) => write!(
                f,
                "invalid variant name at '{part}': \
                 use SHAPE[-to-TILE][-formation-NAME][-spawn-RULE][-start-TILES]"
            ),
        }
    }
}

impl std::error::Error for VariantError {}

impl FromStr for Variant {
    type Err = VariantError;

    fn from_str(name: &str) -> Result<Variant, VariantError> {
        let (shape, mut rest) = match name.split_once('-') {
            Some((shape, rest)) => (shape, Some(rest)),
            None => (name, None),
        };
        let shape = shape.parse().map_err(VariantError::Shape)?;
        let mut take = |key: &str| -> Option<&str> {
            let value = rest?.strip_prefix(key)?.strip_prefix('-')?;
            let (value, next) = match value.split_once('-') {
                Some((value, next)) => (value, Some(next)),
                None => (value, None),
            };
            rest = next;
            Some(value)
        };
        let target = take("to").map(parse_tile).transpose();
        let formation = take("formation").map(|name| Formation::named(name, shape));
        let walls = take("walls").map(|text| {
            let walls = text.parse::<u8>();
            walls.map_err(|_| VariantError::Part(text.to_owned()))
        });
        let keep = take("keep").map(|text| text.split('+').map(str::to_owned).collect());
        let goal = take("goal").map(str::to_owned);
        let spawn = take("spawn").map(str::parse).transpose();
        let start = take("start").map(|text| {
            text.parse()
                .map_err(|_| VariantError::Part(text.to_owned()))
        });
        if let Some(rest) = rest {
            return Err(VariantError::Part(rest.to_owned()));
        }
        let variant = Variant::new(
            shape,
            target.map_err(VariantError::Tile)?,
            spawn.map_err(VariantError::Spawn)?.unwrap_or_default(),
            start.transpose()?.unwrap_or(Variant::START_TILES),
        )?;
        let formation = match (formation, walls.transpose()?) {
            (Some(formation), None) if keep.is_none() && goal.is_none() => formation,
            (None, Some(walls)) => {
                let masks: Vec<String> = keep.unwrap_or_default();
                Formation::parse(shape, walls, &masks, goal.as_deref())
            }
            (None, None) if keep.is_none() && goal.is_none() => return Ok(variant),
            _ => return Err(VariantError::Part(name.to_owned())),
        };
        variant.with_formation(formation.map_err(VariantError::Formation)?)
    }
}
