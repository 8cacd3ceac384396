//! One view of the three implementations of the rules, so that one set of tests serves all.

pub mod walk;

use std::fmt::Debug;
use std::hash::Hash;

use tilebase_game::{
    Board, Grid, MAX_PACKED_EXPONENT, Move, Representative, Rules, Shape, Symmetry,
};
use tilebase_naive::{DIRECTIONS, Position};

/// A position of some implementation, with its shape.
pub trait Engine: Clone + Debug + Ord + Hash {
    /// The largest exponent it can hold, and the longest side.
    const LIMITS: (u8, u8);
    fn new(shape: Shape, exponents: &[u8]) -> Self;
    fn exponents(&self) -> Vec<u8>;
    /// The position after a slide (the same if not legal) and the score gained.
    fn slide(&self, m: Move) -> (Self, u128);
    fn is_lost(&self) -> bool;
    fn sum(&self) -> u128;
    fn max_exponent(&self) -> u8;
    fn drops(&self, exponent: u8) -> Vec<Self>;
    fn images(&self) -> Vec<Self>;
    fn canonical(&self) -> Self;
    fn smallest(&self) -> Self;

    fn holds(shape: Shape, exponents: &[u8]) -> bool {
        let (exponent, side) = Self::LIMITS;
        shape.rows() <= side && shape.cols() <= side && exponents.iter().all(|&e| e <= exponent)
    }
}

impl Engine for Position {
    const LIMITS: (u8, u8) = (u8::MAX, u8::MAX);
    fn new(shape: Shape, exponents: &[u8]) -> Position {
        Position::new(shape.rows().into(), shape.cols().into(), exponents)
    }
    fn exponents(&self) -> Vec<u8> {
        Position::exponents(self)
    }
    fn slide(&self, m: Move) -> (Position, u128) {
        Position::slide(self, DIRECTIONS[m.index()])
    }
    fn is_lost(&self) -> bool {
        Position::is_lost(self)
    }
    fn sum(&self) -> u128 {
        Position::sum(self)
    }
    fn max_exponent(&self) -> u8 {
        Position::max_exponent(self)
    }
    fn drops(&self, exponent: u8) -> Vec<Position> {
        Position::drops(self, exponent)
    }
    fn images(&self) -> Vec<Position> {
        Position::images(self)
    }
    fn canonical(&self) -> Position {
        Position::canonical(self)
    }
    fn smallest(&self) -> Position {
        Position::smallest(self)
    }
}

impl Engine for Grid {
    const LIMITS: (u8, u8) = (tilebase_game::MAX_EXPONENT, Shape::MAX_SIDE);
    fn new(shape: Shape, exponents: &[u8]) -> Grid {
        Grid::from_exponents(shape, exponents).unwrap()
    }
    fn exponents(&self) -> Vec<u8> {
        Grid::exponents(self).to_vec()
    }
    fn slide(&self, m: Move) -> (Grid, u128) {
        let mut after = self.clone();
        let gain = Grid::slide(&mut after, m);
        assert_eq!(gain.is_some(), after != *self, "legal means changed");
        assert_eq!(self.legal_moves().contains(m), gain.is_some());
        (after, gain.unwrap_or(0))
    }
    fn is_lost(&self) -> bool {
        Grid::is_lost(self)
    }
    fn sum(&self) -> u128 {
        Grid::sum(self)
    }
    fn max_exponent(&self) -> u8 {
        Grid::max_exponent(self)
    }
    fn drops(&self, exponent: u8) -> Vec<Grid> {
        self.empty_cells()
            .map(|(row, col)| {
                let mut with = self.clone();
                with.set(row, col, exponent);
                with
            })
            .collect()
    }
    fn images(&self) -> Vec<Grid> {
        Symmetry::of(self.shape())
            .iter()
            .map(|&s| self.image(s))
            .collect()
    }
    fn canonical(&self) -> Grid {
        Grid::canonical(self)
    }
    fn smallest(&self) -> Grid {
        Grid::smallest(self)
    }
}

/// A packed board that remembers its shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packed(pub Shape, pub Board);

