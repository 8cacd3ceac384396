//! Network files.
//!
//! # Format
//! `TBTUPLES`, the format number (one byte, 3), then one zlib stream. The stream begins with
//! two little-endian 32-bit floats: the quantum and the default weight. Then follow the four
//! patterns of the first stage and the four of the second. Each has the number n of stored
//! weights, their n indices as gaps to the index before (the first gap is the first index), and
//! their n differences from the default weight in quanta. All of these are variable-length
//! integers, seven bits a byte from the lowest, the highest bit set on all but the last byte;
//! differences have their sign in the lowest bit. The stream ends with its own checksum, which
//! detects damage.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use tilebase_util::varint;

use crate::error::NetworkError;
use crate::network::NTupleNetwork;
use crate::pages::Pages;
use crate::patterns::{ENTRIES, WEIGHTS};
use crate::stages::STAGES;

const MAGIC: &[u8; 8] = b"TBTUPLES";
/// The format that is written and read.
pub(crate) const FORMAT: u8 = 3;

impl NTupleNetwork {
    /// Reads the file that [`NTupleNetwork::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<NTupleNetwork, NetworkError> {
        let content = unpacked(bytes)?;
        let mut network = NTupleNetwork {
            differences: Pages::zeros(STAGES * WEIGHTS).map_err(NetworkError::Memory)?,
            quantum: 1.0,
            default_weight: 0.0,
        };
        network.fill(&content)?;
        Ok(network)
    }

    /// Reads another network into the memory of this one. A file that is cut short or damaged
    /// leaves this one as it is.
    pub fn replace(&mut self, bytes: &[u8]) -> Result<(), NetworkError> {
        let content = unpacked(bytes)?;
        self.differences.all_mut().fill(0);
        self.fill(&content)
    }

    /// Reads the content of a file into weights that are all zero.
    fn fill(&mut self, content: &[u8]) -> Result<(), NetworkError> {
        let (quantum, content) = float(content)?;
        let (default_weight, content) = float(content)?;
        if quantum <= 0.0 {
            return Err(NetworkError::Damaged);
        }
        let mut numbers = Numbers(content);
        for pattern in self.differences.all_mut().chunks_exact_mut(ENTRIES) {
            numbers.fill(pattern).ok_or(NetworkError::Damaged)?;
        }
        if !numbers.0.is_empty() {
            return Err(NetworkError::Damaged);
        }
        self.quantum = quantum.into();
        self.default_weight = default_weight;
        Ok(())
    }

    /// The network as the bytes of a file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT);
        let mut stream = ZlibEncoder::new(bytes, Compression::best());
        for float in [self.quantum as f32, self.default_weight] {
            stream.write_all(&float.to_le_bytes())?;
        }
        for pattern in self.differences.all().chunks_exact(ENTRIES) {
            stream.write_all(&pattern_bytes(pattern))?;
        }
        stream.finish()
    }
}

/// The content of a file, whose checksum is right.
fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, NetworkError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
    let (&format, rest) = rest.split_first().ok_or(NetworkError::Damaged)?;
    if format != FORMAT {
        return Err(NetworkError::Format(format));
    }
    let mut content = Vec::new();
    let mut stream = ZlibDecoder::new(rest);
    let read = stream.read_to_end(&mut content);
    match read.is_ok() && stream.into_inner().is_empty() {
        true => Ok(content),
        false => Err(NetworkError::Damaged),
    }
}

/// One pattern's weights: their number, the gaps between their indices, their differences.
fn pattern_bytes(pattern: &[i16]) -> Vec<u8> {
    let stored = || {
        let entries = pattern.iter().enumerate();
        entries.filter(|&(_, &quanta)| quanta != 0)
    };
    let mut numbers = Vec::new();
    varint::put(&mut numbers, stored().count() as u64);
    let mut before = 0;
    for (index, _) in stored() {
        varint::put(&mut numbers, (index - before) as u64);
        before = index;
    }
    for (_, &quanta) in stored() {
        varint::put(&mut numbers, u64::from((quanta << 1 ^ quanta >> 15) as u16));
    }
    numbers
}

/// The next float, and what follows it.
fn float(bytes: &[u8]) -> Result<(f32, &[u8]), NetworkError> {
    let (float, rest) = bytes.split_first_chunk().ok_or(NetworkError::Damaged)?;
    let float = f32::from_le_bytes(*float);
    match float.is_finite() {
        true => Ok((float, rest)),
        false => Err(NetworkError::Damaged),
    }
}

/// Reads variable-length integers.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<u32> {
        u32::try_from(varint::take(&mut self.0)?).ok()
    }

    /// Reads one pattern's weights.
    fn fill(&mut self, pattern: &mut [i16]) -> Option<()> {
        let count = self.next()?;
        let gaps = self.0;
        // The differences follow the gaps: skip those.
        for _ in 0..count {
            self.next()?;
        }
        let mut gaps = Numbers(gaps);
        let mut index = 0usize;
        for _ in 0..count {
            index += gaps.next()? as usize;
            let quanta = u16::try_from(self.next()?).ok()?;
            *pattern.get_mut(index)? = (quanta >> 1) as i16 ^ -((quanta & 1) as i16);
        }
        Some(())
    }
}
