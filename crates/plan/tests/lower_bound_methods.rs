//! The same numbers by other methods: all courses of play in whole numbers, dice, and
//! games on real boards.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;

use tilebase_game::{Grid, Move, Rng, Spawn, Variant};
use tilebase_plan::lower_bound::{BoundGoal, LowerBound, lower_bound};
use tilebase_util::progress::Silent;

fn bound(target: u8, spawn: &str, start: u16) -> LowerBound {
    let goal = BoundGoal::new(target, spawn.parse().unwrap(), start).unwrap();
    lower_bound(&goal, &Silent).unwrap()
}

/// The move that makes the target, from the tiles that fall alone: by move t half of the
/// tiles 2^(e-1) that had been there by move t-1 have become tiles 2^e. No bag is kept.
/// `None` if more tiles must fall first.
fn win(target: u8, start: usize, falls: &[u8]) -> Option<u32> {
    let mut ever = vec![0usize; usize::from(target) + 1];
    for moves in 0.. {
        let fallen = falls.get(..start + moves)?;
        let before = ever.clone();
        for (e, total) in ever.iter_mut().enumerate().skip(1) {
            let fell = fallen.iter().filter(|&&f| usize::from(f) == e).count();
            *total = fell + if moves > 0 { before[e - 1] / 2 } else { 0 };
        }
        // The next move needs two halves of the target.
        if ever[usize::from(target) - 1] >= 2 {
            return Some(moves as u32 + 1);
        }
    }
    None
}

/// The weight of every number of moves, in tenths to the power of the tiles that fell.
type Weights = BTreeMap<u32, u128>;

/// All sequences of tiles, one by one.
fn by_sequences(target: u8, start: usize, tenths: [u128; 2]) -> Weights {
    fn go(target: u8, start: usize, tenths: [u128; 2], falls: &mut Vec<u8>, out: &mut Weights) {
        if let Some(moves) = win(target, start, falls) {
            let weight = falls
                .iter()
                .map(|&f| tenths[usize::from(f) - 1])
                .product::<u128>();
            *out.entry(moves).or_default() += weight;
            return;
        }
        for tile in [1, 2] {
            if tenths[usize::from(tile) - 1] > 0 {
                falls.push(tile);
                go(target, start, tenths, falls, out);
                falls.pop();
            }
        }
    }
    let mut out = Weights::new();
    go(target, start, tenths, &mut Vec::new(), &mut out);
    out
}

/// Sorted lists of tiles, move by move.
fn by_lists(target: u8, start: usize, tenths: [u128; 2]) -> Weights {
    let fall = |tiles: &[u8], weight: u128, into: &mut BTreeMap<Vec<u8>, u128>| {
        for tile in [1, 2] {
            let factor = tenths[usize::from(tile) - 1];
            if factor > 0 {
                let mut more = tiles.to_vec();
                more.push(tile);
                more.sort_unstable();
                *into.entry(more).or_default() += factor * weight;
            }
        }
    };
    let mut now = BTreeMap::from([(Vec::new(), 1)]);
    for _ in 0..start {
        let mut next = BTreeMap::new();
        now.iter()
            .for_each(|(tiles, &weight)| fall(tiles, weight, &mut next));
        now = next;
    }
    let mut out = Weights::new();
    for moves in 1.. {
        let mut next = BTreeMap::new();
        for (tiles, &weight) in &now {
            let merged: Vec<u8> = tiles
                .chunk_by(|a, b| a == b)
                .flat_map(|equal| equal.chunks(2))
                .map(|pair| pair[0] + (pair.len() - 1) as u8)
                .collect();
            if merged.contains(&target) {
                *out.entry(moves).or_default() += weight;
            } else {
                fall(&merged, weight, &mut next);
            }
        }
        if next.is_empty() {
            break;
        }
        now = next;
    }
    out
}

/// Compares a bound with exact weights. Moments are taken about a number near the mean, so
/// that they fit 128 bits.
fn agree(found: &LowerBound, start: usize, exact: &Weights) {
    let tiles = |moves: u32| start as u32 + moves - 1;
    let (&fewest, _) = exact.first_key_value().unwrap();
    let (&most, _) = exact.last_key_value().unwrap();
    assert_eq!((found.fewest, found.most), (fewest, most));
    assert_eq!(found.distribution.len(), (fewest..=most).count());
    let one = 10i128.pow(tiles(most));
    let near = found.mean.round() as i128;
    let mut sums = [0i128; 3];
    for &(moves, probability) in &found.distribution {
        let weight = exact.get(&moves).copied().unwrap_or(0);
        let expected = weight as f64 / 10f64.powi(tiles(moves) as i32);
        assert!(
            (probability - expected).abs() <= 2e-14 * expected,
            "{moves}"
        );
        let mut power = (weight * 10u128.pow(most - moves)) as i128;
        for sum in &mut sums {
            *sum += power;
            power *= i128::from(moves) - near;
        }
    }
    assert_eq!(sums[0], one, "the weights are all there is");
    let [first, second] = [sums[1], sums[2]].map(|sum| sum as f64 / one as f64);
    assert!((found.mean - (near as f64 + first)).abs() <= found.mean * f64::EPSILON);
    let variance = second - first * first;
    assert!((found.variance - variance).abs() <= 2e-14 * variance.max(1e-3));
}

