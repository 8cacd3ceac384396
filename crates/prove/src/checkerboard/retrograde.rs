//! Patterns proven to be out of reach, by taking back all games that could end with them.

use std::collections::HashSet;

use tilebase_game::{Move, Shape};
use tilebase_util::progress::{Progress, Unit};

use crate::checkerboard::forward::CheckerboardError;
use crate::checkerboard::pattern::Corner;
use crate::checkerboard::slide_view::SlideView;
use crate::checkerboard::take_back::{is_plausible, take_back};

/// What taking back all games led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrogradeResult {
    /// Whether the empty board was arrived at: then the pattern can be reached, else not.
    pub reachable: bool,
    /// Afterstates looked at; mirror images and turned boards count once.
    pub positions: u64,
    /// How many turns before the pattern the last of them is.
    pub turns: u32,
}

/// Takes back all games that end with the pattern of a corner, drops anywhere. `most` limits
/// the boards that are equally many turns before the end.
///
/// ```
/// use tilebase_prove::checkerboard::{Corner, retrograde_search};
/// use tilebase_util::progress::Silent;
///
/// let proof = retrograde_search("6x6".parse().unwrap(), Corner::Two, usize::MAX, &Silent)?;
/// assert!(!proof.reachable);
/// # Ok::<(), tilebase_prove::checkerboard::CheckerboardError>(())
/// ```
pub fn retrograde_search(
    shape: Shape,
    corner: Corner,
    most: usize,
    progress: &dyn Progress,
) -> Result<RetrogradeResult, CheckerboardError> {
    let mut proof = RetrogradeResult {
        reachable: false,
        positions: 0,
        turns: 0,
    };
    let pattern = corner.pattern(shape);
    let ends = before_last_drop(pattern.exponents(), shape);
    let mut layer: HashSet<Box<[u8]>> = ends.map(|cells| canonical(shape, &cells)).collect();
    progress.begin(Unit::Boards, None);
    while !layer.is_empty() && !proof.reachable {
        proof.positions += layer.len() as u64;
        proof.turns += 1;
        let mut next = HashSet::new();
        for cells in &layer {
            if progress.interrupted() {
                return Err(CheckerboardError::Interrupted);
            }
            proof.reachable |= cells.iter().all(|&tile| tile == 0);
            take_back(shape, cells, None, &mut |cells| {
                next.insert(canonical(shape, cells));
                true
            });
            if next.len() > most {
                return Err(CheckerboardError::TooManyPositions(most));
            }
            progress.advance(1);
        }
        layer = next;
    }
    progress.finish();
    Ok(proof)
}

/// The boards that a last drop can have completed.
pub fn before_last_drop(full: &[u8], shape: Shape) -> impl Iterator<Item = Vec<u8>> {
    let without = |cell: usize| {
        let mut cells = full.to_vec();
        cells[cell] = 0;
        cells
    };
    (0..full.len())
        .filter(|&cell| full[cell] == 1)
        .map(without)
        .filter(move |cells| is_plausible(shape, cells))
}

/// The smallest of the images of a board under the symmetries of its shape.
fn canonical(shape: Shape, cells: &[u8]) -> Box<[u8]> {
    let across = [Move::Left, Move::Right].into_iter();
    let down = [Move::Up, Move::Down]
        .into_iter()
        .filter(|_| shape.is_square());
    let images = across.chain(down).flat_map(|m| {
        [false, true].map(|turned| {
            let view = SlideView::new(shape, m, turned);
            let places =
                (0..view.lines).flat_map(|line| (0..view.length).map(move |cell| (line, cell)));
            places
                .map(|(line, cell)| cells[view.at(line, cell)])
                .collect()
        })
    });
    images.min().unwrap_or_default()
}
