//! Blocks of afterstates that other processes have and this one needs for its states.

use tilebase_cluster::Cluster;
use tilebase_index::buffer::Buffer;
use tilebase_index::layer::{Layer, Part};
use tilebase_index::sparse::{decode_words, encode_words};
use tilebase_util::varint;

use super::deal::Deal;
use crate::error::CountError;

/// Bytes of a round, roughly.
const ROUND: usize = 1 << 20;

/// A layer of afterstates, and how it was dealt out.
pub(super) struct Dealt {
    pub deal: Deal,
    pub layer: Layer,
}

/// The blocks of afterstates that states with tops in a part are made from, if a tile of so many units
/// falls: none if there are no such states.
fn needed(states: Part, tile_units: usize) -> Option<Part> {
    (states.first < states.end).then(|| states.lowered(tile_units))
}

/// Fetches what is needed for the states of a layer, of the two layers of afterstates below it.
pub(super) fn fetch(
    cluster: &Cluster,
    states: &Deal,
    below: [Option<&Dealt>; 2],
) -> Result<[Option<Layer>; 2], CountError> {
    let own = cluster.process();
    let needs = |number: usize, process: usize| needed(states.shares.part(process), 1 << number);
    let mut halos = [None, None];
    for (number, below) in below.iter().enumerate() {
        let Some(below) = below else { continue };
        let layout = below.deal.shares.layout().only(|block| {
            let part = needs(number, own);
            part.is_some_and(|part| part.has(block.top_units))
                && !below.deal.own().has(block.top_units)
        });
        let buffer = Buffer::new(layout.words()).map_err(CountError::from)?;
        halos[number] = Some(Layer::new(layout, buffer));
    }
    // What others need, block by block.
    let blocks = below.iter().enumerate().flat_map(|(number, below)| {
        let blocks = below.iter().flat_map(|below| &below.layer.layout.blocks);
        blocks
            .filter(|block| block.rows > 0)
            .map(move |block| (number, block))
    });
    let wanted = |&(number, block): &(usize, &tilebase_index::layer::Block)| {
        let others = (0..cluster.processes()).filter(|&process| process != own);
        let mut needs = others.filter_map(|process| needs(number, process));
        needs.any(|part| part.has(block.top_units))
    };
    let blocks: Vec<_> = blocks.filter(wanted).collect();
    let mut todo = blocks.into_iter();
    let next = || {
        let mut messages = vec![Vec::new(); cluster.processes()];
        let mut bytes = 0;
        for (number, block) in todo.by_ref() {
            let Some(below) = below[number] else { continue };
            let mut message = vec![number as u8];
            varint::put(&mut message, block.top_units as u64);
            encode_words(below.layer.block_words(block), &mut message);
            bytes += message.len();
            for (process, messages) in messages.iter_mut().enumerate() {
                let part = needs(number, process).filter(|_| process != own);
                if part.is_some_and(|part| part.has(block.top_units)) {
                    messages.extend(&message);
                }
            }
            if bytes >= ROUND {
                break;
            }
        }
        Ok((messages, todo.len() > 0))
    };
    let take = |messages: &[&[u8]]| {
        for (from, message) in messages.iter().enumerate() {
            let mut rest = *message;
            while !rest.is_empty() {
                take_block(&mut rest, &mut halos).ok_or_else(|| cluster.invalid(from))?;
            }
        }
        Ok(())
    };
    cluster.rounds::<CountError>(next, take)?;
    Ok(halos)
}

/// Takes a block off the front of a message.
fn take_block(message: &mut &[u8], halos: &mut [Option<Layer>; 2]) -> Option<()> {
    let (&number, rest) = message.split_first()?;
    *message = rest;
    let top_units = usize::try_from(varint::take(message)?).ok()?;
    let halo = halos.get_mut(usize::from(number))?.as_mut()?;
    let block = *halo.layout.block(top_units)?;
    let words = block.offset..block.offset + block.rows * block.stride;
    decode_words(message, &mut halo.words_mut()[words])
}
