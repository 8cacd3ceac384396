//! Edges and their probabilities.

use std::io::{self, Write};

use crate::fraction::Fraction;
use crate::model::{Action, Outcome, StateId};
use crate::style;

use super::label::Labels;
use super::layout::Point;
use super::route::Route;
use super::size;
use super::svg::Picture;

/// Columns with more edges than this have no labels: it would be unclear whose label it is.
const LABELLED: usize = 40;

/// An edge from an action to one of its outcomes.
struct Edge<'a> {
    action: &'a Action,
    outcome: Outcome,
    route: Route,
}

impl Edge<'_> {
    fn probability(&self) -> Fraction {
        self.action.probability(self.outcome)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let fraction = self.probability();
        let probability = fraction.to_f64();
        let class = match self.outcome.to {
            StateId::Live(_) => "edge",
            StateId::Win => "edge win",
            StateId::Lose => "edge lose",
        };
        writeln!(
            out,
            "<path class=\"{class}\" stroke-width=\"{:.2}\" stroke-opacity=\"{:.2}\" \
             d=\"{}\"><title>{}: {fraction} = {}</title></path>",
            style::width(probability),
            0.45 + 0.4 * probability,
            self.route.path(),
            self.action.moves,
            style::probability(probability)
        )
    }
}

impl Picture<'_> {
    pub(super) fn edges(&self, out: &mut impl Write) -> io::Result<()> {
        let width = |action: &&Action| size::dot_width(action.moves.len());
        let widths: Vec<Vec<f64>> = self
            .shown
            .iter()
            .map(|shown| shown.actions.iter().map(width).collect())
            .collect();
        let mut columns: Vec<Vec<Edge>> = Vec::new();
        columns.resize_with(self.layout.columns.len(), Vec::new);
        for (state, shown) in self.shown.iter().enumerate() {
            for (i, action) in shown.actions.iter().enumerate() {
                let width = widths[state][i];
                let lead = self.layout.lead(state, i, width).path();
                writeln!(
                    out,
                    "<path class=\"edge\" stroke-width=\"1.2\" d=\"{lead}\"/>"
                )?;
                let edges = action.outcomes.iter().map(|&outcome| Edge {
                    action,
                    outcome,
                    route: self.layout.route(self.shown, state, i, width, outcome),
                });
                columns[self.layout.graph.items[state].column].extend(edges);
            }
        }
        columns
            .iter()
            .flatten()
            .try_for_each(|edge| edge.write(out))?;
        let mut labels = Labels::new(&self.layout, &widths);
        for edges in columns.iter().filter(|edges| edges.len() <= LABELLED) {
            let points: Vec<Point> = edges.iter().flat_map(|edge| edge.route.points()).collect();
            for edge in edges
                .iter()
                .filter(|edge| edge.probability().denominator() > 1)
            {
                let label = style::probability(edge.probability().to_f64());
                if let Some((x, y)) = labels.place(&edge.route, &points, &label) {
                    let y = y + 3.0;
                    writeln!(
                        out,
                        "<text class=\"chance\" x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>"
                    )?;
                }
            }
        }
        Ok(())
    }
}
