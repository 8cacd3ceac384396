//! Boards and tiles as text.
//!
//! Two notations, both accepted wherever a board is: hex, one digit a cell, the exponent,
//! rows from the top (`0x0132`); and tile values, rows split by `/`, cells by `,`, empty
//! as `.` (`.,2/8,4`). A tile may also be written as a power, `2^17`. In games with walls a
//! wall is `#`, in hex `f`.

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, MAX_PACKED_EXPONENT};
use crate::cell_set::CellSet;
use crate::grid::{Grid, MAX_EXPONENT, tile_value};
use crate::rules::{Rules, TooLarge};
use crate::shape::Shape;

/// A text that is not a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileError(pub String);

impl fmt::Display for TileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "invalid tile '{}': use a power of two from 2 to 2^{MAX_EXPONENT}",
            self.0
        )
    }
}

impl std::error::Error for TileError {}

/// The exponent of a tile written as its value (`2048`) or as a power (`2^11`).
///
/// ```
/// assert_eq!(tilebase_game::parse_tile("2048"), Ok(11));
/// assert_eq!(tilebase_game::parse_tile("2^40"), Ok(40));
/// assert!(tilebase_game::parse_tile("2047").is_err());
/// ```
pub fn parse_tile(text: &str) -> Result<u8, TileError> {
    let exponent = match text.strip_prefix("2^") {
        Some(power) => decimal::<u8>(power),
        None => decimal::<u128>(text)
            .filter(|value| value.is_power_of_two())
            .map(|value| value.trailing_zeros() as u8),
    };
    exponent
        .filter(|e| (1..=MAX_EXPONENT).contains(e))
        .ok_or_else(|| TileError(text.to_owned()))
}

/// A whole number without a sign.
fn decimal<T: FromStr>(text: &str) -> Option<T> {
    text.bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| text.parse().ok())
        .flatten()
}

/// Why a text is not a board. Rows, columns and digits are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardError {
    /// Nothing there.
    Empty,
    /// A character that is not a hex digit.
    HexDigit {
        /// Which digit.
        digit: usize,
        /// The character found.
        found: char,
    },
    /// The number of hex digits is not the number of cells.
    HexLength {
        /// Digits found.
        digits: usize,
        /// The shape asked for.
        shape: Shape,
    },
    /// Hex digits without a shape, and their number is not that of a square.
    HexShape {
        /// Digits found.
        digits: usize,
    },
    /// A cell is neither a tile nor empty.
    Cell {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
        /// The text found.
        found: String,
    },
    /// The number of rows is not the shape's.
    Rows {
        /// Rows found.
        rows: usize,
        /// The shape asked for.
        shape: Shape,
    },
    /// A row has more or fewer cells than the shape or the first row.
    Cells {
        /// The row.
        row: usize,
        /// Cells found in it.
        cells: usize,
        /// Cells that were expected.
        expected: usize,
    },
    /// More rows or columns than any shape has.
    Size {
        /// Rows found.
        rows: usize,
        /// Columns found.
        cols: usize,
    },
    /// The shape does not fit a packed board.
    TooLarge(TooLarge),
    /// A tile is larger than any tile of a formation.
    LargeTile,
    /// The number of walls is not the formation's.
    Walls {
        /// Walls found.
        found: u32,
        /// Walls of the formation.
        walls: u8,
    },
    /// The tile does not fit a packed board.
    Tile {
        /// The cell's row.
        row: usize,
        /// The cell's column.
        col: usize,
        /// The tile's exponent.
        exponent: u8,
    },
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Empty => {
                f.write_str("the board is missing: write it as 0x0132 or as .,2/8,4")
            }
            BoardError::HexDigit { digit, found } => write!(
                f,
                "digit {digit} of the board is '{found}': use 0-9 and a-f, one digit a cell"
            ),
            BoardError::HexLength { digits, shape } => write!(
                f,
                "the board has {digits} hex digits: a {shape} board has {}, one a cell",
                shape.cells()
            ),
            BoardError::HexShape { digits } => write!(
                f,
                "the board has {digits} hex digits, which do not fill a square: give the shape too"
            ),
            BoardError::Cell { row, col, found } if found == "#" => write!(
                f,
                "row {row}, column {col} of the board is a wall, '#', and this game has none: \
                 use a tile, or . for an empty cell"
            ),
            BoardError::Cell { row, col, found } => write!(
                f,
                "row {row}, column {col} of the board is '{found}': \
                 use a power of two from 2 to 2^{MAX_EXPONENT}, or . for an empty cell"
            ),
            BoardError::Rows { rows, shape } => write!(
                f,
                "the board has {rows} rows: a {shape} board has {}, split by /",
                shape.rows()
            ),
            BoardError::Cells {
                row,
                cells,
                expected,
            } => write!(
                f,
                "row {row} of the board has {cells} cells: {expected} expected, split by ,"
            ),
            BoardError::Size { rows, cols } => write!(
                f,
                "the board has {rows} rows and {cols} columns: at most {0} and {0}",
                Shape::MAX_SIDE
            ),
            BoardError::TooLarge(error) => error.fmt(f),
            BoardError::LargeTile => {
                f.write_str("a tile of the board is above 16384: write large tiles as walls, #")
            }
            BoardError::Walls { found, walls } => write!(
                f,
                "the board has {found} walls: the formation has {walls}, written as # or in hex as f"
            ),
            BoardError::Tile { row, col, exponent } => write!(
                f,
                "row {row}, column {col} of the board is {}: at most {} here",
                tile_value(*exponent),
                tile_value(MAX_PACKED_EXPONENT)
            ),
        }
    }
}

