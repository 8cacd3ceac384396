//! How a layer is dealt out, and marks for boards that other processes have.

use rayon::prelude::*;
use tilebase_cluster::Cluster;
use tilebase_index::Shares;
use tilebase_index::layer::{Layer, Layout, Part};
use tilebase_index::mark::{Batch, Marker};
use tilebase_index::positions::{decode_positions, encode_positions, sort_positions};
use tilebase_index::space::{Place, Space};

use crate::error::CountError;

/// A layer dealt out to all processes, seen from one of them.
pub(crate) struct Deal {
    /// Who has which blocks.
    pub shares: Shares,
    /// This process.
    own: usize,
}

impl Deal {
    /// Deals out the layer with a tile sum of `units` × 2.
    pub fn new(space: &Space, units: usize, cluster: &Cluster) -> Deal {
        Deal {
            shares: Shares::new(Layout::new(space, units), cluster.processes()),
            own: cluster.process(),
        }
    }

    /// The share of this process.
    pub fn own(&self) -> Part {
        self.shares.part(self.own)
    }

    /// Its blocks.
    pub fn own_layout(&self) -> Layout {
        self.shares.layout().part(self.own())
    }
}

/// Where a thread puts marks.
pub(crate) struct Sink<'a> {
    deal: &'a Deal,
    /// For this process.
    batch: Batch<'a>,
    /// For the others: positions in their shares.
    others: Vec<Vec<u64>>,
}

impl<'a> Sink<'a> {
    fn new(deal: &'a Deal, marker: &'a Marker<'a>) -> Sink<'a> {
        Sink {
            deal,
            batch: Batch::new(marker),
            others: vec![Vec::new(); deal.shares.parts().len()],
        }
    }

    /// Puts a board into the layer, wherever it belongs.
    #[inline]
    pub fn mark(&mut self, place: Place) {
        match self.deal.shares.locate(place) {
            Some((owner, _)) if owner == self.deal.own => self.batch.mark(place),
            Some((owner, position)) => self.others[owner].push(position),
            None => {}
        }
    }
}

/// Marks boards of a layer, whoever has them: `visit` marks those of a task. `target` is the share of
/// this process. Messages are sent after each group of tasks.
pub(crate) fn scatter<T: Sync>(
    cluster: &Cluster,
    deal: &Deal,
    target: &mut Layer,
    groups: &[Vec<T>],
    visit: impl Fn(&T, &mut Sink) -> Result<(), CountError> + Sync,
) -> Result<(), CountError> {
    let marker = target.marker();
    let mut todo = groups.iter();
    let next = || {
        let tasks = todo.next().map_or(&[][..], Vec::as_slice);
        let sinks = tasks.par_iter().try_fold(
            || Sink::new(deal, &marker),
            |mut sink, task| visit(task, &mut sink).map(|()| sink),
        );
        let lists = sinks.map(|sink| sink.map(|sink| sink.others)).try_reduce(
            || vec![Vec::new(); cluster.processes()],
            |mut all, more| {
                for (all, more) in all.iter_mut().zip(more) {
                    match all.is_empty() {
                        true => *all = more,
                        false => all.extend(more),
                    }
                }
                Ok(all)
            },
        )?;
        let encode = |(process, mut positions): (usize, Vec<u64>)| {
            sort_positions(&mut positions, deal.shares.positions(process));
            let mut message = Vec::new();
            encode_positions(&positions, &mut message);
            message
        };
        let messages = lists.into_par_iter().enumerate().map(encode).collect();
        Ok((messages, todo.len() > 0))
    };
    let limit = deal.shares.positions(deal.own);
    let take = |messages: &[&[u8]]| {
        let taken = messages
            .par_iter()
            .enumerate()
            .try_for_each(|(from, message)| {
                let mut rest = *message;
                if from == deal.own || rest.is_empty() {
                    return Ok(());
                }
                let mark = |position| marker.mark_position(position);
                let whole = decode_positions(&mut rest, limit, mark);
                match whole.filter(|()| rest.is_empty()) {
                    Some(()) => Ok(()),
                    None => Err(cluster.invalid(from)),
                }
            });
        taken.map_err(CountError::from)
    };
    cluster.rounds(next, take)
}

/// Some rows of a block.
pub(crate) struct Rows {
    pub block: usize,
    pub first: usize,
    pub end: usize,
}

/// Words of a task.
const TASK: usize = 1 << 13;
/// Tasks of a group, of few processes.
const GROUP: usize = 1 << 4;
/// Bytes of the marks of such a group, as they are listed, sorted and sent.
const GROUP_BYTES: u64 = 32 << 20;
/// Bytes of the buffers of a connection.
const CONNECTION_BYTES: u64 = 2 << 20;

/// How many times larger groups are if there are many processes: a message takes time however short
/// it is.
fn growth(processes: usize) -> usize {
    (processes / 8).clamp(1, 8)
}

/// Words of a process's share whose marks it sends together.
pub fn round_words(processes: usize) -> usize {
    TASK * GROUP * growth(processes)
}

/// What a process needs for messages.
pub(super) fn message_bytes(processes: usize) -> u64 {
    GROUP_BYTES * growth(processes) as u64 + CONNECTION_BYTES * (processes as u64 - 1)
}

/// The rows of a layer in tasks, and these in groups, whose marks are sent together.
pub(crate) fn row_groups(layout: &Layout, processes: usize) -> Vec<Vec<Rows>> {
    let size = round_words(processes) / TASK;
    let mut groups = vec![Vec::new()];
    for (number, block) in layout.blocks.iter().enumerate() {
        let rows = (TASK / block.stride.max(1)).max(1);
        for first in (0..block.rows).step_by(rows) {
            if groups.last().is_none_or(|group| group.len() == size) {
                groups.push(Vec::new());
            }
            if let Some(group) = groups.last_mut() {
                group.push(Rows {
                    block: number,
                    first,
                    end: block.rows.min(first + rows),
                });
            }
        }
    }
    groups
}
