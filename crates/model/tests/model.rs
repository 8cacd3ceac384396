//! Models against published counts, against the naive rules and against themselves.
#![allow(clippy::expect_used, clippy::panic, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet};

use tilebase_game::{Board, Move, Representative, Shape, Variant};
use tilebase_model::{
    Fraction, Model, ModelError, Objective, Reduction, StateId, start_value, values, win_values,
};
use tilebase_naive::{DIRECTIONS, Position};

const REDUCTIONS: [Reduction; 3] = [Reduction::None, Reduction::States, Reduction::Actions];

fn model(name: &str, reduction: Reduction) -> Model {
    let variant: Variant = name.parse().expect("a variant");
    Model::build(&variant, reduction, 200_000).expect("a model")
}

#[test]
fn counts_are_the_published_ones() {
    let plain = model("2x2-to-8", Reduction::None);
    // With win, lose and the loops at both: 70 states, 530 transitions.
    assert_eq!((plain.states().len(), plain.transitions()), (68, 528));
    for reduction in [Reduction::States, Reduction::Actions] {
        for (name, states) in [("2x2-to-8", 15), ("2x2-to-16", 35), ("2x2-to-32", 57)] {
            assert_eq!(model(name, reduction).states().len(), states, "{name}");
        }
    }
}

#[test]
fn weights_add_up_and_play_goes_forward() {
    for name in [
        "2x2-to-32",
        "2x3-to-16",
        "1x4-to-32",
        "2x2-to-8-start-4",
        "2x2-spawn-4:1",
        "1x1-start-1",
    ] {
        for reduction in REDUCTIONS {
            let model = model(name, reduction);
            let mut sum = (0, 1);
            for (_, probability) in model.starts() {
                sum = (
                    sum.0 * probability.denominator() + probability.numerator() * sum.1,
                    sum.1 * probability.denominator(),
                );
                let reduced = Fraction::new(sum.0, sum.1);
                sum = (reduced.numerator(), reduced.denominator());
            }
            assert_eq!(sum, (1, 1), "{name}");
            for (at, state) in model.states().iter().enumerate() {
                assert_eq!(state.sum, state.board.sum());
                assert_eq!(model.find(state.board), Some(StateId::Live(at as u32)));
                assert!(!state.actions.is_empty());
                let mut seen = 0;
                for action in &state.actions {
                    assert_eq!(
                        seen & action.moves.bits(),
                        0,
                        "a move belongs to one action"
                    );
                    seen |= action.moves.bits();
                    let weights = action.outcomes.iter().map(|outcome| outcome.weight);
                    assert_eq!(weights.sum::<u64>(), action.whole);
                    assert!(action.outcomes.is_sorted_by(|a, b| a.to < b.to));
                    for outcome in &action.outcomes {
                        if let StateId::Live(to) = outcome.to {
                            let grown = model.states()[to as usize].sum - state.sum;
                            assert!(grown == 2 || grown == 4);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn layers_cover_all_states() {
    let model = model("2x3-to-16", Reduction::States);
    let mut next = 0;
    for (sum, range) in model.layers() {
        assert_eq!(range.start, next);
        assert!(
            model.states()[range.clone()]
                .iter()
                .all(|state| state.sum == sum)
        );
        next = range.end;
    }
    assert_eq!(next, model.states().len());
}

#[test]
fn boards_are_found() {
    let shape: Shape = "2x2".parse().expect("a shape");
    let model = model("2x2-to-8", Reduction::States);
    let find = |text| model.find(Board::parse(text, shape).expect("a board"));
    assert_eq!(find("8,2/.,."), Some(StateId::Win));
    assert_eq!(find("4,2/2,4"), Some(StateId::Lose));
    assert_eq!(find("4,./4,."), find(".,./4,4"));
    assert!(matches!(find("4,./4,."), Some(StateId::Live(_))));
    assert_eq!(find("2,./.,."), None);
}

/// A state's outcomes by the naive rules: for each move the gain and the probabilities of
/// the boards after it, won and lost ones under a name.
type Outcomes = BTreeMap<usize, (u128, BTreeMap<String, f64>)>;

struct Naive {
    target: u8,
    smallest: bool,
}

impl Naive {
    fn name(&self, position: &Position) -> String {
        if position.max_exponent() >= self.target {
            return "win".to_owned();
        }
        if position.is_lost() {
            return "lose".to_owned();
        }
        let image = if self.smallest {
            position.smallest()
        } else {
            position.clone()
        };
        format!("{:?}", image.exponents())
    }

    fn outcomes(&self, position: &Position) -> Outcomes {
        let mut all = Outcomes::new();
        for (m, direction) in DIRECTIONS.into_iter().enumerate() {
            let (after, gain) = position.slide(direction);
            if after == *position {
                continue;
            }
            let mut next = BTreeMap::new();
            if after.max_exponent() >= self.target {
                next.insert("win".to_owned(), 1.0);
            } else {
                for (exponent, probability) in [(1, 0.9), (2, 0.1)] {
                    let drops = after.drops(exponent);
                    for with in &drops {
                        *next.entry(self.name(with)).or_default() +=
                            probability / drops.len() as f64;
                    }
                }
            }
            all.insert(m, (gain, next));
        }
        all
    }
}

#[test]
fn models_follow_the_naive_rules() {
    for (name, target) in [
        ("2x2-to-8", 3),
        ("2x2-to-32", 5),
        ("2x3-to-8", 3),
        ("2x3-to-16", 4),
    ] {
        for reduction in REDUCTIONS {
            let model = model(name, reduction);
            let shape = model.variant().shape();
            let naive = Naive {
                target,
                smallest: reduction != Reduction::None,
            };
            let position = |board: Board| {
                let grid = board.unpack(shape);
                Position::new(shape.rows().into(), shape.cols().into(), grid.exponents())
            };
            let mut reached: BTreeSet<String> = BTreeSet::new();
            let mut listed: BTreeSet<String> = BTreeSet::new();
            for state in model.states() {
                let here = position(state.board);
                listed.insert(naive.name(&here));
                if state.start != Fraction::ZERO {
                    reached.insert(naive.name(&here));
                }
                let mut outcomes = naive.outcomes(&here);
                for action in &state.actions {
                    for m in action.moves.iter() {
                        let (gain, mut next) = outcomes.remove(&m.index()).expect("a legal move");
                        assert_eq!(u128::from(action.score), gain);
                        for &outcome in &action.outcomes {
                            let to = match outcome.to {
                                StateId::Live(id) => {
                                    naive.name(&position(model.states()[id as usize].board))
                                }
                                StateId::Win => "win".to_owned(),
                                StateId::Lose => "lose".to_owned(),
                            };
                            let probability = next.remove(&to).expect("a possible outcome");
                            assert!(
                                (probability - action.probability(outcome).to_f64()).abs() < 1e-14
                            );
                            reached.insert(to);
                        }
                        assert!(next.is_empty());
                    }
                }
                assert!(outcomes.is_empty(), "every legal move belongs to an action");
            }
            reached.remove("win");
            reached.remove("lose");
            assert_eq!(
                listed, reached,
                "{name} {reduction:?}: reachable states and no others"
            );
        }
    }
}

#[test]
fn start_states_agree_with_the_rules() {
    for name in ["2x2-to-8", "2x3-to-16", "3x3-to-16-start-1"] {
        let model = model(name, Reduction::States);
        let variant = model.variant();
        let rules = tilebase_game::Rules::new(variant.shape()).expect("rules");
        let starts = rules.start_states(
            variant.spawn(),
            variant.start_tiles(),
            Representative::Smallest,
        );
        for (board, probability) in &starts {
            let Some(StateId::Live(at)) = model.find(*board) else {
                panic!("a live state")
            };
            let start = model.states()[at as usize].start.to_f64();
            assert!((start - probability).abs() < 1e-15);
        }
        assert_eq!(model.starts().count(), starts.len());
    }
}

#[test]
fn errors_say_what_would_be_right() {
    let build = |name: &str, limit| {
        Model::build(&name.parse().expect("a variant"), Reduction::None, limit).map(|_| ())
    };
    let limit = build("3x3-to-64", 20_000).expect_err("too many states");
    assert_eq!(limit.to_string(), "3x3-to-64 has more than 20000 states");
    assert!(matches!(build("5x5-to-8", 10), Err(ModelError::Shape(_))));
    assert!(build("4x4", 1000).is_err());
    assert_eq!(build("2x2-to-8", 68), Ok(()));
    assert!(build("2x2-to-8", 67).is_err());
    let fine = build("4x4-spawn-2:0.123456789,4:0.876543211-start-16", 10);
    assert!(matches!(fine, Err(ModelError::Start(_))));
}

#[test]
fn objectives_by_hand() {
    // Two cells. A 2 alone slides and meets a 2 (or the game is lost), which makes a 4; a 4
    // alone meets a 4 one time in ten, and the next slide wins.
    let line = model("1x2-to-8-start-1", Reduction::None);
    let known = [
        (Objective::Win, 0.091),
        (Objective::Discounted(0.5), 0.012625),
        (Objective::Score, 3.968),
        (Objective::Moves, 0.263),
        (Objective::Survival, 1.901),
    ];
    for (objective, value) in known {
        let found = start_value(&line, &values(&line, objective));
        assert!((found - value).abs() < 1e-14, "{objective:?}: {found}");
    }
}

#[test]
fn objectives_agree_with_each_other() {
    for name in ["2x2-to-8", "2x2-to-16", "2x2-to-32", "2x3-to-16"] {
        let model = model(name, Reduction::Actions);
        let plain = self::model(name, Reduction::None);
        for objective in [
            Objective::Win,
            Objective::Discounted(0.9),
            Objective::Score,
            Objective::Moves,
            Objective::Survival,
        ] {
            let reduced = start_value(&model, &values(&model, objective));
            let full = start_value(&plain, &values(&plain, objective));
            assert!(
                (reduced - full).abs() < 1e-12 * full.max(1.0),
                "{name} {objective:?}"
            );
        }
        let win = values(&model, Objective::Win);
        let undiscounted = values(&model, Objective::Discounted(1.0));
        let patient = values(&model, Objective::Discounted(1.0 - 1e-7));
        for (at, value) in win_values(&model).iter().enumerate() {
            assert!((value.win - undiscounted[at]).abs() < 1e-14);
            assert!((value.win + value.loss - 1.0).abs() < 1e-14);
            assert_eq!(value.win, win[at]);
            // (1 − d)^n is about 1 − d·n: a patient player first wins, then makes haste.
            let moves = (value.win - patient[at]) / 1e-7;
            assert!((moves - value.moves).abs() < 1e-4, "{moves} {value:?}");
            let shortest = value
                .shortest
                .iter()
                .all(|m: Move| value.winning.contains(m));
            assert!(shortest && !value.shortest.is_empty());
        }
    }
}
