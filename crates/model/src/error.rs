//! Errors of models.

use std::fmt;

use tilebase_game::{TooLarge, Variant};

/// Why a game could not be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelError {
    /// The shape does not fit a packed board.
    Shape(TooLarge),
    /// The game has more states than were allowed.
    Limit {
        /// The game.
        variant: Box<Variant>,
        /// The most states allowed.
        limit: usize,
    },
    /// The start states' probabilities need more than 128 bits.
    Start(Box<Variant>),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Shape(error) => error.fmt(f),
            ModelError::Limit { variant, limit } => {
                write!(f, "{variant} has more than {limit} states")
            }
            ModelError::Start(variant) => write!(
                f,
                "the start states of {variant} have probabilities too fine to be kept exactly"
            ),
        }
    }
}

impl std::error::Error for ModelError {}
