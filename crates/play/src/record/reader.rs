//! Reading games, one by one.

use std::io::{ErrorKind, Read};

use xxhash_rust::xxh3::xxh3_64;

use super::code::{self, END, FORMAT, GAME, MAGIC, MAX_CONTENT};
use super::error::RecordError;
use super::log::{GameLog, RecordHeader};

/// Reads a record file. Games before a damaged place can still be read.
pub struct RecordReader<R> {
    input: R,
    header: RecordHeader,
    /// Games read so far.
    games: u64,
    /// Bytes read so far.
    bytes: u64,
    ended: bool,
}

/// Reads exactly `n` bytes; `None` if there are fewer.
fn exactly(input: &mut impl Read, n: usize) -> Result<Option<Vec<u8>>, RecordError> {
    let mut bytes = Vec::new();
    // Memory grows with the bytes that are there, not with a damaged length.
    input.by_ref().take(n as u64).read_to_end(&mut bytes)?;
    Ok((bytes.len() == n).then_some(bytes))
}

impl<R: Read> RecordReader<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> Result<RecordReader<R>, RecordError> {
        let mut all = Vec::new();
        let mut next = |n: usize| -> Result<Vec<u8>, RecordError> {
            let bytes = exactly(&mut input, n)?.ok_or(RecordError::Header)?;
            all.extend_from_slice(&bytes);
            Ok(bytes)
        };
        match next(MAGIC.len()) {
            Ok(magic) if magic == MAGIC => (),
            Err(RecordError::Read(error)) => return Err(RecordError::Read(error)),
            _ => return Err(RecordError::NotARecord),
        }
        let format = next(1)?[0];
        if format != FORMAT {
            return Err(RecordError::Format(format));
        }
        let mut text = || {
            let length = next(2)?;
            next(usize::from(u16::from_le_bytes([length[0], length[1]])))
        };
        let (variant, player) = (text()?, text()?);
        let seed = next(8)?.try_into().unwrap_or_default();
        let (streams, given) = (next(1)?[0], next(1)?[0]);
        let sum = xxh3_64(&all).to_le_bytes();
        if exactly(&mut input, sum.len())?.is_none_or(|read| read != sum) {
            return Err(RecordError::Header);
        }
        let header = code::header(&variant, &player, seed, streams, given);
        Ok(RecordReader {
            input,
            header: header.ok_or(RecordError::Header)?,
            games: 0,
            bytes: (all.len() + sum.len()) as u64,
            ended: false,
        })
    }

    /// What all games have in common.
    pub fn header(&self) -> &RecordHeader {
        &self.header
    }

    /// Bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next game; `None` after the last one. After an error nothing more can be read.
    pub fn next_game(&mut self) -> Result<Option<GameLog>, RecordError> {
        if self.ended {
            return Ok(None);
        }
        // After an error nothing more is read.
        self.ended = true;
        let Some((first, content)) = self.block()? else {
            return Err(RecordError::Truncated { games: self.games });
        };
        let damaged = RecordError::Damaged {
            game: self.games + 1,
        };
        if first == END {
            return if content == self.games.to_le_bytes() && self.is_at_end()? {
                Ok(None)
            } else {
                Err(RecordError::End)
            };
        }
        let shape = self.header.variant.shape();
        match code::game(shape, &content) {
            Some(game) if first == GAME && game.index == self.games => {
                self.games += 1;
                self.ended = false;
                Ok(Some(game))
            }
            _ => Err(damaged),
        }
    }

    /// A game or the end mark: its first byte and its content. `None` if it is cut off.
    fn block(&mut self) -> Result<Option<(u8, Vec<u8>)>, RecordError> {
        let Some(mut all) = exactly(&mut self.input, 5)? else {
            return Ok(None);
        };
        let damaged = RecordError::Damaged {
            game: self.games + 1,
        };
        let length = u32::from_le_bytes([all[1], all[2], all[3], all[4]]) as usize;
        if length > MAX_CONTENT {
            return Err(damaged);
        }
        let Some(content) = exactly(&mut self.input, length)? else {
            return Ok(None);
        };
        let Some(sum) = exactly(&mut self.input, 8)? else {
            return Ok(None);
        };
        all.extend_from_slice(&content);
        if sum != xxh3_64(&all).to_le_bytes() {
            return Err(damaged);
        }
        self.bytes += (all.len() + sum.len()) as u64;
        Ok(Some((all[0], content)))
    }

    /// Whether nothing follows.
    fn is_at_end(&mut self) -> Result<bool, RecordError> {
        loop {
            return match self.input.read(&mut [0]) {
                Ok(n) => Ok(n == 0),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(RecordError::Read(error)),
            };
        }
    }
}
