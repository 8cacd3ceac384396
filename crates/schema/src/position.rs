//! Positions and their moves: the answers of `probe` and `advise`, and of the API's `position`,
//! `positions` and `advice`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Category, Direction, Grade, Search, Source, Status, Unit, Walls};

/// The value of a position or a move. All fields are null where it is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Value {
    /// The objective's number: a probability, points or moves.
    pub value: Option<f64>,
    /// 1 minus the probability of winning, in full precision.
    pub complement: Option<f64>,
    /// Probability of winning.
    pub win: Option<f64>,
    /// What is certain; null in a game without a target, and for an estimate.
    pub category: Option<Category>,
    /// Where the value comes from.
    pub source: Option<Source>,
    /// Standard error of an estimate, in the unit of `value`.
    pub uncertainty: Option<f64>,
}

/// What an estimate says of the rest of the game, played on without a target. All fields are
/// null where there is no estimate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Outlook {
    /// Probability of making each of the next large tiles that are not on the board.
    pub chances: Option<BTreeMap<u128, f64>>,
    /// Standard errors of the probabilities.
    pub chances_uncertainty: Option<BTreeMap<u128, f64>>,
    /// Expected score still to come.
    pub further_score: Option<f64>,
    /// Standard error of the expected score.
    pub further_score_uncertainty: Option<f64>,
}

/// A game and the objective of optimal play.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Game {
    /// The game, such as `3x3-to-512`.
    pub variant: String,
    /// The walls.
    #[serde(flatten)]
    pub walls: Walls,
    /// Name of the objective, such as `win`; null where no table is asked.
    pub objective: Option<String>,
    /// The discount per move; 1 for none, null where no table is asked.
    pub discount: Option<f64>,
}

/// A position and its legal moves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Position {
    /// The game.
    #[serde(flatten)]
    pub game: Game,
    /// The board in hex, or as tile values where hex has no digit for a tile.
    pub board: String,
    /// The board as tile values.
    pub tiles: String,
    /// Whether play goes on.
    pub status: Status,
    /// Whether the value is exact, up to the error bound of the table.
    pub exact: bool,
    /// Value of the position.
    #[serde(flatten)]
    pub value: Value,
    /// The unit of values; null where the evaluation has none.
    pub unit: Option<Unit>,
    /// The rest of the game, estimated.
    #[serde(flatten)]
    pub outlook: Outlook,
    /// The best move, or the first of several.
    pub best: Option<Direction>,
    /// The legal moves, best first.
    pub moves: Vec<Move>,
    /// How the position was searched; null if it was not.
    pub search: Option<Search>,
    /// Formations that the position fits with its largest tiles as walls; absent if there are
    /// none that are solved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formations: Vec<FormationPosition>,
    /// Ids of formations that the position fits, that are not solved yet, and that can be in seconds: start
    /// a job for one, and ask again. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formations_on_demand: Vec<String>,
}

/// A position as one of a formation: its largest tiles are walls. Its values are exact.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FormationPosition {
    /// The walls.
    #[serde(flatten)]
    pub formation: Walls,
    /// The game with the walls, such as `4x4-to-64-formation-L3`.
    pub variant: String,
    /// The target tile.
    pub to: u128,
    /// What the value is a chance of, in a sentence.
    pub meaning: String,
    /// The board, turned as the formation is, in hex, where `f` is a wall.
    pub board: String,
    /// The board, turned as the formation is, as tile values, where `#` is a wall.
    pub tiles: String,
    /// The chance under best play.
    #[serde(flatten)]
    pub value: Value,
    /// The moves that the formation allows, best first, in the directions of the position as it
    /// was asked. Their afterstates are turned as the position is, with walls.
    pub moves: Vec<Move>,
}

/// A legal move.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Move {
    /// Direction of the slide.
    #[serde(rename = "move")]
    pub direction: Direction,
    /// Value of the move.
    #[serde(flatten)]
    pub value: Value,
    /// How much worse the value is than that of the best move.
    pub loss: Option<f64>,
    /// Standard error of an estimated loss: a smaller loss says nothing.
    pub loss_uncertainty: Option<f64>,
    /// Whether no move is better, up to rounding; null where that is unknown.
    pub is_best: Option<bool>,
    /// How good the move is; null where that is unknown.
    pub grade: Option<Grade>,
    /// The rest of the game after the move, estimated.
    #[serde(flatten)]
    pub outlook: Outlook,
    /// The result of the search, before it is turned into `value`; null where nothing was
    /// searched.
    pub search_value: Option<f64>,
    /// Whether the slide makes the target tile.
    pub wins_now: bool,
    /// Points of the slide itself.
    pub score: u128,
    /// The board after the slide, before a tile spawns.
    pub afterstate: String,
    /// An earlier move of the list that leads to the same position up to symmetry.
    pub same_as: Option<Direction>,
}

impl Move {
    /// A legal move of which nothing but the rules is known.
    pub fn unvalued(direction: Direction, score: u128, afterstate: String) -> Move {
        Move {
            direction,
            value: Value::default(),
            loss: None,
            loss_uncertainty: None,
            is_best: None,
            grade: None,
            outlook: Outlook::default(),
            search_value: None,
            wins_now: false,
            score,
            afterstate,
            same_as: None,
        }
    }
}

/// Several positions, in the order of the request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Positions {
    /// The positions, or what is wrong with a board.
    pub positions: Vec<BatchEntry>,
}

/// One of several positions, or why there is none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum BatchEntry {
    /// The position.
    Position(Box<Position>),
    /// What is wrong with the board.
    Error(BatchError),
}

/// Why one board of a request has no answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BatchError {
    /// The place of the board in the request, from 0.
    pub index: usize,
    /// The board as it was given.
    pub board: String,
    /// What is wrong with it, in one line.
    pub error: String,
}

/// All start positions of a game.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StartPositions {
    /// The positions, the most probable first, one for each class of symmetry.
    pub positions: Vec<StartPosition>,
}

/// A start position.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StartPosition {
    /// Probability that a game starts with it or a position symmetric to it.
    pub probability: f64,
    /// The position.
    #[serde(flatten)]
    pub position: Position,
}

/// Advice on a position: exact where a table covers it, searched otherwise.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Advice {
    /// The position.
    #[serde(flatten)]
    pub position: Position,
    /// Directory of the table that answered; null if none did.
    pub table: Option<String>,
}
