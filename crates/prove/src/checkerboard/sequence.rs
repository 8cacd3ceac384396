//! Games of cooperating players: where tiles fell and how they slid.

use std::fmt;

use tilebase_game::{Grid, Move, Shape};

/// Who decides where a new tile falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropPlacement {
    /// Dropper, who wants what Slider wants: any empty cell.
    Anywhere,
    /// Nobody: the topmost, then leftmost empty cell.
    First,
}

/// A game from the empty board: a drop, then slides and drops by turns, a drop last.
///
/// Its text gives the cells of drops as (row, column), the upper left corner as (1,1).
///
/// ```
/// use tilebase_prove::checkerboard::{Corner, Sequence};
/// use tilebase_game::Move::{Left, Right};
///
/// let shape = "1x3".parse().unwrap();
/// let sequence = Sequence::deterministic(shape, &[Right, Right, Right])?;
/// assert_eq!(sequence.to_string(), "(1,1)R(1,1)R(1,1)R(1,1)");
/// let boards = sequence.replay(shape)?;
/// assert_eq!(boards[3].to_string(), "2,2,4");
/// # Ok::<(), tilebase_prove::checkerboard::ReplayError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// Where tiles fell, as (row, column) from 0; one more than there are slides.
    pub drops: Vec<(u8, u8)>,
    /// The slides between the drops.
    pub slides: Vec<Move>,
}

/// Why a sequence is not a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// There is not exactly one drop more than there are slides.
    Turns,
    /// A slide changes nothing; which one, from 1.
    Slide(usize),
    /// A drop is outside the board or on a tile; which one, from 1.
    Drop(usize),
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Turns => f.write_str("a game has one drop more than slides"),
            ReplayError::Slide(number) => write!(f, "slide {number} changes nothing"),
            ReplayError::Drop(number) => write!(f, "drop {number} is not into an empty cell"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl Sequence {
    /// The game in which each tile falls into the topmost, then leftmost empty cell.
    pub fn deterministic(shape: Shape, slides: &[Move]) -> Result<Sequence, ReplayError> {
        let mut grid = Grid::empty(shape);
        let mut drops = Vec::new();
        for turn in 0..=slides.len() {
            if turn > 0 && grid.slide(slides[turn - 1]).is_none() {
                return Err(ReplayError::Slide(turn));
            }
            let first = grid.empty_cells().next();
            let (row, col) = first.ok_or(ReplayError::Drop(turn + 1))?;
            grid.set(row, col, 1);
            drops.push((row, col));
        }
        let slides = slides.to_vec();
        Ok(Sequence { drops, slides })
    }

    /// The boards after each drop, by the rules of [`Grid`]; tiles of any size may arise.
    pub fn replay(&self, shape: Shape) -> Result<Vec<Grid>, ReplayError> {
        if self.drops.len() != self.slides.len() + 1 {
            return Err(ReplayError::Turns);
        }
        let mut grid = Grid::empty(shape);
        let mut boards = Vec::with_capacity(self.drops.len());
        for (turn, &(row, col)) in self.drops.iter().enumerate() {
            if turn > 0 && grid.slide(self.slides[turn - 1]).is_none() {
                return Err(ReplayError::Slide(turn));
            }
            if row >= shape.rows() || col >= shape.cols() || grid.get(row, col) != 0 {
                return Err(ReplayError::Drop(turn + 1));
            }
            grid.set(row, col, 1);
            boards.push(grid.clone());
        }
        Ok(boards)
    }

    /// The same game with rows and columns exchanged.
    pub fn transposed(&self) -> Sequence {
        Sequence {
            drops: self.drops.iter().map(|&(row, col)| (col, row)).collect(),
            slides: self.slides.iter().map(|&m| transposed(m)).collect(),
        }
    }

    /// The letters of the slides: all there is to know where drops are given.
    pub fn letters(&self) -> String {
        self.slides.iter().map(|m| m.letter()).collect()
    }
}

const fn transposed(m: Move) -> Move {
    match m {
        Move::Left => Move::Up,
        Move::Up => Move::Left,
        Move::Right => Move::Down,
        Move::Down => Move::Right,
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (turn, (row, col)) in self.drops.iter().enumerate() {
            if turn > 0 {
                write!(f, "{}", self.slides[turn - 1].letter())?;
            }
            write!(f, "({},{})", row + 1, col + 1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_are_none_are_refused() {
        let shape = Shape::new(1, 3).unwrap();
        let game = |drops: &[(u8, u8)], slides: &[Move]| Sequence {
            drops: drops.to_vec(),
            slides: slides.to_vec(),
        };
        let replay = |drops: &[(u8, u8)], slides: &[Move]| game(drops, slides).replay(shape);
        let (left, right) = (Move::Left, Move::Right);
        assert_eq!(replay(&[], &[]), Err(ReplayError::Turns));
        assert_eq!(replay(&[(0, 0)], &[right]), Err(ReplayError::Turns));
        assert_eq!(
            replay(&[(0, 0), (0, 1)], &[left]),
            Err(ReplayError::Slide(1))
        );
        assert_eq!(
            replay(&[(0, 0), (0, 2)], &[right]),
            Err(ReplayError::Drop(2))
        );
        assert_eq!(replay(&[(1, 0)], &[]), Err(ReplayError::Drop(1)));
        assert_eq!(replay(&[(0, 0), (0, 0)], &[right]).unwrap().len(), 2);
        assert_eq!(
            Sequence::deterministic(shape, &[left]),
            Err(ReplayError::Slide(1))
        );
    }

    #[test]
    fn a_transposed_game_makes_transposed_boards() {
        let shape = Shape::new(2, 3).unwrap();
        let slides: Vec<Move> = "DURDUD".chars().filter_map(Move::from_letter).collect();
        let game = Sequence::deterministic(shape, &slides).unwrap();
        let boards = game.replay(shape).unwrap();
        let turned = game.transposed().replay(shape.transposed()).unwrap();
        for (board, turned) in boards.iter().zip(&turned) {
            for row in 0..2 {
                for col in 0..3 {
                    assert_eq!(board.get(row, col), turned.get(col, row));
                }
            }
        }
    }
}
