//! The diagrams of one contest: a manager, the layout, and sets made of them.

use std::hash::Hash;

use oxidd_core::function::EdgeOfFunc;
use oxidd_core::util::EdgeDropGuard;
use oxidd_core::{LevelNo, Manager, ManagerRef};
use tilebase_util::hash::FastMap;
use tilebase_util::progress::Progress;

use crate::bdd::error::BddError;
use crate::bdd::kind::{DiagramKind, EdgeRef, Guard, OwnEdge, cofactors, node};
use crate::bdd::layout::{CodeTree, VariableLayout};

/// Bytes of a node: two edges, a level and a count of references.
pub(crate) const NODE_BYTES: u64 = 16;
/// Bytes that a node takes in all, with its place in the table of all nodes.
const NODE_AND_PLACE: u64 = 24;
/// Bytes of a remembered result.
const RESULT_BYTES: u64 = 24;
/// More remembered results than this take longer to clear than they save.
const MOST_RESULTS: u64 = 1 << 21;
/// How many steps pass between two looks whether to stop.
const PATIENCE: u32 = 1 << 14;

/// The diagrams of one contest.
pub(crate) struct Diagrams<'p, K: DiagramKind> {
    pub(crate) manager: K::ManagerRef,
    pub(crate) layout: VariableLayout,
    pub(crate) threads: usize,
    /// Bytes that a pass may remember.
    room: usize,
    progress: &'p dyn Progress,
}

impl<'p, K: DiagramKind> Diagrams<'p, K> {
    /// Diagrams within about this number of bytes.
    pub(crate) fn new(
        layout: VariableLayout,
        memory: u64,
        threads: usize,
        progress: &'p dyn Progress,
    ) -> Diagrams<'p, K> {
        // Half for nodes, the rest for what the passes remember. Few results pay off:
        // only unions and intersections of whole sets need them.
        let nodes = (memory / 2 / NODE_AND_PLACE).clamp(1 << 12, u64::from(u32::MAX / 4));
        let mut results = 1 << 12;
        while results * 2 * RESULT_BYTES <= memory / 8 && results < MOST_RESULTS {
            results *= 2;
        }
        let manager = K::manager(nodes as usize, results as usize, threads as u32);
        let variables = layout.variables();
        manager.with_manager_exclusive(|manager| manager.add_vars(variables));
        Diagrams {
            manager,
            layout,
            threads,
            room: usize::try_from(memory / 2).unwrap_or(usize::MAX),
            progress,
        }
    }

    /// Whether what a pass remembers fits the memory.
    pub(crate) fn fits(&self, bytes: usize) -> Result<(), BddError> {
        match bytes <= self.room {
            true => Ok(()),
            false => Err(BddError::OutOfMemory { line: None }),
        }
    }

    /// Looks now and then whether to stop; `steps` counts those of one thread.
    pub(crate) fn poll(&self, steps: &mut u32) -> Result<(), BddError> {
        *steps = steps.wrapping_add(1);
        if steps.is_multiple_of(PATIENCE) {
            return self.check();
        }
        Ok(())
    }

    /// Looks whether to stop.
    pub(crate) fn check(&self) -> Result<(), BddError> {
        if self.progress.interrupted() {
            return Err(BddError::Interrupted);
        }
        Ok(())
    }

    /// The empty set.
    pub(crate) fn empty(&self) -> K {
        self.manager.with_manager_shared(|manager| K::f(manager))
    }

    /// How many nodes are kept now.
    pub(crate) fn live_nodes(&self) -> u64 {
        self.manager
            .with_manager_shared(|manager| manager.num_inner_nodes() as u64)
    }

    /// Gives nodes back that nothing refers to.
    pub(crate) fn collect(&self) {
        self.manager.with_manager_shared(|manager| manager.gc());
    }

    /// The boards that an automaton over the cells accepts. `step` reads the value of the
    /// cell at a place; `None` rejects. What is left after the last cell is accepted.
    pub(crate) fn boards<S, F>(&self, start: S, step: F) -> Result<K, BddError>
    where
        S: Clone + Eq + Hash,
        F: Fn(&S, usize, u8) -> Option<S>,
    {
        self.boards_with(start, &step, &mut BoardMemo::new(self))
    }

    /// As [`Diagrams::boards`], with sets of earlier calls with the same `step`.
    pub(crate) fn boards_with<S, F>(
        &self,
        start: S,
        step: &F,
        known: &mut BoardMemo<K, S>,
    ) -> Result<K, BddError>
    where
        S: Clone + Eq + Hash,
        F: Fn(&S, usize, u8) -> Option<S>,
    {
        self.rest(start, 0, step, known)
    }

    fn rest<S, F>(
        &self,
        state: S,
        place: usize,
        step: &F,
        known: &mut BoardMemo<K, S>,
    ) -> Result<K, BddError>
    where
        S: Clone + Eq + Hash,
        F: Fn(&S, usize, u8) -> Option<S>,
    {
        if place == self.layout.cells() {
            return Ok(known.all.clone());
        }
        if let Some(set) = known.places[place].get(&state) {
            return Ok(set.clone());
        }
        self.check()?;
        let mut children = Vec::with_capacity(usize::from(self.layout.values()));
        for value in 0..self.layout.values() {
            children.push(match step(&state, place, value) {
                Some(next) => self.rest(next, place + 1, step, known)?,
                None => self.empty(),
            });
        }
        let set = self.manager.with_manager_shared(|manager| {
            let falsum = EdgeDropGuard::new(manager, K::f_edge(manager));
            let children: Vec<_> = children
                .iter()
                .map(|child| child.as_edge(manager))
                .collect();
            let edge = cell::<K>(manager, &self.layout, place, &children, falsum.borrowed())?;
            Ok::<K, BddError>(K::from_edge(manager, edge))
        })?;
        known.places[place].insert(state, set.clone());
        Ok(set)
    }
}

