//! How long games took, kept apart from their results, which are the same on every machine.

use std::time::Duration;

/// Times of many games.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    /// Playing time of all threads together.
    pub(crate) busy: Duration,
    /// For each game with a 2048, the time from its start to the first one.
    pub(crate) to_2048: Vec<Duration>,
}

impl Timing {
    /// Adds the times of other games.
    pub fn merge(&mut self, other: Timing) {
        self.busy += other.busy;
        self.to_2048.extend(other.to_2048);
    }

    /// Playing time of all threads together.
    pub fn busy(&self) -> Duration {
        self.busy
    }

    /// The median time from a game's start to its first 2048, if any game had one. It is the
    /// lower one of an even number of times.
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
        let mut timing = Timing::default();
        assert_eq!(timing.median_to_2048(), None);
        for (seconds, median) in [(5, 5), (1, 1), (3, 3), (2, 2), (9, 3)] {
            timing.merge(Timing {
                busy: Duration::from_secs(1),
                to_2048: vec![Duration::from_secs(seconds)],
            });
            assert_eq!(timing.median_to_2048(), Some(Duration::from_secs(median)));
        }
        assert_eq!(timing.busy(), Duration::from_secs(5));
    }
}
