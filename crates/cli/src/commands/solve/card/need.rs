//! What solving on a card would need.

use serde::Serialize;
use tilebase_count::card_memory;
use tilebase_game::{Variant, tile_value};
use tilebase_solve::{CardOptions, estimate_on_card};
use tilebase_table::Objective;
use tilebase_util::bytes_text;

use crate::commands::solve::failure;
use crate::failure::Failure;
use crate::output::{self, card_text, game_text, time_text};

/// What solving on the card would need, and what is there.
#[derive(Serialize)]
struct DryAnswer {
    shape: String,
    to: Option<u128>,
    objective: &'static str,
    dry_run: bool,
    bits: u64,
    card_bytes: u64,
    card_name: Option<String>,
    card_free_bytes: Option<u64>,
    fits: bool,
    /// Why there is no card to be used.
    missing: Option<String>,
    checkpoints: usize,
    checkpoint_card_bytes: u64,
    checkpoint_host_bytes: u64,
    passes: f64,
    memory_bytes: u64,
    seconds_estimate: f64,
}

/// What an H200 has free, where there is no card to ask.
const H200_BYTES: u64 = 139 << 30;

/// Tells it, and does nothing.
pub fn dry_run(
    variant: &Variant,
    objective: Objective,
    options: &CardOptions,
    json: bool,
) -> Result<(), Failure> {
    let (card, missing) = match card_memory() {
        Ok(card) => (Some(card), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let free = card.as_ref().map(|card| card.free);
    let room = free.unwrap_or(H200_BYTES);
    let estimate = estimate_on_card(variant, objective, room, options).map_err(failure)?;
    let allowed = options.card_bytes.unwrap_or(u64::MAX);
    let [checkpoint_card_bytes, checkpoint_host_bytes] = estimate.checkpoint_bytes;
    let answer = DryAnswer {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        objective: objective.name(),
        dry_run: true,
        bits: 8 * estimate.width.bytes(),
        card_bytes: estimate.card_bytes,
        card_name: card.map(|card| card.name),
        card_free_bytes: free,
        fits: free.is_some_and(|free| free.min(allowed) >= estimate.card_bytes),
        missing,
        checkpoints: estimate.checkpoints,
        checkpoint_card_bytes,
        checkpoint_host_bytes,
        passes: estimate.passes,
        memory_bytes: options.memory,
        seconds_estimate: estimate.seconds,
    };
    output::print(json, &answer, DryAnswer::text)
}

impl DryAnswer {
    fn text(&self) -> String {
        let card = self.card_name.as_deref().zip(self.card_free_bytes);
        let there = card_text(card, self.fits, self.missing.as_deref());
        format!(
            "{}, {}, on a card (roughly)\n  {} of its memory, values of {} bits; {there}\n  {} checkpoints: {} on the card, {} in this machine's memory; each layer made {:.2} times on the way up to others\n  about {} on an H200\n",
            game_text(&self.shape, self.to),
            self.objective,
            bytes_text(self.card_bytes),
            self.bits,
            self.checkpoints,
            bytes_text(self.checkpoint_card_bytes),
            bytes_text(self.checkpoint_host_bytes),
            self.passes,
            time_text(self.seconds_estimate)
        )
    }
}
