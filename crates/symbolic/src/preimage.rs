//! Back through a relation.

use oxidd_core::{Manager, ManagerRef};
use oxidd_core::util::EdgeDropGuard;

use crate::error::SymbolicError;
use crate::kind::{EdgeRef, Guard, Kind, OwnEdge, cofactors, node};
use crate::relation::{ACCEPT, REJECT, Relation, StateId};
use crate::known::Known;
use crate::space::Space;

/// The boards that some relation leads into a set: {x : x R y for some y in the set}.
pub(crate) fn preimage<K: Kind>(
    space: &Space<'_, K>,
    relation: &Relation,
    set: &K,
) -> Result<K, SymbolicError> {
    space.manager.with_manager_shared(|manager| {
        let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
        let mut walk = Preimage::<K> { space, manager, relation, falsum: &falsum, known: Known::new(manager), steps: 0 };
        let edge = walk.go(set.as_edge(manager), relation.start())?;
        Ok(K::from_edge(manager, edge))
    })
}

struct Preimage<'m, 'id, 's, K: Kind> {
    space: &'s Space<'s, K>,
    manager: &'m K::Manager<'id>,
    relation: &'s Relation,
    falsum: &'m Guard<'m, 'id, K>,
    known: Known<'m, 'id, K, StateId>,
    steps: u32,
}

impl<'m, 'id, K: Kind> Preimage<'m, 'id, '_, K> {
    fn go(
        &mut self,
        set: EdgeRef<'_, 'id, K>,
        at: StateId,
    ) -> Result<OwnEdge<'id, K>, SymbolicError> {
        let falsum = self.falsum.borrowed();
        if at == ACCEPT {
            return Ok(self.manager.clone_edge(set));
        }
        if at == REJECT || set == falsum {
            return Ok(self.manager.clone_edge(falsum));
        }
        if let Some(known) = self.known.get(set, at) {
            return Ok(known);
        }
        self.space.poll(&mut self.steps)?;
        let state = self.relation.state(at);
        let level = state.level.min(K::level(self.manager, set));
        let (high, low) = cofactors::<K>(self.manager, set, level, falsum);
        let (ones, zeros) = if level < state.level {
            (self.guarded(high, at)?, self.guarded(low, at)?)
        } else {
            let [zero_zero, zero_one, one_zero, one_one] = state.next;
            let ones = self.either((low, one_zero), (high, one_one))?;
            (ones, self.either((low, zero_zero), (high, zero_one))?)
        };
        let result = node::<K>(self.manager, level, ones.into_edge(), zeros.into_edge())?;
        self.known.insert(set, at, result.borrowed());
        Ok(result)
    }

    fn guarded(
        &mut self,
        set: EdgeRef<'_, 'id, K>,
        at: StateId,
    ) -> Result<Guard<'m, 'id, K>, SymbolicError> {
        Ok(EdgeDropGuard::new(self.manager, self.go(set, at)?))
    }

    fn either(
        &mut self,
        one: (EdgeRef<'_, 'id, K>, StateId),
        other: (EdgeRef<'_, 'id, K>, StateId),
    ) -> Result<Guard<'m, 'id, K>, SymbolicError> {
        let one = self.guarded(one.0, one.1)?;
        let other = self.guarded(other.0, other.1)?;
        let both = K::or_edge(self.manager, one.borrowed(), other.borrowed())?;
        Ok(EdgeDropGuard::new(self.manager, both))
    }
}

