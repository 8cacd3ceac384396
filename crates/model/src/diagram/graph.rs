//! What is to be laid out: columns of items, and the links from each column to the next.

use std::collections::HashMap;

use crate::model::{Model, StateId};
use crate::view::{Drawing, Grouping, Shown};

use super::size::{self, Size};

/// Something that takes room in a column.
pub(super) struct Item {
    pub(super) column: usize,
    pub(super) height: f64,
    /// The vertical middle.
    pub(super) y: f64,
    /// Items of one group stay together; every gate is alone.
    pub(super) group: Group,
    /// For each action of a state its place from the top.
    pub(super) slots: Vec<usize>,
}

/// What an item belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// States with this largest tile, or all states if they are not grouped.
    States(u8),
    /// A gate: where edges to one state pass a column on their way.
    Gate,
}

impl Item {
    /// How far from the middle the dot of an action is.
    pub(super) fn offset(&self, action: usize) -> f64 {
        let middle = (self.slots.len() as f64 - 1.0) / 2.0;
        size::SLOT * (self.slots.get(action).map_or(middle, |&slot| slot as f64) - middle)
    }
}

/// A link from an item (of a state: from the dot of an action) to one in the next column.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) action: Option<usize>,
    pub(super) to: usize,
}

/// Items and links. The first items are the drawn states in their order; gates follow.
pub(super) struct Graph {
    pub(super) items: Vec<Item>,
    /// The items of each column from top to bottom.
    pub(super) columns: Vec<Vec<usize>>,
    pub(super) sums: Vec<u32>,
    pub(super) links: Vec<Link>,
    /// For each item the links that end there, and those that begin there.
    pub(super) incoming: Vec<Vec<usize>>,
    pub(super) outgoing: Vec<Vec<usize>>,
    /// For each state which of its actions can win, and which can lose.
    pub(super) endings: Vec<Vec<[bool; 2]>>,
    pub(super) boxed: bool,
    /// The gate in a column that leads to an item.
    gates: HashMap<(usize, usize), usize>,
}

impl Graph {
    pub(super) fn new(model: &Model, shown: &[Shown], drawing: &Drawing, size: &Size) -> Graph {
        let boxed = drawing.grouping == Grouping::LayerAndLargest;
        let mut graph = Graph {
            items: Vec::new(),
            columns: Vec::new(),
            sums: Vec::new(),
            links: Vec::new(),
            incoming: Vec::new(),
            outgoing: Vec::new(),
            endings: Vec::new(),
            boxed,
            gates: HashMap::new(),
        };
        let mut item_of = vec![usize::MAX; model.states().len()];
        for (item, shown) in shown.iter().enumerate() {
            let state = &model.states()[shown.at];
            item_of[shown.at] = item;
            if graph.sums.last() != Some(&state.sum) {
                graph.sums.push(state.sum);
            }
            let largest = state.board.without_walls().max_exponent();
            let actions = shown.actions.len();
            graph.items.push(Item {
                column: graph.sums.len() - 1,
                height: size.node_height(shown.value.is_some(), actions),
                y: 0.0,
                group: Group::States(if boxed { largest } else { 0 }),
                slots: (0..actions).collect(),
            });
        }
        for (from, shown) in shown.iter().enumerate() {
            let mut endings = Vec::new();
            for (i, action) in shown.actions.iter().enumerate() {
                let mut ends = [false; 2];
                for outcome in &action.outcomes {
                    match outcome.to {
                        StateId::Live(to) => graph.link(from, i, item_of[to as usize]),
                        StateId::Win => ends[0] = true,
                        StateId::Lose => ends[1] = true,
                    }
                }
                endings.push(ends);
            }
            graph.endings.push(endings);
        }
        graph.columns = vec![Vec::new(); graph.sums.len()];
        for (at, item) in graph.items.iter().enumerate() {
            graph.columns[item.column].push(at);
        }
        graph.incoming = vec![Vec::new(); graph.items.len()];
        graph.outgoing = vec![Vec::new(); graph.items.len()];
        for (at, link) in graph.links.iter().enumerate() {
            graph.incoming[link.to].push(at);
            graph.outgoing[link.from].push(at);
        }
        graph
    }

    /// Links an action to a state, through gates in the columns between. All edges to a
    /// state share its gates: they would meet there anyway.
    fn link(&mut self, from: usize, action: usize, to: usize) {
        let first = self.items[from].column + 1;
        let mut next = to;
        for column in (first..self.items[to].column).rev() {
            let gate = match self.gates.get(&(next, column)) {
                Some(&gate) => gate,
                None => self.open_gate(next, column),
            };
            next = gate;
        }
        self.links.push(Link {
            from,
            action: Some(action),
            to: next,
        });
    }

    fn open_gate(&mut self, to: usize, column: usize) -> usize {
        let from = self.items.len();
        self.items.push(Item {
            column,
            height: size::GATE,
            y: 0.0,
            group: Group::Gate,
            slots: Vec::new(),
        });
        self.links.push(Link {
            from,
            action: None,
            to,
        });
        self.gates.insert((to, column), from);
        from
    }

    /// The items that an edge passes from a column to a state, the state included.
    pub(super) fn way(&self, from: usize, to: usize) -> Vec<usize> {
        let mut way = vec![to];
        let mut next = to;
        for column in (from + 1..self.items[to].column).rev() {
            next = self.gates.get(&(next, column)).copied().unwrap_or(next);
            way.push(next);
        }
        way.reverse();
        way
    }

    /// Where a link begins.
    pub(super) fn source_y(&self, link: Link) -> f64 {
        let item = &self.items[link.from];
        item.y + link.action.map_or(0.0, |action| item.offset(action))
    }

    /// The distance from the middle of an item to that of the one below it.
    pub(super) fn separation(&self, above: usize, below: usize) -> f64 {
        let (above, below) = (&self.items[above], &self.items[below]);
        let mut gap = match (above.group, below.group) {
            (Group::States(_), Group::States(_)) => size::NODE_GAP,
            (Group::Gate, Group::Gate) => 0.0,
            _ => size::NODE_GAP / 2.0,
        };
        if self.boxed && above.group != below.group {
            if above.group != Group::Gate {
                gap += size::BOX_PAD;
            }
            if below.group != Group::Gate {
                gap += size::BOX_PAD + size::BOX_LABEL;
            }
        }
        (above.height + below.height) / 2.0 + gap
    }
}
