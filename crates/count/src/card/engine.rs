//! The engine on the card: the steps of the one on the processor, whole layers at a time.

use std::sync::Arc;

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use tilebase_card::told;
use tilebase_game::Board;

use crate::buffer::Buffer;
use crate::census::{Census, Tally};
use crate::engine::{Advance, Found, Want, is_canonical, is_canonical_state};
use crate::error::CountError;
use crate::layer::Layer;
use crate::pack::{Kept, Section, hand_out, unpack_closed};
use crate::plan::Plan;
use crate::space::Space;

use super::device::{Card, for_rows};
use super::layer::CardLayer;
use super::steps::CardSteps;
use super::symmetric::CardUnchanged;

/// Copies of a tally, so that threads are not in each other's way.
const COPIES: usize = 64;
/// Numbers in a tally: all boards and lost ones, by the largest tile.
const ACCOUNTS: usize = 32;

/// What a tally counts.
#[derive(Clone, Copy)]
enum Counted {
    States,
    Afterstates,
}

pub(crate) struct CardEngine<'a> {
    steps: CardSteps,
    census: &'a Census,
    plan: &'a Plan,
    by_largest: bool,
    unchanged: Vec<CardUnchanged>,
    /// Of states and of afterstates.
    tallies: [CudaSlice<u64>; 2],
    /// Afterstates one and two units below the next layer.
    below: [Option<CardLayer>; 2],
    free: Vec<CudaSlice<u64>>,
}

impl<'a> CardEngine<'a> {
    /// An engine before the first layer.
    pub fn new(
        space: Arc<Space>,
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
        let unchanged = CardUnchanged::all(&card, census)?;
        let zeros = || card.stream.alloc_zeros(COPIES * ACCOUNTS).map_err(&memory);
        Ok(CardEngine {
            tallies: [zeros()?, zeros()?],
            steps: CardSteps::new(card, space)?,
            census,
            plan,
            by_largest,
            unchanged,
            below: [None, None],
            free: Vec::new(),
        })
    }

    fn layer(&mut self, units: usize) -> Result<CardLayer, CountError> {
        let words = match self.free.pop() {
            Some(words) => words,
            None => self
                .steps
                .stream()
                .alloc_zeros(self.plan.max_words.max(1))
                .map_err(told("taking the card's memory"))?,
        };
        self.steps.layer(units, words)
    }

    /// The afterstates of a layer. What is left in `states` is of no use any more.
    fn slide(&mut self, states: &mut CardLayer) -> Result<CardLayer, CountError> {
        let mut after = self.layer(states.units())?;
        self.steps.slide(states, &mut after)?;
        Ok(after)
    }

    fn push(&mut self, after: Option<CardLayer>) {
        let [newer, older] = &mut self.below;
        if let Some(layer) = std::mem::replace(older, newer.take()) {
            self.free.push(layer.words);
        }
        *newer = after;
    }

    /// Counts the classes of a layer, of states or of afterstates.
    fn tally(&mut self, layer: &mut CardLayer, what: Counted) -> Result<(), CountError> {
        let error = told("counting on the card");
        let stream = self.steps.stream().clone();
        let (detail, lost, tally) = match what {
            Counted::States => (self.by_largest, true, &mut self.tallies[0]),
            Counted::Afterstates => (false, false, &mut self.tallies[1]),
        };
        stream.memset_zeros(tally).map_err(&error)?;
        let (detail, lost) = (u32::from(detail), u32::from(lost));
        let blocks = &layer.blocks;
        let (first, units) = (blocks.first(), blocks.units() as u32);
        if blocks.rows == 0 {
            return Ok(());
        }
        let mut launch = stream.launch_builder(&self.steps.card.tally_rows);
        launch.arg(self.steps.tables()).arg(&layer.words);
        launch.arg(&blocks.list).arg(&blocks.number);
        launch.arg(&detail).arg(&lost).arg(&mut *tally);
        // SAFETY: the arguments are those of `tally_rows` in count.cu, in its order.
        #[allow(unsafe_code)]
        unsafe { launch.launch(for_rows(blocks.rows, blocks.longest, false)) }.map_err(&error)?;
        for kind in &self.unchanged {
            let mut launch = stream.launch_builder(&self.steps.card.tally_unchanged);
            launch.arg(self.steps.tables()).arg(&mut layer.words);
            launch.arg(&blocks.list).arg(&first);
            launch.arg(&blocks.number).arg(&units);
            launch.arg(&kind.one).arg(&kind.one_units).arg(&kind.ones);
            launch.arg(&kind.other).arg(&kind.first_other);
            launch.arg(&kind.most).arg(&kind.weight).arg(&detail);
            launch.arg(&mut *tally);
            // SAFETY: as above, for `tally_unchanged`.
            #[allow(unsafe_code)]
            unsafe { launch.launch(LaunchConfig::for_num_elems(32 * kind.ones)) }
                .map_err(&error)?;
        }
        Ok(())
    }

