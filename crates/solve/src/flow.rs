//! Where a policy leads: a chain on the states of a game, followed from the start.

use tilebase_game::Policy;
use tilebase_game::{Board, Move, Rules, Symmetry};
use tilebase_index::BoardSet;
use tilebase_table::Table;

use crate::backward::Game;

/// The states of a layer as a policy tells them apart.
///
/// A policy that turns and mirrors with the board is the same on all images of a state, so
/// a state stands for its class. For any other, every image is a state of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    Classes,
    Images,
}

impl Telling {
    /// How many numbers a class takes.
    pub fn images(self) -> usize {
        match self {
            Telling::Classes => 1,
            Telling::Images => 8,
        }
    }

    /// Where a board that can arise has its number: by rank, and by the first symmetry that
    /// makes it from the canonical board. `None` if it is lost.
    pub fn index(self, game: &Game, set: &BoardSet, board: Board) -> Option<usize> {
        let rank = game.rank(set, board)? as usize;
        match self {
            Telling::Classes => Some(rank),
            Telling::Images => {
                let canonical = game.rules.canonical(board);
                let image = first_image(&game.rules, canonical, board)?;
                Some(rank * 8 + image)
            }
        }
    }

    /// The distinct boards that a canonical board stands for, with their place among its
    /// numbers.
    pub fn boards(self, rules: &Rules, canonical: Board) -> Vec<(usize, Board)> {
        match self {
            Telling::Classes => vec![(0, canonical)],
            Telling::Images => {
                let mut boards: Vec<(usize, Board)> = Vec::with_capacity(8);
                for (i, &symmetry) in Symmetry::of(rules.shape()).iter().enumerate() {
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
    Symmetry::of(rules.shape())
        .iter()
        .position(|&symmetry| rules.image(canonical, symmetry) == board)
}

/// The probability of being somewhere, and the same with every way there weighted by the
/// discount to the power of its moves.
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

/// A layer's states and how likely each is to be visited.
pub(crate) struct Flow<'a> {
    pub states: &'a BoardSet,
    pub masses: &'a mut [Mass],
}

/// What comes of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Step {
    /// Those that win.
    pub won: Mass,
    /// Probability that the new tile loses, by the exponent of the largest tile.
    pub lost: [f64; 16],
}

impl Game {
    /// Passes the mass of a state on through a move: to the states one and two layers
    /// above, to wins and to losses. The new tiles fall by the game's spawn.
    pub(crate) fn pass_on(
        &self,
        telling: Telling,
        mass: Mass,
        after: Board,
        above: &mut [Option<Flow>; 2],
        step: &mut Step,
    ) {
        if self.is_won(after) {
            step.won.add(mass);
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
                    let index = telling.index(self, flow.states, child)?;
                    flow.masses.get_mut(index)
                });
                match found {
                    Some(mass) => mass.add(each),
                    // A state that can arise and is not live is lost.
                    None => step.lost[usize::from(child.max_exponent())] += each.probability,
                }
            }
        }
    }
}

/// What a policy does on an upright board: it is shown the board as the user knows it.
pub(crate) fn weigh(table: &Table, policy: &dyn Policy, board: Board) -> [f64; 4] {
    let weights = policy.probabilities(table.rules(), table.places().shown(board));
    turned(table, weights)
}

/// Weights of moves on the shown board for those on the upright one, or the other way round.
pub(crate) fn turned(table: &Table, weights: [f64; 4]) -> [f64; 4] {
    let shape = table.variant().shape();
    if shape.rows() >= shape.cols() {
        return weights;
    }
    Move::ALL.map(|m| weights[Symmetry::Transpose.apply_to_move(m).index()])
}

/// The legal moves that a weighing allows, with the boards after them.
pub(crate) fn weighed(
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
