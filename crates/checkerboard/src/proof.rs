//! Patterns proven to be out of reach, by taking back all games that could end with them.

use tilebase_game::Shape;
use tilebase_progress::{Progress, Unit};

use crate::backward::{is_plausible, take_back};
use crate::field::{Field, Ground};
use crate::forward::SearchError;
use crate::hash::PositionSet;
use crate::pattern::Corner;

/// What taking back all games led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
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
/// use tilebase_checkerboard::{Corner, prove};
/// use tilebase_progress::Silent;
///
/// let proof = prove("6x6".parse().unwrap(), Corner::Two, usize::MAX, &Silent)?;
/// assert!(!proof.reachable);
/// # Ok::<(), tilebase_checkerboard::SearchError>(())
/// ```
pub fn prove(
    shape: Shape,
    corner: Corner,
    most: usize,
    progress: &dyn Progress,
) -> Result<Proof, SearchError> {
    let ground = Ground::new(shape).ok_or(SearchError::TooLarge(shape))?;
    let mut layer = PositionSet::default();
    let mut pattern = corner.pattern(shape).exponents().to_vec();
    for cell in 0..pattern.len() {
        if pattern[cell] == 1 {
            pattern[cell] = 0;
            if is_plausible(shape, &pattern) {
                layer.insert(ground.canonical(pack(&pattern)));
            }
            pattern[cell] = 1;
        }
    }
    let mut proof = Proof {
        reachable: false,
        positions: 0,
        turns: 0,
    };
    progress.begin(Unit::Boards, None);
    while !layer.is_empty() && !proof.reachable {
        proof.positions += layer.len() as u64;
        proof.turns += 1;
        proof.reachable = layer.contains(&0);
        let mut next = PositionSet::default();
        for &field in &layer {
            if progress.interrupted() {
                return Err(SearchError::Interrupted);
            }
            take_back(shape, ground.grid(field).exponents(), None, &mut |cells| {
                next.insert(ground.canonical(pack(cells)));
                true
            });
            if next.len() > most {
                return Err(SearchError::TooManyPositions(most));
            }
        }
        progress.advance(layer.len() as u64);
        layer = next;
    }
    progress.finish();
    Ok(proof)
}

fn pack(cells: &[u8]) -> Field {
    cells
        .iter()
        .rev()
        .fold(0, |field, &tile| field << 2 | Field::from(tile))
}
