//! Values from "The Mathematics of 2048: Minimum Moves to Win with Markov Chains"
//! (John Lees-Miller, 2017,
//! <https://jdlm.info/articles/2017/08/05/markov-chain-2048.html>).
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_game::Spawn;
use tilebase_plan::lower_bound::{BoundError, BoundGoal, lower_bound};
use tilebase_util::progress::{Silent, StopAfter};

#[test]
fn the_published_chain_is_found() {
    let goal = BoundGoal::new(11, Spawn::STANDARD, 2).unwrap();
    let bound = lower_bound(&goal, &Silent).unwrap();
    // Published to six places; the digits after them follow from the law below.
    assert_eq!(bound.mean, 938.8099173553719);
    assert_eq!(bound.fewest, 519);
    assert_eq!(format!("{:.7}", bound.variance), "69.4766751");
    // 3487 states are published: these, 26 with the target, and the empty one.
    assert_eq!(bound.bags, 3487 - 26 - 1);
}

/// What docs/lower-bound.md says about its table.
#[test]
fn the_numbers_follow_simple_laws() {
    for n in 3..=17u32 {
        let goal = BoundGoal::new(n as u8, Spawn::STANDARD, 2).unwrap();
        let bound = lower_bound(&goal, &Silent).unwrap();
        assert_eq!(bound.fewest, (1 << (n - 2)) + n - 4);
        assert_eq!(bound.most, (1 << (n - 1)) + n - 3);
        let law = f64::from(1 << n) / 2.2 + f64::from(n) - 375.0 / 121.0;
        assert!(n == 3 || (bound.mean - law).abs() < 1e-7, "{n}");
    }
}

/// The largest tile on a 4x4 board. The three ways to the same numbers agree: means in
/// whole numbers, variances by conditioning, and the distribution.
#[test]
fn a_large_target_is_consistent() {
    for (target, spawn, start) in [
        (17, Spawn::STANDARD, 2),
        (13, "2:0.5,4:0.5".parse().unwrap(), 16),
        (9, "2:0.000000001,4:0.999999999".parse().unwrap(), 1),
        (6, Spawn::STANDARD, 1024),
    ] {
        let goal = BoundGoal::new(target, spawn, start).unwrap();
        let bound = lower_bound(&goal, &Silent).unwrap();
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            let all = bound.distribution.iter();
            all.map(|&(moves, p)| f(f64::from(moves)) * p).sum()
        };
        let off = 1e-15 * f64::from(bound.most);
        assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-15 * bound.distribution.len() as f64);
        assert!((sum(&|m| m) / bound.mean - 1.0).abs() < off);
        let variance = sum(&|m| (m - bound.mean).powi(2));
        // A variance near 0 is lost in the rounding of the mean.
        assert!((variance - bound.variance).abs() < off * (bound.variance + 1e-9));
        let moves: Vec<u32> = bound.distribution.iter().map(|&(m, _)| m).collect();
        assert!(moves.is_sorted() && bound.fewest <= moves[0]);
        assert!(*moves.last().unwrap() <= bound.most);
        let middle = f64::from(bound.quantile(0.5));
        assert!((middle - bound.mean).abs() <= bound.standard_deviation() + 1.0);
    }
}

#[test]
fn it_can_be_stopped() {
    let goal = BoundGoal::new(20, Spawn::STANDARD, 2).unwrap();
    assert_eq!(
        lower_bound(&goal, &StopAfter::new(0)),
        Err(BoundError::Interrupted)
    );
}

#[test]
fn goals_out_of_range_say_what_would_be_right() {
    let text = |target, tiles| {
        let goal = BoundGoal::new(target, Spawn::STANDARD, tiles);
        goal.unwrap_err().to_string()
    };
    assert!(text(2, 2).contains("from 8 to 1048576, not 2^2"));
    assert!(text(100, 2).contains("from 8 to 1048576, not 2^100"));
    assert!(text(11, 0).contains("use 1 to 1024"));
    assert!(text(11, 1025).contains("use 1 to 1024"));
}
