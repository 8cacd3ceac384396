//! Boards turned over.

use crate::bdd::cells::CellDiagram;
use crate::bdd::diagrams::Diagrams;
use crate::bdd::error::BddError;
use crate::bdd::kind::DiagramKind;
use crate::bdd::layout::VariableLayout;

/// A symmetry of a board, as exchanges of neighbours in the order of the cells.
pub(crate) struct CellPermutation {
    /// The places of the first of two neighbours.
    exchanges: Vec<usize>,
}

impl CellPermutation {
    /// The symmetry that leads a cell (row, column) to another; none if the board does not
    /// have it.
    pub(crate) fn new(
        layout: &VariableLayout,
        to: impl Fn(usize, usize) -> (usize, usize),
    ) -> Option<CellPermutation> {
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
        Some(CellPermutation { exchanges })
    }

    /// The boards of a set, each turned over.
    pub(crate) fn apply<K: DiagramKind>(
        &self,
        diagrams: &Diagrams<'_, K>,
        set: &CellDiagram,
    ) -> Result<CellDiagram, BddError> {
        let mut set = set.clone();
        for &place in &self.exchanges {
            diagrams.check()?;
            set.exchange(place);
            diagrams.fits(set.bytes())?;
        }
        Ok(set)
    }
}
