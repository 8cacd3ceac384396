//! All engines give the same answer wherever all of them finish.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_game::Shape;
use tilebase_prove::bdd::{BddOptions, Sweep, solve};
use tilebase_prove::{
    Contest, DropTiles, Family, LayersOptions, ProofSearch, ProofSearchOptions, Winner,
    solve_layers,
};
use tilebase_util::progress::Silent;

/// The answer of every engine; the first is that of plain search.
fn answers(contest: &Contest) -> Vec<(&'static str, Winner)> {
    let search = |threads: usize, family: Option<Family>| {
        let options = ProofSearchOptions {
            threads,
            family,
            ..ProofSearchOptions::default()
        };
        ProofSearch::run(contest, &options, &Silent)
            .unwrap()
            .winner()
    };
    let tidy = Family {
        slack: Some(10),
        chain: Some(4),
    };
    let bdd = |sweep: Sweep| {
        let options = BddOptions {
            sweep,
            memory: 128 << 20,
            ..BddOptions::default()
        };
        solve(contest, &options, &Silent).unwrap().winner
    };
    let layers = solve_layers(contest, &LayersOptions::default(), &Silent).unwrap();
    vec![
        ("any position", search(1, Some(Family::ANY))),
        ("search", search(1, None)),
        ("two threads", search(2, None)),
        ("very tidy at first", search(1, Some(tidy))),
        ("layers", layers.winner),
        ("bdd by sum", bdd(Sweep::Sum)),
        ("bdd at once", bdd(Sweep::None)),
    ]
}

fn agree(shapes: &[&str], targets: std::ops::RangeInclusive<u8>) -> usize {
    let mut contests = 0;
    for shape in shapes {
        let shape: Shape = shape.parse().unwrap();
        for drops in DropTiles::ALL {
            for target in targets.clone() {
                let contest = Contest::new(shape, target, drops).unwrap();
                // One past what the cells can hold is asked too.
                if target > contest.largest_exponent() + 1 {
                    continue;
                }
                let answers = answers(&contest);
                for (engine, winner) in &answers {
                    assert_eq!(*winner, answers[0].1, "{contest} by {engine}");
                }
                contests += 1;
            }
        }
    }
    contests
}

#[test]
fn engines_agree_on_small_boards() {
    let shapes = [
        "1x1", "1x2", "2x1", "1x3", "3x1", "1x4", "4x1", "2x2", "2x3", "3x2",
    ];
    assert!(agree(&shapes, 3..=6) > 80);
}

#[test]
fn engines_agree_on_oblong_boards() {
    agree(&["2x4", "4x2"], 3..=5);
    agree(&["3x4"], 3..=3);
}

#[test]
fn engines_agree_on_squares() {
    agree(&["3x3"], 3..=5);
    agree(&["4x4"], 3..=3);
}
