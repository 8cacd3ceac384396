//! The engine on the processors: whole layers, or layers in parts.
//!
//! If memory allows, the three sets that a step needs (two layers of afterstates and the
//! new states, or the new states and two layers of afterstates) are bitmaps in memory.
//! Otherwise finished sets are packed, and a step works on one block at a time: a block of
//! states needs only the blocks of afterstates whose tops are lighter by at most a tile, and
//! slides to the left and right keep to a block. Only slides up and down reach all blocks;
//! they are done for as many blocks at a time as memory allows.

use tilebase_game::Board;

use crate::census::{Census, Tally};
use crate::error::CountError;
use crate::layer_engine::{LayerEngine, LayerRequest, LayerResult};
use crate::lost::take_lost;
use crate::plan::CountPlan;
use crate::slide::{cross, slide_across, slide_rows};
use crate::spawn::{Afterstates, spawn};
use tilebase_index::buffer::Buffer;
use tilebase_index::layer::{Block, Layer, Layout, Part};
use tilebase_index::mark::Batch;
use tilebase_index::pack::{Section, SetData, pack, select, unpack, unpack_closed};
use tilebase_index::space::Space;

use rayon::prelude::*;

/// The afterstates of a layer.
struct Slid {
    after: Option<Rest>,
    afterstates: u64,
    /// The canonical ones, if they were requested.
    set: SetData,
}

/// The states of a layer that was made in parts.
struct Spawned {
    /// How many there are up to symmetry.
    classes: Tally,
    /// All of them.
    packed: Vec<Section>,
    /// The canonical live ones, if they were requested.
    canonical: Vec<Section>,
}

/// A layer of afterstates, as it is kept until it is needed.
enum Rest {
    Whole(Layer),
    Packed(usize, Vec<Section>),
}

/// The engine on the processors of this machine.
pub(crate) struct CpuEngine<'a> {
    space: &'a Space,
    census: &'a Census,
    plan: &'a CountPlan,
    by_largest: bool,
    /// Afterstates one and two units below the next layer.
    below: [Option<Rest>; 2],
    free: Vec<Buffer>,
}

