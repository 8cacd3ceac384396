//! Following a policy from the start, layer by layer: the probability of each state, how games
//! end, and what the mistakes in each layer cost.

use std::collections::VecDeque;

use tilebase_game::{Board, Policy, Representative};
use tilebase_index::BoardSet;
use tilebase_table::{LayerSets, StoredValue, Table, with_value_type};
use tilebase_util::progress::{Progress, Unit};

use crate::backward::LayerSolver;
use crate::error::SolveError;
use crate::flow::{Ends, Granularity, Inflow, Mass, move_probabilities, played_moves, transposed};

/// What happens in a layer under a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerFlow {
    /// Tile sum.
    pub sum: u32,
    /// Probability that the game passes through a live state of the layer.
    pub visited: f64,
    /// States of the layer that can be visited.
    pub states: u64,
    /// Probability that a move from here wins.
    pub won: f64,
    /// Probability that the tile after a move from here loses.
    pub lost: f64,
    /// Probability that the move made here is not a best one.
    pub mistakes: f64,
    /// What the moves made here lose against the best ones, weighted by their probability.
    pub regret: f64,
}

/// How games go under a policy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolicyFlow {
    /// Probability of reaching the target.
    pub won: f64,
    /// Probability of losing, by the exponent of the largest tile at the end.
    pub lost: [f64; 16],
    /// Mean number of moves.
    pub moves: f64,
    /// Mean score.
    pub score: f64,
    /// Mean of the discount to the power of the number of moves to the win.
    pub discounted: f64,
    /// The layers by tile sum.
    pub layers: Vec<LayerFlow>,
}

impl PolicyFlow {
    /// The regret of all layers together.
    pub fn regret(&self) -> f64 {
        self.layers.iter().map(|layer| layer.regret).sum()
    }
}

/// A state that a policy can visit.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Its board; the canonical one of its class where the policy is symmetric.
    pub board: Board,
    /// The probability of visiting it.
    pub probability: f64,
    /// The probabilities of the moves made there, by index.
    pub weights: [f64; 4],
}

/// Follows optimal play by a table, or another policy in the table's game, from the random start.
/// Calls `visit` for every state that can be visited.
///
/// Optimal play breaks ties in the order of the moves, on the canonical board.
pub fn follow(
    table: &Table,
    policy: Option<&dyn Policy>,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Visit),
) -> Result<PolicyFlow, SolveError> {
    table.needs_values()?;
    with_value_type!(table.objective(), V => follow_as::<V>(table, policy, progress, visit))
}

/// A layer that probability flows into.
struct PendingLayer {
    sum: u32,
    sets: LayerSets,
    masses: Vec<Mass>,
}

/// A forward pass through the layers of a table's game.
struct ForwardPass<'a> {
    table: &'a Table,
    game: LayerSolver,
    policy: Option<&'a dyn Policy>,
    granularity: Granularity,
    /// Start states with their probabilities.
    starts: Vec<(Board, f64)>,
    flow: PolicyFlow,
}

fn follow_as<V: StoredValue>(
    table: &Table,
    policy: Option<&dyn Policy>,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Visit),
) -> Result<PolicyFlow, SolveError> {
    let mut pass = ForwardPass::new(table, policy);
    let mut pending: VecDeque<PendingLayer> = VecDeque::new();
    progress.begin(Unit::States, Some(table.manifest().states()));
    for entry in table.layers() {
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        progress.stage(&format!("layer {}", entry.sum));
        // This layer and the two that its spawns lead to.
        for sum in [entry.sum, entry.sum + 2, entry.sum + 4] {
            if pending.iter().all(|layer| layer.sum != sum)
                && let Some(sets) = table.sets(sum)?
            {
                pending.push_back(pass.layer(sum, sets));
            }
        }
        if let Some(layer) = pending.pop_front() {
            if !pass.prepare(&layer) {
                return Err(SolveError::Interrupted);
            }
            pass.leave::<V>(&layer, &mut pending, visit)?;
        }
        progress.advance(entry.states);
    }
    progress.finish();
    Ok(pass.flow)
}

/// The sums over one layer. They are kept apart from the totals: adding millions of small numbers
/// to a large one is not precise.
#[derive(Default)]
struct LayerTotals {
    flow: LayerFlow,
    ends: Ends,
    moves: f64,
    score: f64,
}

