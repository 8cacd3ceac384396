//! Words of bits with few bits set, for other processes: as fast to pack as they can be sent.
//!
//! For every 64 words a mask of those that are not zero; for each of these a mask of its bytes that are
//! not zero, and those bytes. A bit that is alone in its word takes two bytes.

/// Appends the code of some words.
pub fn encode_words(words: &[u64], bytes: &mut Vec<u8>) {
    for group in words.chunks(64) {
        let mask = (0..)
            .zip(group)
            .fold(0u64, |mask, (i, &word)| mask | u64::from(word != 0) << i);
        bytes.extend(mask.to_le_bytes());
        let mut rest = mask;
        while rest != 0 {
            let word = group[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            let at = bytes.len();
            bytes.push(0);
            let mut left = word;
            while left != 0 {
                let byte = left.trailing_zeros() / 8;
                bytes[at] |= 1 << byte;
                bytes.push((word >> (8 * byte)) as u8);
                left &= !(0xff << (8 * byte));
            }
        }
    }
}

/// Takes the code of as many words off the front; `None` if it is not there.
pub fn decode_words(bytes: &mut &[u8], words: &mut [u64]) -> Option<()> {
    fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
        let (head, tail) = rest.split_first_chunk()?;
        *rest = tail;
        Some(*head)
    }
    for group in words.chunks_mut(64) {
        group.fill(0);
        let mut rest = u64::from_le_bytes(take(bytes)?);
        while rest != 0 {
            let word = group.get_mut(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            let [mut mask] = take(bytes)?;
            while mask != 0 {
                let [byte] = take(bytes)?;
                *word |= u64::from(byte) << (8 * mask.trailing_zeros());
                mask &= mask - 1;
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    #[test]
    fn words_come_back() {
        let mut rng = Rng::new(3);
        for length in [0, 1, 63, 64, 65, 1000] {
            for sparse in [0, 1, 3, 40] {
                let mut words = vec![0u64; length];
                for word in &mut words {
                    for _ in 0..rng.below(sparse + 1) {
                        *word |= 1 << rng.below(64);
                    }
                }
                let mut bytes = Vec::new();
                encode_words(&words, &mut bytes);
                bytes.push(7);
                let mut found = vec![9; length];
                let mut rest = &bytes[..];
                decode_words(&mut rest, &mut found).unwrap();
                assert_eq!((found, rest), (words, &[7u8][..]));
                let mut found = vec![0; length];
                for end in (0..bytes.len().saturating_sub(1)).step_by(17) {
                    assert_eq!(decode_words(&mut &bytes[..end], &mut found), None);
                }
            }
        }
    }
}