#[test]
fn all_sequences_of_tiles_agree() {
    for (target, start) in [(3, 1), (3, 2), (3, 5), (4, 1), (4, 2), (4, 4), (5, 2)] {
        for (spawn, tenths) in [
            ("2:0.9,4:0.1", [9, 1]),
            ("2:0.3,4:0.7", [3, 7]),
            ("2:1", [10, 0]),
            ("4:1", [0, 10]),
        ] {
            let found = bound(target, spawn, start);
            let start = usize::from(start);
            agree(&found, start, &by_sequences(target, start, tenths));
            agree(&found, start, &by_lists(target, start, tenths));
        }
    }
}

#[test]
fn lists_of_tiles_agree_to_64() {
    for target in 3..=6 {
        agree(
            &bound(target, "2:0.9,4:0.1", 2),
            2,
            &by_lists(target, 2, [9, 1]),
        );
    }
}

/// Seeded, so that it passes always or never; the limits are four standard errors.
#[test]
fn dice_agree() {
    let (target, games) = (9u8, 20_000u32);
    let found = bound(target, "2:0.9,4:0.1", 2);
    let mut rng = Rng::new(2048);
    let (mut sum, mut squares, mut soon) = (0.0, 0.0, 0);
    for _ in 0..games {
        let mut tiles = vec![0u32; usize::from(target) + 1];
        let mut fall = |tiles: &mut [u32]| tiles[if rng.below(10) == 0 { 2 } else { 1 }] += 1;
        fall(&mut tiles);
        fall(&mut tiles);
        let mut moves = 0;
        loop {
            moves += 1;
            // From above, so that new tiles are not met again.
            for e in (1..usize::from(target)).rev() {
                tiles[e + 1] += tiles[e] / 2;
                tiles[e] %= 2;
            }
            if tiles[usize::from(target)] > 0 {
                break;
            }
            fall(&mut tiles);
        }
        sum += f64::from(moves);
        squares += (f64::from(moves) - found.mean).powi(2);
        soon += u32::from(moves <= found.quantile(0.25));
    }
    let n = f64::from(games);
    let error = found.standard_deviation() / n.sqrt();
    assert!((sum / n - found.mean).abs() < 4.0 * error);
    // The distribution is close to normal, so its variance varies by this fraction.
    assert!((squares / n / found.variance - 1.0).abs() < 4.0 * (2.0 / n).sqrt());
    let listed = found.distribution.iter();
    let quarter: f64 = listed
        .filter(|&&(moves, _)| moves <= found.quantile(0.25))
        .map(|&(_, p)| p)
        .sum();
    let error = (quarter * (1.0 - quarter) / n).sqrt();
    assert!((f64::from(soon) / n - quarter).abs() < 4.0 * error);
}

/// Whoever plays on whatever board: the bag is there first, if the same tiles fall.
#[test]
fn no_game_on_a_board_is_faster() {
    let (mut won, mut gap) = (0, u32::MAX);
    for (shape, target) in [("2x2", 4), ("3x3", 5), ("4x4", 7), ("5x6", 8)] {
        for game in 0..300 {
            let mut rng = Rng::for_game(7, game);
            let mut grid = Grid::empty(shape.parse().unwrap());
            let mut falls = Vec::new();
            let mut fall = |grid: &mut Grid, rng: &mut Rng| {
                let (row, col) = grid.spawn(Spawn::STANDARD, rng).unwrap();
                falls.push(grid.get(row, col));
            };
            (0..Variant::START_TILES).for_each(|_| fall(&mut grid, &mut rng));
            let mut moves = 0u32;
            // Some games are played at random, some for the score.
            while let Some((next, _)) =
                Move::ALL
                    .iter()
                    .filter_map(|&m| grid.after(m))
                    .max_by_key(|(_, score)| {
                        score * u128::from(game % 3) * 8 + u128::from(rng.below(4))
                    })
            {
                grid = next;
                moves += 1;
                if grid.max_exponent() >= target {
                    let least = win(target, 2, &falls).unwrap();
                    assert!(least <= moves, "{shape}: {least} and {moves}");
                    gap = gap.min(moves - least);
                    won += 1;
                    break;
                }
                fall(&mut grid, &mut rng);
            }
        }
    }
    assert!(won > 500 && gap < 3, "{won} {gap}");
}
