//! Boards as they come from a page.

use std::fmt;

use tilebase_game::{Board, BoardError, Rules};

/// Why a text is no board that can be moved.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// It is no board of the shape.
    Text(BoardError),
    /// Its slides might make a tile that packed boards have no room for.
    Large,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Text(error) => error.fmt(f),
            Unfit::Large => f.write_str(
                "the board has two tiles of 32768 or more: there is no room for the 65536 here",
            ),
        }
    }
}

impl std::error::Error for Unfit {}

/// The board that a text is, if its slides are exact.
pub(crate) fn movable(text: &str, rules: &Rules) -> Result<Board, Unfit> {
    let board = Board::parse(text, rules.shape()).map_err(Unfit::Text)?;
    board.slides_exactly().then_some(board).ok_or(Unfit::Large)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_that_slide_inexactly_are_refused() {
        let rules = Rules::new("2x2".parse().unwrap()).unwrap();
        assert!(movable("0xf012", &rules).is_ok());
        assert!(matches!(movable("0xf0f2", &rules), Err(Unfit::Large)));
        assert!(matches!(movable("0xf0f", &rules), Err(Unfit::Text(_))));
    }
}