impl std::error::Error for BoardError {}

impl Grid {
    /// Reads a board in either notation. Without a shape, tile values imply it, and hex
    /// digits are read as a square.
    pub fn parse(text: &str, shape: Option<Shape>) -> Result<Grid, BoardError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BoardError::Empty);
        }
        match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
            Some(digits) => parse_hex(digits, shape),
            None => parse_tiles(text, shape, false),
        }
    }

    /// The board in hex notation, if no exponent is above 15.
    pub fn hex(&self) -> Option<String> {
        let digits: Option<String> = self
            .exponents()
            .iter()
            .map(|&exponent| char::from_digit(exponent.into(), 16))
            .collect();
        digits.map(|digits| format!("0x{digits}"))
    }
}

fn parse_hex(digits: &str, shape: Option<Shape>) -> Result<Grid, BoardError> {
    let exponents = (1..)
        .zip(digits.chars())
        .map(|(digit, found)| match found.to_digit(16) {
            Some(exponent) => Ok(exponent as u8),
            None => Err(BoardError::HexDigit { digit, found }),
        })
        .collect::<Result<Vec<u8>, BoardError>>()?;
    let digits = exponents.len();
    let shape = match shape {
        Some(shape) => shape,
        None => Shape::square_of(digits).ok_or(BoardError::HexShape { digits })?,
    };
    Grid::from_exponents(shape, &exponents).ok_or(BoardError::HexLength { digits, shape })
}

