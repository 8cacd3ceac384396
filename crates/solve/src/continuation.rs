//! One position solved: all that can follow from it, and nothing else.
//!
//! A whole game may be far too large to be solved while a user waits, and what can follow from
//! one of its positions quite small, in particular where the target is near. The states that can
//! follow are listed layer by layer in sorted lists, on one thread and in memory, and valued from
//! the last layer down with the arithmetic of tables.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use tilebase_game::{Board, Move, Rules, Status, TooLarge, Variant};
use tilebase_table::{Objective, Probability, Probe, ProbedMove, StoredValue};
use tilebase_util::progress::Progress;

/// Moves whose values differ by at most this fraction are ties.
const TIE_TOLERANCE: f64 = 1e-12;
/// Boards after which the time is looked at.
const TASK: usize = 1 << 14;

/// All that can follow from a position, with the probability of winning under best play.
///
/// ```
/// use tilebase_game::Variant;
/// use tilebase_solve::Continuation;
/// use tilebase_util::progress::Silent;
///
/// let variant: Variant = "3x3-to-32-formation-free6".parse().unwrap();
/// let board = variant.parse_board("#,#,#/16,8,2/.,.,4").unwrap();
/// let solved = Continuation::solve(&variant, board, 100_000, &Silent).unwrap().unwrap();
/// let probe = solved.probe(board).unwrap();
/// assert!(probe.value.unwrap().value.unwrap() > 0.5);
/// ```
pub struct Continuation {
    variant: Variant,
    rules: Rules,
    /// The position, canonical.
    first: Board,
    /// By tile sum.
    layers: BTreeMap<u32, ContinuationLayer>,
}

/// The states and afterstates with one tile sum, canonical and sorted, with their values.
#[derive(Default)]
struct ContinuationLayer {
    states: Vec<Board>,
    state_values: Vec<Probability>,
    afterstates: Vec<Board>,
    afterstate_values: Vec<Probability>,
}

