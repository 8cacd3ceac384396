//! Counting by several processes: every one has a share of each layer.
//!
//! A layer is dealt out by the weight of its tops. Slides to the left and right keep to a block, and
//! states are made from afterstates whose tops are lighter by at most a tile: for them a process
//! fetches a few blocks from its neighbours. Slides up and down lead to every block; their results are
//! sent to whoever has it, as sorted lists of positions. All processes have the same numbers in the
//! end, and together the same sets as one process alone.

mod deal;
mod gather;
mod halo;

use rayon::prelude::*;
use tilebase_cluster::Cluster;
use tilebase_game::{Board, Variant};
use tilebase_index::buffer::Buffer;
use tilebase_index::layer::{Layer, Layout, Part, for_each_bit};
use tilebase_index::pack::{Section, SetData, select};
use tilebase_index::space::Space;
use tilebase_index::{BoardIndex, LayerCount, Shares, Store};
use tilebase_util::progress::Progress;
use tilebase_util::{keep_awake, on_threads};

use crate::census::{Census, Tally};
use crate::count::{Count, CountOptions};
use crate::engine::{begin, is_canonical, is_canonical_state, single};
use crate::error::CountError;
use crate::layer_engine::{LayerEngine, LayerRequest, LayerResult};
use crate::lost::take_lost;
use crate::pass::{ForwardPass, LayerObserver};
use crate::plan::CountPlan;
use crate::slide::{cross, slide_rows};
use crate::spawn::{Afterstates, spawn};

pub use deal::round_words;
pub use gather::{SharedLayer, Wanted, gather};

use deal::{Deal, message_bytes, row_groups, scatter};
use halo::{Dealt, fetch};

/// How a layer of a game is dealt out.
pub fn shares(index: &BoardIndex, sum: u32, cluster: &Cluster) -> Shares {
    Shares::new(index.layer(sum).layout().clone(), cluster.processes())
}

/// The words of the largest share of a process.
fn share_words(plan: &CountPlan, space: &Space, process: usize, processes: usize) -> usize {
    let words = |units: usize| {
        let shares = Shares::new(Layout::new(space, units), processes);
        (shares.positions(process) / 64) as usize
    };
    let layers = plan.layer_words().len();
    (0..layers).into_par_iter().map(words).max().unwrap_or(0)
}

/// Bytes of memory that a process of several needs for its share of a count, and the blocks around it.
/// `keeps` says whether it keeps the sets of all layers, which are packed in memory, and once more as a
/// file.
pub fn share_bytes(
    plan: &CountPlan,
    index: &BoardIndex,
    [process, processes]: [usize; 2],
    keeps: bool,
) -> u64 {
    let words = share_words(plan, index.space(), process, processes) as u64;
    let part = 8.0 * words as f64 / plan.total_bytes.max(1) as f64;
    let packed = part * plan.estimate(index.variant(), 1).disk_bytes as f64;
    let kept = if keeps { 2 * packed as u64 } else { 0 };
    // Three shares; blocks of others are there only while a share is not.
    let halo = match processes {
        1 => 0,
        _ => (3 * plan.block_bytes()).saturating_sub(8 * words),
    };
    plan.base_bytes() + 24 * words + halo + kept + message_bytes(processes)
}

/// Counts a game together with other processes. Every process passes its own store, which gets its
/// share of each layer with the numbers of the whole layer. Stores that have layers already are
/// resumed at the last layer that all of them have.
///
/// ```
/// use tilebase_cluster::{Cluster, Hosts, Secret};
/// use tilebase_count::{CountOptions, count_together};
/// use tilebase_util::progress::Silent;
///
/// let hosts = Hosts::on_this_machine(2).unwrap();
/// let secret = Secret::random().unwrap();
/// std::thread::scope(|scope| {
///     for process in 0..2 {
///         let (hosts, secret) = (&hosts, &secret);
///         scope.spawn(move || {
///             let cluster = Cluster::connect(hosts, process, secret, "count").unwrap();
///             let variant = "3x3-to-64".parse().unwrap();
///             let options = CountOptions { threads: 1, ..CountOptions::default() };
///             let count = count_together(
///                 &cluster, &variant, &options, None, &Silent, &mut |_| ()).unwrap();
///             assert_eq!(count.states(), 594_046);
///             cluster.close().unwrap();
///         });
///     }
/// });
/// ```
pub fn count_together(
    cluster: &Cluster,
    variant: &Variant,
    options: &CountOptions,
    mut store: Option<&mut Store>,
    progress: &dyn Progress,
    report: &mut (dyn FnMut(&LayerCount) + Send),
) -> Result<Count, CountError> {
    let plan = CountPlan::sizes(variant, options.memory)?;
    on_threads(options.threads, || {
        let index = BoardIndex::new(variant)?;
        let (process, processes) = (cluster.process(), cluster.processes());
        let needed = share_bytes(&plan, &index, [process, processes], store.is_some());
        if needed > options.memory {
            return Err(CountError::Memory {
                needed,
                allowed: options.memory,
            });
        }
        if let Some(store) = store.as_deref_mut() {
            agree(cluster, store)?;
        }
        let by_largest = options.by_largest || store.is_some();
        let capacity = share_words(&plan, index.space(), process, processes);
        let pass = ForwardPass::new(index, plan);
        let mut engine = ClusterEngine {
            cluster,
            space: pass.index().space(),
            census: pass.census(),
            by_largest,
            capacity,
            below: [None, None],
            free: Vec::new(),
        };
        let observer = LayerObserver::Counts(report);
        keep_awake(|| pass.run(&mut engine, store, progress, observer))
    })?
}

