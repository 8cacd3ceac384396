//! Playing the same games by two players, until it is decided which of them is better.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tilebase_util::progress::{Progress, Unit};

use crate::comparison::Comparison;
use crate::record::GameLog;
use crate::series::{GameResult, GameSink};
use crate::summary::Summary;

/// How two players, A and B, did in the same games.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedGames {
    /// The differences: A's score less B's.
    pub comparison: Comparison,
    /// The same games of A and of B, summed up.
    pub summaries: [Summary; 2],
}

/// Plays up to `games` games by each of two players, with the same dice, until it is decided which
/// of them scores more or the user interrupts.
///
/// `play` plays some of the games by player 0 or 1, to a sink, and may end early when its progress
/// says so. The first time it is asked for `least` games of each player, later for half as many as
/// there were.
///
/// Only the first games count, up to one that a player has not finished: those that happen to be
/// finished when it is looked are the shorter ones, and would mislead.
pub fn play_pairs<E>(
    games: u64,
    least: u64,
    progress: &dyn Progress,
    mut play: impl FnMut(usize, Range<u64>, &dyn Progress, &dyn GameSink) -> Result<(), E>,
) -> Result<PairedGames, E> {
    let pairs = Pairs::new(games);
    progress.begin(Unit::Games, Some(games.saturating_mul(2)));
    let mut begun = 0;
    let mut played = Ok(());
    while played.is_ok() && begun < games && !pairs.decided() && !progress.interrupted() {
        let end = begun.saturating_add(least.max(begun / 2)).min(games);
        played = (0..2).try_for_each(|player| {
            let part = Part {
                pairs: &pairs,
                player,
                progress,
            };
            play(player, begun..end, &part, &part)
        });
        begun = end;
    }
    progress.finish();
    played?;
    let state = pairs.state.into_inner();
    Ok(state.unwrap_or_else(PoisonError::into_inner).result)
}

/// The games of both players so far.
struct Pairs {
    state: Mutex<State>,
    decided: AtomicBool,
}

struct State {
    result: PairedGames,
    /// Finished games that wait for the other player, or for an earlier game.
    waiting: BTreeMap<u64, [Option<GameResult>; 2]>,
}

impl Pairs {
    fn new(games: u64) -> Pairs {
        Pairs {
            state: Mutex::new(State {
                result: PairedGames {
                    comparison: Comparison::new(games),
                    summaries: Default::default(),
                },
                waiting: BTreeMap::new(),
            }),
            decided: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Only a panic elsewhere poisons the lock, and that ends the comparison anyway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn decided(&self) -> bool {
        self.decided.load(Ordering::Relaxed)
    }

    /// Takes a finished game of a player.
    fn take(&self, player: usize, index: u64, game: GameResult) {
        let mut state = self.lock();
        let State { result, waiting } = &mut *state;
        waiting.entry(index).or_default()[player] = Some(game);
        while !self.decided()
            && let Some(&[Some(a), Some(b)]) = waiting.get(&result.comparison.pairs())
        {
            waiting.remove(&result.comparison.pairs());
            result.comparison.add(a.score, b.score);
            result.summaries[0].add(&a);
            result.summaries[1].add(&b);
            let decided = result.comparison.decided().is_some();
            self.decided.store(decided, Ordering::Relaxed);
        }
    }

    /// How it stands, in a few words.
    fn standing(&self) -> String {
        let state = self.lock();
        let comparison = &state.result.comparison;
        let Some(mean) = comparison.mean() else {
            return String::new();
        };
        let mut text = format!("{} pairs, A - B {mean:.0}", comparison.pairs());
        if let Some(interval) = comparison.interval() {
            text += &format!(" ({:.0} to {:.0})", interval.low, interval.high);
        }
        text + ", "
    }
}

/// Some games of one of the players: takes them, and shows how both do.
struct Part<'a> {
    pairs: &'a Pairs,
    player: usize,
    progress: &'a dyn Progress,
}

impl GameSink for Part<'_> {
    fn take(&self, log: &GameLog, result: &GameResult) -> bool {
        // A game that was given up has no ending.
        if log.ending.is_some() {
            self.pairs.take(self.player, log.index, *result);
            self.progress.advance(1);
        }
        true
    }
}

