//! The learned evaluation.
//!
//! # The bytes
//! `TBTUPLES`, the format (one byte, 3), then one zlib stream. In it two floats of four
//! bytes, lowest byte first: the unit of the weights, and what all weights are that are not
//! listed. Then for each of the four patterns in the first stage, and again in the second, the
//! number n of listed weights, their n places as gaps to the place before (the first gap is
//! the first place), and by how many units each differs from those that are not listed. All
//! are variable-length numbers, seven bits a byte, the lowest first, the highest bit set on
//! all but the last byte; differences have their sign in the lowest bit. The stream ends with
//! its own checksum, so a damaged file is known as such.

use std::fmt;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use tilebase_game::Board;
use tilebase_util::varint;

use crate::pages::Pages;
use crate::patterns::{FILLINGS, LOOK_UPS, WEIGHTS};
use crate::stages::{STAGES, staged_places};
use tilebase_expectimax::Evaluation;

const MAGIC: &[u8; 8] = b"TBTUPLES";
/// The format of the bytes.
const FORMAT: u8 = 3;

/// The score still to come, as the sum of learned weights of what stands on six cells at a
/// time, by the stage of the game: see [`patterns`](crate::patterns) and
/// [`staged_places`].
pub struct NTupleNetwork {
    /// Differences from the weights that are not listed, in units.
    differences: Pages<i16>,
    unit: f64,
    /// What weights are that are not listed.
    others: f32,
}

/// Why there is no learned evaluation.
#[derive(Debug)]
pub enum NetworkError {
    /// The bytes do not begin like one.
    Magic,
    /// They were written in a format that this version does not know.
    Format(u8),
    /// They end too early, or make no sense.
    Damaged,
    /// There is not enough memory for the weights.
    Memory(io::Error),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetworkError::Magic => {
                f.write_str("these are no learned weights: the file must begin with TBTUPLES")
            }
            NetworkError::Format(found) => write!(
                f,
                "the weights have format {found}, and this program knows format {FORMAT}: use the version that wrote them"
            ),
            NetworkError::Damaged => {
                f.write_str("the weights are damaged or cut short: take a whole copy")
            }
            NetworkError::Memory(error) => write!(
                f,
                "no memory for {} MiB of weights: {error}",
                (STAGES * WEIGHTS * size_of::<i16>()) >> 20
            ),
        }
    }
}

impl std::error::Error for NetworkError {}

impl NTupleNetwork {
    /// The evaluation with these weights, one for each filling of each pattern in each stage,
    /// most of which are as `others` says. They are rounded to the unit, or to a larger one if
    /// that cannot hold the largest.
    pub fn from_weights(
        weights: impl Iterator<Item = f32> + Clone,
        others: f32,
        unit: f32,
    ) -> Result<NTupleNetwork, NetworkError> {
        let differences = || weights.clone().map(|weight| weight - others);
        let largest = differences().fold(0.0f32, |m, w| m.max(w.abs()));
        let unit = (largest / f32::from(i16::MAX)).max(unit);
        let mut rounded = Pages::zeros(STAGES * WEIGHTS).map_err(NetworkError::Memory)?;
        for (place, difference) in rounded.all_mut().iter_mut().zip(differences()) {
            let units = (difference / unit).round() as i16;
            // Pages of zeros that nobody touches take no memory.
            if units != 0 {
                *place = units;
            }
        }
        Ok(NTupleNetwork {
            differences: rounded,
            unit: unit.into(),
            others,
        })
    }

    /// What weights are that are not listed.
    pub fn others(&self) -> f32 {
        self.others
    }

    /// The same weights, rounded to the unit from there, but for those that are not listed, which
    /// become `others`.
    pub fn with_others(&self, others: f32) -> Result<NTupleNetwork, NetworkError> {
        NTupleNetwork::from_weights(self.weights(others), others, self.unit as f32)
    }

    /// All weights, `others` for those that are not listed.
    fn weights(&self, others: f32) -> impl Iterator<Item = f32> + Clone {
        let all = self.differences.all().iter();
        all.map(move |&units| match units {
            0 => others,
            units => (f64::from(units) * self.unit) as f32 + self.others,
        })
    }

    /// Keeps of each weight what play can tell: those that were looked up are rounded to the
    /// unit, the coarser the fewer look-ups they had; of the rest only the bad ones are kept, very
    /// coarsely, and the others become `others`.
    pub fn thinned(
        &self,
        looked_up: &[u32],
        unit: f32,
        others: f32,
    ) -> Result<NTupleNetwork, NetworkError> {
        let weights = self.weights(others).zip(looked_up);
        let kept = weights.map(|(weight, &number)| {
            let step = unit * f32::from(coarseness(number));
            let steps = ((weight - others) / step).round();
            let known = if number == 0 { steps.min(0.0) } else { steps };
            others + known * step
        });
        NTupleNetwork::from_weights(kept, others, unit)
    }

