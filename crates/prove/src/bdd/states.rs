//! How many boards a set has.

use oxidd_core::ManagerRef;
use oxidd_core::util::EdgeDropGuard;
use tilebase_util::hash::FastMap;

use crate::bdd::diagrams::{Diagrams, EdgeKey, children};
use crate::bdd::kind::{DiagramKind, EdgeRef};

/// How many boards a set has. There are at most 15^16 boards, so the number is exact.
pub(crate) fn states<K: DiagramKind>(diagrams: &Diagrams<'_, K>, set: &K) -> u128 {
    diagrams.manager.with_manager_shared(|manager| {
        let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
        let mut counts = FastMap::default();
        count(
            diagrams,
            manager,
            set.as_edge(manager),
            0,
            falsum.borrowed(),
            &mut counts,
        )
    })
}

fn count<'id, K: DiagramKind>(
    diagrams: &Diagrams<'_, K>,
    manager: &K::Manager<'id>,
    set: EdgeRef<'_, 'id, K>,
    place: usize,
    falsum: EdgeRef<'_, 'id, K>,
    counts: &mut FastMap<(EdgeKey<'id, K>, u8), u128>,
) -> u128 {
    if set == falsum {
        return 0;
    }
    if place == diagrams.layout.cells() {
        return 1;
    }
    if let Some(&count) = counts.get(&(set.raw(), place as u8)) {
        return count;
    }
    let mut sets = Vec::with_capacity(usize::from(diagrams.layout.values()));
    children::<K>(manager, &diagrams.layout, place, set, falsum, &mut sets);
    let sum = sets
        .into_iter()
        .map(|child| count(diagrams, manager, child, place + 1, falsum, counts))
        .sum();
    counts.insert((set.raw(), place as u8), sum);
    sum
}
