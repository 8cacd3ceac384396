//! Simple players as policies: their choice depends on the board alone.

use tilebase_game::{Board, MAX_PACKED_EXPONENT, Move, MoveSet, Policy, Rules, deterministic};

/// Every legal move with the same probability.
pub(crate) struct Random;

impl Policy for Random {
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4] {
        let legal = rules.legal_moves(board);
        let each = 1.0 / f64::from(legal.len());
        Move::ALL.map(|m| if legal.contains(m) { each } else { 0.0 })
    }

    fn is_symmetric(&self) -> bool {
        true
    }
}

/// The move that scores most; of equals the first in the order of [`Move::ALL`].
pub(crate) struct Greedy;

/// The greedy choice among moves with their scores.
pub(crate) fn greedy(moves: impl Iterator<Item = (Move, u128)>) -> Option<Move> {
    let mut best: Option<(Move, u128)> = None;
    for (m, score) in moves {
        if best.is_none_or(|(_, most)| score > most) {
            best = Some((m, score));
        }
    }
    best.map(|(m, _)| m)
}

impl Policy for Greedy {
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4] {
        let legal = rules.legal_moves(board).iter();
        let moves = legal.map(|m| (m, u128::from(rules.score(board, m))));
        greedy(moves).map_or([0.0; 4], deterministic)
    }
}

/// Down if that is legal, else left, else right, else up: large tiles gather in a corner.
pub(crate) struct Corner;

/// The choice of [`Corner`] among legal moves.
pub(crate) fn corner(legal: MoveSet) -> Option<Move> {
    let order = [Move::Down, Move::Left, Move::Right, Move::Up];
    order.into_iter().find(|&m| legal.contains(m))
}

impl Policy for Corner {
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4] {
        corner(rules.legal_moves(board)).map_or([0.0; 4], deterministic)
    }
}

/// One ply of search: the largest mean, over all spawns with the standard probabilities, of
/// empty cells plus pairs of equal neighbours, where a lost board counts 0; of equals the first
/// in the order of [`Move::ALL`].
pub(crate) struct OnePly;

impl OnePly {
    /// Empty cells and pairs of equal neighbours.
    fn room(rules: &Rules, board: Board) -> u32 {
        if rules.is_lost(board) {
            return 0;
        }
        let shape = rules.shape();
        let empty = rules.empty_cells(board).count_ones();
        let mut pairs = 0;
        for row in 0..shape.rows() {
            for col in 0..shape.cols() {
                let tile = board.get(row, col);
                let right = col + 1 < shape.cols() && board.get(row, col + 1) == tile;
                let below = row + 1 < shape.rows() && board.get(row + 1, col) == tile;
                let is_wall = rules.walls() > 0 && tile == MAX_PACKED_EXPONENT;
                if tile > 0 && !is_wall {
                    pairs += u32::from(right) + u32::from(below);
                }
            }
        }
        empty + pairs
    }

    /// The value of an afterstate as a fraction: ten times the sum over all spawns, and the
    /// number of empty cells. Integers, so that equal moves are equal.
    fn value(rules: &Rules, afterstate: Board) -> (u32, u32) {
        let sum = |exponent: u8| -> u32 {
            let drops = rules.drops(afterstate, exponent);
            drops.map(|board| OnePly::room(rules, board)).sum()
        };
        (
            9 * sum(1) + sum(2),
            rules.empty_cells(afterstate).count_ones(),
        )
    }
}

impl Policy for OnePly {
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4] {
        let mut best: Option<(Move, (u32, u32))> = None;
        for m in rules.legal_moves(board).iter() {
            let value = OnePly::value(rules, rules.slide(board, m));
            // Fractions are compared by cross multiplication.
            let better = |(_, most): (Move, (u32, u32))| value.0 * most.1 > most.0 * value.1;
            if best.is_none_or(better) {
                best = Some((m, value));
            }
        }
        best.map_or([0.0; 4], |(m, _)| deterministic(m))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayerKind;
    use tilebase_game::{Grid, Rng, Shape, Symmetry};

    /// Random boards of a shape that are not lost.
    fn boards(shape: Shape, n: usize) -> Vec<Board> {
        let rules = Rules::new(shape).unwrap();
        let mut rng = Rng::new(11);
        let mut found = Vec::new();
        while found.len() < n {
            let cells = usize::from(shape.rows()) * usize::from(shape.cols());
            let exponents: Vec<u8> = (0..cells).map(|_| rng.below(5) as u8).collect();
            let grid = Grid::from_exponents(shape, &exponents).unwrap();
            let board = grid.pack().unwrap();
            if !rules.is_lost(board) {
                found.push(board);
            }
        }
        found
    }

    #[test]
    fn policies_choose_legal_moves_and_players_choose_the_same() {
        for shape in ["2x2", "2x3", "3x3", "4x4"] {
            let shape: Shape = shape.parse().unwrap();
            let rules = Rules::new(shape).unwrap();
            for kind in PlayerKind::ALL {
                let policy = kind.policy();
                for board in boards(shape, 300) {
                    let probabilities = policy.probabilities(&rules, board);
                    assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-15);
                    let legal = rules.legal_moves(board);
                    for m in Move::ALL {
                        assert!(legal.contains(m) || probabilities[m.index()] == 0.0);
                    }
                    let chosen = kind
                        .player(Rng::new(1))
                        .choose(&board.unpack(shape))
                        .unwrap();
                    assert!(probabilities[chosen.index()] > 0.0, "{kind} {board:?}");
                }
            }
        }
    }

    #[test]
    fn symmetric_policies_turn_with_the_board() {
        let shape: Shape = "3x3".parse().unwrap();
        let rules = Rules::new(shape).unwrap();
        for kind in PlayerKind::ALL {
            let policy = kind.policy();
            if !policy.is_symmetric() {
                continue;
            }
            for board in boards(shape, 200) {
                let own = policy.probabilities(&rules, board);
                for &symmetry in Symmetry::of(shape) {
                    let image = policy.probabilities(&rules, rules.image(board, symmetry));
                    for m in Move::ALL {
                        assert_eq!(image[symmetry.apply_to_move(m).index()], own[m.index()]);
                    }
                }
            }
        }
    }
}
