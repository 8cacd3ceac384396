//! A board as aligned text.

use tilebase_game::{Grid, tile_value};

/// The board's tiles in aligned columns, each line indented by four spaces.
pub fn board(grid: &Grid) -> String {
    let text = |exponent| match exponent {
        0 => ".".to_owned(),
        tile => tile_value(tile).to_string(),
    };
    let width = grid
        .exponents()
        .iter()
        .map(|&e| text(e).len())
        .max()
        .unwrap_or(1);
    let mut picture = String::new();
    for row in grid.rows() {
        let cells: Vec<String> = row
            .iter()
            .map(|&e| format!("{:>width$}", text(e)))
            .collect();
        picture.push_str("    ");
        picture.push_str(&cells.join("  "));
        picture.push('\n');
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let grid: Grid = ".,2/128,4".parse().expect("a board");
        assert_eq!(board(&grid), "      .    2\n    128    4\n");
    }
}
