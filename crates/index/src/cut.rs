//! How the boards of a game are turned, cut into halves, and weighed.

use tilebase_game::{Board, Rules, Shape, Symmetry, Variant};

use crate::error::IndexError;
use crate::extent::{largest_state_exponent, most_units};
use crate::row::Rows;

/// How the boards of a game are turned, cut into a top and a bottom half, and weighed.
///
/// # Turned
/// Boards with more columns than rows are transposed, and boards of a formation where that makes
/// the halves more even.
///
/// # Cut
/// The top has two of four rows, one of three or fewer. The four *roles* are the rows of the top,
/// then those of the bottom. Without a formation the upper rows are the top. A formation has its
/// walls in the lower rows, as a rule, so that the upper half would have nearly all cells: there
/// the pairs of rows are chosen that make the halves most even.
///
/// # Folded
/// If the game has all symmetries of its shape, only boards that are *folded* are kept, see
/// [`Space`](crate::Space). A formation with fewer symmetries keeps all its boards.
///
/// # Weighed
/// Halves are grouped by their weight: the sum of the tiles in units of 2, and for each wall more
/// than all tiles of a half together. So all halves of a group have equally many walls. Where
/// every row has its fixed number of walls, they weigh nothing.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The game, with its boards as they are kept.
    pub variant: Variant,
    /// Its rules.
    pub rules: Rules,
    /// Whether boards of the game are transposed to be kept.
    pub turned: bool,
    /// The largest exponent of a state.
    pub largest: u8,
    /// Rows of the top.
    pub top_rows: usize,
    /// Rows of the bottom.
    pub bottom_rows: usize,
    /// The row of the board that has each role.
    pub order: [Option<u8>; 4],
    /// Whether one board of several images is kept.
    pub folded: bool,
    /// Number of walls.
    pub walls: usize,
    /// What a wall weighs.
    pub wall_units: usize,
    /// The largest sum of a board that can arise, in units of 2; no limit without walls.
    pub most_units: usize,
}

/// The ways to pair four rows, for each role a row.
const PAIRINGS: [[u8; 4]; 6] = [
    [0, 1, 2, 3],
    [0, 2, 1, 3],
    [0, 3, 1, 2],
    [2, 3, 0, 1],
    [1, 3, 0, 2],
    [1, 2, 0, 3],
];

impl Cut {
    /// The cut of a game.
    pub fn new(variant: &Variant) -> Result<Cut, IndexError> {
        let largest = largest_state_exponent(variant)?;
        let shape = variant.shape();
        let plain = Cut::turned(variant, largest, shape.rows() < shape.cols())?;
        if plain.folded {
            return Ok(plain);
        }
        // Of all ways to turn and cut, take the one with the smallest larger half.
        let mut cuts = vec![plain];
        if shape.is_square() {
            cuts.push(Cut::turned(variant, largest, true)?);
        }
        let mut best: Option<(u64, Cut)> = None;
        for cut in cuts {
            for order in cut.orders() {
                let cut = Cut {
                    order,
                    ..cut.clone()
                };
                let rows = order.map(|row| cut.rows_admitted(row));
                let (top, bottom) = (rows[0] * rows[1], rows[2] * rows[3]);
                // Long rows of bits move faster than many short ones.
                let size = 2 * top.max(bottom) + u64::from(top > bottom);
                if best.as_ref().is_none_or(|(least, _)| size < *least) {
                    best = Some((size, cut));
                }
            }
        }
        let mut cut = match best {
            Some((_, cut)) => cut,
            None => Cut::turned(variant, largest, false)?,
        };
        cut.weigh();
        Ok(cut)
    }

