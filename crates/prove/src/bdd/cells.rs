//! Diagrams outside the manager, with one node per cell instead of one per bit.
//!
//! They are for turning boards over. A diagram asks for cells in a fixed order, so that
//! means to reorder it, one exchange of neighbours in the order after another. Nodes above
//! the two stay as they are when the two are changed in place.

use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{Manager, ManagerRef};
use tilebase_util::hash::FastMap;

use crate::bdd::diagrams::{Diagrams, EdgeKey, cell, children};
use crate::bdd::error::BddError;
use crate::bdd::kind::{DiagramKind, EdgeRef, Guard};
use crate::bdd::list_memo::ListMemo;

/// The number of a node among those of its place. 0 is the empty set.
type Id = u32;
const EMPTY: Id = 0;

/// A diagram with one node per cell.
#[derive(Clone)]
pub(crate) struct CellDiagram {
    values: usize,
    root: Id,
    /// The nodes of each place one after another: what follows each value.
    places: Vec<Vec<Id>>,
}

impl CellDiagram {
    pub(crate) fn read<K: DiagramKind>(
        diagrams: &Diagrams<'_, K>,
        set: &K,
    ) -> Result<CellDiagram, BddError> {
        let values = usize::from(diagrams.layout.values());
        diagrams.manager.with_manager_shared(|manager| {
            let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
            let cells = diagrams.layout.cells();
            let mut reader = DiagramReader::<K> {
                diagrams,
                manager,
                falsum: falsum.borrowed(),
                known: (0..cells).map(|_| FastMap::default()).collect(),
                places: vec![vec![EMPTY; values]; cells],
                steps: 0,
            };
            let root = reader.go(set.as_edge(manager), 0)?;
            Ok(CellDiagram {
                values,
                root,
                places: reader.places,
            })
        })
    }

    /// Bytes that the nodes take.
    pub(crate) fn bytes(&self) -> usize {
        self.places
            .iter()
            .map(|nodes| size_of_val(&nodes[..]))
            .sum()
    }

    /// Exchanges the cell at a place and the next one.
    pub(crate) fn exchange(&mut self, place: usize) {
        let values = self.values;
        let (above, below) = self.places.split_at_mut(place + 1);
        let (Some(above), Some(below)) = (above.last_mut(), below.first_mut()) else {
            return;
        };
        let mut made = vec![EMPTY; values];
        let mut known: ListMemo<Id, Id> = ListMemo::new();
        let mut pairs = vec![EMPTY; values * values];
        for node in above.chunks_exact_mut(values).skip(1) {
            for (first, &child) in node.iter().enumerate() {
                let seconds = &below[child as usize * values..][..values];
                for (second, &rest) in seconds.iter().enumerate() {
                    pairs[second * values + first] = rest;
                }
            }
            for (child, rests) in node.iter_mut().zip(pairs.chunks_exact(values)) {
                *child = EMPTY;
                if rests.iter().all(|&rest| rest == EMPTY) {
                    continue;
                }
                let hash = ListMemo::<Id, Id>::hash(rests);
                *child = match known.get(hash, rests) {
                    Some(&id) => id,
                    None => {
                        let id = (made.len() / values) as Id;
                        made.extend_from_slice(rests);
                        known.insert(hash, rests, id);
                        id
                    }
                };
            }
        }
        *below = made;
    }

    /// The boards of both sets.
    pub(crate) fn and(&self, other: &CellDiagram) -> CellDiagram {
        let mut both = Intersection {
            one: self,
            other,
            known: self.places.iter().map(|_| FastMap::default()).collect(),
            made: self.places.iter().map(|_| ListMemo::new()).collect(),
            places: vec![vec![EMPTY; self.values]; self.places.len()],
        };
        let root = both.go(self.root, other.root, 0);
        CellDiagram {
            values: self.values,
            root,
            places: both.places,
        }
    }

