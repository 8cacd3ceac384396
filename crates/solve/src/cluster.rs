//! Solving by several processes, each with its share of every layer and its shard of the table.
//!
//! Values come out as from one process, bit by bit: sums are made in the same order, and a value that
//! another process has is sent as it is.

use std::path::Path;
use std::sync::Arc;

use tilebase_cluster::{Cluster, ClusterError};
use tilebase_count::{
    Count, CountError, CountOptions, SharedLayer, agree, count_together, gather, shares,
};
use tilebase_game::{Board, Move, Variant};
use tilebase_index::{BoardSet, Imaging, Keep, LayerEntry, LayerIndex, Shares, Store};
use tilebase_table::{
    Content, LayerData, LayerSets, Manifest, Objective, Shard, Start, StoredValue, TableWriter,
    encode_layer, shard_dir, with_value_type,
};
use tilebase_util::progress::{Progress, Unit};
use tilebase_util::{keep_awake, on_threads};

use crate::backward::{LayerSolver, Solved, value_at};
use crate::descent::{live_states, start_states, sure};
use crate::error::SolveError;
use crate::pass::{SolveOptions, check, content, remove, rounded_error};
use crate::plan::{memory_needed, precision};

/// Solves a game together with other processes. Every process writes its own shard of the table, in a
/// directory within the one that is given; together they can be opened as one table. Shards that were
/// begun are resumed at the last layer that all of them have.
pub fn solve_together(
    cluster: &Cluster,
    variant: &Variant,
    objective: Objective,
    dir: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Manifest, SolveError> {
    check(
        variant,
        objective,
        &SolveOptions {
            memory: u64::MAX,
            ..*options
        },
    )?;
    let content = content(objective, options)?;
    let shard = Shard {
        process: cluster.process() as u32,
        processes: cluster.processes() as u32,
    };
    let manifest = Manifest::new(variant, objective, content).of_shard(shard);
    let mut writer = TableWriter::open(&shard_dir(dir, shard), manifest)?;
    agree_on_table(cluster, &mut writer)?;
    let work = writer.work();
    if writer.manifest().complete {
        remove(&work)?;
        return Ok(writer.manifest().clone());
    }
    let mut store = Store::open(&work, variant, Keep::Afterstates)?;
    let count_options = CountOptions {
        threads: options.threads,
        memory: options.memory,
        by_largest: false,
        ..CountOptions::default()
    };
    agree(cluster, &mut store)?;
    let count = count_together(
        cluster,
        variant,
        &count_options,
        Some(&mut store),
        progress,
        &mut |_| (),
    )?;
    let game = solver(cluster, variant, objective, &count, options, &mut writer)?;
    on_threads(options.threads, || {
        keep_awake(|| {
            with_value_type!(objective, V => {
                TogetherPass::<V>::new(cluster, &game).run(&store, &mut writer, progress)
            })
        })
    })??;
    drop(store);
    remove(&work)?;
    Ok(writer.manifest().clone())
}

/// Drops the layers of a shard that not all processes have.
fn agree_on_table(cluster: &Cluster, writer: &mut TableWriter) -> Result<(), SolveError> {
    let lowest = writer.lowest().map_or(u64::MAX, u64::from);
    let own = [lowest, u64::from(writer.manifest().complete)];
    let all = cluster.share_numbers(&own).map_err(CountError::from)?;
    if all.iter().any(|other| *other != own) {
        let highest = all.iter().map(|other| other[0]).max().unwrap_or(u64::MAX);
        writer.drop_below(u32::try_from(highest).unwrap_or(u32::MAX))?;
    }
    Ok(())
}

/// The solver of a counted game, if its share fits into memory.
fn solver(
    cluster: &Cluster,
    variant: &Variant,
    objective: Objective,
    count: &Count,
    options: &SolveOptions,
    writer: &mut TableWriter,
) -> Result<LayerSolver, SolveError> {
    let (bound, tolerance) = precision(variant.shape(), count.layers.len());
    match options.rounded {
        false => writer.set_bounds(bound, tolerance),
        true => {
            let error = bound + rounded_error(objective)?;
            writer.set_bounds(error, 2.0 * error);
        }
    }
    let index = count.index.clone();
    let all = memory_needed(&count.layers, objective, |sum| index.layer(sum).positions());
    let needed = all / cluster.processes() as u64;
    if needed > options.memory {
        return Err(SolveError::Memory {
            needed,
            allowed: options.memory,
        });
    }
    Ok(LayerSolver::with_index(
        variant, objective, tolerance, index,
    ))
}

/// A layer of states with their values, of which this process has a share.
struct SharedStates<V> {
    shares: Shares,
    solved: Solved<V>,
}

/// The way down, together.
struct TogetherPass<'a, V> {
    cluster: &'a Cluster,
    game: &'a LayerSolver,
    /// The last layers, from the lowest up.
    above: Vec<(u32, SharedStates<V>)>,
    /// The values of start states that this process has, by their number.
    starts: Vec<(u32, V)>,
}

