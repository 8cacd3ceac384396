//! Where a position stands in a game.

use std::fmt;

/// Whether play goes on from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It can arise, and there is a legal move.
    Live,
    /// The target is on the board.
    Won,
    /// No slide changes the board.
    Lost,
    /// It cannot arise in the game.
    Unreachable,
}

impl Status {
    /// The word in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Live => "live",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Unreachable => "unreachable",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What is certain about a position, whatever spawns, under play for the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// The player can force the win.
    SureWin,
    /// Neither the win nor the loss is certain.
    Open,
    /// No sequence of moves and spawns wins.
    SureLoss,
}

impl Category {
    /// The word in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Category::SureWin => "sure_win",
            Category::Open => "open",
            Category::SureLoss => "sure_loss",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
