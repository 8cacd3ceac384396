//! Formations: large tiles as walls.
//!
//! Late in a game of 2048 a few large, different tiles stand in the way, and a smaller tile must
//! be made on the cells that are left. With the large tiles taken for walls, such an endgame is a
//! small game of its own that can be solved exactly.

use std::fmt;

use crate::board::Board;
use crate::cell_set::CellSet;
use crate::shape::Shape;
use crate::symmetry::Symmetry;

/// The walls of a game, where they must stay, and where the target tile counts.
///
/// A **wall** slides like any tile, never merges, not even with a wall, is worth nothing and does
/// not count towards the sum of a board. A packed board has it as exponent 15, in text it is `#`.
///
/// A slide is allowed if it changes the board, walls then cover all cells of one of the
/// **masks** (if there are any), and it makes no tile above the target. A board is won if the
/// target stands on one of the **goal cells**.
///
/// Why no tile above the target: a target away from the goal cells is there to be brought to one.
/// If two of them could merge, the formation would be the whole endless game on its free cells,
/// ten times as large or more, for a chance that is hardly larger (docs/formations.md has
/// figures).
///
/// ```
/// use tilebase_game::{Formation, Shape};
///
/// let shape: Shape = "4x4".parse().unwrap();
/// let formation = Formation::named("L3", shape).unwrap();
/// assert_eq!((formation.walls(), formation.masks().len()), (6, 1));
/// assert_eq!(formation.name(shape).as_deref(), Some("L3"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Formation {
    walls: u8,
    masks: [CellSet; Formation::MOST_MASKS],
    number: u8,
    goal: CellSet,
}

