//! What is to be planned: from where, to which tile, and who says where new tiles fall.

use std::fmt;
use std::str::FromStr;

use tilebase_game::{Grid, Rng, Shape, Spawn, Variant, VariantError, tile_value};

use crate::bound;
use crate::cost::MOST_STEPS;
use crate::tile::tiles;

/// Who says which tile falls and where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SpawnRule {
    /// The topmost, then leftmost empty cell. Where 2s and 4s can fall, dice say which.
    #[default]
    First,
    /// Dice that are known in advance.
    Random,
    /// The planner: the cooperative game.
    Best,
    /// An adversary, whom the plan must be ready for.
    Worst,
}

impl SpawnRule {
    /// All rules.
    pub const ALL: [SpawnRule; 4] = [
        SpawnRule::First,
        SpawnRule::Random,
        SpawnRule::Best,
        SpawnRule::Worst,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            SpawnRule::First => "first",
            SpawnRule::Random => "random",
            SpawnRule::Best => "best",
            SpawnRule::Worst => "worst",
        }
    }
}

impl fmt::Display for SpawnRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SpawnRule {
    type Err = String;

    fn from_str(text: &str) -> Result<SpawnRule, String> {
        let mut rules = SpawnRule::ALL.into_iter();
        rules
            .find(|rule| rule.name() == text)
            .ok_or_else(|| format!("'{text}' is not a rule: use first, random, best or worst"))
    }
}

/// Where a plan begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanStart {
    /// So many tiles fall on the empty board, by the rule of all others.
    Tiles(u16),
    /// A position.
    Board(Grid),
}

/// What is to be planned.
///
/// New tiles are numbered from 0, start tiles first. The dice of tile n under a seed are those
/// of [`Rng::for_game`]`(seed, n)`, whatever was done before: so they are known in advance.
/// [`Grid::spawn`] draws the cell among the empty ones, then the value; where the cell is given,
/// the value alone is drawn.
///
/// ```
/// use tilebase_game::Spawn;
/// use tilebase_plan::{SpawnRule, PlanStart, PlanTask};
///
/// let task = PlanTask::new("4x4".parse()?, 11, PlanStart::Tiles(2), Spawn::TWOS, SpawnRule::First, 0)?;
/// assert_eq!(task.lower_bound(), 1032);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanTask {
    shape: Shape,
    goal: u8,
    start: PlanStart,
    spawn: Spawn,
    rule: SpawnRule,
    seed: u64,
    lower_bound: u128,
}

/// Why nothing can be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanTaskError {
    /// The goal is out of range, or so is the number of start tiles.
    Variant(VariantError),
    /// The start has another shape.
    Shape {
        /// The shape of the start.
        board: Shape,
        /// The shape asked for.
        shape: Shape,
    },
    /// There is no tile at the start.
    Empty,
    /// The goal cannot be on a board of this shape.
    TooLarge {
        /// The goal's exponent.
        goal: u8,
        /// The shape.
        shape: Shape,
        /// The largest exponent that it can hold.
        most: u8,
    },
    /// The plan would have too many steps to be written down.
    TooLong {
        /// Steps that it has at least.
        steps: u128,
    },
}

impl fmt::Display for PlanTaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlanTaskError::Variant(error) => error.fmt(f),
            PlanTaskError::Shape { board, shape } => {
                write!(f, "the board is {board}, not {shape}: give one of them")
            }
            PlanTaskError::Empty => f.write_str("the board has no tile: put one on it"),
            PlanTaskError::TooLarge { goal, shape, most } => write!(
                f,
                "{} cannot be made on a {shape} board with these tiles: at most {}",
                tile_value(*goal),
                tile_value(*most)
            ),
            PlanTaskError::TooLong { steps } => write!(
                f,
                "a plan to this tile has at least {steps} slides: at most {MOST_STEPS} here"
            ),
        }
    }
}

impl std::error::Error for PlanTaskError {}

impl PlanTask {
    /// A task, if it makes sense.
    pub fn new(
        shape: Shape,
        goal: u8,
        start: PlanStart,
        spawn: Spawn,
        rule: SpawnRule,
        seed: u64,
    ) -> Result<PlanTask, PlanTaskError> {
        let start_tiles = match &start {
            PlanStart::Tiles(number) => *number,
            PlanStart::Board(_) => 1,
        };
        Variant::new(shape, Some(goal), spawn, start_tiles).map_err(PlanTaskError::Variant)?;
        if let PlanStart::Board(grid) = &start {
            if grid.shape() != shape {
                let board = grid.shape();
                return Err(PlanTaskError::Shape { board, shape });
            }
            if grid.max_exponent() == 0 {
                return Err(PlanTaskError::Empty);
            }
        }
        let mut task = PlanTask {
            shape,
            goal,
            start,
            spawn,
            rule,
            seed,
            lower_bound: 0,
        };
        task.lower_bound = task.least_slides();
        let most = task.most();
        if goal > most {
            return Err(PlanTaskError::TooLarge { goal, shape, most });
        }
        let steps = task.lower_bound();
        if steps > u128::from(MOST_STEPS) {
            return Err(PlanTaskError::TooLong { steps });
        }
        Ok(task)
    }

