//! Values in exact arithmetic: every value of a table is within the error that the table
//! states of the true one, and what it calls sure is sure.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashMap;

use crate::common::{self, named, states};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use tilebase_game::{Board, Rules, Variant};
use tilebase_model::{Model, Reduction, StateId};
use tilebase_table::{Category, Objective, Table};

/// Exact values of a listed game, as numerators over powers of one base.
///
/// A step divides by ten times the number of cells at most; the base is a multiple of all of
/// these, so nothing is ever rounded and no fraction has to be reduced.
struct Exact {
    model: Model,
    /// Powers of the base.
    powers: Vec<BigUint>,
    /// For each state, the numerator of the probability to win.
    wins: Vec<BigUint>,
}

const BASE: u32 = 10 * 840;

impl Exact {
    fn new(name: &str) -> Exact {
        let variant: Variant = name.parse().unwrap();
        let model = Model::build(&variant, Reduction::Actions, 1_000_000).unwrap();
        let last = model.states().last().unwrap().sum;
        let mut powers = vec![BigUint::from(1u8)];
        for _ in 0..=last / 2 {
            powers.push(powers.last().unwrap() * BASE);
        }
        let mut exact = Exact {
            wins: vec![BigUint::ZERO; model.states().len()],
            powers,
            model,
        };
        for at in (0..exact.wins.len()).rev() {
            exact.wins[at] = exact.win(at);
        }
        exact
    }

    /// The power of the base below the values of a state.
    fn level(&self, at: usize) -> usize {
        let states = self.model.states();
        (states[states.len() - 1].sum - states[at].sum) as usize / 2 + 1
    }

    fn win(&self, at: usize) -> BigUint {
        let level = self.level(at);
        let values = self.model.states()[at].actions.iter().map(|action| {
            let mut sum = BigUint::ZERO;
            for &outcome in &action.outcomes {
                let chance = action.probability(outcome);
                let (part, whole) = (chance.numerator(), chance.denominator());
                assert_eq!(u128::from(BASE) % whole, 0);
                let factor = part * (u128::from(BASE) / whole);
                let (numerator, own) = match outcome.to {
                    StateId::Live(id) => (&self.wins[id as usize], self.level(id as usize)),
                    StateId::Win => (&self.powers[0], 0),
                    StateId::Lose => continue,
                };
                sum += numerator * factor * &self.powers[level - 1 - own];
            }
            sum
        });
        values.max().unwrap()
    }

    /// The exact probability to win from the start.
    fn start(&self) -> BigRational {
        let starts = self.model.starts();
        let shares = starts.filter_map(|(id, chance)| match id {
            StateId::Live(id) => {
                let at = id as usize;
                let whole = &self.powers[self.level(at)] * chance.denominator();
                let part = &self.wins[at] * chance.numerator();
                Some(BigRational::new(part.into(), whole.into()))
            }
            _ => None,
        });
        shares.sum()
    }
}

fn rational(number: f64) -> BigRational {
    BigRational::from_float(number).unwrap()
}

fn whole(number: u64) -> BigRational {
    BigRational::from_integer(BigInt::from(number))
}

/// Every state: the smaller side within the stated fraction of the true one, and categories
/// as the exact values say.
fn check_all(name: &str) -> BigRational {
    let exact = Exact::new(name);
    let solved = named(name, Objective::Win);
    let bound = rational(solved.manifest().relative_error_bound);
    let mut counts = [0u64; 3];
    for (at, state) in exact.model.states().iter().enumerate() {
        let value = common::value(&solved, state.board);
        let chance = value.win.unwrap();
        let one = &exact.powers[exact.level(at)];
        let win = &exact.wins[at];
        let loss = one - win;
        let (small, own) = if *win <= loss {
            (win, chance.p())
        } else {
            (&loss, chance.q())
        };
        let truth = BigRational::from_integer(small.clone().into());
        let own = rational(own) * BigRational::from_integer(one.clone().into());
        let error = if own > truth {
            &own - &truth
        } else {
            &truth - &own
        };
        assert!(error <= &bound * &truth, "{name} {:?}", state.board);
        let category = if *win == BigUint::ZERO {
            Category::SureLoss
        } else if loss == BigUint::ZERO {
            Category::SureWin
        } else {
            Category::Open
        };
        assert_eq!(value.category, category, "{name} {:?}", state.board);
        counts[category as usize] += 1;
    }
    let manifest = solved.manifest();
    let sum = |of: fn(&tilebase_table::LayerEntry) -> u64| -> u64 {
        manifest.layers.iter().map(of).sum()
    };
    assert_eq!(
        sum(|layer| layer.sure_wins),
        counts[Category::SureWin as usize]
    );
    assert_eq!(
        sum(|layer| layer.sure_losses),
        counts[Category::SureLoss as usize]
    );
    assert_eq!(manifest.states(), counts.iter().sum::<u64>());
    let start = manifest.start.unwrap();
    let (truth, value) = (exact.start(), rational(start.value.unwrap()));
    let error = if value > truth {
        &value - &truth
    } else {
        &truth - &value
    };
    let ulp = rational(f64::EPSILON);
    assert!(error <= (&bound + ulp) * &truth, "{name}");
    assert_eq!(start.sure_win, truth == whole(1), "{name}");
    assert_eq!(start.sure_loss, truth == whole(0), "{name}");
    truth
}

