//! Value iteration in exact rationals, and the exact values that it must give.
#![allow(clippy::expect_used, clippy::panic, reason = "a test may fail")]

use num_bigint::BigInt;
use num_rational::BigRational;
use tilebase_game::{Representative, Variant};
use tilebase_model::{Fraction, Model, Reduction, StateId};

fn exact(probability: Fraction) -> BigRational {
    BigRational::new(
        probability.numerator().into(),
        probability.denominator().into(),
    )
}

fn whole(number: i64) -> BigRational {
    BigRational::from_integer(number.into())
}

/// The largest probability to win at the start.
fn win(name: &str, reduction: Reduction, representative: Representative) -> BigRational {
    let variant: Variant = name.parse().expect("a variant");
    let model = Model::build_by(&variant, reduction, representative, 100_000).expect("a model");
    let mut values = vec![whole(0); model.states().len()];
    let value = |values: &[BigRational], id| match id {
        StateId::Live(id) => values[id as usize].clone(),
        StateId::Win => whole(1),
        StateId::Lose => whole(0),
    };
    for (at, state) in model.states().iter().enumerate().rev() {
        let values_of_actions = state.actions.iter().map(|action| {
            let share = |&outcome| exact(action.probability(outcome)) * value(&values, outcome.to);
            action.outcomes.iter().map(share).sum::<BigRational>()
        });
        values[at] = values_of_actions.max().expect("an action");
    }
    let starts = model.starts();
    starts
        .map(|(id, probability)| exact(probability) * value(&values, id))
        .sum()
}

#[test]
fn games_on_2x2_have_their_exact_values() {
    let ratio = |part: i64, whole: i64| BigRational::new(BigInt::from(part), BigInt::from(whole));
    let known = [
        ("2x2-to-8", whole(1)),
        ("2x2-to-16", ratio(770_009_003, 800_000_000)),
        (
            "2x2-to-32",
            ratio(663_098_312_572_433, 8_000_000_000_000_000),
        ),
        ("2x2-to-64", whole(0)),
    ];
    for (name, value) in known {
        for representative in [Representative::Smallest, Representative::Canonical] {
            for reduction in [Reduction::None, Reduction::States, Reduction::Actions] {
                let found = win(name, reduction, representative);
                assert_eq!(found, value, "{name} {reduction:?} {representative:?}");
            }
        }
    }
}

#[test]
fn reductions_agree_on_other_games() {
    for name in [
        "2x3-to-16",
        "1x4-to-16",
        "2x2-to-16-spawn-2:0.123456789,4:0.876543211-start-3",
    ] {
        let plain = win(name, Reduction::None, Representative::Itself);
        for representative in [Representative::Smallest, Representative::Canonical] {
            assert_eq!(
                plain,
                win(name, Reduction::States, representative),
                "{name}"
            );
            assert_eq!(
                plain,
                win(name, Reduction::Actions, representative),
                "{name}"
            );
        }
    }
}
