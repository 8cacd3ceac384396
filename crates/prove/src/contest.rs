//! The game against an adversary: what is asked, and the possible answers.

use std::fmt;
use std::str::FromStr;

use tilebase_game::{
    Formation, MAX_PACKED_EXPONENT, Rules, Shape, Spawn, TooLarge, Variant, VariantError,
    parse_tile, tile_value,
};

/// Which tiles Dropper may drop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DropTiles {
    /// Only 2s, as in the published work.
    Twos,
    /// Only 4s: the game of 2s with every tile doubled.
    Fours,
    /// A 2 or a 4, as Dropper likes: the real game at its worst.
    Both,
}

impl DropTiles {
    /// All of them.
    pub const ALL: [DropTiles; 3] = [DropTiles::Twos, DropTiles::Fours, DropTiles::Both];

    /// The exponents that may be dropped, smallest first.
    pub const fn exponents(self) -> &'static [u8] {
        match self {
            DropTiles::Twos => &[1],
            DropTiles::Fours => &[2],
            DropTiles::Both => &[1, 2],
        }
    }

    /// The largest exponent that may be dropped.
    pub const fn largest(self) -> u8 {
        match self {
            DropTiles::Twos => 1,
            DropTiles::Fours | DropTiles::Both => 2,
        }
    }

    /// A spawn rule with the same tiles, each of which can fall.
    pub fn spawn(self) -> Spawn {
        match self {
            DropTiles::Twos => Spawn::TWOS,
            DropTiles::Fours => Spawn::FOURS,
            DropTiles::Both => Spawn::STANDARD,
        }
    }
}

impl fmt::Display for DropTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DropTiles::Twos => "2",
            DropTiles::Fours => "4",
            DropTiles::Both => "2,4",
        })
    }
}

impl FromStr for DropTiles {
    type Err = ContestError;

    fn from_str(text: &str) -> Result<DropTiles, ContestError> {
        match text {
            "2" => Ok(DropTiles::Twos),
            "4" => Ok(DropTiles::Fours),
            "2,4" | "4,2" => Ok(DropTiles::Both),
            _ => Err(ContestError::DropTiles(text.to_owned())),
        }
    }
}

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Winner {
    /// Slider makes the target tile whatever Dropper does.
    Slider,
    /// Dropper brings about a board without a legal slide first.
    Dropper,
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Winner::Slider => "slider",
            Winner::Dropper => "dropper",
        })
    }
}

/// A question: can Slider force the target from the empty board, Dropper to drop first?
///
/// With a formation the walls stand on the board before the first drop, and Slider must win from
/// every placement that the formation allows.
///
/// ```
/// use tilebase_prove::{Contest, DropTiles};
///
/// let contest = Contest::new("3x3".parse()?, 9, DropTiles::Twos)?;
/// assert_eq!(contest.to_string(), "3x3-to-512-drops-2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Contest {
    rules: Rules,
    target: u8,
    drops: DropTiles,
    formation: Option<Formation>,
}

impl Contest {
    /// A contest for the tile 2^`target` on a board of at most 4×4 cells.
    ///
    /// The target must be larger than every drop, and fit a packed board.
    pub fn new(shape: Shape, target: u8, drops: DropTiles) -> Result<Contest, ContestError> {
        let rules = Rules::new(shape).map_err(ContestError::Shape)?;
        if target <= drops.largest() || target > MAX_PACKED_EXPONENT {
            return Err(ContestError::Target { target, drops });
        }
        Ok(Contest {
            rules,
            target,
            drops,
            formation: None,
        })
    }

    /// The contest with walls.
    pub fn with_formation(self, formation: Formation) -> Result<Contest, ContestError> {
        // Walls have the largest exponent of a packed board.
        let (target, drops) = (self.target, self.drops);
        if target >= MAX_PACKED_EXPONENT {
            return Err(ContestError::Target { target, drops });
        }
        Ok(Contest {
            rules: self.rules.with_formation(&formation, Some(target)),
            formation: Some(formation),
            ..self
        })
    }

    /// The formation, if the contest has walls.
    pub const fn formation(&self) -> Option<&Formation> {
        self.formation.as_ref()
    }

    /// The game of one start tile in which each of the drops can spawn: it has the same
    /// positions.
    pub fn variant(&self) -> Result<Variant, VariantError> {
        let variant = Variant::new(self.shape(), Some(self.target), self.drops.spawn(), 1)?;
        match self.formation {
            Some(formation) => variant.with_formation(formation),
            None => Ok(variant),
        }
    }

    /// The board's shape.
    pub const fn shape(&self) -> Shape {
        self.rules.shape()
    }

    /// The rules of the shape.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Exponent of the tile that Slider wants.
    pub const fn target(&self) -> u8 {
        self.target
    }

    /// What Dropper may drop.
    pub const fn drops(&self) -> DropTiles {
        self.drops
    }

    /// The largest exponent that the cells can hold however the players play together:
    /// one tile of every smaller size must be on the board just before.
    pub const fn largest_exponent(&self) -> u8 {
        (self.shape().cells() as u8) - self.rules.walls() - 1 + self.drops.largest()
    }
}

impl fmt::Display for Contest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shape, to, drops) = (self.shape(), tile_value(self.target), self.drops);
        write!(f, "{shape}-to-{to}")?;
        if let Some(formation) = &self.formation {
            match formation.name(shape) {
                Some(name) => write!(f, "-formation-{name}")?,
                None => write!(f, "-walls-{}", formation.walls())?,
            }
        }
        write!(f, "-drops-{drops}")
    }
}

impl FromStr for Contest {
    type Err = ContestError;

    /// Reads what `Display` writes of a contest without walls.
    fn from_str(name: &str) -> Result<Contest, ContestError> {
        let bad = || ContestError::Name(name.to_owned());
        let (shape, rest) = name.split_once("-to-").ok_or_else(bad)?;
        let (tile, drops) = rest.split_once("-drops-").ok_or_else(bad)?;
        let shape = shape.parse().map_err(|_| bad())?;
        let target = parse_tile(tile).map_err(|_| bad())?;
        Contest::new(shape, target, drops.parse()?)
    }
}

/// Why something is not a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContestError {
    /// The board is too large.
    Shape(TooLarge),
    /// The target is dropped, or does not fit a packed board.
    Target {
        /// The exponent asked for.
        target: u8,
        /// What may be dropped.
        drops: DropTiles,
    },
    /// Not a set of drops.
    DropTiles(String),
    /// Not a contest's name.
    Name(String),
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContestError::Shape(error) => error.fmt(f),
            ContestError::Target { target, drops } => write!(
                f,
                "target {} is out of range with drops of {drops}: use a power of two from {} to {}",
                tile_value(*target),
                tile_value(drops.largest() + 1),
                tile_value(MAX_PACKED_EXPONENT)
            ),
            ContestError::DropTiles(text) => write!(f, "'{text}' are no drops: use 2, 4 or 2,4"),
            ContestError::Name(name) => {
                write!(
                    f,
                    "'{name}' is not a contest: write it as 3x3-to-512-drops-2"
                )
            }
        }
    }
}

impl std::error::Error for ContestError {}
