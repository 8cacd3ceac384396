//! A recorded game, position by position, checked against the rules.

use tilebase_game::{Grid, Rng, Spawn, tile_value};

use super::error::ReplayError;
use super::log::{GameLog, RecordHeader, RecordedMove};
use crate::game::{EXPONENT_2048, Ending};
use crate::series::GameResult;

/// Whether the spawns of a game are those of its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpawnCheck {
    /// All of them are.
    MatchesSeed,
    /// The tile after this move is not; later ones may differ too. Move 0 is the start.
    DiffersFrom(u64),
}

/// Steps through the positions of a recorded game.
pub struct GameReplay<'a> {
    log: &'a GameLog,
    spawn: Spawn,
    grid: Grid,
    score: u128,
    moves: usize,
    moves_to_2048: Option<u64>,
    spawned: Option<(u8, u8)>,
    rng: Rng,
    spawns: SpawnCheck,
}

impl<'a> GameReplay<'a> {
    /// A game before its first move.
    pub fn new(header: &RecordHeader, log: &'a GameLog) -> Result<GameReplay<'a>, ReplayError> {
        let (variant, spawn) = (header.variant, header.variant.spawn());
        let stream = log.index.wrapping_mul(header.streams.into());
        let mut rng = Rng::for_game(header.seed, stream);
        let mut spawns = SpawnCheck::MatchesSeed;
        if !header.given_start {
            let tiles = || log.start.exponents().iter().filter(|&&e| e > 0);
            let can_spawn = |&e: &u8| spawn.weight(e) > 0;
            if tiles().count() != usize::from(variant.start_tiles()) || !tiles().all(can_spawn) {
                return Err(ReplayError::Start);
            }
            let mut start = Grid::empty(variant.shape());
            for _ in 0..variant.start_tiles() {
                start.spawn(spawn, &mut rng);
            }
            if start != log.start {
                spawns = SpawnCheck::DiffersFrom(0);
            }
        }
        Ok(GameReplay {
            log,
            spawn,
            grid: log.start.clone(),
            score: 0,
            moves: 0,
            moves_to_2048: None,
            spawned: None,
            rng,
            spawns,
        })
    }

    /// Makes the next move; `None` after the last one.
    pub fn next_move(&mut self) -> Option<Result<RecordedMove, ReplayError>> {
        let recorded = *self.log.moves.get(self.moves)?;
        self.moves += 1;
        Some(self.make(recorded).map(|()| recorded))
    }

    fn make(&mut self, recorded: RecordedMove) -> Result<(), ReplayError> {
        let number = self.moves as u64;
        let score = self
            .grid
            .slide(recorded.m)
            .ok_or(ReplayError::Slide(number))?;
        self.score += score;
        if score >= tile_value(EXPONENT_2048)
            && self.moves_to_2048.is_none()
            && self.grid.reaches(EXPONENT_2048)
        {
            self.moves_to_2048 = Some(number);
        }
        if self.spawn.weight(recorded.exponent) == 0 {
            return Err(ReplayError::Tile(number));
        }
        let cell = self.grid.empty_cells().nth(recorded.place.into());
        let (row, col) = cell.ok_or(ReplayError::Place(number))?;
        // Spawn as the seed says; if that is another tile, it is replaced.
        if let Some((r, c)) = self.grid.spawn(self.spawn, &mut self.rng) {
            let same = (r, c) == (row, col) && self.grid.get(r, c) == recorded.exponent;
            if !same && self.spawns == SpawnCheck::MatchesSeed {
                self.spawns = SpawnCheck::DiffersFrom(number);
            }
            self.grid.set(r, c, 0);
        }
        self.grid.set(row, col, recorded.exponent);
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
    pub fn check(&self, header: &RecordHeader) -> Result<(GameResult, SpawnCheck), ReplayError> {
        let mut replay = GameReplay::new(header, self)?;
        while let Some(recorded) = replay.next_move() {
            recorded?;
        }
        let (grid, moves) = (&replay.grid, replay.moves());
        if replay.score != self.score {
            return Err(ReplayError::Score(moves));
        }
        let ending = Ending::of(&header.variant, grid);
        if ending != self.ending {
            return Err(ReplayError::Ending(moves));
        }
        let result = GameResult {
            score: self.score,
            moves,
            largest: grid.max_exponent(),
            won: ending == Some(Ending::Won),
            moves_to_2048: replay.moves_to_2048,
        };
        Ok((result, replay.spawns))
    }
}
