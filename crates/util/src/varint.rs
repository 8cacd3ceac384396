//! Whole numbers of variable length: small numbers take few bytes (LEB128).
//!
//! Seven bits of the number a byte, the lowest first; the highest bit is set in all bytes but
//! the last.
//!
//! ```
//! use tilebase_util::varint;
//!
//! let mut bytes = Vec::new();
//! varint::put(&mut bytes, 5);
//! varint::put(&mut bytes, 300);
//! assert_eq!(bytes, [5, 0xac, 0x02]);
//!
//! let mut rest = &bytes[..];
//! assert_eq!(varint::take(&mut rest), Some(5));
//! assert_eq!(varint::take(&mut rest), Some(300));
//! assert_eq!(varint::take(&mut rest), None);
//! ```

/// Appends a number.
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front; `None` if the bytes end too early or the number is too large.
#[inline]
pub fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        number |= bits << shift;
        if byte < 0x80 {
            return (number >> shift == bits).then_some(number);
        }
    }
    None
}

/// Appends a number of up to 128 bits, such as the score of a game on a large board.
pub fn put_u128(bytes: &mut Vec<u8>, mut number: u128) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number of up to 128 bits off the front, as [`take`] does.
pub fn take_u128(bytes: &mut &[u8]) -> Option<u128> {
    let mut number = 0;
    for shift in (0..u128::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u128::from(byte & 0x7f);
        number |= bits << shift;
        if byte < 0x80 {
            return (number >> shift == bits).then_some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let edges = (0..128).flat_map(|bit| [(1u128 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for number in edges.chain([u64::MAX.into(), u128::MAX]) {
            let mut wide = Vec::new();
            put_u128(&mut wide, number);
            assert_eq!(
                wide.len(),
                (128 - number.leading_zeros()).div_ceil(7).max(1) as usize
            );
            assert_eq!(take_u128(&mut &wide[..]), Some(number));
            let narrow = u64::try_from(number).ok();
            // Both widths share one encoding.
            assert_eq!(take(&mut &wide[..]), narrow);
            if let Some(narrow) = narrow {
                let mut bytes = Vec::new();
                put(&mut bytes, narrow);
                assert_eq!(bytes, wide);
            }
        }
    }

    #[test]
    fn broken_numbers_are_refused() {
        assert_eq!(take(&mut &[][..]), None);
        assert_eq!(take(&mut &[0x80][..]), None);
        assert_eq!(take(&mut &[0xff; 20][..]), None);
        assert_eq!(take_u128(&mut &[0xff; 20][..]), None);
        // The tenth byte holds the 64th bit alone.
        let mut large = [0xff; 10];
        large[9] = 1;
        assert_eq!(take(&mut &large[..]), Some(u64::MAX));
        large[9] = 2;
        assert_eq!(take(&mut &large[..]), None);
    }

    #[test]
    fn the_rest_stays() {
        let mut bytes = &[0x85, 0x01, 7][..];
        assert_eq!(take(&mut bytes), Some(133));
        assert_eq!(bytes, [7]);
    }
}
