//! A written game, position by position, checked against the rules.

use tilebase_game::{Grid, Rng, Spawn, tile_value};

use super::error::Fault;
use super::log::{GameLog, RecordHeader, Step};
use crate::game::{EXPONENT_2048, Ending};
use crate::series::GameRecord;

/// Whether tiles fell where the seed's dice let them fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dice {
    /// Every tile did.
    OfTheSeed,
    /// The tile after this move did not, nor need those after it; move 0 is the start.
    OthersFrom(u64),
}

/// The position of a game after each move.
pub struct Replay<'a> {
    log: &'a GameLog,
    spawn: Spawn,
    grid: Grid,
    score: u128,
    moves: usize,
    moves_to_2048: Option<u64>,
    spawned: Option<(u8, u8)>,
    rng: Rng,
    dice: Dice,
}

impl<'a> Replay<'a> {
    /// A game before its first move.
    pub fn new(header: &RecordHeader, log: &'a GameLog) -> Result<Replay<'a>, Fault> {
        let (variant, spawn) = (header.variant, header.variant.spawn());
        let stream = log.index.wrapping_mul(header.streams.into());
        let mut rng = Rng::for_game(header.seed, stream);
        let mut dice = Dice::OfTheSeed;
        if !header.given_start {
            let tiles = || log.start.exponents().iter().filter(|&&e| e > 0);
            let falls = |&e: &u8| spawn.weight(e) > 0;
            if tiles().count() != usize::from(variant.start_tiles()) || !tiles().all(falls) {
                return Err(Fault::Start);
            }
            let mut start = Grid::empty(variant.shape());
            for _ in 0..variant.start_tiles() {
                start.spawn(spawn, &mut rng);
            }
            if start != log.start {
                dice = Dice::OthersFrom(0);
            }
        }
        Ok(Replay {
            log,
            spawn,
            grid: log.start.clone(),
            score: 0,
            moves: 0,
            moves_to_2048: None,
            spawned: None,
            rng,
            dice,
        })
    }

    /// Makes the next move; `None` after the last one.
    pub fn step(&mut self) -> Option<Result<Step, Fault>> {
        let step = *self.log.steps.get(self.moves)?;
        self.moves += 1;
        Some(self.make(step).map(|()| step))
    }

    fn make(&mut self, step: Step) -> Result<(), Fault> {
        let number = self.moves as u64;
        let gain = self.grid.slide(step.m).ok_or(Fault::Slide(number))?;
        self.score += gain;
        if gain >= tile_value(EXPONENT_2048)
            && self.moves_to_2048.is_none()
            && self.grid.reaches(EXPONENT_2048)
        {
            self.moves_to_2048 = Some(number);
        }
        if self.spawn.weight(step.exponent) == 0 {
            return Err(Fault::Tile(number));
        }
        let cell = self.grid.empty_cells().nth(step.place.into());
        let (row, col) = cell.ok_or(Fault::Place(number))?;
        // The dice let a tile fall; if it is another one, it is taken back.
        if let Some((r, c)) = self.grid.spawn(self.spawn, &mut self.rng) {
            let same = (r, c) == (row, col) && self.grid.get(r, c) == step.exponent;
            if !same && self.dice == Dice::OfTheSeed {
                self.dice = Dice::OthersFrom(number);
            }
            self.grid.set(r, c, 0);
        }
        self.grid.set(row, col, step.exponent);
        self.spawned = Some((row, col));
        Ok(())
    }

    /// The position.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The score so far.
    pub fn score(&self) -> u128 {
        self.score
    }

    /// Moves made so far.
    pub fn moves(&self) -> u64 {
        self.moves as u64
    }

    /// The cell (row, column) of the newest tile.
    pub fn spawned(&self) -> Option<(u8, u8)> {
        self.spawned
    }
}

impl GameLog {
    /// Checks every move, the score and the ending against the rules.
    pub fn check(&self, header: &RecordHeader) -> Result<(GameRecord, Dice), Fault> {
        let mut replay = Replay::new(header, self)?;
        while let Some(step) = replay.step() {
            step?;
        }
        let (grid, moves) = (&replay.grid, replay.moves());
        if replay.score != self.score {
            return Err(Fault::Score(moves));
        }
        let ending = Ending::of(&header.variant, grid);
        if ending != self.ending {
            return Err(Fault::Ending(moves));
        }
        let record = GameRecord {
            score: self.score,
            moves,
            largest: grid.max_exponent(),
            won: ending == Some(Ending::Won),
            moves_to_2048: replay.moves_to_2048,
        };
        Ok((record, replay.dice))
    }
}
