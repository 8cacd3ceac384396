//! The engine on the card: the steps of the one on the processor, whole layers at a time.

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use tilebase_card::told;
use tilebase_game::Board;

use crate::buffer::Buffer;
use crate::census::{Census, Tally};
use crate::engine::{Advance, Found, Want, is_canonical, is_canonical_state};
use crate::error::CountError;
use crate::layer::{Layer, Layout};
use crate::pack::{Kept, Section, hand_out, unpack_closed};
use crate::plan::Plan;
use crate::space::Space;

use super::device::{Card, for_rows};
use super::layer::{CardBlocks, CardLayer};
use super::symmetric::CardUnchanged;
use super::tables::CardTables;

/// Copies of a tally, so that threads are not in each other's way.
const COPIES: usize = 64;
/// Numbers in a tally: all boards and lost ones, by the largest tile.
const ACCOUNTS: usize = 32;

pub(crate) struct CardEngine<'a> {
    space: &'a Space,
    census: &'a Census,
    plan: &'a Plan,
    by_largest: bool,
    card: Card,
    tables: CardTables,
    unchanged: Vec<CardUnchanged>,
    tally: CudaSlice<u64>,
    /// Afterstates one and two units below the next layer.
    below: [Option<CardLayer>; 2],
    free: Vec<CudaSlice<u64>>,
    /// Stands for a layer that is not there.
    nothing: CudaSlice<u64>,
}

