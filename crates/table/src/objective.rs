//! What optimal play is to achieve.

use std::fmt;

/// What a table's values are, and what its policy makes as large as possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The probability of reaching the target.
    Win,
    /// The mean of γ to the power of the number of moves until the win; 0 for a loss.
    Discounted(f64),
    /// The mean score until the target is reached or the game is lost.
    Score,
    /// First the probability of winning; among the best by that, the mean number of moves
    /// to the win, as small as possible.
    Moves,
    /// The mean number of moves until the target is reached or the game is lost, as large
    /// as possible.
    Survival,
}

impl Objective {
    /// The name that users give it.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Win | Objective::Discounted(_) => "win",
            Objective::Score => "score",
            Objective::Moves => "moves",
            Objective::Survival => "survival",
        }
    }

    /// The objective with a name, and a discount if there is one.
    pub fn from_name(name: &str, discount: Option<f64>) -> Option<Objective> {
        match (name, discount) {
            ("win", None) => Some(Objective::Win),
            ("win", Some(1.0)) => Some(Objective::Win),
            ("win", Some(discount)) if discount > 0.0 && discount < 1.0 => {
                Some(Objective::Discounted(discount))
            }
            ("score", None) => Some(Objective::Score),
            ("moves", None) => Some(Objective::Moves),
            ("survival", None) => Some(Objective::Survival),
            _ => None,
        }
    }

    /// The discount; 1 if there is none.
    pub fn discount(self) -> f64 {
        match self {
            Objective::Discounted(discount) => discount,
            _ => 1.0,
        }
    }

    /// Whether it makes no sense without a target tile.
    pub fn needs_target(self) -> bool {
        matches!(
            self,
            Objective::Win | Objective::Discounted(_) | Objective::Moves
        )
    }

    /// Numbers of eight bytes that a value takes.
    pub fn words(self) -> usize {
        if self == Objective::Moves { 2 } else { 1 }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objective::Discounted(discount) => write!(f, "win, discounted by {discount}"),
            other => f.write_str(other.name()),
        }
    }
}

/// What is certain about a position, whatever falls, if it is played for the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// The player can make sure of the win.
    SureWin,
    /// Neither is sure.
    Open,
    /// No luck will help.
    SureLoss,
}

impl Category {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Category::SureWin => "sure-win",
            Category::Open => "open",
            Category::SureLoss => "sure-loss",
        }
    }
}