    fn turned(variant: &Variant, largest: u8, turned: bool) -> Result<Cut, IndexError> {
        let most_units = most_units(variant);
        let variant = if turned {
            variant.transposed()
        } else {
            *variant
        };
        let rules = Rules::of(&variant).map_err(IndexError::Shape)?;
        let rows = rules.shape().rows();
        let top_rows = if rows == 4 { 2 } else { 1 };
        let bottom_rows = usize::from(rows) - top_rows;
        let order = match rows {
            4 => PAIRINGS[0].map(Some),
            rows => [Some(0), None, Some(1), Some(2)].map(|row| row.filter(|&row| row < rows)),
        };
        let everywhere = variant.formation().is_none_or(|formation| {
            formation.goal() == tilebase_game::CellSet::all(variant.shape())
        });
        let mut cut = Cut {
            variant,
            rules,
            turned,
            largest,
            top_rows,
            bottom_rows,
            order,
            folded: rules.is_symmetric() && everywhere,
            walls: usize::from(rules.walls()),
            wall_units: 0,
            most_units,
        };
        cut.weigh();
        Ok(cut)
    }

    /// The cuts to choose from.
    fn orders(&self) -> Vec<[Option<u8>; 4]> {
        match self.rules.shape().rows() {
            4 => PAIRINGS.iter().map(|order| order.map(Some)).collect(),
            _ => vec![self.order],
        }
    }

    /// Sets the weight of a wall.
    fn weigh(&mut self) {
        let fixed = |row: Option<u8>| {
            let patterns = self.wall_patterns(row);
            let mut numbers = patterns.iter().map(|pattern| pattern.count_ones());
            let first = numbers.next();
            numbers.all(|number| Some(number) == first)
        };
        self.wall_units = if self.walls == 0 || (!self.folded && self.order.into_iter().all(fixed))
        {
            0
        } else {
            // More than a half and a new tile can weigh.
            let tile = 1usize << (self.largest.max(1) - 1);
            let cells =
                self.top_rows.max(self.bottom_rows) * usize::from(self.rules.shape().cols());
            (tile * cells).min(self.most_units) + 4
        };
    }

    /// The weight of all walls together.
    pub fn all_walls_units(&self) -> usize {
        self.walls * self.wall_units
    }

    /// Whether the boards are closed under the mirror in the diagonal, so that it replaces slides
    /// up and down.
    #[inline]
    pub fn is_closed_across(&self) -> bool {
        self.rules.has_symmetry(Symmetry::Transpose) && self.rules.shape().is_square()
    }

    /// The shape of the boards as they are kept.
    pub fn shape(&self) -> Shape {
        self.rules.shape()
    }

    /// The ways in which walls can stand in a row of the board, four bits each.
    fn wall_patterns(&self, row: Option<u8>) -> Vec<u8> {
        let Some(row) = row else {
            return vec![0];
        };
        if self.rules.masks().is_empty() {
            let cols = u32::from(self.rules.shape().cols());
            let inside = (0xf << (4 - cols)) & 0xf;
            let fits = |pattern: &u8| {
                pattern & !inside == 0 && pattern.count_ones() as usize <= self.walls
            };
            return (0..16).filter(fits).collect();
        }
        let placements = self.rules.wall_placements().into_iter();
        let mut patterns: Vec<u8> = placements.map(|walls| pattern(walls.row(row))).collect();
        patterns.sort_unstable();
        patterns.dedup();
        patterns
    }

    /// The rows that can have a role: tiles up to the largest, walls where they can stand, no
    /// target on a goal cell.
    pub fn rows(&self, role: usize) -> Result<Rows, IndexError> {
        let row = self.order[role];
        // Folded boards are turned in all ways: every row can have every role.
        let row = if self.folded { self.order[0] } else { row };
        let patterns = self.wall_patterns(row);
        Rows::new(
            self.rules.shape().cols(),
            |line| self.admits(row, &patterns, line),
            |line| self.weight(line),
            self.folded,
        )
        .map_err(IndexError::Shape)
    }

    /// How many rows can have the role of a row of the board, roughly.
    fn rows_admitted(&self, row: Option<u8>) -> u64 {
        let cols = match row {
            None => 0,
            Some(_) => u32::from(self.rules.shape().cols()),
        };
        let tiles = u64::from(self.largest) + 1;
        let patterns = self.wall_patterns(row);
        let of = |pattern: u8| tiles.pow(cols.saturating_sub(pattern.count_ones()));
        patterns.into_iter().map(of).sum()
    }

