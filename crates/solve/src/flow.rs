//! The Markov chain that a policy makes of a game: its states, and how probability moves on.

use tilebase_game::{Board, Move, Policy, Rules, Symmetry};
use tilebase_index::BoardSet;
use tilebase_table::Table;

use crate::backward::LayerSolver;

/// Whether a policy distinguishes the images of a board.
///
/// A policy that turns and mirrors with the board is the same on all images of a state, so one
/// state stands for its symmetry class. For any other policy every image is a state of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Granularity {
    Classes,
    Images,
}

impl Granularity {
    /// The granularity that a policy needs.
    pub fn of(policy: &dyn Policy) -> Granularity {
        match policy.is_symmetric() {
            true => Granularity::Classes,
            false => Granularity::Images,
        }
    }

    /// Entries of a class in an array over a layer.
    pub fn images(self) -> usize {
        match self {
            Granularity::Classes => 1,
            Granularity::Images => 8,
        }
    }

    /// The entry of a board that can arise: by rank, and by the first symmetry that makes it from
    /// the canonical board. `None` if the board is lost.
    pub fn index(self, game: &LayerSolver, set: &BoardSet, board: Board) -> Option<usize> {
        let rank = game.rank(set, board)? as usize;
        match self {
            Granularity::Classes => Some(rank),
            Granularity::Images => {
                let canonical = game.rules.canonical(board);
                let image = first_image(&game.rules, canonical, board)?;
                Some(rank * 8 + image)
            }
        }
    }

    /// The distinct boards that a canonical board stands for, with their entries in its class.
    pub fn boards(self, rules: &Rules, canonical: Board) -> Vec<(usize, Board)> {
        match self {
            Granularity::Classes => vec![(0, canonical)],
            Granularity::Images => {
                let mut boards: Vec<(usize, Board)> = Vec::with_capacity(8);
                for (i, symmetry) in rules.symmetries().enumerate() {
                    let image = rules.image(canonical, symmetry);
                    if boards.iter().all(|&(_, other)| other != image) {
                        boards.push((i, image));
                    }
                }
                boards
            }
        }
    }
}

fn first_image(rules: &Rules, canonical: Board, board: Board) -> Option<usize> {
    rules
        .symmetries()
        .position(|symmetry| rules.image(canonical, symmetry) == board)
}

/// The probability of being in a state, and the same with every path weighted by the discount to
/// the power of its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mass {
    pub probability: f64,
    pub discounted: f64,
}

impl Mass {
    pub fn times(self, factor: f64) -> Mass {
        Mass {
            probability: self.probability * factor,
            discounted: self.discounted * factor,
        }
    }

    pub fn add(&mut self, other: Mass) {
        self.probability += other.probability;
        self.discounted += other.discounted;
    }
}

/// The states of a layer that probability flows into.
pub(crate) struct Inflow<'a> {
    pub states: &'a BoardSet,
    pub masses: &'a mut [Mass],
}

/// Games that end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ends {
    /// Games won by a move.
    pub won: Mass,
    /// Probability that the new tile loses, by the exponent of the largest tile.
    pub lost: [f64; 16],
}

impl LayerSolver {
    /// Moves the mass of an afterstate on: to the states one and two layers above, to wins and to
    /// losses, by the game's spawn probabilities.
    pub(crate) fn pass_on(
        &self,
        granularity: Granularity,
        mass: Mass,
        after: Board,
        above: &mut [Option<Inflow>; 2],
        ends: &mut Ends,
    ) {
        if self.is_won(after) {
            ends.won.add(mass);
            return;
        }
        let cells = f64::from(self.rules.empty_cells(after).count_ones());
        for (i, above) in above.iter_mut().enumerate() {
            let each = mass.times(self.probabilities[i] / cells);
            if each.probability == 0.0 {
                continue;
            }
            for child in self.rules.drops(after, i as u8 + 1) {
                let found = above.as_mut().and_then(|flow| {
                    let index = granularity.index(self, flow.states, child)?;
                    flow.masses.get_mut(index)
                });
                match found {
                    Some(mass) => mass.add(each),
                    // A state that can arise and is not live is lost.
                    None => {
                        ends.lost[usize::from(self.rules.max_exponent(child))] += each.probability
                    }
                }
            }
        }
    }
}

/// A policy's move probabilities on an upright board. The policy sees the board as the user does.
pub(crate) fn move_probabilities(table: &Table, policy: &dyn Policy, board: Board) -> [f64; 4] {
    let weights = policy.probabilities(table.rules(), table.index().in_shape(board));
    transposed(table, weights)
}

/// Converts move probabilities between the board as the user sees it and the upright one.
pub(crate) fn transposed(table: &Table, weights: [f64; 4]) -> [f64; 4] {
    if !table.index().is_turned() {
        return weights;
    }
    Move::ALL.map(|m| weights[Symmetry::Transpose.apply_to_move(m).index()])
}

/// The moves that are played with positive probability, and the boards after them.
pub(crate) fn played_moves(
    rules: &Rules,
    board: Board,
    weights: [f64; 4],
) -> impl Iterator<Item = (Move, f64, Board)> {
    Move::ALL
        .into_iter()
        .zip(rules.slides(board))
        .map(move |(m, after)| (m, weights[m.index()], after))
        .filter(|&(_, weight, _)| weight > 0.0)
}
