//! Values of boards that other processes have.
//!
//! The way down through the layers asks for values of boards all over the layers above. A process takes
//! some of its boards at a time, lists what it needs from each of the others, and gets the values
//! back in the same order. While they travel, it makes the next list.

use std::ops::Range;

use bytemuck::Pod;
use rayon::prelude::*;
use tilebase_cluster::{Cluster, ClusterError};
use tilebase_game::Board;
use tilebase_index::positions::{decode_positions, encode_positions, sort_keys};
use tilebase_index::space::Place;
use tilebase_index::{BoardSet, Shares};

/// Boards that a thread takes at a time, and such tasks in a round.
const TASK: u32 = 1 << 9;
const ROUND: usize = 1 << 6;
/// Bits of a slot: fewer values are asked for in a round.
const SLOT: u32 = 21;

/// A layer whose boards have values, each known to the process that has the board.
pub struct SharedLayer<'a, T> {
    /// Who has which boards.
    pub shares: &'a Shares,
    /// The value at a position in the share of this process.
    pub find: &'a (dyn Fn(u64) -> T + Sync),
}

/// Lists the values that are needed for some boards.
pub struct Wanted<'a, T> {
    layers: [Option<&'a SharedLayer<'a, T>>; 2],
    missing: T,
    own: usize,
    values: Vec<T>,
    /// For each process and layer, positions in its share and the slots of their values.
    remote: Vec<[Vec<u64>; 2]>,
}

impl<T: Copy> Wanted<'_, T> {
    /// Asks for the value of a board in one of the layers. A board without a place, or in a layer that is
    /// not there, has the value for missing boards.
    #[inline]
    pub fn ask(&mut self, layer: usize, place: Option<Place>) {
        let located = self.layers[layer].and_then(|layer| {
            let (owner, position) = layer.shares.locate(place?)?;
            Some((layer, owner, position))
        });
        let value = match located {
            Some((layer, owner, position)) if owner == self.own => (layer.find)(position),
            Some((_, owner, position)) => {
                let slot = self.values.len() as u64;
                self.remote[owner][layer].push(position << SLOT | slot);
                self.missing
            }
            None => self.missing,
        };
        self.values.push(value);
    }
}

/// What a task needs.
struct Task<T> {
    boards: Vec<Board>,
    /// Where the values of each board end.
    ends: Vec<u32>,
    values: Vec<T>,
}

/// The tasks of a round, and what they wait for.
struct Round<T> {
    tasks: Vec<Task<T>>,
    /// Where the slots of each task begin.
    first_slots: Vec<usize>,
    /// For each process and layer, what was asked for, sorted.
    keys: Vec<[Vec<u64>; 2]>,
}

/// Computes something for every board of a set, the share of this process, from values of one or two
/// layers that all processes share. `want` asks for the values of a board, `compute` gets them in
/// the same order. Boards that are not found have the value `missing`.
pub fn gather<T: Pod + Send + Sync, R: Send>(
    cluster: &Cluster,
    set: &BoardSet,
    layers: [Option<&SharedLayer<T>>; 2],
    missing: T,
    want: impl Fn(Board, &mut Wanted<T>) + Sync,
    compute: impl Fn(Board, &[T]) -> R + Sync,
) -> Result<Vec<R>, ClusterError> {
    let asking = Asking {
        cluster,
        set,
        layers,
        missing,
        want,
    };
    let tasks: Vec<Range<usize>> = set
        .tasks(TASK)
        .into_iter()
        .map(|(_, range)| range)
        .collect();
    let mut rounds = tasks.chunks(ROUND);
    let mut found = Vec::with_capacity(set.len() as usize);
    let mut round = asking.round(rounds.next().unwrap_or(&[]));
    loop {
        let more = rounds.len() > 0;
        let requests = cluster.finish(cluster.begin(asking.requests(&round, more)))?;
        let mut any_more = false;
        let mut answers = Vec::with_capacity(requests.len());
        for (process, request) in requests.iter().enumerate() {
            let (last, body) = request
                .split_last()
                .ok_or_else(|| cluster.invalid(process))?;
            any_more |= *last != 0;
            answers.push(body);
        }
        let answers: Result<Vec<Vec<u8>>, ClusterError> = answers
            .par_iter()
            .enumerate()
            .map(|(process, request)| {
                let answer = asking.answer(process, request);
                answer.ok_or_else(|| cluster.invalid(process))
            })
            .collect();
        let pending = cluster.begin(answers?);
        let next = asking.round(rounds.next().unwrap_or(&[]));
        let answers = cluster.finish(pending)?;
        for (process, answer) in answers.iter().enumerate() {
            let whole = round.fill(process, answer);
            whole.ok_or_else(|| cluster.invalid(process))?;
        }
        let results = round.tasks.par_iter().map(|task| {
            let mut first = 0;
            let of = |(&board, &end): (&Board, &u32)| {
                let values = &task.values[first as usize..end as usize];
                first = end;
                compute(board, values)
            };
            task.boards
                .iter()
                .zip(&task.ends)
                .map(of)
                .collect::<Vec<R>>()
        });
        results
            .collect::<Vec<Vec<R>>>()
            .into_iter()
            .for_each(|results| found.extend(results));
        if !any_more {
            return Ok(found);
        }
        round = next;
    }
}

