//! Where an edge's probability can be read.

use super::layout::{Area, Layout, Point};
use super::route::Route;
use super::size;

/// Height of a label.
const HEIGHT: f64 = 9.0;
/// Places that are tried on an edge.
const PLACES: u32 = 24;

/// Finds places for labels that touch no node, no dot, no other label, and few other edges.
pub(super) struct Labels {
    taken: Vec<Area>,
}

impl Labels {
    pub(super) fn new(layout: &Layout, dots: &[Vec<f64>]) -> Labels {
        let mut taken = Vec::new();
        for (state, widths) in dots.iter().enumerate() {
            let (width, height) = (layout.size.board_width, layout.size.board_height);
            taken.push(Area::around(layout.board(state), width + 6.0, height + 6.0));
            for (action, &width) in widths.iter().enumerate() {
                taken.push(Area::around(layout.dot(state, action), width, size::DOT));
            }
        }
        Labels { taken }
    }

    /// The place of a label on an edge, if there is room for it. `edges` are points of the
    /// edges around, this one's among them.
    pub(super) fn place(&mut self, route: &Route, edges: &[Point], text: &str) -> Option<Point> {
        let width = 5.0 * text.len() as f64 + 2.0;
        let mut best: Option<(f64, Point)> = None;
        for i in 3..PLACES - 2 {
            let t = f64::from(i) / f64::from(PLACES);
            let point = route.point(t);
            let area = Area::around(point, width, HEIGHT);
            if self.taken.iter().any(|other| other.overlaps(&area)) {
                continue;
            }
            let touched = edges.iter().filter(|&&point| area.contains(point)).count();
            let cost = touched as f64 + 3.0 * (t - 0.45).abs();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, point));
            }
        }
        let (_, point) = best?;
        self.taken.push(Area::around(point, width, HEIGHT));
        Some(point)
    }
}
