//! Searched positions as answers, for positions that no table covers.

use tilebase_expectimax::{NO_EXTENSION, SearchLimit};
use tilebase_game::{Grid, Variant};
use tilebase_play::{EvaluationKind, Expectimax, Forecast, SearchConfig, Searcher};
use tilebase_schema::{
    Category, Direction, Game, Grade, Move, Outlook, Position, Search, SearchSettings, Source,
    Status, Unit, Value,
};
use tilebase_table::Objective;

use crate::grade::grade;
use crate::outlook::add_outlook;
use crate::probed::{game, notation};

/// The settings of a search as answers give them.
pub fn settings(
    evaluation: EvaluationKind,
    config: &SearchConfig,
    expectimax: &Expectimax,
) -> SearchSettings {
    let (max_depth, max_positions) = match config.limit {
        SearchLimit::Depth(depth) => (Some(depth), None),
        SearchLimit::Positions { positions, .. } => (None, Some(positions)),
    };
    let extend_above = Some(expectimax.extend_above());
    SearchSettings {
        evaluation: evaluation.name().to_owned(),
        max_depth,
        max_positions: max_positions.filter(|&positions| positions < u64::MAX),
        max_milliseconds: config.time.map(|time| time.as_millis() as u64),
        cutoff: config.options.cutoff,
        pruning_margin: Some(expectimax.pruning_margin()).filter(|margin| margin.is_finite()),
        // Only searches to a depth are extended.
        extend_above: extend_above.filter(|&tiles| max_depth.is_some() && tiles < NO_EXTENSION),
    }
}

/// Searches a position. A game that has reached its target is played on. `forecast` turns the
/// results into chances and scores.
pub fn position(
    searcher: &mut dyn Searcher,
    settings: &SearchSettings,
    variant: &Variant,
    objective: Option<Objective>,
    forecast: Option<&Forecast>,
    grid: &Grid,
) -> Position {
    let status = self::status(variant, grid);
    let bare = Position {
        game: estimated_game(variant, objective, settings, status),
        ..ended(variant, grid, status)
    };
    let Some(board) = grid.pack_halved() else {
        return Position {
            moves: unvalued(grid),
            ..bare
        };
    };
    let Some(advice) = searcher.advise(board) else {
        return bare;
    };
    let best = advice.moves.first();
    let searched = board.unpack(grid.shape());
    let moves = advice.moves.iter().filter_map(|scored| {
        let (afterstate, score) = grid.after(scored.m)?;
        let loss = best.map(|best| best.value - scored.value);
        Some(Move {
            value: estimate(scored.value),
            loss,
            is_best: loss.map(|loss| loss == 0.0),
            search_value: Some(scored.value),
            wins_now: status == Status::Live && self::status(variant, &afterstate) == Status::Won,
            ..Move::unvalued(scored.m.into(), score, notation(&afterstate))
        })
    });
    let is_network = settings.evaluation == EvaluationKind::Network.name();
    let mut position = Position {
        unit: is_network.then_some(Unit::Points),
        value: Value {
            category: bare.value.category,
            ..best.map_or(Value::default(), |best| estimate(best.value))
        },
        best: best.map(|best| Direction::from(best.m)),
        moves: moves.collect(),
        search: Some(Search {
            settings: settings.clone(),
            depth: advice.depth,
            visited: advice.positions,
            searched_as: (searched != *grid).then(|| notation(&searched)),
        }),
        ..bare
    };
    // With halved tiles the search is about another score.
    let forecast = forecast.filter(|_| is_network && searched == *grid);
    let wants_win = objective == Some(Objective::Win);
    add_outlook(&mut position, grid, variant, wants_win, forecast);
    if wants_win {
        match position.unit {
            Some(Unit::Probability) => prefer_wins(&mut position),
            _ => position.game = game(variant),
        }
    }
    position
}

/// Where the probability of winning counts, a slide that wins at once is best, whatever the search
/// says of the game after it.
fn prefer_wins(position: &mut Position) {
    if !position.moves.iter().any(|m| m.wins_now) {
        return;
    }
    position.moves.sort_by_key(|m| !m.wins_now);
    for played in &mut position.moves {
        if played.wins_now {
            played.value = Value {
                value: Some(1.0),
                complement: Some(0.0),
                win: Some(1.0),
                uncertainty: Some(0.0),
                ..played.value
            };
        }
        let loss = played.value.value.map(|value| 1.0 - value);
        played.loss = loss;
        played.loss_uncertainty = played.value.uncertainty;
        played.is_best = Some(played.wins_now);
        let about_equal = loss.zip(played.value.uncertainty);
        let about_equal = about_equal.is_some_and(|(loss, error)| loss <= error);
        played.grade = match played.wins_now {
            true => Some(Grade::Best),
            false if about_equal => Some(Grade::AboutEqual),
            false => loss.map(grade),
        };
    }
    if let Some(best) = position.moves.first() {
        position.value = best.value;
        position.best = Some(best.direction);
    }
}

/// Whether play goes on, as far as the board says.
fn status(variant: &Variant, grid: &Grid) -> Status {
    match variant.target() {
        Some(target) if grid.reaches(target) => Status::Won,
        _ if grid.is_lost() => Status::Lost,
        _ => Status::Live,
    }
}

/// A searched game, with the objective where estimates are estimates of it. Searches know nothing
/// of the number of moves, and evaluations other than the network have no unit.
fn estimated_game(
    variant: &Variant,
    objective: Option<Objective>,
    settings: &SearchSettings,
    status: Status,
) -> Game {
    let estimated = objective.filter(|objective| match objective {
        Objective::Win => status == Status::Live,
        // The score up to the target is another number.
        Objective::Score => variant.target().is_none(),
        _ => false,
    });
    let estimated = estimated.filter(|_| settings.evaluation == EvaluationKind::Network.name());
    Game {
        objective: estimated.map(|objective| objective.name().to_owned()),
        discount: estimated.map(|objective| objective.discount()),
        ..game(variant)
    }
}

/// The legal moves of a board that cannot be searched: its tiles are too large, and there is no
/// gap to halve them into.
fn unvalued(grid: &Grid) -> Vec<Move> {
    let moves = grid.legal_moves().iter().filter_map(|m| {
        let (afterstate, score) = grid.after(m)?;
        Some(Move::unvalued(m.into(), score, notation(&afterstate)))
    });
    moves.collect()
}

/// A position without moves: the game is won or lost.
pub fn ended(variant: &Variant, grid: &Grid, status: Status) -> Position {
    let category = match status {
        Status::Won => Some(Category::Won),
        Status::Lost => Some(Category::Lost),
        Status::Live | Status::Unreachable => None,
    };
    Position {
        game: game(variant),
        board: notation(grid),
        tiles: variant.tiles_text(grid),
        status,
        exact: false,
        value: Value {
            category,
            ..Value::default()
        },
        unit: None,
        outlook: Outlook::default(),
        best: None,
        moves: Vec::new(),
        search: None,
        formations: Vec::new(),
        formations_on_demand: Vec::new(),
    }
}

fn estimate(value: f64) -> Value {
    Value {
        value: Some(value),
        source: Some(Source::Estimate),
        ..Value::default()
    }
}
