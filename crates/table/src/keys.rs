//! Increasing numbers, compressed, with random access.
//!
//! Every [`CHUNK`] numbers have an entry in a directory: the first number, where its codes begin,
//! and their Rice parameter. The gaps between the numbers are Rice codes. So a number is found by
//! a binary search in the directory and by decoding at most one chunk.

/// Numbers in a chunk.
pub(crate) const CHUNK: usize = 256;
/// Bytes of a directory entry: the first number, then the bit where its codes begin in the
/// lower 56 bits and the parameter in the upper 8.
pub(crate) const ENTRY: usize = 16;
/// Gaps with this many zeros in unary or more are written as this many zeros and 56 bits.
const ESCAPE: u32 = 40;
const FULL: u32 = 56;
/// Zero bytes after the codes, so that eight can always be read.
pub(crate) const PADDING: usize = 16;

/// Bits, the lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    pending: u64,
    used: u32,
}

impl Bits {
    #[inline]
    fn put(&mut self, value: u64, bits: u32) {
        self.pending |= value << self.used;
        self.used += bits;
        while self.used >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.used -= 8;
        }
    }
}

/// The codes of whole chunks; the first begins at a byte.
pub(crate) struct Run {
    /// First number, first bit counted from the run's own, parameter.
    entries: Vec<(u64, u64, u32)>,
    bytes: Vec<u8>,
}

impl Run {
    /// Encodes numbers, a chunk at a time.
    pub fn encode(numbers: &[u64]) -> Run {
        let mut run = Run {
            entries: Vec::new(),
            bytes: Vec::new(),
        };
        let mut bits = Bits::default();
        for chunk in numbers.chunks(CHUNK) {
            let at = 8 * bits.bytes.len() as u64 + u64::from(bits.used);
            let (first, last) = (chunk[0], chunk[chunk.len() - 1]);
            // The best parameter for the mean gap; trying its neighbours saves almost nothing.
            let mean = (last - first) / chunk.len() as u64;
            let k = (2 * mean / 3)
                .checked_ilog2()
                .map_or(0, |log| log + 1)
                .min(32);
            run.entries.push((first, at, k));
            for pair in chunk.windows(2) {
                let gap = pair[1] - pair[0] - 1;
                let unary = gap >> k;
                if unary < u64::from(ESCAPE) {
                    bits.put(1 << unary, unary as u32 + 1);
                    bits.put(gap & ((1 << k) - 1), k);
                } else {
                    bits.put(0, ESCAPE);
                    bits.put(gap & ((1 << 28) - 1), 28);
                    bits.put(gap >> 28, FULL - 28);
                }
            }
        }
        if bits.used > 0 {
            bits.bytes.push(bits.pending as u8);
        }
        run.bytes = bits.bytes;
        run
    }
}

/// The directory and the codes of consecutive runs.
pub(crate) fn join(runs: &[Run]) -> (Vec<u8>, Vec<u8>) {
    let (mut directory, mut codes) = (Vec::new(), Vec::new());
    for run in runs {
        for &(first, at, k) in &run.entries {
            let at = at + 8 * codes.len() as u64;
            directory.extend(first.to_le_bytes());
            directory.extend((at | u64::from(k) << 56).to_le_bytes());
        }
        codes.extend(&run.bytes);
    }
    codes.extend([0; PADDING]);
    (directory, codes)
}

/// An entry of a directory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub first: u64,
    pub at: u64,
    pub k: u32,
}

impl Entry {
    /// Reads an entry.
    pub fn read(bytes: &[u8]) -> Option<Entry> {
        let word = |from: usize| Some(u64::from_le_bytes(*bytes.get(from..)?.first_chunk()?));
        let (first, second) = (word(0)?, word(8)?);
        let k = (second >> 56) as u32;
        (k <= 32).then_some(Entry {
            first,
            at: second & ((1 << 56) - 1),
            k,
        })
    }
}

/// The numbers of a chunk, from codes that begin at its first byte.
pub(crate) struct Walk<'a> {
    codes: &'a [u8],
    at: usize,
    k: u32,
    next: Option<u64>,
    left: usize,
}

impl<'a> Walk<'a> {
    /// The numbers of a chunk with `len` of them.
    pub fn new(codes: &'a [u8], entry: Entry, len: usize) -> Walk<'a> {
        Walk {
            codes,
            at: (entry.at % 8) as usize,
            k: entry.k,
            next: Some(entry.first),
            left: len,
        }
    }

    /// At least 56 bits from where the walk is; `None` past the end.
    #[inline]
    fn peek(&self) -> Option<u64> {
        let bytes = self.codes.get(self.at / 8..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes) >> (self.at % 8))
    }

    #[inline]
    fn gap(&mut self) -> Option<u64> {
        let bits = self.peek()?;
        let unary = bits.trailing_zeros();
        if unary < ESCAPE {
            self.at += unary as usize + 1;
            let low = self.peek()? & ((1 << self.k) - 1);
            self.at += self.k as usize;
            return Some(u64::from(unary) << self.k | low);
        }
        self.at += ESCAPE as usize;
        let gap = self.peek()? & ((1 << FULL) - 1);
        self.at += FULL as usize;
        Some(gap)
    }
}

impl Iterator for Walk<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        if self.left == 0 {
            return None;
        }
        let number = self.next?;
        self.left -= 1;
        self.next = if self.left == 0 {
            None
        } else {
            self.gap()
                .and_then(|gap| number.checked_add(gap)?.checked_add(1))
        };
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    fn check(numbers: &[u64]) {
        // Two runs, as from two threads.
        let cut = (numbers.len() / 2)
            .next_multiple_of(CHUNK)
            .min(numbers.len());
        let runs = [Run::encode(&numbers[..cut]), Run::encode(&numbers[cut..])];
        let (directory, codes) = join(&runs);
        let mut back = Vec::new();
        for (i, entry) in directory.chunks(ENTRY).enumerate() {
            let entry = Entry::read(entry).unwrap();
            let len = (numbers.len() - i * CHUNK).min(CHUNK);
            back.extend(Walk::new(&codes[(entry.at / 8) as usize..], entry, len));
        }
        assert_eq!(back, numbers);
    }

    #[test]
    fn numbers_come_back() {
        check(&[]);
        check(&[0]);
        check(&[5, 6, 7, 1 << 50]);
        check(&(0..10_000).collect::<Vec<_>>());
        let mut rng = Rng::new(1);
        for spread in [2, 30, 1000, u32::MAX] {
            let mut number = 0;
            let numbers: Vec<u64> = (0..3000)
                .map(|_| {
                    let scale = rng.below(spread).max(1);
                    number += 1 + u64::from(rng.below(scale));
                    number
                })
                .collect();
            check(&numbers);
        }
    }

    #[test]
    fn nonsense_does_no_harm() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..rng.below(60)).map(|_| rng.below(256) as u8).collect();
            if let Some(entry) = Entry::read(&bytes) {
                Walk::new(&bytes, entry, CHUNK).for_each(drop);
            }
        }
    }
}
