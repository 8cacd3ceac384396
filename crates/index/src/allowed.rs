//! Which slides to the left and right a formation allows, told from halves.

use tilebase_game::{Board, Formation, Move};

use crate::space::Space;

/// For each bottom and a slide to the left or right, what the slide does to walls and large tiles.
///
/// A slide is allowed if walls then cover a mask and no tile is above the target. Both halves must
/// cover their parts of the same mask, so a half has a set of masks: bit i for mask i. The set is
/// empty where a tile above the target arises, and has bit 0 where there are no masks. The slide of
/// a board is allowed if the sets of its top and its bottom have a mask in common, and it changes one
/// of the two.
pub struct AllowedSlides {
    bottoms: [Vec<u16>; 2],
}

/// The slides of [`AllowedSlides`].
pub const SIDEWAYS: [Move; 2] = [Move::Left, Move::Right];

impl AllowedSlides {
    /// The sets of all bottoms of a game.
    pub fn new(space: &Space) -> AllowedSlides {
        let list = space.bottoms.halves.list();
        // Of each mask, the part in the bottom.
        let part = |mask: &u64| space.board(0, space.halves_of(Board::from_bits(*mask)).1);
        let parts: Vec<Board> = space.rules.masks().iter().map(part).collect();
        let sets = |m: Move| {
            let set = |&half: &u32| space.covered(space.board(0, half), m, &parts);
            list.iter().map(set).collect()
        };
        AllowedSlides {
            bottoms: SIDEWAYS.map(sets),
        }
    }

    /// The masks that each bottom of a group covers after a slide, 0 for left and 1 for right.
    #[inline]
    pub fn bottoms(&self, slide: usize, group: std::ops::Range<usize>) -> &[u16] {
        &self.bottoms[slide][group]
    }
}

impl Space {
    /// The masks that a top covers after a slide to the left or right, see [`AllowedSlides`].
    pub fn top_covered(&self, top: u32, m: Move) -> u16 {
        let mut parts = [Board::EMPTY; Formation::MOST_MASKS];
        let masks = self.rules.masks();
        for (part, &mask) in parts.iter_mut().zip(masks) {
            *part = self.board(self.halves_of(Board::from_bits(mask)).0, 0);
        }
        self.covered(self.board(top, 0), m, &parts[..masks.len()])
    }

    /// The masks whose parts a half, given as a board with nothing else, covers after a slide.
    fn covered(&self, half: Board, m: Move, parts: &[Board]) -> u16 {
        let after = self.rules.slide_any(half, m);
        if self.rules.tiles(after).max_exponent() > self.rules.most_exponent() {
            return 0;
        }
        let covers = |part: &Board| after.bits() & part.bits() == part.bits();
        match parts {
            [] => 1,
            parts => {
                let parts = parts.iter().enumerate();
                parts.fold(0, |set, (i, part)| set | u16::from(covers(part)) << i)
            }
        }
    }
}
