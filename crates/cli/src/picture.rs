//! A board as aligned text.

use tilebase_game::Grid;

/// The board's tiles in aligned columns, each line indented by four spaces.
pub fn board(grid: &Grid) -> String {
    tiles(&grid.to_string())
}

/// The same of a board in tile notation, which may have walls.
pub fn tiles(text: &str) -> String {
    let cells = text.split(['/', ',']).map(str::len);
    let width = cells.max().unwrap_or(1);
    let mut picture = String::new();
    for row in text.split('/') {
        let cells: Vec<String> = row
            .split(',')
            .map(|cell| format!("{cell:>width$}"))
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
        assert_eq!(tiles("#,16/.,#"), "     #  16\n     .   #\n");
    }
}