    fn admits(&self, row: Option<u8>, patterns: &[u8], line: u16) -> bool {
        let Some(row) = row else {
            return line == 0;
        };
        let walls = pattern(line);
        let formation = self.variant.formation();
        let goal = |col: u8| formation.is_none_or(|formation| formation.goal().contains(row, col));
        let small = (0..4u8).all(|col| {
            let exponent = (line >> (12 - 4 * col) & 15) as u8;
            let wall = walls >> (3 - col) & 1 == 1;
            let target = self.variant.target().filter(|_| goal(col));
            wall || exponent <= self.largest && target.is_none_or(|target| exponent < target)
        });
        small && patterns.contains(&walls) && self.tile_units(line) <= self.most_units
    }

    /// The sum of a row's tiles, in units of 2.
    fn tile_units(&self, line: u16) -> usize {
        let walls = if self.walls > 0 { wall_cells(line) } else { 0 };
        Board::from_bits(u64::from(line & !walls) << 48).sum() as usize / 2
    }

    /// The weight of a row.
    pub fn weight(&self, line: u16) -> usize {
        let walls = if self.walls > 0 {
            pattern(line).count_ones()
        } else {
            0
        };
        self.tile_units(line) + walls as usize * self.wall_units
    }

    /// Walls and sum of a half by its weight.
    #[inline]
    fn parts(&self, weight: usize) -> (usize, usize) {
        match self.wall_units {
            0 => (0, weight),
            wall => (weight / wall, weight % wall),
        }
    }

    /// Whether a half of a weight can be the top (or the bottom) of a board that is kept.
    pub fn admits_half(&self, weight: usize, top: bool) -> bool {
        if self.wall_units == 0 {
            return weight <= self.most_units;
        }
        let (walls, units) = self.parts(weight);
        // Of a folded board with four rows, the top is not lighter than the bottom.
        let split = self.folded && self.top_rows == self.bottom_rows;
        let fits = match (split, top) {
            (true, true) => walls <= self.walls && 2 * walls >= self.walls,
            (true, false) => 2 * walls <= self.walls,
            (false, _) => walls <= self.walls,
        };
        fits && units <= self.most_units
    }

    /// The weight of the bottom of a board whose tiles have a sum, given the weight of its top.
    pub fn bottom_units(&self, units: usize, top_weight: usize) -> Option<usize> {
        let (walls, top_units) = self.parts(top_weight);
        let rest = units.checked_sub(top_units)?;
        if self.wall_units == 0 {
            return Some(rest);
        }
        let walls = self.walls.checked_sub(walls)?;
        (rest < self.wall_units).then(|| walls * self.wall_units + rest)
    }

    /// The board of the game as it is kept.
    #[inline]
    pub fn keep(&self, board: Board) -> Board {
        if self.turned {
            board.transposed()
        } else {
            board
        }
    }

    /// Whether a kept board can be a state or an afterstate of the game: it has no tile that is
    /// too large, it is not won, and its walls stand as they must.
    pub fn has_room_for(&self, board: Board) -> bool {
        let Some(formation) = self.variant.formation() else {
            return !board.reaches(self.largest + 1);
        };
        let walls = tilebase_game::CellSet::walls(board);
        let tiles = Board::from_bits(board.bits() & !walls.board().bits());
        walls.len() == u32::from(formation.walls())
            && self.rules.keeps(board)
            && !tiles.reaches(self.largest + 1)
            && !self.variant.is_won(board)
            && tiles.sum() as usize / 2 <= self.most_units
    }
}

/// The cells of a row that hold walls, one bit each.
fn pattern(line: u16) -> u8 {
    let walls = line & line >> 1 & line >> 2 & line >> 3;
    (0..4).fold(0, |set, col| set | ((walls >> (4 * col) & 1) as u8) << col)
}

/// The nibbles of a row that hold walls.
fn wall_cells(line: u16) -> u16 {
    let walls = line & line >> 1 & line >> 2 & line >> 3 & 0x1111;
    walls * 15
}