    pub(crate) fn write<K: DiagramKind>(&self, diagrams: &Diagrams<'_, K>) -> Result<K, BddError> {
        diagrams.manager.with_manager_shared(|manager| {
            let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
            let falsum = falsum.borrowed();
            let empty = || EdgeDropGuard::new(manager, manager.clone_edge(falsum));
            let mut below: Vec<Guard<'_, '_, K>> =
                vec![empty(), EdgeDropGuard::new(manager, K::base(manager))];
            for (place, nodes) in self.places.iter().enumerate().rev() {
                diagrams.check()?;
                let mut children = Vec::with_capacity(self.values);
                let mut here: Vec<Guard<'_, '_, K>> = vec![empty()];
                for node in nodes.chunks_exact(self.values).skip(1) {
                    children.extend(node.iter().map(|&id| below[id as usize].borrowed()));
                    let edge = cell::<K>(manager, &diagrams.layout, place, &children, falsum)?;
                    here.push(EdgeDropGuard::new(manager, edge));
                    children.clear();
                }
                drop(children);
                below = here;
            }
            let root = below.swap_remove(self.root as usize);
            Ok(K::from_edge(manager, root.into_edge()))
        })
    }
}

/// An intersection that is made.
struct Intersection<'c> {
    one: &'c CellDiagram,
    other: &'c CellDiagram,
    known: Vec<FastMap<(Id, Id), Id>>,
    made: Vec<ListMemo<Id, Id>>,
    places: Vec<Vec<Id>>,
}

impl Intersection<'_> {
    fn go(&mut self, one: Id, other: Id, place: usize) -> Id {
        if one == EMPTY || other == EMPTY {
            return EMPTY;
        }
        if place == self.places.len() {
            return 1;
        }
        if let Some(&id) = self.known[place].get(&(one, other)) {
            return id;
        }
        let values = self.one.values;
        let node: Vec<Id> = (0..values)
            .map(|value| {
                let one = self.one.places[place][one as usize * values + value];
                let other = self.other.places[place][other as usize * values + value];
                self.go(one, other, place + 1)
            })
            .collect();
        let id = if node.iter().all(|&child| child == EMPTY) {
            EMPTY
        } else {
            let hash = ListMemo::<Id, Id>::hash(&node);
            match self.made[place].get(hash, &node) {
                Some(&id) => id,
                None => {
                    let id = (self.places[place].len() / values) as Id;
                    self.places[place].extend_from_slice(&node);
                    self.made[place].insert(hash, &node, id);
                    id
                }
            }
        };
        self.known[place].insert((one, other), id);
        id
    }
}

struct DiagramReader<'m, 'id, 's, K: DiagramKind> {
    diagrams: &'s Diagrams<'s, K>,
    manager: &'m K::Manager<'id>,
    falsum: EdgeRef<'m, 'id, K>,
    known: Vec<FastMap<EdgeKey<'id, K>, Id>>,
    places: Vec<Vec<Id>>,
    steps: u32,
}

impl<'m, 'id, K: DiagramKind> DiagramReader<'m, 'id, '_, K> {
    fn go(&mut self, set: EdgeRef<'m, 'id, K>, place: usize) -> Result<Id, BddError> {
        let layout = &self.diagrams.layout;
        if set == self.falsum {
            return Ok(EMPTY);
        }
        if place == layout.cells() {
            return Ok(1);
        }
        if let Some(&id) = self.known[place].get(&set.raw()) {
            return Ok(id);
        }
        self.diagrams.poll(&mut self.steps)?;
        let values = usize::from(layout.values());
        let mut sets = Vec::with_capacity(values);
        children::<K>(self.manager, layout, place, set, self.falsum, &mut sets);
        let mut node = Vec::with_capacity(values);
        for child in sets {
            node.push(self.go(child, place + 1)?);
        }
        let id = (self.places[place].len() / values) as Id;
        self.places[place].extend(node);
        self.known[place].insert(set.raw(), id);
        Ok(id)
    }
}