impl Packed {
    pub fn rules(&self) -> Rules {
        Rules::new(self.0).unwrap()
    }
    fn with(&self, board: Board) -> Packed {
        Packed(self.0, board)
    }
}

impl Engine for Packed {
    const LIMITS: (u8, u8) = (MAX_PACKED_EXPONENT, 4);
    fn new(shape: Shape, exponents: &[u8]) -> Packed {
        Packed(shape, Grid::new(shape, exponents).pack().unwrap())
    }
    fn exponents(&self) -> Vec<u8> {
        Engine::exponents(&self.1.unpack(self.0))
    }
    fn slide(&self, m: Move) -> (Packed, u128) {
        let rules = self.rules();
        let after = rules.slide(self.1, m);
        assert_eq!(after, rules.slides(self.1)[m.index()]);
        assert_eq!(rules.is_legal(self.1, m), after != self.1);
        assert_eq!(rules.legal_moves(self.1).contains(m), after != self.1);
        (self.with(after), rules.score(self.1, m).into())
    }
    fn is_lost(&self) -> bool {
        self.rules().is_lost(self.1)
    }
    fn sum(&self) -> u128 {
        self.1.sum().into()
    }
    fn max_exponent(&self) -> u8 {
        self.1.max_exponent()
    }
    fn drops(&self, exponent: u8) -> Vec<Packed> {
        self.rules()
            .drops(self.1, exponent)
            .map(|b| self.with(b))
            .collect()
    }
    fn images(&self) -> Vec<Packed> {
        self.rules().images(self.1).map(|b| self.with(b)).collect()
    }
    fn canonical(&self) -> Packed {
        self.with(
            self.rules()
                .representative(self.1, Representative::Canonical),
        )
    }
    fn smallest(&self) -> Packed {
        self.with(
            self.rules()
                .representative(self.1, Representative::Smallest),
        )
    }
}

/// Every shape that a packed board can have.
pub fn packed_shapes() -> impl Iterator<Item = Shape> {
    (1..=4).flat_map(|rows| (1..=4).map(move |cols| Shape::new(rows, cols).unwrap()))
}

/// Asserts that an implementation agrees with the naive one on all questions about a
/// position.
pub fn assert_agrees<E: Engine>(shape: Shape, exponents: &[u8]) {
    let naive = Position::new(shape.rows().into(), shape.cols().into(), exponents);
    let fast = E::new(shape, exponents);
    let all =
        |positions: Vec<E>| -> Vec<Vec<u8>> { positions.iter().map(Engine::exponents).collect() };
    assert_eq!(fast.exponents(), exponents);
    for m in Move::ALL {
        let (expected, score) = Engine::slide(&naive, m);
        let expected = expected.exponents();
        if E::holds(shape, &expected) {
            let (after, gain) = fast.slide(m);
            assert_eq!(
                (after.exponents(), gain),
                (expected, score),
                "{m} of {fast:?}"
            );
        }
    }
    assert_eq!(fast.sum(), naive.sum(), "{fast:?}");
    assert_eq!(fast.max_exponent(), naive.max_exponent(), "{fast:?}");
    let pair_too_large = DIRECTIONS
        .iter()
        .any(|&d| !E::holds(shape, &naive.slide(d).0.exponents()));
    if !pair_too_large {
        assert_eq!(fast.is_lost(), naive.is_lost(), "{fast:?}");
    }
    for exponent in 1..=2 {
        let expected: Vec<Vec<u8>> = naive
            .drops(exponent)
            .iter()
            .map(Position::exponents)
            .collect();
        assert_eq!(all(fast.drops(exponent)), expected, "{fast:?}");
    }
    let mut expected: Vec<Vec<u8>> = naive.images().iter().map(Position::exponents).collect();
    let mut images = all(fast.images());
    expected.sort();
    images.sort();
    assert_eq!(images, expected, "{fast:?}");
    assert_eq!(
        fast.canonical().exponents(),
        naive.canonical().exponents(),
        "{fast:?}"
    );
    assert_eq!(
        fast.smallest().exponents(),
        naive.smallest().exponents(),
        "{fast:?}"
    );
}
