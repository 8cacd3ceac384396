//! Checkpoints: a training state as a file, with a checksum at the end.

use std::io::{self, Read, Write};

use bytemuck::{Pod, Zeroable};
use xxhash_rust::xxh3::Xxh3Default;

use crate::patterns::WEIGHTS;
use crate::train::game::Game;
use crate::train::state::{TrainingConfig, TrainingState};
use crate::{Pages, STAGES};

const MAGIC: [u8; 8] = *b"TBTRAIN1";
/// No run has more games, whatever a damaged file says.
const MAX_GAMES: u32 = 1 << 19;

impl TrainingState {
    /// Writes a checkpoint.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut hash = Xxh3Default::new();
        let mut put = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes)
        };
        put(&MAGIC)?;
        put(bytemuck::bytes_of(&Header::of(self)))?;
        put(bytemuck::cast_slice(&self.games))?;
        put(bytemuck::cast_slice(self.weights.all()))?;
        put(bytemuck::cast_slice(self.coherence.all()))?;
        let sum = hash.digest();
        out.write_all(&sum.to_le_bytes())
    }

    /// Reads a checkpoint that [`TrainingState::write`] wrote.
    pub fn read(from: &mut dyn Read) -> io::Result<TrainingState> {
        let mut hash = Xxh3Default::new();
        let mut take = |bytes: &mut [u8]| {
            from.read_exact(bytes)?;
            hash.update(bytes);
            io::Result::Ok(())
        };
        let mut magic = MAGIC;
        take(&mut magic)?;
        if magic != MAGIC {
            return Err(damaged("it does not begin with TBTRAIN1"));
        }
        let mut header = Header::zeroed();
        take(bytemuck::bytes_of_mut(&mut header))?;
        if header.games > MAX_GAMES {
            return Err(damaged("it has too many games"));
        }
        let mut games = vec![Game::default(); header.games as usize];
        let mut weights = Pages::zeros(STAGES * WEIGHTS)?;
        let mut coherence = Pages::zeros(STAGES * WEIGHTS)?;
        take(bytemuck::cast_slice_mut(&mut games))?;
        take(bytemuck::cast_slice_mut(weights.all_mut()))?;
        take(bytemuck::cast_slice_mut(coherence.all_mut()))?;
        let sum = hash.digest();
        let mut written = [0; 8];
        from.read_exact(&mut written)?;
        if sum != u64::from_le_bytes(written) {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(TrainingState {
            config: TrainingConfig {
                seed: header.seed,
                games: header.games,
                initial_value: header.initial_value,
                learning_rate: header.learning_rate,
            },
            steps: header.steps,
            staged: header.staged != 0,
            tc: header.tc != 0,
            games,
            weights,
            coherence,
        })
    }
}

/// What follows the magic, as it lies in memory (little-endian on all supported machines).
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Header {
    seed: u64,
    steps: u64,
    games: u32,
    initial_value: f32,
    learning_rate: f32,
    staged: u32,
    tc: u32,
    unused: u32,
}

impl Header {
    fn of(state: &TrainingState) -> Header {
        Header {
            seed: state.config.seed,
            steps: state.steps,
            games: state.config.games,
            initial_value: state.config.initial_value,
            learning_rate: state.config.learning_rate,
            staged: state.staged.into(),
            tc: state.tc.into(),
            unused: 0,
        }
    }
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("not a whole training checkpoint: {why}"),
    )
}
