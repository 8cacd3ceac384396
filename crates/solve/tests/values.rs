//! Every value of small games against plain value iteration over the listed game, which
//! shares nothing with the solver but the rules.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use crate::common::{near, scratch};
use tilebase_game::{Rules, Shape, Spawn, Variant, tile_value};
use tilebase_model::{Model, Reduction, start_value, win_values};
use tilebase_solve::{SolveOptions, solve};
use tilebase_table::{Category, Objective, Status, Table};
use tilebase_util::progress::Silent;

/// No small game needs a larger bound than this.
const MOST: f64 = 1e-12;

fn objectives(variant: &Variant) -> Vec<Objective> {
    let mut all = vec![Objective::Score, Objective::Survival];
    if variant.target().is_some() {
        all.extend([
            Objective::Win,
            Objective::Moves,
            Objective::Discounted(0.9),
            Objective::Discounted(0.99),
        ]);
    }
    all
}

/// Compares the table of a game with plain value iteration, state by state. Returns the
/// number of states, or nothing where the solver says that the target cannot be reached.
fn compare(variant: &Variant, objective: Objective) -> Option<usize> {
    let model = Model::build(variant, Reduction::States, 1_000_000).unwrap();
    let lines = tilebase_model::solve(&model, objective);
    let odds = win_values(&model);
    let dir = scratch();
    let manifest = match solve(
        variant,
        objective,
        dir.path(),
        &SolveOptions::default(),
        &Silent,
    ) {
        Ok(manifest) => manifest,
        Err(error) => {
            let target = variant.target().map(tile_value).unwrap();
            let text = error.to_string();
            assert!(
                error.is_request() && text.contains("never") && text.contains(&target.to_string()),
                "{variant}: {text}"
            );
            assert!(odds.iter().all(|odds| odds.win == 0.0), "{variant}: {text}");
            return None;
        }
    };
    let table = Table::open(dir.path()).unwrap();
    let rules = Rules::new(variant.shape()).unwrap();
    let bound = manifest.relative_error_bound;
    assert!(bound > 0.0 && 2.0 * bound <= MOST, "{variant}: {bound}");
    assert_eq!(manifest.states(), model.states().len() as u64, "{variant}");
    let all_images = variant.shape().cells() <= 4;
    for ((state, line), odds) in model.states().iter().zip(&lines).zip(&odds) {
        let boards = rules.images(state.board);
        for board in boards.take(if all_images { 8 } else { 1 }) {
            let answer = table.probe(board).unwrap();
            let context = || format!("{variant} {objective} {board:?}: {answer:?} {odds:?}");
            assert_eq!(answer.status, Status::Live, "{}", context());
            let value = answer.value.unwrap_or_else(|| panic!("{}", context()));
            // Both sides have rounded.
            let same = |a: f64, b: f64| near(a, b, 2.0 * bound);
            match objective {
                Objective::Win | Objective::Moves => {
                    let chance = value.win.unwrap();
                    // The large side is as good as a float can say it.
                    assert!(near(chance.p(), odds.win, MOST), "{}", context());
                    assert!(near(chance.q(), odds.loss, MOST), "{}", context());
                    let (own, other) = if odds.win <= odds.loss {
                        (chance.p(), odds.win)
                    } else {
                        (chance.q(), odds.loss)
                    };
                    assert!(same(own, other), "{}", context());
                    if objective == Objective::Win {
                        assert_eq!(value.value, Some(chance.p()), "{}", context());
                    } else if odds.win == 0.0 {
                        assert_eq!(value.value, None, "{}", context());
                    } else {
                        let mean = odds.moves / odds.win;
                        assert!(near(value.value.unwrap(), mean, MOST), "{}", context());
                    }
                }
                _ => assert!(same(value.value.unwrap(), line.value), "{}", context()),
            }
            if variant.target().is_some() {
                let expected = match (odds.win == 0.0, odds.loss == 0.0) {
                    (true, _) => Category::SureLoss,
                    (_, true) => Category::SureWin,
                    _ => Category::Open,
                };
                assert_eq!(value.category, expected, "{}", context());
            }
            if board == state.board {
                assert_eq!(answer.best(), line.best, "{}", context());
            }
        }
    }
    let start = manifest.start.unwrap();
    let of = |values: &[f64]| start_value(&model, values);
    let wins: Vec<f64> = odds.iter().map(|odds| odds.win).collect();
    let values: Vec<f64> = lines.iter().map(|line| line.value).collect();
    match objective {
        Objective::Moves => {
            let win = of(&wins);
            assert!(near(start.win.unwrap(), win, MOST), "{variant} {start:?}");
            match start.value {
                None => assert_eq!(win, 0.0, "{variant} {start:?}"),
                Some(value) => assert!(near(value, of(&values) / win, MOST), "{variant}"),
            }
        }
        _ => {
            let value = start.value.unwrap();
            assert!(near(value, of(&values), MOST), "{variant} {start:?}");
            let live = model.states().iter().zip(&values);
            let starts = live.filter(|(state, _)| state.start.to_f64() > 0.0);
            let starts: Vec<f64> = starts.map(|(_, &value)| value).collect();
            let most = starts.iter().copied().fold(0.0, f64::max);
            assert!(near(start.max.unwrap(), most, MOST), "{variant} {start:?}");
            assert!(
                start.min.unwrap() <= value * (1.0 + MOST),
                "{variant} {start:?}"
            );
        }
    }
    Some(model.states().len())
}

/// Solves a shape with a spawn rule and a number of start tiles for all objectives, with
/// every target and without one.
fn compare_all(shape: &str, spawn: &str, start: u16) {
    let spawn: Spawn = spawn.parse().unwrap();
    let shape: Shape = shape.parse().unwrap();
    let make = |target| Variant::new(shape, target, spawn, start).unwrap();
    // A tile of every kind below the last spawns or is made, and the largest is beside them.
    let last = shape.cells() as u8 + u8::from(spawn != Spawn::TWOS);
    for target in 3..=last + 1 {
        let variant = make(Some(target));
        let found: Vec<Option<usize>> = objectives(&variant)
            .into_iter()
            .map(|pair| compare(&variant, pair))
            .collect();
        assert!(found.iter().all(|&states| states == found[0]), "{variant}");
        assert_eq!(found[0].is_some(), target <= last, "{variant}");
    }
    let endless = make(None);
    for pair in objectives(&endless) {
        assert!(compare(&endless, pair).is_some());
    }
}

const SPAWNS: [&str; 4] = ["2:0.9,4:0.1", "2:1", "4:1", "2:0.5,4:0.5"];

#[test]
fn shapes_of_up_to_four_cells_have_the_values_of_plain_iteration() {
    for shape in ["1x2", "2x1", "1x3", "3x1", "1x4", "4x1", "2x2"] {
        for spawn in SPAWNS {
            for start in 1..=3u16.min(shape.parse::<Shape>().unwrap().cells()) {
                compare_all(shape, spawn, start);
            }
        }
    }
}

#[test]
fn shapes_of_six_cells_have_the_values_of_plain_iteration() {
    for (shape, spawn, start) in [
        ("2x3", "2:0.9,4:0.1", 2),
        ("3x2", "2:0.9,4:0.1", 2),
        ("2x3", "2:1", 1),
        ("3x2", "4:1", 3),
        ("2x3", "2:0.5,4:0.5", 3),
    ] {
        compare_all(shape, spawn, start);
    }
}
