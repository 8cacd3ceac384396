//! The evaluations by name.

use std::fmt;
use std::str::FromStr;

use tilebase_expectimax::SearchLimit;
use tilebase_game::Shape;

/// The evaluations that expectimax players can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationKind {
    /// Hand-written: large tiles and small differences.
    Smooth,
    /// An n-tuple network, for 4x4.
    Network,
}

impl EvaluationKind {
    /// All kinds.
    pub const ALL: [EvaluationKind; 2] = [EvaluationKind::Smooth, EvaluationKind::Network];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            EvaluationKind::Smooth => "smooth",
            EvaluationKind::Network => "network",
        }
    }

    /// The strongest one for a shape.
    pub fn best_for(shape: Shape) -> EvaluationKind {
        if (shape.rows(), shape.cols()) == (4, 4) {
            EvaluationKind::Network
        } else {
            EvaluationKind::Smooth
        }
    }

    /// The default limit of a search: as published for `smooth`, and a depth that allows some
    /// thousand moves a second for `network`.
    pub const fn default_limit(self) -> SearchLimit {
        match self {
            EvaluationKind::Smooth => SearchLimit::Positions {
                min_depth: 3,
                positions: 10_000,
            },
            EvaluationKind::Network => SearchLimit::Depth(3),
        }
    }
}

impl fmt::Display for EvaluationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEvaluation(pub String);

impl fmt::Display for UnknownEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = EvaluationKind::ALL.map(EvaluationKind::name).join(" or ");
        write!(f, "unknown evaluation '{}': use {names}", self.0)
    }
}

impl std::error::Error for UnknownEvaluation {}

impl FromStr for EvaluationKind {
    type Err = UnknownEvaluation;

    fn from_str(name: &str) -> Result<EvaluationKind, UnknownEvaluation> {
        let kinds = EvaluationKind::ALL;
        kinds
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| UnknownEvaluation(name.to_owned()))
    }
}
