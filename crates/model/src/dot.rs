//! Diagrams in the language of Graphviz.

use std::io::{self, BufWriter, Write};

use tilebase_game::{Board, Shape, Variant, tile_value};

use crate::model::{Model, State, StateId};
use crate::style;
use crate::view::{Drawing, Grouping, Shown, shown};

/// Writes a diagram for Graphviz: `dot -Tsvg` draws it.
///
/// Boards are tables, start states have a blue frame, play goes from left to right with
/// one rank for each sum.
///
/// ```
/// use tilebase_model::{Drawing, Model, Reduction, write_dot};
///
/// let model = Model::build(&"2x2-to-8".parse().unwrap(), Reduction::Actions, 100)?;
/// let mut text = Vec::new();
/// write_dot(&model, &Drawing::default(), &mut text)?;
/// assert!(text.starts_with(b"digraph \"2x2-to-8\" {\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_dot(model: &Model, drawing: &Drawing, to: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(to);
    let states = shown(model, drawing);
    writeln!(out, "digraph \"{}\" {{", model.variant())?;
    writeln!(
        out,
        "  rankdir=LR; newrank=true; bgcolor=white; fontname=Helvetica; ranksep=0.6; nodesep=0.12;"
    )?;
    writeln!(out, "  node [fontname=\"Helvetica\", fontsize=10];")?;
    writeln!(
        out,
        "  edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.5, color=\"{}\"];",
        style::EDGE
    )?;
    for layer in states.chunk_by(|a, b| sum(model, a) == sum(model, b)) {
        write_layer(&mut out, model, drawing, layer)?;
    }
    writeln!(
        out,
        "  win [shape=star, style=filled, fillcolor=\"{}\", fontcolor=white];",
        style::WIN
    )?;
    writeln!(
        out,
        "  lose [shape=oval, style=filled, fillcolor=\"{}\", fontcolor=white];",
        style::LOSE
    )?;
    for state in &states {
        write_actions(&mut out, state)?;
    }
    writeln!(out, "}}")?;
    out.flush()
}

fn sum(model: &Model, state: &Shown) -> u32 {
    model.states()[state.at].sum
}

/// The states of one sum, on one rank.
fn write_layer(
    out: &mut impl Write,
    model: &Model,
    drawing: &Drawing,
    layer: &[Shown],
) -> io::Result<()> {
    let sum = layer.first().map_or(0, |state| sum(model, state));
    let board = |shown: &Shown| model.states()[shown.at].board;
    let mut groups: Vec<&Shown> = layer.iter().collect();
    let largest_of = |shown: &Shown| board(shown).without_walls().max_exponent();
    groups.sort_by_key(|shown| largest_of(shown));
    for group in groups.chunk_by(|a, b| largest_of(a) == largest_of(b)) {
        let largest = group.first().map_or(0, |shown| largest_of(shown));
        let boxed = drawing.grouping == Grouping::LayerAndLargest;
        if boxed {
            let tile = tile_value(largest);
            writeln!(out, "  subgraph cluster_{sum}_{tile} {{")?;
            writeln!(
                out,
                "  label=\"sum {sum}, largest {tile}\"; fontsize=9; color=gray;"
            )?;
        }
        for shown in group {
            write_state(out, model.variant(), &model.states()[shown.at], shown)?;
        }
        if boxed {
            writeln!(out, "  }}")?;
        }
    }
    let names: Vec<String> = layer
        .iter()
        .map(|shown| format!("s{};", shown.at))
        .collect();
    writeln!(out, "  {{ rank=same; {} }}", names.join(" "))
}

fn write_state(
    out: &mut impl Write,
    variant: &Variant,
    state: &State,
    shown: &Shown,
) -> io::Result<()> {
    let color = if state.start.numerator() > 0 {
        style::START
    } else {
        style::FRAME
    };
    let value = shown.value.map(style::value);
    let shape = variant.shape();
    let label = table(shape, state.board, value.as_deref());
    let tip = variant.tiles_text(&state.board.unpack(shape));
    writeln!(
        out,
        "  s{} [shape=box, style=rounded, penwidth=2, margin=0.04, color=\"{color}\", \
         tooltip=\"{tip}\", label=<{label}>];",
        shown.at
    )
}

/// A board as a table of tiles, its value below it.
fn table(shape: Shape, board: Board, value: Option<&str>) -> String {
    let mut text = format!(
        "<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\" BGCOLOR=\"{}\">",
        style::BOARD
    );
    for row in board.unpack(shape).rows() {
        text.push_str("<TR>");
        for &exponent in row {
            let (ground, ink) = style::tile(exponent);
            let number = match exponent {
                0 => " ".to_owned(),
                tile => style::number(tile),
            };
            text.push_str(&format!(
                "<TD BGCOLOR=\"{ground}\" WIDTH=\"22\" HEIGHT=\"22\">\
                 <FONT COLOR=\"{ink}\">{number}</FONT></TD>"
            ));
        }
        text.push_str("</TR>");
    }
    if let Some(value) = value {
        let value = value.replace('>', "&gt;");
        let cols = shape.cols();
        text.push_str(&format!(
            "<TR><TD COLSPAN=\"{cols}\" BGCOLOR=\"white\">{value}</TD></TR>"
        ));
    }
    text + "</TABLE>"
}

/// A state's actions with the edges to and from them.
fn write_actions(out: &mut impl Write, state: &Shown) -> io::Result<()> {
    for (i, action) in state.actions.iter().enumerate() {
        let name = format!("a{}_{i}", state.at);
        writeln!(
            out,
            "  {name} [shape=box, style=rounded, width=0.2, height=0.2, margin=0.04, fontsize=8, \
             label=\"{}\"];",
            action.moves
        )?;
        writeln!(out, "  s{} -> {name} [arrowhead=none];", state.at)?;
        for &outcome in &action.outcomes {
            let probability = action.probability(outcome).to_f64();
            let (to, color) = match outcome.to {
                StateId::Live(at) => (format!("s{at}"), style::EDGE),
                StateId::Win => ("win".to_owned(), style::WIN),
                StateId::Lose => ("lose".to_owned(), style::LOSE),
            };
            writeln!(
                out,
                "  {name} -> {to} [penwidth={:.2}, color=\"{color}\", label=\"{}\"];",
                style::width(probability),
                style::probability(probability)
            )?;
        }
    }
    Ok(())
}
