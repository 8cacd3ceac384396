//! Back through a relation that is a function: which boards does it lead into a set?

use std::ops::Range;

use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{LevelNo, Manager, ManagerRef};

use crate::bdd::diagrams::Diagrams;
use crate::bdd::error::BddError;
use crate::bdd::kind::{DiagramKind, EdgeRef, Guard, OwnEdge, cofactors, node};
use crate::bdd::list_memo::ListMemo;
use crate::bdd::relation::{LineStates, REJECT, SlideRelation, StateId};

/// The boards within some set that a relation leads into another. Each board must be
/// related to one board at most.
///
/// The textbook way joins a set for every value that a cell may have after the slide, and
/// most of its time goes into joining. Here all these sets are followed at once: a place
/// in the result is known by the states of the relation that are still possible there and
/// what follows each in the set. As the relation is a function, just one of them is left
/// when all lines have been read, so nothing is ever joined. And as the boards that matter
/// are followed too, nothing is made that is not part of the result.
pub(crate) fn preimage<K: DiagramKind>(
    diagrams: &Diagrams<'_, K>,
    relation: &SlideRelation,
    set: &K,
    within: &K,
) -> Result<K, BddError> {
    diagrams.manager.with_manager_shared(|manager| {
        let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
        let mut pass = PreimagePass::<K> {
            diagrams,
            manager,
            relation,
            falsum: falsum.borrowed(),
            followed: vec![
                (within.as_edge(manager), LineStates::default()),
                (set.as_edge(manager), relation.start()),
            ],
            known: ListMemo::new(),
            steps: 0,
        };
        let result = pass.go(0);
        pass.known
            .drain()
            .for_each(|known| manager.drop_edge(known));
        Ok(K::from_edge(manager, result?))
    })
}

/// What is left of a set, and the states of the relation there.
type Pair<'a, 'id, K> = (EdgeRef<'a, 'id, K>, LineStates);

struct PreimagePass<'m, 'id, 's, K: DiagramKind> {
    diagrams: &'s Diagrams<'s, K>,
    manager: &'m K::Manager<'id>,
    relation: &'s SlideRelation,
    falsum: EdgeRef<'m, 'id, K>,
    /// For all places on the way here, one after another: what is left of the boards that
    /// matter (without states), and the pairs.
    followed: Vec<Pair<'m, 'id, K>>,
    known: ListMemo<Pair<'m, 'id, K>, OwnEdge<'id, K>>,
    steps: u32,
}

impl<'m, 'id, K: DiagramKind> PreimagePass<'m, 'id, '_, K> {
    /// The boards from a place on, for which the last of `followed` stand, from `start` on.
    /// Takes these away.
    fn go(&mut self, start: usize) -> Result<OwnEdge<'id, K>, BddError> {
        let manager = self.manager;
        let (within, _) = self.followed[start];
        let first = self
            .followed
            .get(start + 1)
            .filter(|_| within != self.falsum);
        let Some(&(set, states)) = first else {
            self.followed.truncate(start);
            return Ok(manager.clone_edge(self.falsum));
        };
        // All have read the same bits, so they wait for the same line at the same level.
        let (read, line) = self.relation.reads(&states);
        if read == LevelNo::MAX {
            self.followed.truncate(start);
            return Ok(K::and_edge(manager, within, set)?);
        }
        let hash = ListMemo::<_, OwnEdge<'id, K>>::hash(&self.followed[start..]);
        if let Some(known) = self.known.get(hash, &self.followed[start..]) {
            let known = manager.clone_edge(known.borrowed());
            self.followed.truncate(start);
            return Ok(known);
        }
        self.diagrams.poll(&mut self.steps)?;
        self.diagrams.fits(self.known.bytes())?;
        let sets = self.followed[start..].iter();
        let level = sets
            .map(|&(set, _)| K::level(manager, set))
            .fold(read, Ord::min);
        let line = (level == read).then_some(line);
        let end = self.followed.len();
        self.follow(start..end, level, line, true);
        let high: Guard<'m, 'id, K> = EdgeDropGuard::new(manager, self.go(end)?);
        self.follow(start..end, level, line, false);
        let low = self.go(end)?;
        let result = node::<K>(manager, level, high.into_edge(), low)?;
        let kept = manager.clone_edge(result.borrowed());
        self.known.insert(hash, &self.followed[start..], kept);
        self.followed.truncate(start);
        Ok(result)
    }

    /// Adds what follows a place when the bit of a level is read, perhaps by a line, but no
    /// pairs of which nothing can come.
    fn follow(&mut self, place: Range<usize>, level: LevelNo, line: Option<usize>, bit: bool) {
        let start = place.start;
        for at in place {
            let (set, states) = self.followed[at];
            let (high, low) = cofactors::<K>(self.manager, set, level, self.falsum);
            match line {
                Some(line) if at > start => {
                    let next = self.relation.next(states[line]);
                    let [zero, one] = if bit {
                        [next[2], next[3]]
                    } else {
                        [next[0], next[1]]
                    };
                    self.keep(low, states, line, zero);
                    self.keep(high, states, line, one);
                }
                _ => {
                    let set = if bit { high } else { low };
                    if at == start || set != self.falsum {
                        self.followed.push((set, states));
                    }
                }
            }
        }
    }

    fn keep(
        &mut self,
        set: EdgeRef<'m, 'id, K>,
        mut states: LineStates,
        line: usize,
        next: StateId,
    ) {
        if next != REJECT && set != self.falsum {
            states[line] = next;
            self.followed.push((set, states));
        }
    }
}
