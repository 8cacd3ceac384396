//! The ways that edges take.

use std::fmt::Write;

use crate::model::{Outcome, StateId};
use crate::view::Shown;

use super::layout::{Layout, Point};
use super::size;

/// A part of a way, from where the last one ended.
#[derive(Clone, Copy)]
enum Piece {
    Line(Point),
    Curve(Point, Point, Point),
}

/// Parts into which a piece is cut where its surroundings matter.
const STEPS: usize = 24;

impl Piece {
    fn end(self) -> Point {
        match self {
            Piece::Line(end) | Piece::Curve(_, _, end) => end,
        }
    }

    /// A point from 0 at the beginning to 1 at the end.
    fn point(self, start: Point, t: f64) -> Point {
        let mix = |a: Point, b: Point| (a.0 + t * (b.0 - a.0), a.1 + t * (b.1 - a.1));
        match self {
            Piece::Line(end) => mix(start, end),
            Piece::Curve(a, b, c) => {
                let (ab, bc) = (mix(a, b), mix(b, c));
                mix(mix(mix(start, a), ab), mix(ab, bc))
            }
        }
    }
}

/// The way of an edge.
pub(super) struct Route {
    start: Point,
    pieces: Vec<Piece>,
}

impl Route {
    /// The way as an SVG path.
    pub(super) fn path(&self) -> String {
        let mut text = format!("M{:.1},{:.1}", self.start.0, self.start.1);
        for piece in &self.pieces {
            // Writing to a string does not fail.
            let _ = match *piece {
                Piece::Line((x, y)) => write!(text, "L{x:.1},{y:.1}"),
                Piece::Curve(a, b, c) => write!(
                    text,
                    "C{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}",
                    a.0, a.1, b.0, b.1, c.0, c.1
                ),
            };
        }
        text
    }

    /// Some points all along the way.
    pub(super) fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        let mut start = self.start;
        for piece in &self.pieces {
            points.extend((0..=STEPS).map(|i| piece.point(start, i as f64 / STEPS as f64)));
            start = piece.end();
        }
        points
    }

    /// A point on the first piece, from 0 at its beginning to 1 at its end.
    pub(super) fn point(&self, t: f64) -> Point {
        let first = self.pieces.first();
        first.map_or(self.start, |piece| piece.point(self.start, t))
    }

    fn line(&mut self, to: Point) {
        self.pieces.push(Piece::Line(to));
    }

    /// A curve that leaves and arrives level.
    fn level(&mut self, from: Point, to: Point) {
        let half = (to.0 - from.0) / 2.0;
        let (a, b) = ((from.0 + half, from.1), (to.0 - half, to.1));
        self.pieces.push(Piece::Curve(a, b, to));
    }

    /// A rounded corner.
    fn corner(&mut self, at: Point, to: Point) {
        self.pieces.push(Piece::Curve(at, at, to));
    }
}

impl Layout {
    /// From a board to the dot of one of its actions.
    pub(super) fn lead(&self, state: usize, action: usize, dot_width: f64) -> Route {
        let (x, y) = self.board(state);
        let start = (x + self.size.board_width / 2.0 + 2.0, y);
        let dot = self.dot(state, action);
        let mut route = Route {
            start,
            pieces: Vec::new(),
        };
        route.level(start, (dot.0 - dot_width / 2.0, dot.1));
        route
    }

    /// From the dot of an action to an outcome.
    pub(super) fn route(
        &self,
        shown: &[Shown],
        state: usize,
        action: usize,
        dot_width: f64,
        outcome: Outcome,
    ) -> Route {
        let dot = self.dot(state, action);
        let start = (dot.0 + dot_width / 2.0, dot.1);
        let mut route = Route {
            start,
            pieces: Vec::new(),
        };
        match outcome.to {
            StateId::Live(to) => {
                let found = shown.binary_search_by_key(&(to as usize), |shown| shown.at);
                let to = found.unwrap_or(state);
                self.to_state(&mut route, state, action, to);
            }
            StateId::Win => self.to_end(&mut route, state, action, 0),
            StateId::Lose => self.to_end(&mut route, state, action, 1),
        }
        route
    }

    fn to_state(&self, route: &mut Route, state: usize, action: usize, to: usize) {
        let mut from = route.start;
        let mut source = (state, Some(action));
        for item in self.graph.way(self.graph.items[state].column, to) {
            let entry = self.entry(source, item);
            route.level(from, entry);
            if item != to {
                from = self.exit(item);
                route.line(from);
                source = (item, None);
            }
        }
    }

    /// Up to the lane of the win or down to that of the loss, and along it.
    fn to_end(&self, route: &mut Route, state: usize, action: usize, end: usize) {
        let y = route.start.1;
        let lane = self.lanes[end];
        let way = if end == 0 { -1.0 } else { 1.0 };
        // All edges of a column that lead to the same end share the way from here.
        let turn = self.dot(state, action).0 + size::LEAD + 10.0 * end as f64;
        let bend = ((lane - y).abs() / 2.0).min(16.0) * way;
        route.corner((turn, y), (turn, y + bend));
        route.line((turn, lane - bend));
        route.corner((turn, lane), (turn + 16.0, lane));
        route.line(self.ends[end]);
    }
}
