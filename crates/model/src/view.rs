//! What a diagram shows of a model.

use tilebase_game::Board;

use crate::model::{Action, Model, StateId};
use crate::policy::StatePolicy;

/// How drawn states are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// A column for each layer.
    #[default]
    Layer,
    /// A column for each layer, and in it a group for each largest tile.
    LayerAndLargest,
}

/// Which of several best actions are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first, so that every state has one action.
    #[default]
    First,
    /// All of them.
    All,
}

/// The value and best moves of a board, where they are known.
pub type Policy<'a> = &'a dyn Fn(Board) -> Option<StatePolicy>;

/// What a diagram shows.
///
/// ```
/// use tilebase_model::{Drawing, Model, Objective, Reduction, StateId, Ties, solve, write_svg};
///
/// let model = Model::build(&"2x2-to-16".parse().unwrap(), Reduction::Actions, 100)?;
/// let states = solve(&model, Objective::Win);
/// let policy = |board| match model.find(board) {
///     Some(StateId::Live(at)) => states.get(at as usize).copied(),
///     _ => None,
/// };
/// let drawing = Drawing { policy: Some(&policy), ties: Ties::All, ..Drawing::default() };
/// let mut picture = Vec::new();
/// write_svg(&model, &drawing, &mut picture)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Drawing<'a> {
    /// Values of the states. With it only best actions are drawn, and only the states that they
    /// lead to from the start states. States that it does not know show all actions.
    pub policy: Option<Policy<'a>>,
    /// Which of several best actions are drawn.
    pub ties: Ties,
    /// How states are grouped.
    pub grouping: Grouping,
}

/// A drawn state.
pub(crate) struct Shown<'a> {
    /// Its index among the model's states.
    pub(crate) at: usize,
    pub(crate) value: Option<f64>,
    pub(crate) actions: Vec<&'a Action>,
}

/// The drawn states in the order of the model's.
pub(crate) fn shown<'a>(model: &'a Model, drawing: &Drawing) -> Vec<Shown<'a>> {
    let all = drawing.policy.is_none();
    let start = |state: &crate::State| all || state.start.numerator() > 0;
    let mut drawn: Vec<bool> = model.states().iter().map(start).collect();
    let mut shown = Vec::new();
    // Outcomes come after their states, so a state is decided when its turn comes.
    for (at, state) in model.states().iter().enumerate() {
        if !drawn[at] {
            continue;
        }
        let line = drawing.policy.and_then(|policy| policy(state.board));
        let mut actions: Vec<&Action> = state.actions.iter().collect();
        if let Some(line) = line {
            actions.retain(|action| action.moves.bits() & line.best.bits() != 0);
            if drawing.ties == Ties::First {
                actions.truncate(1);
            }
        }
        for outcome in actions.iter().flat_map(|action| &action.outcomes) {
            if let StateId::Live(to) = outcome.to {
                drawn[to as usize] = true;
            }
        }
        shown.push(Shown {
            at,
            value: line.map(|line| line.value),
            actions,
        });
    }
    shown
}
