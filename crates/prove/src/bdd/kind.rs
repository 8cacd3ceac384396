//! The kinds of diagrams, and what the passes need of their nodes.

use oxidd::bcdd::BCDDFunction;
use oxidd::zbdd::ZBDDFunction;
use oxidd_core::function::{BooleanFunction, BooleanVecSet, EdgeOfFunc, Function, OwnEdgeOfFunc};
use oxidd_core::util::{AllocResult, EdgeDropGuard, Ref};
use oxidd_core::{DiagramRules, Edge, HasLevel, LevelNo, Manager, Node};

/// The level of the terminal nodes, below all variables.
pub(crate) const TERMINAL: LevelNo = LevelNo::MAX;

/// A kind of diagrams whose functions are sets of boards.
pub(crate) trait DiagramKind:
    BooleanFunction + Function<ManagerRef: Send + Sync> + Send + Sync
{
    /// Whether a variable that no node asks for is false, instead of arbitrary.
    const SUPPRESSES_ZEROS: bool;

    /// A manager with room for this number of nodes and cached results.
    fn manager(nodes: usize, cache: usize, threads: u32) -> Self::ManagerRef;

    /// The set that a diagram without variables stands for: all assignments, or in
    /// zero-suppressed diagrams the one of zeros.
    fn base<'id>(manager: &Self::Manager<'id>) -> OwnEdgeOfFunc<'id, Self>;

    /// The level of the node to which an edge leads.
    fn level<'id>(manager: &Self::Manager<'id>, edge: Ref<'_, EdgeOfFunc<'id, Self>>) -> LevelNo;
}

impl DiagramKind for BCDDFunction {
    const SUPPRESSES_ZEROS: bool = false;

    fn manager(nodes: usize, cache: usize, threads: u32) -> Self::ManagerRef {
        oxidd::bcdd::new_manager(nodes, cache, threads)
    }

    fn base<'id>(manager: &Self::Manager<'id>) -> OwnEdgeOfFunc<'id, Self> {
        Self::t_edge(manager)
    }

    fn level<'id>(manager: &Self::Manager<'id>, edge: Ref<'_, EdgeOfFunc<'id, Self>>) -> LevelNo {
        match manager.get_node(edge) {
            Node::Inner(node) => node.level(),
            Node::Terminal(_) => TERMINAL,
        }
    }
}

impl DiagramKind for ZBDDFunction {
    const SUPPRESSES_ZEROS: bool = true;

    fn manager(nodes: usize, cache: usize, threads: u32) -> Self::ManagerRef {
        oxidd::zbdd::new_manager(nodes, cache, threads)
    }

    fn base<'id>(manager: &Self::Manager<'id>) -> OwnEdgeOfFunc<'id, Self> {
        <Self as BooleanVecSet>::base_edge(manager)
    }

    fn level<'id>(manager: &Self::Manager<'id>, edge: Ref<'_, EdgeOfFunc<'id, Self>>) -> LevelNo {
        match manager.get_node(edge) {
            Node::Inner(node) => node.level(),
            Node::Terminal(_) => TERMINAL,
        }
    }
}

/// A borrowed edge of the diagrams of a kind.
pub(crate) type EdgeRef<'a, 'id, K> = Ref<'a, EdgeOfFunc<'id, K>>;
/// An edge that must be given back to its manager.
pub(crate) type OwnEdge<'id, K> = OwnEdgeOfFunc<'id, K>;
/// An edge that goes back to its manager by itself.
pub(crate) type Guard<'m, 'id, K> = EdgeDropGuard<'m, <K as Function>::Manager<'id>>;

/// What an edge leads to where the variable of `level` is true, and where it is false.
/// The edge must not lead above this level; `falsum` is the empty set.
pub(crate) fn cofactors<'a, 'id, K: DiagramKind>(
    manager: &'a K::Manager<'id>,
    edge: EdgeRef<'a, 'id, K>,
    level: LevelNo,
    falsum: EdgeRef<'a, 'id, K>,
) -> (EdgeRef<'a, 'id, K>, EdgeRef<'a, 'id, K>) {
    if K::level(manager, edge) == level
        && let Node::Inner(node) = manager.get_node(edge)
    {
        type Rules<M> = <M as Manager>::Rules;
        let mut children = Rules::<K::Manager<'id>>::cofactors(edge.raw().tag(), node);
        if let (Some(high), Some(low)) = (children.next(), children.next()) {
            return (high, low);
        }
    }
    (if K::SUPPRESSES_ZEROS { falsum } else { edge }, edge)
}

/// The node that asks for the variable of `level`.
pub(crate) fn node<'id, K: DiagramKind>(
    manager: &K::Manager<'id>,
    level: LevelNo,
    high: OwnEdge<'id, K>,
    low: OwnEdge<'id, K>,
) -> AllocResult<OwnEdge<'id, K>> {
    type Rules<M> = <M as Manager>::Rules;
    Rules::<K::Manager<'id>>::reduce(manager, level, [high, low]).then_insert(manager, level)
}
