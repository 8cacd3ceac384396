//! Every state of a small game with its actions and their outcomes.

use std::ops::Range;

use tilebase_game::{Board, MoveSet, Representative, Rules, Variant};

use crate::error::ModelError;
use crate::fraction::Fraction;
use crate::walk::Walk;

/// The symmetry reduction of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// Every board is a state, every legal slide an action.
    None,
    /// One state for each symmetry class; every legal slide of it is an action.
    States,
    /// One state for each symmetry class, and slides to the same class are one action.
    #[default]
    Actions,
}

/// A state of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StateId {
    /// Index of a live state in [`Model::states`].
    Live(u32),
    /// All won states, merged into one.
    Win,
    /// All lost states, merged into one.
    Lose,
}

/// One of the states that a spawn after an action can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The state.
    pub to: StateId,
    /// Its share of [`Action::whole`].
    pub weight: u64,
}

/// A choice of the player in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The slides that this action stands for, one unless [`Reduction::Actions`] merged some.
    pub moves: MoveSet,
    /// The points of the slide. Slides to the same class score the same: the sum of (e − 1)·2^e
    /// over all tiles 2^e grows by exactly the points, and is the same for all images.
    pub score: u32,
    /// The outcomes, each state once, in the order of states.
    pub outcomes: Vec<Outcome>,
    /// The sum of all weights.
    pub whole: u64,
}

impl Action {
    /// The probability of an outcome of this action.
    pub fn probability(&self, outcome: Outcome) -> Fraction {
        Fraction::new(outcome.weight.into(), self.whole.into())
    }

    /// The mean of a value over the outcomes.
    pub fn mean(&self, value: impl Fn(StateId) -> f64) -> f64 {
        let weighted = |outcome: &Outcome| outcome.weight as f64 * value(outcome.to);
        self.outcomes.iter().map(weighted).sum::<f64>() / self.whole as f64
    }
}

/// A live state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The board; the representative of its class if the model is reduced.
    pub board: Board,
    /// The sum of its tiles: its layer.
    pub sum: u32,
    /// The probability that a game starts here.
    pub start: Fraction,
    /// Its actions, at least one, in the order of their first slides.
    pub actions: Vec<Action>,
}

/// A game as a Markov decision process, every state listed.
///
/// All won states are one state, and so are all lost ones. A slide that makes the target wins at
/// once. Probabilities are exact fractions.
///
/// ```
/// use tilebase_model::{Model, Reduction};
///
/// let variant = "2x2-to-8".parse().unwrap();
/// let model = Model::build(&variant, Reduction::None, 1000)?;
/// assert_eq!(model.states().len(), 68);
/// assert_eq!(model.transitions(), 528);
///
/// let model = Model::build(&variant, Reduction::Actions, 1000)?;
/// assert_eq!(model.states().len(), 15);
/// # Ok::<(), tilebase_model::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    variant: Variant,
    rules: Rules,
    reduction: Reduction,
    representative: Representative,
    /// Sorted by sum, then by number.
    states: Vec<State>,
    lost_start: Fraction,
}

impl Model {
    /// Lists a game of at most `limit` live states. The board with the smallest number represents
    /// its class, as in published diagrams.
    pub fn build(
        variant: &Variant,
        reduction: Reduction,
        limit: usize,
    ) -> Result<Model, ModelError> {
        Model::build_by(variant, reduction, Representative::Smallest, limit)
    }

    /// Lists a game with another representative of each class; without a reduction it makes no
    /// difference.
    pub fn build_by(
        variant: &Variant,
        reduction: Reduction,
        representative: Representative,
        limit: usize,
    ) -> Result<Model, ModelError> {
        let representative = match reduction {
            Reduction::None => Representative::Itself,
            Reduction::States | Reduction::Actions => representative,
        };
        let walk = Walk::new(variant, reduction, representative)?;
        let (states, lost_start) = walk.states(limit)?;
        Ok(Model {
            variant: *variant,
            rules: walk.rules(),
            reduction,
            representative,
            states,
            lost_start,
        })
    }

    /// The game.
    pub const fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The symmetry reduction.
    pub const fn reduction(&self) -> Reduction {
        self.reduction
    }

    /// The live states by sum, in a layer by number. Every outcome of a state comes after it.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The live states of each layer with their sum, as ranges of [`Model::states`].
    ///
    /// ```
    /// use tilebase_model::{Model, Reduction};
    ///
    /// let model = Model::build(&"2x2-to-8".parse().unwrap(), Reduction::States, 100)?;
    /// let sizes: Vec<_> = model.layers().map(|(sum, states)| (sum, states.len())).collect();
    /// assert_eq!(sizes, [(4, 2), (6, 3), (8, 4), (10, 3), (12, 2), (14, 1)]);
    /// # Ok::<(), tilebase_model::ModelError>(())
    /// ```
    pub fn layers(&self) -> impl Iterator<Item = (u32, Range<usize>)> {
        let mut from = 0;
        self.states
            .chunk_by(|a, b| a.sum == b.sum)
            .map(move |layer| {
                let range = from..from + layer.len();
                from = range.end;
                (layer[0].sum, range)
            })
    }

    /// Where games start, with the probabilities; a small full board can be lost at once.
    pub fn starts(&self) -> impl Iterator<Item = (StateId, Fraction)> {
        let live = (0..)
            .zip(&self.states)
            .map(|(id, s)| (StateId::Live(id), s.start));
        live.chain([(StateId::Lose, self.lost_start)])
            .filter(|&(_, probability)| probability != Fraction::ZERO)
    }

    /// The number of actions of all live states.
    pub fn actions(&self) -> usize {
        self.states.iter().map(|state| state.actions.len()).sum()
    }

    /// The number of outcomes of all actions of all live states.
    pub fn transitions(&self) -> usize {
        let actions = self.states.iter().flat_map(|state| &state.actions);
        actions.map(|action| action.outcomes.len()).sum()
    }

    /// The state that a board belongs to, if it can arise in this game.
    pub fn find(&self, board: Board) -> Option<StateId> {
        let board = self.rules.representative(board, self.representative);
        if self.variant.is_won(board) {
            return Some(StateId::Win);
        }
        if self.rules.is_lost(board) {
            return Some(StateId::Lose);
        }
        let key = (self.rules.sum(board), board);
        let at = self
            .states
            .binary_search_by_key(&key, |s| (s.sum, s.board))
            .ok()?;
        Some(StateId::Live(u32::try_from(at).ok()?))
    }
}
