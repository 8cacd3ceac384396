//! One game in progress, made for speed: packed as long as that is exact, with all slides known.

use tilebase_game::{Board, Grid, Move, Rng, Spawn};

use crate::cells::ACTIONS;
use crate::rules::Setting;

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Live,
    Won,
    Lost,
}

/// A game in progress.
#[derive(Clone)]
pub struct Game {
    board: Board,
    /// The boards after all actions; those of the illegal ones are the board itself.
    slid: [Board; 4],
    /// The position where no packed board is exact: two tiles of 32768, or a larger one.
    large: Option<Box<Grid>>,
    /// The legal actions, as bits.
    legal: u8,
    standing: Standing,
    score: u64,
    moves: u64,
    rng: Rng,
    seed: u64,
    /// The number of the game among those of the seed.
    number: u64,
}

/// What an action did.
pub enum Step {
    /// It was legal, and made this many points.
    Slid(u64),
    /// It changes nothing.
    Illegal,
}

impl Game {
    /// No game yet: an empty board that waits for a reset.
    pub fn new(seed: u64) -> Game {
        Game {
            board: Board::EMPTY,
            slid: [Board::EMPTY; 4],
            large: None,
            legal: 0,
            standing: Standing::Lost,
            score: 0,
            moves: 0,
            rng: Rng::new(seed),
            seed,
            number: 0,
        }
    }

    /// The first game of a seed.
    pub fn begin(&mut self, setting: &Setting, seed: u64, start: Option<&[u8]>) {
        (self.seed, self.number) = (seed, 0);
        self.start(setting, start);
    }

    /// The next game of the seed.
    pub fn begin_next(&mut self, setting: &Setting, start: Option<&[u8]>) {
        self.number = self.number.wrapping_add(1);
        self.start(setting, start);
    }

    /// Deals the start tiles, with the dice of `tilebase play`: those of a series take every second
    /// stream, the players the others.
    fn start(&mut self, setting: &Setting, start: Option<&[u8]>) {
        self.rng = Rng::for_game(self.seed, self.number.wrapping_mul(2));
        (self.score, self.moves) = (0, 0);
        if let Some(cells) = start {
            self.set(setting, cells);
            return;
        }
        self.large = None;
        self.board = match setting.rules.walls() {
            0 => Board::EMPTY,
            _ => {
                let placements = setting.rules.wall_placements();
                placements[self.rng.below(placements.len() as u32) as usize]
            }
        };
        for _ in 0..setting.variant.start_tiles() {
            self.spawn(setting);
        }
        self.look(setting);
    }

    /// Puts a position on the board.
    pub fn set(&mut self, setting: &Setting, cells: &[u8]) {
        match setting.exact(cells) {
            Some(board) => (self.board, self.large) = (board, None),
            None => {
                let grid = Grid::from_exponents(setting.cells.shape, cells);
                self.large = grid.map(Box::new);
            }
        }
        self.look(setting);
    }

    /// Slides, without a new tile.
    #[inline]
    pub fn slide(&mut self, action: usize, setting: &Setting) -> Step {
        if self.legal >> action & 1 == 0 {
            return Step::Illegal;
        }
        let m: Move = ACTIONS[action];
        let points = match &mut self.large {
            None => {
                let points = setting.rules.score(self.board, m).into();
                self.board = self.slid[action];
                points
            }
            Some(grid) => grid.slide(m).unwrap_or(0) as u64,
        };
        self.score += points;
        self.moves += 1;
        Step::Slid(points)
    }

    /// Lets a tile fall: first its cell is drawn, then its value, as `Grid::spawn` does.
    #[inline]
    pub fn spawn(&mut self, setting: &Setting) {
        let spawn = setting.variant.spawn();
        if let Some(grid) = &mut self.large {
            grid.spawn(spawn, &mut self.rng);
            return;
        }
        let mut empty = setting.rules.empty_cells(self.board);
        if empty == 0 {
            return;
        }
        let cell = self.rng.below(empty.count_ones());
        let four = self.rng.below(Spawn::ONE) >= spawn.weight(1);
        for _ in 0..cell {
            empty &= !(1 << (63 - empty.leading_zeros()));
        }
        let at = 63 - empty.leading_zeros();
        self.board = Board::from_bits(self.board.bits() | (1 + u64::from(four)) << at);
    }

    /// Looks at the position: which actions are legal, and whether the game goes on.
    #[inline]
    pub fn look(&mut self, setting: &Setting) {
        if self.large.is_none() && !setting.is_exact(self.board) {
            self.large = Some(Box::new(self.board.unpack(setting.cells.shape)));
        }
        let won = match &self.large {
            None => {
                let [left, right, up, down] = setting.rules.slides(self.board);
                self.slid = [up, right, down, left];
                let legal = self.slid.iter().zip([1, 2, 4, 8]);
                self.legal = legal.fold(0, |set, (&after, bit)| {
                    set | if after != self.board { bit } else { 0 }
                });
                setting.variant.target().is_some() && setting.variant.is_won(self.board)
            }
            Some(grid) => {
                let moves = grid.legal_moves();
                let legal = ACTIONS.iter().zip([1, 2, 4, 8]);
                self.legal = legal.fold(0, |set, (&m, bit)| {
                    set | if moves.contains(m) { bit } else { 0 }
                });
                let target = setting.variant.target();
                target.is_some_and(|target| grid.reaches(target))
            }
        };
        self.standing = match (won, self.legal) {
            (true, _) => Standing::Won,
            (_, 0) => Standing::Lost,
            _ => Standing::Live,
        };
        if won {
            self.legal = 0;
        }
    }

    /// Writes the cells of the position.
    #[inline]
    pub fn write(&self, setting: &Setting, cells: &mut [u8]) {
        match &self.large {
            None => setting.cells.unpack(self.board, cells),
            Some(grid) => cells.copy_from_slice(grid.exponents()),
        }
    }

    /// The legal actions, as bits. None if the game has ended.
    pub fn legal(&self) -> u8 {
        self.legal
    }

    pub fn standing(&self) -> Standing {
        self.standing
    }

    pub fn score(&self) -> u64 {
        self.score
    }

    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// Where the dice are: the seed, the number of the game, and the generator.
    pub fn dice(&self) -> (u64, u64, &Rng) {
        (self.seed, self.number, &self.rng)
    }

    /// Continues a saved game: its dice, score and moves.
    pub fn restore(&mut self, dice: (u64, u64, Rng), score: u64, moves: u64) {
        (self.seed, self.number, self.rng) = dice;
        (self.score, self.moves) = (score, moves);
    }
}
