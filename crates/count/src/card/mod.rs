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
use crate::space::Space;

use device::Card;
use engine::CardEngine;
use parts::PartEngine;

/// The engine for layers on the card: in whole if three of them fit its memory, else in parts.
pub(crate) fn card_engine<'a>(
    space: Arc<Space>,
    census: &'a Census,
    plan: &'a Plan,
    by_largest: bool,
    options: &Options,
) -> Result<Box<dyn Advance + 'a>, CountError> {
    let card = Card::open()?;
    let free = card
        .memory
        .free
        .min(options.card_memory.unwrap_or(u64::MAX));
    if plan.card_bytes() <= free {
        let engine = CardEngine::new(card, free, space, census, plan, by_largest)?;
        return Ok(Box::new(engine));
    }
    let needed = plan.card_least_bytes();
    if needed > free {
        let name = card.memory.name.clone();
        return Err(CountError::CardMemory { needed, free, name });
    }
    if plan.whole_bytes() > options.memory {
        return Err(CountError::Memory {
            needed: plan.whole_bytes(),
            allowed: options.memory,
        });
    }
    let words = plan.card_part_words(free);
    let engine = PartEngine::new(card, space, census, by_largest, words, plan.max_words)?;
    Ok(Box::new(engine))
}
