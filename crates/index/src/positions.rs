//! Lists of positions for other processes: sorted, and then the gaps between them in as few bytes as
//! they need, or bits where the positions are dense.

use tilebase_util::varint;

const GAPS: u8 = 0;
const BITS: u8 = 1;

/// Bits that a pass of the sort looks at: its counters stay in the first cache.
const DIGIT: u32 = 11;

/// Sorts positions, of which the largest is below `limit`, and drops repeated ones.
pub fn sort_positions(positions: &mut Vec<u64>, limit: u64) {
    sort_keys(positions, 0, u64::BITS - limit.leading_zeros());
    positions.dedup();
}

/// Sorts numbers by some of their bits, from `low` up to `high`; equal ones keep their order.
///
/// Faster than a sort by comparisons, from a few thousand numbers up.
pub fn sort_keys(keys: &mut Vec<u64>, low: u32, high: u32) {
    if keys.len() < 1 << 11 {
        let mask = u64::MAX.checked_shr(u64::BITS - high).unwrap_or(0);
        keys.sort_by_key(|key| (key & mask) >> low);
        return;
    }
    let mut other = vec![0; keys.len()];
    for shift in (low..high).step_by(DIGIT as usize) {
        let bits = DIGIT.min(high - shift);
        let digit = |key: u64| (key >> shift) as usize & ((1 << bits) - 1);
        let mut starts = vec![0usize; 1 << bits];
        for &key in keys.iter() {
            starts[digit(key)] += 1;
        }
        let mut at = 0;
        for start in &mut starts {
            at += std::mem::replace(start, at);
        }
        for &key in keys.iter() {
            let to = &mut starts[digit(key)];
            other[*to] = key;
            *to += 1;
        }
        std::mem::swap(keys, &mut other);
    }
}

/// Appends the code of positions that are sorted and all different.
pub fn encode_positions(positions: &[u64], bytes: &mut Vec<u8>) {
    let (Some(&first), Some(&last)) = (positions.first(), positions.last()) else {
        varint::put(bytes, 0);
        return;
    };
    varint::put(bytes, positions.len() as u64);
    let span = (last - first) as usize + 1;
    // A gap takes a byte at least.
    if span.div_ceil(8) <= positions.len() {
        bytes.push(BITS);
        varint::put(bytes, first);
        varint::put(bytes, span as u64);
        let at = bytes.len();
        bytes.resize(at + span.div_ceil(8), 0);
        for &position in positions {
            let bit = (position - first) as usize;
            bytes[at + bit / 8] |= 1 << (bit % 8);
        }
        return;
    }
    bytes.push(GAPS);
    let mut next = 0;
    bytes.reserve(2 * positions.len());
    for &position in positions {
        varint::put(bytes, position - next);
        next = position + 1;
    }
}

/// Takes a list of positions off the front, and calls `visit` with each. `None` if the bytes are not the
/// code of one, or a position is not below `limit`.
pub fn decode_positions(bytes: &mut &[u8], limit: u64, mut visit: impl FnMut(u64)) -> Option<()> {
    let number = varint::take(bytes)?;
    if number == 0 {
        return Some(());
    }
    let (&kind, rest) = bytes.split_first()?;
    *bytes = rest;
    match kind {
        GAPS => {
            let mut next = 0u64;
            for _ in 0..number {
                let position = next.checked_add(varint::take(bytes)?)?;
                if position >= limit {
                    return None;
                }
                visit(position);
                next = position + 1;
            }
            Some(())
        }
        BITS => {
            let (first, span) = (varint::take(bytes)?, varint::take(bytes)?);
            if first.checked_add(span)? > limit {
                return None;
            }
            let (bits, rest) = bytes.split_at_checked(usize::try_from(span.div_ceil(8)).ok()?)?;
            *bytes = rest;
            let mut found = 0;
            for (i, &byte) in bits.iter().enumerate() {
                let mut byte = byte;
                while byte != 0 {
                    let bit = 8 * i as u64 + u64::from(byte.trailing_zeros());
                    byte &= byte - 1;
                    if bit >= span {
                        return None;
                    }
                    visit(first + bit);
                    found += 1;
                }
            }
            (found == number).then_some(())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    #[test]
    fn positions_come_back_sorted() {
        let mut rng = Rng::new(7);
        for (number, limit) in [
            (0, 1),
            (1, 1),
            (5, 1 << 40),
            (300, 400),
            (5000, 5000),
            (5000, 1 << 33),
            (100_000, 1 << 22),
        ] {
            let mut positions: Vec<u64> = (0..number)
                .map(|_| (u64::from(rng.below(u32::MAX)) << 16) % limit)
                .collect();
            let mut expected = positions.clone();
            expected.sort_unstable();
            expected.dedup();
            sort_positions(&mut positions, limit);
            assert_eq!(positions, expected);
            let mut bytes = Vec::new();
            encode_positions(&positions, &mut bytes);
            bytes.push(99);
            let (mut rest, mut found) = (&bytes[..], Vec::new());
            decode_positions(&mut rest, limit, |position| found.push(position)).unwrap();
            assert_eq!((found, rest), (expected, &[99u8][..]));
        }
    }

    #[test]
    fn keys_are_sorted_by_their_upper_bits() {
        let mut rng = Rng::new(8);
        for number in [100, 10_000] {
            let key = |slot: u64| u64::from(rng.below(1 << 20)) << 21 | slot;
            let mut keys: Vec<u64> = (0..number).map(key).collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            sort_keys(&mut keys, 21, 41);
            assert_eq!(keys, expected);
        }
    }

    #[test]
    fn damaged_lists_are_refused() {
        let (gaps, bits) = (vec![3, 1000, 5000], vec![3, 4, 6, 9, 10]);
        for positions in [gaps, bits] {
            let mut bytes = Vec::new();
            encode_positions(&positions, &mut bytes);
            let last = positions[positions.len() - 1];
            let decode = |mut bytes: &[u8], limit| decode_positions(&mut bytes, limit, |_| ());
            assert_eq!(decode(&bytes, last), None);
            assert_eq!(decode(&bytes, last + 1), Some(()));
            for end in 0..bytes.len() {
                assert_eq!(decode(&bytes[..end], last + 1), None, "{end}");
            }
        }
    }
}
