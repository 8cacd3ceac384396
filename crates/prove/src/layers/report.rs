//! What solving by layers finds.

use tilebase_game::Board;
use tilebase_index::{BoardIndex, BoardSet, LayerBits};

use crate::contest::Winner;

/// What was found in a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerResult {
    /// Tile sum.
    pub sum: u32,
    /// Live states: Slider has a legal slide.
    pub states: u64,
    /// Live states that Slider wins.
    pub winning: u64,
    /// Afterstates without the target.
    pub afterstates: u64,
    /// Afterstates that Slider wins.
    pub winning_afterstates: u64,
}

/// Who wins, and how many positions are won, each with all its images counted once.
#[derive(Clone, Debug, PartialEq)]
pub struct LayersReport {
    /// Who wins from the empty board.
    pub winner: Winner,
    /// States without a legal slide, which Dropper has won.
    pub lost: u64,
    /// All layers with a live state, by tile sum.
    pub layers: Vec<LayerResult>,
    /// Seconds for counting the states.
    pub count_seconds: f64,
    /// Seconds for working backward through them.
    pub backward_seconds: f64,
}

impl LayersReport {
    /// Live states in all.
    pub fn states(&self) -> u64 {
        self.layers.iter().map(|layer| layer.states).sum()
    }

    /// Live states that Slider wins.
    pub fn winning(&self) -> u64 {
        self.layers.iter().map(|layer| layer.winning).sum()
    }

    /// Afterstates without the target in all.
    pub fn afterstates(&self) -> u64 {
        self.layers.iter().map(|layer| layer.afterstates).sum()
    }

    /// Afterstates that Slider wins.
    pub fn winning_afterstates(&self) -> u64 {
        let layers = self.layers.iter();
        layers.map(|layer| layer.winning_afterstates).sum()
    }

    /// Seconds in all.
    pub fn seconds(&self) -> f64 {
        self.count_seconds + self.backward_seconds
    }
}

/// The states of a layer, and who wins each.
pub struct SolvedLayer<'a> {
    pub(super) index: &'a BoardIndex,
    pub(super) states: &'a BoardSet,
    pub(super) wins: &'a LayerBits,
}

impl SolvedLayer<'_> {
    /// Tile sum.
    pub fn sum(&self) -> u32 {
        self.states.index().sum()
    }

    /// The live states.
    pub fn states(&self) -> &BoardSet {
        self.states
    }

    /// Calls `visit` with every live state, canonical and as the user knows it, and whether
    /// Slider wins it.
    pub fn for_each(&self, mut visit: impl FnMut(Board, bool)) {
        self.states.for_each_in(0..usize::MAX, |position, board| {
            visit(self.index.in_shape(board), self.wins.get(position));
        });
    }
}
