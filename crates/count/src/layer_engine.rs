//! The interface between a pass and what computes its layers.

use tilebase_game::Board;
use tilebase_index::pack::{Section, SetData, SetForm};

use crate::census::Tally;
use crate::error::CountError;

/// One layer of a game, as an engine has computed it.
pub struct LayerResult {
    /// Symmetry classes of states, by largest tile.
    pub states: Tally,
    /// Number of canonical afterstates without a target tile.
    pub afterstates: u64,
    /// The live canonical states, if they were requested.
    pub state_set: SetData,
    /// The canonical afterstates, if they were requested.
    pub afterstate_set: SetData,
}

/// The sets that an engine returns with the numbers of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerRequest {
    /// Whether to return the live canonical states.
    pub states: bool,
    /// Whether to return the canonical afterstates.
    pub afterstates: bool,
    /// The form of the sets. Engines that split layers into parts return packed sets only.
    pub form: SetForm,
}

impl LayerRequest {
    /// Numbers alone, no sets.
    pub const COUNTS: LayerRequest = LayerRequest {
        states: false,
        afterstates: false,
        form: SetForm::Packed,
    };
}

/// What computes the layers of a game, one after the other: the processors of this machine, a
/// GPU, or several machines.
///
/// An engine remembers the afterstates of the last two layers. One step makes the states of the
/// next layer from them (a spawn adds 2 or 4 to the sum), counts these states, and slides them
/// to the afterstates of the layer. [`ForwardPass::run`](crate::ForwardPass::run) drives it:
///
/// - a fresh pass calls [`advance`](LayerEngine::advance) for every layer from sum 0 up, until
///   the engine [is finished](LayerEngine::is_finished);
/// - a resumed pass first calls [`restore`](LayerEngine::restore) or
///   [`skip`](LayerEngine::skip) for the last two layers of the store.
///
/// Layers are numbered in units of 2, half their tile sum. Engines of all kinds return the same
/// numbers and the same sets.
pub trait LayerEngine {
    /// Whether layers are split into parts because memory is short.
    fn is_in_parts(&self) -> bool;

    /// Whether no afterstate is left to make states from.
    fn is_finished(&self) -> bool;

    /// Steps over a layer without states.
    fn skip(&mut self);

    /// Takes over the canonical states of a layer from a store, in place of computing them.
    /// `damaged` makes the error for sections that do not fit the layer.
    fn restore(
        &mut self,
        units: usize,
        states: &[Section],
        damaged: &dyn Fn() -> CountError,
    ) -> Result<(), CountError>;

    /// Computes the next layer. `starts` are the start states with its sum.
    fn advance(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<LayerResult, CountError>;
}
