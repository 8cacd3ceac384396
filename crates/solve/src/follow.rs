//! Following a policy from the start, layer by layer: how likely each state is, how games
//! end, and what each layer's mistakes cost.

use std::collections::VecDeque;

use tilebase_game::Policy;
use tilebase_game::{Board, Representative};
use tilebase_index::BoardSet;
use tilebase_table::{LayerSets, StoredValue, Table, with_value_type};
use tilebase_util::progress::{Progress, Unit};

use crate::backward::Game;
use crate::error::SolveError;
use crate::flow::{Flow, Mass, Step, Telling, turned, weigh, weighed};

/// How likely games go through a layer, and what happens there.
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

/// Where a policy leads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
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

impl Course {
    /// What all mistakes lose together.
    pub fn regret(&self) -> f64 {
        self.layers.iter().map(|layer| layer.regret).sum()
    }
}

/// A state on the way.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// Its board; where the policy turns with the board, the canonical one of its class.
    pub board: Board,
    /// The probability of visiting it.
    pub probability: f64,
    /// The probabilities of the moves made there, by index.
    pub weights: [f64; 4],
}

/// Follows optimal play by a table, or another policy on the table's game, from the random
/// start. `visit` is shown every state that can be visited.
///
/// Of equally good moves optimal play takes the first, in the order of the moves, on the
/// canonical board.
pub fn follow(
    table: &Table,
    policy: Option<&dyn Policy>,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Visit),
) -> Result<Course, SolveError> {
    table.needs_values()?;
    with_value_type!(table.objective(), V => follow_as::<V>(table, policy, progress, visit))
}

/// A layer that probability flows into.
struct Ahead {
    sum: u32,
    sets: LayerSets,
    masses: Vec<Mass>,
}

/// A walk through the layers of a table's game.
struct Walk<'a> {
    table: &'a Table,
    game: Game,
    policy: Option<&'a dyn Policy>,
    telling: Telling,
    /// Start states with their probabilities.
    starts: Vec<(Board, f64)>,
    course: Course,
}

fn follow_as<V: StoredValue>(
    table: &Table,
    policy: Option<&dyn Policy>,
    progress: &dyn Progress,
    visit: &mut dyn FnMut(Visit),
) -> Result<Course, SolveError> {
    let game = Game::new(
        table.variant(),
        table.objective(),
        table.manifest().tie_tolerance,
    )?;
    let telling = match policy {
        Some(policy) if !policy.is_symmetric() => Telling::Images,
        _ => Telling::Classes,
    };
    let of = match telling {
        Telling::Classes => Representative::Canonical,
        Telling::Images => Representative::Itself,
    };
    let (spawn, tiles) = (game.variant.spawn(), game.variant.start_tiles());
    let mut walk = Walk {
        table,
        policy,
        telling,
        starts: game.rules.start_states(spawn, tiles, of),
        course: Course::default(),
        game,
    };
    walk.begin();
    let mut ahead: VecDeque<Ahead> = VecDeque::new();
    progress.begin(Unit::States, Some(table.manifest().states()));
    for entry in table.layers() {
        if progress.interrupted() {
            return Err(SolveError::Interrupted);
        }
        progress.stage(&format!("layer {}", entry.sum));
        // This layer and the two that its spawns lead to.
        for sum in [entry.sum, entry.sum + 2, entry.sum + 4] {
            if ahead.iter().all(|layer| layer.sum != sum)
                && let Some(sets) = table.sets(sum)?
            {
                ahead.push_back(walk.layer(sum, sets));
            }
        }
        if let Some(layer) = ahead.pop_front() {
            walk.leave::<V>(&layer, &mut ahead, visit)?;
        }
        progress.advance(entry.states);
    }
    progress.finish();
    Ok(walk.course)
}

