//! The bound and how it is found.

use tilebase_util::progress::Progress;

use crate::lower_bound::chain::Chain;
use crate::lower_bound::distribution::distribution;
use crate::lower_bound::goal::{BoundError, BoundGoal};
use crate::lower_bound::moments::Moments;

/// How many moves the target takes when all pairs merge in every move.
///
/// The crate's front page says how exact the numbers are.
#[derive(Clone, Debug, PartialEq)]
pub struct LowerBound {
    /// What was asked for.
    pub goal: BoundGoal,
    /// The mean.
    pub mean: f64,
    /// The variance.
    pub variance: f64,
    /// The fewest moves, with the luckiest tiles.
    pub fewest: u32,
    /// The most moves, with the unluckiest tiles.
    pub most: u32,
    /// Numbers of moves, in order and without gaps, with their probabilities. What is less
    /// likely than [`LEAST_LISTED`](crate::lower_bound::LEAST_LISTED) at both ends is left out.
    pub distribution: Vec<(u32, f64)>,
    /// How many bags can arise before the target.
    pub bags: usize,
    /// How many transitions lead from them to bags or to the target.
    pub transitions: usize,
}

impl LowerBound {
    /// The standard deviation.
    pub fn standard_deviation(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The fewest moves within which the target is there with at least this probability.
    ///
    /// ```
    /// use tilebase_plan::lower_bound::{BoundGoal, lower_bound};
    /// use tilebase_game::Spawn;
    /// use tilebase_util::progress::Silent;
    ///
    /// let bound = lower_bound(&BoundGoal::new(3, Spawn::STANDARD, 2)?, &Silent)?;
    /// // Within 1 move with probability 0.01, 2 moves 0.109, 3 moves 0.3439, 4 moves 1.
    /// assert_eq!([0.005, 0.05, 0.3, 0.5].map(|p| bound.quantile(p)), [1, 2, 3, 4]);
    /// # Ok::<(), tilebase_plan::lower_bound::BoundError>(())
    /// ```
    pub fn quantile(&self, probability: f64) -> u32 {
        let mut so_far = 0.0;
        let reached = self.distribution.iter().find(|&&(_, p)| {
            so_far += p;
            so_far >= probability
        });
        // Rounding may keep the sum just below 1.
        reached.map_or(self.most, |&(moves, _)| moves)
    }
}

/// The distribution of the number of moves to a goal when all pairs merge in every move.
///
/// The work is a second for the target 131072 and grows with the target to the power 1.5.
///
/// ```
/// use tilebase_plan::lower_bound::{BoundGoal, lower_bound};
/// use tilebase_game::Spawn;
/// use tilebase_util::progress::Silent;
///
/// // With 2s only there is no chance in it: 2 2, 4 2, 4 2 2, 4 4 2, 8.
/// let bound = lower_bound(&BoundGoal::new(3, Spawn::TWOS, 2)?, &Silent)?;
/// assert_eq!(bound.distribution, [(4, 1.0)]);
/// assert_eq!((bound.mean, bound.variance), (4.0, 0.0));
/// # Ok::<(), tilebase_plan::lower_bound::BoundError>(())
/// ```
pub fn lower_bound(goal: &BoundGoal, progress: &dyn Progress) -> Result<LowerBound, BoundError> {
    let found = find(goal, progress);
    progress.finish();
    found
}

fn find(goal: &BoundGoal, progress: &dyn Progress) -> Result<LowerBound, BoundError> {
    let chain = Chain::new(*goal, progress)?;
    let moments = Moments::of(&chain);
    Ok(LowerBound {
        goal: *goal,
        mean: moments.mean(),
        variance: moments.variance,
        fewest: moments.fewest,
        most: moments.most,
        distribution: distribution(&chain, progress)?,
        bags: chain.bags(),
        transitions: chain.transitions(),
    })
}
