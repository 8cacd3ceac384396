//! Where everything in a diagram is.

use std::collections::HashMap;

use crate::model::Model;
use crate::view::{Drawing, Shown};

use super::graph::{Graph, Group};
use super::size::{self, Size};

/// A point: to the right, down.
pub(super) type Point = (f64, f64);

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn around((x, y): Point, width: f64, height: f64) -> Area {
        Area {
            left: x - width / 2.0,
            top: y - height / 2.0,
            right: x + width / 2.0,
            bottom: y + height / 2.0,
        }
    }

    pub(super) fn contains(&self, (x, y): Point) -> bool {
        self.left < x && x < self.right && self.top < y && y < self.bottom
    }

    pub(super) fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }
}

/// A group of states with one largest tile.
pub(super) struct GroupBox {
    pub(super) area: Area,
    pub(super) largest: u8,
}

/// The places of all parts.
pub(super) struct Layout {
    pub(super) graph: Graph,
    pub(super) size: Size,
    pub(super) width: f64,
    pub(super) height: f64,
    /// The left side of each column's boards.
    pub(super) columns: Vec<f64>,
    /// The heights of the lanes to the won and to the lost state.
    pub(super) lanes: [f64; 2],
    /// Where the won and the lost state are.
    pub(super) ends: [Point; 2],
    pub(super) groups: Vec<GroupBox>,
    /// How far the middle of a board is above the middle of its item.
    rise: f64,
    /// Where links end, from the middle of the board they end at.
    ports: HashMap<(Source, usize), f64>,
}

/// Where a link begins: a state and one of its actions, or a gate.
pub(super) type Source = (usize, Option<usize>);

impl Layout {
    pub(super) fn new(model: &Model, shown: &[Shown], drawing: &Drawing) -> Layout {
        let size = Size::new(model.variant().shape());
        let mut graph = Graph::new(model, shown, drawing, &size);
        graph.arrange();
        graph.settle();
        let groups = |graph: &Graph, columns: &[f64]| match graph.boxed {
            true => boxes(graph, columns, &size),
            false => Vec::new(),
        };
        // Everything is moved down below the head and the lane to the win.
        let header = if graph.boxed {
            size::BOX_PAD + size::BOX_LABEL
        } else {
            0.0
        };
        let top = graph.items.iter().map(|item| item.y - item.height / 2.0);
        let top = top.reduce(f64::min).unwrap_or(0.0) - header;
        let down = size::MARGIN + size::HEAD + LANE - top;
        graph.items.iter_mut().for_each(|item| item.y += down);
        let bottom = graph.items.iter().map(|item| item.y + item.height / 2.0);
        let bottom = bottom.fold(down, f64::max) + header;
        let lanes = [size::MARGIN + size::HEAD + LANE / 2.0, bottom + LANE / 2.0];
        let mut columns = Vec::new();
        let mut x = size::MARGIN + 8.0;
        for column in 0..graph.columns.len() {
            columns.push(x);
            x += size.board_width + size::LEAD + gap(&graph, column);
        }
        let rise = match shown.iter().any(|shown| shown.value.is_some()) {
            true => size::VALUE / 2.0,
            false => 0.0,
        };
        let end = x + 30.0;
        Layout {
            groups: groups(&graph, &columns),
            ports: ports(&graph, &size),
            width: end + 60.0 + size::MARGIN,
            height: lanes[1] + 34.0 + size::MARGIN,
            columns,
            lanes,
            ends: lanes.map(|lane| (end, lane)),
            rise,
            graph,
            size,
        }
    }

    /// The middle of a state's board.
    pub(super) fn board(&self, state: usize) -> Point {
        let item = &self.graph.items[state];
        let left = self.columns[item.column];
        (left + self.size.board_width / 2.0, item.y - self.rise)
    }

    /// The middle of an action's dot.
    pub(super) fn dot(&self, state: usize, action: usize) -> Point {
        let (x, y) = self.board(state);
        let right = x + self.size.board_width / 2.0;
        (
            right + size::LEAD,
            y + self.graph.items[state].offset(action),
        )
    }

    /// Where an edge enters an item: the left side of a board, or a gate.
    pub(super) fn entry(&self, from: Source, item: usize) -> Point {
        let place = &self.graph.items[item];
        let port = self.ports.get(&(from, item)).copied().unwrap_or(0.0);
        let rise = if place.group == Group::Gate {
            0.0
        } else {
            self.rise
        };
        (self.columns[place.column] - 2.0, place.y - rise + port)
    }

    /// Where an edge leaves a gate: beyond the dots of the column.
    pub(super) fn exit(&self, gate: usize) -> Point {
        let place = &self.graph.items[gate];
        let x = self.columns[place.column] + self.size.board_width + size::LEAD + 8.0;
        (x, place.y)
    }
}

/// Room for the lane to the won or the lost state.
const LANE: f64 = 56.0;

/// The width between the dots of a column and the boards of the next: more where there are
/// more and steeper edges.
fn gap(graph: &Graph, column: usize) -> f64 {
    let links = graph
        .links
        .iter()
        .filter(|link| graph.items[link.from].column == column);
    let rises: Vec<f64> = links
        .map(|&link| (graph.source_y(link) - graph.items[link.to].y).abs())
        .collect();
    let steep = rises.iter().sum::<f64>() / rises.len().max(1) as f64;
    (100.0 + 0.6 * rises.len() as f64 + 0.3 * steep).min(260.0)
}

/// Links spread over the left side of the board that they end at, in the order of their
/// beginnings.
fn ports(graph: &Graph, size: &Size) -> HashMap<(Source, usize), f64> {
    let mut ports = HashMap::new();
    for item in 0..graph.endings.len() {
        let mut sources: Vec<(f64, usize)> = graph.incoming[item]
            .iter()
            .map(|&link| (graph.source_y(graph.links[link]), link))
            .collect();
        sources.sort_by(|a, b| a.0.total_cmp(&b.0));
        let spread = (0.72 * size.board_height / sources.len().max(1) as f64).min(7.0);
        let middle = (sources.len() as f64 - 1.0) / 2.0;
        for (i, (_, link)) in sources.into_iter().enumerate() {
            let link = graph.links[link];
            ports.insert(
                ((link.from, link.action), item),
                spread * (i as f64 - middle),
            );
        }
    }
    ports
}

/// The boxes around groups of states.
fn boxes(graph: &Graph, columns: &[f64], size: &Size) -> Vec<GroupBox> {
    let mut boxes = Vec::new();
    for (column, items) in graph.columns.iter().enumerate() {
        let group = |&item: &usize| graph.items[item].group;
        for run in items.chunk_by(|a, b| group(a) == group(b)) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else {
                continue;
            };
            let Group::States(largest) = group(first) else {
                continue;
            };
            let (first, last) = (&graph.items[*first], &graph.items[*last]);
            let right = columns[column] + size.board_width + size::LEAD + 18.0;
            boxes.push(GroupBox {
                area: Area {
                    left: columns[column] - size::BOX_PAD,
                    top: first.y - first.height / 2.0 - size::BOX_PAD - size::BOX_LABEL,
                    right,
                    bottom: last.y + last.height / 2.0 + size::BOX_PAD,
                },
                largest,
            });
        }
    }
    boxes
}
