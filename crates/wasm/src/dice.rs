//! Random tiles.

use tilebase_game::Rng;
use wasm_bindgen::prelude::*;

/// Seeded dice: the same seed gives the same tiles everywhere, in the native program too.
#[wasm_bindgen]
pub struct Dice(pub(crate) Rng);

#[wasm_bindgen]
impl Dice {
    /// The dice of a seed, a `BigInt`.
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u64) -> Dice {
        Dice(Rng::new(seed))
    }

    /// The dice of one game of a seeded series.
    #[wasm_bindgen(js_name = forGame)]
    pub fn for_game(seed: u64, game: u64) -> Dice {
        Dice(Rng::for_game(seed, game))
    }

    /// A uniform number below a bound.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0.below(bound)
    }
}