struct Asking<'a, T, W> {
    cluster: &'a Cluster,
    set: &'a BoardSet,
    layers: [Option<&'a SharedLayer<'a, T>>; 2],
    missing: T,
    want: W,
}

impl<T: Pod + Send + Sync, W: Fn(Board, &mut Wanted<T>) + Sync> Asking<'_, T, W> {
    /// Lists what the boards in some ranges of words need.
    fn round(&self, ranges: &[Range<usize>]) -> Round<T> {
        let list = |range: &Range<usize>| {
            let mut wanted = Wanted {
                layers: self.layers,
                missing: self.missing,
                own: self.cluster.process(),
                values: Vec::new(),
                remote: vec![Default::default(); self.cluster.processes()],
            };
            let (mut boards, mut ends) = (Vec::new(), Vec::new());
            self.set.for_each_in(range.clone(), |_, board| {
                (self.want)(board, &mut wanted);
                boards.push(board);
                ends.push(wanted.values.len() as u32);
            });
            let task = Task {
                boards,
                ends,
                values: wanted.values,
            };
            (task, wanted.remote)
        };
        let lists: Vec<_> = ranges.par_iter().map(list).collect();
        let mut round = Round {
            tasks: Vec::with_capacity(lists.len()),
            first_slots: Vec::with_capacity(lists.len()),
            keys: vec![Default::default(); self.cluster.processes()],
        };
        let mut slots = 0;
        for (task, remote) in lists {
            for (all, more) in round.keys.iter_mut().zip(remote) {
                for (all, more) in all.iter_mut().zip(more) {
                    all.extend(more.iter().map(|key| key + slots as u64));
                }
            }
            round.first_slots.push(slots);
            slots += task.values.len();
            round.tasks.push(task);
        }
        round
            .keys
            .par_iter_mut()
            .enumerate()
            .for_each(|(process, keys)| {
                for (layer, keys) in self.layers.iter().zip(keys) {
                    let positions = layer.map_or(0, |layer| layer.shares.positions(process));
                    let bits = u64::BITS - positions.leading_zeros();
                    sort_keys(keys, SLOT, SLOT + bits);
                }
            });
        round
    }

    /// What is asked of each process.
    fn requests(&self, round: &Round<T>, more: bool) -> Vec<Vec<u8>> {
        let request = |keys: &[Vec<u64>; 2]| {
            let mut message = Vec::new();
            for keys in keys {
                let mut positions: Vec<u64> = keys.iter().map(|key| key >> SLOT).collect();
                positions.dedup();
                encode_positions(&positions, &mut message);
            }
            message.push(u8::from(more));
            message
        };
        round.keys.par_iter().map(request).collect()
    }

    /// The values that a process has asked for; `None` if its request makes no sense.
    fn answer(&self, process: usize, mut request: &[u8]) -> Option<Vec<u8>> {
        let mut values: Vec<T> = Vec::new();
        if process == self.cluster.process() {
            return Some(Vec::new());
        }
        for layer in self.layers {
            let own = self.cluster.process();
            let positions = layer.map_or(0, |layer| layer.shares.positions(own));
            decode_positions(&mut request, positions, |position| {
                values.extend(layer.map(|layer| (layer.find)(position)));
            })?;
        }
        request
            .is_empty()
            .then(|| bytemuck::cast_slice(&values).to_vec())
    }
}

impl<T: Pod> Round<T> {
    /// Puts the values that a process has sent into their slots; `None` if there are not as many as were
    /// asked for.
    fn fill(&mut self, process: usize, answer: &[u8]) -> Option<()> {
        let mut values = answer.chunks_exact(size_of::<T>());
        for keys in &self.keys[process] {
            let mut last = None;
            for &key in keys {
                let position = key >> SLOT;
                let value = match last {
                    Some((known, value)) if known == position => value,
                    _ => bytemuck::try_pod_read_unaligned::<T>(values.next()?).ok()?,
                };
                last = Some((position, value));
                let slot = (key & ((1 << SLOT) - 1)) as usize;
                let task = self.first_slots.partition_point(|&first| first <= slot) - 1;
                self.tasks[task].values[slot - self.first_slots[task]] = value;
            }
        }
        (values.len() == 0 && values.remainder().is_empty()).then_some(())
    }
}
