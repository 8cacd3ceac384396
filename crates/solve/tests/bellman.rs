//! Answers of a table agree with each other: the value of a move follows from the answers for all
//! successors, the value of a state is that of its best move, and the moves that are called best, worse
//! or the same are.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::{any_image, named, near, states, value};
use tilebase_game::{Board, Rng};
use tilebase_table::{Category, Objective, ProbedMove, Status, Table};

/// A mean over all that can fall: of the objective's number (for moves, of the moves where
/// it is won and 0 where not) and of both sides of the chance to win.
#[derive(Debug, Default)]
struct Mean {
    number: f64,
    win: f64,
    loss: f64,
}

/// The value of a move by the answers for its successors.
fn look_ahead(table: &Table, answer: &ProbedMove) -> Mean {
    let objective = table.objective();
    let mut mean = Mean::default();
    if answer.wins_now {
        (mean.win, mean.number) = (1.0, 0.0);
        if let Objective::Discounted(_) = objective {
            mean.number = 1.0;
        }
    } else {
        for outcome in table
            .rules()
            .spawns(answer.afterstate, table.variant().spawn())
        {
            let value = value(table, outcome.board);
            if let Some(chance) = value.win {
                mean.win += outcome.probability * chance.p();
                mean.loss += outcome.probability * chance.q();
            }
            let number = match objective {
                Objective::Moves => value.value.unwrap_or(0.0) * value.win.unwrap().p(),
                _ => value.value.unwrap(),
            };
            mean.number += outcome.probability * number;
        }
    }
    match objective {
        Objective::Win => mean.number = mean.win,
        Objective::Discounted(discount) => mean.number *= discount,
        Objective::Score => mean.number += f64::from(answer.score),
        Objective::Moves => mean.number += mean.win,
        Objective::Survival => mean.number += 1.0,
    }
    mean
}

