//! What a slide does to one packed row of four cells, tabulated for all 65,536 rows.
//!
//! The tables are built at compile time, so looking one up costs a load and nothing else.

use crate::board::MAX_PACKED_EXPONENT;

const ROWS: usize = 1 << 16;

/// A row after sliding left, and the score in units of [`SCORE_UNIT`].
///
/// Two tiles of the largest exponent stay apart: their sum has no packed form.
const fn slide_left(row: u16) -> (u16, u16) {
    let mut out = [0u8; 4];
    let mut len = 0;
    let mut score = 0u16;
    let mut may_merge = false;
    let mut shift = 16;
    while shift > 0 {
        shift -= 4;
        let tile = (row >> shift & 15) as u8;
        if tile == 0 {
            continue;
        }
        if may_merge && out[len - 1] == tile && tile < MAX_PACKED_EXPONENT {
            out[len - 1] += 1;
            score += 1 << (tile - 1);
            may_merge = false;
        } else {
            out[len] = tile;
            len += 1;
            may_merge = true;
        }
    }
    let packed =
        (out[0] as u16) << 12 | (out[1] as u16) << 8 | (out[2] as u16) << 4 | out[3] as u16;
    (packed, score)
}

const fn reversed(row: u16) -> u16 {
    row >> 12 | row >> 4 & 0x00f0 | row << 4 & 0x0f00 | row << 12
}

/// The smallest score a merge can give; scores are stored in this unit to fit 16 bits.
pub(crate) const SCORE_UNIT: u32 = 4;

/// What slides do to a row, by row.
pub(crate) struct Slides {
    /// The row after sliding towards its first cell.
    pub left: [u16; ROWS],
    /// The row after sliding towards its last cell.
    pub right: [u16; ROWS],
    /// The score, in units of [`SCORE_UNIT`]. One table serves both ways: a run of k
    /// equal tiles gives ⌊k/2⌋ merges from either end.
    pub score: [u16; ROWS],
}

/// The slides of all rows.
#[allow(long_running_const_eval, reason = "65,536 short steps, once per build")]
pub(crate) static SLIDES: Slides = {
    let (mut left, mut right, mut score) = ([0; ROWS], [0; ROWS], [0; ROWS]);
    let mut row = 0;
    while row < ROWS {
        let (after, points) = slide_left(row as u16);
        left[row] = after;
        right[reversed(row as u16) as usize] = reversed(after);
        score[row] = points;
        row += 1;
    }
    Slides { left, right, score }
};

/// Two neighbouring cells → the sum of their tiles' values. Small enough to stay in the
/// fastest cache, unlike a table of row sums.
pub(crate) static PAIR_SUM: [u32; 1 << 8] = {
    let mut table = [0; 1 << 8];
    let mut pair = 0;
    while pair < table.len() {
        let (a, b) = (pair >> 4, pair & 15);
        // An empty cell counts nothing, not 2^0.
        table[pair] = (1 << a & !1) + (1 << b & !1);
        pair += 1;
    }
    table
};
