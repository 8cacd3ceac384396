//! Boards as numbers: each board of a layer has a position, found by arithmetic.

use std::fmt;
use std::sync::Arc;

use tilebase_game::{Board, Rules, Shape, Variant};

use crate::error::IndexError;
use crate::layer::{Block, Layout};
use crate::space::{Place, Space};

/// The index of a game: a position for every board that one of its states can be.
///
/// Building it makes all tables of the game. Build it once for a run and clone it: clones
/// share the tables.
///
/// Inside, shapes stand upright: boards with more columns than rows are transposed.
/// [`BoardIndex::canonical`] takes a board of the game's shape, and [`BoardIndex::in_shape`]
/// turns an upright board back.
///
/// ```
/// use tilebase_index::BoardIndex;
/// use tilebase_game::{Board, Variant};
///
/// let variant: Variant = "2x3-to-32".parse().unwrap();
/// let index = BoardIndex::new(&variant).unwrap();
/// let board = Board::parse("2,4,8/.,.,2", variant.shape()).unwrap();
/// let canonical = index.canonical(board);
/// let layer = index.layer(board.sum());
/// let position = layer.position(canonical).unwrap();
/// assert_eq!(layer.board(position), Some(canonical));
/// ```
#[derive(Clone)]
pub struct BoardIndex {
    variant: Variant,
    space: Arc<Space>,
}

impl BoardIndex {
    /// Builds the tables of a game.
    pub fn new(variant: &Variant) -> Result<BoardIndex, IndexError> {
        Ok(BoardIndex {
            variant: *variant,
            space: Arc::new(Space::new(variant)?),
        })
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The tables, for passes over whole layers.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// The shape of the game's boards.
    pub fn shape(&self) -> Shape {
        self.space.shape
    }

    /// The rules on upright boards.
    pub fn rules(&self) -> &Rules {
        &self.space.rules
    }

    /// The largest exponent of a state.
    pub fn largest(&self) -> u8 {
        self.space.largest
    }

    /// The canonical form, upright, of a board of the game's shape.
    pub fn canonical(&self, board: Board) -> Board {
        self.space.rules.canonical(self.space.upright(board))
    }

    /// Whether a board of the game can be a state or an afterstate: its tiles are small enough,
    /// and its walls stand as they must.
    pub fn has_room_for(&self, board: Board) -> bool {
        self.space.cut.has_room_for(self.space.upright(board))
    }

    /// Whether boards of the game are transposed to stand upright.
    pub fn is_turned(&self) -> bool {
        self.space.cut.turned
    }

    /// An upright board in the game's shape.
    pub fn in_shape(&self, board: Board) -> Board {
        self.space.in_shape(board)
    }

    /// The index of the layer with a tile sum.
    pub fn layer(&self, sum: u32) -> LayerIndex {
        LayerIndex {
            layout: Layout::new(&self.space, sum as usize / 2),
            space: self.space.clone(),
            before: 0,
        }
    }
}

/// Two indices are equal if they are of the same game.
impl PartialEq for BoardIndex {
    fn eq(&self, other: &BoardIndex) -> bool {
        self.variant == other.variant
    }
}

impl Eq for BoardIndex {}

impl fmt::Debug for BoardIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoardIndex({})", self.variant)
    }
}

/// The index of one layer: the boards of a tile sum.
#[derive(Clone)]
pub struct LayerIndex {
    pub(crate) space: Arc<Space>,
    pub(crate) layout: Layout,
    /// Positions of the layer that come before a part of it.
    before: u64,
}

impl LayerIndex {
    /// The tile sum.
    pub fn sum(&self) -> u32 {
        2 * self.layout.units as u32
    }

    /// The index of a part of the layer: the boards whose tops have a weight in a range. Its
    /// positions begin with 0, and boards outside have none.
    ///
    /// ```
    /// use tilebase_game::{Board, Variant};
    /// use tilebase_index::BoardIndex;
    /// use tilebase_index::layer::Part;
    ///
    /// let variant: Variant = "2x2-to-32".parse().unwrap();
    /// let index = BoardIndex::new(&variant).unwrap();
    /// let board = index.canonical(Board::parse("4,8/2,2", variant.shape()).unwrap());
    /// let layer = index.layer(16);
    /// let (light, heavy) = (Part { first: 0, end: 6 }, Part { first: 6, end: 9 });
    /// let (light, heavy) = (layer.part(light), layer.part(heavy));
    /// assert_eq!(light.position(board), None);
    /// let position = heavy.position(board).unwrap();
    /// assert_eq!(Some(heavy.first_position() + position), layer.position(board));
    /// ```
    #[cfg(not(target_family = "wasm"))]
    pub fn part(&self, part: crate::layer::Part) -> LayerIndex {
        LayerIndex {
            before: self.before + 64 * self.layout.range(part).start as u64,
            layout: self.layout.part(part),
            space: self.space.clone(),
        }
    }

    /// The position in the whole layer of the first board of this part of it; 0 for a whole layer.
    pub fn first_position(&self) -> u64 {
        self.before
    }

    /// The blocks of the layer.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The position of a place; `None` if it is outside.
    #[inline]
    pub fn position_of(&self, place: Place) -> Option<u64> {
        self.number(place)
    }

    /// One more than the largest position.
    pub fn positions(&self) -> u64 {
        64 * self.layout.words() as u64
    }

    /// The position of a canonical upright board that has the layer's sum and no tile above
    /// the largest. The result for other boards is unspecified.
    #[inline]
    pub fn position(&self, canonical: Board) -> Option<u64> {
        self.number(self.space.own_place(canonical)?)
    }

    /// The position of the canonical form of an upright board that has the layer's sum and
    /// no tile above the largest. The result for other boards is unspecified.
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
    pub(crate) fn block_of(&self, word: usize) -> Option<&Block> {
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
            let Ok(index) = BoardIndex::new(&variant) else {
                continue;
            };
            let (rules, shape) = (*index.rules(), index.rules().shape());
            for _ in 0..5000 {
                let mut board = Board::EMPTY;
                for row in 0..shape.rows() {
                    for col in 0..shape.cols() {
                        let exponent = rng.below(u32::from(index.largest()) + 1) as u8;
                        board = board.with(row, col, exponent);
                    }
                }
                let layer = index.layer(board.sum());
                let canonical = rules.canonical(board);
                let position = layer.canonical_position(board);
                assert_eq!(position, layer.position(canonical), "{board:?}");
                assert_eq!(layer.board(position.unwrap()), Some(canonical));
            }
        }
    }
}
