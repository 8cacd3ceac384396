//! The learned evaluation.
//!
//! # The bytes
//! `TBTUPLES`, the format (one byte, 1), one byte that is 1 if weights that are not there count
//! as the mean of the others and 0 if they count as 0, a float of four bytes, the unit of the weights,
//! lowest byte first, then one zlib stream. In it, for each of the two stages and each of its four patterns, the number
//! n of weights that are not 0, their n places as gaps to the place before (the first gap is
//! the first place), and the n weights in that unit. All are variable-length numbers, seven
//! bits a byte, the lowest first, the highest bit set on all but the last byte; weights have
//! their sign in the lowest bit. The stream ends with its own checksum, so a damaged file is
//! known as such.

use std::fmt;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use tilebase_game::Board;

use crate::evaluation::Evaluation;
use crate::pages::Pages;
use crate::patterns::{FILLINGS, LOOK_UPS, STAGE, STAGES, places, stage};

const MAGIC: &[u8; 8] = b"TBTUPLES";
/// The format of the bytes.
const FORMAT: u8 = 1;

/// The score still to come, as the sum of learned weights of what stands on six cells at a
/// time: see [`patterns`](crate::patterns).
pub struct Tuples {
    weights: Pages<i16>,
    unit: f64,
    /// Whether weights of 0 count as the mean of the others.
    neutral: bool,
}

/// Why there is no learned evaluation.
#[derive(Debug)]
pub enum TuplesError {
    /// The bytes do not begin like one.
    Magic,
    /// They were written in a format that this version does not know.
    Format(u8),
    /// They end too early, or make no sense.
    Damaged,
    /// There is not enough memory for the weights.
    Memory(io::Error),
}

impl fmt::Display for TuplesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuplesError::Magic => {
                f.write_str("these are no learned weights: the file must begin with TBTUPLES")
            }
            TuplesError::Format(found) => write!(
                f,
                "the weights have format {found}, and this program knows format {FORMAT}: use the version that wrote them"
            ),
            TuplesError::Damaged => {
                f.write_str("the weights are damaged or cut short: take a whole copy")
            }
            TuplesError::Memory(error) => write!(
                f,
                "no memory for {} MiB of weights: {error}",
                (STAGES * STAGE * size_of::<i16>()) >> 20
            ),
        }
    }
}

impl std::error::Error for TuplesError {}

impl Tuples {
    /// The evaluation with these weights, one for each filling of each pattern of each
    /// stage, rounded to a unit that holds the largest. Those of 0 are not known: they count
    /// as the mean of a board's others if that is wished, else as 0.
    pub fn from_weights(
        weights: impl Iterator<Item = f32> + Clone,
        neutral: bool,
    ) -> Result<Tuples, TuplesError> {
        let largest = weights.clone().fold(0.0f32, |m, w| m.max(w.abs()));
        let unit = (largest / f32::from(i16::MAX)).max(f32::MIN_POSITIVE);
        let mut rounded = Pages::zeros(STAGES * STAGE).map_err(TuplesError::Memory)?;
        for (place, weight) in rounded.all_mut().iter_mut().zip(weights) {
            let rounded = (weight / unit).round() as i16;
            // A weight that is known stays known.
            *place = if rounded == 0 && weight != 0.0 {
                1
            } else {
                rounded
            };
        }
        Ok(Tuples {
            weights: rounded,
            unit: unit.into(),
            neutral,
        })
    }

    /// The weights, one for each filling of each pattern of each stage.
    pub fn weights(&self) -> impl Iterator<Item = f32> + Clone + '_ {
        let weights = self.weights.all().iter();
        weights.map(|&weight| (f64::from(weight) * self.unit) as f32)
    }

    /// Reads what [`Tuples::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tuples, TuplesError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(TuplesError::Magic)?;
        let (&format, rest) = rest.split_first().ok_or(TuplesError::Damaged)?;
        if format != FORMAT {
            return Err(TuplesError::Format(format));
        }
        let (&neutral, rest) = rest.split_first().ok_or(TuplesError::Damaged)?;
        if neutral > 1 {
            return Err(TuplesError::Damaged);
        }
        let (unit, rest) = rest.split_first_chunk().ok_or(TuplesError::Damaged)?;
        let unit = f64::from(f32::from_le_bytes(*unit));
        if !(unit.is_finite() && unit > 0.0) {
            return Err(TuplesError::Damaged);
        }
        let mut numbers = Vec::new();
        let mut stream = ZlibDecoder::new(rest);
        let read = stream.read_to_end(&mut numbers);
        if read.is_err() || !stream.into_inner().is_empty() {
            return Err(TuplesError::Damaged);
        }
        let mut numbers = Numbers(numbers.iter());
        let mut weights = Pages::zeros(STAGES * STAGE).map_err(TuplesError::Memory)?;
        for pattern in weights.all_mut().chunks_exact_mut(FILLINGS) {
            numbers.fill(pattern).ok_or(TuplesError::Damaged)?;
        }
        if numbers.0.len() > 0 {
            return Err(TuplesError::Damaged);
        }
        Ok(Tuples {
            weights,
            unit,
            neutral: neutral == 1,
        })
    }

    /// The evaluation as bytes, to be kept in a file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT);
        bytes.push(u8::from(self.neutral));
        bytes.extend((self.unit as f32).to_le_bytes());
        let mut stream = ZlibEncoder::new(bytes, Compression::best());
        for pattern in self.weights.all().chunks_exact(FILLINGS) {
            let met = || {
                pattern
                    .iter()
                    .enumerate()
                    .filter(|&(_, &weight)| weight != 0)
            };
            let mut numbers = Vec::new();
            push(&mut numbers, met().count() as u32);
            let mut before = 0;
            for (place, _) in met() {
                push(&mut numbers, (place - before) as u32);
                before = place;
            }
            for (_, &weight) in met() {
                push(&mut numbers, u32::from((weight << 1 ^ weight >> 15) as u16));
            }
            stream.write_all(&numbers)?;
        }
        stream.finish()
    }
}

impl Evaluation for Tuples {
    #[inline]
    fn worth(&self, after: Board) -> f64 {
        let weights = self.weights.all();
        let (mut sum, mut known) = (0, 0);
        for place in places(after, stage(after)) {
            let weight = weights[place as usize];
            sum += i32::from(weight);
            known += i32::from(weight != 0);
        }
        let worth = f64::from(sum) * self.unit;
        match self.neutral && known > 0 {
            true => worth * (LOOK_UPS as f64 / f64::from(known)),
            false => worth,
        }
    }

    fn lost(&self) -> f64 {
        0.0
    }
}

/// Writes a variable-length number.
fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads variable-length numbers.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
    fn next(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = *self.0.next()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads one pattern's weights.
    fn fill(&mut self, pattern: &mut [i16]) -> Option<()> {
        let count = self.next()?;
        let gaps = self.0.clone();
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
