//! Positions of games, with what searches say of them and how the games went on.

use tilebase_expectimax::{ScoredMove, SearchLimit};
use tilebase_game::{Grid, Rng, Variant};
use tilebase_util::progress::Progress;

use crate::expectimax::Expectimax;
use crate::game::Game;
use crate::record::{GameLog, GameReplay, RecordHeader, ReplayError};
use crate::searcher::{SearchConfig, Searcher};

/// Moves between two samples of a game, on average.
const INTERVAL: u32 = 300;
/// One in so many samples is also searched deeper.
const DEEPER_EVERY: u32 = 16;
/// Positions of the deeper search.
const DEEPER_POSITIONS: u64 = 1_000_000;
/// Random moves of a disturbance, at most.
const RANDOM_MOVES: u32 = 8;

/// A position of a game and how the game went on.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Number of the game.
    pub game: u64,
    /// The position.
    pub grid: Grid,
    /// The moves as the usual search values them, best first.
    pub moves: Vec<ScoredMove>,
    /// The moves as a deeper search values them; empty for most samples.
    pub deeper: Vec<ScoredMove>,
    /// Points that the game went on to score.
    pub further_score: u128,
    /// Exponent of the largest tile at its end.
    pub largest: u8,
}

/// Takes samples of one game at random times.
struct Sampler<'a> {
    usual: Box<dyn Searcher + 'a>,
    deeper: Box<dyn Searcher + 'a>,
    dice: Rng,
    moves_left: u32,
    /// Samples, with the score when they were taken.
    samples: Vec<(Sample, u128)>,
}

impl<'a> Sampler<'a> {
    fn new(players: &'a Expectimax, mut dice: Rng) -> Sampler<'a> {
        let limit = SearchLimit::Positions {
            min_depth: 1,
            positions: DEEPER_POSITIONS,
        };
        Sampler {
            usual: players.searcher(),
            deeper: players.searcher_with(SearchConfig {
                limit,
                ..players.config()
            }),
            moves_left: dice.below(INTERVAL),
            dice,
            samples: Vec::new(),
        }
    }

    /// Looks at a position of the game, and samples it if it is time.
    fn see(&mut self, game: u64, grid: &Grid, score: u128) {
        if self.moves_left > 0 {
            self.moves_left -= 1;
            return;
        }
        self.moves_left = self.dice.below(2 * INTERVAL);
        let Some(board) = grid.pack() else {
            return;
        };
        let Some(found) = self.usual.advise(board) else {
            return;
        };
        let deeper = match self.dice.below(DEEPER_EVERY) {
            0 => self.deeper.advise(board),
            _ => None,
        };
        let sample = Sample {
            game,
            grid: grid.clone(),
            moves: found.moves,
            deeper: deeper.map_or(Vec::new(), |found| found.moves),
            further_score: 0,
            largest: 0,
        };
        self.samples.push((sample, score));
    }

    /// The samples, with the end of the game.
    fn finish(self, grid: &Grid, score: u128) -> Vec<Sample> {
        let finish = |(mut sample, before): (Sample, u128)| {
            sample.further_score = score - before;
            sample.largest = grid.max_exponent();
            sample
        };
        self.samples.into_iter().map(finish).collect()
    }
}

/// Samples a recorded game.
pub fn sample_recorded(
    header: &RecordHeader,
    log: &GameLog,
    players: &Expectimax,
    seed: u64,
) -> Result<Vec<Sample>, ReplayError> {
    let mut replay = GameReplay::new(header, log)?;
    let mut sampler = Sampler::new(players, Rng::for_game(seed, log.index));
    sampler.see(log.index, replay.grid(), replay.score());
    while let Some(played) = replay.next_move() {
        played?;
        sampler.see(log.index, replay.grid(), replay.score());
    }
    Ok(sampler.finish(replay.grid(), replay.score()))
}

/// Plays a game that strong play would not get into, and samples it; `None` if that was
/// interrupted.
///
/// The game begins with searches one slide deep. At a random time a few random moves are made.
/// Then the player goes on, and samples are taken: none before, because games that end before
/// that are all short.
pub fn sample_disturbed(
    variant: Variant,
    index: u64,
    players: &Expectimax,
    seed: u64,
    progress: &dyn Progress,
) -> Option<Vec<Sample>> {
    let rng = |which| Rng::for_game(seed, index.wrapping_mul(3).wrapping_add(which));
    let (mut game, mut dice) = (Game::new(variant, rng(0)), rng(1));
    let quick = SearchConfig {
        limit: SearchLimit::Depth(1),
        ..players.config()
    };
    let disturbance = disturbance(&mut dice);
    play_until(
        &mut game,
        &mut *players.searcher_with(quick),
        progress,
        |game| game.grid().sum() >= disturbance,
    );
    disturb(&mut game, &mut dice);
    let mut sampler = Sampler::new(players, rng(2));
    sampler.moves_left = 0;
    play_until(&mut game, &mut *players.searcher(), progress, |game| {
        sampler.see(index, game.grid(), game.score());
        false
    });
    (!progress.interrupted()).then(|| sampler.finish(game.grid(), game.score()))
}

/// Plays best moves until the game ends or `stop` says so, which is asked before each move.
fn play_until(
    game: &mut Game,
    searcher: &mut dyn Searcher,
    progress: &dyn Progress,
    mut stop: impl FnMut(&Game) -> bool,
) {
    while game.ending().is_none() && !progress.interrupted() && !stop(game) {
        let board = game.grid().pack_halved();
        let chosen = board.and_then(|board| searcher.best_move(board));
        if !chosen.is_some_and(|m| game.slide(m)) {
            return;
        }
    }
}

/// The sum of tiles at which a game is disturbed, from 64 to 64 Ki: every power of two is as
/// likely.
fn disturbance(dice: &mut Rng) -> u128 {
    let power = 1u32 << (6 + dice.below(10));
    u128::from(power + dice.below(power))
}

/// Makes a few random moves.
fn disturb(game: &mut Game, dice: &mut Rng) {
    for _ in 0..1 + dice.below(RANDOM_MOVES) {
        let legal: Vec<_> = game.grid().legal_moves().iter().collect();
        if legal.is_empty() {
            return;
        }
        game.slide(legal[dice.below(legal.len() as u32) as usize]);
    }
}
