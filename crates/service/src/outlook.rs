//! What searches say of the rest of a game, in units that people know.

use std::collections::BTreeMap;

use tilebase_game::{Grid, Variant, tile_value};
use tilebase_play::{Forecast, TileChance};
use tilebase_schema::{Grade, Outlook, Position, Status, Unit, Value};

use crate::grade::{grade, relative_loss};

/// The first tile whose chance is shown: 2048.
const FIRST_SHOWN: u8 = 11;

/// Turns the results of a search into values: the chance of the target if it is a game to a
/// target that is not on the board yet, the expected score still to come otherwise. Grades the
/// moves. Without a forecast values stay what the search says.
pub fn add_outlook(
    position: &mut Position,
    grid: &Grid,
    variant: &Variant,
    wants_win: bool,
    forecast: Option<&Forecast>,
) {
    let best = position.moves.first().and_then(|best| best.search_value);
    let Some(best) = best else { return };
    let Some(forecast) = forecast else {
        for played in &mut position.moves {
            let loss = played.search_value.map(|value| best - value);
            played.grade = loss.map(|loss| match loss {
                0.0 => Grade::Best,
                loss => grade(relative_loss(loss, best)),
            });
        }
        return;
    };
    let target = variant
        .target()
        .filter(|_| wants_win && position.status == Status::Live);
    let scale = Scale {
        forecast,
        grid,
        best,
        target: target.filter(|&target| forecast.has(target)),
    };
    let difference = forecast.difference_error(best);
    let category = position.value.category;
    position.unit = Some(scale.unit());
    position.outlook = scale.outlook(best);
    position.value = Value {
        category,
        source: position.value.source,
        ..scale.value(best)
    };
    let best_value = position.value.value.unwrap_or_default();
    let less = scale.value(best - difference).value.unwrap_or_default();
    for played in &mut position.moves {
        let Some(searched) = played.search_value else {
            continue;
        };
        played.value = Value {
            source: played.value.source,
            ..scale.value(searched)
        };
        played.outlook = scale.outlook(searched);
        played.loss = played.value.value.map(|value| best_value - value);
        played.loss_uncertainty = Some(best_value - less);
        played.grade = Some(match (scale.target, played.loss) {
            _ if searched == best => Grade::Best,
            (Some(_), Some(loss)) => graded(loss, 1.0, best_value - less),
            _ => graded(best - searched, best, difference),
        });
    }
}

/// The grade of a move by its loss, which may be off by `difference`.
fn graded(loss: f64, best: f64, difference: f64) -> Grade {
    match loss {
        loss if loss <= difference => Grade::AboutEqual,
        loss => grade(relative_loss(loss, best)),
    }
}

/// What values of searches mean for a board.
struct Scale<'a> {
    forecast: &'a Forecast,
    grid: &'a Grid,
    /// The search value of the best move.
    best: f64,
    /// The target, if its chance is the value.
    target: Option<u8>,
}

impl Scale<'_> {
    fn unit(&self) -> Unit {
        match self.target {
            Some(_) => Unit::Probability,
            None => Unit::Points,
        }
    }

    fn value(&self, searched: f64) -> Value {
        let chance = self.target.and_then(|target| {
            let chances = self.forecast.chances(self.grid, self.best, searched);
            chances.into_iter().find(|tile| tile.exponent == target)
        });
        match chance {
            Some(TileChance { chance, .. }) => Value {
                value: Some(chance.value),
                complement: Some(1.0 - chance.value),
                win: Some(chance.value),
                uncertainty: Some(chance.error),
                ..Value::default()
            },
            None => {
                let score = self.forecast.further_score(self.grid, self.best, searched);
                Value {
                    value: Some(score.value),
                    uncertainty: Some(score.error),
                    ..Value::default()
                }
            }
        }
    }

    fn outlook(&self, searched: f64) -> Outlook {
        let chances = self.forecast.chances(self.grid, self.best, searched);
        let shown = || chances.iter().filter(|tile| tile.exponent >= FIRST_SHOWN);
        let map = |number: fn(&TileChance) -> f64| -> BTreeMap<u128, f64> {
            let numbers = shown().map(|tile| (tile_value(tile.exponent), number(tile)));
            numbers.collect()
        };
        let score = self.forecast.further_score(self.grid, self.best, searched);
        Outlook {
            chances: Some(map(|tile| tile.chance.value)),
            chances_uncertainty: Some(map(|tile| tile.chance.error)),
            further_score: Some(score.value),
            further_score_uncertainty: Some(score.error),
        }
    }
}
