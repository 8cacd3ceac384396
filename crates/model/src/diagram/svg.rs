//! The diagram as SVG text.

use std::io::{self, BufWriter, Write};

use tilebase_game::{Board, tile_value};

use crate::chance::Chance;
use crate::model::{Action, Model, Outcome, State, StateId};
use crate::style;
use crate::view::{Drawing, Shown, shown};

use super::label::Labels;
use super::layout::{Layout, Point};
use super::route::Route;
use super::size;

/// More edges from one column than this are not labelled: nobody could tell whose label it is.
const LABELLED: usize = 40;

/// Draws a model as a finished picture in SVG: boards as boards, start states framed in
/// blue, dots for actions, edges as wide as they are likely, a column for each sum.
///
/// ```
/// use tilebase_model::{Drawing, Model, Reduction, write_svg};
///
/// let model = Model::build(&"2x2-to-8".parse().unwrap(), Reduction::Actions, 100)?;
/// let mut picture = Vec::new();
/// write_svg(&model, &Drawing::default(), &mut picture)?;
/// assert!(picture.starts_with(b"<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_svg(model: &Model, drawing: &Drawing, to: &mut dyn Write) -> io::Result<()> {
    let states = shown(model, drawing);
    let picture = Picture {
        model,
        layout: Layout::new(model, &states, drawing),
        shown: &states,
    };
    let mut out = BufWriter::new(to);
    picture.head(&mut out)?;
    picture.columns(&mut out)?;
    picture.groups(&mut out)?;
    picture.edges(&mut out)?;
    picture.states(&mut out)?;
    picture.ends(&mut out)?;
    writeln!(out, "</svg>")?;
    out.flush()
}

/// An edge from an action to one of its outcomes.
struct Edge<'a> {
    action: &'a Action,
    outcome: Outcome,
    route: Route,
}

impl Edge<'_> {
    fn chance(&self) -> Chance {
        self.action.chance(self.outcome)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let chance = self.chance();
        let probability = chance.to_f64();
        let class = match self.outcome.to {
            StateId::Live(_) => "edge",
            StateId::Win => "edge win",
            StateId::Lose => "edge lose",
        };
        writeln!(
            out,
            "<path class=\"{class}\" stroke-width=\"{:.2}\" stroke-opacity=\"{:.2}\" \
             d=\"{}\"><title>{}: {chance} = {}</title></path>",
            style::width(probability),
            0.45 + 0.4 * probability,
            self.route.path(),
            self.action.moves,
            style::probability(probability)
        )
    }
}

struct Picture<'a> {
    model: &'a Model,
    layout: Layout,
    shown: &'a [Shown<'a>],
}