/// A formation with a name: masks, number of walls, goal cells (none: all), all on 4x4.
type Known = (&'static str, &'static [&'static str], u8, &'static str);

/// The formations of the project 2048EndgameTablebase (November 2026): names, masks, walls and
/// goal cells are its own. Its L3 counts a target on two cells only; here it counts everywhere.
const KNOWN: &[Known] = &[
    ("L3", &["fff0fff"], 6, ""),
    (
        "L3t",
        &["fff0fff", "f0fff0ff0", "f000f0ff00ff0"],
        6,
        "ffff00000000",
    ),
    ("442", &["ffffff"], 6, "f000000"),
    (
        "442t",
        &[
            "ffffff",
            "f0ff0fff",
            "ffff0ff",
            "ffff00ff",
            "f00fffff0",
            "ff0ff0ff0",
            "f00000ff0fff",
            "f0000fff00ff",
            "f00f00ff0ff0",
            "f00f0fff00f0",
        ],
        6,
        "ff0ff000000",
    ),
    (
        "t",
        &["f0fff0ff", "f000f0ff00ff", "f000f00000ff00ff"],
        6,
        "ff0f000f00",
    ),
    ("4421", &["ff0fff"], 5, "f000000"),
    (
        "2432t",
        &["f00ff0ff", "f000f00f00ff", "f000f000000f00ff"],
        5,
        "fff0ff00f00",
    ),
    ("LL", &["ff00ff"], 4, "ff0f000f00"),
    ("LLf", &["ff00ff"], 5, "ffffffffff00ff00"),
    ("4431", &["f0fff"], 4, "f00000"),
    ("444", &["ffff"], 4, "ff00000"),
    ("444s", &["ffff"], 4, "f0000"),
    ("4432", &["f00ff"], 3, "f00000"),
    ("4432f", &["f00ff"], 4, "f00000"),
    ("4441", &["fff"], 3, "fff000"),
    ("4442", &["ff"], 2, "ff0f00"),
    ("4442f", &["ff"], 3, "ffff00"),
    ("4442ff", &["ff"], 4, "ff0fff0f00"),
];

impl Formation {
    /// The most masks that a formation can have.
    pub const MOST_MASKS: usize = 16;

    /// A formation on a shape of at most 4×4. Without masks every slide is allowed; goal cells
    /// may be all cells.
    pub fn new(
        shape: Shape,
        walls: u8,
        masks: &[CellSet],
        goal: CellSet,
    ) -> Result<Formation, FormationError> {
        if shape.rows() > 4 || shape.cols() > 4 {
            return Err(FormationError::Shape(shape));
        }
        let cells = shape.cells();
        if walls == 0 || u16::from(walls) + 1 >= cells {
            return Err(FormationError::Walls { walls, shape });
        }
        let mut sorted = masks.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        // A mask that contains another one allows nothing more.
        let all = sorted.clone();
        sorted.retain(|mask| {
            !all.iter()
                .any(|other| other != mask && other.is_subset(*mask))
        });
        // The empty mask is always covered.
        sorted.retain(|mask| !mask.is_empty());
        if masks.iter().any(|mask| mask.is_empty()) {
            sorted.clear();
        }
        if sorted.len() > Formation::MOST_MASKS {
            return Err(FormationError::Masks(sorted.len()));
        }
        if let Some(mask) = sorted.iter().find(|mask| mask.len() > u32::from(walls)) {
            return Err(FormationError::Mask {
                cells: mask.len(),
                walls,
            });
        }
        if goal.is_empty() {
            return Err(FormationError::Goal);
        }
        let mut formation = Formation {
            walls,
            masks: [CellSet::EMPTY; Formation::MOST_MASKS],
            number: sorted.len() as u8,
            goal,
        };
        formation.masks[..sorted.len()].copy_from_slice(&sorted);
        Ok(formation)
    }

    /// The formation with a name: `L3` and others on 4x4, `freeN` with N free cells on every
    /// shape.
    pub fn named(name: &str, shape: Shape) -> Result<Formation, FormationError> {
        let unknown = || FormationError::Name {
            name: name.to_owned(),
            shape,
        };
        if let Some(free) = name.strip_prefix("free") {
            let free: u16 = free.parse().map_err(|_| unknown())?;
            let walls = shape.cells().checked_sub(free).ok_or_else(unknown)?;
            let walls = u8::try_from(walls).map_err(|_| unknown())?;
            return Formation::new(shape, walls, &[], CellSet::all(shape));
        }
        let known = KNOWN.iter().find(|known| known.0 == name);
        let &(_, masks, walls, goal) = known
            .filter(|_| shape.rows() == 4 && shape.cols() == 4)
            .ok_or_else(unknown)?;
        let masks: Option<Vec<CellSet>> = masks
            .iter()
            .map(|mask| CellSet::parse(mask, shape))
            .collect();
        let goal = match goal {
            "" => Some(CellSet::all(shape)),
            goal => CellSet::parse(goal, shape),
        };
        let (masks, goal) = masks.zip(goal).ok_or_else(unknown)?;
        Formation::new(shape, walls, &masks, goal)
    }

    /// The formation with masks and goal cells given as text; without goal cells, all are.
    pub fn parse(
        shape: Shape,
        walls: u8,
        masks: &[impl AsRef<str>],
        goal: Option<&str>,
    ) -> Result<Formation, FormationError> {
        let cells = |text: &str| {
            CellSet::parse(text, shape).ok_or_else(|| FormationError::Cells {
                text: text.to_owned(),
                shape,
            })
        };
        let masks: Result<Vec<CellSet>, FormationError> =
            masks.iter().map(|mask| cells(mask.as_ref())).collect();
        let goal = goal.map_or(Ok(CellSet::all(shape)), cells)?;
        Formation::new(shape, walls, &masks?, goal)
    }

    /// All names on 4x4, those with the fewest free cells first.
    pub fn names() -> Vec<String> {
        let free = (5..=12).map(|free| format!("free{free}"));
        let known = KNOWN.iter().map(|known| known.0.to_owned());
        known.chain(free).collect()
    }

    /// The name, if the formation has one on this shape.
    pub fn name(&self, shape: Shape) -> Option<String> {
        let free = shape.cells().checked_sub(self.walls.into())?;
        let known = KNOWN.iter().map(|known| known.0.to_owned());
        known
            .chain([format!("free{free}")])
            .find(|name| Formation::named(name, shape).as_ref() == Ok(self))
    }

    /// Number of walls.
    pub const fn walls(&self) -> u8 {
        self.walls
    }

    /// The masks; empty if every slide is allowed.
    pub fn masks(&self) -> &[CellSet] {
        &self.masks[..usize::from(self.number)]
    }

    /// The cells on which the target counts.
    pub const fn goal(&self) -> CellSet {
        self.goal
    }

    /// Whether walls cover all cells of one of the masks, or there is no mask.
    #[inline]
    pub fn keeps(&self, board: Board) -> bool {
        let walls = CellSet::walls(board);
        self.number == 0 || self.masks().iter().any(|mask| mask.is_subset(walls))
    }

    /// Whether a tile of an exponent or more, not a wall, stands on a goal cell.
    #[inline]
    pub fn is_won(&self, board: Board, target: u8) -> bool {
        let on_goal = board.without_walls().bits() & self.goal.board().bits();
        Board::from_bits(on_goal).reaches(target)
    }

    /// The formation that a symmetry makes of this one.
    #[must_use]
    pub fn image(&self, shape: Shape, symmetry: Symmetry) -> Formation {
        let mut image = *self;
        for mask in &mut image.masks[..usize::from(self.number)] {
            *mask = mask.image(shape, symmetry);
        }
        image.masks[..usize::from(self.number)].sort_unstable();
        image.goal = self.goal.image(shape, symmetry);
        image
    }

    /// The symmetries of a shape that leave the formation as it is.
    pub fn symmetries(&self, shape: Shape) -> impl Iterator<Item = Symmetry> {
        let formation = *self;
        let all = Symmetry::of(shape).iter().copied();
        all.filter(move |&symmetry| formation.image(shape, symmetry) == formation)
    }
}

/// Why something is not a formation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormationError {
    /// The shape is larger than 4×4.
    Shape(Shape),
    /// There is no formation with the name on the shape.
    Name {
        /// The name.
        name: String,
        /// The shape.
        shape: Shape,
    },
    /// No wall, or fewer than two cells without one.
    Walls {
        /// The number given.
        walls: u8,
        /// The shape.
        shape: Shape,
    },
    /// Too many masks.
    Masks(usize),
    /// A mask has more cells than there are walls.
    Mask {
        /// Its cells.
        cells: u32,
        /// The walls.
        walls: u8,
    },
    /// A set of cells is written wrongly.
    Cells {
        /// The text.
        text: String,
        /// The shape.
        shape: Shape,
    },
    /// No goal cell.
    Goal,
}

