//! Boards of any shape as the list of their tiles.
//!
//! Large boards are nearly empty: a game to 2048 on 32×32 rarely has more than thirty tiles.
//! So a slide, a hash and a heuristic look at tiles, never at cells.

use tilebase_game::{Grid, Move, Shape};

use crate::smoothness;
use crate::state_space::StateSpace;
use crate::tile::{Tile, tiles};

/// The game on lists of tiles.
pub struct SparseSpace {
    shape: Shape,
}

const SIDE: usize = Shape::MAX_SIDE as usize;

/// On boards with more cells a planner who may choose tries only cells beside tiles.
const FEW_CELLS: u16 = 25;

impl SparseSpace {
    /// The game on a shape.
    pub fn new(shape: Shape) -> SparseSpace {
        SparseSpace { shape }
    }
}

impl StateSpace for SparseSpace {
    /// The tiles, row by row.
    type State = Vec<Tile>;
    /// A hash of 128 bits: of a billion positions, two share one with a probability of less
    /// than 10^-20.
    type Key = u128;

    fn state(&self, grid: &Grid) -> Vec<Tile> {
        tiles(grid)
    }

    fn grid(&self, state: &Vec<Tile>) -> Grid {
        let mut grid = Grid::empty(self.shape);
        for tile in state {
            grid.set(tile.row(), tile.col(), tile.exponent());
        }
        grid
    }

    fn key(&self, state: &Vec<Tile>) -> u128 {
        let (mut high, mut low) = (FOLDS[0], FOLDS[1]);
        for tile in state {
            high = folded(high ^ u64::from(tile.bits()), FOLDS[2]);
            low = folded(low ^ u64::from(tile.bits()), FOLDS[3]);
        }
        u128::from(high) << 64 | u128::from(low)
    }

    fn canonical_key(&self, state: &Vec<Tile>) -> u128 {
        let (last_row, last_col) = (self.shape.rows() - 1, self.shape.cols() - 1);
        let mut image = Vec::with_capacity(state.len());
        let mut best = 0;
        for symmetry in 0..if self.shape.is_square() { 8 } else { 4 } {
            image.clear();
            image.extend(state.iter().map(|tile| {
                let row = if symmetry & 1 == 0 {
                    tile.row()
                } else {
                    last_row - tile.row()
                };
                let col = if symmetry & 2 == 0 {
                    tile.col()
                } else {
                    last_col - tile.col()
                };
                let (row, col) = if symmetry & 4 == 0 {
                    (row, col)
                } else {
                    (col, row)
                };
                Tile::new(row, col, tile.exponent())
            }));
            image.sort_unstable();
            best = best.max(self.key(&image));
        }
        best
    }

    fn slide(&self, state: &Vec<Tile>, m: Move) -> Option<Vec<Tile>> {
        let (last_row, last_col) = (self.shape.rows() - 1, self.shape.cols() - 1);
        match m {
            Move::Left => slid(
                state.iter(),
                |tile| (tile.row(), tile.col()),
                |tile, to| Tile::new(tile.row(), to, tile.exponent()),
            ),
            Move::Right => {
                let mut after = slid(
                    state.iter().rev(),
                    |tile| (tile.row(), last_col - tile.col()),
                    |tile, to| Tile::new(tile.row(), last_col - to, tile.exponent()),
                )?;
                after.reverse();
                Some(after)
            }
            Move::Up => {
                let mut after = slid(
                    state.iter(),
                    |tile| (tile.col(), tile.row()),
                    |tile, to| Tile::new(to, tile.col(), tile.exponent()),
                )?;
                after.sort_unstable();
                Some(after)
            }
            Move::Down => {
                let mut after = slid(
                    state.iter().rev(),
                    |tile| (tile.col(), last_row - tile.row()),
                    |tile, to| Tile::new(last_row - to, tile.col(), tile.exponent()),
                )?;
                after.sort_unstable();
                Some(after)
            }
        }
    }

    fn put(&self, state: &mut Vec<Tile>, cell: u16, exponent: u8) {
        let cols = u16::from(self.shape.cols());
        let tile = Tile::new((cell / cols) as u8, (cell % cols) as u8, exponent);
        let at = state.partition_point(|&other| other < tile);
        state.insert(at, tile);
    }

