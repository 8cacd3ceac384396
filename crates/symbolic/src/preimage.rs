//! Back through a relation that is a function: which boards does it lead into a set?

use std::ops::Range;

use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{LevelNo, Manager, ManagerRef};

use crate::error::SymbolicError;
use crate::kind::{EdgeRef, Guard, Kind, OwnEdge, cofactors, node};
use crate::memo::Memo;
use crate::relation::{ACCEPT, REJECT, Relation, StateId};
use crate::space::Space;

/// The boards that a relation leads into a set. Each board must be related to one board at
/// most.
///
/// The textbook way joins a set for every value that a cell may have after the slide, and
/// most of its time goes into joining. Here all these sets are followed at once: a place
/// in the result is known by the states of the relation that are still possible there and
/// what follows each in the set. As the relation is a function, just one of them is left
/// when a line has been read, so nothing is ever joined and every node made is one of the
/// result.
pub(crate) fn preimage<K: Kind>(
    space: &Space<'_, K>,
    relation: &Relation,
    set: &K,
) -> Result<K, SymbolicError> {
    space.manager.with_manager_shared(|manager| {
        let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
        let mut walk = Walk::<K> {
            space,
            manager,
            relation,
            falsum: falsum.borrowed(),
            pairs: vec![(set.as_edge(manager), relation.start())],
            known: Memo::new(),
            steps: 0,
        };
        let result = walk.go(0);
        walk.known
            .drain()
            .for_each(|known| manager.drop_edge(known));
        Ok(K::from_edge(manager, result?))
    })
}

/// What is left of the set, and the state of the relation.
type Pair<'a, 'id, K> = (EdgeRef<'a, 'id, K>, StateId);

struct Walk<'m, 'id, 's, K: Kind> {
    space: &'s Space<'s, K>,
    manager: &'m K::Manager<'id>,
    relation: &'s Relation,
    falsum: EdgeRef<'m, 'id, K>,
    /// The pairs of all places on the way here, one place after another.
    pairs: Vec<Pair<'m, 'id, K>>,
    known: Memo<Pair<'m, 'id, K>, OwnEdge<'id, K>>,
    steps: u32,
}

impl<'m, 'id, K: Kind> Walk<'m, 'id, '_, K> {
    /// The boards from a place on whose pairs are the last ones, from `start` on. Takes
    /// these pairs away.
    fn go(&mut self, start: usize) -> Result<OwnEdge<'id, K>, SymbolicError> {
        let manager = self.manager;
        let Some(&(first, at)) = self.pairs.get(start) else {
            return Ok(manager.clone_edge(self.falsum));
        };
        if at == ACCEPT {
            self.pairs.truncate(start);
            return Ok(manager.clone_edge(first));
        }
        let hash = Memo::<_, OwnEdge<'id, K>>::hash(&self.pairs[start..]);
        if let Some(known) = self.known.get(hash, &self.pairs[start..]) {
            let known = manager.clone_edge(known.borrowed());
            self.pairs.truncate(start);
            return Ok(known);
        }
        self.space.poll(&mut self.steps)?;
        // All states have read the same bits, so they wait at the same level.
        let read = self.relation.state(at).level;
        let levels = self.pairs[start..]
            .iter()
            .map(|&(set, _)| K::level(manager, set));
        let level = levels.fold(read, Ord::min);
        let end = self.pairs.len();
        self.follow(start..end, level, true);
        let high: Guard<'m, 'id, K> = EdgeDropGuard::new(manager, self.go(end)?);
        self.follow(start..end, level, false);
        let low = self.go(end)?;
        let result = node::<K>(manager, level, high.into_edge(), low)?;
        let kept = manager.clone_edge(result.borrowed());
        self.known.insert(hash, &self.pairs[start..], kept);
        self.pairs.truncate(start);
        Ok(result)
    }

    /// Adds the pairs that follow some pairs when a bit is read, but none of which nothing
    /// can come.
    fn follow(&mut self, pairs: Range<usize>, level: LevelNo, bit: bool) {
        for at in pairs {
            let (set, at) = self.pairs[at];
            let (high, low) = cofactors::<K>(self.manager, set, level, self.falsum);
            let state = self.relation.state(at);
            if level < state.level {
                self.keep(if bit { high } else { low }, at);
            } else {
                let [zero_zero, zero_one, one_zero, one_one] = state.next;
                self.keep(low, if bit { one_zero } else { zero_zero });
                self.keep(high, if bit { one_one } else { zero_one });
            }
        }
    }

    fn keep(&mut self, set: EdgeRef<'m, 'id, K>, at: StateId) {
        if at != REJECT && set != self.falsum {
            self.pairs.push((set, at));
        }
    }
}
