//! A packed policy: the best move and the approximate value of the states that optimal play is
//! likely to visit, small enough for a browser.
//!
//! # The bytes
//! `TBPOLICY`, the format (one byte, 1), then as variable-length numbers (seven bits a byte,
//! the lowest first, the highest bit set on all but the last byte): the length of the
//! variant's name and the name; the length of the objective's name and the name; the number
//! of states n. Then n keys, as gaps to the key before: the first gap is the first key, and
//! all others are at least 1. Then (n + 3) / 4 bytes of moves, two bits each, the lowest
//! first: 0 left, 1 right, 2 up, 3 down. Then n values of two bytes, lowest first, in
//! 65535ths of the largest, which is a float of eight bytes before them.
//!
//! A key is the board as a number, one hex digit a cell, rows from the top, of the image
//! with the smallest number. The move is on that image.
//!
//! ```
//! use tilebase_game::{Board, Move, Variant};
//! use tilebase_table::policy::{PolicyEntry, PackedPolicy};
//!
//! let variant: Variant = "2x2-to-16".parse().unwrap();
//! let board = Board::parse("4,2/.,2", variant.shape()).unwrap();
//! let line = PolicyEntry { board, best: Move::Up, value: 0.96 };
//! let policy = PackedPolicy::new(variant, "win", &[line]);
//! let back = PackedPolicy::from_bytes(&policy.to_bytes()).unwrap();
//! assert_eq!(back.look_up(board).unwrap().0, Move::Up);
//! // Mirrored left to right, up is still up.
//! let mirrored = Board::parse("2,4/2,.", variant.shape()).unwrap();
//! assert_eq!(back.look_up(mirrored).unwrap().0, Move::Up);
//! ```

use std::fmt;

use tilebase_game::{Board, Move, Rules, Symmetry, Variant};
use tilebase_util::varint;

const MAGIC: &[u8; 8] = b"TBPOLICY";
/// The format of the bytes.
pub const FORMAT: u8 = 1;

/// A state of a policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolicyEntry {
    /// Any image of the state.
    pub board: Board,
    /// A best move on that image.
    pub best: Move,
    /// The value of the state.
    pub value: f64,
}

/// Best moves of some states.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedPolicy {
    variant: Variant,
    objective: String,
    keys: Vec<u64>,
    moves: Vec<u8>,
    values: Vec<u16>,
    largest: f64,
}

/// Why bytes are not a packed policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyError {
    /// The magic number is missing.
    Magic,
    /// They were written in a format that this version does not know.
    Format(u8),
    /// They end too early, or are invalid.
    Damaged,
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Magic => f.write_str("not a packed policy: it must begin with TBPOLICY"),
            PolicyError::Format(found) => write!(
                f,
                "the policy has format {found}, and this program knows format {FORMAT}: use the version that wrote it"
            ),
            PolicyError::Damaged => f.write_str("the policy is damaged: make it again"),
        }
    }
}

impl std::error::Error for PolicyError {}

/// The key of a board, and the symmetry that leads to it.
fn key(rules: &Rules, board: Board) -> (u64, Symmetry) {
    let smallest = rules.smallest(board);
    let symmetry = Symmetry::of(rules.shape())
        .iter()
        .copied()
        .find(|&symmetry| rules.image(board, symmetry) == smallest)
        .unwrap_or(Symmetry::Identity);
    let (rows, cols) = (rules.shape().rows(), rules.shape().cols());
    let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| smallest.get(row, col)));
    let number = cells.fold(0, |number, exponent| number << 4 | u64::from(exponent));
    (number, symmetry)
}

impl PackedPolicy {
    /// Packs states. Of several images of a state one is kept.
    pub fn new(variant: Variant, objective: &str, lines: &[PolicyEntry]) -> PackedPolicy {
        let mut entries: Vec<(u64, u8, f64)> = Vec::new();
        if let Ok(rules) = Rules::of(&variant) {
            entries.extend(lines.iter().map(|line| {
                let (key, symmetry) = key(&rules, line.board);
                (
                    key,
                    symmetry.apply_to_move(line.best).index() as u8,
                    line.value,
                )
            }));
        }
        entries.sort_by_key(|&(key, _, _)| key);
        entries.dedup_by_key(|&mut (key, _, _)| key);
        let largest = entries
            .iter()
            .map(|&(_, _, value)| value)
            .fold(0.0, f64::max);
        let scale = if largest > 0.0 {
            65535.0 / largest
        } else {
            0.0
        };
        PackedPolicy {
            variant,
            objective: objective.to_owned(),
            keys: entries.iter().map(|&(key, _, _)| key).collect(),
            moves: entries.iter().map(|&(_, m, _)| m).collect(),
            values: entries
                .iter()
                .map(|&(_, _, value)| (value * scale).round() as u16)
                .collect(),
            largest,
        }
    }

    /// The game.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// What the values are.
    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// Number of states.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// A best move on a board and its value, to within a 65535th of the largest
    /// value; `None` if the board is not listed.
    pub fn look_up(&self, board: Board) -> Option<(Move, f64)> {
        let rules = Rules::of(&self.variant).ok()?;
        let (key, symmetry) = key(&rules, board);
        let at = self.keys.binary_search(&key).ok()?;
        let m = symmetry
            .inverse()
            .apply_to_move(Move::ALL[usize::from(self.moves[at])]);
        Some((m, f64::from(self.values[at]) / 65535.0 * self.largest))
    }