impl Progress for Part<'_> {
    fn begin(&self, _: Unit, _: Option<u64>) {}

    fn stage(&self, name: &str) {
        let player = ["A", "B"][self.player];
        let standing = self.pairs.standing();
        self.progress.stage(&format!("{standing}{player}: {name}"));
    }

    fn advance(&self, _: u64) {
        // Games are counted when they end; this only keeps the line fresh.
        self.progress.advance(0);
    }

    fn finish(&self) {}

    fn interrupted(&self) -> bool {
        self.pairs.decided() || self.progress.interrupted()
    }
}

#[cfg(test)]
mod tests {
    use tilebase_util::progress::{Silent, StopAfter};

    use super::*;
    use crate::player::PlayerKind;
    use crate::series::{Series, play_game, play_part};

    fn compare(kinds: [PlayerKind; 2], games: u64, progress: &dyn Progress) -> PairedGames {
        let series = series(games);
        let played = play_pairs(games, 10, progress, |player, range, progress, sink| {
            play_part(&series, range, &kinds[player], 3, progress, Some(sink));
            Ok::<(), ()>(())
        });
        played.unwrap()
    }

    fn series(games: u64) -> Series {
        Series {
            variant: "3x3".parse().unwrap(),
            start: None,
            games,
            seed: 8,
        }
    }

    /// The first games, one by one.
    fn expected(kinds: [PlayerKind; 2], games: u64, pairs: u64) -> PairedGames {
        let series = series(games);
        let mut comparison = Comparison::new(games);
        let mut summaries: [Summary; 2] = Default::default();
        for index in 0..pairs {
            let [a, b] = kinds.map(|kind| play_game(&series, &kind, index));
            comparison.add(a.score, b.score);
            summaries[0].add(&a);
            summaries[1].add(&b);
        }
        PairedGames {
            comparison,
            summaries,
        }
    }

    /// Threads and chunks change nothing, and the end is the first moment at which it is decided.
    #[test]
    fn it_ends_with_the_game_that_decides() {
        let kinds = [PlayerKind::Random, PlayerKind::Greedy];
        let found = compare(kinds, 5000, &Silent);
        let pairs = found.comparison.pairs();
        assert!((30..2000).contains(&pairs), "{pairs}");
        assert_eq!(found, expected(kinds, 5000, pairs));
        assert!(found.comparison.decided().unwrap().is_lt());
        let before = expected(kinds, 5000, pairs - 1);
        assert_eq!(before.comparison.decided(), None);
    }

    #[test]
    fn equal_players_play_all_games() {
        let kinds = [PlayerKind::Greedy; 2];
        let found = compare(kinds, 137, &Silent);
        assert_eq!(found, expected(kinds, 137, 137));
        assert_eq!(found.comparison.mean(), Some(0.0));
    }

    #[test]
    fn an_interrupted_comparison_has_the_first_games() {
        let kinds = [PlayerKind::OnePly, PlayerKind::Greedy];
        let mut most = 0;
        for queries in [0, 1, 100, 1500, 5000] {
            let found = compare(kinds, 400, &StopAfter::new(queries));
            let pairs = found.comparison.pairs();
            assert!(pairs < 400);
            assert_eq!(found, expected(kinds, 400, pairs), "{queries}");
            most = most.max(pairs);
        }
        assert!(most > 0);
    }

    #[test]
    fn a_failure_ends_it() {
        let mut parts = 0;
        let played = play_pairs(100, 10, &Silent, |_, _, _, _| {
            parts += 1;
            Err("broken")
        });
        assert_eq!((played, parts), (Err("broken"), 1));
    }
}
