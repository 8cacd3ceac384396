//! Games played to be sampled.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_expectimax::{ScoredMove, SearchLimit};
use tilebase_game::{Grid, Rng, Variant};
use tilebase_util::progress::{Progress, Unit};

use crate::expectimax::Expectimax;
use crate::game::Game;
use crate::searcher::SearchConfig;

/// Moves between two samples of a game, on average.
const INTERVAL: u32 = 300;
/// Every so many samples are also searched deeper.
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
    /// Whether random moves had been made before it.
    pub disturbed: bool,
    /// The moves as the usual search values them, best first.
    pub moves: Vec<ScoredMove>,
    /// The moves as a deeper search values them; empty for most samples.
    pub deeper: Vec<ScoredMove>,
    /// Points that the game went on to score.
    pub further_score: u128,
    /// Exponent of the largest tile at its end.
    pub largest: u8,
}

/// Which games to sample. Game number i depends on the seed and i alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleSeries {
    /// The variant.
    pub variant: Variant,
    /// Number of games.
    pub games: u64,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// Plays games on this many threads and samples them. Empty if it is interrupted: the games
/// that ended in time would be the short ones.
///
/// In two games of three a few random moves are made at a random time, so that there are
/// positions that strong play never sees. Samples are taken after them.
pub fn sample_games(
    series: &SampleSeries,
    players: &Expectimax,
    threads: usize,
    progress: &dyn Progress,
) -> Vec<Sample> {
    progress.begin(Unit::Games, Some(series.games));
    let next = AtomicU64::new(0);
    let all = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= series.games || progress.interrupted() {
                        break;
                    }
                    let samples = sample_game(series, players, index, progress);
                    let mut all = all.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    all.extend(samples);
                    progress.advance(1);
                }
            });
        }
    });
    progress.finish();
    if progress.interrupted() {
        return Vec::new();
    }
    let mut all = all
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    // Samples of one game are in order already.
    all.sort_by_key(|sample: &Sample| sample.game);
    all
}

/// Plays a game and samples it.
fn sample_game(
    series: &SampleSeries,
    players: &Expectimax,
    index: u64,
    progress: &dyn Progress,
) -> Vec<Sample> {
    let rng = |which| Rng::for_game(series.seed, index.wrapping_mul(2).wrapping_add(which));
    let (mut game, mut dice) = (Game::new(series.variant, rng(0)), rng(1));
    let mut searcher = players.searcher();
    let mut deep = players.searcher_with(SearchConfig {
        limit: SearchLimit::Positions {
            min_depth: 1,
            positions: DEEPER_POSITIONS,
        },
        ..players.config()
    });
    let mut disturbance = disturbance(&mut dice);
    let disturbed = disturbance.is_some();
    let mut samples: Vec<(Sample, u128)> = Vec::new();
    let mut until_sample = dice.below(INTERVAL);
    while game.ending().is_none() && !progress.interrupted() {
        if disturbance.is_some_and(|sum| game.grid().sum() >= sum) {
            disturbance = None;
            disturb(&mut game, &mut dice);
            until_sample = 0;
            continue;
        }
        let Some(board) = game.grid().pack_halved() else {
            break;
        };
        // Nothing is sampled before a disturbance: games that end before it are all short.
        if until_sample == 0 && disturbance.is_none() {
            until_sample = 1 + dice.below(2 * INTERVAL);
            let moves = searcher
                .advise(board)
                .map_or(Vec::new(), |found| found.moves);
            let deeper = match dice.below(DEEPER_EVERY) {
                0 => deep.advise(board).map_or(Vec::new(), |found| found.moves),
                _ => Vec::new(),
            };
            let sample = Sample {
                game: index,
                grid: game.grid().clone(),
                disturbed,
                moves,
                deeper,
                further_score: 0,
                largest: 0,
            };
            samples.push((sample, game.score()));
        }
        until_sample = until_sample.saturating_sub(1);
        let chosen = searcher.best_move(board);
        if !chosen.is_some_and(|m| game.slide(m)) {
            break;
        }
    }
    let finish = |(mut sample, score): (Sample, u128)| {
        sample.further_score = game.score() - score;
        sample.largest = game.grid().max_exponent();
        sample
    };
    samples.into_iter().map(finish).collect()
}

/// The sum of tiles at which a game is disturbed: none for every third game, else from 64 to
/// 64 Ki, every power of two as likely.
fn disturbance(dice: &mut Rng) -> Option<u128> {
    if dice.below(3) == 0 {
        return None;
    }
    let power = 1u128 << (6 + dice.below(10));
    Some(power + u128::from(dice.below(power as u32)))
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
