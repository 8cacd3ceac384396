//! The way down, together.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use tilebase_cluster::Cluster;
use tilebase_count::{CountError, SharedLayer, Wanted, gather, shares};
use tilebase_game::Board;
use tilebase_index::{
    BoardIndex, BoardSet, Keep, LayerBits, LayerEntry, LayerIndex, Shares, Store,
};
use tilebase_util::progress::{Progress, Unit};

use crate::contest::{Contest, Winner};
use crate::layers::descent::live_states;
use crate::layers::error::LayersError;
use crate::layers::report::LayerResult;
use crate::layers::step::BackwardStep;

/// Boards that a thread marks at a time.
const TASK: u32 = 1 << 12;

/// The boards of a layer that Slider wins, of which this process has a share.
struct SharedMarks {
    sum: u32,
    shares: Shares,
    marks: LayerBits,
}

/// The way down from the last layer to the first drop.
pub(super) struct TogetherPass<'a> {
    cluster: &'a Cluster,
    index: &'a BoardIndex,
    exponents: &'a [u8],
    progress: &'a dyn Progress,
    step: BackwardStep,
    /// Whether this process was interrupted.
    interrupted: AtomicBool,
    /// The states of the last two layers.
    above: Vec<SharedMarks>,
}

impl<'a> TogetherPass<'a> {
    pub fn new(
        cluster: &'a Cluster,
        contest: &Contest,
        index: &'a BoardIndex,
        progress: &'a dyn Progress,
    ) -> TogetherPass<'a> {
        TogetherPass {
            cluster,
            index,
            exponents: contest.drops().exponents(),
            progress,
            step: BackwardStep::new(index),
            interrupted: AtomicBool::new(false),
            above: Vec::new(),
        }
    }

    /// Who wins, and what each layer has in all shares, by tile sum.
    pub fn run(mut self, store: &Store) -> Result<(Winner, Vec<LayerResult>), LayersError> {
        let layers = &store.manifest().layers;
        let total = layers.iter().map(live_states).sum();
        self.progress.begin(Unit::States, Some(total));
        let mut results = Vec::new();
        for entry in layers.iter().rev().filter(|entry| live_states(entry) > 0) {
            if self.is_interrupted() {
                return Err(LayersError::Interrupted);
            }
            self.progress.stage(&format!("layer {}", entry.sum));
            results.push(self.layer(store, entry)?);
            self.progress.advance(live_states(entry));
        }
        results.reverse();
        let bad = self.bad_first_drops();
        let own = results.iter().flat_map(numbers).chain([bad]);
        let sums = self.cluster.sum(&own.collect::<Vec<u64>>());
        let sums = sums.map_err(CountError::from)?;
        for (layer, sums) in results.iter_mut().zip(sums.chunks_exact(3)) {
            layer.states = sums[0];
            layer.winning = sums[1];
            layer.winning_afterstates = sums[2];
        }
        self.progress.finish();
        let winner = match sums.last() {
            Some(0) => Winner::Slider,
            _ => Winner::Dropper,
        };
        Ok((winner, results))
    }

    fn is_interrupted(&self) -> bool {
        if self.progress.interrupted() {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        self.interrupted.load(Ordering::Relaxed)
    }

    /// The states that this process marks in its share of a layer, and what it has there.
    fn layer(&mut self, store: &Store, entry: &LayerEntry) -> Result<LayerResult, LayersError> {
        let shares = shares(self.index, entry.sum, self.cluster);
        let part = shares.part(self.cluster.process());
        let index = self.index.layer(entry.sum).part(part);
        let set = store.boards_in(index.clone(), entry, Keep::Afterstates)?;
        let afterstates = self.afterstates(entry.sum, &set)?;
        // Of each kind one set is in memory at a time, and the marks that are still needed.
        drop(set);
        self.above.retain(|layer| layer.sum <= entry.sum + 2);
        let states = store.boards_in(index, entry, Keep::States)?;
        let marks = self.states(&shares, &states, &afterstates)?;
        let result = LayerResult {
            sum: entry.sum,
            states: states.len(),
            winning: marks.count(),
            afterstates: entry.afterstates,
            winning_afterstates: afterstates.count(),
        };
        self.above.push(SharedMarks {
            sum: entry.sum,
            shares,
            marks,
        });
        Ok(result)
    }

    /// The layer after a tile was dropped on boards with a sum. Without it no state there is live,
    /// and all are lost.
    fn after(&self, sum: u32, exponent: u8) -> Option<&SharedMarks> {
        let sum = sum + (1 << exponent);
        self.above.iter().find(|layer| layer.sum == sum)
    }

    /// Marks the afterstates from which every drop leads to a state that Slider wins.
    fn afterstates(&self, sum: u32, set: &BoardSet) -> Result<LayerBits, LayersError> {
        let after: Option<Vec<&SharedMarks>> = self
            .exponents
            .iter()
            .map(|&exponent| self.after(sum, exponent))
            .collect();
        // All processes know the same layers, so all of them end here.
        let Some(after) = after else {
            return nothing(set.index());
        };
        let finds: Vec<_> = after.iter().map(|layer| found(&layer.marks)).collect();
        let layers: Vec<SharedLayer<u8>> = after
            .iter()
            .zip(&finds)
            .map(|(layer, find)| SharedLayer {
                shares: &layer.shares,
                find,
            })
            .collect();
        let want = |board: Board, wanted: &mut Wanted<u8>| {
            for (number, &exponent) in self.exponents.iter().enumerate() {
                self.step.for_each_drop(board, exponent, |state| {
                    wanted.ask(number, self.index.space().own_place(state));
                });
            }
        };
        self.mark(set, [layers.first(), layers.get(1)], want, |_, values| {
            values.iter().all(|&won| won == 1)
        })
    }

    /// Marks the states from which some slide makes the target or leads to an afterstate that
    /// Slider wins.
    fn states(
        &self,
        shares: &Shares,
        set: &BoardSet,
        afterstates: &LayerBits,
    ) -> Result<LayerBits, LayersError> {
        let find = found(afterstates);
        let layer = SharedLayer {
            shares,
            find: &find,
        };
        let want = |board: Board, wanted: &mut Wanted<u8>| {
            if !self.step.wins_at_once(board) {
                for after in self.step.slides(board) {
                    wanted.ask(0, self.index.space().canonical_place(after));
                }
            }
        };
        self.mark(
            set,
            [Some(&layer), None],
            want,
            |board, values| match values.is_empty() {
                true => self.step.wins_at_once(board),
                false => values.contains(&1),
            },
        )
    }

    /// Marks boards of the share of this process by what is known of others.
    fn mark(
        &self,
        set: &BoardSet,
        layers: [Option<&SharedLayer<u8>>; 2],
        want: impl Fn(Board, &mut Wanted<u8>) + Sync,
        is_won: impl Fn(Board, &[u8]) -> bool + Sync,
    ) -> Result<LayerBits, LayersError> {
        // Whoever was interrupted asks for nothing, and waits for others next: that ends the work.
        let want = |board: Board, wanted: &mut Wanted<u8>| {
            if !self.is_interrupted() {
                want(board, wanted);
            }
        };
        let won = gather(self.cluster, set, layers, 0, want, is_won);
        let won = won.map_err(CountError::from)?;
        if self.is_interrupted() {
            return Err(LayersError::Interrupted);
        }
        marked(set, &won)
    }

    /// How many first drops lead to a state in the share of this process that Dropper wins. Dropper
    /// begins with the empty board, or with the walls wherever they may stand.
    fn bad_first_drops(&self) -> u64 {
        let mut bad = 0;
        for board in self.index.rules().wall_placements() {
            for &exponent in self.exponents {
                let after = self.after(0, exponent);
                self.step.for_each_drop(board, exponent, |state| {
                    let place = self.index.space().own_place(state);
                    let located = after.zip(place).and_then(|(layer, place)| {
                        let (owner, position) = layer.shares.locate(place)?;
                        Some((layer, owner, position))
                    });
                    bad += u64::from(match located {
                        // A state that nobody has is lost, and all count it.
                        None => true,
                        Some((layer, owner, position)) => {
                            owner == self.cluster.process() && !layer.marks.get(position)
                        }
                    });
                });
            }
        }
        bad
    }
}

/// The numbers of a layer that the processes add up.
fn numbers(layer: &LayerResult) -> [u64; 3] {
    [layer.states, layer.winning, layer.winning_afterstates]
}

fn nothing(index: &LayerIndex) -> Result<LayerBits, LayersError> {
    LayerBits::new(index.clone()).map_err(LayersError::system)
}

/// The marks of boards that have won, by rank.
fn marked(set: &BoardSet, won: &[bool]) -> Result<LayerBits, LayersError> {
    let mut marks = nothing(set.index())?;
    let ranks = set.tasks(TASK).into_iter().map(|(rank, _)| rank as usize);
    let tasks: Vec<_> = ranks.zip(marks.split(set, TASK)).collect();
    tasks.into_par_iter().for_each(|(rank, (range, words))| {
        let first = 64 * range.start as u64;
        let mut won = won[rank..].iter();
        set.for_each_in(range, |position, _| {
            let at = (position - first) as usize;
            let won = won.next().is_some_and(|&won| won);
            words[at / 64] |= u64::from(won) << (at % 64);
        });
    });
    Ok(marks)
}

/// Whether the board at a position is marked.
fn found(marks: &LayerBits) -> impl Fn(u64) -> u8 + Sync {
    |position| u8::from(marks.get(position))
}
