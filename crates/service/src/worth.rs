//! Values as answers give them.

use serde::Serialize;
use tilebase_table::{Category, Probe, Status, Table, Value};

/// What a position or a move is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The objective's number.
    pub value: Option<f64>,
    /// What is missing from the probability of winning to 1, in full precision.
    pub complement: Option<f64>,
    /// The probability of winning.
    pub win: Option<f64>,
    /// `won`, `lost`, `sure_win`, `sure_loss`, `open` or `unknown`.
    pub category: &'static str,
}

impl Worth {
    /// What nothing is known of.
    pub const UNKNOWN: Worth = Worth {
        value: None,
        complement: None,
        win: None,
        category: "unknown",
    };

    /// The worth of a value in a table.
    pub fn new(table: &Table, value: Option<Value>) -> Worth {
        let chance = value.and_then(|value| value.win);
        // Without a target every game is lost in the end, which says nothing.
        let sure = table.variant().target().and(value);
        Worth {
            value: value.and_then(|value| value.value),
            complement: chance.map(|chance| chance.q()),
            win: chance.map(|chance| chance.p()),
            category: match (value, sure.map(|value| value.category)) {
                (None, _) => "unknown",
                (Some(_), Some(Category::SureWin)) => "sure_win",
                (Some(_), Some(Category::SureLoss)) => "sure_loss",
                (Some(_), Some(Category::Open) | None) => "open",
            },
        }
    }

    /// The worth of a position.
    pub fn of(table: &Table, truth: &Probe) -> Worth {
        let worth = Worth::new(table, truth.value);
        let category = match truth.status {
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Live | Status::Unreachable => worth.category,
        };
        Worth { category, ..worth }
    }
}
