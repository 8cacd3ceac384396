//! Exact evaluation against plain recursion on boards as they are.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashMap;

use crate::common::{EACH_OBJECTIVE, named, near, number};
use tilebase_game::{Board, Shape, Variant};
use tilebase_naive::{DIRECTIONS, Direction, Position};
use tilebase_play::PlayerKind;
use tilebase_solve::evaluate;
use tilebase_table::{Category, Objective};
use tilebase_util::progress::Silent;

/// A player by the plain rules.
type Choose = fn(&Position) -> Direction;

/// A game on boards as they are, by the plain rules, for a player that always has one move.
struct Plain {
    target: Option<u8>,
    spawn: [f64; 2],
    objective: Objective,
    choose: Choose,
    known: HashMap<Position, f64>,
}

impl Plain {
    fn value(&mut self, position: &Position) -> f64 {
        let won = |p: &Position| self.target.is_some_and(|t| p.max_exponent() >= t);
        if won(position) {
            return match self.objective {
                Objective::Win | Objective::Discounted(_) => 1.0,
                _ => 0.0,
            };
        }
        if position.is_lost() {
            return 0.0;
        }
        if let Some(&value) = self.known.get(position) {
            return value;
        }
        let (after, gain) = position.slide((self.choose)(position));
        assert_ne!(after, *position, "legal");
        let mean = if won(&after) {
            self.value(&after)
        } else {
            let mut mean = 0.0;
            for exponent in [1, 2] {
                let weight = self.spawn[usize::from(exponent) - 1];
                if weight > 0.0 {
                    let drops = after.drops(exponent);
                    let each = weight / drops.len() as f64;
                    mean += drops.iter().map(|p| each * self.value(p)).sum::<f64>();
                }
            }
            mean
        };
        let value = match self.objective {
            Objective::Win => mean,
            Objective::Discounted(discount) => discount * mean,
            Objective::Score => gain as f64 + mean,
            Objective::Survival => 1.0 + mean,
            Objective::Moves => unreachable!(),
        };
        self.known.insert(position.clone(), value);
        value
    }

    /// From the start: tiles fall one after the other.
    fn start(&mut self, position: &Position, tiles: u16) -> f64 {
        if tiles == 0 {
            return self.value(position);
        }
        let mut mean = 0.0;
        for exponent in [1, 2] {
            let weight = self.spawn[usize::from(exponent) - 1];
            if weight > 0.0 {
                let drops = position.drops(exponent);
                let each = weight / drops.len() as f64;
                for drop in &drops {
                    mean += each * self.start(drop, tiles - 1);
                }
            }
        }
        mean
    }
}

fn first_legal(position: &Position, order: [Direction; 4]) -> Direction {
    let legal = |d: &Direction| position.slide(*d).0 != *position;
    order.into_iter().find(legal).unwrap()
}

fn corner(position: &Position) -> Direction {
    use Direction::{Down, Left, Right, Up};
    first_legal(position, [Down, Left, Right, Up])
}

/// The most points; of equals the first.
fn greedy(position: &Position) -> Direction {
    let mut best: Option<(Direction, u128)> = None;
    for direction in DIRECTIONS {
        let (after, gain) = position.slide(direction);
        if after != *position && best.is_none_or(|(_, most)| gain > most) {
            best = Some((direction, gain));
        }
    }
    best.unwrap().0
}

fn position(shape: Shape, board: Board) -> Position {
    let grid = board.unpack(shape);
    let (rows, cols) = (usize::from(shape.rows()), usize::from(shape.cols()));
    Position::new(rows, cols, grid.exponents())
}

/// Players that do not turn with the board: every image is a state of its own.
#[test]
fn players_achieve_what_plain_recursion_says() {
    for name in [
        "1x2-to-8",
        "1x2-to-8-spawn-2:0.1,4:0.9",
        "2x2-to-16",
        "2x2-to-32",
        "2x3-to-32",
        "3x2-to-32",
        "1x4-to-16",
        "4x1-to-16",
        "2x3-to-16-spawn-2:0.3,4:0.7-start-3",
        "3x2-to-16-spawn-4:1-start-1",
        "2x2",
        "2x3",
    ] {
        let variant: Variant = name.parse().unwrap();
        for objective in EACH_OBJECTIVE {
            if objective == Objective::Moves
                || objective.needs_target() && variant.target().is_none()
            {
                continue;
            }
            let table = named(name, objective);
            let chosen: [(PlayerKind, Choose); 2] =
                [(PlayerKind::Corner, corner), (PlayerKind::Greedy, greedy)];
            for (kind, choose) in chosen {
                let mut plain = Plain {
                    target: variant.target(),
                    spawn: [1, 2].map(|e| variant.spawn().probability(e)),
                    objective,
                    choose,
                    known: HashMap::new(),
                };
                let shape = variant.shape();
                let what = format!("{name} {objective} {kind}");
                let mut shown = 0;
                let found = evaluate(&table, kind.policy(), &Silent, &mut |board, value| {
                    shown += 1;
                    let expected = plain.value(&position(shape, board));
                    let own = number(value);
                    assert!(
                        near(own, expected, 1e-12),
                        "{what} {board:?}: {own} {expected}"
                    );
                })
                .unwrap();
                assert!(shown > 0 && shown == found.states, "{what}");
                let expected = plain.start(&position(shape, Board::EMPTY), variant.start_tiles());
                let own = number(found.start);
                assert!(near(own, expected, 1e-12), "{what}: {own} {expected}");
                // A start that can be lost at once is no sure win.
                if variant.target().is_some() {
                    let sure = found.start.category == Category::SureWin;
                    if let Some(chance) = found.start.win {
                        assert_eq!(sure, chance.q() == 0.0, "{what}");
                        let missing = 1.0 - expected;
                        assert!((chance.q() - missing).abs() < 1e-12, "{what}: {chance:?}");
                    }
                }
            }
        }
    }
}
