//! All games from the empty board, layer by layer.

use std::fmt;

use tilebase_game::{Move, Shape};
use tilebase_util::hash::{FastMap, FastSet};
use tilebase_util::progress::{Progress, Unit};

use crate::checkerboard::pattern::Corner;
use crate::checkerboard::sequence::{DropPlacement, Sequence};
use crate::checkerboard::two_bit::{TwoBitBoard, TwoBitRules};

/// Positions between two looks at whether the work should stop.
const BATCH: usize = 4096;

/// Why a search gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckerboardError {
    /// The board has more cells than a search can hold.
    TooLarge(Shape),
    /// There are more sequences than 2^128.
    TooMany,
    /// More positions than were allowed; how many were.
    TooManyPositions(usize),
    /// It was asked to stop.
    Interrupted,
}

impl fmt::Display for CheckerboardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckerboardError::TooLarge(shape) => write!(
                f,
                "a {shape} board is too large to search: at most {} cells are possible",
                TwoBitRules::MAX_CELLS
            ),
            CheckerboardError::TooMany => f.write_str("there are more than 2^128 sequences"),
            CheckerboardError::TooManyPositions(limit) => {
                write!(f, "the search needs more than {limit} positions at a time")
            }
            CheckerboardError::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for CheckerboardError {}

/// How many games reach each pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceCount {
    /// The sequences of slides and drops to the pattern of each corner, as in
    /// [`Corner::ALL`].
    pub sequences: [u128; 2],
    /// Positions with Slider to move that can arise; in the cooperative game mirror images
    /// and turned boards count once.
    pub positions: u64,
    /// The most positions with the same tile sum.
    pub largest_layer: u64,
}

impl SequenceCount {
    /// The sequences to the pattern of a corner.
    pub fn of(&self, corner: Corner) -> u128 {
        self.sequences[corner as usize]
    }
}

/// Counts the sequences to both patterns: games from the empty board in which each drop is a
/// 2 and no slide makes an 8, up to the drop that completes the pattern. Two games differ
/// if a slide or a drop does. `most` limits the positions of a layer.
///
/// ```
/// use tilebase_prove::checkerboard::{Corner, DropPlacement, count_sequences};
/// use tilebase_util::progress::Silent;
///
/// let shape = "2x3".parse().unwrap();
/// let found = count_sequences(shape, DropPlacement::First, usize::MAX, &Silent)?;
/// assert_eq!((found.of(Corner::Two), found.of(Corner::Four)), (127, 70));
/// # Ok::<(), tilebase_prove::checkerboard::CheckerboardError>(())
/// ```
pub fn count_sequences(
    shape: Shape,
    drops: DropPlacement,
    most: usize,
    progress: &dyn Progress,
) -> Result<SequenceCount, CheckerboardError> {
    let rules = TwoBitRules::new(shape).ok_or(CheckerboardError::TooLarge(shape))?;
    let targets = Corner::ALL.map(|corner| rules.field(&corner.pattern(shape)).unwrap_or(0));
    let mut found = SequenceCount {
        sequences: [0; 2],
        positions: 0,
        largest_layer: 0,
    };
    progress.begin(Unit::States, None);
    // All positions of a layer have the same tile sum, so a layer leads to the next alone.
    let mut layer = FastMap::default();
    add_drops(&rules, &mut layer, 0, 1, drops);
    while !layer.is_empty() {
        found.positions += layer.len() as u64;
        found.largest_layer = found.largest_layer.max(layer.len() as u64);
        if layer.len() > most {
            return Err(CheckerboardError::TooManyPositions(most));
        }
        for (sequences, target) in found.sequences.iter_mut().zip(targets) {
            *sequences += reached(&rules, &layer, target, drops)?;
        }
        layer = next_layer(&rules, &layer, drops, progress)?;
    }
    progress.finish();
    Ok(found)
}

/// The sequences to a pattern, if this is its layer; a layer holds sums over all images.
fn reached(
    rules: &TwoBitRules,
    layer: &FastMap<TwoBitBoard, u128>,
    target: TwoBitBoard,
    drops: DropPlacement,
) -> Result<u128, CheckerboardError> {
    let (class, images) = match drops {
        DropPlacement::First => (target, 1),
        DropPlacement::Anywhere => (rules.canonical(target), rules.images(target)),
    };
    match layer.get(&class) {
        Some(&u128::MAX) => Err(CheckerboardError::TooMany),
        Some(sequences) => Ok(sequences / images),
        None => Ok(0),
    }
}

