//! The games of one session, and what the keys do to them.

use std::ops::ControlFlow;

use tilebase_game::{Grid, Move, Rng};
use tilebase_play::{Ending, Game, GameLog, GameResult};

/// What the user can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Slide the tiles.
    Slide(Move),
    /// Undo the last move.
    Undo,
    /// Start another game.
    New,
    /// Stop playing.
    Quit,
}

/// The game being played and those before it.
pub struct Session {
    seed: u64,
    /// The position that every game starts from, if one was given.
    start: Option<Grid>,
    game: Game,
    /// The game before each move, and the move. The game includes its random numbers: the same
    /// move after an undo brings the same tile.
    past: Vec<(Game, Move)>,
    finished: Vec<(GameResult, GameLog)>,
}

impl Session {
    /// A session that begins with `game`.
    pub fn new(game: Game, seed: u64) -> Session {
        // A new game has a newest tile; one from a given position does not.
        let start = game.spawned().is_none().then(|| game.grid().clone());
        Session {
            seed,
            start,
            game,
            past: Vec::new(),
            finished: Vec::new(),
        }
    }

    /// Does what the user asks for; breaks if that is to quit.
    pub fn act(&mut self, action: Action) -> ControlFlow<()> {
        match action {
            Action::Slide(m) => {
                let before = self.game.clone();
                if self.game.slide(m) {
                    self.past.push((before, m));
                }
            }
            Action::Undo => {
                if let Some((before, _)) = self.past.pop() {
                    self.game = before;
                }
            }
            Action::New => {
                self.finished.push(self.record());
                self.past.clear();
                let rng = Rng::for_game(self.seed, self.finished.len() as u64);
                let variant = self.game.variant();
                self.game = match &self.start {
                    Some(grid) => Game::from_position(variant, grid.clone(), rng),
                    None => Game::new(variant, rng),
                };
            }
            Action::Quit => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    }

    /// The game being played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The seed of the session.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A message on the state of the game; empty if there is none.
    pub fn message(&self) -> &'static str {
        match self.game.ending() {
            _ if self.game.grid().is_lost() => "No move is left.",
            Some(Ending::Won) => "You made it! Play on as long as you like.",
            _ => "",
        }
    }

    /// The current game so far.
    fn record(&self) -> (GameResult, GameLog) {
        let first = self.past.first().map_or(&self.game, |(game, _)| game);
        let mut log = GameLog::new(self.finished.len() as u64, first);
        let games = self.past.iter().map(|(game, _)| game).chain([&self.game]);
        for (&(_, m), after) in self.past.iter().zip(games.skip(1)) {
            log.push(m, after);
        }
        log.close(&self.game);
        (GameResult::from(&self.game), log)
    }

    /// All games of the session with their moves, the last one so far.
    pub fn records(&self) -> Vec<(GameResult, GameLog)> {
        let mut records = self.finished.clone();
        records.push(self.record());
        records
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str) -> Session {
        let variant = name.parse().expect("a variant");
        Session::new(Game::new(variant, Rng::for_game(7, 0)), 7)
    }

    fn any_move(session: &Session) -> Action {
        let legal = session.game().grid().legal_moves();
        Action::Slide(legal.iter().next().expect("a legal move"))
    }

    #[test]
    fn undo_restores_the_board_the_score_and_the_random_numbers() {
        let mut session = session("4x4");
        let start = session.game().grid().clone();
        let mut boards = vec![start.clone()];
        for _ in 0..20 {
            let action = any_move(&session);
            assert!(session.act(action).is_continue());
            boards.push(session.game().grid().clone());
        }
        let (moves, score) = (session.game().moves(), session.game().score());
        for _ in 0..30 {
            assert!(session.act(Action::Undo).is_continue());
        }
        assert_eq!(session.game().grid(), &start);
        assert_eq!(session.game().score(), 0);
        for board in &boards[1..] {
            let action = any_move(&session);
            assert!(session.act(action).is_continue());
            assert_eq!(session.game().grid(), board);
        }
        assert_eq!(
            (session.game().moves(), session.game().score()),
            (moves, score)
        );
    }

    #[test]
    fn an_illegal_move_is_not_a_move() {
        let grid: Grid = "2,4/.,.".parse().expect("a board");
        let variant = "2x2".parse().expect("a variant");
        let game = Game::from_position(variant, grid.clone(), Rng::new(1));
        let mut session = Session::new(game, 1);
        assert!(session.act(Action::Slide(Move::Up)).is_continue());
        assert_eq!(session.game().grid(), &grid);
        assert!(session.act(any_move(&session)).is_continue());
        assert!(session.act(Action::New).is_continue());
        assert_eq!(session.game().grid(), &grid, "a given start is kept");
    }

    #[test]
    fn new_games_differ_and_are_all_recorded() {
        let mut session = session("4x4");
        let first = session.game().grid().clone();
        let action = any_move(&session);
        assert!(session.act(action).is_continue());
        assert!(session.act(Action::New).is_continue());
        assert_ne!(session.game().grid(), &first);
        assert_eq!(session.game().moves(), 0);
        assert!(session.act(Action::Quit).is_break());
        let records = session.records();
        let moves: Vec<u64> = records.iter().map(|(game, _)| game.moves).collect();
        assert_eq!(moves, [1, 0]);
        let logged: Vec<usize> = records.iter().map(|(_, log)| log.moves.len()).collect();
        assert_eq!(logged, [1, 0]);
    }
}
