//! A game in progress.

use tilebase_game::{Grid, Move, Rng, Variant, tile_value};

/// The exponent of 2048.
pub(crate) const EXPONENT_2048: u8 = 11;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The target tile is on the board.
    Won,
    /// No move is left.
    Lost,
}

impl Ending {
    /// How a game has ended at this position, if it has.
    pub fn of(variant: &Variant, grid: &Grid) -> Option<Ending> {
        if variant.target().is_some_and(|target| grid.reaches(target)) {
            Some(Ending::Won)
        } else if grid.is_lost() {
            Some(Ending::Lost)
        } else {
            None
        }
    }
}

/// A game in progress.
///
/// ```
/// use tilebase_game::{Move, Rng, Variant};
/// use tilebase_play::Game;
///
/// let variant: Variant = "4x4-to-2048".parse().unwrap();
/// let mut game = Game::new(variant, Rng::new(7));
/// let moves: Vec<Move> = game.grid().legal_moves().iter().collect();
/// assert!(game.slide(moves[0]));
/// assert_eq!(game.moves(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    variant: Variant,
    grid: Grid,
    score: u128,
    moves: u64,
    moves_to_2048: Option<u64>,
    spawned: Option<(u8, u8)>,
    rng: Rng,
}

impl Game {
    /// A new game: the start tiles are drawn from `rng`, as will be all tiles after them.
    pub fn new(variant: Variant, rng: Rng) -> Game {
        let mut game = Game::from_position(variant, Grid::empty(variant.shape()), rng);
        for _ in 0..variant.start_tiles() {
            game.spawn();
        }
        game
    }

    /// A game that starts from a position.
    pub fn from_position(variant: Variant, grid: Grid, rng: Rng) -> Game {
        Game {
            variant,
            grid,
            score: 0,
            moves: 0,
            moves_to_2048: None,
            spawned: None,
            rng,
        }
    }

    /// Slides and spawns the next tile. Returns `false`, and changes nothing, if the move is
    /// not legal.
    pub fn slide(&mut self, m: Move) -> bool {
        let Some(score) = self.grid.slide(m) else {
            return false;
        };
        self.score += score;
        self.moves += 1;
        // The merge that makes the first 2048 scores as much: few moves need the full check.
        if score >= tile_value(EXPONENT_2048)
            && self.moves_to_2048.is_none()
            && self.grid.reaches(EXPONENT_2048)
        {
            self.moves_to_2048 = Some(self.moves);
        }
        self.spawn();
        true
    }

    fn spawn(&mut self) {
        self.spawned = self.grid.spawn(self.variant.spawn(), &mut self.rng);
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        Ending::of(&self.variant, &self.grid)
    }

    /// The game's rules.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The position.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The score: the sum of all tiles made by merging.
    pub fn score(&self) -> u128 {
        self.score
    }

    /// The number of moves made.
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The number of moves up to the first 2048, if there was one.
    pub fn moves_to_2048(&self) -> Option<u64> {
        self.moves_to_2048
    }

    /// The cell (row, column) of the newest tile.
    pub fn spawned(&self) -> Option<(u8, u8)> {
        self.spawned
    }
}
