//! The sweep by the largest tile and how many there are of it, and no sweep at all.

use std::collections::HashMap;
use std::time::Instant;

use tilebase_game::Move;

use crate::bdd::error::BddError;
use crate::bdd::kind::DiagramKind;
use crate::bdd::sweep::{Sweeper, WinningSets};

/// Boards whose largest tile is 2^`largest`, `many` of them. The empty board is (0,0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct LargestClass {
    largest: u8,
    many: usize,
}

/// For each slide, boards that it leads into boards that are won with Dropper to move.
type Slid<K> = Vec<K>;

/// Sweeps from the largest tile and the most of it down to the empty board. Returns whether
/// the empty board is won.
///
/// Tiles never split, so no move leads to a line that was done before. Slides lead to
/// lines with more of the largest tile or a larger one: what leads into a line that is done
/// waits for the line it comes from. Drops leave the line only where the largest tile is
/// no larger than a drop.
pub(crate) fn sweep<K: DiagramKind>(sweeper: &mut Sweeper<'_, K>) -> Result<bool, BddError> {
    let diagrams = sweeper.diagrams;
    let cells = diagrams.layout.cells();
    let drops = sweeper.contest.drops().largest();
    let mut waiting: HashMap<LargestClass, Slid<K>> = HashMap::new();
    // Won with Slider to move, in lines to which a drop can lead from another.
    let mut small = diagrams.empty();
    let tiles = (1..diagrams.layout.values()).rev();
    let lines = tiles.flat_map(|largest| {
        (1..=cells)
            .rev()
            .map(move |many| LargestClass { largest, many })
    });
    for line in lines.chain([LargestClass {
        largest: 0,
        many: 0,
    }]) {
        let name = format!("({},{})", line.largest, line.many);
        let begun = sweeper.begin(&name)?;
        let part = part(sweeper, line)?;
        let slid = waiting
            .remove(&line)
            .unwrap_or_else(|| vec![diagrams.empty(); Move::ALL.len()]);
        let (iterations, won) = fixpoint(sweeper, &part, &slid, &small, false)?;
        if line.largest <= drops {
            small = small.or(&won.slide)?;
        }
        hand_on(sweeper, line, &won, &mut waiting)?;
        sweeper.done(name, iterations, begun, &won);
        if line.largest == 0 {
            return sweeper.holds_empty(&won.drop);
        }
    }
    Ok(false)
}

/// One fixpoint of all boards. Returns whether the empty board is won.
pub(crate) fn accumulate<K: DiagramKind>(sweeper: &mut Sweeper<'_, K>) -> Result<bool, BddError> {
    let begun: Instant = sweeper.begin("all")?;
    let empty = sweeper.diagrams.empty();
    let part = sweeper.care.clone();
    let stop = !sweeper.options.strong;
    let (iterations, won) = fixpoint(sweeper, &part, &[], &empty, stop)?;
    sweeper.done("all".to_owned(), iterations, begun, &won);
    sweeper.holds_empty(&won.drop)
}

/// Steps back in one part until nothing is added, or until the empty board is, where that
/// is enough. `slid` and `small` are what other parts add: boards that slides lead into
/// boards won there, and boards won there with Slider to move.
fn fixpoint<K: DiagramKind>(
    sweeper: &mut Sweeper<'_, K>,
    part: &K,
    slid: &[K],
    small: &K,
    stop: bool,
) -> Result<(u64, WinningSets<K>), BddError> {
    let diagrams = sweeper.diagrams;
    let mut won = WinningSets {
        slide: diagrams.empty(),
        drop: diagrams.empty(),
    };
    for iterations in 1.. {
        let slide = sweeper.slider_to_move(part, &won.drop, slid)?;
        let known = slide.or(small)?;
        let drop = sweeper.dropper_to_move(part, |_| known.clone())?;
        let converged = drop == won.drop && slide == won.slide;
        won = WinningSets { slide, drop };
        sweeper.collect_garbage();
        if converged || stop && sweeper.holds_empty(&won.drop)? {
            return Ok((iterations, won));
        }
    }
    Ok((0, won))
}

/// Hands what leads into a line that is done to the lines it comes from.
fn hand_on<K: DiagramKind>(
    sweeper: &Sweeper<'_, K>,
    line: LargestClass,
    won: &WinningSets<K>,
    waiting: &mut HashMap<LargestClass, Slid<K>>,
) -> Result<(), BddError> {
    let diagrams = sweeper.diagrams;
    let fewer = (1..line.many).map(|many| LargestClass { many, ..line });
    let smaller = (2 * line.many..=diagrams.layout.cells()).map(|many| LargestClass {
        largest: line.largest.saturating_sub(1),
        many,
    });
    for from in fewer.chain(smaller) {
        let part = part(sweeper, from)?;
        let empty = || vec![diagrams.empty(); Move::ALL.len()];
        let waiting = waiting.entry(from).or_insert_with(empty);
        for (slide, waiting) in waiting.iter_mut().enumerate() {
            let slid = sweeper
                .moves
                .slide_preimage(diagrams, slide, &won.drop, &part)?;
            *waiting = waiting.or(&slid)?;
        }
    }
    Ok(())
}

/// The boards of a line.
fn part<K: DiagramKind>(sweeper: &Sweeper<'_, K>, line: LargestClass) -> Result<K, BddError> {
    let cells = sweeper.diagrams.layout.cells();
    let boards = sweeper.diagrams.boards(line.many, |&left, place, value| {
        let left = match value.cmp(&line.largest) {
            _ if value == 0 => left,
            std::cmp::Ordering::Less => left,
            std::cmp::Ordering::Equal => left.checked_sub(1)?,
            std::cmp::Ordering::Greater => return None,
        };
        (left < cells - place).then_some(left)
    })?;
    if sweeper.options.constrain {
        Ok(boards.and(&sweeper.care)?)
    } else {
        Ok(boards)
    }
}
