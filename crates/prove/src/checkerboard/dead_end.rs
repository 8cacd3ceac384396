//! Full boards without a legal slide, after few drops; tiles of any size may be made.

use std::collections::HashSet;

use tilebase_game::{Board, Grid, Move, Rules, Shape};
use tilebase_util::hash::FastSet;
use tilebase_util::progress::{Progress, Unit};

use crate::checkerboard::forward::CheckerboardError;
use crate::checkerboard::sequence::Sequence;

/// No board is a dead end with fewer drops than a checkerboard takes: of two neighbouring
/// cells one has at least a 4, so that a domino holds three drops.
pub fn fewest_imaginable(shape: Shape) -> u32 {
    u32::from(shape.cells()) + u32::from(shape.cells() / 2)
}

/// Goes on with a game to a dead end, in as few drops as possible if there are at most
/// `drops` in all; `None` if there is no such end.
pub fn end_from(
    shape: Shape,
    sequence: &Sequence,
    drops: usize,
    progress: &dyn Progress,
) -> Result<Option<Sequence>, CheckerboardError> {
    let Some(start) = sequence
        .replay(shape)
        .ok()
        .and_then(|mut boards| boards.pop())
    else {
        return Ok(None);
    };
    progress.begin(Unit::Boards, None);
    for all in sequence.drops.len()..=drops {
        let found = end_after(sequence, &start, all, progress)?;
        if found.is_some() {
            progress.finish();
            return Ok(found);
        }
    }
    progress.finish();
    Ok(None)
}

/// A game as the board that it leads to, its last turn, and the game before it.
type Game = (Grid, Option<(Move, (u8, u8), usize)>);

/// Continues a game to a dead end after exactly this number of drops in all.
fn end_after(
    sequence: &Sequence,
    start: &Grid,
    drops: usize,
    progress: &dyn Progress,
) -> Result<Option<Sequence>, CheckerboardError> {
    let spare = (drops as u32).saturating_sub(fewest_imaginable(start.shape()));
    let mut games: Vec<Game> = vec![(start.clone(), None)];
    let mut layer = 0..1;
    for _ in sequence.drops.len()..drops {
        let mut seen = HashSet::new();
        for game in layer.clone() {
            if progress.interrupted() {
                return Err(CheckerboardError::Interrupted);
            }
            progress.advance(1);
            let slides = Move::ALL.map(|m| Some((m, games[game].0.after(m)?.0)));
            for (m, after) in slides.into_iter().flatten() {
                if excess(after.exponents()) > spare {
                    continue;
                }
                for (row, col) in after.empty_cells() {
                    let mut dropped = after.clone();
                    dropped.set(row, col, 1);
                    if seen.insert(dropped.clone()) {
                        games.push((dropped, Some((m, (row, col), game))));
                    }
                }
            }
        }
        layer = layer.end..games.len();
    }
    let dead = layer.clone().find(|&game| games[game].0.is_lost());
    Ok(dead.map(|dead| extended(sequence, &games, dead)))
}

/// A game and the turns that lead on to one of the boards after it.
fn extended(sequence: &Sequence, games: &[Game], end: usize) -> Sequence {
    let mut turns = Vec::new();
    let mut game = end;
    while let Some((m, cell, before)) = games[game].1 {
        turns.push((m, cell));
        game = before;
    }
    let mut sequence = sequence.clone();
    for (m, cell) in turns.into_iter().rev() {
        sequence.slides.push(m);
        sequence.drops.push(cell);
    }
    sequence
}

/// A game to a dead end in the fewest drops that there are, on boards up to 4x4.
///
/// For each number of drops from [`fewest_imaginable`] on, all games that can be over by
/// then are gone through. A tile 2^e from 8 up makes its domino heavier than a 2 and a 4 by
/// at least 2^(e−1) − 2 drops, whatever becomes of it, so boards with too many or too large
/// tiles are left out.
///
/// ```
/// use tilebase_prove::checkerboard::shortest_dead_end;
/// use tilebase_util::progress::Silent;
///
/// let shape = "3x3".parse().unwrap();
/// let sequence = shortest_dead_end(shape, usize::MAX, &Silent)?;
/// assert_eq!(sequence.drops.len(), 13);
/// # Ok::<(), tilebase_prove::checkerboard::CheckerboardError>(())
/// ```
pub fn shortest_dead_end(
    shape: Shape,
    most: usize,
    progress: &dyn Progress,
) -> Result<Sequence, CheckerboardError> {
    let rules = Rules::new(shape).map_err(|_| CheckerboardError::TooLarge(shape))?;
    progress.begin(Unit::States, None);
    let mut drops = fewest_imaginable(shape);
    loop {
        progress.stage(&format!("{drops} drops"));
        if let Some(sequence) = dead_end_after(&rules, drops, most, progress)? {
            progress.finish();
            return Ok(sequence);
        }
        drops += 1;
    }
}