    /// A weight by its place, and whether it is listed.
    pub fn weight(&self, place: usize) -> (f32, bool) {
        let units = self.differences.all()[place];
        (
            (f64::from(units) * self.unit) as f32 + self.others,
            units != 0,
        )
    }

    /// How many weights are listed.
    pub fn listed(&self) -> u64 {
        let listed = self.differences.all().iter().filter(|&&units| units != 0);
        listed.count() as u64
    }

    /// Reads what [`NTupleNetwork::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<NTupleNetwork, NetworkError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Magic)?;
        let (&format, rest) = rest.split_first().ok_or(NetworkError::Damaged)?;
        if format != FORMAT {
            return Err(NetworkError::Format(format));
        }
        let mut content = Vec::new();
        let mut stream = ZlibDecoder::new(rest);
        let read = stream.read_to_end(&mut content);
        if read.is_err() || !stream.into_inner().is_empty() {
            return Err(NetworkError::Damaged);
        }
        let (unit, content) = float(&content)?;
        let (others, content) = float(content)?;
        if unit <= 0.0 {
            return Err(NetworkError::Damaged);
        }
        let mut numbers = Numbers(content);
        let mut differences = Pages::zeros(STAGES * WEIGHTS).map_err(NetworkError::Memory)?;
        for pattern in differences.all_mut().chunks_exact_mut(FILLINGS) {
            numbers.fill(pattern).ok_or(NetworkError::Damaged)?;
        }
        if !numbers.0.is_empty() {
            return Err(NetworkError::Damaged);
        }
        Ok(NTupleNetwork {
            differences,
            unit: unit.into(),
            others,
        })
    }

    /// The evaluation as bytes, to be kept in a file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT);
        let mut stream = ZlibEncoder::new(bytes, Compression::best());
        for float in [self.unit as f32, self.others] {
            stream.write_all(&float.to_le_bytes())?;
        }
        for pattern in self.differences.all().chunks_exact(FILLINGS) {
            let met = || {
                pattern
                    .iter()
                    .enumerate()
                    .filter(|&(_, &weight)| weight != 0)
            };
            let mut numbers = Vec::new();
            varint::put(&mut numbers, met().count() as u64);
            let mut before = 0;
            for (place, _) in met() {
                varint::put(&mut numbers, (place - before) as u64);
                before = place;
            }
            for (_, &weight) in met() {
                varint::put(&mut numbers, u64::from((weight << 1 ^ weight >> 15) as u16));
            }
            stream.write_all(&numbers)?;
        }
        stream.finish()
    }
}

impl Evaluation for NTupleNetwork {
    #[inline]
    fn worth(&self, after: Board) -> f64 {
        let differences = self.differences.all();
        let places = staged_places(after).into_iter();
        let sum: i32 = places
            .map(|place| i32::from(differences[place as usize]))
            .sum();
        f64::from(sum) * self.unit + f64::from(self.others) * LOOK_UPS as f64
    }

    fn lost(&self) -> f64 {
        0.0
    }

    fn margin(&self) -> f64 {
        30_000.0
    }

    fn crowd(&self) -> u8 {
        9
    }
}

/// Units that a weight with so many look-ups is rounded to. An error counts as often as the
/// weight is looked up: four times fewer look-ups allow twice the error for the same harm.
fn coarseness(looked_up: u32) -> u16 {
    match looked_up {
        0 => 256,
        1..=16 => 16,
        17..=64 => 8,
        65..=256 => 4,
        257..=1024 => 2,
        _ => 1,
    }
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

/// Reads variable-length numbers.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<u32> {
        u32::try_from(varint::take(&mut self.0)?).ok()
    }

    /// Reads one pattern's weights.
    fn fill(&mut self, pattern: &mut [i16]) -> Option<()> {
        let count = self.next()?;
        let gaps = self.0;
        // The weights follow the places: step over those.
        for _ in 0..count {
            self.next()?;
        }
        let mut gaps = Numbers(gaps);
        let mut place = 0usize;
        for _ in 0..count {
            place += gaps.next()? as usize;
            let weight = u16::try_from(self.next()?).ok()?;
            *pattern.get_mut(place)? = (weight >> 1) as i16 ^ -((weight & 1) as i16);
        }
        Some(())
    }
}