impl Continuation {
    /// Solves a position. `None` if more than `limit` states and afterstates can follow, or if it
    /// is interrupted.
    pub fn solve(
        variant: &Variant,
        board: Board,
        limit: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Continuation>, TooLarge> {
        let rules = Rules::of(variant)?;
        let mut continuation = Continuation {
            variant: *variant,
            rules,
            first: rules.canonical(board),
            layers: BTreeMap::new(),
        };
        let done = continuation.list(board, limit, progress).is_some()
            && continuation.value(progress).is_some();
        Ok(done.then_some(continuation))
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// Number of states and afterstates.
    pub fn len(&self) -> usize {
        let layers = self.layers.values();
        layers.map(ContinuationLayer::len).sum()
    }

    /// Whether nothing can follow: the position is won or lost.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Lists all states and afterstates. `None` if there are too many, or if it is interrupted.
    fn list(&mut self, board: Board, limit: usize, progress: &dyn Progress) -> Option<()> {
        let mut waiting: BTreeMap<u32, Vec<Board>> = BTreeMap::new();
        if !self.variant.is_won(board) {
            waiting.insert(self.rules.sum(board), vec![self.first]);
        }
        let mut known = 0;
        while let Some((sum, mut states)) = waiting.pop_first() {
            states.sort_unstable();
            states.dedup();
            let mut layer = ContinuationLayer::default();
            for &state in &states {
                let slides = self.rules.slides(state);
                let slides = slides.into_iter().filter(|&after| after != state);
                let is_live = slides.clone().next().is_some();
                // Nothing is better than to win at once, so what else could be done there does
                // not matter, unless it is asked for.
                let wins_now = slides.clone().any(|after| self.variant.is_won(after));
                if !wins_now || state == self.first {
                    let open = slides.filter(|&after| !self.variant.is_won(after));
                    layer
                        .afterstates
                        .extend(open.map(|after| self.rules.canonical(after)));
                }
                // A state without a slide is lost, and not listed.
                if is_live {
                    layer.states.push(state);
                }
            }
            layer.afterstates.sort_unstable();
            layer.afterstates.dedup();
            known += layer.len();
            for (at, &after) in layer.afterstates.iter().enumerate() {
                if known > limit || (at % TASK == 0 && progress.interrupted()) {
                    return None;
                }
                for exponent in self.variant.spawn().exponents() {
                    let next = waiting.entry(sum + (1 << exponent)).or_default();
                    let drops = self.rules.drops(after, exponent);
                    next.extend(drops.map(|board| self.rules.canonical(board)));
                }
            }
            if !layer.states.is_empty() {
                self.layers.insert(sum, layer);
            }
        }
        Some(())
    }

    /// Values everything, from the last layer down. `None` if it is interrupted.
    fn value(&mut self, progress: &dyn Progress) -> Option<()> {
        let sums: Vec<u32> = self.layers.keys().rev().copied().collect();
        for sum in sums {
            let mut layer = self.layers.remove(&sum)?;
            let mut values = Vec::with_capacity(layer.afterstates.len());
            for (at, &after) in layer.afterstates.iter().enumerate() {
                if at % TASK == 0 && progress.interrupted() {
                    return None;
                }
                values.push(self.spawn_mean(sum, after));
            }
            layer.afterstate_values = values;
            let values = layer.states.iter().map(|&state| {
                let slides = self.rules.slides(state).into_iter();
                let slides = slides.filter(|&after| after != state);
                let moves = slides.map(|after| self.move_value(&layer, after));
                let moves: Vec<Probability> = moves.collect();
                Probability::of_state(moves.into_iter(), TIE_TOLERANCE)
            });
            layer.state_values = values.collect();
            self.layers.insert(sum, layer);
        }
        Some(())
    }

    /// The mean over the spawns on an afterstate.
    fn spawn_mean(&self, sum: u32, after: Board) -> Probability {
        let spawn = self.variant.spawn();
        let mut sums = [<Probability as StoredValue>::Sum::default(); 2];
        for (total, exponent) in sums.iter_mut().zip(1u8..) {
            if spawn.weight(exponent) == 0 {
                continue;
            }
            let layer = self.layers.get(&(sum + (1 << exponent)));
            for board in self.rules.drops(after, exponent) {
                let canonical = self.rules.canonical(board);
                let value = layer.and_then(|layer| layer.state_value(canonical));
                Probability::add(total, value.unwrap_or(Probability::LOST));
            }
        }
        let cells = f64::from(self.rules.empty_cells(after).count_ones());
        let probabilities = [spawn.probability(1), spawn.probability(2)];
        Probability::mean(sums[0], sums[1], probabilities, cells)
    }

    /// The value of a move to an afterstate of a layer.
    fn move_value(&self, layer: &ContinuationLayer, after: Board) -> Probability {
        if self.variant.is_won(after) {
            return Probability::won(&Objective::Win);
        }
        let found = layer
            .afterstates
            .binary_search(&self.rules.canonical(after));
        let value = found.ok().and_then(|at| layer.afterstate_values.get(at));
        value.copied().unwrap_or(Probability::LOST)
    }

    /// The value of a position that can follow and of its moves, best first. `None` if it cannot
    /// follow, and for positions, other than the first, that can be won at once.
    pub fn probe(&self, board: Board) -> Option<Probe> {
        let mut slides = self.rules.slides(board).into_iter();
        let wins_now = slides.any(|after| after != board && self.variant.is_won(after));
        if wins_now && self.rules.canonical(board) != self.first {
            return None;
        }
        let layer = self.layers.get(&self.rules.sum(board))?;
        let state = layer.state_value(self.rules.canonical(board))?;
        let mut moves: Vec<(Probability, ProbedMove)> = Vec::new();
        for (m, after) in Move::ALL.into_iter().zip(self.rules.slides(board)) {
            if after == board {
                continue;
            }
            let value = self.move_value(layer, after);
            let canonical = self.rules.canonical(after);
            let same_as = moves
                .iter()
                .find(|(_, other)| self.rules.canonical(other.afterstate) == canonical);
            let probed = ProbedMove {
                direction: m,
                afterstate: after,
                score: self.rules.score(board, m),
                wins_now: self.variant.is_won(after),
                value: Some(value.to_value()),
                loss: Some(value.loss(state)),
                best: value.is_best(state, TIE_TOLERANCE),
                same_as: same_as.map(|(_, other)| other.direction),
            };
            moves.push((value, probed));
        }
        // Best first, ties in the order of the moves.
        moves.sort_by(|(a, x), (b, y)| match (x.best, y.best) {
            (true, true) => Ordering::Equal,
            (false, false) => b.compare(*a),
            (x, y) => y.cmp(&x),
        });
        Some(Probe {
            board,
            status: Status::Live,
            value: Some(state.to_value()),
            moves: moves.into_iter().map(|(_, probed)| probed).collect(),
        })
    }
}

impl ContinuationLayer {
    fn len(&self) -> usize {
        self.states.len() + self.afterstates.len()
    }

    /// The value of a canonical state, if it is live.
    fn state_value(&self, canonical: Board) -> Option<Probability> {
        let at = self.states.binary_search(&canonical).ok()?;
        self.state_values.get(at).copied()
    }
}
