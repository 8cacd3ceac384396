//! One of the games that run in lockstep.

use bytemuck::{Pod, Zeroable};
use tilebase_game::{Board, Rules};

/// A game in progress. The kernels have the same struct and play it the same way.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable, PartialEq, Eq)]
pub(crate) struct Game {
    /// The state, with the player to move.
    pub board: u64,
    /// The afterstate of the move before, whose value is trained next; 0 at the start.
    pub before: u64,
    /// The afterstate of the chosen slide; 0 if no slide is legal.
    pub chosen: u64,
    /// State of the random number generator.
    pub rng: u64,
    /// Moves since this game began.
    pub moves: u32,
    /// Score since this game began.
    pub score: u32,
    /// Points of the chosen slide.
    pub reward: u32,
    /// Padding.
    pub unused: u32,
}

impl Game {
    /// The first game of a slot, with random numbers from the seed and the slot's number.
    pub fn new(rules: &Rules, seed: u64, slot: u64) -> Game {
        let mut game = Game {
            rng: mix(mix(seed).wrapping_add(slot)),
            ..Game::default()
        };
        game.start(rules);
        game
    }

    /// The next 32 random bits (SplitMix64).
    fn next(&mut self) -> u32 {
        self.rng = self.rng.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.rng) >> 32) as u32
    }

    /// A random number below a small bound. The bias of about one in a billion does not matter
    /// here, and the kernels need no loop.
    fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next()) * u64::from(bound)) >> 32) as u32
    }

    fn spawn(&mut self, rules: &Rules, bits: u64) -> u64 {
        let mut empty = rules.empty_cells(Board::from_bits(bits));
        for _ in 0..self.below(empty.count_ones()) {
            empty &= empty - 1;
        }
        let exponent = 1 + u64::from(self.below(10) == 0);
        bits | ((empty & empty.wrapping_neg()) * exponent)
    }

    fn start(&mut self, rules: &Rules) {
        let one = self.spawn(rules, 0);
        self.board = self.spawn(rules, one);
        (self.before, self.moves, self.score) = (0, 0, 0);
    }

    /// Makes the chosen slide and spawns a tile, or starts a new game.
    pub fn advance(&mut self, rules: &Rules) {
        if self.chosen == 0 {
            return self.start(rules);
        }
        self.score += self.reward;
        self.moves += 1;
        self.before = self.chosen;
        self.board = self.spawn(rules, self.chosen);
    }
}

/// The output function of SplitMix64.
fn mix(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
