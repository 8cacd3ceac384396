//! Encoding and decoding: numbers, headers and games.

use tilebase_game::{Grid, MAX_EXPONENT, Move, Shape, Variant};
use tilebase_util::varint;
use xxhash_rust::xxh3::xxh3_64;

use super::log::{GameLog, RecordHeader, RecordedMove};
use crate::game::Ending;

/// The first bytes of a file.
pub(super) const MAGIC: &[u8; 7] = b"TBGAMES";
/// The format that is written and read.
pub(super) const FORMAT: u8 = 1;
/// The first byte of a game.
pub(super) const GAME: u8 = b'G';
/// The first byte of the end mark.
pub(super) const END: u8 = b'E';
/// The longest content of a game, so that a damaged length cannot allocate all memory.
pub(super) const MAX_CONTENT: usize = 1 << 30;
/// Shapes with at most this many cells take one byte a move.
const ONE_BYTE_CELLS: u16 = 32;

/// Bytes of a move.
fn move_bytes(shape: Shape) -> usize {
    if shape.cells() <= ONE_BYTE_CELLS {
        1
    } else {
        2
    }
}

/// Takes `n` bytes off the front.
fn take<'a>(bytes: &mut &'a [u8], n: usize) -> Option<&'a [u8]> {
    let (front, rest) = bytes.split_at_checked(n)?;
    *bytes = rest;
    Some(front)
}

/// Appends the checksum of everything from `from` on.
fn seal(out: &mut Vec<u8>, from: usize) {
    let sum = xxh3_64(&out[from..]);
    out.extend_from_slice(&sum.to_le_bytes());
}

/// The header with its checksum.
pub(super) fn header_bytes(header: &RecordHeader) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.push(FORMAT);
    for text in [&header.variant.to_string(), &header.player] {
        // No name of a variant is that long; longer names of players are cut.
        let length = text.floor_char_boundary(u16::MAX.into());
        out.extend_from_slice(&(length as u16).to_le_bytes());
        out.extend_from_slice(&text.as_bytes()[..length]);
    }
    out.extend_from_slice(&header.seed.to_le_bytes());
    out.push(header.streams);
    out.push(header.given_start.into());
    seal(&mut out, 0);
    out
}

/// The header from its decoded fields.
pub(super) fn header(
    variant: &[u8],
    player: &[u8],
    seed: [u8; 8],
    streams: u8,
    given: u8,
) -> Option<RecordHeader> {
    let variant: Variant = std::str::from_utf8(variant).ok()?.parse().ok()?;
    let player = std::str::from_utf8(player).ok()?.to_owned();
    (given <= 1).then_some(RecordHeader {
        variant,
        player,
        seed: u64::from_le_bytes(seed),
        streams,
        given_start: given == 1,
    })
}

/// A game or an end mark: its first byte, the length of its content, the content, and the
/// checksum of all of these. `None` if the content is too long.
fn block(first: u8, content: &[u8]) -> Option<Vec<u8>> {
    if content.len() > MAX_CONTENT {
        return None;
    }
    let mut out = Vec::with_capacity(content.len() + 13);
    out.push(first);
    out.extend_from_slice(&(content.len() as u32).to_le_bytes());
    out.extend_from_slice(content);
    seal(&mut out, 0);
    Some(out)
}

/// The end mark of a file with this many games.
pub(super) fn end_bytes(games: u64) -> Option<Vec<u8>> {
    block(END, &games.to_le_bytes())
}

/// A game with its checksum; `None` if it is too long to be written.
pub(super) fn game_bytes(game: &GameLog) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    varint::put(&mut out, game.index);
    let cells = game.start.exponents();
    for group in cells.chunks(8) {
        let bits = group.iter().zip(0..).map(|(&e, i)| u8::from(e > 0) << i);
        out.push(bits.sum());
    }
    out.extend(cells.iter().filter(|&&e| e > 0));
    varint::put(&mut out, game.moves.len() as u64);
    let width = move_bytes(game.start.shape());
    for recorded in &game.moves {
        let fours = u16::from(recorded.exponent != 1);
        let code = recorded.m.index() as u16 | fours << 2 | recorded.place << 3;
        out.extend_from_slice(&code.to_le_bytes()[..width]);
    }
    varint::put_u128(&mut out, game.score);
    out.push(match game.ending {
        None => 0,
        Some(Ending::Won) => 1,
        Some(Ending::Lost) => 2,
    });
    block(GAME, &out)
}

/// Decodes the content of a game; `None` if it makes no sense.
pub(super) fn game(shape: Shape, mut content: &[u8]) -> Option<GameLog> {
    let bytes = &mut content;
    let index = varint::take(bytes)?;
    let cells = usize::from(shape.cells());
    let bits = take(bytes, cells.div_ceil(8))?;
    let mut exponents = vec![0; cells];
    for (i, exponent) in exponents.iter_mut().enumerate() {
        if bits[i / 8] >> (i % 8) & 1 == 1 {
            *exponent = take(bytes, 1)?[0];
            if !(1..=MAX_EXPONENT).contains(exponent) {
                return None;
            }
        }
    }
    let start = Grid::from_exponents(shape, &exponents)?;
    let number = usize::try_from(varint::take(bytes)?).ok()?;
    let width = move_bytes(shape);
    let codes = take(bytes, number.checked_mul(width)?)?;
    let moves = codes.chunks_exact(width).map(|code| {
        let code = u16::from(code[0]) | code.get(1).map_or(0, |&high| u16::from(high) << 8);
        RecordedMove {
            m: Move::ALL[usize::from(code & 3)],
            place: code >> 3,
            exponent: 1 + (code >> 2 & 1) as u8,
        }
    });
    let moves = moves.collect();
    let score = varint::take_u128(bytes)?;
    let ending = match take(bytes, 1)?[0] {
        0 => None,
        1 => Some(Ending::Won),
        2 => Some(Ending::Lost),
        _ => return None,
    };
    bytes.is_empty().then_some(GameLog {
        index,
        start,
        moves,
        score,
        ending,
    })
}
