//! Mean, variance and extremes of the moves still to make, from the target back.

use tilebase_game::Spawn;

use crate::lower_bound::chain::{Chain, Transition};

/// Means are whole multiples of 2^-70. A mean below 2^20 times a weight below 2^30 then
/// fits 128 bits, and 2^20 roundings of half a unit make an error below 2^-50.
const PLACES: u32 = 70;
const ONE: u128 = 1 << PLACES;

/// How many moves are still to make.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moments {
    mean: u128,
    /// The variance.
    pub(crate) variance: f64,
    /// The fewest moves.
    pub(crate) fewest: u32,
    /// The most moves.
    pub(crate) most: u32,
}

impl Moments {
    const NONE: Moments = Moments {
        mean: 0,
        variance: 0.0,
        fewest: 0,
        most: 0,
    };

    /// The moments at the start of a chain.
    pub(crate) fn of(chain: &Chain) -> Moments {
        let spawn = chain.goal().spawn();
        let mut all = vec![Moments::NONE; chain.steps().len()];
        // What follows comes later in the chain, so it is known by then.
        for (at, step) in chain.steps().iter().enumerate().rev() {
            let mixed = |next: [u32; 2]| Moments::mixed(spawn, next.map(|n| all[n as usize]));
            all[at] = match *step {
                Transition::Start(next) => mixed(next),
                Transition::Move(next) => mixed(next).and_a_move(),
                Transition::Win => Moments::NONE.and_a_move(),
            };
        }
        all.first().copied().unwrap_or(Moments::NONE)
    }

    /// The mean.
    pub(crate) fn mean(&self) -> f64 {
        to_f64(self.mean)
    }

    /// The moments before a tile falls, from those after a 2 and after a 4. A tile that
    /// never falls must come with the moments of the other one.
    fn mixed(spawn: Spawn, [two, four]: [Moments; 2]) -> Moments {
        let weighted =
            two.mean * u128::from(spawn.weight(1)) + four.mean * u128::from(spawn.weight(2));
        let one = u128::from(Spawn::ONE);
        let (p, q) = (spawn.probability(1), spawn.probability(2));
        let apart = to_f64(two.mean.abs_diff(four.mean));
        Moments {
            mean: (weighted + one / 2) / one,
            // The law of total variance: within the cases, and between them.
            variance: p * two.variance + q * four.variance + p * q * apart * apart,
            fewest: two.fewest.min(four.fewest),
            most: two.most.max(four.most),
        }
    }

    fn and_a_move(self) -> Moments {
        Moments {
            mean: self.mean + ONE,
            variance: self.variance,
            fewest: self.fewest + 1,
            most: self.most + 1,
        }
    }
}

fn to_f64(mean: u128) -> f64 {
    mean as f64 / ONE as f64
}
