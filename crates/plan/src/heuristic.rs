//! How far a position looks from the goal.
//!
//! The four published heuristics are those of L. Schipper's report on A* for 2048 (2019), as
//! its text defines them.

use std::fmt;
use std::str::FromStr;

use crate::bound;
use crate::cost::HeuristicValue;
use crate::smoothness;
use crate::tile::Tile;

/// A way to tell how far a position is from the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The weight of the largest tile: 2^⌊(g−t)/2⌋ − 1 for goal g and tile t.
    MaxTileWeight,
    /// The weight, and the doublings from the second largest tile to the largest; 1 where
    /// there is no second tile.
    NextMax,
    /// The weight, and for each tile the doublings that it lacks: rings around the largest tile
    /// should hold at least a half of it, a quarter, and so on.
    AdjacentPropagation,
    /// The weight, and for the four lines from the largest tile outwards: cells out of
    /// descending order, and the doublings between neighbours once sorted.
    AdjacentLine,
    /// Slides until enough has fallen for the goal: never more than it takes.
    Sum,
    /// Slides until enough has fallen and could have merged: never more than it takes.
    Merge,
    /// Tiles, and the doublings between neighbours: for positions after equally many slides.
    Smoothness,
}

impl Heuristic {
    /// All, the published ones first.
    pub const ALL: [Heuristic; 7] = [
        Heuristic::MaxTileWeight,
        Heuristic::NextMax,
        Heuristic::AdjacentPropagation,
        Heuristic::AdjacentLine,
        Heuristic::Sum,
        Heuristic::Merge,
        Heuristic::Smoothness,
    ];

    /// The published ones.
    pub const PUBLISHED: [Heuristic; 4] = [
        Heuristic::MaxTileWeight,
        Heuristic::NextMax,
        Heuristic::AdjacentPropagation,
        Heuristic::AdjacentLine,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Heuristic::MaxTileWeight => "max-tile-weight",
            Heuristic::NextMax => "next-max",
            Heuristic::AdjacentPropagation => "adjacent-propagation",
            Heuristic::AdjacentLine => "adjacent-line",
            Heuristic::Sum => "sum",
            Heuristic::Merge => "merge",
            Heuristic::Smoothness => "smoothness",
        }
    }

    /// Whether it never says more than the slides that are left.
    pub const fn is_admissible(self) -> bool {
        matches!(self, Heuristic::Sum | Heuristic::Merge)
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no heuristic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeuristicError(pub String);

impl fmt::Display for HeuristicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Heuristic::ALL.map(Heuristic::name).join(", ");
        write!(f, "'{}' is not a heuristic: use one of {names}", self.0)
    }
}

impl std::error::Error for HeuristicError {}

impl FromStr for Heuristic {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<Heuristic, HeuristicError> {
        Heuristic::ALL
            .into_iter()
            .find(|heuristic| heuristic.name() == text)
            .ok_or_else(|| HeuristicError(text.to_owned()))
    }
}

/// How often `adjacent-propagation` looks at the corners of a ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RingCorners {
    /// Once, as the report's text and its example have it.
    #[default]
    Once,
    /// Twice, as the report's code has it.
    Twice,
}

/// The value of a heuristic on a position; 0 where the goal is reached.
///
/// The largest tile that can fall is 2^`spawn`.
///
/// ```
/// use tilebase_plan::{RingCorners, Heuristic, heuristic_value, tiles};
///
/// let grid = "2,8,.,./.,16,8,./32,32,16,2/2,4,8,.".parse().unwrap();
/// let tiles = tiles(&grid);
/// let weight = 1 << 16;
/// let number = |h| heuristic_value(h, RingCorners::Once, &tiles, 6, 1).to_string();
/// assert_eq!(number(Heuristic::MaxTileWeight), (weight - 1).to_string());
/// assert_eq!(number(Heuristic::NextMax), (weight - 1).to_string());
/// ```
pub fn heuristic_value(
    heuristic: Heuristic,
    corners: RingCorners,
    tiles: &[Tile],
    goal: u8,
    spawn: u8,
) -> HeuristicValue {
    let largest = tiles.iter().map(|tile| tile.exponent()).max().unwrap_or(0);
    if largest >= goal {
        return HeuristicValue::plain(0);
    }
    let rest = match heuristic {
        Heuristic::Sum => return bounded(bound::sum_bound(tiles, goal, spawn)),
        Heuristic::Merge => return bounded(bound::merge_bound(tiles, goal, spawn)),
        Heuristic::Smoothness => return HeuristicValue::plain(smoothness::roughness(tiles)),
        Heuristic::MaxTileWeight => 0,
        Heuristic::NextMax => next_max(tiles, largest),
        Heuristic::AdjacentPropagation => least(tiles, largest, |at| rings(tiles, at, corners)),
        Heuristic::AdjacentLine => least(tiles, largest, |at| lines(tiles, at)),
    };
    // ⌊(g − t) / 2⌋ of powers of two from 2 on. An empty board has a tile of 1, as it were.
    let half = |exponent: u8| (1u128 << exponent) / 2;
    let power = half(goal) - half(largest);
    HeuristicValue { power, rest }
}