    /// What was counted last. The card has finished the layer then.
    fn counted(&self, what: Counted) -> Result<Tally, CountError> {
        let error = told("counting on the card");
        let copies = self.steps.stream().clone_dtoh(&self.tallies[what as usize]);
        let mut tally = Tally::default();
        for copy in copies.map_err(&error)?.chunks_exact(ACCOUNTS) {
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
        let words = layer.blocks.layout.words();
        let buffer = Buffer::new(words).map_err(CountError::System)?;
        let mut copy = Layer::new(layer.blocks.layout.clone(), buffer);
        if words > 0 {
            let stream = self.steps.stream();
            stream
                .memcpy_dtoh(&layer.words.slice(0..words), copy.words_mut())
                .and_then(|()| stream.synchronize())
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
        let words = layer.blocks.layout.words();
        let buffer = Buffer::new(words).map_err(CountError::System)?;
        let mut copy = Layer::new(layer.blocks.layout.clone(), buffer);
        unpack_closed(&self.steps.space, states, &mut copy).map_err(|_| damaged())?;
        if words > 0 {
            let mut to = layer.words.slice_mut(0..words);
            let sent = self.steps.stream().memcpy_htod(copy.words_mut(), &mut to);
            sent.map_err(told("writing to the card"))?;
        }
        let after = self.slide(&mut layer)?;
        self.free.push(layer.words);
        self.push(Some(after));
        Ok(())
    }

    fn advance(&mut self, units: usize, starts: &[Board], want: Want) -> Result<Found, CountError> {
        let mut states = self.layer(units)?;
        let below = self.below.each_ref().map(Option::as_ref);
        self.steps.spawn(&mut states, below, starts)?;
        // The older afterstates have served.
        if let Some(layer) = self.below[1].take() {
            self.free.push(layer.words);
        }
        self.tally(&mut states, Counted::States)?;
        let mut kept = Kept::NOTHING;
        if want.states {
            let copy = self.download(&states)?;
            let keep = |board| is_canonical_state(&self.steps.space, board);
            kept =
                hand_out(&self.steps.space, &copy, want.form, keep).map_err(CountError::System)?;
        }
        let mut after = self.slide(&mut states)?;
        self.free.push(states.words);
        self.tally(&mut after, Counted::Afterstates)?;
        let afterstates = self.counted(Counted::Afterstates)?;
        let mut found = Found {
            states: self.counted(Counted::States)?,
            afterstates: afterstates.all.iter().sum(),
            kept,
            kept_after: Kept::NOTHING,
        };
        if found.afterstates == 0 {
            self.free.push(after.words);
            self.push(None);
            return Ok(found);
        }
        if want.afterstates {
            let copy = self.download(&after)?;
            let keep = |board| is_canonical(&self.steps.space, board);
            found.kept_after =
                hand_out(&self.steps.space, &copy, want.form, keep).map_err(CountError::System)?;
        }
        self.push(Some(after));
        Ok(found)
    }
}