    /// The bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT);
        for text in [&self.variant.to_string(), &self.objective] {
            varint::put(&mut bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        }
        varint::put(&mut bytes, self.keys.len() as u64);
        let mut before = 0;
        for &key in &self.keys {
            varint::put(&mut bytes, key - before);
            before = key;
        }
        let four = |moves: &[u8]| moves.iter().rev().fold(0, |byte, m| byte << 2 | m);
        bytes.extend(self.moves.chunks(4).map(four));
        bytes.extend(self.largest.to_le_bytes());
        bytes.extend(self.values.iter().flat_map(|value| value.to_le_bytes()));
        bytes
    }

    /// Reads the bytes back.
    pub fn from_bytes(bytes: &[u8]) -> Result<PackedPolicy, PolicyError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(PolicyError::Magic)?;
        match rest.split_first() {
            Some((&FORMAT, rest)) => read(rest).ok_or(PolicyError::Damaged),
            Some((&other, _)) => Err(PolicyError::Format(other)),
            None => Err(PolicyError::Damaged),
        }
    }
}

fn read(mut rest: &[u8]) -> Option<PackedPolicy> {
    let rest = &mut rest;
    let variant = text(rest)?.parse().ok()?;
    let objective = text(rest)?;
    let n = usize::try_from(varint::take(rest)?).ok()?;
    // Every key takes at least a byte: no more room than there are bytes is asked for.
    if n > rest.len() {
        return None;
    }
    let mut keys: Vec<u64> = Vec::with_capacity(n);
    for i in 0..n {
        let gap = varint::take(rest)?;
        let before = keys.last().copied().unwrap_or(0);
        if i > 0 && gap == 0 {
            return None;
        }
        keys.push(before.checked_add(gap)?);
    }
    let (packed, after) = rest.split_at_checked(n.div_ceil(4))?;
    let moves = (0..n).map(|i| packed[i / 4] >> (2 * (i % 4)) & 3).collect();
    let (largest, after) = after.split_first_chunk()?;
    let (values, end) = after.split_at_checked(2 * n)?;
    let largest = f64::from_le_bytes(*largest);
    (end.is_empty() && largest.is_finite()).then(|| PackedPolicy {
        variant,
        objective,
        keys,
        moves,
        values: values
            .chunks_exact(2)
            .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
            .collect(),
        largest,
    })
}

fn text(rest: &mut &[u8]) -> Option<String> {
    let len = usize::try_from(varint::take(rest)?).ok()?;
    let (text, after) = rest.split_at_checked(len)?;
    *rest = after;
    String::from_utf8(text.to_vec()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::Rng;

    fn policy(name: &str) -> (PackedPolicy, Vec<PolicyEntry>) {
        let variant: Variant = name.parse().unwrap();
        let (rules, shape) = (Rules::new(variant.shape()).unwrap(), variant.shape());
        let mut rng = Rng::new(3);
        let lines: Vec<PolicyEntry> = (0..500)
            .map(|_| {
                let mut board = Board::EMPTY;
                for row in 0..shape.rows() {
                    for col in 0..shape.cols() {
                        board = board.with(row, col, rng.below(8) as u8);
                    }
                }
                PolicyEntry {
                    board: rules.canonical(board),
                    best: Move::ALL[rng.below(4) as usize],
                    value: f64::from(rng.below(1000)),
                }
            })
            .collect();
        (PackedPolicy::new(variant, "score", &lines), lines)
    }

    #[test]
    fn boards_and_their_images_are_found() {
        for name in [
            "2x2-to-512",
            "2x3-to-512",
            "3x2-to-512",
            "3x3-to-512",
            "4x4-to-512",
        ] {
            let (policy, lines) = policy(name);
            let rules = Rules::new(policy.variant().shape()).unwrap();
            let back = PackedPolicy::from_bytes(&policy.to_bytes()).unwrap();
            assert_eq!(back, policy);
            let mut seen = std::collections::HashSet::new();
            for line in lines.iter().filter(|line| seen.insert(line.board)) {
                for &symmetry in Symmetry::of(rules.shape()) {
                    let image = rules.image(line.board, symmetry);
                    let (m, value) = back.look_up(image).unwrap();
                    // Boards with symmetries of their own have several moves that are one.
                    let class = |board, m| rules.canonical(rules.slide(board, m));
                    assert_eq!(class(image, m), class(line.board, line.best));
                    assert!((value - line.value).abs() <= 1000.0 / 65535.0);
                }
            }
        }
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = policy("3x3-to-512").0.to_bytes();
        assert_eq!(PackedPolicy::from_bytes(b"hello"), Err(PolicyError::Magic));
        let mut newer = bytes.clone();
        newer[8] = 2;
        assert_eq!(
            PackedPolicy::from_bytes(&newer),
            Err(PolicyError::Format(2))
        );
        for len in 9..bytes.len() {
            assert_eq!(
                PackedPolicy::from_bytes(&bytes[..len]),
                Err(PolicyError::Damaged)
            );
        }
    }
}