/// A dead end after exactly this number of drops, if there is one.
fn dead_end_after(
    rules: &Rules,
    drops: u32,
    most: usize,
    progress: &dyn Progress,
) -> Result<Option<Sequence>, CheckerboardError> {
    let spare = drops - fewest_imaginable(rules.shape());
    let mut layers: Vec<FastSet<u64>> = vec![FastSet::default()];
    layers[0].extend(dropped(rules, Board::EMPTY).map(|(board, _)| rules.canonical(board).bits()));
    for _ in 1..drops {
        let mut next = FastSet::default();
        let layer = &layers[layers.len() - 1];
        for &bits in layer {
            for after in slid(rules, Board::from_bits(bits)).map(|(after, _)| after) {
                if excess(&cells(after)) <= spare {
                    next.extend(
                        dropped(rules, after).map(|(board, _)| rules.canonical(board).bits()),
                    );
                }
            }
            if next.len() > most {
                return Err(CheckerboardError::TooManyPositions(most));
            }
        }
        if progress.interrupted() {
            return Err(CheckerboardError::Interrupted);
        }
        progress.advance(next.len() as u64);
        layers.push(next);
    }
    let dead = layers[layers.len() - 1]
        .iter()
        .copied()
        .filter(|&bits| rules.is_lost(Board::from_bits(bits)))
        .min();
    Ok(dead.map(|dead| retrace(rules, &layers, dead)))
}

/// What the large tiles of a board make it heavier, in drops.
fn excess(exponents: &[u8]) -> u32 {
    let large = exponents.iter().filter(|&&exponent| exponent > 2);
    large.map(|&exponent| (1 << (exponent - 1)) - 2).sum()
}

/// The exponents of the frame that a packed board sits in.
fn cells(board: Board) -> [u8; 16] {
    std::array::from_fn(|cell| (board.bits() >> (4 * cell)) as u8 & 15)
}

/// All legal slides.
fn slid(rules: &Rules, board: Board) -> impl Iterator<Item = (Board, Move)> {
    let slides = Move::ALL.into_iter().zip(rules.slides(board));
    slides
        .filter(move |&(_, after)| after != board)
        .map(|(m, after)| (after, m))
}

/// All drops of a 2.
fn dropped(rules: &Rules, board: Board) -> impl Iterator<Item = (Board, (u8, u8))> {
    let (rows, cols) = (rules.shape().rows(), rules.shape().cols());
    (0..rows)
        .flat_map(move |row| (0..cols).map(move |col| (row, col)))
        .filter(move |&(row, col)| board.get(row, col) == 0)
        .map(move |(row, col)| (board.with(row, col, 1), (row, col)))
}

/// A game through the layers to a board of the last one.
fn retrace(rules: &Rules, layers: &[FastSet<u64>], dead: u64) -> Sequence {
    let mut classes = vec![dead];
    for layer in layers.iter().rev().skip(1) {
        let goal = classes[classes.len() - 1];
        let leads = |&bits: &u64| {
            slid(rules, Board::from_bits(bits))
                .flat_map(|(after, _)| dropped(rules, after))
                .any(|(board, _)| rules.canonical(board).bits() == goal)
        };
        classes.extend(layer.iter().copied().filter(leads).min());
    }
    // The classes are of boards turned this way and that; the game itself is played.
    let mut sequence = Sequence::default();
    let mut board = Board::EMPTY;
    for &class in classes.iter().rev() {
        let is_next = |&(board, _): &(Board, _)| rules.canonical(board).bits() == class;
        let first = dropped(rules, board)
            .find(is_next)
            .map(|(next, cell)| (None, next, cell));
        let later = || {
            slid(rules, board).find_map(|(after, m)| {
                let (next, cell) = dropped(rules, after).find(is_next)?;
                Some((Some(m), next, cell))
            })
        };
        let turn = if sequence.drops.is_empty() {
            first
        } else {
            later()
        };
        if let Some((m, next, cell)) = turn {
            sequence.slides.extend(m);
            sequence.drops.push(cell);
            board = next;
        }
    }
    sequence
}
