//! Boards, values and the dots of actions.

use std::io::{self, Write};

use tilebase_game::Board;

use crate::model::State;
use crate::style;

use super::layout::Point;
use super::size;
use super::svg::{Picture, text};

impl Picture<'_> {
    pub(super) fn states(&self, out: &mut impl Write) -> io::Result<()> {
        for (at, shown) in self.shown.iter().enumerate() {
            let state = &self.model.states()[shown.at];
            let variant = self.model.variant();
            let board = variant.tiles_text(&state.board.unpack(variant.shape()));
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
                    action.score,
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
        let (frame, stroke) = match state.start.numerator() > 0 {
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
        let number = style::number(exponent);
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