impl<'a> CardEngine<'a> {
    /// An engine before the first layer.
    pub fn new(
        space: &'a Space,
        census: &'a Census,
        plan: &'a Plan,
        by_largest: bool,
    ) -> Result<CardEngine<'a>, CountError> {
        let card = Card::open()?;
        let needed = plan.card_bytes();
        if needed > card.memory.free {
            return Err(CountError::CardMemory {
                needed,
                free: card.memory.free,
                name: card.memory.name.clone(),
            });
        }
        let memory = told("taking the card's memory");
        let tables = CardTables::new(&card, space)?;
        let unchanged = CardUnchanged::all(&card, census)?;
        let zeros = |n| card.stream.alloc_zeros(n).map_err(&memory);
        Ok(CardEngine {
            tally: zeros(COPIES * ACCOUNTS)?,
            nothing: zeros(1)?,
            space,
            census,
            plan,
            by_largest,
            card,
            tables,
            unchanged,
            below: [None, None],
            free: Vec::new(),
        })
    }

    fn layer(&mut self, units: usize) -> Result<CardLayer, CountError> {
        let words = match self.free.pop() {
            Some(words) => words,
            None => self
                .card
                .stream
                .alloc_zeros(self.plan.max_words.max(1))
                .map_err(told("taking the card's memory"))?,
        };
        let layout = Layout::new(self.space, units);
        Ok(CardLayer {
            blocks: CardBlocks::new(&self.card, self.space, &layout, |_| true)?,
            layout,
            words,
        })
    }

    fn push(&mut self, after: Option<CardLayer>) {
        let [newer, older] = &mut self.below;
        if let Some(layer) = std::mem::replace(older, newer.take()) {
            self.free.push(layer.words);
        }
        *newer = after;
    }

    /// Fills a layer with the states that spawns make of the afterstates below.
    fn spawn(&mut self, states: &mut CardLayer, starts: &[Board]) -> Result<(), CountError> {
        let falls = |exponent: u8| self.space.spawn.weight(exponent) > 0;
        let error = told("letting tiles fall on the card");
        let [twos, fours] = &self.below;
        let below = [
            twos.as_ref().filter(|_| falls(1)),
            fours.as_ref().filter(|_| falls(2)),
        ];
        let given = below.map(|layer| match layer {
            Some(layer) => (
                &layer.words,
                &layer.blocks.list,
                layer.first(),
                layer.blocks.number,
            ),
            None => (&self.nothing, &self.nothing, 0, 0),
        });
        let stream = self.card.stream.clone();
        if states.blocks.rows > 0 {
            let shape = for_rows(states.blocks.rows, states.blocks.longest, true);
            let mut launch = stream.launch_builder(&self.card.spawn);
            launch.arg(&self.tables.list).arg(&mut states.words);
            launch.arg(&states.blocks.list).arg(&states.blocks.number);
            for (words, blocks, first, number) in &given {
                launch.arg(*words).arg(*blocks).arg(first).arg(number);
            }
            // SAFETY: the arguments are those of `spawn` in count.cu, in its order; every
            // place is below the layer's size by construction of the shared tables.
            #[allow(unsafe_code)]
            unsafe { launch.launch(shape) }.map_err(&error)?;
        }
        for (number, layer) in below.iter().enumerate() {
            let Some(layer) = layer else { continue };
            let chosen = CardBlocks::new(&self.card, self.space, &layer.layout, |block| {
                block.turns_over(number)
            })?;
            if chosen.rows == 0 {
                continue;
            }
            let (first, kind) = (states.first(), number as u32);
            let shape = for_rows(chosen.rows, chosen.longest, false);
            let mut launch = stream.launch_builder(&self.card.turn_over);
            launch.arg(&self.tables.list).arg(&mut states.words);
            launch.arg(&states.blocks.list).arg(&first);
            launch.arg(&states.blocks.number).arg(&layer.words);
            launch.arg(&chosen.list).arg(&chosen.number).arg(&kind);
            // SAFETY: as above, for `turn_over`.
            #[allow(unsafe_code)]
            unsafe { launch.launch(shape) }.map_err(&error)?;
        }
        self.begin(states, starts)
    }

    /// Puts start states into a layer.
    fn begin(&self, states: &mut CardLayer, starts: &[Board]) -> Result<(), CountError> {
        let mut positions: Vec<u64> = Vec::new();
        for &board in starts {
            self.space.closed_places(board, |place| {
                if let Some(block) = states.layout.block(place.top_units) {
                    let word = block.offset + place.row * block.stride;
                    positions.push((64 * word + place.bit) as u64);
                }
            });
        }
        if positions.is_empty() {
            return Ok(());
        }
        let number = positions.len() as u32;
        let list = self.card.upload(&positions)?;
        let mut launch = self.card.stream.launch_builder(&self.card.mark);
        launch.arg(&mut states.words).arg(&list).arg(&number);
        // SAFETY: the arguments are those of `mark` in count.cu; the positions are the
        // layout's own.
        #[allow(unsafe_code)]
        unsafe { launch.launch(LaunchConfig::for_num_elems(number)) }
            .map_err(told("letting tiles fall on the card"))?;
        Ok(())
    }

    /// The afterstates of a layer. What is left in `states` is of no use any more.
    fn slide(&mut self, states: &mut CardLayer) -> Result<CardLayer, CountError> {
        let mut after = self.layer(states.layout.units)?;
        let blocks = &states.blocks;
        if blocks.rows == 0 {
            return Ok(after);
        }
        let error = told("sliding on the card");
        let stream = self.card.stream.clone();
        let mut launch = stream.launch_builder(&self.card.slide_rows);
        launch.arg(&self.tables.list).arg(&states.words);
        launch.arg(&mut after.words).arg(&blocks.list);
        launch.arg(&blocks.number);
        // SAFETY: the arguments are those of `slide_rows` in count.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(for_rows(blocks.rows, blocks.longest, true)) }.map_err(&error)?;
        let square = u32::from(self.space.is_square());
        if self.space.is_square() {
            // The boards to mirror are read from a copy, lest the images be mirrored again.
            let words = states.layout.words();
            let (from, mut to) = (
                after.words.slice(0..words),
                states.words.slice_mut(0..words),
            );
            stream.memcpy_dtod(&from, &mut to).map_err(&error)?;
        }
        let first = states.first();
        let mut launch = stream.launch_builder(&self.card.slide_across);
        launch.arg(&self.tables.list).arg(&states.words);
        launch.arg(&mut after.words).arg(&states.blocks.list);
        launch.arg(&first).arg(&states.blocks.number).arg(&square);
        // SAFETY: as above, for `slide_across`.
        #[allow(unsafe_code)]
        unsafe { launch.launch(for_rows(states.blocks.rows, states.blocks.longest, false)) }
            .map_err(&error)?;
        Ok(after)
    }

    /// The classes of a layer.
    fn tally(
        &mut self,
        layer: &mut CardLayer,
        detail: bool,
        lost: bool,
    ) -> Result<Tally, CountError> {
        let error = told("counting on the card");
        let stream = self.card.stream.clone();
        stream.memset_zeros(&mut self.tally).map_err(&error)?;
        let (detail, lost) = (u32::from(detail), u32::from(lost));
        let (first, units) = (layer.first(), layer.layout.units as u32);
        if layer.blocks.rows > 0 {
            let mut launch = stream.launch_builder(&self.card.tally_rows);
            launch.arg(&self.tables.list).arg(&layer.words);
            launch.arg(&layer.blocks.list).arg(&layer.blocks.number);
            launch.arg(&detail).arg(&lost).arg(&mut self.tally);
            // SAFETY: the arguments are those of `tally_rows` in count.cu, in its order.
            #[allow(unsafe_code)]
            unsafe { launch.launch(for_rows(layer.blocks.rows, layer.blocks.longest, false)) }
                .map_err(&error)?;
            for kind in &self.unchanged {
                let mut launch = stream.launch_builder(&self.card.tally_unchanged);
                launch.arg(&self.tables.list).arg(&mut layer.words);
                launch.arg(&layer.blocks.list).arg(&first);
                launch.arg(&layer.blocks.number).arg(&units);
                launch.arg(&kind.one).arg(&kind.one_units).arg(&kind.ones);
                launch.arg(&kind.other).arg(&kind.first_other);
                launch.arg(&kind.most).arg(&kind.weight).arg(&detail);
                launch.arg(&mut self.tally);
                // SAFETY: as above, for `tally_unchanged`.
                #[allow(unsafe_code)]
                unsafe { launch.launch(LaunchConfig::for_num_elems(32 * kind.ones)) }
                    .map_err(&error)?;
            }
        }
        let copies = stream.clone_dtoh(&self.tally).map_err(&error)?;
        let mut tally = Tally::default();
        for copy in copies.chunks_exact(ACCOUNTS) {
            let (all, lost) = copy.split_at(ACCOUNTS / 2);
            tally.all.iter_mut().zip(all).for_each(|(sum, n)| *sum += n);
            tally
                .lost
                .iter_mut()
                .zip(lost)
                .for_each(|(sum, n)| *sum += n);
        }
        Ok(self.census.classes(tally))
    }

    /// A layer in this machine's memory, to be packed.
    fn download(&self, layer: &CardLayer) -> Result<Layer, CountError> {
        let words = layer.layout.words();
        let buffer = Buffer::new(words).map_err(CountError::System)?;
        let mut copy = Layer::new(layer.layout.clone(), buffer);
        if words > 0 {
            self.card
                .stream
                .memcpy_dtoh(&layer.words.slice(0..words), copy.words_mut())
                .and_then(|()| self.card.stream.synchronize())
                .map_err(told("reading from the card"))?;
        }
        Ok(copy)
    }
}

