//! The moves of both players on sets of boards.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tilebase_game::Move;
use tilebase_prove::Drops;

use crate::drops::{Quantifier, drop_preimage};
use crate::error::SymbolicError;
use crate::kind::Kind;
use crate::line::{slid, slide_relation};
use crate::preimage::preimage;
use crate::relation::Relation;
use crate::space::Space;

/// The moves of both players.
pub(crate) struct Moves<K> {
    /// For each of [`Move::ALL`], the relations that make it together.
    slides: Vec<Vec<Relation>>,
    /// For each of [`Move::ALL`], the boards that it leaves as they are.
    fixed: Vec<K>,
    /// For each of [`Move::ALL`], the boards whose tiles have no empty cell before them.
    aligned: Vec<K>,
    /// The boards on which some slide makes the target.
    pub(crate) won: K,
    drops: Drops,
}

impl<K: Kind> Moves<K> {
    pub(crate) fn new(space: &Space<'_, K>, drops: Drops) -> Result<Moves<K>, SymbolicError> {
        let values = space.layout.values();
        let mut slides = Vec::new();
        let mut fixed = Vec::new();
        let mut aligned = Vec::new();
        let mut won = space.empty();
        for slide in Move::ALL {
            let lines = space.layout.lines(slide);
            slides.push(relations(space, &lines, values));
            let mut boards = everything(space)?;
            let mut in_front = everything(space)?;
            for line in &lines {
                let stays = |line: &[u8], _: &[u8]| line.is_sorted_by_key(|&value| value == 0);
                in_front = in_front.and(&lines_that(space, line, stays)?)?;
                boards = boards.and(&lines_that(space, line, |from, to| from == to)?)?;
                // A line makes the target in both of its directions or in neither.
                if matches!(slide, Move::Left | Move::Up) {
                    let makes = |_: &[u8], to: &[u8]| to.iter().any(|&value| value >= values);
                    won = won.or(&lines_that(space, line, makes)?)?;
                }
            }
            fixed.push(boards);
            aligned.push(in_front);
        }
        Ok(Moves {
            slides,
            fixed,
            aligned,
            won,
            drops,
        })
    }

    /// For each of [`Move::ALL`], the boards that it leads into a set, whether it changes
    /// them or not.
    pub(crate) fn slide_preimages(
        &self,
        space: &Space<'_, K>,
        set: &K,
    ) -> Result<Vec<K>, SymbolicError> {
        let one = |at: usize| -> Result<K, SymbolicError> {
            // Only what a slide can lead to matters, and that is far less.
            let mut set = set.and(&self.aligned[at])?;
            for relation in &self.slides[at] {
                set = preimage(space, relation, &set)?;
            }
            Ok(set)
        };
        // Opposite slides follow one another and are alike work, which suits two threads.
        in_parallel(space.threads, self.slides.len(), one)
    }

    /// The boards that a slide changes, of those that it leads into a winning set.
    pub(crate) fn legal(&self, at: usize, boards: &K) -> Result<K, SymbolicError> {
        Ok(self.fixed[at].imp_strict(boards)?)
    }

    /// Of `boards`, those that a slide may change but does not lead into `kept`.
    pub(crate) fn escapes(&self, at: usize, boards: &K, kept: &K) -> Result<K, SymbolicError> {
        self.legal(at, &kept.imp_strict(boards)?)
    }

    /// The boards from which all drops, or some, lead into sets: `after` gives the set for
    /// an exponent that is dropped.
    pub(crate) fn drop_preimages(
        &self,
        space: &Space<'_, K>,
        quantifier: Quantifier,
        after: impl Fn(u8) -> K + Sync,
    ) -> Result<K, SymbolicError> {
        let exponents = self.drops.exponents();
        let one =
            |at: usize| drop_preimage(space, quantifier, exponents[at], &after(exponents[at]));
        let sets = in_parallel(space.threads, exponents.len(), one)?;
        let mut sets = sets.into_iter();
        let mut joined = sets.next().unwrap_or_else(|| space.empty());
        for set in sets {
            joined = match quantifier {
                Quantifier::All => joined.and(&set)?,
                Quantifier::Some => joined.or(&set)?,
            };
        }
        Ok(joined)
    }
}

/// All boards without the target.
pub(crate) fn everything<K: Kind>(space: &Space<'_, K>) -> Result<K, SymbolicError> {
    space.boards((), |(), _, _| Some(()))
}

/// The relations that slide some lines. Lines that follow one another in the order of
/// variables take one relation, others one each.
fn relations<K: Kind>(space: &Space<'_, K>, lines: &[Vec<usize>], values: u8) -> Vec<Relation> {
    let Some(first) = lines.first() else {
        return Vec::new();
    };
    let pairs = slide_relation(first.len(), values);
    let mut lines = lines.to_vec();
    lines.sort_by_key(|line| line.iter().min().copied());
    let apart = lines
        .windows(2)
        .all(|two| two[0].iter().max() < two[1].iter().min());
    if apart {
        return vec![Relation::new(&space.layout, &lines, &pairs)];
    }
    lines
        .iter()
        .map(|line| Relation::new(&space.layout, std::slice::from_ref(line), &pairs))
        .collect()
}

/// The boards on which a line and what a slide makes of it fulfil a condition.
fn lines_that<K: Kind>(
    space: &Space<'_, K>,
    line: &[usize],
    condition: impl Fn(&[u8], &[u8]) -> bool,
) -> Result<K, SymbolicError> {
    let last = line.iter().max().copied();
    // The cells of the line that have been read, in the order of the line.
    let start: Option<Vec<u8>> = Some(vec![0; line.len()]);
    space.boards(start, |read, place, value| {
        let (Some(read), Some(at)) = (read, line.iter().position(|&cell| cell == place)) else {
            return Some(read.clone());
        };
        let mut read = read.clone();
        read[at] = value;
        if Some(place) != last {
            return Some(Some(read));
        }
        condition(&read, &slid(&read)).then_some(None)
    })
}

/// The results of `work` for the numbers below `parts`, on several threads.
fn in_parallel<K: Send>(
    threads: usize,
    parts: usize,
    work: impl Fn(usize) -> Result<K, SymbolicError> + Sync,
) -> Result<Vec<K>, SymbolicError> {
    let threads = threads.min(parts);
    if threads <= 1 {
        return (0..parts).map(work).collect();
    }
    let results: Vec<Mutex<Option<Result<K, SymbolicError>>>> =
        (0..parts).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(result) = results.get(at) else {
                        return;
                    };
                    let done = work(at);
                    if let Ok(mut result) = result.lock() {
                        *result = Some(done);
                    }
                }
            });
        }
    });
    results
        .into_iter()
        .map(|result| {
            let result = result.into_inner().ok().flatten();
            // Only a thread that broke off leaves nothing behind.
            result.unwrap_or(Err(SymbolicError::Interrupted))
        })
        .collect()
}
