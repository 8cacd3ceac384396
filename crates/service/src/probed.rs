//! Probed positions as answers: the one place that turns what a table knows into the types of
//! the schema.

use tilebase_game::{Grid, Status, Variant};
use tilebase_schema::{
    self as schema, Category, Direction, Game, Grade, Move, Outlook, Position, Source, Unit, Walls,
};
use tilebase_table::{Objective, Probe, ProbedMove, Table, Value};

use crate::grade::{grade, relative_loss};

/// A board as answers give it: hex where there is a digit for every tile, tile values otherwise.
pub fn notation(grid: &Grid) -> String {
    grid.hex().unwrap_or_else(|| grid.to_string())
}

/// A game without an objective, for answers that need no table.
pub fn game(variant: &Variant) -> Game {
    Game {
        variant: variant.to_string(),
        walls: Walls::of(variant),
        objective: None,
        discount: None,
    }
}

/// Turns probes of a table into answers.
#[derive(Clone, Copy)]
pub struct ProbedTable<'a> {
    /// The table.
    pub table: &'a Table,
    /// Where the values of its positions come from.
    pub source: Source,
}

impl ProbedTable<'_> {
    /// The game of the table.
    pub fn game(&self) -> Game {
        let objective = self.table.objective();
        Game {
            objective: Some(objective.name().to_owned()),
            discount: Some(objective.discount()),
            ..game(self.table.variant())
        }
    }

    /// A position with its moves.
    pub fn position(&self, grid: &Grid, probe: &Probe) -> Position {
        Position {
            game: self.game(),
            board: notation(grid),
            tiles: self.table.variant().tiles_text(grid),
            status: probe.status.into(),
            exact: probe.value.is_some(),
            value: self.position_value(probe),
            unit: Some(unit(self.table.objective())),
            outlook: Outlook::default(),
            best: best(probe).next(),
            moves: probe.moves.iter().map(|m| self.played(probe, m)).collect(),
            search: None,
            formations: Vec::new(),
            formations_on_demand: Vec::new(),
        }
    }

    /// What the answers depend on beside the probes.
    pub fn solved(&self) -> SolvedGame {
        SolvedGame {
            variant: *self.table.variant(),
            objective: self.table.objective(),
            source: self.source,
        }
    }

    /// The value of a position.
    pub fn position_value(&self, probe: &Probe) -> schema::Value {
        self.solved().position_value(probe)
    }

    /// A move of a probed position.
    pub fn played(&self, probe: &Probe, m: &ProbedMove) -> Move {
        self.solved().played(probe, m)
    }

    /// What a loss is of the best value; of a probability the loss itself.
    pub fn share(&self, probe: &Probe, loss: f64) -> f64 {
        self.solved().share(probe, loss)
    }
}

/// A solved game, of which probes become answers.
#[derive(Clone, Copy)]
pub struct SolvedGame {
    /// The game.
    pub variant: Variant,
    /// The objective of optimal play.
    pub objective: Objective,
    /// Where the values of its positions come from.
    pub source: Source,
}

impl SolvedGame {
    /// The value of a position.
    pub fn position_value(&self, probe: &Probe) -> schema::Value {
        let value = self.value(probe.value);
        let category = match probe.status {
            Status::Won => Some(Category::Won),
            Status::Lost => Some(Category::Lost),
            Status::Live | Status::Unreachable => value.category,
        };
        schema::Value {
            category,
            source: is_known(probe).then_some(self.source),
            ..value
        }
    }

    /// A move of a probed position.
    pub fn played(&self, probe: &Probe, m: &ProbedMove) -> Move {
        let known = is_known(probe);
        let shape = self.variant.shape();
        Move {
            direction: m.direction.into(),
            value: self.value(m.value),
            loss: m.loss,
            loss_uncertainty: None,
            is_best: known.then_some(m.best),
            grade: match known && m.best {
                true => Some(Grade::Best),
                false => m.loss.map(|loss| grade(self.share(probe, loss))),
            },
            outlook: Outlook::default(),
            search_value: None,
            wins_now: m.wins_now,
            score: m.score.into(),
            afterstate: notation(&m.afterstate.unpack(shape)),
            same_as: m.same_as.map(Direction::from),
        }
    }

    /// What a loss is of the best value; of a probability the loss itself.
    pub fn share(&self, probe: &Probe, loss: f64) -> f64 {
        let best = probe.value.and_then(|value| value.value);
        match unit(self.objective) {
            Unit::Probability => loss,
            Unit::Points | Unit::Moves => relative_loss(loss, best.unwrap_or(0.0)),
        }
    }

    fn value(&self, value: Option<Value>) -> schema::Value {
        let win = value.and_then(|value| value.win);
        // Without a target every game is lost in the end, which says nothing.
        let certain = self.variant.target().and(value);
        schema::Value {
            value: value.and_then(|value| value.value),
            complement: win.map(|win| win.q()),
            win: win.map(|win| win.p()),
            category: certain.map(|value| value.category.into()),
            source: value.map(|_| self.source),
            uncertainty: None,
        }
    }
}

/// The unit of an objective's values.
pub fn unit(objective: Objective) -> Unit {
    match objective.descriptor().unit {
        "points" => Unit::Points,
        "moves" => Unit::Moves,
        _ => Unit::Probability,
    }
}

/// The best moves of a probed position, in the order of its moves.
pub fn best(probe: &Probe) -> impl Iterator<Item = Direction> {
    let best = probe.moves.iter().filter(|m| m.best);
    best.map(|m| m.direction.into())
}

/// Whether the table knows the value or, if it has moves only, a best move.
fn is_known(probe: &Probe) -> bool {
    probe.value.is_some() || probe.moves.iter().any(|m| m.best)
}
