//! The live states of one layer, to be listed, asked and ranked.

use std::sync::Arc;

use tilebase_game::{Board, Shape};

use crate::layer::{Layer, Part, for_each_bit};
use crate::pack::{Misfit, Section, unpack};
use crate::space::{Place, Space};

/// Words between two entries of the rank directory.
const STEP: usize = 8;

/// The live states of a layer, one canonical board for each class, in the order of their
/// ranks.
///
/// ```
/// use tilebase_count::{Options, count_layers};
/// use tilebase_game::{Board, Variant};
/// use tilebase_progress::Silent;
///
/// let variant: Variant = "2x2-to-32".parse().unwrap();
/// let mut total = 0;
/// count_layers(&variant, &Options::default(), &Silent, &mut |layer, states| {
///     for (rank, board) in states.iter().enumerate() {
///         assert!(states.contains(board));
///         assert_eq!(states.rank(board), Some(rank as u64));
///         assert_eq!(board.sum(), layer.sum);
///     }
///     total += states.len();
/// }).unwrap();
/// assert_eq!(total, 57);
/// ```
pub struct StateSet {
    space: Arc<Space>,
    layer: Layer,
    /// States before every STEP-th word.
    before: Vec<u64>,
    len: u64,
}

impl StateSet {
    pub(crate) fn new(
        space: Arc<Space>,
        mut layer: Layer,
        sections: &[Section],
    ) -> Result<StateSet, Misfit> {
        unpack(sections, &mut layer, Part::ALL)?;
        let mut before = Vec::new();
        let mut len = 0;
        for words in layer.words().chunks(STEP) {
            before.push(len);
            len += words
                .iter()
                .map(|word| u64::from(word.count_ones()))
                .sum::<u64>();
        }
        Ok(StateSet {
            space,
            layer,
            before,
            len,
        })
    }

    /// Number of states.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The shape of the boards.
    pub fn shape(&self) -> Shape {
        self.space.shape
    }

    /// Whether a board, or an image of it, is one of the states.
    pub fn contains(&self, board: Board) -> bool {
        self.place(board)
            .is_some_and(|place| self.layer.contains(place))
    }

    /// The rank of a board's class among the states, if it is one of them.
    pub fn rank(&self, board: Board) -> Option<u64> {
        let place = self
            .place(board)
            .filter(|&place| self.layer.contains(place))?;
        let at = self.layer.word_of(place)?;
        let words = &self.layer.words()[at / STEP * STEP..=at];
        let (last, whole) = words.split_last()?;
        let low = last & ((1 << (place.bit % 64)) - 1);
        let ones = |word: &u64| u64::from(word.count_ones());
        Some(self.before[at / STEP] + whole.iter().map(ones).sum::<u64>() + ones(&low))
    }

    /// The place of the canonical image of a board as the user knows it.
    fn place(&self, board: Board) -> Option<Place> {
        if board.sum() as usize != 2 * self.layer.layout.units
            || board.reaches(self.space.largest + 1)
        {
            return None;
        }
        let canonical = self.space.rules.canonical(self.space.shown(board));
        self.space.own_place(canonical)
    }

    /// The states by rank: canonical boards.
    pub fn iter(&self) -> impl Iterator<Item = Board> {
        self.layer.layout.blocks.iter().flat_map(move |block| {
            (0..block.rows).flat_map(move |row| {
                let top = self.space.top(block, row);
                let bottoms = self.space.bottom_group(block);
                let words = self.layer.row(block.top_units, row).unwrap_or(&[]);
                let mut boards = Vec::new();
                for_each_bit(words.iter().copied(), |bit| {
                    boards.push(self.space.shown(self.space.board(top, bottoms[bit])));
                });
                boards
            })
        })
    }
}