/// Reads tile values; `#` is a wall if there may be walls.
fn parse_tiles(text: &str, shape: Option<Shape>, walls: bool) -> Result<Grid, BoardError> {
    let rows: Vec<Vec<&str>> = text
        .split('/')
        .map(|row| row.split(',').collect())
        .collect();
    let cols = rows[0].len();
    if let Some(shape) = shape.filter(|s| usize::from(s.rows()) != rows.len()) {
        let rows = rows.len();
        return Err(BoardError::Rows { rows, shape });
    }
    let expected = shape.map_or(cols, |shape| usize::from(shape.cols()));
    if let Some(row) = rows.iter().position(|row| row.len() != expected) {
        return Err(BoardError::Cells {
            row: row + 1,
            cells: rows[row].len(),
            expected,
        });
    }
    let size = BoardError::Size {
        rows: rows.len(),
        cols,
    };
    let shape = u8::try_from(rows.len())
        .ok()
        .zip(u8::try_from(cols).ok())
        .and_then(|(rows, cols)| Shape::new(rows, cols))
        .ok_or(size.clone())?;
    let mut exponents = Vec::with_capacity(shape.cells().into());
    for (row, cells) in (1..).zip(&rows) {
        for (col, cell) in (1..).zip(cells) {
            exponents.push(match cell.trim() {
                "." | "0" => 0,
                "#" if walls => MAX_PACKED_EXPONENT,
                tile => match parse_tile(tile) {
                    Ok(exponent) if walls && exponent >= MAX_PACKED_EXPONENT => {
                        return Err(BoardError::LargeTile);
                    }
                    Ok(exponent) => exponent,
                    Err(TileError(found)) => return Err(BoardError::Cell { row, col, found }),
                },
            });
        }
    }
    Grid::from_exponents(shape, &exponents).ok_or(size)
}

impl FromStr for Grid {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Grid, BoardError> {
        Grid::parse(text, None)
    }
}

/// Tile notation.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(cell_text))
    }
}

impl Grid {
    /// Tile notation with cells as `cell` writes them.
    fn text(&self, cell: impl Fn(u8) -> String) -> String {
        let row = |row: &[u8]| {
            let cells: Vec<String> = row.iter().map(|&exponent| cell(exponent)).collect();
            cells.join(",")
        };
        let rows: Vec<String> = self.rows().map(row).collect();
        rows.join("/")
    }
}

fn cell_text(exponent: u8) -> String {
    match exponent {
        0 => ".".to_owned(),
        tile => tile_value(tile).to_string(),
    }
}

impl Board {
    /// Reads a packed board of a shape in either notation.
    pub fn parse(text: &str, shape: Shape) -> Result<Board, BoardError> {
        Rules::new(shape).map_err(BoardError::TooLarge)?;
        let grid = Grid::parse(text, Some(shape))?;
        grid.pack().ok_or_else(|| {
            let cols = usize::from(shape.cols());
            let large = |&e: &u8| e > MAX_PACKED_EXPONENT;
            let at = grid.exponents().iter().position(large).unwrap_or(0);
            BoardError::Tile {
                row: at / cols + 1,
                col: at % cols + 1,
                exponent: grid.exponents()[at],
            }
        })
    }

    /// Reads a packed board with walls: `#`, in hex `f`.
    pub fn parse_with_walls(text: &str, shape: Shape, walls: u8) -> Result<Board, BoardError> {
        let text = text.trim();
        let plain = text.is_empty() || text.starts_with("0x") || text.starts_with("0X");
        let board = if plain {
            Board::parse(text, shape)?
        } else {
            Rules::new(shape).map_err(BoardError::TooLarge)?;
            let grid = parse_tiles(text, Some(shape), true)?;
            let text = grid.hex().ok_or(BoardError::LargeTile)?;
            Board::parse(&text, shape)?
        };
        match CellSet::walls(board).len() {
            found if found == u32::from(walls) => Ok(board),
            found => Err(BoardError::Walls { found, walls }),
        }
    }

    /// The board as tile values, walls as `#`.
    pub fn text_with_walls(self, shape: Shape) -> String {
        self.unpack(shape).text(|exponent| match exponent {
            MAX_PACKED_EXPONENT => "#".to_owned(),
            exponent => cell_text(exponent),
        })
    }

    /// The board in hex notation: `0x` and one digit for each cell of the shape.
    pub fn hex(self, shape: Shape) -> String {
        format!(
            "0x{:0digits$x}",
            self.number(shape),
            digits = shape.cells().into()
        )
    }

    /// The number that the board's hex digits form, without the cells outside the shape.
    pub fn number(self, shape: Shape) -> u64 {
        let mut number = 0;
        for row in 0..shape.rows().min(4) {
            for col in 0..shape.cols().min(4) {
                number = number << 4 | u64::from(self.get(row, col));
            }
        }
        number
    }
}