/// Drops the layers of a store that not all processes have.
pub fn agree(cluster: &Cluster, store: &mut Store) -> Result<(), CountError> {
    let manifest = store.manifest();
    let last = manifest.layers.last().map_or(0, |layer| layer.sum + 1);
    let own = [u64::from(last), u64::from(manifest.complete)];
    let all = cluster.share_numbers(&own)?;
    if all.iter().any(|other| *other != own) {
        let least = all.iter().map(|other| other[0]).min().unwrap_or(0);
        store.truncate(least as u32)?;
    }
    Ok(())
}

/// The engine of a process that has a share of each layer.
struct ClusterEngine<'a> {
    cluster: &'a Cluster,
    space: &'a Space,
    census: &'a Census,
    by_largest: bool,
    /// Words of the largest share.
    capacity: usize,
    /// Afterstates one and two units below the next layer.
    below: [Option<Dealt>; 2],
    free: Vec<Buffer>,
}

impl ClusterEngine<'_> {
    fn layer(&mut self, deal: &Deal) -> Result<Layer, CountError> {
        let buffer = match self.free.pop() {
            Some(buffer) => buffer,
            None => Buffer::new(self.capacity).map_err(CountError::from)?,
        };
        Ok(Layer::new(deal.own_layout(), buffer))
    }

    /// Puts a new layer of afterstates in the place of the older one.
    fn push(&mut self, after: Option<Dealt>) {
        let [newer, older] = &mut self.below;
        if let Some(old) = std::mem::replace(older, newer.take()) {
            self.free.push(old.layer.into_buffer());
        }
        *newer = after;
    }

    /// Whether memory that a layer does not need any more is worth giving back.
    fn is_large(&self, layer: &Layer) -> bool {
        2 * layer.layout.words() > self.capacity && !layer.is_small()
    }

    /// Makes the states of a layer, block by block. The older afterstates are given up on the way, so
    /// that hardly more than two shares are in memory.
    fn spawn(&mut self, deal: &Deal, starts: &[Board]) -> Result<Layer, CountError> {
        let below = self.below.each_ref().map(Option::as_ref);
        let mut halos = fetch(self.cluster, deal, below)?;
        let mut states = self.layer(deal)?;
        let large = self.is_large(&states);
        let blocks = states.layout.blocks.clone();
        let parts: Vec<Part> = match large {
            true => blocks.iter().map(single).collect(),
            false => vec![deal.own()],
        };
        for part in parts {
            let [newer, older] = &mut self.below;
            let sources = [
                newer.as_ref().zip(halos[0].as_ref()),
                older.as_ref().zip(halos[1].as_ref()),
            ];
            let sources = sources
                .map(|it| it.map(|(below, halo)| Afterstates::with_halo(&below.layer, halo)));
            spawn(self.space, sources, &mut states, part);
            if large {
                // States further up need tops that are lighter by two units at most.
                let older = older.as_mut().map(|older| &mut older.layer);
                for layer in halos.iter_mut().flatten().chain(older) {
                    let blocks = layer.layout.blocks.clone();
                    let done = blocks
                        .iter()
                        .filter(|block| block.top_units + 2 <= part.first);
                    done.for_each(|block| layer.release(block));
                }
            }
        }
        drop(halos);
        begin(self.space, starts, &mut states, deal.own());
        Ok(states)
    }

    /// Slides the states of a layer: its afterstates, and how many there are in all shares, not up to
    /// symmetry.
    fn slide(&mut self, deal: Deal, mut states: Layer) -> Result<(Dealt, Tally), CountError> {
        let space = self.space;
        let mut after = self.layer(&deal)?;
        slide_rows(space, &states, &mut after, deal.own());
        if space.is_closed_across() {
            // The boards to mirror are read from a copy, lest the images be mirrored again.
            states.copy_from(&after);
        }
        let groups = row_groups(&states.layout, self.cluster.processes());
        scatter(self.cluster, &deal, &mut after, &groups, |rows, sink| {
            let block = &states.layout.blocks[rows.block];
            let bottoms = space.bottom_group(block);
            for row in rows.first..rows.end {
                let top = space.top(block, row);
                let words = states.row(block.top_units, row).unwrap_or(&[]);
                for_each_bit(words.iter().copied(), |bit| {
                    let board = space.board(top, bottoms[bit]);
                    cross(space, board, |place| sink.mark(place));
                });
            }
            Ok(())
        })?;
        if self.is_large(&states) {
            let blocks = states.layout.blocks.clone();
            blocks.iter().for_each(|block| states.release(block));
        }
        self.free.push(states.into_buffer());
        let tally = self.census.afterstates(space, &after, deal.own(), false);
        Ok((Dealt { deal, layer: after }, tally))
    }

    /// The numbers of all processes together, up to symmetry.
    fn classes(&self, tallies: [Tally; 2]) -> Result<[Tally; 2], CountError> {
        let numbers: Vec<u64> = tallies
            .iter()
            .flat_map(|tally| [tally.all, tally.lost])
            .flatten()
            .collect();
        let sums = self.cluster.sum(&numbers)?;
        let at = |number: usize| std::array::from_fn(|e| sums[16 * number + e]);
        Ok([0, 2].map(|number| {
            self.census.classes(Tally {
                all: at(number),
                lost: at(number + 1),
            })
        }))
    }
}

