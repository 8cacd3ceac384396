//! How many slides a goal takes at least, wherever tiles lie and fall.

use crate::tile::Tile;

/// Slides until the tiles on the board add up to the goal, and the one that makes it.
///
/// The tile after a slide is at most 2^`spawn`, and the last slide needs none. 0 where the goal
/// is reached.
pub fn sum_bound(tiles: &[Tile], goal: u8, spawn: u8) -> u128 {
    if tiles.iter().any(|tile| tile.exponent() >= goal) {
        return 0;
    }
    let sum: u128 = tiles.iter().map(|tile| 1u128 << tile.exponent()).sum();
    let lacking = (1u128 << goal).saturating_sub(sum);
    1 + lacking.div_ceil(1 << spawn)
}

/// Slides until the tiles that have fallen in time add up to the goal.
///
/// A tile 2^e takes part in g − e merges on its way to the goal 2^g, at most one in a slide. So
/// within k slides only tiles count that are at least 2^(g−k), and of those that fall only the
/// ones after the first k − (g − `spawn`) slides. The least k with which all that counts adds up
/// to the goal is the bound. No more can be said without looking at where tiles lie: it is
/// what `tilebase lower-bound` finds with tiles in a bag.
pub fn merge_bound(tiles: &[Tile], goal: u8, spawn: u8) -> u128 {
    let mut numbers = [0u16; 128];
    for tile in tiles {
        numbers[usize::from(tile.exponent())] += 1;
    }
    least_slides(&numbers, goal, spawn)
}

/// The same, for so many tiles of each exponent.
pub(crate) fn least_slides(numbers: &[u16; 128], goal: u8, spawn: u8) -> u128 {
    let value = |exponent: u8| u128::from(numbers[usize::from(exponent)]) << exponent;
    if numbers[goal.into()..].iter().any(|&number| number > 0) {
        return 0;
    }
    let wanted = 1u128 << goal;
    let mut in_time = 0;
    for slides in 1..goal {
        in_time += value(goal - slides);
        let fallen = slides.saturating_sub(goal - spawn);
        if in_time + (u128::from(fallen) << spawn) >= wanted {
            return slides.into();
        }
    }
    // From here on every tile is in time, the ones that fall after each slide but the last few.
    let lacking = wanted - in_time;
    u128::from(goal - spawn) + lacking.div_ceil(1 << spawn)
}

/// The same where the exponent of the tile after each slide, from 1, is known: 1 or 2.
pub(crate) fn least_slides_with(
    numbers: &[u16; 128],
    goal: u8,
    fallen: impl Fn(u64) -> u8,
) -> u128 {
    let value = |exponent: u8| u128::from(numbers[usize::from(exponent)]) << exponent;
    let wanted = 1u128 << goal;
    let mut in_time = 0;
    for slides in 1u64.. {
        if slides < goal.into() {
            in_time += value(goal - slides as u8);
        }
        // A tile after slide j is in time if j + (goal - exponent) is at most this.
        for exponent in [1, 2] {
            let after = slides.saturating_sub(u64::from(goal - exponent));
            if after > 0 && fallen(after) == exponent {
                in_time += 1 << exponent;
            }
        }
        if in_time >= wanted {
            return slides.into();
        }
    }
    u128::MAX
}
