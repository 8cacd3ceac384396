//! The constraint on tiles: what can arise has room for how it arose.

use crate::Contest;

use crate::bdd::diagrams::Diagrams;
use crate::bdd::error::BddError;
use crate::bdd::kind::DiagramKind;
use crate::bdd::moves::everything;

/// The boards that have, for every tile 2^i on them, at least i − 1 cells that are empty or
/// smaller; i − 2 where 4s are dropped.
///
/// All boards that can arise are among them: to make a tile 2^i takes one of every smaller
/// size just before, and none of these came from the tiles as large as 2^i.
pub(crate) fn possible<K: DiagramKind>(
    diagrams: &Diagrams<'_, K>,
    contest: &Contest,
) -> Result<K, BddError> {
    let mut boards = everything(diagrams)?;
    let cells = diagrams.layout.cells();
    for tile in 1..diagrams.layout.values() {
        let needed = tile.saturating_sub(contest.drops().largest());
        // Whether the tile was seen, and how many smaller cells were.
        let with_room = diagrams.boards((false, 0), |&(seen, smaller), place, value| {
            let seen = seen || value == tile;
            let smaller = needed.min(smaller + u8::from(value < tile));
            let left = cells - place - 1;
            let room = usize::from(smaller) + left >= usize::from(needed);
            (room || !seen).then_some((seen, smaller))
        })?;
        boards = boards.and(&with_room)?;
    }
    Ok(boards)
}
