//! How many rows and columns a board has.

use std::fmt;
use std::str::FromStr;

/// Rows × columns of a board, each from 1 to [`Shape::MAX_SIDE`].
///
/// ```
/// use tilebase_game::Shape;
///
/// let shape: Shape = "3x4".parse().unwrap();
/// assert_eq!((shape.rows(), shape.cols(), shape.cells()), (3, 4, 12));
/// assert_eq!(shape.to_string(), "3x4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    rows: u8,
    cols: u8,
}

impl Shape {
    /// The longest side a board may have.
    pub const MAX_SIDE: u8 = 32;

    /// A single cell.
    pub const SINGLE: Shape = Shape { rows: 1, cols: 1 };

    /// A shape of `rows` × `cols`, if both are from 1 to [`Shape::MAX_SIDE`].
    pub const fn new(rows: u8, cols: u8) -> Option<Shape> {
        if rows == 0 || cols == 0 || rows > Shape::MAX_SIDE || cols > Shape::MAX_SIDE {
            return None;
        }
        Some(Shape { rows, cols })
    }

    /// Number of rows.
    pub const fn rows(self) -> u8 {
        self.rows
    }

    /// Number of columns.
    pub const fn cols(self) -> u8 {
        self.cols
    }

    /// Number of cells.
    pub const fn cells(self) -> u16 {
        self.rows as u16 * self.cols as u16
    }

    /// Whether rows and columns are equal in number, so that all eight symmetries apply.
    pub const fn is_square(self) -> bool {
        self.rows == self.cols
    }

    /// The shape with rows and columns exchanged.
    pub const fn transposed(self) -> Shape {
        Shape {
            rows: self.cols,
            cols: self.rows,
        }
    }

    /// The square shape with this many cells, if there is one.
    pub fn square_of(cells: usize) -> Option<Shape> {
        (1..=Shape::MAX_SIDE)
            .find(|&side| usize::from(side) * usize::from(side) == cells)
            .and_then(|side| Shape::new(side, side))
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.cols)
    }
}

/// Why a text is not a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShapeError {
    /// Not two whole numbers around an `x`.
    Form(String),
    /// A side is 0 or above [`Shape::MAX_SIDE`].
    Side(String),
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ShapeError::Form(text) => {
                write!(f, "invalid shape '{text}': use rows x columns, such as 4x4")
            }
            ShapeError::Side(text) => write!(
                f,
                "invalid shape '{text}': rows and columns go from 1 to {}",
                Shape::MAX_SIDE
            ),
        }
    }
}

impl std::error::Error for ShapeError {}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Shape, ShapeError> {
        let digits = |side: &str| !side.is_empty() && side.bytes().all(|b| b.is_ascii_digit());
        match text.split_once('x') {
            Some((rows, cols)) if digits(rows) && digits(cols) => rows
                .parse()
                .ok()
                .zip(cols.parse().ok())
                .and_then(|(rows, cols)| Shape::new(rows, cols))
                .ok_or_else(|| ShapeError::Side(text.to_owned())),
            _ => Err(ShapeError::Form(text.to_owned())),
        }
    }
}
