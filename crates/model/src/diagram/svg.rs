//! The diagram as SVG text.

use std::io::{self, BufWriter, Write};

use tilebase_game::tile_value;

use crate::model::Model;
use crate::style;
use crate::view::{Drawing, Shown, shown};

use super::layout::{Layout, Point};
use super::size;

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

/// A picture being drawn.
pub(super) struct Picture<'a> {
    pub(super) model: &'a Model,
    pub(super) layout: Layout,
    pub(super) shown: &'a [Shown<'a>],
}

impl Picture<'_> {
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
        let best = match self.shown.iter().any(|shown| shown.value.is_some()) {
            true => " under best play",
            false => "",
        };
        let caption = format!(
            "{name}{best}: {} live states, {actions} actions",
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

pub(super) fn text(
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
