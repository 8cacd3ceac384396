//! Positions of a real game as positions of a formation.

use crate::board::{Board, MAX_PACKED_EXPONENT};
use crate::formation::Formation;
use crate::grid::Grid;
use crate::rules::Rules;
use crate::shape::Shape;
use crate::symmetry::Symmetry;
use crate::variant::Variant;

/// A position whose largest tiles are taken for walls. They are all different, and larger than
/// every other tile, so that no slide of the smaller tiles can merge one of them.
///
/// ```
/// use tilebase_game::{Grid, WalledPosition};
///
/// let grid: Grid = "1024,512,256/.,2,128/.,4,.".parse().unwrap();
/// let walled = WalledPosition::new(&grid, 4).unwrap();
/// assert_eq!(walled.board.text_with_walls(grid.shape()), "#,#,#/.,2,#/.,4,.");
/// assert_eq!((walled.smallest_wall, walled.largest_tile), (7, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalledPosition {
    shape: Shape,
    /// The board, turned as the position is.
    pub board: Board,
    /// Exponent of the smallest tile that is taken for a wall.
    pub smallest_wall: u8,
    /// Exponent of the largest tile that is not, 0 if there is none.
    pub largest_tile: u8,
}

/// A way in which a position fits a formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fit {
    /// What turns the position to the orientation of the formation.
    pub symmetry: Symmetry,
    /// The board of the formation.
    pub board: Board,
}

impl WalledPosition {
    /// Takes this number of tiles, the largest, for walls. `None` if two of them are equal, if
    /// another tile is as large, or if the board cannot be packed.
    pub fn new(grid: &Grid, walls: u8) -> Option<WalledPosition> {
        let mut tiles: Vec<u8> = grid
            .exponents()
            .iter()
            .copied()
            .filter(|&e| e > 0)
            .collect();
        tiles.sort_unstable_by(|a, b| b.cmp(a));
        let smallest_wall = *tiles.get(usize::from(walls).checked_sub(1)?)?;
        let largest_tile = tiles.get(usize::from(walls)).copied().unwrap_or(0);
        let ordered = tiles.iter().take(usize::from(walls) + 1);
        if !ordered.is_sorted_by(|a, b| a > b) || largest_tile >= MAX_PACKED_EXPONENT {
            return None;
        }
        let exponents = grid.exponents().iter().map(|&exponent| match exponent {
            large if large >= smallest_wall => MAX_PACKED_EXPONENT,
            small => small,
        });
        let exponents: Vec<u8> = exponents.collect();
        Some(WalledPosition {
            shape: grid.shape(),
            board: Grid::from_exponents(grid.shape(), &exponents)?.pack()?,
            smallest_wall,
            largest_tile,
        })
    }

    /// Whether a target makes sense: the smaller tiles have not reached it, and all walls have.
    pub fn allows(&self, target: u8) -> bool {
        self.largest_tile < target && target <= self.smallest_wall
    }

    /// Every way in which the walls cover a mask of a formation with as many walls, one for each
    /// class of its own symmetries.
    pub fn fits(&self, formation: &Formation) -> Vec<Fit> {
        let Ok(rules) = Rules::new(self.shape) else {
            return Vec::new();
        };
        let mut seen: Vec<Formation> = Vec::new();
        let mut fits = Vec::new();
        for &symmetry in Symmetry::of(self.shape) {
            // Turning the board by a symmetry is turning the formation back by it: symmetries
            // that leave the same formation are the same way.
            let turned = formation.image(self.shape, symmetry.inverse());
            if seen.contains(&turned) {
                continue;
            }
            seen.push(turned);
            let board = rules.image(self.board, symmetry);
            if formation.keeps(board) {
                fits.push(Fit { symmetry, board });
            }
        }
        fits
    }
}

impl Variant {
    /// Every way in which a position of a game without walls is one of this variant, which has
    /// a formation: its largest tiles, all different, are the walls and at least the target; the
    /// others are below it.
    ///
    /// ```
    /// use tilebase_game::{Grid, Move, Variant};
    ///
    /// let grid: Grid = "2048,1024,512,2/256,128,64,./.,.,4,./.,.,.,.".parse().unwrap();
    /// let variant: Variant = "4x4-to-64-formation-L3".parse().unwrap();
    /// let fits = variant.fits(&grid);
    /// let board = fits[0].board.text_with_walls(variant.shape());
    /// assert_eq!(board, ".,.,.,./.,4,.,./.,#,#,#/2,#,#,#");
    /// assert_eq!(fits[0].symmetry.apply_to_move(Move::Up), Move::Down);
    /// ```
    pub fn fits(&self, grid: &Grid) -> Vec<Fit> {
        let Some((formation, target)) = self.formation().zip(self.target()) else {
            return Vec::new();
        };
        if grid.shape() != self.shape() {
            return Vec::new();
        }
        match WalledPosition::new(grid, formation.walls()) {
            Some(walled) if walled.allows(target) => walled.fits(formation),
            _ => Vec::new(),
        }
    }
}
