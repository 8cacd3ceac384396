//! Single positions solved, against tables of whole games.

use tilebase_game::{Objective, Variant};
use tilebase_solve::{Continuation, SolveOptions, solve_in_memory};
use tilebase_table::Table;
use tilebase_util::progress::{Silent, StopAfter};

fn table(variant: &Variant) -> Table {
    solve_in_memory(variant, Objective::Win, &SolveOptions::default(), &Silent).unwrap()
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    let (a, b) = (a.unwrap(), b.unwrap());
    (a - b).abs() <= 1e-11 * a.abs().max(b.abs())
}

#[test]
fn positions_have_the_values_of_tables() {
    for (name, boards) in [
        (
            "3x3-to-64",
            vec!["16,8,4/2,.,./.,.,2", "32,16,8/4,4,./2,.,."],
        ),
        (
            "3x3-to-32-formation-free6",
            vec!["#,.,2/#,#,./4,.,8", "2,#,#/#,.,./.,.,2"],
        ),
        (
            "4x4-to-16-formation-L3",
            vec![
                ".,.,2,./.,.,.,./2,#,#,#/.,#,#,#",
                "8,.,2,./.,4,.,./2,#,#,#/.,#,#,#",
            ],
        ),
        (
            "3x4-to-32-walls-5-keep-ff-goal-ff00",
            vec!["#,#,.,2/.,8,.,./#,.,#,#"],
        ),
        ("3x3-to-16-spawn-2:1", vec!["2,2,./.,.,./.,.,."]),
    ] {
        let variant: Variant = name.parse().unwrap();
        let table = table(&variant);
        for text in boards {
            let board = variant.parse_board(text).unwrap();
            let solved = Continuation::solve(&variant, board, usize::MAX, &Silent);
            let solved = solved.unwrap().unwrap();
            let truth = table.probe(board).unwrap();
            let found = match solved.probe(board) {
                Some(found) => found,
                None => {
                    assert!(truth.moves.is_empty(), "{name} {text}");
                    continue;
                }
            };
            let value = |probe: &tilebase_table::Probe| probe.value.and_then(|v| v.value);
            if truth.value.is_none() {
                // Not a position of the game from its start.
                continue;
            }
            assert!(close(value(&found), value(&truth)), "{name} {text}");
            let category = |probe: &tilebase_table::Probe| probe.value.map(|v| v.category);
            assert_eq!(category(&found), category(&truth), "{name} {text}");
            for (found, truth) in found.moves.iter().zip(&truth.moves) {
                assert_eq!(found.direction, truth.direction, "{name} {text}");
                assert_eq!(found.afterstate, truth.afterstate);
                assert_eq!((found.best, found.same_as), (truth.best, truth.same_as));
                let (a, b) = (found.value.unwrap(), truth.value.unwrap());
                assert!(close(a.value, b.value), "{name} {text}");
            }
        }
    }
}

#[test]
fn limits_are_kept() {
    let variant: Variant = "3x3-to-64".parse().unwrap();
    let board = variant.parse_board("2,2,./.,.,./.,.,.").unwrap();
    let solved = Continuation::solve(&variant, board, 1000, &Silent).unwrap();
    assert!(solved.is_none());
    let solved = Continuation::solve(&variant, board, usize::MAX, &StopAfter::new(3)).unwrap();
    assert!(solved.is_none());
    // Nothing follows a lost position, or a won one.
    for text in ["2,4,2/4,2,4/2,4,2", "64,2,./.,.,./.,.,."] {
        let board = variant.parse_board(text).unwrap();
        let solved = Continuation::solve(&variant, board, 10, &Silent)
            .unwrap()
            .unwrap();
        assert!(solved.is_empty() && solved.probe(board).is_none());
    }
}