impl Picture<'_> {
    fn state(&self, shown: &Shown) -> &State {
        &self.model.states()[shown.at]
    }

    fn head(&self, out: &mut impl Write) -> io::Result<()> {
        let (width, height) = (self.layout.width, self.layout.height);
        let name = self.model.variant();
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" \
             height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"'Helvetica Neue', Helvetica, Arial, sans-serif\">"
        )?;
        writeln!(out, "<title>{name}</title>")?;
        writeln!(
            out,
            "<style>.edge{{fill:none;stroke:{};stroke-linecap:round}}\
             .win{{stroke:{}}}.lose{{stroke:{}}}\
             .edge:hover{{stroke:#000;stroke-opacity:1}}\
             .chance{{font-size:8.5px;fill:{};text-anchor:middle;paint-order:stroke;\
             stroke:#fff;stroke-width:2.5px}}\
             .tile{{font-weight:bold;text-anchor:middle}}\
             .move{{font-size:9px;font-weight:bold;text-anchor:middle}}</style>",
            style::EDGE,
            style::WIN,
            style::LOSE,
            style::INK
        )?;
        writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")?;
        let actions = self
            .shown
            .iter()
            .map(|shown| shown.actions.len())
            .sum::<usize>();
        let caption = format!(
            "{name}: {} live states, {actions} actions",
            self.shown.len()
        );
        text(
            out,
            (size::MARGIN, size::MARGIN + 4.0),
            15.0,
            "start",
            style::INK,
            &caption,
        )
    }

    /// The sums on top, and every other column on slightly darker ground.
    fn columns(&self, out: &mut impl Write) -> io::Result<()> {
        let top = size::MARGIN + 18.0;
        for (column, &x) in self.layout.columns.iter().enumerate() {
            let end = self.layout.ends[0].0 - 44.0;
            let right = self.layout.columns.get(column + 1).copied().unwrap_or(end);
            if column % 2 == 0 {
                writeln!(
                    out,
                    "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" \
                     fill=\"#f5f6f8\"/>",
                    x - 14.0,
                    right - x,
                    self.layout.height - top - size::MARGIN / 2.0
                )?;
            }
            let sum = format!("sum {}", self.layout.graph.sums[column]);
            let middle = x + self.layout.size.board_width / 2.0;
            text(out, (middle, top + 18.0), 13.0, "middle", style::INK, &sum)?;
        }
        Ok(())
    }

    fn groups(&self, out: &mut impl Write) -> io::Result<()> {
        for group in &self.layout.groups {
            let area = group.area;
            writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\" \
                 fill=\"#fff\" stroke=\"#c3c8d0\"/>",
                area.left,
                area.top,
                area.right - area.left,
                area.bottom - area.top
            )?;
            let label = format!("largest {}", tile_value(group.largest));
            let at = (area.left + 6.0, area.top + 12.0);
            text(out, at, 9.5, "start", style::EDGE, &label)?;
        }
        Ok(())
    }

    fn edges(&self, out: &mut impl Write) -> io::Result<()> {
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
            for edge in edges.iter().filter(|edge| edge.chance().whole() > 1) {
                let chance = style::probability(edge.chance().to_f64());
                if let Some((x, y)) = labels.place(&edge.route, &points, &chance) {
                    let y = y + 3.0;
                    writeln!(
                        out,
                        "<text class=\"chance\" x=\"{x:.1}\" y=\"{y:.1}\">{chance}</text>"
                    )?;
                }
            }
        }
        Ok(())
    }

    fn states(&self, out: &mut impl Write) -> io::Result<()> {
        for (at, shown) in self.shown.iter().enumerate() {
            let state = self.state(shown);
            let shape = self.model.variant().shape();
            let board = state.board.unpack(shape);
            writeln!(out, "<g class=\"state\" id=\"s{}\">", shown.at)?;
            let value = shown
                .value
                .map_or(String::new(), |value| format!(": {value}"));
            writeln!(out, "<title>{board}{value}</title>")?;
            self.board(out, at, state)?;
            if let Some(value) = shown.value {
                let (x, y) = self.layout.board(at);
                let below = y + self.layout.size.board_height / 2.0 + 13.0;
                let value = style::value(value).replace('>', "&gt;");
                text(out, (x, below), 11.0, "middle", style::INK, &value)?;
            }
            writeln!(out, "</g>")?;
            for (i, action) in shown.actions.iter().enumerate() {
                let (x, y) = self.layout.dot(at, i);
                let width = size::dot_width(action.moves.len());
                writeln!(
                    out,
                    "<g><title>{board} {}: {} points</title><rect x=\"{:.1}\" y=\"{:.1}\" \
                     width=\"{width:.1}\" height=\"{:.1}\" rx=\"{:.1}\" fill=\"#fff\" \
                     stroke=\"{}\"/><text class=\"move\" x=\"{x:.1}\" y=\"{:.1}\" \
                     fill=\"{}\">{}</text></g>",
                    action.moves,
                    action.gain,
                    x - width / 2.0,
                    y - size::DOT / 2.0,
                    size::DOT,
                    size::DOT / 2.0,
                    style::EDGE,
                    y + 3.2,
                    style::INK,
                    action.moves
                )?;
            }
        }
        Ok(())
    }

    /// A board with its tiles; a start state has a blue frame.
    fn board(&self, out: &mut impl Write, at: usize, state: &State) -> io::Result<()> {
        let (width, height) = (self.layout.size.board_width, self.layout.size.board_height);
        let (x, y) = self.layout.board(at);
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        let (frame, stroke) = match state.start.part() > 0 {
            true => (style::START, 4.0),
            false => (style::FRAME, 1.0),
        };
        writeln!(
            out,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             rx=\"4\" fill=\"{}\" stroke=\"{frame}\" stroke-width=\"{stroke}\"/>",
            style::BOARD
        )?;
        let shape = self.model.variant().shape();
        for row in 0..shape.rows() {
            for col in 0..shape.cols() {
                let step = size::CELL + size::LINE;
                let cell = (
                    left + size::LINE + step * f64::from(col),
                    top + size::LINE + step * f64::from(row),
                );
                tile(out, cell, state.board, row, col)?;
            }
        }
        Ok(())
    }

    /// The won state, a green star, and the lost one, a red oval.
    fn ends(&self, out: &mut impl Write) -> io::Result<()> {
        let [(x, y), lose] = self.layout.ends;
        let point = |i: i32| {
            let radius = if i % 2 == 0 { 30.0 } else { 15.0 };
            let angle = std::f64::consts::PI * (f64::from(i) / 5.0 - 0.5);
            format!(
                "{:.1},{:.1}",
                x + radius * angle.cos(),
                y + radius * angle.sin()
            )
        };
        let star: Vec<String> = (0..10).map(point).collect();
        writeln!(
            out,
            "<g id=\"win\"><title>won</title><polygon points=\"{}\" fill=\"{}\"/>",
            star.join(" "),
            style::WIN
        )?;
        text(out, (x, y + 5.0), 11.0, "middle", "#fff", "win")?;
        writeln!(out, "</g>")?;
        writeln!(
            out,
            "<g id=\"lose\"><title>lost</title><ellipse cx=\"{:.1}\" cy=\"{:.1}\" rx=\"28\" \
             ry=\"17\" fill=\"{}\"/>",
            lose.0,
            lose.1,
            style::LOSE
        )?;
        text(out, (lose.0, lose.1 + 4.5), 13.0, "middle", "#fff", "lose")?;
        writeln!(out, "</g>")
    }
}

fn tile(out: &mut impl Write, (x, y): Point, board: Board, row: u8, col: u8) -> io::Result<()> {
    let exponent = board.get(row, col);
    let (ground, ink) = style::tile(exponent);
    write!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{0}\" height=\"{0}\" rx=\"2\" \
         fill=\"{ground}\"/>",
        size::CELL
    )?;
    if exponent > 0 {
        let number = tile_value(exponent).to_string();
        let font = [13.0, 13.0, 12.0, 10.0, 8.0][number.len().min(4)];
        write!(
            out,
            "<text class=\"tile\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"{font}\" \
             fill=\"{ink}\">{number}</text>",
            x + size::CELL / 2.0,
            y + size::CELL / 2.0 + 0.36 * font
        )?;
    }
    writeln!(out)
}

fn text(
    out: &mut impl Write,
    (x, y): Point,
    font: f64,
    anchor: &str,
    ink: &str,
    words: &str,
) -> io::Result<()> {
    writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{font}\" text-anchor=\"{anchor}\" \
         fill=\"{ink}\">{words}</text>"
    )
}