impl fmt::Display for FormationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormationError::Shape(shape) => {
                write!(f, "shape {shape} is too large for a formation: at most 4x4")
            }
            FormationError::Name { name, shape } => {
                write!(f, "there is no formation '{name}' on {shape}: use ")?;
                if (shape.rows(), shape.cols()) == (4, 4) {
                    return write!(f, "one of {}", Formation::names().join(", "));
                }
                write!(f, "freeN, where N is the number of cells without a wall")
            }
            FormationError::Walls { walls, shape } => write!(
                f,
                "{walls} walls do not fit a {shape} board: use 1 to {}",
                shape.cells().saturating_sub(2)
            ),
            FormationError::Masks(masks) => write!(
                f,
                "{masks} masks are too many: at most {}",
                Formation::MOST_MASKS
            ),
            FormationError::Mask { cells, walls } => write!(
                f,
                "a mask of {cells} cells cannot be covered by {walls} walls: use more walls or a \
                 smaller mask"
            ),
            FormationError::Cells { text, shape } => write!(
                f,
                "invalid cells '{text}': use one digit for each of the {} cells, f for a cell that \
                 is meant and 0 for the others, such as fff0fff on 4x4",
                shape.cells()
            ),
            FormationError::Goal => f.write_str("no goal cell is given: use at least one"),
        }
    }
}

impl std::error::Error for FormationError {}