impl<'a, V: StoredValue> TogetherPass<'a, V> {
    fn new(cluster: &'a Cluster, game: &'a LayerSolver) -> TogetherPass<'a, V> {
        TogetherPass {
            cluster,
            game,
            above: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// How a layer is dealt out, and the index of the share of this process.
    fn share(&self, sum: u32) -> (Shares, LayerIndex) {
        let shares = shares(&self.game.index, sum, self.cluster);
        let part = shares.part(self.cluster.process());
        (shares, self.game.index.layer(sum).part(part))
    }

    fn run(
        &mut self,
        store: &Store,
        writer: &mut TableWriter,
        progress: &dyn Progress,
    ) -> Result<(), SolveError> {
        let layers = &store.manifest().layers;
        progress.begin(Unit::States, Some(layers.iter().map(live_states).sum()));
        self.resume(writer)?;
        let lowest = writer.lowest().unwrap_or(u32::MAX);
        let done = layers.iter().filter(|entry| entry.sum >= lowest);
        progress.advance(done.map(live_states).sum());
        let todo = layers.iter().rev();
        for entry in todo.filter(|entry| live_states(entry) > 0 && entry.sum < lowest) {
            if progress.interrupted() {
                writer.commit()?;
                return Err(SolveError::Interrupted);
            }
            progress.stage(&format!("layer {}", entry.sum));
            self.layer(store, entry, writer)?;
            progress.advance(live_states(entry));
        }
        let start = self.start()?;
        writer.complete(start)?;
        progress.finish();
        // Nobody removes what another one might need to go on.
        self.cluster.sum(&[]).map_err(CountError::from)?;
        Ok(())
    }

    /// Takes up the layers that the table has already: values of the last two, and of all start states.
    fn resume(&mut self, writer: &TableWriter) -> Result<(), SolveError> {
        let entries = &writer.manifest().layers;
        let variant = *self.game.index.variant();
        let rules = self.game.rules;
        let starts: Vec<u32> = start_states(&variant)
            .map(|(board, _)| rules.sum(board))
            .collect();
        for (i, entry) in entries.iter().enumerate() {
            if i + 2 < entries.len() && !starts.contains(&entry.sum) {
                continue;
            }
            let (shares, index) = self.share(entry.sum);
            let (sets, after) = writer.read::<V>(index, entry)?;
            let values = self.states(&shares, &sets, &after)?;
            self.push(entry.sum, shares, &sets, values);
        }
        Ok(())
    }

    /// Solves a layer, and writes its share.
    fn layer(
        &mut self,
        store: &Store,
        entry: &LayerEntry,
        writer: &mut TableWriter,
    ) -> Result<(), SolveError> {
        let (shares, index) = self.share(entry.sum);
        let boards = |what| store.boards_in(index.clone(), entry, what);
        let sets = LayerSets {
            states: Arc::new(boards(Keep::States)?),
            afterstates: boards(Keep::Afterstates)?,
        };
        let after = self.afterstates(entry.sum, &sets.afterstates)?;
        let values = self.states(&shares, &sets, &after)?;
        let (sure_wins, sure_losses) = sure(&values);
        let data = match writer.manifest().content {
            Content::Rounded => LayerData::Rounded(&after),
            _ => LayerData::Values(&after),
        };
        writer.write(encode_layer(&sets, data, sure_wins, sure_losses))?;
        self.push(entry.sum, shares, &sets, values);
        Ok(())
    }

    /// Keeps the values of a layer's states for the two layers below, and those of start states.
    fn push(&mut self, sum: u32, shares: Shares, sets: &LayerSets, values: Vec<V>) {
        let game = self.game;
        for (number, (board, _)) in start_states(game.index.variant()).enumerate() {
            if game.rules.sum(board) != sum {
                continue;
            }
            let rank = game.rank(&sets.states, game.index.canonical(board));
            let value = rank.map(|rank| values[rank as usize]);
            self.starts
                .extend(value.map(|value| (number as u32, value)));
        }
        self.above.retain(|(other, _)| *other <= sum + 2);
        let solved = Solved {
            states: Arc::clone(&sets.states),
            values,
        };
        self.above.push((sum, SharedStates { shares, solved }));
    }

    /// The values of the share of a layer's afterstates.
    fn afterstates(&self, sum: u32, set: &BoardSet) -> Result<Vec<V>, SolveError> {
        let (game, space) = (self.game, self.game.index.space());
        let above = [1, 2].map(|steps| {
            let at = self
                .above
                .iter()
                .find(|(other, _)| *other == sum + 2 * steps);
            at.map(|(_, layer)| layer)
        });
        let finds = above.map(|layer| {
            layer.map(|layer| {
                let solved = &layer.solved;
                move |position| value_at(&solved.values, solved.states.rank_or_none(position))
            })
        });
        let layers: [Option<SharedLayer<V>>; 2] = std::array::from_fn(|i| {
            above[i]
                .zip(finds[i].as_ref())
                .map(|(layer, find)| SharedLayer {
                    shares: &layer.shares,
                    find,
                })
        });
        let falls = |number: usize| game.probabilities[number] > 0.0;
        let imaging = Imaging::new(game.rules);
        let values = gather(
            self.cluster,
            set,
            layers.each_ref().map(Option::as_ref),
            V::LOST,
            |board, wanted| {
                let images = imaging.images(board);
                for number in (0..2).filter(|&number| falls(number)) {
                    let mut cells = game.rules.empty_cells(board);
                    while cells != 0 {
                        let at = cells.trailing_zeros();
                        cells &= cells - 1;
                        let child = imaging.canonical(&images, at, number as u64 + 1);
                        wanted.ask(number, space.own_place(child));
                    }
                }
            },
            |board, values| {
                let cells = game.rules.empty_cells(board).count_ones() as usize;
                let mut sums = [V::Sum::default(); 2];
                let mut values = values.iter();
                for number in (0..2).filter(|&number| falls(number)) {
                    let of_tile = values.by_ref().take(cells);
                    of_tile.for_each(|&value| V::add(&mut sums[number], value));
                }
                let [twos, fours] = sums;
                V::mean(twos, fours, game.probabilities, cells as f64)
            },
        );
        Ok(values.map_err(CountError::from)?)
    }

    /// The values of the share of a layer's states.
    fn states(&self, shares: &Shares, sets: &LayerSets, after: &[V]) -> Result<Vec<V>, SolveError> {
        let (game, space) = (self.game, self.game.index.space());
        let afterstates = &sets.afterstates;
        let find = |position| value_at(after, afterstates.rank_or_none(position));
        let layer = SharedLayer {
            shares,
            find: &find,
        };
        let legal = |board: Board| {
            let slides = Move::ALL.into_iter().zip(game.rules.slides(board));
            slides.filter(move |&(_, after)| after != board)
        };
        let values = gather(
            self.cluster,
            &sets.states,
            [Some(&layer), None],
            V::LOST,
            |board, wanted| {
                for (_, after) in legal(board) {
                    let open = Some(after).filter(|&after| !game.is_won(after));
                    wanted.ask(0, open.and_then(|after| space.canonical_place(after)));
                }
            },
            |board, values| {
                let moves = legal(board).zip(values);
                let values: Vec<V> = moves
                    .map(|((m, after), &value)| game.move_value(board, m, after, value))
                    .collect();
                V::of_state(values.iter().copied(), game.tolerance)
            },
        );
        Ok(values.map_err(CountError::from)?)
    }

    /// The value of the random start, from the values that all processes have of start states.
    fn start(&self) -> Result<Start, SolveError> {
        let mut message = Vec::new();
        for (number, value) in &self.starts {
            message.extend(number.to_le_bytes());
            message.extend(bytemuck::bytes_of(value));
        }
        let messages = self.cluster.share(&message).map_err(CountError::from)?;
        let starts: Vec<(Board, f64)> = start_states(self.game.index.variant()).collect();
        // In layers without a live state all are lost.
        let mut values = vec![V::LOST; starts.len()];
        for (process, message) in messages.iter().enumerate() {
            for entry in message.chunks(4 + size_of::<V>()) {
                let read = read_start::<V>(entry);
                let known = read.and_then(|(number, value)| Some((values.get_mut(number)?, value)));
                match known {
                    Some((at, value)) => *at = value,
                    None => return Err(self.invalid(process)),
                }
            }
        }
        let probabilities = starts.iter().map(|&(_, probability)| probability);
        Ok(Start::of(&probabilities.zip(values).collect::<Vec<_>>()))
    }

    fn invalid(&self, process: usize) -> SolveError {
        let error: ClusterError = self.cluster.invalid(process);
        CountError::from(error).into()
    }
}

/// The number of a start state, and its value.
fn read_start<V: StoredValue>(entry: &[u8]) -> Option<(usize, V)> {
    let (number, value) = entry.split_first_chunk()?;
    let value = bytemuck::try_pod_read_unaligned(value).ok()?;
    Some((u32::from_le_bytes(*number) as usize, value))
}