    fn empty(&self, state: &Vec<Tile>) -> u32 {
        u32::from(self.shape.cells()) - state.len() as u32
    }

    fn nth_empty(&self, state: &Vec<Tile>, n: u32) -> Option<u16> {
        let cols = u16::from(self.shape.cols());
        let mut cell = n as u16;
        for tile in state {
            if u16::from(tile.row()) * cols + u16::from(tile.col()) > cell {
                break;
            }
            cell += 1;
        }
        (cell < self.shape.cells()).then_some(cell)
    }

    fn choices(&self, state: &Vec<Tile>, cells: &mut Vec<u16>) {
        cells.clear();
        if self.shape.cells() <= FEW_CELLS {
            cells.extend((0..self.empty(state)).filter_map(|n| self.nth_empty(state, n)));
            return;
        }
        let (rows, cols) = (self.shape.rows(), self.shape.cols());
        let mut taken = vec![false; self.shape.cells().into()];
        let at = |row: u8, col: u8| u16::from(row) * u16::from(cols) + u16::from(col);
        for tile in state {
            taken[usize::from(at(tile.row(), tile.col()))] = true;
        }
        let mut add = |row: u8, col: u8| {
            let cell = at(row, col);
            if !std::mem::replace(&mut taken[usize::from(cell)], true) {
                cells.push(cell);
            }
        };
        for tile in state {
            if tile.row() > 0 {
                add(tile.row() - 1, tile.col());
            }
            if tile.row() + 1 < rows {
                add(tile.row() + 1, tile.col());
            }
            if tile.col() > 0 {
                add(tile.row(), tile.col() - 1);
            }
            if tile.col() + 1 < cols {
                add(tile.row(), tile.col() + 1);
            }
        }
        if state.is_empty() {
            cells.push(0);
        }
        cells.sort_unstable();
    }

    fn lists_all_choices(&self) -> bool {
        self.shape.cells() <= FEW_CELLS
    }

    fn reaches(&self, state: &Vec<Tile>, exponent: u8) -> bool {
        state.iter().any(|tile| tile.exponent() >= exponent)
    }

    fn tiles(&self, state: &Vec<Tile>, tiles: &mut Vec<Tile>) {
        tiles.clear();
        tiles.extend_from_slice(state);
    }

    fn roughness(&self, state: &Vec<Tile>) -> u64 {
        smoothness::roughness(state)
    }

    fn state_bytes(&self, state: &Vec<Tile>) -> usize {
        size_of::<Vec<Tile>>() + state.capacity() * size_of::<Tile>()
    }
}

/// Slides tiles that come in order from the wall: `place` gives a tile's line and its distance
/// from the wall, `moved` the tile at another distance.
#[inline]
fn slid<'a>(
    tiles: impl ExactSizeIterator<Item = &'a Tile>,
    place: impl Fn(Tile) -> (u8, u8),
    moved: impl Fn(Tile, u8) -> Tile,
) -> Option<Vec<Tile>> {
    // Room for the tile that falls.
    let mut after: Vec<Tile> = Vec::with_capacity(tiles.len() + 1);
    // Where in the new list the last tile of each line is, if it may still merge, and how many
    // cells of the line are filled.
    let mut last = [u16::MAX; SIDE];
    let mut filled = [0u8; SIDE];
    let mut changed = false;
    for &tile in tiles {
        let (line, distance) = place(tile);
        let line = usize::from(line) % SIDE;
        if let Some(before) = after.get_mut(usize::from(last[line]))
            && before.exponent() == tile.exponent()
        {
            *before = before.doubled();
            last[line] = u16::MAX;
            changed = true;
            continue;
        }
        let to = filled[line];
        changed |= to != distance;
        filled[line] = to + 1;
        last[line] = after.len() as u16;
        after.push(moved(tile, to));
    }
    changed.then_some(after)
}

/// Odd numbers with well mixed bits, from SplitMix64 (Steele, Lea and Flood, 2014).
const FOLDS: [u64; 4] = [
    0x9e37_79b9_7f4a_7c15,
    0xbf58_476d_1ce4_e5b9,
    0x94d0_49bb_1331_11eb,
    0xe220_a839_7b1d_cdaf,
];

/// The halves of a product, folded.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}
