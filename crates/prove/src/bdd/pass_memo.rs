//! What a pass remembers.

use std::hash::Hash;

use oxidd_core::Manager;
use tilebase_util::hash::FastMap;

use crate::bdd::diagrams::EdgeKey;
use crate::bdd::kind::{DiagramKind, EdgeRef, OwnEdge};

/// Results that a pass remembers, given back at its end.
pub(crate) struct PassMemo<'m, 'id, K: DiagramKind, T: Eq + Hash> {
    manager: &'m K::Manager<'id>,
    results: FastMap<(EdgeKey<'id, K>, T), OwnEdge<'id, K>>,
}

impl<'m, 'id, K: DiagramKind, T: Eq + Hash> PassMemo<'m, 'id, K, T> {
    pub(crate) fn new(manager: &'m K::Manager<'id>) -> Self {
        PassMemo {
            manager,
            results: FastMap::default(),
        }
    }

    pub(crate) fn get(&self, edge: EdgeRef<'_, 'id, K>, rest: T) -> Option<OwnEdge<'id, K>> {
        let result = self.results.get(&(edge.raw(), rest))?;
        Some(self.manager.clone_edge(result.borrowed()))
    }

    pub(crate) fn insert(
        &mut self,
        edge: EdgeRef<'_, 'id, K>,
        rest: T,
        result: EdgeRef<'_, 'id, K>,
    ) {
        let result = self.manager.clone_edge(result);
        if let Some(old) = self.results.insert((edge.raw(), rest), result) {
            self.manager.drop_edge(old);
        }
    }
}

impl<K: DiagramKind, T: Eq + Hash> Drop for PassMemo<'_, '_, K, T> {
    fn drop(&mut self) {
        for (_, result) in self.results.drain() {
            self.manager.drop_edge(result);
        }
    }
}
