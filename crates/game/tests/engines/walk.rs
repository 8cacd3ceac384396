//! A plain breadth-first walk through a whole game.

use std::collections::{BTreeSet, VecDeque};

use tilebase_game::{Board, Representative, Rules, Variant};

/// What a walk found.
#[derive(Debug, Default)]
pub struct Walk {
    /// States that are neither won nor lost.
    pub live: BTreeSet<Board>,
    /// Reachable lost states.
    pub lost: BTreeSet<Board>,
    /// Triples of live state, move and successor, where all won states are one successor
    /// and all lost states another.
    pub transitions: usize,
    /// Exponent of the largest tile that ever arises.
    pub largest: u8,
}

/// Walks through all states of a variant from its start states.
pub fn walk(variant: Variant, of: Representative) -> Walk {
    walk_to_sum(variant, of, u32::MAX)
}

/// Walks through all states with at most this tile sum.
pub fn walk_to_sum(variant: Variant, of: Representative, max_sum: u32) -> Walk {
    let rules = Rules::new(variant.shape()).unwrap();
    let spawn = variant.spawn();
    let mut found = Walk::default();
    let mut open: VecDeque<Board> = rules
        .start_states(spawn, variant.start_tiles(), of)
        .into_iter()
        .map(|(board, _)| board)
        .collect();
    let won = |board: Board| variant.target().is_some_and(|target| board.reaches(target));
    while let Some(state) = open.pop_front() {
        found.largest = found.largest.max(state.max_exponent());
        if won(state) || state.sum() > max_sum || found.live.contains(&state) {
            continue;
        }
        if rules.is_lost(state) {
            found.lost.insert(state);
            continue;
        }
        found.live.insert(state);
        for after in rules
            .slides(state)
            .into_iter()
            .filter(|&after| after != state)
        {
            let mut successors = BTreeSet::new();
            for outcome in rules.spawns(after, spawn) {
                let next = rules.representative(outcome.board, of);
                open.push_back(next);
                successors.insert(match next {
                    next if won(next) => (1, Board::EMPTY),
                    next if rules.is_lost(next) => (2, Board::EMPTY),
                    next => (0, next),
                });
            }
            found.transitions += successors.len();
        }
    }
    found
}
