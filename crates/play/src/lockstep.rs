//! Series whose games go on together, one move at a time, on a device that searches many
//! positions at once.

use std::ops::Range;
use std::time::Instant;

use tilebase_game::{Board, Move};
use tilebase_util::progress::{Progress, Unit};

use crate::running::Running;
use crate::series::{GameSink, Series, SeriesResult};
use crate::tally::{Tally, standing};

/// Games that go on at the same time.
const GAMES_AT_ONCE: usize = 4096;
/// With fewer games than this, all are searched together. With more, half of them make their
/// moves on this machine while the device searches the others.
const FEW_GAMES: usize = 512;
/// Games for which a thread pays off.
const GAMES_OF_A_THREAD: usize = 256;

/// Chooses moves in many positions at once, on a device that leaves this machine free.
pub trait BatchPlayer {
    /// Why it failed.
    type Error;

    /// Begins to choose a move in each of these positions.
    fn begin(&mut self, boards: &[Board]) -> Result<(), Self::Error>;

    /// Waits for the moves; `None` where none is legal.
    fn finish(&mut self) -> Result<Vec<Option<Move>>, Self::Error>;
}

/// A game between two moves: the position that is searched, if it has a packed form.
struct Waiting {
    running: Running,
    board: Option<Board>,
}

impl Waiting {
    fn new(running: Running) -> Waiting {
        Waiting {
            board: running.game.grid().pack_halved(),
            running,
        }
    }

    /// Makes the chosen move and says whether the game goes on.
    fn make(&mut self, chosen: Option<Move>) -> bool {
        let game = &self.running.game;
        // As on the processor: without a search any legal move will do.
        let chosen = chosen.or_else(|| game.grid().legal_moves().iter().next());
        if !self.running.make(chosen) || self.running.game.ending().is_some() {
            return false;
        }
        self.board = self.running.game.grid().pack_halved();
        true
    }
}

/// A series in progress.
struct Lockstep<'a> {
    series: &'a Series,
    progress: &'a dyn Progress,
    tally: Tally<'a>,
    threads: usize,
    games: Range<u64>,
    /// The number of the next game to start.
    next: u64,
    /// Games whose next move has not been searched.
    ready: Vec<Waiting>,
    begin: Instant,
    /// Moves in all games.
    moves: u64,
}

/// Like [`play_part`](crate::play_part), with a player that chooses many moves at once. The games
/// are the same as with a player that chooses the same moves one by one. `threads` threads make
/// the moves.
pub fn play_in_lockstep<P: BatchPlayer>(
    series: &Series,
    games: Range<u64>,
    player: &mut P,
    threads: usize,
    progress: &dyn Progress,
    sink: Option<&dyn GameSink>,
) -> Result<SeriesResult, P::Error> {
    progress.begin(Unit::Moves, None);
    let mut lockstep = Lockstep {
        series,
        progress,
        tally: Tally::new(progress, sink),
        threads,
        next: games.start,
        games,
        ready: Vec::new(),
        begin: Instant::now(),
        moves: 0,
    };
    let played = lockstep.play(player);
    progress.finish();
    played?;
    lockstep.tally.add_time(lockstep.begin.elapsed());
    Ok(lockstep.tally.into_result())
}

impl Lockstep<'_> {
    fn play<P: BatchPlayer>(&mut self, player: &mut P) -> Result<(), P::Error> {
        let games = self.games.end - self.games.start;
        let all = games.min(GAMES_AT_ONCE as u64) as usize;
        self.start(if all < FEW_GAMES { all } else { all / 2 });
        // Games whose next move is known, and the moves.
        let mut known = (Vec::new(), Vec::new());
        loop {
            if self.ready.len() + known.0.len() < FEW_GAMES {
                self.make(std::mem::take(&mut known));
            }
            let searched = std::mem::take(&mut self.ready);
            let boards = searched.iter().map(|game| game.board);
            let boards: Vec<Board> = boards.map(|board| board.unwrap_or(Board::EMPTY)).collect();
            if !boards.is_empty() {
                player.begin(&boards)?;
            }
            self.make(std::mem::take(&mut known));
            self.start(all.saturating_sub(self.ready.len() + searched.len()));
            if searched.is_empty() && self.ready.is_empty() {
                return Ok(());
            }
            if !boards.is_empty() {
                known = (searched, player.finish()?);
            }
            if self.tally.stopped() {
                let games = std::mem::take(&mut self.ready).into_iter().chain(known.0);
                games.for_each(|game| self.tally.take(game.running, false));
                return Ok(());
            }
        }
    }

    /// Starts up to this many games.
    fn start(&mut self, games: usize) {
        for _ in 0..games {
            if self.next >= self.games.end || self.tally.stopped() {
                return;
            }
            let running = Running::new(self.series, self.next, self.tally.logs());
            self.next += 1;
            if running.game.ending().is_some() {
                self.tally.take(running, true);
            } else {
                self.ready.push(Waiting::new(running));
            }
        }
    }

    /// Makes the moves, and takes the games that have ended.
    fn make(&mut self, (mut games, moves): (Vec<Waiting>, Vec<Option<Move>>)) {
        if games.is_empty() {
            return;
        }
        let part = |games: &mut [Waiting], moves: &[Option<Move>]| -> Vec<bool> {
            let pairs = games.iter_mut().zip(moves);
            pairs.map(|(game, &chosen)| game.make(chosen)).collect()
        };
        let threads = self.threads.min(games.len() / GAMES_OF_A_THREAD).max(1);
        let size = games.len().div_ceil(threads);
        let parts = games.chunks_mut(size).zip(moves.chunks(size));
        let go_on: Vec<bool> = std::thread::scope(|scope| {
            let part = &part;
            let mut parts: Vec<_> = parts.collect();
            // This thread plays the last part itself.
            let own = parts.pop();
            let handles: Vec<_> = parts
                .into_iter()
                .map(|(games, moves)| scope.spawn(move || part(games, moves)))
                .collect();
            let own = own.map(|(games, moves)| part(games, moves));
            let others = handles.into_iter().flat_map(|handle| {
                // A panic of a thread goes on in this one.
                handle
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            others.chain(own.into_iter().flatten()).collect()
        });
        let made = games.len() as u64;
        for (game, goes_on) in games.into_iter().zip(go_on) {
            if goes_on {
                self.ready.push(game);
            } else {
                self.tally.take(game.running, true);
            }
        }
        self.moves += made;
        self.progress.stage(&self.standing());
        self.progress.advance(made);
    }

    /// How far the series is.
    fn standing(&self) -> String {
        let result = self.tally.lock();
        let summary = &result.summary;
        let (done, all) = (summary.games(), self.games.end - self.games.start);
        let mut text = format!("{done} of {all} games");
        if let Some(mean) = summary.mean_moves() {
            let running = self.moves - summary.moves();
            let games = all - done;
            // Games that go on are longer than the mean of those that have ended: each makes a
            // quarter of it more at least.
            let left = (games as f64 * mean - running as f64).max(games as f64 * mean / 4.0);
            let seconds = left * self.begin.elapsed().as_secs_f64() / self.moves.max(1) as f64;
            text += &format!(", {}, about {seconds:.0} s left,", standing(summary));
        } else {
            text += ",";
        }
        text
    }
}
