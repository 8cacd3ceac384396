//! Random numbers that are the same on every machine.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, 2018), its state filled by
//! SplitMix64 (Steele, Lea and Flood, 2014). Numbers below a bound come from Lemire's
//! multiplication with rejection (2018), so they are exactly uniform. A seed's games are
//! part of what this crate promises: a change here changes recorded results.

/// A seeded random number generator.
///
/// ```
/// use tilebase_game::Rng;
///
/// let mut a = Rng::new(1);
/// let mut b = Rng::new(1);
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert!(a.below(6) < 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        let mut seed = seed;
        Rng {
            state: std::array::from_fn(|_| split_mix(&mut seed)),
        }
    }

    /// The generator of one game of a seeded series: independent of how many games there
    /// are and of who plays them when.
    pub fn for_game(seed: u64, game: u64) -> Rng {
        let (mut a, mut b) = (seed, game);
        Rng::new(split_mix(&mut a) ^ split_mix(&mut b).rotate_left(32))
    }

    /// The generator in a state that [`Rng::state`] returned.
    pub const fn from_state(state: [u64; 4]) -> Rng {
        Rng { state }
    }

    /// The state, to go on from later.
    pub const fn state(&self) -> [u64; 4] {
        self.state
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let out = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        out
    }

    /// A uniform number below `bound`; 0 if the bound is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        loop {
            let product = (self.next_u64() >> 32) * u64::from(bound);
            let low = product as u32;
            // The low words below a threshold would make some numbers likelier than others. The
            // threshold is below the bound, so it is seldom needed: finding it takes a division.
            if low >= bound || low >= bound.wrapping_neg().checked_rem(bound).unwrap_or(0) {
                return (product >> 32) as u32;
            }
        }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First outputs of the reference implementation for the state 1, 2, 3, 4.
    #[test]
    fn xoshiro_matches_its_reference() {
        let mut rng = Rng {
            state: [1, 2, 3, 4],
        };
        let expected = [41943041, 58720359, 3588806011781223, 3591011842654386];
        assert_eq!(expected, std::array::from_fn(|_| rng.next_u64()));
    }

    /// First outputs of the reference implementation for the seed 1234567.
    #[test]
    fn split_mix_matches_its_reference() {
        let mut state = 1234567;
        let expected = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
        ];
        assert_eq!(expected, std::array::from_fn(|_| split_mix(&mut state)));
    }

    #[test]
    fn numbers_below_a_bound_are_even() {
        let mut rng = Rng::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[rng.below(6) as usize] += 1;
        }
        // Six standard deviations of a binomial with n = 60,000 and p = 1/6.
        assert!(seen.iter().all(|&n| n.abs_diff(10_000) < 548), "{seen:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.below(1), 0);
    }
}
