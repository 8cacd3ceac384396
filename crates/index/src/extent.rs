//! How far a game goes: its largest tile, and where it starts.

use tilebase_game::{Board, CellSet, Representative, Shape, Spawn, Variant};

use crate::error::IndexError;
use crate::space::Space;

/// The largest exponent that states may have: two tiles of it must still make one.
const MOST: u8 = 14;

/// The exponent of the largest tile that a board of this shape can hold in play.
///
/// To make 2^n, two tiles 2^(n−1) must lie on the board at once. When the second of them
/// was made, the first was there already (or was in pieces, which take more room), and
/// beside it two tiles 2^(n−2); and so on, down to two of the largest tile that falls. So
/// 2^n needs n cells if only 2s fall (2^(n−1), …, 4, 2 and 2) and n − 1 cells if 4s fall
/// (2^(n−1), …, 8, 4 and 4). On a single row or column, where the tiles cannot always be
/// brought together, this is only an upper bound.
pub fn largest_exponent(shape: Shape, spawn: Spawn) -> u16 {
    shape.cells() + u16::from(spawn.weight(2) > 0)
}

/// The largest exponent of a state of a variant: one below the target, or the largest tile that
/// the cells without a wall can hold. Where the target counts on some cells only, it can stand
/// on the others.
pub fn largest_state_exponent(variant: &Variant) -> Result<u8, IndexError> {
    let shape = variant.shape();
    let free = variant.free_cells();
    let largest = free + u16::from(variant.spawn().weight(2) > 0);
    let everywhere = variant
        .formation()
        .is_none_or(|formation| formation.goal() == CellSet::all(shape));
    match variant.target() {
        Some(target) if u16::from(target) > largest => Err(IndexError::Unreachable {
            shape,
            free,
            target,
            largest,
        }),
        Some(target) if target > MOST + u8::from(everywhere) => Err(IndexError::Target {
            target,
            most: MOST + u8::from(everywhere),
        }),
        Some(target) if everywhere => Ok(target - 1),
        Some(target) => Ok(target),
        _ if largest > u16::from(MOST) => Err(IndexError::Endless { shape, free }),
        _ => Ok(largest as u8),
    }
}

/// The largest sum of tiles that cells without a wall can hold in play, in units of 2; no limit
/// for games without walls, where none is needed. A board is heaviest with one of each tile from
/// 4 up, or from 2 up if only 2s fall.
pub(crate) fn most_units(variant: &Variant) -> usize {
    match variant.formation() {
        None => usize::MAX,
        Some(_) => (2usize << variant.free_cells()) - 1,
    }
}

/// The start states with their sums, in units of 2.
pub fn start_states(space: &Space, variant: &Variant) -> Vec<(usize, Board)> {
    let (spawn, tiles) = (variant.spawn(), variant.start_tiles());
    let starts = space
        .rules
        .start_states(spawn, tiles, Representative::Canonical);
    starts
        .into_iter()
        .map(|(board, _)| (space.rules.sum(board) as usize / 2, board))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_tile() {
        let shape = |text: &str| text.parse::<Shape>().unwrap();
        assert_eq!(largest_exponent(shape("4x4"), Spawn::STANDARD), 17);
        assert_eq!(largest_exponent(shape("4x4"), Spawn::FOURS), 17);
        assert_eq!(largest_exponent(shape("4x4"), Spawn::TWOS), 16);
        assert_eq!(largest_exponent(shape("2x2"), Spawn::STANDARD), 5);
        assert_eq!(largest_exponent(shape("32x32"), Spawn::STANDARD), 1025);
    }
}
