//! The forward pass: from the start states up, one layer after the other.

use tilebase_game::{Board, Representative, Variant};
use tilebase_progress::{Progress, Unit};

use crate::buffer::Buffer;
use crate::census::{self, ByLargest};
use crate::layer::{Layer, Layout};
use crate::slide::slide;
use crate::space::Space;
use crate::spawn::{place, spawn};

/// What was found in a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerCount {
    /// Tile sum.
    pub sum: u32,
    /// Live states, by the exponent of their largest tile.
    pub states: ByLargest,
    /// Lost states, by the exponent of their largest tile.
    pub lost: ByLargest,
    /// Afterstates without a target tile.
    pub afterstates: u64,
}

/// Counts all layers.
pub fn count(variant: &Variant, space: &Space, progress: &dyn Progress) -> std::io::Result<Vec<LayerCount>> {
    let starts = space.rules.start_states(variant.spawn(), variant.start_tiles(), Representative::Canonical);
    let starts: Vec<(usize, Board)> = starts.iter().map(|&(board, _)| (board.sum() as usize / 2, board)).collect();
    let last_start = starts.iter().map(|&(units, _)| units).max().unwrap_or(0);
    let max_units = space.tops.halves.max_units() + space.bottoms.halves.max_units();
    let capacity = (0..=max_units).map(|units| Layout::new(space, units).words()).max().unwrap_or(0);
    let mut free = vec![Buffer::new(capacity)?, Buffer::new(capacity)?, Buffer::new(capacity)?];
    let mut below: [Option<Layer>; 2] = [None, None];
    let mut counts = Vec::new();
    progress.begin(Unit::States, None);
    for units in 0..=max_units {
        if units > last_start && below.iter().all(Option::is_none) {
            break;
        }
        let mut take = || free.pop().map_or_else(|| Buffer::new(capacity), Ok);
        let mut states = Layer::new(Layout::new(space, units), take()?);
        spawn(space, [below[0].as_ref(), below[1].as_ref()], &mut states);
        for (_, board) in starts.iter().filter(|&&(start, _)| start == units) {
            let marker = states.marker();
            place(space, *board, &marker);
            if space.is_square() { place(space, board.transposed(), &marker); }
        }
        let reachable = census::classes(space, &states);
        let lost = census::lost(space, &states);
        let old = below[1].take();
        free.extend(old.map(Layer::into_buffer));
        below[1] = below[0].take();
        if reachable.iter().all(|&n| n == 0) {
            free.push(states.into_buffer());
            continue;
        }
        let mut take = || free.pop().map_or_else(|| Buffer::new(capacity), Ok);
        let mut after = Layer::new(Layout::new(space, units), take()?);
        slide(space, &states, &mut after);
        free.push(states.into_buffer());
        let afterstates: u64 = census::classes(space, &after).iter().sum();
        let live: ByLargest = std::array::from_fn(|e| reachable[e] - lost[e]);
        progress.advance(live.iter().sum());
        counts.push(LayerCount { sum: 2 * units as u32, states: live, lost, afterstates });
        if afterstates > 0 {
            below[0] = Some(after);
        } else {
            free.push(after.into_buffer());
        }
    }
    progress.finish();
    Ok(counts)
}