impl ForwardPass<'_> {
    fn new<'a>(table: &'a Table, policy: Option<&'a dyn Policy>) -> ForwardPass<'a> {
        let game = LayerSolver::of_table(table);
        // Optimal play is decided on canonical boards.
        let granularity = policy.map_or(Granularity::Classes, Granularity::of);
        let representative = match granularity {
            Granularity::Classes => Representative::Canonical,
            Granularity::Images => Representative::Itself,
        };
        let (spawn, tiles) = (game.variant.spawn(), game.variant.start_tiles());
        let starts = game.rules.start_states(spawn, tiles, representative);
        let mut flow = PolicyFlow::default();
        // Start states that are lost at once are in no layer.
        for &(board, probability) in &starts {
            if game.rules.is_lost(board) {
                flow.lost[usize::from(game.rules.max_exponent(board))] += probability;
            }
        }
        ForwardPass {
            table,
            game,
            policy,
            granularity,
            starts,
            flow,
        }
    }

    /// A layer with its start states.
    fn layer(&self, sum: u32, sets: LayerSets) -> PendingLayer {
        let entries = sets.states.len() as usize * self.granularity.images();
        let mut masses = vec![Mass::default(); entries];
        let rules = &self.game.rules;
        let starts = self.starts.iter();
        for &(board, probability) in starts.filter(|(board, _)| rules.sum(*board) == sum) {
            let index = self.granularity.index(&self.game, &sets.states, board);
            if let Some(mass) = index.and_then(|index| masses.get_mut(index)) {
                mass.add(Mass {
                    probability,
                    discounted: probability,
                });
            }
        }
        PendingLayer { sum, sets, masses }
    }

    /// Tells the policy which boards come next.
    fn prepare(&self, layer: &PendingLayer) -> bool {
        let Some(policy) = self.policy else {
            return true;
        };
        policy.prepare(&|take| {
            let mut masses = layer.masses.chunks(self.granularity.images());
            layer
                .sets
                .states
                .for_each_in(0..usize::MAX, |_, canonical| {
                    let masses = masses.next().unwrap_or_default();
                    if masses.iter().all(|mass| mass.probability == 0.0) {
                        return;
                    }
                    for (image, board) in self.granularity.boards(&self.game.rules, canonical) {
                        if masses[image].probability > 0.0 {
                            take(self.table.index().in_shape(board));
                        }
                    }
                });
        })
    }

    /// Moves everything in a layer on.
    fn leave<V: StoredValue>(
        &mut self,
        layer: &PendingLayer,
        pending: &mut VecDeque<PendingLayer>,
        visit: &mut dyn FnMut(Visit),
    ) -> Result<(), SolveError> {
        let values = &self.table.values::<V>(layer.sum)?[..];
        let mut above = [None, None];
        for next in pending {
            let at = (next.sum - layer.sum) as usize / 2 - 1;
            above[at] = Some(Inflow {
                states: &next.sets.states,
                masses: &mut next.masses,
            });
        }
        let mut totals = LayerTotals::default();
        totals.flow.sum = layer.sum;
        let mut first = 0;
        let images = self.granularity.images();
        layer
            .sets
            .states
            .for_each_in(0..usize::MAX, |_, canonical| {
                let masses = &layer.masses[first..first + images];
                first += images;
                if masses.iter().all(|mass| mass.probability == 0.0) {
                    return;
                }
                for (image, board) in self.granularity.boards(&self.game.rules, canonical) {
                    let mass = masses[image];
                    if mass.probability > 0.0 {
                        let afterstates = &layer.sets.afterstates;
                        let weights = self.weights(board, afterstates, values, mass, &mut totals);
                        visit(Visit {
                            board: self.table.index().in_shape(board),
                            probability: mass.probability,
                            weights: transposed(self.table, weights),
                        });
                        self.play(board, weights, mass, &mut above, &mut totals);
                    }
                }
            });
        self.add(totals);
        Ok(())
    }

    /// The probabilities of the moves of a state. Counts its mistakes and its regret.
    fn weights<V: StoredValue>(
        &self,
        board: Board,
        afterstates: &BoardSet,
        values: &[V],
        mass: Mass,
        totals: &mut LayerTotals,
    ) -> [f64; 4] {
        let flow = &mut totals.flow;
        flow.visited += mass.probability;
        flow.states += 1;
        match self.policy {
            Some(policy) => {
                let weights = move_probabilities(self.table, policy, board);
                let (mistake, regret) =
                    mistake_and_regret(&self.game, board, afterstates, values, weights);
                flow.mistakes += mass.probability * mistake;
                flow.regret += mass.discounted * regret;
                weights
            }
            None => optimal(&self.game, board, afterstates, values),
        }
    }

    /// Makes the moves of a state.
    fn play(
        &self,
        board: Board,
        weights: [f64; 4],
        mass: Mass,
        above: &mut [Option<Inflow>; 2],
        totals: &mut LayerTotals,
    ) {
        let game = &self.game;
        for (m, weight, after) in played_moves(&game.rules, board, weights) {
            let mut moved = mass.times(weight);
            totals.moves += moved.probability;
            totals.score += moved.probability * f64::from(game.rules.score(board, m));
            moved.discounted *= game.objective.discount();
            game.pass_on(self.granularity, moved, after, above, &mut totals.ends);
        }
    }

    /// Adds the sums over a layer to the totals.
    fn add(&mut self, totals: LayerTotals) {
        let LayerTotals {
            mut flow,
            ends,
            moves,
            score,
        } = totals;
        flow.won = ends.won.probability;
        flow.lost = ends.lost.iter().sum();
        self.flow.moves += moves;
        self.flow.score += score;
        self.flow.won += ends.won.probability;
        self.flow.discounted += ends.won.discounted;
        for (total, lost) in self.flow.lost.iter_mut().zip(ends.lost) {
            *total += lost;
        }
        self.flow.layers.push(flow);
    }
}

/// The first of the best moves, with probability 1.
fn optimal<V: StoredValue>(
    game: &LayerSolver,
    board: Board,
    afterstates: &BoardSet,
    values: &[V],
) -> [f64; 4] {
    let mut weights = [0.0; 4];
    if let Some((m, _)) = game.best_move(board, afterstates, values) {
        weights[m.index()] = 1.0;
    }
    weights
}

/// The probability that the move is not a best one, and the expected loss.
fn mistake_and_regret<V: StoredValue>(
    game: &LayerSolver,
    board: Board,
    afterstates: &BoardSet,
    values: &[V],
    weights: [f64; 4],
) -> (f64, f64) {
    let mut moves = Vec::with_capacity(4);
    game.moves(board, afterstates, values, |m, _, value: V| {
        moves.push((weights[m.index()], value));
    });
    let all: Vec<V> = moves.iter().map(|&(_, value)| value).collect();
    let state = V::of_state(all.into_iter(), game.tolerance);
    let (mut mistake, mut regret) = (0.0, 0.0);
    for (weight, value) in moves {
        if !value.is_best(state, game.tolerance) {
            mistake += weight;
            regret += weight * value.loss(state);
        }
    }
    (mistake, regret)
}
