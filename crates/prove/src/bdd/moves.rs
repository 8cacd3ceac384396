//! The moves of both players on sets of boards.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::DropTiles;
use tilebase_game::Move;

use crate::bdd::diagrams::Diagrams;
use crate::bdd::drops::{Quantifier, drop_preimage};
use crate::bdd::error::BddError;
use crate::bdd::kind::DiagramKind;
use crate::bdd::permutation::CellPermutation;
use crate::bdd::preimage::preimage;
use crate::bdd::relation::SlideRelation;
use crate::bdd::slide_line::{slid, slide_relation};

/// The moves of both players.
pub(crate) struct SymbolicMoves<K> {
    /// For each of [`Move::ALL`], what it does.
    slides: Vec<SlideRelation>,
    /// For each of [`Move::ALL`], the boards that it leaves as they are.
    fixed: Vec<K>,
    /// For each of [`Move::ALL`], the boards whose tiles have no empty cell before them.
    aligned: Vec<K>,
    /// The boards on which some slide makes the target.
    pub(crate) won: K,
    /// Boards with left and right exchanged, and with top and bottom.
    pub(crate) mirrors: [Option<CellPermutation>; 2],
    /// Boards with rows and columns exchanged, if they are square.
    pub(crate) transpose: Option<CellPermutation>,
    drops: DropTiles,
}

impl<K: DiagramKind> SymbolicMoves<K> {
    pub(crate) fn new(
        diagrams: &Diagrams<'_, K>,
        drops: DropTiles,
    ) -> Result<SymbolicMoves<K>, BddError> {
        let values = diagrams.layout.values();
        let mut slides = Vec::new();
        let mut fixed = Vec::new();
        let mut aligned = Vec::new();
        let mut won = diagrams.empty();
        for slide in Move::ALL {
            let lines = diagrams.layout.lines(slide);
            slides.push(SlideRelation::new(
                &diagrams.layout,
                &lines,
                &slide_relation(lines[0].len(), values),
            ));
            let mut boards = everything(diagrams)?;
            let mut in_front = everything(diagrams)?;
            for line in &lines {
                let stays = |line: &[u8], _: &[u8]| line.is_sorted_by_key(|&value| value == 0);
                in_front = in_front.and(&lines_that(diagrams, line, stays)?)?;
                boards = boards.and(&lines_that(diagrams, line, |from, to| from == to)?)?;
                // A line makes the target in both of its directions or in neither.
                if matches!(slide, Move::Left | Move::Up) {
                    let makes = |_: &[u8], to: &[u8]| to.iter().any(|&value| value >= values);
                    won = won.or(&lines_that(diagrams, line, makes)?)?;
                }
            }
            fixed.push(boards);
            aligned.push(in_front);
        }
        let last_row = diagrams.layout.lines(Move::Left).len() - 1;
        let last_col = diagrams.layout.lines(Move::Up).len() - 1;
        Ok(SymbolicMoves {
            slides,
            fixed,
            aligned,
            won,
            mirrors: [
                CellPermutation::new(&diagrams.layout, |row, col| (row, last_col - col)),
                CellPermutation::new(&diagrams.layout, |row, col| (last_row - row, col)),
            ],
            transpose: CellPermutation::new(&diagrams.layout, |row, col| (col, row)),
            drops,
        })
    }

    /// The boards within a set that a slide changes and leads into another set.
    pub(crate) fn slide_preimage(
        &self,
        diagrams: &Diagrams<'_, K>,
        slide: usize,
        set: &K,
        within: &K,
    ) -> Result<K, BddError> {
        // Only what a slide can lead to matters, and that is far less.
        let set = set.and(&self.aligned[slide])?;
        let within = self.fixed[slide].imp_strict(within)?;
        preimage(diagrams, &self.slides[slide], &set, &within)
    }

    /// The boards within a set that a slide leaves as they are.
    pub(crate) fn fixed(&self, slide: usize, within: &K) -> Result<K, BddError> {
        Ok(self.fixed[slide].and(within)?)
    }

    /// The boards from which all drops, or some, lead into sets: `after` gives the set for
    /// an exponent that is dropped.
    pub(crate) fn drop_preimages(
        &self,
        diagrams: &Diagrams<'_, K>,
        quantifier: Quantifier,
        after: impl Fn(u8) -> K + Sync,
    ) -> Result<K, BddError> {
        let exponents = self.drops.exponents();
        let one =
            |at: usize| drop_preimage(diagrams, quantifier, exponents[at], &after(exponents[at]));
        let sets = in_parallel(diagrams.threads, exponents.len(), one)?;
        let mut sets = sets.into_iter();
        let mut joined = sets.next().unwrap_or_else(|| diagrams.empty());
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
pub(crate) fn everything<K: DiagramKind>(diagrams: &Diagrams<'_, K>) -> Result<K, BddError> {
    diagrams.boards((), |(), _, _| Some(()))
}

/// The boards on which a line and what a slide makes of it fulfil a condition.
fn lines_that<K: DiagramKind>(
    diagrams: &Diagrams<'_, K>,
    line: &[usize],
    condition: impl Fn(&[u8], &[u8]) -> bool,
) -> Result<K, BddError> {
    let last = line.iter().max().copied();
    // The cells of the line that have been read, in the order of the line.
    let start: Option<Vec<u8>> = Some(vec![0; line.len()]);
    diagrams.boards(start, |read, place, value| {
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
pub(crate) fn in_parallel<K: Send>(
    threads: usize,
    parts: usize,
    work: impl Fn(usize) -> Result<K, BddError> + Sync,
) -> Result<Vec<K>, BddError> {
    let threads = threads.min(parts);
    if threads <= 1 {
        return (0..parts).map(work).collect();
    }
    let results: Vec<Mutex<Option<Result<K, BddError>>>> =
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
            result.unwrap_or(Err(BddError::Interrupted))
        })
        .collect()
}
