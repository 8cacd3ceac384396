//! Lost states of games without symmetry, found a row at a time.
//!
//! Where slides can be forbidden, a board with empty cells can be lost, and every board has to be
//! asked. Nearly all can slide to the left or right, which tables of their halves tell.

use std::sync::atomic::{AtomicU64, Ordering};

use tilebase_index::ByLargest;
use tilebase_index::allowed::{AllowedSlides, SIDEWAYS};
use tilebase_index::layer::{Layer, for_each_bit};
use tilebase_index::space::Space;

use crate::census::account;

/// Takes the lost boards out of a layer of states, and says how many there were.
pub(crate) fn take_lost(
    space: &Space,
    allowed: &AllowedSlides,
    states: &mut Layer,
    detail: bool,
) -> ByLargest {
    let lost: [AtomicU64; 16] = Default::default();
    states.fill_rows(
        |_| true,
        || (),
        |block, row, words, ()| {
            if words.iter().all(|&word| word == 0) {
                return;
            }
            let top = space.top(block, row);
            let group = space.bottoms.halves.group(block.bottom_units);
            let slides = [0, 1].map(|slide| {
                let unmoved = &space.bottoms.unmoved[slide];
                SidewaysRow {
                    top: space.top_covered(top, SIDEWAYS[slide]),
                    moves: space.slid_top(top, SIDEWAYS[slide]) != Some(top),
                    bottoms: allowed.bottoms(slide, group.clone()),
                    unmoved: space.bottoms.part(unmoved, block.bottom_units),
                }
            });
            let bottoms = &space.bottoms.halves.list()[group.clone()];
            for (at, word) in words.iter_mut().enumerate() {
                let all = *word;
                for_each_bit(std::iter::once(all), |bit| {
                    let bottom = 64 * at + bit;
                    if slides.iter().any(|slide| slide.is_legal(bottom)) {
                        return;
                    }
                    let board = space.board(top, bottoms[bottom]);
                    if space.rules.vertical_slides(board) == [board; 2] {
                        *word &= !(1 << bit);
                        let account = account(space, board, detail);
                        lost[account].fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        },
    );
    lost.map(AtomicU64::into_inner)
}

/// A slide to the left or right of all boards with a top.
struct SidewaysRow<'a> {
    /// The masks that the top covers then.
    top: u16,
    /// Whether it changes the top.
    moves: bool,
    /// The masks that each bottom covers then.
    bottoms: &'a [u16],
    /// The bottoms that it does not change.
    unmoved: &'a [u64],
}

impl SidewaysRow<'_> {
    #[inline]
    fn is_legal(&self, bottom: usize) -> bool {
        self.top & self.bottoms[bottom] != 0
            && (self.moves || self.unmoved[bottom / 64] >> (bottom % 64) & 1 == 0)
    }
}
