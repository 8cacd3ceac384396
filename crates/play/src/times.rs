//! How long games took: apart from what they came to, which is the same everywhere.

use std::time::Duration;

/// Times of many games.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// All threads' time at play together.
    pub(crate) busy: Duration,
    /// For each game with a 2048, the time from its start to the first one.
    pub(crate) to_2048: Vec<Duration>,
}

impl Times {
    /// Takes the times of other games in.
    pub fn merge(&mut self, other: Times) {
        self.busy += other.busy;
        self.to_2048.extend(other.to_2048);
    }

    /// All threads' time at play together.
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// The median time from a game's start to its first 2048, if a game had one: at least
    /// half of those games took at most this long.
    pub fn median_to_2048(&self) -> Option<Duration> {
        let mut times = self.to_2048.clone();
        times.sort_unstable();
        times.get(times.len().checked_sub(1)? / 2).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_one_of_the_times() {
        let mut times = Times::default();
        assert_eq!(times.median_to_2048(), None);
        for (seconds, median) in [(5, 5), (1, 1), (3, 3), (2, 2), (9, 3)] {
            times.merge(Times {
                busy: Duration::from_secs(1),
                to_2048: vec![Duration::from_secs(seconds)],
            });
            assert_eq!(times.median_to_2048(), Some(Duration::from_secs(median)));
        }
        assert_eq!(times.busy(), Duration::from_secs(5));
    }
}
