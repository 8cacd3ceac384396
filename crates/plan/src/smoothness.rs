//! Roughness of a position: a measure by which beams select positions.
//!
//! Each tile counts [`TILE`], as merged tiles are fewer, and each pair of neighbours in a row or
//! a column the doublings between them, as tiles can only merge once they are equal. Empty cells
//! between neighbours do not matter. Beams that keep what is least by this measure find plans
//! that no other plan can beat; docs/planning.md has the figures.

use std::sync::LazyLock;

use tilebase_game::Shape;

use crate::tile::Tile;

/// Weight of a tile, once for its row and once for its column.
const TILE: u8 = 4;

/// Roughness of a position; 0 for an empty board.
pub fn roughness(tiles: &[Tile]) -> u64 {
    let mut sum = 2 * u64::from(TILE) * tiles.len() as u64;
    // The tile before in the row, and those above.
    let mut left: Option<Tile> = None;
    let mut above = [0u8; Shape::MAX_SIDE as usize];
    for &tile in tiles {
        let exponent = tile.exponent();
        if let Some(left) = left.filter(|left| left.row() == tile.row()) {
            sum += u64::from(exponent.abs_diff(left.exponent()));
        }
        let above = &mut above[usize::from(tile.col())];
        if *above > 0 {
            sum += u64::from(exponent.abs_diff(*above));
        }
        *above = exponent;
        left = Some(tile);
    }
    sum
}

/// Roughness of a packed line of four cells.
#[inline]
pub fn line_roughness(line: u16) -> u64 {
    LINES[usize::from(line)].into()
}

/// One byte per line: at most four tiles and three pairs of neighbours.
static LINES: LazyLock<[u8; 1 << 16]> =
    LazyLock::new(|| std::array::from_fn(|bits| line(bits as u16)));

fn line(line: u16) -> u8 {
    let mut sum = 0;
    let mut before = 0;
    for at in 0..4 {
        let exponent = (line >> (4 * at)) as u8 & 15;
        if exponent > 0 {
            sum += TILE;
            if before > 0 {
                sum += exponent.abs_diff(before);
            }
            before = exponent;
        }
    }
    sum
}
