//! Comparing two players on the same dice, with a test that may stop at any time.

use crate::statistics::Interval;

/// How often a comparison of equal players decides for one of them, at most.
const ERROR: f64 = 0.05;
/// Pairs before which nothing is decided: the interval is only right for many.
const LEAST_PAIRS: u64 = 30;

/// The differences of the scores of two players, game by game.
///
/// The interval of the mean difference is a confidence sequence (Waudby-Smith, Arbour, Sinha,
/// Kennedy and Ramdas 2024): in 95 % of comparisons it has the true difference in it after every
/// game. So one may look after every game, and stop as soon as 0 is outside. An interval for a
/// fixed number of games would be narrower, and wrong when looked at often.
///
/// ```
/// use tilebase_play::Comparison;
///
/// let mut comparison = Comparison::new(100);
/// for game in 0..100 {
///     comparison.add(1000 + game % 7, 900 + game % 5);
/// }
/// assert!(comparison.decided().unwrap().is_gt());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What the interval is narrowest for.
    games: u64,
    pairs: u64,
    mean: f64,
    /// Sum of the squares of the differences from the mean.
    squares: f64,
}

impl Comparison {
    /// A comparison of up to `games` pairs of games.
    pub fn new(games: u64) -> Comparison {
        Comparison {
            games,
            pairs: 0,
            mean: 0.0,
            squares: 0.0,
        }
    }

    /// Adds the scores of the first and of the second player in a game with the same dice.
    pub fn add(&mut self, first: u128, second: u128) {
        let difference = first as f64 - second as f64;
        self.pairs += 1;
        // Welford's update.
        let before = difference - self.mean;
        self.mean += before / self.pairs as f64;
        self.squares += before * (difference - self.mean);
    }

    /// Pairs of games so far.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The mean of the first player's score less the second's, if there was a game.
    pub fn mean(&self) -> Option<f64> {
        (self.pairs > 0).then_some(self.mean)
    }

    /// The interval of the mean, once there are enough games.
    pub fn interval(&self) -> Option<Interval> {
        if self.pairs < LEAST_PAIRS {
            return None;
        }
        let n = self.pairs as f64;
        let deviation = (self.squares / (n - 1.0)).sqrt();
        // Narrowest after half of the games.
        let narrowest = (self.games as f64 / 2.0).max(LEAST_PAIRS as f64);
        let tail = -2.0 * libm::log(ERROR);
        let rate = (tail + libm::log(tail + 1.0)) / narrowest;
        let spread = n * rate + 1.0;
        let width = (2.0 * spread / (n * n * rate) * libm::log(spread.sqrt() / ERROR)).sqrt();
        Some(Interval {
            low: self.mean - deviation * width,
            high: self.mean + deviation * width,
        })
    }

    /// Whether the first player is better (`Greater`) or worse (`Less`), once that is decided.
    pub fn decided(&self) -> Option<std::cmp::Ordering> {
        let interval = self.interval()?;
        match () {
            () if interval.low > 0.0 => Some(std::cmp::Ordering::Greater),
            () if interval.high < 0.0 => Some(std::cmp::Ordering::Less),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use tilebase_game::Rng;

    use super::*;

    /// A score like those of games: skewed, a third of them much higher.
    fn score(rng: &mut Rng) -> u128 {
        let base = 1000 + u128::from(rng.below(2000));
        if rng.below(3) == 0 { 3 * base } else { base }
    }

    /// Equal players: with a look after every game a wrong decision comes in at most 5 % of
    /// comparisons, where an interval for a fixed number would give three times as many.
    #[test]
    fn equal_players_are_seldom_told_apart() {
        let mut rng = Rng::new(3);
        let (mut wrong, mut fixed) = (0, 0);
        const TRIALS: u32 = 2000;
        for _ in 0..TRIALS {
            let mut comparison = Comparison::new(300);
            let (mut decided, mut outside) = (false, false);
            for _ in 0..300 {
                comparison.add(score(&mut rng), score(&mut rng));
                decided |= comparison.decided().is_some();
                let n = comparison.pairs() as f64;
                let error = (comparison.squares / (n - 1.0) / n).sqrt();
                outside |= n >= LEAST_PAIRS as f64 && comparison.mean.abs() > 1.96 * error;
            }
            wrong += u32::from(decided);
            fixed += u32::from(outside);
        }
        // 5 % is 100; the bound is not tight.
        assert!(wrong <= 100, "{wrong}");
        assert!(fixed > 200, "{fixed}");
    }

    #[test]
    fn a_real_difference_is_found_early() {
        let mut rng = Rng::new(4);
        let mut comparison = Comparison::new(2000);
        while comparison.decided().is_none() {
            comparison.add(score(&mut rng) + 1000, score(&mut rng));
            assert!(comparison.pairs() < 500);
        }
        assert_eq!(comparison.decided(), Some(std::cmp::Ordering::Greater));
        let interval = comparison.interval().unwrap();
        assert!(
            interval.low < 1000.0 && 1000.0 < interval.high,
            "{interval:?}"
        );
        // The other way round.
        let mut other = Comparison::new(100);
        (0..100u32).for_each(|i| other.add(u128::from(i % 3), u128::from(5 + i % 2)));
        assert_eq!(other.decided(), Some(std::cmp::Ordering::Less));
        assert_eq!(Comparison::new(10).mean(), None);
    }

    /// Worked out by hand from the formula in the paper for n = 100, a variance of 4 and an
    /// interval that is narrowest at 100.
    #[test]
    fn the_width_is_that_of_the_paper() {
        let mut comparison = Comparison::new(200);
        for i in 0..100u32 {
            comparison.add(u128::from(10 + 4 * (i % 2)), 10);
        }
        let interval = comparison.interval().unwrap();
        let deviation = (400.0f64 / 99.0).sqrt();
        // rho² = (5.99146 + ln 6.99146) / 100 = 0.0793619; n rho² + 1 = 8.93619.
        let expected = deviation * (2.0 * 8.93619 / (100.0 * 7.93619) * 4.090_72_f64).sqrt();
        assert!(
            (interval.high - 2.0 - expected).abs() < 1e-3,
            "{interval:?}"
        );
        assert!((2.0 - interval.low - expected).abs() < 1e-3);
    }
}
