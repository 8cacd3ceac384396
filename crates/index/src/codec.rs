//! Increasing numbers as a stream of bits, near their entropy.
//!
//! A number is stored as its gap to the one before by a Rice code: the low k bits as they
//! are, the rest in unary. k follows the gaps: for each class of the previous gap's length
//! a running mean of the gaps that came after such a gap is kept, and k is chosen from it. Nothing
//! but the codes is stored, and encoder and decoder stay in step.

/// Unary parts from here on are written as this many zeros and the gap in full.
const ESCAPE: u32 = 24;
const FULL: u32 = 48;
/// Classes of previous gaps: by their number of bits, the last class open.
const CLASSES: usize = 12;

/// The running means from which both sides choose k.
struct Model {
    class: usize,
    sum: [u32; CLASSES],
    count: [u32; CLASSES],
}

impl Model {
    fn new() -> Model {
        Model {
            class: 0,
            sum: [16; CLASSES],
            count: [2; CLASSES],
        }
    }

    /// The smallest k for which 2^k is at least two thirds of the mean gap.
    #[inline]
    fn k(&self) -> u32 {
        let (sum, count) = (self.sum[self.class], self.count[self.class]);
        let mean = 2 * sum / (3 * count);
        32 - mean.leading_zeros()
    }

    #[inline]
    fn learn(&mut self, gap: u64) {
        let (sum, count) = (&mut self.sum[self.class], &mut self.count[self.class]);
        *sum += gap.min(1 << 20) as u32;
        *count += 1;
        if *count == 64 {
            *sum /= 2;
            *count = 32;
        }
        self.class = (64 - gap.leading_zeros() as usize).min(CLASSES - 1);
    }
}

/// Writes increasing numbers.
pub struct Encoder {
    bytes: Vec<u8>,
    pending: u64,
    pending_bits: u32,
    next: u64,
    model: Model,
}

impl Encoder {
    pub fn new() -> Encoder {
        Encoder {
            bytes: Vec::new(),
            pending: 0,
            pending_bits: 0,
            next: 0,
            model: Model::new(),
        }
    }

    /// Appends up to 56 bits, the lowest first.
    #[inline]
    fn put(&mut self, value: u64, bits: u32) {
        self.pending |= value << self.pending_bits;
        self.pending_bits += bits;
        while self.pending_bits >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.pending_bits -= 8;
        }
    }

    /// Appends a number larger than all before, below 2^48.
    #[inline]
    pub fn push(&mut self, number: u64) {
        let gap = number - self.next;
        self.next = number + 1;
        let k = self.model.k();
        let unary = gap >> k;
        if unary < u64::from(ESCAPE) {
            self.put(1 << unary, unary as u32 + 1);
            self.put(gap & ((1 << k) - 1), k);
        } else {
            self.put(0, ESCAPE);
            self.put(gap, FULL);
        }
        self.model.learn(gap);
    }

    /// The finished stream.
    pub fn finish(mut self) -> Vec<u8> {
        if self.pending_bits > 0 {
            self.bytes.push(self.pending as u8);
        }
        self.bytes
    }
}

/// Reads the numbers back; `None` once the stream is at its end. How many there are must be
/// known from elsewhere.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    pending: u64,
    pending_bits: u32,
    next: u64,
    model: Model,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Decoder<'a> {
        Decoder {
            bytes,
            pending: 0,
            pending_bits: 0,
            next: 0,
            model: Model::new(),
        }
    }

    /// Fills up to at least 56 bits; zeros follow the end.
    #[inline]
    fn refill(&mut self) {
        if let Some((chunk, _)) = self.bytes.split_first_chunk::<8>() {
            self.pending |= u64::from_le_bytes(*chunk) << self.pending_bits;
            let taken = (63 - self.pending_bits) / 8;
            self.bytes = &self.bytes[taken as usize..];
            self.pending_bits += 8 * taken;
        } else {
            while self.pending_bits <= 56 {
                let byte = self.bytes.split_off_first().copied().unwrap_or(0);
                self.pending |= u64::from(byte) << self.pending_bits;
                self.pending_bits += 8;
            }
        }
    }

    #[inline]
    fn take(&mut self, bits: u32) -> u64 {
        let value = self.pending & ((1 << bits) - 1);
        self.pending >>= bits;
        self.pending_bits -= bits;
        value
    }

    /// The next number.
    #[inline]
    pub fn pull(&mut self) -> u64 {
        self.refill();
        let k = self.model.k();
        let unary = self.pending.trailing_zeros();
        let gap = if unary < ESCAPE {
            self.take(unary + 1);
            if k > 32 {
                self.refill();
            }
            u64::from(unary) << k | self.take(k)
        } else {
            self.take(ESCAPE);
            self.refill();
            self.take(FULL)
        };
        self.model.learn(gap);
        let number = self.next.wrapping_add(gap);
        self.next = number.wrapping_add(1);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    fn bits_per_number(numbers: &[u64]) -> f64 {
        let mut encoder = Encoder::new();
        numbers.iter().for_each(|&number| encoder.push(number));
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        for &number in numbers {
            assert_eq!(decoder.pull(), number);
        }
        8.0 * bytes.len() as f64 / numbers.len() as f64
    }

    #[test]
    fn numbers_come_back() {
        bits_per_number(&[0]);
        bits_per_number(&[(1 << 48) - 1]);
        bits_per_number(&[0, 1, 2, 3, 1 << 40, (1 << 40) + 1, 1 << 47]);
        bits_per_number(&(0..100_000).collect::<Vec<_>>());
        let mut rng = Rng::new(1);
        for spread in [2, 10, 1000, 1_000_000, u32::MAX] {
            let mut number = 0;
            let numbers: Vec<u64> = (0..20_000)
                .map(|_| {
                    let scale = rng.below(spread).max(1);
                    number += 1 + u64::from(rng.below(scale));
                    number
                })
                .collect();
            bits_per_number(&numbers);
        }
    }

    /// Random sets of a density cost close to what no code can beat.
    #[test]
    fn random_sets_cost_little_more_than_their_entropy() {
        let mut rng = Rng::new(2);
        for density in [0.5, 0.2, 0.05, 0.01, 0.001f64] {
            let limit = (density * f64::from(u32::MAX)) as u32;
            let numbers: Vec<u64> = (0..2_000_000u64)
                .filter(|_| rng.below(u32::MAX) < limit)
                .collect();
            let entropy = -(density.log2() + (1.0 - density) / density * (1.0 - density).log2());
            let bits = bits_per_number(&numbers);
            assert!(
                bits < 1.06 * entropy + 0.1,
                "{density}: {bits} against {entropy}"
            );
        }
    }

    #[test]
    fn nonsense_does_no_harm() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..rng.below(40)).map(|_| rng.below(256) as u8).collect();
            let mut decoder = Decoder::new(&bytes);
            (0..100).for_each(|_| {
                decoder.pull();
            });
        }
    }
}
