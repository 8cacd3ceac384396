//! Boards turned over.

use crate::bdd::cells::Cells;
use crate::bdd::error::SymbolicError;
use crate::bdd::kind::Kind;
use crate::bdd::layout::Layout;
use crate::bdd::space::Space;

/// A symmetry of a board, as exchanges of neighbours in the order of the cells.
pub(crate) struct Turn {
    /// The places of the first of two neighbours.
    exchanges: Vec<usize>,
}

impl Turn {
    /// The symmetry that leads a cell (row, column) to another; none if the board does not
    /// have it.
    pub(crate) fn new(
        layout: &Layout,
        to: impl Fn(usize, usize) -> (usize, usize),
    ) -> Option<Turn> {
        // Where the cell that is at a place belongs in the end.
        let mut places = layout.moved(to)?;
        let mut exchanges = Vec::new();
        while !places.is_sorted() {
            for place in 1..places.len() {
                if places[place - 1] > places[place] {
                    places.swap(place - 1, place);
                    exchanges.push(place - 1);
                }
            }
        }
        Some(Turn { exchanges })
    }

    /// The boards of a set, each turned over.
    pub(crate) fn apply<K: Kind>(
        &self,
        space: &Space<'_, K>,
        set: &Cells,
    ) -> Result<Cells, SymbolicError> {
        let mut set = set.clone();
        for &place in &self.exchanges {
            space.check()?;
            set.exchange(place);
            space.fits(set.bytes())?;
        }
        Ok(set)
    }
}
