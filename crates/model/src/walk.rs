//! The search that lists the states of a game.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tilebase_game::{Board, MoveSet, Representative, Rules, Spawn, Variant};

use crate::error::ModelError;
use crate::fraction::{Fraction, divisor};
use crate::model::{Action, Outcome, Reduction, State, StateId};

/// Lists the states of a game.
pub(crate) struct Walk {
    variant: Variant,
    rules: Rules,
    reduction: Reduction,
    representative: Representative,
    /// The exponents that spawn, with their weights.
    spawns: Vec<(u8, u64)>,
}

/// A slide's result.
struct Slide {
    after: Board,
    moves: MoveSet,
    score: u32,
}

impl Walk {
    pub(crate) fn new(
        variant: &Variant,
        reduction: Reduction,
        representative: Representative,
    ) -> Result<Walk, ModelError> {
        let rules = Rules::of(variant).map_err(ModelError::Shape)?;
        let spawn = variant.spawn();
        // Nine tenths are 9 of 10, not 900000000 of a billion.
        let unit = divisor(spawn.weight(1).into(), Spawn::ONE.into()) as u64;
        let weight = |e| (e, u64::from(spawn.weight(e)) / unit);
        Ok(Walk {
            variant: *variant,
            rules,
            reduction,
            representative,
            spawns: spawn.exponents().map(weight).collect(),
        })
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// All live states by sum and number, and the probability that a start state is lost.
    pub(crate) fn states(&self, limit: usize) -> Result<(Vec<State>, Fraction), ModelError> {
        let limit = limit.min(u32::MAX as usize);
        let starts = self.starts()?;
        let boards = self.boards(&starts, limit)?;
        let ids: HashMap<Board, u32> = boards.iter().copied().zip(0..).collect();
        let state = |&board: &Board| State {
            board,
            sum: self.rules.sum(board),
            start: starts.get(&board).copied().unwrap_or(Fraction::ZERO),
            actions: self.actions(board, &ids),
        };
        let states = boards.iter().map(state).collect();
        let mut lost = Fraction::ZERO;
        for (&board, &probability) in &starts {
            if self.rules.is_lost(board) {
                lost = lost
                    .checked_add(probability)
                    .ok_or_else(|| self.too_fine())?;
            }
        }
        Ok((states, lost))
    }

    /// The error for probabilities that need too many digits.
    fn too_fine(&self) -> ModelError {
        ModelError::Start(Box::new(self.variant))
    }

    /// The start states with their probabilities.
    fn starts(&self) -> Result<BTreeMap<Board, Fraction>, ModelError> {
        let placements = self.rules.wall_placements();
        let share = Fraction::new(1, placements.len().max(1) as u128);
        let walls = placements.into_iter().map(|walls| (walls, share));
        let mut boards: BTreeMap<Board, Fraction> = walls.collect();
        for _ in 0..self.variant.start_tiles() {
            let mut next = BTreeMap::new();
            for (&board, &probability) in &boards {
                let (spawned, whole) = self.spawned(board);
                for (after, weight) in spawned {
                    let share = Fraction::new(weight.into(), whole.into());
                    let sum = next.entry(after).or_insert(Fraction::ZERO);
                    *sum = probability
                        .checked_mul(share)
                        .and_then(|both| sum.checked_add(both))
                        .ok_or_else(|| self.too_fine())?;
                }
            }
            boards = next;
        }
        Ok(boards)
    }

    /// The live boards by sum and number. The sum grows with every spawn, so each layer is
    /// complete once all layers before it are done.
    fn boards(
        &self,
        starts: &BTreeMap<Board, Fraction>,
        limit: usize,
    ) -> Result<Vec<Board>, ModelError> {
        let mut waiting: BTreeMap<u32, BTreeSet<Board>> = BTreeMap::new();
        let mut known = 0;
        let mut meet = |waiting: &mut BTreeMap<u32, BTreeSet<Board>>, board: Board| {
            if !self.rules.is_lost(board)
                && waiting
                    .entry(self.rules.sum(board))
                    .or_default()
                    .insert(board)
            {
                known += 1;
            }
            if known > limit {
                return Err(ModelError::Limit {
                    variant: Box::new(self.variant),
                    limit,
                });
            }
            Ok(())
        };
        for &board in starts.keys() {
            meet(&mut waiting, board)?;
        }
        let mut boards = Vec::new();
        while let Some((_, layer)) = waiting.pop_first() {
            for &board in &layer {
                for slide in self.slides(board) {
                    if !self.is_won(slide.after) {
                        for (next, _) in self.spawned(slide.after).0 {
                            meet(&mut waiting, next)?;
                        }
                    }
                }
            }
            boards.extend(layer);
        }
        Ok(boards)
    }

    fn actions(&self, board: Board, ids: &HashMap<Board, u32>) -> Vec<Action> {
        let action = |slide: Slide| {
            let mut weights: BTreeMap<StateId, u64> = BTreeMap::new();
            let mut whole = 1;
            if self.is_won(slide.after) {
                weights.insert(StateId::Win, whole);
            } else {
                let (spawned, cells) = self.spawned(slide.after);
                whole = cells;
                for (next, weight) in spawned {
                    // A state that is not listed as live is lost.
                    let to = ids
                        .get(&next)
                        .map_or(StateId::Lose, |&id| StateId::Live(id));
                    *weights.entry(to).or_default() += weight;
                }
            }
            let outcome = |(to, weight)| Outcome { to, weight };
            Action {
                moves: slide.moves,
                score: slide.score,
                outcomes: weights.into_iter().map(outcome).collect(),
                whole,
            }
        };
        self.slides(board).map(action).collect()
    }

    /// The slides of a board. Without a reduction of actions every move is an action: moves along
    /// a line keep its sum, moves across do not, and opposite moves leave gaps on opposite sides,
    /// so no two moves have exactly the same afterstate.
    fn slides(&self, board: Board) -> impl Iterator<Item = Slide> {
        let merge = match self.reduction {
            Reduction::None | Reduction::States => Representative::Itself,
            Reduction::Actions => self.representative,
        };
        let afterstates = self.rules.afterstates(board, merge).to_vec();
        afterstates.into_iter().map(move |item| Slide {
            after: item.board,
            moves: item.moves,
            score: item
                .moves
                .iter()
                .next()
                .map_or(0, |m| self.rules.score(board, m)),
        })
    }

    /// The states after a spawn with their weights, and the sum of all weights.
    fn spawned(&self, board: Board) -> (Vec<(Board, u64)>, u64) {
        let mut states = Vec::new();
        let mut whole = 0;
        for &(exponent, weight) in &self.spawns {
            for next in self.rules.drops(board, exponent) {
                states.push((self.rules.representative(next, self.representative), weight));
                whole += weight;
            }
        }
        (states, whole)
    }

    fn is_won(&self, board: Board) -> bool {
        self.variant.is_won(board)
    }
}