impl Walk<'_> {
    /// Start states that are lost at once are in no layer.
    fn begin(&mut self) {
        for &(board, probability) in &self.starts {
            if self.game.rules.is_lost(board) {
                self.course.lost[usize::from(board.max_exponent())] += probability;
            }
        }
    }

    /// A layer with its start states.
    fn layer(&self, sum: u32, sets: LayerSets) -> Ahead {
        let mut masses = vec![Mass::default(); sets.states.len() as usize * self.telling.images()];
        for &(board, probability) in self.starts.iter().filter(|(board, _)| board.sum() == sum) {
            let index = self.telling.index(&self.game, &sets.states, board);
            if let Some(mass) = index.and_then(|index| masses.get_mut(index)) {
                mass.add(Mass {
                    probability,
                    discounted: probability,
                });
            }
        }
        Ahead { sum, sets, masses }
    }

    /// Passes all that is in a layer on.
    fn leave<V: StoredValue>(
        &mut self,
        layer: &Ahead,
        ahead: &mut VecDeque<Ahead>,
        visit: &mut dyn FnMut(Visit),
    ) -> Result<(), SolveError> {
        let values = &self.table.values::<V>(layer.sum)?[..];
        let mut above = [None, None];
        for next in ahead {
            let at = (next.sum - layer.sum) as usize / 2 - 1;
            above[at] = Some(Flow {
                states: &next.sets.states,
                masses: &mut next.masses,
            });
        }
        let mut flow = LayerFlow {
            sum: layer.sum,
            ..LayerFlow::default()
        };
        let mut step = Step::default();
        // Of this layer alone: adding millions of small numbers to a large one is not precise.
        let (mut moves, mut score) = (0.0, 0.0);
        let mut first = 0;
        let (game, telling) = (&self.game, self.telling);
        let discount = game.objective.discount();
        layer
            .sets
            .states
            .for_each_in(0..usize::MAX, |_, canonical| {
                let masses = &layer.masses[first..first + telling.images()];
                first += telling.images();
                if masses.iter().all(|mass| mass.probability == 0.0) {
                    return;
                }
                for (image, board) in telling.boards(&game.rules, canonical) {
                    let mass = masses[image];
                    if mass.probability == 0.0 {
                        continue;
                    }
                    flow.visited += mass.probability;
                    flow.states += 1;
                    let weights = match self.policy {
                        Some(policy) => {
                            let weights = weigh(self.table, policy, board);
                            let (mistake, regret) =
                                judge(game, board, &layer.sets.afterstates, values, weights);
                            flow.mistakes += mass.probability * mistake;
                            flow.regret += mass.discounted * regret;
                            weights
                        }
                        None => optimal(game, board, &layer.sets.afterstates, values),
                    };
                    visit(Visit {
                        board: self.table.places().shown(board),
                        probability: mass.probability,
                        weights: turned(self.table, weights),
                    });
                    for (m, weight, after) in weighed(&game.rules, board, weights) {
                        let mut moved = mass.times(weight);
                        moves += moved.probability;
                        score += moved.probability * f64::from(game.rules.gain(board, m));
                        moved.discounted *= discount;
                        game.pass_on(telling, moved, after, &mut above, &mut step);
                    }
                }
            });
        self.course.moves += moves;
        self.course.score += score;
        flow.won = step.won.probability;
        flow.lost = step.lost.iter().sum();
        self.course.won += step.won.probability;
        self.course.discounted += step.won.discounted;
        for (total, lost) in self.course.lost.iter_mut().zip(step.lost) {
            *total += lost;
        }
        self.course.layers.push(flow);
        Ok(())
    }
}

/// The first of the best moves, for sure.
fn optimal<V: StoredValue>(
    game: &Game,
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

/// How likely the moves of a weighing are not best ones, and what they lose on average.
fn judge<V: StoredValue>(
    game: &Game,
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
    let mut judged = (0.0, 0.0);
    for (weight, value) in moves {
        if !value.is_best(state, game.tolerance) {
            judged.0 += weight;
            judged.1 += weight * value.loss(state);
        }
    }
    judged
}