/// All positions after a slide and a drop. In the cooperative game images have equally many
/// sequences, so that one of them can stand for all with the sum of their sequences.
fn next_layer(
    rules: &TwoBitRules,
    layer: &FastMap<TwoBitBoard, u128>,
    drops: DropPlacement,
    progress: &dyn Progress,
) -> Result<FastMap<TwoBitBoard, u128>, CheckerboardError> {
    let mut next = FastMap::default();
    for (done, (&field, &sequences)) in layer.iter().enumerate() {
        if done.is_multiple_of(BATCH) {
            if progress.interrupted() {
                return Err(CheckerboardError::Interrupted);
            }
            progress.advance(BATCH.min(layer.len() - done) as u64);
        }
        for after in Move::ALL.into_iter().filter_map(|m| rules.slide(field, m)) {
            add_drops(rules, &mut next, after, sequences, drops);
        }
    }
    Ok(next)
}

/// Adds all positions after a drop.
fn add_drops(
    rules: &TwoBitRules,
    layer: &mut FastMap<TwoBitBoard, u128>,
    after: TwoBitBoard,
    sequences: u128,
    drops: DropPlacement,
) {
    for cell in rules.empty_cells(after) {
        let dropped = after | 1 << (2 * cell);
        let position = match drops {
            DropPlacement::First => dropped,
            DropPlacement::Anywhere => rules.canonical(dropped),
        };
        let sum = layer.entry(position).or_insert(0);
        // Sums that are too large stay so: what they lead to may still be out of reach.
        *sum = sum.saturating_add(sequences);
        if drops == DropPlacement::First {
            break;
        }
    }
}

/// A sequence to one of the patterns, found by going deep first; `None` if there is none.
/// It looks at no position twice.
pub fn find_sequence(
    shape: Shape,
    corner: Corner,
    drops: DropPlacement,
    progress: &dyn Progress,
) -> Result<Option<Sequence>, CheckerboardError> {
    let rules = TwoBitRules::new(shape).ok_or(CheckerboardError::TooLarge(shape))?;
    let mut search = ExampleSearch {
        target: rules.field(&corner.pattern(shape)).unwrap_or(0),
        rules,
        drops,
        seen: FastSet::default(),
        sequence: Sequence::default(),
        progress,
    };
    progress.begin(Unit::States, None);
    let found = search.drop(0)?;
    progress.finish();
    Ok(found.then_some(search.sequence))
}

struct ExampleSearch<'a> {
    rules: TwoBitRules,
    target: TwoBitBoard,
    drops: DropPlacement,
    seen: FastSet<TwoBitBoard>,
    sequence: Sequence,
    progress: &'a dyn Progress,
}

impl ExampleSearch<'_> {
    /// Tries all drops; whether one leads to the target.
    fn drop(&mut self, after: TwoBitBoard) -> Result<bool, CheckerboardError> {
        let cols = u16::from(self.rules.shape().cols());
        for cell in self.rules.empty_cells(after) {
            let field = after | 1 << (2 * cell);
            self.sequence
                .drops
                .push(((cell / cols) as u8, (cell % cols) as u8));
            if field == self.target || (self.seen.insert(field) && self.slide(field)?) {
                return Ok(true);
            }
            self.sequence.drops.pop();
            if self.drops == DropPlacement::First {
                break;
            }
        }
        Ok(false)
    }

    /// Tries all slides.
    fn slide(&mut self, field: TwoBitBoard) -> Result<bool, CheckerboardError> {
        if self.seen.len().is_multiple_of(BATCH) {
            if self.progress.interrupted() {
                return Err(CheckerboardError::Interrupted);
            }
            self.progress.advance(BATCH as u64);
        }
        for m in Move::ALL {
            let Some(after) = self.rules.slide(field, m) else {
                continue;
            };
            self.sequence.slides.push(m);
            if self.drop(after)? {
                return Ok(true);
            }
            self.sequence.slides.pop();
        }
        Ok(false)
    }
}
