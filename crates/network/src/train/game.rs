//! One of many games that are played in step.

use bytemuck::{Pod, Zeroable};
use tilebase_game::{Board, Rules};

/// A game under way. The kernels have the same struct and the same rules for it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable, PartialEq, Eq)]
pub(crate) struct Game {
    /// The state, with the player to move.
    pub board: u64,
    /// The board after the slide before, whose worth is learned next; 0 at the beginning.
    pub before: u64,
    /// The board after the slide that was chosen; 0 if no slide is legal.
    pub chosen: u64,
    /// State of the dice.
    pub dice: u64,
    /// Moves since this game began.
    pub moves: u32,
    /// Score since this game began.
    pub score: u32,
    /// What the chosen slide gains.
    pub gain: u32,
    /// Nothing: rounds the size up.
    pub unused: u32,
}

impl Game {
    /// The first game of a place, its dice from a seed and the place's number.
    pub fn new(rules: &Rules, seed: u64, place: u64) -> Game {
        let mut game = Game {
            dice: mix(mix(seed).wrapping_add(place)),
            ..Game::default()
        };
        game.begin(rules);
        game
    }

    /// The next 32 random bits, of SplitMix64.
    fn next(&mut self) -> u32 {
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.dice) >> 32) as u32
    }

    /// A number below a small bound. That some are likelier by one in a billion does not
    /// matter here, and the kernels need no loop.
    fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(bound)) >> 32) as u32
    }

    fn drop_tile(&mut self, rules: &Rules, bits: u64) -> u64 {
        let mut empty = rules.empty_cells(Board::from_bits(bits));
        for _ in 0..self.below(empty.count_ones()) {
            empty &= empty - 1;
        }
        let exponent = 1 + u64::from(self.below(10) == 0);
        bits | ((empty & empty.wrapping_neg()) * exponent)
    }

    fn begin(&mut self, rules: &Rules) {
        let one = self.drop_tile(rules, 0);
        self.board = self.drop_tile(rules, one);
        (self.before, self.moves, self.score) = (0, 0, 0);
    }

    /// Makes the chosen slide and lets a tile fall, or begins anew.
    pub fn go_on(&mut self, rules: &Rules) {
        if self.chosen == 0 {
            return self.begin(rules);
        }
        self.score += self.gain;
        self.moves += 1;
        self.before = self.chosen;
        self.board = self.drop_tile(rules, self.chosen);
    }
}

/// The output function of SplitMix64.
fn mix(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