impl Advance for CardEngine<'_> {
    fn is_spent(&self) -> bool {
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
        let mut layer = self.layer(units)?;
        let words = layer.layout.words();
        let buffer = Buffer::new(words).map_err(CountError::System)?;
        let mut copy = Layer::new(layer.layout.clone(), buffer);
        unpack_closed(self.space, states, &mut copy).map_err(|_| damaged())?;
        if words > 0 {
            let mut to = layer.words.slice_mut(0..words);
            let sent = self.card.stream.memcpy_htod(copy.words_mut(), &mut to);
            sent.map_err(told("writing to the card"))?;
        }
        let after = self.slide(&mut layer)?;
        self.free.push(layer.words);
        self.push(Some(after));
        Ok(())
    }

    fn advance(&mut self, units: usize, starts: &[Board], want: Want) -> Result<Found, CountError> {
        let mut states = self.layer(units)?;
        self.spawn(&mut states, starts)?;
        // The older afterstates have served.
        if let Some(layer) = self.below[1].take() {
            self.free.push(layer.words);
        }
        let mut found = Found {
            states: self.tally(&mut states, self.by_largest, true)?,
            afterstates: 0,
            kept: Kept::NOTHING,
            kept_after: Kept::NOTHING,
        };
        if want.states {
            let copy = self.download(&states)?;
            let keep = |board| is_canonical_state(self.space, board);
            found.kept =
                hand_out(self.space, &copy, want.form, keep).map_err(CountError::System)?;
        }
        let mut after = self.slide(&mut states)?;
        self.free.push(states.words);
        let tally = self.tally(&mut after, false, false)?;
        found.afterstates = tally.all.iter().sum();
        if found.afterstates == 0 {
            self.free.push(after.words);
            self.push(None);
            return Ok(found);
        }
        if want.afterstates {
            let copy = self.download(&after)?;
            let keep = |board| is_canonical(self.space, board);
            found.kept_after =
                hand_out(self.space, &copy, want.form, keep).map_err(CountError::System)?;
        }
        self.push(Some(after));
        Ok(found)
    }
}
