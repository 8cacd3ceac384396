//! A plain walk with hash sets and the naive rules, to count against.

use std::collections::{BTreeMap, HashSet};

use tilebase_game::Variant;
use tilebase_naive::{DIRECTIONS, Position};

/// Classes of live states, lost states and afterstates, by tile sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plain {
    pub states: u64,
    pub lost: u64,
    pub afterstates: u64,
}

/// Walks through the whole game.
pub fn walk(variant: &Variant) -> BTreeMap<u32, Plain> {
    let shape = variant.shape();
    let (rows, cols) = (usize::from(shape.rows()), usize::from(shape.cols()));
    let won = |p: &Position| {
        variant
            .target()
            .is_some_and(|target| p.max_exponent() >= target)
    };
    let mut open: HashSet<Position> =
        HashSet::from([Position::new(rows, cols, &vec![0; rows * cols])]);
    for _ in 0..variant.start_tiles() {
        let drops = |p: &Position| -> Vec<Position> {
            variant
                .spawn()
                .exponents()
                .flat_map(|e| p.drops(e))
                .collect()
        };
        open = open.iter().flat_map(drops).map(|p| p.smallest()).collect();
    }
    let mut open: Vec<Position> = open.into_iter().collect();
    let mut states: HashSet<Position> = open.iter().cloned().collect();
    let mut afterstates: HashSet<Position> = HashSet::new();
    let mut found: BTreeMap<u32, Plain> = BTreeMap::new();
    while let Some(state) = open.pop() {
        let layer = found.entry(state.sum() as u32).or_default();
        if state.is_lost() {
            layer.lost += 1;
            continue;
        }
        layer.states += 1;
        for direction in DIRECTIONS {
            let after = state.slide(direction).0;
            if after == state || won(&after) {
                continue;
            }
            let after = after.smallest();
            if !afterstates.insert(after.clone()) {
                continue;
            }
            found.entry(after.sum() as u32).or_default().afterstates += 1;
            for exponent in variant.spawn().exponents() {
                for next in after.drops(exponent) {
                    let next = next.smallest();
                    if states.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
    }
    found
}