impl LayerEngine for ClusterEngine<'_> {
    fn is_in_parts(&self) -> bool {
        false
    }

    fn is_finished(&self) -> bool {
        self.below.iter().all(Option::is_none)
    }

    fn skip(&mut self) {
        self.push(None);
    }

    fn restore(
        &mut self,
        units: usize,
        states: &[Section],
        damaged: &dyn Fn() -> CountError,
    ) -> Result<(), CountError> {
        let space = self.space;
        let deal = Deal::new(space, units, self.cluster);
        let mut layer = self.layer(&deal)?;
        layer.fill_rows(|_| true, || (), |_, _, row, ()| row.fill(0));
        let groups: Vec<Vec<&Section>> = states
            .chunks(16)
            .map(|sections| sections.iter().collect())
            .collect();
        let layout = layer.layout.clone();
        let restored = scatter(self.cluster, &deal, &mut layer, &groups, |section, sink| {
            let images = section.for_each_board(space, &layout, |board| {
                space.closed_places(board, |place| sink.mark(place));
            });
            images.map_err(|_| crate::engine::invalid_section())
        });
        restored.map_err(|error| match error {
            CountError::Index(_) => damaged(),
            error => error,
        })?;
        let (after, tally) = self.slide(deal, layer)?;
        let [_, classes] = self.classes([Tally::default(), tally])?;
        let any = classes.all.iter().any(|&boards| boards > 0);
        self.push(any.then_some(after));
        Ok(())
    }

    fn advance(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<LayerResult, CountError> {
        let space = self.space;
        let deal = Deal::new(space, units, self.cluster);
        let own = deal.own();
        let mut states = self.spawn(&deal, starts)?;
        // The older afterstates are not needed any more.
        if let Some(old) = self.below[1].take() {
            self.free.push(old.layer.into_buffer());
        }
        let lost = space
            .allowed
            .as_ref()
            .map(|allowed| take_lost(space, allowed, &mut states, self.by_largest));
        let tally = match lost {
            None => self.census.states(space, &states, own, self.by_largest),
            Some(lost) => {
                let live = self
                    .census
                    .afterstates(space, &states, own, self.by_largest);
                live.add(Tally { all: lost, lost })
            }
        };
        let mut state_set = SetData::EMPTY;
        if request.states {
            let keep = |board| match lost {
                None => is_canonical_state(space, board),
                // No other image, and no lost board is left.
                Some(_) => true,
            };
            state_set = select(space, &states, request.form, keep).map_err(CountError::from)?;
        }
        let (after, after_tally) = self.slide(deal, states)?;
        let [states, afterstates] = self.classes([tally, after_tally])?;
        let afterstates = afterstates.all.iter().sum();
        let mut afterstate_set = SetData::EMPTY;
        if request.afterstates {
            let keep = |board| is_canonical(space, board);
            let set = select(space, &after.layer, request.form, keep);
            afterstate_set = set.map_err(CountError::from)?;
        }
        let after = match afterstates {
            0 => {
                self.free.push(after.layer.into_buffer());
                None
            }
            _ => Some(after),
        };
        self.push(after);
        Ok(LayerResult {
            states,
            afterstates,
            state_set,
            afterstate_set,
        })
    }
}
