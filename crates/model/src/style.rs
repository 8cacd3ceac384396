//! Colours and number formats of diagrams.

use tilebase_game::{MAX_PACKED_EXPONENT, tile_value};

/// The background of a board.
pub(crate) const BOARD: &str = "#bbada0";
/// An empty cell.
pub(crate) const EMPTY: &str = "#cdc1b4";
/// The frame of a start state.
pub(crate) const START: &str = "#1a66d6";
/// The frame of any other state.
pub(crate) const FRAME: &str = "#8f7f70";
/// Text on a light background.
pub(crate) const INK: &str = "#3b342c";
/// Edges.
pub(crate) const EDGE: &str = "#5b6472";
/// The won state, and edges to it.
pub(crate) const WIN: &str = "#2e9e4f";
/// The lost state, and edges to it.
pub(crate) const LOSE: &str = "#d23f31";

/// The colour of a tile and of the number on it.
pub(crate) fn tile(exponent: u8) -> (&'static str, &'static str) {
    const GROUND: [&str; 12] = [
        EMPTY, "#eee4da", "#ede0c8", "#f2b179", "#f59563", "#f67c5f", "#f65e3b", "#edcf72",
        "#edcc61", "#edc850", "#edc53f", "#edc22e",
    ];
    match GROUND.get(usize::from(exponent)) {
        Some(ground) => (ground, INK),
        None => ("#3c3a32", "#f9f6f2"),
    }
}

/// What is written on a tile. Games with a model are too small for a tile of the largest
/// exponent, so that is a wall.
pub(crate) fn number(exponent: u8) -> String {
    match exponent {
        MAX_PACKED_EXPONENT => "#".to_owned(),
        tile => tile_value(tile).to_string(),
    }
}

/// The width of an edge.
pub(crate) fn width(probability: f64) -> f64 {
    0.7 + 3.3 * probability
}

/// A probability in at most three places or two digits.
pub(crate) fn probability(value: f64) -> String {
    let text = if value < 0.01 {
        format!("{value:.4}")
    } else {
        format!("{value:.3}")
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A value in about four digits. One that is not quite 1 is never shown as 1, one above 0
/// never as 0.
pub(crate) fn value(value: f64) -> String {
    let size = value.abs();
    if size.is_infinite() {
        "∞".to_owned()
    } else if (0.9995..1.0).contains(&size) {
        ">0.999".to_owned()
    } else if size > 0.0 && size < 0.001 {
        format!("{value:.1e}")
    } else if size < 10.0 {
        format!("{value:.3}")
    } else if size < 100.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_honest() {
        assert_eq!(probability(0.45), "0.45");
        assert_eq!(probability(1.0 / 30.0), "0.033");
        assert_eq!(probability(1.0 / 300.0), "0.0033");
        assert_eq!(probability(1.0), "1");
        assert_eq!(value(1.0), "1.000");
        assert_eq!(value(0.99951), ">0.999");
        assert_eq!(value(0.9994), "0.999");
        assert_eq!(value(0.00042), "4.2e-4");
        assert_eq!(value(0.0), "0.000");
        assert_eq!(value(246.3985), "246.4");
        assert_eq!(value(f64::INFINITY), "∞");
    }
}