impl<'a> CpuEngine<'a> {
    /// An engine before the first layer.
    pub fn new(
        space: &'a Space,
        census: &'a Census,
        plan: &'a CountPlan,
        by_largest: bool,
    ) -> CpuEngine<'a> {
        CpuEngine {
            space,
            census,
            plan,
            by_largest,
            below: [None, None],
            free: Vec::new(),
        }
    }

    fn layer(&mut self, units: usize) -> Result<Layer, CountError> {
        let buffer = match self.free.pop() {
            Some(buffer) => buffer,
            None => Buffer::new(self.plan.max_words).map_err(CountError::from)?,
        };
        Ok(Layer::new(Layout::new(self.space, units), buffer))
    }

    /// Puts a new layer of afterstates in the place of the older one.
    fn push(&mut self, after: Option<Rest>) {
        let [newer, older] = &mut self.below;
        if let Some(Rest::Whole(layer)) = std::mem::replace(older, newer.take()) {
            self.free.push(layer.into_buffer());
        }
        *newer = after;
    }

    fn advance_whole(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<LayerResult, CountError> {
        let space = self.space;
        let mut states = self.layer(units)?;
        let below = self.below.each_ref().map(|rest| match rest {
            Some(Rest::Whole(layer)) => Some(Afterstates::whole(layer)),
            _ => None,
        });
        spawn(space, below, &mut states, Part::ALL);
        begin(space, starts, &mut states, Part::ALL);
        // The older afterstates are not needed any more.
        if let Some(Rest::Whole(layer)) = self.below[1].take() {
            self.free.push(layer.into_buffer());
        }
        // Counting and sliding both only read the states, and small layers leave no core
        // idle if they are done together.
        let mut after = self.layer(units)?;
        let (detail, part) = (self.by_largest, Part::ALL);
        let lost = space
            .allowed
            .as_ref()
            .map(|allowed| take_lost(space, allowed, &mut states, detail));
        let (tally, ()) = rayon::join(
            || match lost {
                None => self.census.states(space, &states, part, detail),
                Some(lost) => {
                    let live = self.census.afterstates(space, &states, part, detail);
                    live.add(Tally { all: lost, lost })
                }
            },
            || slide_rows(space, &states, &mut after, part),
        );
        let mut found = LayerResult {
            states: self.census.classes(tally),
            afterstates: 0,
            state_set: SetData::EMPTY,
            afterstate_set: SetData::EMPTY,
        };
        if request.states {
            let keep = |board| match lost {
                None => is_canonical_state(space, board),
                // No other image, and no lost board is left.
                Some(_) => true,
            };
            found.state_set =
                select(space, &states, request.form, keep).map_err(CountError::from)?;
        }
        let slid = self.finish_slide(states, after, request)?;
        found.afterstates = slid.afterstates;
        found.afterstate_set = slid.set;
        self.push(slid.after);
        Ok(found)
    }

    /// Adds slides up and down to those left and right, and counts the afterstates.
    fn finish_slide(
        &mut self,
        mut states: Layer,
        mut after: Layer,
        request: LayerRequest,
    ) -> Result<Slid, CountError> {
        slide_across(self.space, &mut states, &mut after);
        self.free.push(states.into_buffer());
        let tally = self
            .census
            .afterstates(self.space, &after, Part::ALL, false);
        let afterstates = self.census.classes(tally).all.iter().sum();
        let mut slid = Slid {
            after: None,
            afterstates,
            set: SetData::EMPTY,
        };
        if afterstates == 0 {
            self.free.push(after.into_buffer());
            return Ok(slid);
        }
        if request.afterstates {
            let keep = |board| is_canonical(self.space, board);
            slid.set = select(self.space, &after, request.form, keep).map_err(CountError::from)?;
        }
        slid.after = Some(Rest::Whole(after));
        Ok(slid)
    }

    fn advance_in_parts(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<LayerResult, CountError> {
        let spawned = self.spawn_in_parts(units, starts, request)?;
        self.below[1] = None;
        let slid = self.slide_in_parts(units, &spawned.packed, request)?;
        self.push(slid.after);
        Ok(LayerResult {
            states: spawned.classes,
            afterstates: slid.afterstates,
            state_set: SetData::Packed(spawned.canonical),
            afterstate_set: slid.set,
        })
    }

    /// Spawns the states of a layer block by block, and packs them.
    fn spawn_in_parts(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<Spawned, CountError> {
        let space = self.space;
        let mut states = self.layer(units)?;
        let mut views = [None, None];
        for (number, view) in views.iter_mut().enumerate() {
            if let Some(Rest::Packed(units, _)) = &self.below[number] {
                let units = *units;
                *view = Some(self.layer(units)?);
            }
        }
        let mut tally = Tally::default();
        let mut packed = Vec::new();
        let mut canonical = Vec::new();
        for block in states
            .layout
            .clone()
            .blocks
            .iter()
            .filter(|block| block.rows > 0)
        {
            let part = single(block);
            for (number, view) in views.iter_mut().enumerate() {
                if let (Some(view), Some(Rest::Packed(_, sections))) = (view, &self.below[number]) {
                    unpack(sections, view, part.lowered(1 << number))
                        .map_err(|_| invalid_section())?;
                }
            }
            spawn(
                space,
                views
                    .each_ref()
                    .map(|view| view.as_ref().map(Afterstates::whole)),
                &mut states,
                part,
            );
            begin(space, starts, &mut states, part);
            tally = tally.add(self.census.states(space, &states, part, self.by_largest));
            if request.states {
                canonical.extend(pack(space, &states, part, |board| {
                    is_canonical_state(space, board)
                }));
            }
            packed.extend(pack(space, &states, part, |_| true));
            states.release(block);
            for view in views.iter_mut().flatten() {
                release(
                    view,
                    Part {
                        first: 0,
                        end: part.end,
                    },
                );
            }
            self.check_memory(&[&packed, &canonical])?;
        }
        self.free.push(states.into_buffer());
        self.free
            .extend(views.into_iter().flatten().map(Layer::into_buffer));
        Ok(Spawned {
            classes: self.census.classes(tally),
            packed,
            canonical,
        })
    }

    /// Slides packed states.
    fn slide_in_parts(
        &mut self,
        units: usize,
        states: &[Section],
        request: LayerRequest,
    ) -> Result<Slid, CountError> {
        let space = self.space;
        let mut from = self.layer(units)?;
        let mut after = self.layer(units)?;
        let layout = after.layout.clone();
        let mut slid = Vec::new();
        for block in layout.blocks.iter().filter(|block| block.rows > 0) {
            unpack(states, &mut from, single(block)).map_err(|_| invalid_section())?;
            slide_rows(space, &from, &mut after, single(block));
            slid.extend(pack(space, &after, single(block), |_| true));
            from.release(block);
            after.release(block);
        }
        self.free.push(from.into_buffer());
        self.check_memory(&[states, &slid])?;
        let sources = if space.is_closed_across() {
            &slid[..]
        } else {
            states
        };
        let mut tally = Tally::default();
        let mut packed = Vec::new();
        let mut canonical = Vec::new();
        for part in self.plan.parts(&layout) {
            unpack(&slid, &mut after, part).map_err(|_| invalid_section())?;
            let marker = after.marker();
            let add_all = sources.par_iter().try_for_each(|section| {
                let mut batch = Batch::new(&marker);
                section.for_each_board(space, &layout, |board| {
                    cross(space, board, |place| {
                        if part.has(place.top_units) {
                            batch.mark(place);
                        }
                    });
                })
            });
            drop(marker);
            add_all.map_err(|_| invalid_section())?;
            tally = tally.add(self.census.afterstates(space, &after, part, false));
            packed.extend(pack(space, &after, part, |_| true));
            if request.afterstates {
                canonical.extend(pack(space, &after, part, |board| {
                    is_canonical(space, board)
                }));
            }
            release(&mut after, part);
            self.check_memory(&[states, &slid, &packed])?;
        }
        self.free.push(after.into_buffer());
        let afterstates = self.census.classes(tally).all.iter().sum();
        Ok(Slid {
            after: (afterstates > 0).then_some(Rest::Packed(units, packed)),
            afterstates,
            set: SetData::Packed(canonical),
        })
    }

    /// Fails if packed sets have outgrown the memory allowed.
    fn check_memory(&self, packed: &[&[Section]]) -> Result<(), CountError> {
        let rest = self.below.iter().flatten().map(|rest| match rest {
            Rest::Packed(_, sections) => &sections[..],
            Rest::Whole(_) => &[],
        });
        let bytes = rest
            .chain(packed.iter().copied())
            .flatten()
            .map(|s| s.bytes.len() as u64)
            .sum::<u64>();
        self.plan.check(bytes)
    }
}

impl LayerEngine for CpuEngine<'_> {
    fn is_in_parts(&self) -> bool {
        self.plan.in_parts()
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
        if self.plan.in_parts() {
            let layout = Layout::new(space, units);
            let mut packed = Vec::new();
            let mut layer = self.layer(units)?;
            for part in self.plan.parts(&layout) {
                layer.fill_rows(
                    |block| part.has(block.top_units),
                    || (),
                    |_, _, row, ()| row.fill(0),
                );
                let marker = layer.marker();
                let fill = states.par_iter().try_for_each(|section| {
                    section.for_each_board(space, &layout, |board| {
                        space.closed_places(board, |place| {
                            if part.has(place.top_units) {
                                marker.mark(place);
                            }
                        });
                    })
                });
                drop(marker);
                fill.map_err(|_| damaged())?;
                packed.extend(pack(space, &layer, part, |_| true));
                release(&mut layer, part);
            }
            self.free.push(layer.into_buffer());
            let slid = self.slide_in_parts(units, &packed, LayerRequest::COUNTS)?;
            self.push(slid.after);
        } else {
            let mut layer = self.layer(units)?;
            unpack_closed(space, states, &mut layer).map_err(|_| damaged())?;
            let mut after = self.layer(units)?;
            slide_rows(space, &layer, &mut after, Part::ALL);
            let slid = self.finish_slide(layer, after, LayerRequest::COUNTS)?;
            self.push(slid.after);
        }
        Ok(())
    }

    fn advance(
        &mut self,
        units: usize,
        starts: &[Board],
        request: LayerRequest,
    ) -> Result<LayerResult, CountError> {
        if self.plan.in_parts() {
            self.advance_in_parts(units, starts, request)
        } else {
            self.advance_whole(units, starts, request)
        }
    }
}

/// The part with one block.
pub(crate) fn single(block: &Block) -> Part {
    Part {
        first: block.top_units,
        end: block.top_units + 1,
    }
}

/// A section packed by this engine does not fit its layer: only broken memory can do that.
pub(crate) fn invalid_section() -> CountError {
    CountError::from(std::io::Error::other(
        "a packed layer does not fit its blocks",
    ))
}

/// Returns the memory of a part's blocks to the system.
fn release(layer: &mut Layer, part: Part) {
    let blocks = layer.layout.blocks.clone();
    for block in blocks.iter().filter(|block| part.has(block.top_units)) {
        layer.release(block);
    }
}

/// Puts start states into a part of a layer.
pub(crate) fn begin(space: &Space, starts: &[Board], states: &mut Layer, part: Part) {
    let marker = states.marker();
    let mut batch = Batch::new(&marker);
    for &board in starts {
        space.closed_places(board, |place| {
            if part.has(place.top_units) {
                batch.mark(place);
            }
        });
    }
}

/// Whether a folded board is canonical and not lost.
pub(crate) fn is_canonical_state(space: &Space, board: Board) -> bool {
    is_canonical(space, board) && !space.rules.is_lost(board)
}

/// Whether a folded board is canonical.
#[inline]
pub(crate) fn is_canonical(space: &Space, board: Board) -> bool {
    if !space.cut.folded {
        return space.rules.canonical(board) == board;
    }
    space
        .leads_alone(board)
        .unwrap_or_else(|| space.rules.canonical(board) == board)
}
