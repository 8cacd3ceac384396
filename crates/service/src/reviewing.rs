//! A review in the making: analysed positions and the moves played in them.

use tilebase_game::Grid;
use tilebase_schema::{
    Direction, Game, Grade, Move, Outlook, Position, Review, ReviewedMove, Unit, Value,
};

use crate::grade::{is_mistake, move_accuracy, relative_loss};
use crate::probed::notation;

/// Adds up a review, move by move.
pub struct Reviewing {
    start: String,
    /// The game and the unit of the first position.
    game: Option<(Game, Option<Unit>)>,
    moves: Vec<ReviewedMove>,
    mistakes: Vec<usize>,
    loss: f64,
    /// The sum of the accuracies of moves, and their number.
    accuracy: (f64, u32),
}

impl Reviewing {
    /// A review of a game from its first board.
    pub fn new(start: &Grid) -> Reviewing {
        Reviewing {
            start: notation(start),
            game: None,
            moves: Vec::new(),
            mistakes: Vec::new(),
            loss: 0.0,
            accuracy: (0.0, 0),
        }
    }

    /// Adds the move that was played in a position. Returns false if it is not legal.
    #[must_use]
    pub fn add(&mut self, position: Position, played: Direction) -> bool {
        let found = position.moves.iter().find(|m| m.direction == played);
        let Some(found) = found.cloned() else {
            return false;
        };
        let ply = self.moves.len();
        let (_, unit) = self
            .game
            .get_or_insert_with(|| (position.game.clone(), position.unit));
        // Losses of another unit cannot be added, such as points after a target was reached.
        if *unit == position.unit && is_mistake(found.grade) {
            self.loss += found.loss.unwrap_or(0.0);
        }
        if is_mistake(found.grade) {
            self.mistakes.push(ply);
        }
        if let Some(share) = lost_share(&position, &found) {
            self.accuracy.0 += move_accuracy(share);
            self.accuracy.1 += 1;
        }
        let best = position.moves.iter().filter(|m| m.is_best == Some(true));
        self.moves.push(ReviewedMove {
            ply,
            best_moves: best.map(|m| m.direction).collect(),
            board: position.board,
            before: position.value,
            unit: position.unit,
            outlook_before: position.outlook,
            played: found,
            best: position.best,
            next_mistake: None,
        });
        true
    }

    /// The review. `last` is the position after the last move; without it the game ends in an
    /// afterstate, whose value is that of the last move.
    pub fn finish(self, board: &Grid, last: Option<Position>) -> Review {
        let mut moves = self.moves;
        let mut next = None;
        for reviewed in moves.iter_mut().rev() {
            if is_mistake(reviewed.played.grade) {
                next = Some(reviewed.ply);
            }
            reviewed.next_mistake = next;
        }
        let game = self.game.or_else(|| {
            let last = last.as_ref()?;
            Some((last.game.clone(), last.unit))
        });
        let (game, unit) = game.unwrap_or_else(|| (Game::default(), None));
        let (value, outlook) = match (last, moves.last()) {
            (Some(last), _) => (last.value, last.outlook),
            (None, Some(last)) => (last.played.value, last.played.outlook.clone()),
            (None, None) => (Value::default(), Outlook::default()),
        };
        let (accuracy, count) = self.accuracy;
        Review {
            game,
            start: self.start,
            moves,
            mistakes: self.mistakes,
            loss: self.loss,
            accuracy: (count > 0).then(|| accuracy / f64::from(count)),
            unit,
            board: notation(board),
            value,
            outlook,
        }
    }
}

/// The share of the best value that a move loses: of a probability the loss itself.
fn lost_share(position: &Position, played: &Move) -> Option<f64> {
    if let Grade::Best | Grade::AboutEqual = played.grade? {
        return Some(0.0);
    }
    let loss = played.loss?;
    Some(match position.unit {
        Some(Unit::Probability) => loss,
        _ => relative_loss(loss, position.value.value.unwrap_or(0.0)),
    })
}
