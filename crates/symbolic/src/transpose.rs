//! Sets of boards with rows and columns exchanged.
//!
//! A diagram asks for cells in a fixed order, so exchanging cells means to reorder it. That
//! is done by exchanging neighbours in the order, as many at once as do not touch.

use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{LevelNo, Manager, ManagerRef};

use crate::error::SymbolicError;
use crate::kind::{EdgeRef, Guard, Kind, OwnEdge, TERMINAL, cofactors, node};
use crate::known::Known;
use crate::layout::Layout;
use crate::space::{Space, cell, children};

/// How to exchange rows and columns of a square board.
pub(crate) struct Transpose {
    /// Passes over a diagram: for each place, the first of the two neighbours that are
    /// exchanged there.
    passes: Vec<Vec<Option<usize>>>,
}

impl Transpose {
    /// None if the board is not square.
    pub(crate) fn new(layout: &Layout) -> Option<Transpose> {
        // Where the cell that is at a place belongs in the end.
        let mut places = layout.transposed()?;
        let mut passes = Vec::new();
        while !places.is_sorted() {
            let mut pass = vec![None; places.len()];
            let mut place = 0;
            while place + 1 < places.len() {
                if places[place] > places[place + 1] {
                    places.swap(place, place + 1);
                    pass[place] = Some(place);
                    pass[place + 1] = Some(place);
                    place += 1;
                }
                place += 1;
            }
            passes.push(pass);
        }
        Some(Transpose { passes })
    }

    /// The boards of a set with rows and columns exchanged.
    pub(crate) fn apply<K: Kind>(&self, space: &Space<'_, K>, set: &K) -> Result<K, SymbolicError> {
        space.manager.with_manager_shared(|manager| {
            let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
            let mut edge = EdgeDropGuard::new(manager, manager.clone_edge(set.as_edge(manager)));
            for pass in &self.passes {
                let end = pass
                    .iter()
                    .rposition(Option::is_some)
                    .map_or(0, |at| at + 1);
                let mut walk = Walk::<K> {
                    space,
                    manager,
                    falsum: falsum.borrowed(),
                    pass,
                    end: space.layout.level(end, 0),
                    known: Known::new(manager),
                    steps: 0,
                };
                let exchanged = walk.go(edge.borrowed())?;
                edge = EdgeDropGuard::new(manager, exchanged);
            }
            Ok(K::from_edge(manager, edge.into_edge()))
        })
    }
}

struct Walk<'m, 'id, 's, K: Kind> {
    space: &'s Space<'s, K>,
    manager: &'m K::Manager<'id>,
    falsum: EdgeRef<'m, 'id, K>,
    pass: &'s [Option<usize>],
    /// From this level on nothing is exchanged.
    end: LevelNo,
    known: Known<'m, 'id, K, ()>,
    steps: u32,
}

impl<'id, K: Kind> Walk<'_, 'id, '_, K> {
    fn go(&mut self, set: EdgeRef<'_, 'id, K>) -> Result<OwnEdge<'id, K>, SymbolicError> {
        let manager = self.manager;
        let level = K::level(manager, set);
        if level >= self.end || level == TERMINAL {
            return Ok(manager.clone_edge(set));
        }
        if let Some(known) = self.known.get(set, ()) {
            return Ok(known);
        }
        self.space.poll(&mut self.steps)?;
        let result = match self.pass[level as usize / self.space.layout.bits()] {
            Some(first) => self.exchanged(set, first)?,
            None => {
                let (high, low) = cofactors::<K>(manager, set, level, set);
                let high: Guard<'_, 'id, K> = EdgeDropGuard::new(manager, self.go(high)?);
                let low = self.go(low)?;
                node::<K>(manager, level, high.into_edge(), low)?
            }
        };
        self.known.insert(set, (), result.borrowed());
        Ok(result)
    }

    /// A set that asks for the cells at two places first, exchanged.
    fn exchanged(
        &mut self,
        set: EdgeRef<'_, 'id, K>,
        first: usize,
    ) -> Result<OwnEdge<'id, K>, SymbolicError> {
        let (manager, layout) = (self.manager, &self.space.layout);
        let falsum = self.falsum;
        let values = usize::from(layout.values());
        let mut ones = Vec::with_capacity(values);
        children::<K>(manager, layout, first, set, falsum, &mut ones);
        // All pairs of values, the first cell's changing slowest.
        let mut pairs = Vec::with_capacity(values * values);
        for one in ones {
            children::<K>(manager, layout, first + 1, one, falsum, &mut pairs);
        }
        let mut seconds: Vec<Guard<'_, 'id, K>> = Vec::with_capacity(values);
        for second in 0..values {
            let mut rests: Vec<Guard<'_, 'id, K>> = Vec::with_capacity(values);
            for one in 0..values {
                let rest = self.go(pairs[one * values + second])?;
                rests.push(EdgeDropGuard::new(manager, rest));
            }
            let rests: Vec<_> = rests.iter().map(|rest| rest.borrowed()).collect();
            let made = cell::<K>(manager, layout, first + 1, &rests, falsum)?;
            seconds.push(EdgeDropGuard::new(manager, made));
        }
        let seconds: Vec<_> = seconds.iter().map(|second| second.borrowed()).collect();
        cell::<K>(manager, layout, first, &seconds, falsum)
    }
}
