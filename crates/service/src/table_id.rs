//! Ids of tables: a game and an objective.

use std::fmt;

use tilebase_game::{Board, Grid, Shape, Variant, parse_tile};
use tilebase_table::{Objective, Table};

use crate::error::ApiError;

/// A game and an objective, which identify a table. Written as `solve` names directories, such
/// as `3x3-to-256-win`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableId {
    /// The game.
    pub variant: Variant,
    /// The objective of optimal play.
    pub objective: Objective,
}

impl TableId {
    /// Reads an id: the variant and the objective, or the variant alone for the usual objective:
    /// `win` with a target, `score` without.
    pub fn parse(id: &str) -> Option<TableId> {
        if let Ok(variant) = id.parse::<Variant>() {
            return Some(TableId::usual(variant));
        }
        Objective::ALL
            .map(Objective::name)
            .into_iter()
            .find_map(|name| {
                let (variant, rest) = id.rsplit_once(&format!("-{name}"))?;
                let discount = match rest.strip_prefix('-') {
                    Some(discount) => Some(discount.parse().ok()?),
                    None if rest.is_empty() => None,
                    None => return None,
                };
                Some(TableId {
                    variant: variant.parse().ok()?,
                    objective: Objective::from_name(name, discount)?,
                })
            })
    }

    /// A game with its usual objective.
    pub fn usual(variant: Variant) -> TableId {
        let objective = match variant.target() {
            Some(_) => Objective::Win,
            None => Objective::Score,
        };
        TableId { variant, objective }
    }

    /// The id of a table.
    pub fn of_table(table: &Table) -> TableId {
        TableId {
            variant: *table.variant(),
            objective: table.objective(),
        }
    }

    /// The id for parameters of a request.
    pub fn of(
        variant: Variant,
        objective: Option<&str>,
        discount: Option<f64>,
    ) -> Result<TableId, ApiError> {
        let name = objective.unwrap_or("win");
        let objective = Objective::from_name(name, discount).ok_or_else(|| {
            let names = Objective::ALL.map(Objective::name).join(", ");
            ApiError::Request(format!(
                "invalid objective '{name}' or discount: use one of {names}, and with win a \
                 discount above 0 and at most 1"
            ))
        })?;
        Ok(TableId { variant, objective })
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.variant, self.objective.name())?;
        match self.objective {
            Objective::Discounted(discount) => write!(f, "-{discount}"),
            _ => Ok(()),
        }
    }
}

/// Reads a board that must fit a table.
pub fn board(text: &str, variant: &Variant) -> Result<(Grid, Board), ApiError> {
    packed(variant.parse_grid(text).map_err(ApiError::request)?)
}

/// A board packed, if it fits a table.
pub fn packed(grid: Grid) -> Result<(Grid, Board), ApiError> {
    let board = grid.pack().ok_or_else(|| {
        ApiError::request(
            "the board has a tile above 32768 or more than 4x4 cells, which no table has",
        )
    })?;
    Ok((grid, board))
}

/// Reads a board.
pub fn grid(text: &str, shape: Option<Shape>) -> Result<Grid, ApiError> {
    Grid::parse(text, shape).map_err(ApiError::request)
}

/// Reads a target tile and returns its exponent.
pub fn target(text: &str) -> Result<u8, ApiError> {
    match parse_tile(text) {
        Ok(exponent) if exponent >= Variant::MIN_TARGET => Ok(exponent),
        _ => Err(ApiError::Request(format!(
            "invalid target '{text}': use a power of two from 8"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        for id in [
            "3x3-to-256-win",
            "2x2-score",
            "2x2-to-16-spawn-2:1-moves",
            "2x2-to-16-start-3-win-0.99",
            "3x3-to-64-survival",
        ] {
            assert_eq!(TableId::parse(id).unwrap().to_string(), id);
        }
        let short = TableId::parse("3x3-to-256").unwrap();
        assert_eq!(short.to_string(), "3x3-to-256-win");
        for id in [
            "",
            "win",
            "-win",
            "3x3-win-2",
            "3x3-to-256-wins",
            "../x",
            "3x3-to-256-score-1",
        ] {
            assert!(TableId::parse(id).is_none(), "{id}");
        }
    }
}