/// Checks all that the answer for a board says. Returns whether some move is worse.
fn check(table: &Table, board: Board) -> bool {
    let answer = table.probe(board).unwrap();
    let context = || format!("{} {board:?} {answer:?}", table.manifest().title());
    let (rules, objective) = (table.rules(), table.objective());
    assert_eq!(answer.status, Status::Live, "{}", context());
    let best = answer.value.unwrap();
    // A few roundings apart.
    let tolerance = table.manifest().relative_error_bound.max(1e-14);
    let same = |a: f64, b: f64| near(a, b, tolerance);
    let legal = rules.legal_moves(board);
    assert_eq!(answer.moves.len(), legal.len() as usize, "{}", context());
    assert!(!answer.best().is_empty(), "{}", context());
    assert!(
        answer.moves.is_sorted_by_key(|line| !line.best),
        "best first: {}",
        context()
    );
    for line in &answer.moves {
        assert!(legal.contains(line.direction), "{}", context());
        assert_eq!(line.afterstate, rules.slide(board, line.direction));
        assert_eq!(line.score, rules.score(board, line.direction));
        let own = line.value.unwrap();
        let ahead = look_ahead(table, line);
        if let Some(chance) = own.win {
            assert!(
                same(chance.p(), ahead.win),
                "{line:?} {ahead:?} {}",
                context()
            );
            assert!(
                same(chance.q(), ahead.loss),
                "{line:?} {ahead:?} {}",
                context()
            );
            let best = best.win.unwrap();
            assert!(
                chance <= best || same(chance.p(), best.p()),
                "{}",
                context()
            );
        }
        let loss = line.loss.unwrap();
        match objective {
            Objective::Moves => {
                let p = own.win.unwrap().p();
                match own.value {
                    None => assert_eq!(p, 0.0, "{}", context()),
                    Some(mean) => assert!(same(mean * p, ahead.number), "{}", context()),
                }
                if let (Some(own), Some(best)) = (own.value, best.value) {
                    assert_eq!(loss, own - best, "{}", context());
                }
                let (chance, most) = (own.win.unwrap(), best.win.unwrap());
                let worse = !same(chance.p(), most.p())
                    || !same(chance.q(), most.q())
                    || own.value.unwrap_or(0.0) > best.value.unwrap_or(0.0) * (1.0 + tolerance);
                assert_eq!(line.best, !worse, "{line:?} {}", context());
            }
            Objective::Win => {
                let (own, best) = (own.win.unwrap(), best.win.unwrap());
                let (p, q) = (best.p() - own.p(), own.q() - best.q());
                // One of the two is precise.
                let scale = |x: f64| (loss - x).abs() <= f64::EPSILON * x.abs();
                assert!(scale(p) || scale(q), "{loss} {p} {q} {}", context());
                let ties = same(own.p(), best.p()) && same(own.q(), best.q());
                assert_eq!(line.best, ties, "{line:?} {}", context());
            }
            _ => {
                let (own, best) = (own.value.unwrap(), best.value.unwrap());
                assert!(same(own, ahead.number), "{line:?} {ahead:?} {}", context());
                assert_eq!(loss, (best - own).max(0.0), "{}", context());
                assert_eq!(line.best, same(own, best), "{line:?} {}", context());
            }
        }
        // A move that leaves the win or the loss sure has that category.
        let falls = rules.spawns(line.afterstate, table.variant().spawn());
        let sure = |category| {
            let mut falls = falls.map(|outcome| value(table, outcome.board).category);
            falls.all(|found| found == category)
        };
        let expected = match own.category {
            _ if line.wins_now => own.category == Category::SureWin,
            Category::Open => true,
            category => sure(category),
        };
        assert!(expected, "{line:?} {}", context());
        let canonical = |line: &ProbedMove| rules.canonical(line.afterstate);
        let earlier = |other: &&ProbedMove| {
            other.direction.index() < line.direction.index() && canonical(other) == canonical(line)
        };
        let first = answer
            .moves
            .iter()
            .filter(earlier)
            .map(|other| other.direction)
            .min();
        assert_eq!(line.same_as, first, "{}", context());
    }
    // The state has the value of the first move.
    let first = answer.moves[0].value.unwrap();
    assert!(same(first.value.unwrap_or(0.0), best.value.unwrap_or(0.0)));
    assert!(answer.moves.iter().all(|line| {
        let value = line.value.unwrap();
        objective == Objective::Moves || value.value.unwrap() <= best.value.unwrap()
    }));
    answer.moves.iter().any(|line| !line.best)
}

const OBJECTIVES: [Objective; 6] = [
    Objective::Win,
    Objective::Discounted(0.9),
    Objective::Discounted(0.99),
    Objective::Score,
    Objective::Moves,
    Objective::Survival,
];

#[test]
fn all_answers_of_six_cells_agree_with_each_other() {
    for (name, objectives) in [
        ("2x3-to-32", &OBJECTIVES[..]),
        ("3x2-to-16-spawn-2:0.5,4:0.5", &OBJECTIVES),
        ("2x3", &[Objective::Score, Objective::Survival]),
    ] {
        for &objective in objectives {
            let table = named(name, objective);
            let choices = states(&table)
                .into_iter()
                .filter(|&board| check(&table, board))
                .count();
            assert!(choices > 0, "{name} {objective}");
        }
    }
}

#[test]
fn answers_of_3x3_agree_with_each_other() {
    let mut rng = Rng::new(2048);
    for (name, objective, number) in [
        ("3x3-to-64", Objective::Win, 4000),
        ("3x3-to-64", Objective::Moves, 1000),
        ("3x3-to-64", Objective::Discounted(0.99), 1000),
        ("3x3-to-64", Objective::Score, 1000),
        ("3x3-to-64", Objective::Survival, 1000),
    ] {
        let table = named(name, objective);
        let boards = states(&table);
        for _ in 0..number {
            let board = boards[rng.below(boards.len() as u32) as usize];
            check(&table, any_image(table.rules(), board, &mut rng));
        }
    }
}