/// Bounds of plans that can be searched for fit; of others it is enough that they are large.
fn bounded(bound: u128) -> HeuristicValue {
    HeuristicValue::plain(u64::try_from(bound).unwrap_or(u64::MAX))
}

fn next_max(tiles: &[Tile], largest: u8) -> u64 {
    let mut seen = false;
    let mut next = 0;
    for tile in tiles {
        if tile.exponent() == largest && !seen {
            seen = true;
        } else {
            next = next.max(tile.exponent());
        }
    }
    if next == 0 {
        1
    } else {
        u64::from(largest - next)
    }
}

/// The least value over all largest tiles.
fn least(tiles: &[Tile], largest: u8, value: impl Fn(Tile) -> u64) -> u64 {
    let maxima = tiles.iter().filter(|tile| tile.exponent() == largest);
    maxima.map(|&tile| value(tile)).min().unwrap_or(0)
}

/// What the tiles lack for the rings around one largest tile.
fn rings(tiles: &[Tile], max: Tile, corners: RingCorners) -> u64 {
    let lack = tiles.iter().map(|tile| {
        let down = tile.row().abs_diff(max.row());
        let across = tile.col().abs_diff(max.col());
        let ring = down.max(across);
        let desired = max.exponent().saturating_sub(ring);
        let lack = u64::from(desired.saturating_sub(tile.exponent()));
        if corners == RingCorners::Twice && down == across && ring > 0 {
            2 * lack
        } else {
            lack
        }
    });
    lack.sum()
}

/// What the four lines from one largest tile outwards are worth.
fn lines(tiles: &[Tile], max: Tile) -> u64 {
    // Tiles come row by row: outwards is backward for north and west.
    let at = tiles.partition_point(|&tile| tile < max);
    let [mut north, mut south, mut west, mut east] = [Ray::new(max.exponent()); 4];
    for tile in tiles[..at].iter().rev() {
        if tile.col() == max.col() {
            north.add(max.row() - tile.row(), tile.exponent());
        } else if tile.row() == max.row() {
            west.add(max.col() - tile.col(), tile.exponent());
        }
    }
    for tile in tiles.iter().skip(at + 1) {
        if tile.col() == max.col() {
            south.add(tile.row() - max.row(), tile.exponent());
        } else if tile.row() == max.row() {
            east.add(tile.col() - max.col(), tile.exponent());
        }
    }
    [north, south, west, east].iter().map(Ray::value).sum()
}

const SIDE: usize = tilebase_game::Shape::MAX_SIDE as usize;

/// A line from a largest tile outwards: its cells, and its tiles in descending order.
#[derive(Clone, Copy)]
struct Ray {
    cells: [u8; SIDE],
    sorted: [u8; SIDE],
    tiles: u8,
    length: u8,
}

impl Ray {
    fn new(largest: u8) -> Ray {
        let mut cells = [0; SIDE];
        cells[0] = largest;
        Ray {
            cells,
            sorted: cells,
            tiles: 1,
            length: 1,
        }
    }

    /// Adds a tile at a distance, farther than those before.
    fn add(&mut self, distance: u8, exponent: u8) {
        self.cells[usize::from(distance)] = exponent;
        self.length = distance + 1;
        // Insertion, as lines have few tiles; none is above the first.
        let mut at = usize::from(self.tiles);
        while self.sorted[at - 1] < exponent {
            self.sorted[at] = self.sorted[at - 1];
            at -= 1;
        }
        self.sorted[at] = exponent;
        self.tiles += 1;
    }

    /// Cells out of order, and the doublings between sorted neighbours, which telescope.
    fn value(&self) -> u64 {
        let cells = self.cells[..usize::from(self.length)].iter();
        let displaced = cells.zip(&self.sorted).filter(|(a, b)| a != b).count();
        let last = self.sorted[usize::from(self.tiles) - 1];
        displaced as u64 + u64::from(self.cells[0] - last)
    }
}
