//! Which game is asked about, for which objective, and what it is called.

use std::fmt;

use tilebase_game::{Board, Grid, Shape, Variant, parse_tile};
use tilebase_table::{Objective, Table};

use crate::error::ApiError;

/// A game and an objective: what a table answers. Its name is the one that `solve` gives
/// directories, such as `3x3-to-256-win`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableId {
    /// The game.
    pub variant: Variant,
    /// What optimal play is to achieve.
    pub objective: Objective,
}

impl TableId {
    /// The question with an id: the variant's name and the objective's, or the first alone
    /// for the probability of winning.
    pub fn parse(id: &str) -> Option<TableId> {
        if let Ok(variant) = id.parse::<Variant>() {
            let objective = match variant.target() {
                Some(_) => Objective::Win,
                None => Objective::Score,
            };
            return Some(TableId { variant, objective });
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

    /// The question that a table answers.
    pub fn of_table(table: &Table) -> TableId {
        TableId {
            variant: *table.variant(),
            objective: table.objective(),
        }
    }

    /// The question of parameters.
    pub fn of(
        variant: Variant,
        objective: Option<&str>,
        discount: Option<f64>,
    ) -> Result<TableId, ApiError> {
        let name = objective.unwrap_or("win");
        let objective = Objective::from_name(name, discount).ok_or_else(|| {
            ApiError::request(
                "no such objective: use win (with a discount above 0 and at most 1, or none), \
                 score, moves or survival",
            )
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

/// The position in a text, packed.
pub fn board(text: &str, shape: Shape) -> Result<(Grid, Board), ApiError> {
    let grid = grid(text, Some(shape))?;
    let board = grid.pack().ok_or_else(|| {
        ApiError::request(
            "the board has a tile above 32768 or more than 4x4 cells: no table has it",
        )
    })?;
    Ok((grid, board))
}

/// The position in a text.
pub fn grid(text: &str, shape: Option<Shape>) -> Result<Grid, ApiError> {
    Grid::parse(text, shape).map_err(ApiError::request)
}

/// A board as answers give it: hex where it fits, tile values otherwise.
pub fn notation(grid: &Grid) -> String {
    grid.hex().unwrap_or_else(|| grid.to_string())
}

/// A target tile's exponent.
pub fn target(text: &str) -> Result<u8, ApiError> {
    match parse_tile(text) {
        Ok(exponent) if exponent >= Variant::MIN_TARGET => Ok(exponent),
        _ => Err(ApiError::Request(format!(
            "'{text}' is no target: use a power of two from 8"
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
