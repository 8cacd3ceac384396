//! Where the boards of a layer have their places: a number for each, found by arithmetic.

use std::sync::Arc;

use tilebase_game::{Board, Rules, Shape, Variant};

use crate::error::IndexError;
use crate::extent::largest_of;
use crate::layer::{Block, Layout};
use crate::space::{Place, Space};

/// The places of all boards that a game's states can be.
///
/// Inside, shapes stand upright: boards with more columns than rows are turned.
/// [`Places::canonical`] turns them so.
///
/// ```
/// use tilebase_index::Places;
/// use tilebase_game::{Board, Variant};
///
/// let variant: Variant = "2x3-to-32".parse().unwrap();
/// let places = Places::new(&variant).unwrap();
/// let board = Board::parse("2,4,8/.,.,2", variant.shape()).unwrap();
/// let canonical = places.canonical(board);
/// let layer = places.layer(board.sum());
/// let position = layer.position(canonical).unwrap();
/// assert_eq!(layer.board(position), Some(canonical));
/// ```
#[derive(Clone)]
pub struct Places {
    space: Arc<Space>,
}

impl Places {
    /// Makes the tables of a game.
    pub fn new(variant: &Variant) -> Result<Places, IndexError> {
        let space = Space::new(variant.shape(), largest_of(variant)?, variant.spawn())
            .map_err(IndexError::Shape)?;
        Ok(Places {
            space: Arc::new(space),
        })
    }

    pub fn of(space: Arc<Space>) -> Places {
        Places { space }
    }

    /// The shape as asked for.
    pub fn shape(&self) -> Shape {
        self.space.shape
    }

    /// The rules on the shape that stands upright.
    pub fn rules(&self) -> &Rules {
        &self.space.rules
    }

    /// The largest exponent of a state.
    pub fn largest(&self) -> u8 {
        self.space.largest
    }

    /// The canonical upright image of a board.
    pub fn canonical(&self, board: Board) -> Board {
        self.space.rules.canonical(self.space.shown(board))
    }

    /// An upright board as the user knows it.
    pub fn shown(&self, board: Board) -> Board {
        self.space.shown(board)
    }

    /// The places of the layer with a tile sum.
    pub fn layer(&self, sum: u32) -> LayerPlaces {
        LayerPlaces {
            layout: Layout::new(&self.space, sum as usize / 2),
            space: self.space.clone(),
        }
    }
}

/// The places of one layer's boards.
#[derive(Clone)]
pub struct LayerPlaces {
    pub space: Arc<Space>,
    pub layout: Layout,
}

impl LayerPlaces {
    /// The tile sum.
    pub fn sum(&self) -> u32 {
        2 * self.layout.units as u32
    }

    /// All positions are below this.
    pub fn positions(&self) -> u64 {
        64 * self.layout.words() as u64
    }

    /// The position of a board that is canonical, upright, and has the layer's sum and no
    /// tile above the largest; others have none, or a wrong one.
    #[inline]
    pub fn position(&self, canonical: Board) -> Option<u64> {
        self.number(self.space.own_place(canonical)?)
    }

    /// The position of the canonical image of an upright board that has the layer's sum and
    /// no tile above the largest; others have none, or a wrong one.
    #[inline]
    pub fn canonical_position(&self, board: Board) -> Option<u64> {
        self.number(self.space.canonical_place(board)?)
    }

    #[inline]
    fn number(&self, place: Place) -> Option<u64> {
        let block = self.layout.block(place.top_units)?;
        let word = block.offset + place.row * block.stride;
        (place.row < block.rows && place.bit < block.bits).then_some((64 * word + place.bit) as u64)
    }

    /// The upright board at a position, if there is one.
    pub fn board(&self, position: u64) -> Option<Board> {
        let word = usize::try_from(position / 64).ok()?;
        let block = self.block_of(word)?;
        let row = (word - block.offset) / block.stride;
        let bit = position as usize - 64 * (block.offset + row * block.stride);
        let bottom = *self.space.bottom_group(block).get(bit)?;
        (bit < block.bits).then(|| self.space.board(self.space.top(block, row), bottom))
    }

    /// The block that a word belongs to.
    pub fn block_of(&self, word: usize) -> Option<&Block> {
        let blocks = &self.layout.blocks;
        let after = blocks.partition_point(|block| block.offset <= word);
        let block = &blocks[..after].iter().rev().find(|block| block.rows > 0)?;
        (word < block.offset + block.rows * block.stride).then_some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    #[test]
    fn canonical_images_are_found_without_being_made() {
        let mut rng = Rng::new(5);
        for name in [
            "1x2", "1x4", "2x2", "2x3", "3x2", "3x3", "3x4", "4x2", "4x3", "4x4",
        ] {
            let variant: Variant = format!("{name}-to-32").parse().unwrap_or_else(|_| {
                // Small boards hold no 32.
                format!("{name}-to-8").parse().unwrap()
            });
            let Ok(places) = Places::new(&variant) else {
                continue;
            };
            let (rules, shape) = (*places.rules(), places.rules().shape());
            for _ in 0..5000 {
                let mut board = Board::EMPTY;
                for row in 0..shape.rows() {
                    for col in 0..shape.cols() {
                        let exponent = rng.below(u32::from(places.largest()) + 1) as u8;
                        board = board.with(row, col, exponent);
                    }
                }
                let layer = places.layer(board.sum());
                let canonical = rules.canonical(board);
                let position = layer.canonical_position(board);
                assert_eq!(position, layer.position(canonical), "{board:?}");
                assert_eq!(layer.board(position.unwrap()), Some(canonical));
            }
        }
    }
}
