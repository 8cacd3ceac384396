//! What a player wants, and what is best for it in a state.

use tilebase_game::MoveSet;

/// What play is judged by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The probability to reach the target.
    Win,
    /// The mean of g^n over won games, where n is the number of moves up to the win: a win
    /// with the next slide is worth g.
    Discounted(f64),
    /// The expected points until the game is won or lost.
    Score,
    /// The expected number of moves, lost games counted as 0, among the ways of play with the
    /// largest probability to win; the one objective where less is better.
    Moves,
    /// The expected number of moves until the game is won or lost.
    Survival,
}

/// What is known of a state under best play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyLine {
    /// The value of the state.
    pub value: f64,
    /// The best moves.
    pub best: MoveSet,
}
