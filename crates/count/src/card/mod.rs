//! Counting on a graphics card.
//!
//! The tables, the layout of bits and the steps are those of the processor, so the sets are
//! the same, bit by bit; the processor remains the reference. The driver and the compiler of
//! the kernels are looked for when they are needed, so the program builds and runs without.

mod device;
mod engine;
mod layer;
mod parts;
mod steps;
mod symmetric;
mod tables;
mod tallies;

pub use device::{GROUND, card_memory, for_rows};
pub use layer::{CardBlocks, CardLayer};
pub use steps::CardSteps;

use std::sync::Arc;

use crate::census::Census;
use crate::engine::Advance;
use crate::error::CountError;
use crate::pass::Options;
use crate::plan::Plan;
use tilebase_index::space::Space;

use device::Card;
use engine::CardEngine;
use parts::PartEngine;
use tallies::CardTallies;

/// How layers fit the card.
pub(crate) struct CardPlan<'a> {
    card: Card,
    plan: &'a Plan,
    /// Bytes of the card's memory that may be used.
    free: u64,
}

/// Bytes of a card's free memory that layers may take. A share of it is left to the driver, the
/// kernels and short lists.
pub fn usable_card_memory(free: u64, allowed: Option<u64>) -> u64 {
    const RESERVED: u64 = 64;
    (free - free / RESERVED).min(allowed.unwrap_or(u64::MAX))
}

impl<'a> CardPlan<'a> {
    /// Opens the card, and fails if layers do not fit it in whole or in parts. Sets that are
    /// handed out take memory of this machine too.
    pub fn new(
        plan: &'a Plan,
        options: &Options,
        handed_out: bool,
    ) -> Result<CardPlan<'a>, CountError> {
        let card = Card::open()?;
        let needed = plan.card_least_bytes();
        if let Some(allowed) = options.card_memory.filter(|&allowed| allowed < needed) {
            return Err(CountError::CardAllowance { needed, allowed });
        }
        let free = usable_card_memory(card.memory.free, options.card_memory);
        if free < needed {
            let name = card.memory.name.clone();
            return Err(CountError::CardMemory { needed, free, name });
        }
        let (needed, allowed) = (plan.card_host_bytes(handed_out), options.memory);
        if free < plan.card_bytes() && allowed < needed {
            return Err(CountError::CardHost { needed, allowed });
        }
        Ok(CardPlan { card, plan, free })
    }

    /// The engine for layers on the card: in whole if three of them fit its memory, else in parts.
    pub fn engine(
        self,
        space: Arc<Space>,
        census: &'a Census,
        by_largest: bool,
    ) -> Result<Box<dyn Advance + 'a>, CountError> {
        let tallies = CardTallies::new(&self.card, census, by_largest)?;
        let steps = CardSteps::new(self.card, space)?;
        if self.plan.card_bytes() <= self.free {
            let four = self.plan.card_bytes() + self.plan.layer_bytes() <= self.free;
            let engine = CardEngine::new(steps, tallies, self.plan.max_words, four);
            return Ok(Box::new(engine));
        }
        let words = self.plan.card_part_words(self.free);
        let engine = PartEngine::new(steps, tallies, words, self.plan.max_words);
        Ok(Box::new(engine))
    }
}