    /// The largest exponent that can be hoped for.
    ///
    /// With c cells and new tiles up to 2^s the largest tile is 2^(c+s−1): c tiles that all
    /// differ, and one more that falls and merges with the smallest. Given tiles of at most
    /// 2^m, the largest is below 2^(m+c+1), which is less sharp and enough here.
    fn most(&self) -> u8 {
        let cells = u32::from(self.shape.cells());
        let most = match &self.start {
            PlanStart::Tiles(_) => cells + u32::from(self.largest_spawn()) - 1,
            PlanStart::Board(grid) => {
                cells + u32::from(grid.max_exponent().max(self.largest_spawn()))
            }
        };
        most.min(tilebase_game::MAX_EXPONENT.into()) as u8
    }

    /// The board's shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The goal's exponent.
    pub fn goal(&self) -> u8 {
        self.goal
    }

    /// Where the plan begins.
    pub fn start(&self) -> &PlanStart {
        &self.start
    }

    /// Which tiles fall.
    pub fn spawn(&self) -> Spawn {
        self.spawn
    }

    /// Who says where.
    pub fn rule(&self) -> SpawnRule {
        self.rule
    }

    /// The seed of the dice.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Exponent of the largest tile that can fall.
    pub fn largest_spawn(&self) -> u8 {
        self.spawn.exponents().max().unwrap_or(1)
    }

    /// How many tiles fall before the first slide.
    pub fn start_tiles(&self) -> u16 {
        match self.start {
            PlanStart::Tiles(number) => number,
            PlanStart::Board(_) => 0,
        }
    }

    /// Slides that any plan has at least, wherever tiles fall.
    ///
    /// Where 2s and 4s fall by dice, these are taken into account as far as they do not depend
    /// on the plan.
    pub fn lower_bound(&self) -> u128 {
        self.lower_bound
    }

    fn least_slides(&self) -> u128 {
        let mut numbers = [0; 128];
        match &self.start {
            PlanStart::Board(grid) => {
                for tile in tiles(grid) {
                    numbers[usize::from(tile.exponent())] += 1;
                }
            }
            PlanStart::Tiles(number) => numbers[usize::from(self.largest_spawn())] = *number,
        }
        let least = bound::least_slides(&numbers, self.goal, self.largest_spawn());
        // Dice are looked at one by one.
        let dice = least.saturating_mul(self.shape.cells().into());
        let chosen = matches!(self.rule, SpawnRule::Best | SpawnRule::Worst);
        if least == 0 || chosen || self.spawn.exponents().count() == 1 || dice > MOST_DICE {
            return least;
        }
        if let PlanStart::Tiles(number) = self.start {
            numbers = [0; 128];
            for tile in 0..number {
                numbers[usize::from(self.largest_drawn(tile.into()))] += 1;
            }
        }
        let first = u64::from(self.start_tiles());
        let drawn = |slide: u64| self.largest_drawn(first + slide - 1);
        bound::least_slides_with(&numbers, self.goal, drawn)
    }

    /// The largest exponent that the dice of a tile give, whatever the plan.
    fn largest_drawn(&self, number: u64) -> u8 {
        if self.rule == SpawnRule::First {
            return self.exponent(number);
        }
        // How many numbers the dice give for the cell depends on how many are empty.
        let empty = 1..=u32::from(self.shape.cells());
        let exponents = empty.map(|empty| {
            let mut dice = self.dice(number);
            dice.below(empty);
            drawn(self.spawn, &mut dice)
        });
        exponents.max().unwrap_or(1)
    }

    /// The dice of a new tile.
    pub(crate) fn dice(&self, number: u64) -> Rng {
        Rng::for_game(self.seed, number)
    }

    /// The exponent of a new tile whose cell is given.
    pub(crate) fn exponent(&self, number: u64) -> u8 {
        let twos = self.spawn.weight(1);
        match twos {
            0 => 2,
            Spawn::ONE => 1,
            _ => drawn(self.spawn, &mut self.dice(number)),
        }
    }
}

/// Dice that may be looked at for a lower bound.
const MOST_DICE: u128 = 1 << 25;

/// An exponent by dice, as [`Grid::spawn`] draws it.
pub(crate) fn drawn(spawn: Spawn, rng: &mut Rng) -> u8 {
    if rng.below(Spawn::ONE) < spawn.weight(1) {
        1
    } else {
        2
    }
}