/// Sets of boards as diagrams that begin at some cell.
pub(crate) struct BoardMemo<K, S> {
    places: Vec<FastMap<S, K>>,
    /// What follows the last cell.
    all: K,
}

impl<K: DiagramKind, S> BoardMemo<K, S> {
    pub(crate) fn new(diagrams: &Diagrams<'_, K>) -> BoardMemo<K, S> {
        let all = diagrams
            .manager
            .with_manager_shared(|manager| K::from_edge(manager, K::base(manager)));
        BoardMemo {
            places: (0..diagrams.layout.cells())
                .map(|_| FastMap::default())
                .collect(),
            all,
        }
    }
}

/// What follows each value of the cell at a place, in a diagram that begins there.
pub(crate) fn children<'a, 'id, K: DiagramKind>(
    manager: &'a K::Manager<'id>,
    layout: &VariableLayout,
    place: usize,
    set: EdgeRef<'a, 'id, K>,
    falsum: EdgeRef<'a, 'id, K>,
    into: &mut Vec<EdgeRef<'a, 'id, K>>,
) {
    let start = into.len();
    into.resize(start + usize::from(layout.values()), set);
    let level = K::level(manager, set);
    if K::SUPPRESSES_ZEROS || level < layout.level(place + 1, 0) {
        let into = &mut into[start..];
        split::<K>(
            manager,
            layout.level(place, 0),
            layout.tree(),
            set,
            falsum,
            into,
        );
    }
}

fn split<'a, 'id, K: DiagramKind>(
    manager: &'a K::Manager<'id>,
    level: LevelNo,
    tree: &CodeTree,
    set: EdgeRef<'a, 'id, K>,
    falsum: EdgeRef<'a, 'id, K>,
    into: &mut [EdgeRef<'a, 'id, K>],
) {
    match tree {
        CodeTree::None => {}
        CodeTree::Value(value) => into[usize::from(*value)] = set,
        CodeTree::CodeBit(bit, sides) => {
            let (high, low) = cofactors::<K>(manager, set, level + *bit as LevelNo, falsum);
            split::<K>(manager, level, &sides[0], high, falsum, into);
            split::<K>(manager, level, &sides[1], low, falsum, into);
        }
    }
}

/// The set in which each value of the cell at a place is followed by its child.
pub(crate) fn cell<'id, K: DiagramKind>(
    manager: &K::Manager<'id>,
    layout: &VariableLayout,
    place: usize,
    children: &[EdgeRef<'_, 'id, K>],
    falsum: EdgeRef<'_, 'id, K>,
) -> Result<OwnEdge<'id, K>, BddError> {
    if children.iter().all(|&child| child == falsum) {
        return Ok(manager.clone_edge(falsum));
    }
    join::<K>(
        manager,
        layout.level(place, 0),
        layout.tree(),
        children,
        falsum,
    )
}

fn join<'id, K: DiagramKind>(
    manager: &K::Manager<'id>,
    level: LevelNo,
    tree: &CodeTree,
    children: &[EdgeRef<'_, 'id, K>],
    falsum: EdgeRef<'_, 'id, K>,
) -> Result<OwnEdge<'id, K>, BddError> {
    match tree {
        CodeTree::None => Ok(manager.clone_edge(falsum)),
        CodeTree::Value(value) => Ok(manager.clone_edge(children[usize::from(*value)])),
        CodeTree::CodeBit(bit, sides) => {
            let high = join::<K>(manager, level, &sides[0], children, falsum)?;
            let high: Guard<'_, 'id, K> = EdgeDropGuard::new(manager, high);
            let low = join::<K>(manager, level, &sides[1], children, falsum)?;
            let level = level + *bit as LevelNo;
            Ok(node::<K>(manager, level, high.into_edge(), low)?)
        }
    }
}

/// An edge that stands for itself in the keys of what passes remember.
pub(crate) type EdgeKey<'id, K> = EdgeOfFunc<'id, K>;
