//! Sets of boards with rows and columns exchanged.
//!
//! A diagram asks for cells in a fixed order, so exchanging cells means to reorder it, one
//! exchange of neighbours in the order after another. Nodes above the two stay as they are
//! if they may be changed in place. So this is done outside the manager, with nodes that
//! tell a whole cell.

use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{Manager, ManagerRef};

use crate::error::SymbolicError;
use crate::kind::{EdgeRef, Guard, Kind};
use crate::layout::Layout;
use crate::memo::Memo;
use crate::space::{Key, Map, Space, cell, children};

/// How to exchange rows and columns of a square board.
pub(crate) struct Transpose {
    /// Neighbours are exchanged at these places and the ones behind.
    exchanges: Vec<usize>,
}

impl Transpose {
    /// None if the board is not square.
    pub(crate) fn new(layout: &Layout) -> Option<Transpose> {
        // Where the cell that is at a place belongs in the end.
        let mut places = layout.transposed()?;
        let mut exchanges = Vec::new();
        while !places.is_sorted() {
            for place in 1..places.len() {
                if places[place - 1] > places[place] {
                    places.swap(place - 1, place);
                    exchanges.push(place - 1);
                }
            }
        }
        Some(Transpose { exchanges })
    }

    /// The boards of a set with rows and columns exchanged.
    pub(crate) fn apply<K: Kind>(&self, space: &Space<'_, K>, set: &K) -> Result<K, SymbolicError> {
        let mut cells = Cells::read(space, set)?;
        for &place in &self.exchanges {
            space.check()?;
            cells.exchange(place);
        }
        cells.write(space)
    }
}

/// The number of a node among those of its place. 0 is the empty set.
type Id = u32;
const EMPTY: Id = 0;

/// A diagram whose nodes tell whole cells.
struct Cells {
    values: usize,
    root: Id,
    /// The nodes of each place one after another: what follows each value.
    places: Vec<Vec<Id>>,
}

impl Cells {
    fn read<K: Kind>(space: &Space<'_, K>, set: &K) -> Result<Cells, SymbolicError> {
        let values = usize::from(space.layout.values());
        space.manager.with_manager_shared(|manager| {
            let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
            let cells = space.layout.cells();
            let mut reader = Reader::<K> {
                space,
                manager,
                falsum: falsum.borrowed(),
                known: (0..cells).map(|_| Map::default()).collect(),
                places: vec![vec![EMPTY; values]; cells],
                steps: 0,
            };
            let root = reader.go(set.as_edge(manager), 0)?;
            Ok(Cells {
                values,
                root,
                places: reader.places,
            })
        })
    }

    /// Exchanges the cell at a place and the next one.
    fn exchange(&mut self, place: usize) {
        let values = self.values;
        let (above, below) = self.places.split_at_mut(place + 1);
        let (Some(above), Some(below)) = (above.last_mut(), below.first_mut()) else {
            return;
        };
        let mut made = vec![EMPTY; values];
        let mut known: Memo<Id, Id> = Memo::new();
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
                let hash = Memo::<Id, Id>::hash(rests);
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

    fn write<K: Kind>(&self, space: &Space<'_, K>) -> Result<K, SymbolicError> {
        space.manager.with_manager_shared(|manager| {
            let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
            let falsum = falsum.borrowed();
            let empty = || EdgeDropGuard::new(manager, manager.clone_edge(falsum));
            let mut below: Vec<Guard<'_, '_, K>> =
                vec![empty(), EdgeDropGuard::new(manager, K::base(manager))];
            for (place, nodes) in self.places.iter().enumerate().rev() {
                space.check()?;
                let mut children = Vec::with_capacity(self.values);
                let mut here: Vec<Guard<'_, '_, K>> = vec![empty()];
                for node in nodes.chunks_exact(self.values).skip(1) {
                    children.extend(node.iter().map(|&id| below[id as usize].borrowed()));
                    let edge = cell::<K>(manager, &space.layout, place, &children, falsum)?;
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

struct Reader<'m, 'id, 's, K: Kind> {
    space: &'s Space<'s, K>,
    manager: &'m K::Manager<'id>,
    falsum: EdgeRef<'m, 'id, K>,
    known: Vec<Map<Key<'id, K>, Id>>,
    places: Vec<Vec<Id>>,
    steps: u32,
}

impl<'m, 'id, K: Kind> Reader<'m, 'id, '_, K> {
    fn go(&mut self, set: EdgeRef<'m, 'id, K>, place: usize) -> Result<Id, SymbolicError> {
        let layout = &self.space.layout;
        if set == self.falsum {
            return Ok(EMPTY);
        }
        if place == layout.cells() {
            return Ok(1);
        }
        if let Some(&id) = self.known[place].get(&set.raw()) {
            return Ok(id);
        }
        self.space.poll(&mut self.steps)?;
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
