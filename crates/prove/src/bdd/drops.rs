//! Back through a drop.

use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{Manager, ManagerRef};

use crate::bdd::diagrams::{Diagrams, cell, children};
use crate::bdd::error::BddError;
use crate::bdd::kind::{DiagramKind, EdgeRef, Guard, OwnEdge};
use crate::bdd::pass_memo::PassMemo;

/// Who drops, and so whether one drop into the set will do or all must lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    /// Some drop leads into the set.
    Some,
    /// There is an empty cell, and a drop on any one leads into the set.
    All,
}

/// The boards from which drops of a value lead into a set.
///
/// One pass from the first cell on: where a cell is empty, what follows must also hold
/// with the new tile in this cell, and that is the child beside it.
pub(crate) fn drop_preimage<K: DiagramKind>(
    diagrams: &Diagrams<'_, K>,
    quantifier: Quantifier,
    value: u8,
    set: &K,
) -> Result<K, BddError> {
    diagrams.manager.with_manager_shared(|manager| {
        let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
        let verum = EdgeDropGuard::new(manager, K::base(manager));
        let mut pass = DropPass::<K> {
            diagrams,
            manager,
            quantifier,
            value: usize::from(value),
            falsum: &falsum,
            verum: &verum,
            known: PassMemo::new(manager),
            steps: 0,
        };
        let edge = pass.go(set.as_edge(manager), 0, false)?;
        Ok(K::from_edge(manager, edge))
    })
}

struct DropPass<'m, 'id, 's, K: DiagramKind> {
    diagrams: &'s Diagrams<'s, K>,
    manager: &'m K::Manager<'id>,
    quantifier: Quantifier,
    value: usize,
    falsum: &'m Guard<'m, 'id, K>,
    verum: &'m Guard<'m, 'id, K>,
    known: PassMemo<'m, 'id, K, (u8, bool)>,
    steps: u32,
}

impl<'m, 'id, K: DiagramKind> DropPass<'m, 'id, '_, K> {
    /// The boards from `place` on that drops from there on lead into the set. `dropped`
    /// says whether an earlier cell is empty, so that no other need be.
    fn go(
        &mut self,
        set: EdgeRef<'_, 'id, K>,
        place: usize,
        dropped: bool,
    ) -> Result<OwnEdge<'id, K>, BddError> {
        let manager = self.manager;
        let layout = &self.diagrams.layout;
        let falsum = self.falsum.borrowed();
        if set == falsum && !dropped {
            return Ok(manager.clone_edge(falsum));
        }
        if place == layout.cells() {
            return Ok(manager.clone_edge(if dropped {
                self.verum.borrowed()
            } else {
                falsum
            }));
        }
        if let Some(known) = self.known.get(set, (place as u8, dropped)) {
            return Ok(known);
        }
        self.diagrams.poll(&mut self.steps)?;
        let mut sets = Vec::with_capacity(usize::from(layout.values()));
        children::<K>(manager, layout, place, set, falsum, &mut sets);
        let mut results: Vec<Guard<'m, 'id, K>> = Vec::with_capacity(sets.len());
        for (value, &child) in sets.iter().enumerate() {
            let result = if value > 0 {
                self.go(child, place + 1, dropped)?
            } else {
                self.empty_cell(child, sets[self.value], place)?
            };
            results.push(EdgeDropGuard::new(manager, result));
        }
        let results: Vec<_> = results.iter().map(|result| result.borrowed()).collect();
        let result = cell::<K>(manager, layout, place, &results, falsum)?;
        self.known
            .insert(set, (place as u8, dropped), result.borrowed());
        Ok(result)
    }

    /// The same where the cell at `place` is empty: `set` follows it as it is, `filled`
    /// follows the tile dropped there.
    fn empty_cell(
        &mut self,
        set: EdgeRef<'_, 'id, K>,
        filled: EdgeRef<'_, 'id, K>,
        place: usize,
    ) -> Result<OwnEdge<'id, K>, BddError> {
        let manager = self.manager;
        match self.quantifier {
            Quantifier::All if filled == self.falsum.borrowed() => Ok(manager.clone_edge(filled)),
            Quantifier::All => {
                let rest = EdgeDropGuard::new(manager, self.go(set, place + 1, true)?);
                Ok(K::and_edge(manager, rest.borrowed(), filled)?)
            }
            Quantifier::Some => {
                let rest = EdgeDropGuard::new(manager, self.go(set, place + 1, false)?);
                Ok(K::or_edge(manager, rest.borrowed(), filled)?)
            }
        }
    }
}
