//! Statistics: what a sample says about all games.

use std::collections::BTreeMap;

/// Standard deviations on either side of the mean of a normal distribution that hold 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// A range that holds the true value in 95 of 100 samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The 95 % interval of Wilson for a probability, from `hits` in `trials`; 0 to 1 without a
/// trial.
///
/// ```
/// let interval = tilebase_play::wilson(1, 10);
/// assert!((interval.low - 0.017876).abs() < 1e-6);
/// assert!((interval.high - 0.404150).abs() < 1e-6);
/// ```
pub fn wilson(hits: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval {
            low: 0.0,
            high: 1.0,
        };
    }
    let n = trials as f64;
    let (p, z2) = (hits as f64 / n, Z * Z);
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends the interval is exact, without a rounding error.
    Interval {
        low: if hits == 0 { 0.0 } else { middle - half },
        high: if hits >= trials { 1.0 } else { middle + half },
    }
}

/// The 95 % interval of a mean, from a sample's mean, standard deviation and size.
pub(crate) fn normal(mean: f64, deviation: f64, size: u64) -> Interval {
    let half = Z * deviation / (size as f64).sqrt();
    Interval {
        low: mean - half,
        high: mean + half,
    }
}

/// The standard deviation of a sample, given as counts of its values; `None` below two
/// values. The order of a map's keys is fixed, so the sum is always the same.
pub(crate) fn deviation(sample: &BTreeMap<u128, u64>, mean: f64) -> Option<f64> {
    let size: u64 = sample.values().sum();
    let square = |(&value, &count): (&u128, &u64)| (value as f64 - mean).powi(2) * count as f64;
    let sum: f64 = sample.iter().map(square).sum();
    (size >= 2).then(|| (sum / (size - 1) as f64).sqrt())
}

/// The smallest value that at least `percent` of a sample do not exceed.
pub(crate) fn quantile<T: Copy + Ord>(sample: &BTreeMap<T, u64>, percent: u8) -> Option<T> {
    let size: u128 = sample.values().map(|&count| u128::from(count)).sum();
    let rank = (size * u128::from(percent)).div_ceil(100).max(1);
    let mut seen = 0;
    let mut values = sample.iter();
    values
        .find(|&(_, &count)| {
            seen += u128::from(count);
            seen >= rank
        })
        .map(|(&value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    #[test]
    fn quantiles_are_those_of_a_sorted_list() {
        let mut rng = Rng::new(5);
        for size in [1, 2, 3, 19, 20, 21, 99, 100, 101, 1000] {
            let mut list: Vec<u32> = (0..size).map(|_| rng.below(50)).collect();
            let mut sample = BTreeMap::new();
            for &value in &list {
                *sample.entry(value).or_default() += 1;
            }
            list.sort_unstable();
            for percent in 0..=100 {
                let within = |value: u32| list.iter().filter(|&&v| v <= value).count();
                let enough = |&&v: &&u32| within(v) * 100 >= size * usize::from(percent);
                let naive = list.iter().find(enough).copied();
                assert_eq!(quantile(&sample, percent), naive, "{percent} of {size}");
            }
        }
        assert_eq!(quantile(&BTreeMap::<u32, u64>::new(), 50), None);
    }

    /// Worked out by hand with z² = 3.841459: for 81 of 263 (Newcombe, 1998, gives
    /// 0.2553 to 0.3662), 15 of 148 (0.0624 to 0.1605), 0 of 20 (0 to 0.1611) and 1 of 29
    /// (0.0061 to 0.1718).
    #[test]
    fn wilson_agrees_with_published_intervals() {
        for (hits, trials, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (20, 20, 1.0 - 0.1611, 1.0),
        ] {
            let interval = wilson(hits, trials);
            assert!((interval.low - low).abs() < 5.1e-5, "{interval:?}");
            assert!((interval.high - high).abs() < 5.1e-5, "{interval:?}");
        }
        let nothing = wilson(0, 0);
        assert_eq!((nothing.low, nothing.high), (0.0, 1.0));
    }

    #[test]
    fn the_deviation_is_that_of_the_sample() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 32, so 32/7.
        let sample = BTreeMap::from([(2, 1), (4, 3), (5, 2), (7, 1), (9, 1)]);
        let found = deviation(&sample, 5.0).unwrap();
        assert!((found - (32.0f64 / 7.0).sqrt()).abs() < 1e-15);
        assert_eq!(deviation(&BTreeMap::from([(2, 1)]), 2.0), None);
        let interval = normal(5.0, 2.0, 16);
        assert!((interval.low - (5.0 - 0.979_982)).abs() < 1e-6);
        assert!((interval.high - (5.0 + 0.979_982)).abs() < 1e-6);
    }
}