#[test]
fn all_values_of_small_games_are_within_their_error_of_the_exact_ones() {
    assert_eq!(check_all("2x2-to-8"), whole(1));
    assert_eq!(
        check_all("2x2-to-16"),
        whole(770_009_003) / whole(800_000_000)
    );
    assert_eq!(
        check_all("2x2-to-32"),
        whole(663_098_312_572_433) / whole(8_000_000_000_000_000)
    );
    for name in [
        "2x3-to-8",
        "2x3-to-16",
        "3x2-to-32",
        "2x3-to-64",
        "2x3-to-128",
        "2x4-to-16",
        "3x3-to-8",
    ] {
        check_all(name);
    }
}

#[test]
fn all_values_of_3x3_to_16_are_within_their_error_of_the_exact_ones() {
    // Every start is a sure win, though not every state is.
    assert_eq!(check_all("3x3-to-16"), whole(1));
}

/// What is sure, by sets alone: a state is deterministic won if some move leads to deterministic won
/// states only, and deterministic lost if every move does to deterministic lost ones only.
fn sure(table: &Table) -> HashMap<Board, Category> {
    let rules = Rules::new(table.variant().shape()).unwrap();
    let (spawn, target) = (table.variant().spawn(), table.variant().target().unwrap());
    let mut known: HashMap<Board, Category> = HashMap::new();
    // Sums only grow.
    let mut boards = states(table);
    boards.sort_by_key(|board| std::cmp::Reverse(board.sum()));
    for board in boards {
        let (mut won, mut lost) = (false, true);
        for m in rules.legal_moves(board).iter() {
            let after = rules.slide(board, m);
            if after.reaches(target) {
                (won, lost) = (true, false);
                continue;
            }
            let spawns: Vec<Category> = rules
                .spawns(after, spawn)
                .map(|outcome| match rules.is_lost(outcome.board) {
                    true => Category::SureLoss,
                    false => known[&rules.canonical(outcome.board)],
                })
                .collect();
            won |= spawns.iter().all(|&c| c == Category::SureWin);
            lost &= spawns.iter().all(|&c| c == Category::SureLoss);
        }
        let category = match (won, lost) {
            (true, _) => Category::SureWin,
            (_, true) => Category::SureLoss,
            _ => Category::Open,
        };
        known.insert(rules.canonical(board), category);
    }
    known
}

#[test]
fn what_is_called_sure_is_sure_for_every_objective() {
    for name in [
        "2x2-to-32",
        "2x3-to-32",
        "3x2-to-64",
        "3x3-to-16",
        "3x3-to-32",
    ] {
        for objective in [
            Objective::Win,
            Objective::Moves,
            Objective::Discounted(0.9),
            Objective::Score,
            Objective::Survival,
        ] {
            let table = named(name, objective);
            let sure = sure(&table);
            for board in states(&table) {
                let expected = sure[&table.rules().canonical(board)];
                let found = common::value(&table, board).category;
                assert_eq!(found, expected, "{name} {objective} {board:?}");
            }
        }
    }
}

/// Published: the probability of optimal play to reach 512 on 3x3.
#[test]
fn values_of_3x3_are_the_known_ones() {
    let start = |name: &str| {
        let solved = named(name, Objective::Win);
        solved.manifest().start.unwrap()
    };
    let to_64 = start("3x3-to-64");
    assert!(!to_64.sure_win);
    let missing = to_64.win_complement.unwrap();
    assert!(missing > 0.0 && missing < 1e-17, "{missing}");
    let to_512 = start("3x3-to-512").value.unwrap();
    assert!((to_512 - 0.736_774_177).abs() < 5e-10, "{to_512}");
}

/// The largest tile of 3x3: `cargo test --release -p tilebase-solve --test exact -- --ignored`.
#[test]
#[ignore = "takes long"]
fn the_value_of_3x3_to_1024_is_the_known_one() {
    let solved = named("3x3-to-1024", Objective::Win);
    let value = solved.manifest().start.unwrap().value.unwrap();
    assert!((value - 0.011_337_88).abs() < 1e-10, "{value}");
}

/// A tile that can be forced against an adversary who drops 2s is a sure win of the game
/// with 2s only, from an empty board on. Published by Edixhoven (Leiden 2019): 2x2 to 16 and
/// 3x3 to 512 can be forced, and k cells never hold a tile above 2^k.
#[test]
fn tiles_that_can_be_forced_are_sure_wins() {
    for (game, forced) in [
        ("2x2-to-16-spawn-2:1-start-1", true),
        ("3x3-to-512-spawn-2:1-start-1", true),
        ("2x2-to-16-start-1", false),
    ] {
        let solved = named(game, Objective::Win);
        assert_eq!(solved.manifest().start.unwrap().sure_win, forced, "{game}");
    }
}
