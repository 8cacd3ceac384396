//! Strategies that are found pass the check, and damaged ones do not.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use tilebase_game::Board;
use tilebase_prove::{
    CheckedStrategy, Contest, DropTiles, ProofSearch, ProofSearchOptions, Strategy, StrategyChoice,
    StrategyError, Winner, check_strategy,
};
use tilebase_util::progress::Silent;

fn written(contest: &str) -> (ProofSearch, String) {
    let contest: Contest = contest.parse().unwrap();
    let search = ProofSearch::run(&contest, &ProofSearchOptions::default(), &Silent).unwrap();
    let mut text = Vec::new();
    Strategy::of(&search).unwrap().write(&mut text).unwrap();
    (search, String::from_utf8(text).unwrap())
}

fn checked(text: &str) -> Result<CheckedStrategy, StrategyError> {
    check_strategy(text.as_bytes(), &Silent)
}

#[test]
fn strategies_of_either_player_pass() {
    for shape in [
        "1x2", "1x3", "1x4", "2x2", "2x3", "3x2", "2x4", "4x2", "3x3",
    ] {
        for drops in DropTiles::ALL {
            for target in 3..=7 {
                let contest = Contest::new(shape.parse().unwrap(), target, drops).unwrap();
                if target > contest.largest_exponent() {
                    continue;
                }
                let (search, text) = written(&contest.to_string());
                let found = checked(&text).unwrap();
                assert_eq!(found.winner, search.winner(), "{contest}");
                assert_eq!(found.contest, contest);
                // Nothing is listed that cannot arise.
                assert_eq!(found.used, found.positions, "{contest}");
            }
        }
    }
}

#[test]
fn choices_hold_in_every_symmetry() {
    for (contest, winner) in [
        ("3x3-to-32-drops-2", Winner::Slider),
        ("2x3-to-64-drops-2,4", Winner::Dropper),
    ] {
        let contest: Contest = contest.parse().unwrap();
        let search = ProofSearch::run(&contest, &ProofSearchOptions::default(), &Silent).unwrap();
        let strategy = Strategy::of(&search).unwrap();
        assert_eq!(strategy.winner(), winner);
        let mut text = Vec::new();
        strategy.write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let shape = contest.shape();
        let mut seen = 0;
        for line in text.lines().filter(|line| line.starts_with("0x")) {
            let board = Board::parse(line.split_once(' ').unwrap().0, shape).unwrap();
            // What a choice leads to, up to symmetry.
            let leads = |board: Board| {
                let rules = contest.rules();
                rules.canonical(match strategy.choice(board).unwrap() {
                    StrategyChoice::Slide(m) => rules.slide(board, m),
                    StrategyChoice::Drop(exponent, row, col) => {
                        assert_eq!(board.get(row, col), 0);
                        board.with(row, col, exponent)
                    }
                })
            };
            let grid = board.unpack(shape);
            let (rows, cols) = (shape.rows(), shape.cols());
            let mut turned = tilebase_game::Grid::empty(shape);
            for row in 0..rows {
                for col in 0..cols {
                    turned.set(rows - 1 - row, cols - 1 - col, grid.get(row, col));
                }
            }
            assert_eq!(leads(board), leads(turned.pack().unwrap()), "{line}");
            seen += 1;
        }
        assert_eq!(seen, strategy.len());
        let full = Board::parse("0x1", "1x1".parse().unwrap()).unwrap();
        assert!(strategy.choice(full.with(0, 1, 9)).is_none());
    }
}

#[test]
fn the_published_wins_have_strategies() {
    for contest in [
        "3x3-to-512-drops-2",
        "4x4-to-16-drops-2,4",
        "3x4-to-32-drops-2",
    ] {
        let (_, text) = written(contest);
        assert_eq!(checked(&text).unwrap().winner, Winner::Slider, "{contest}");
    }
}

#[test]
fn a_claim_for_the_other_side_fails() {
    let (_, text) = written("3x3-to-16-drops-2");
    let swapped = text.replace("winner slider", "winner dropper");
    assert!(matches!(
        checked(&swapped),
        Err(StrategyError::Missing(_) | StrategyError::Illegal(_))
    ));
    // A larger target is not made by the same moves.
    let raised = text.replace("to-16", "to-32");
    assert!(matches!(checked(&raised), Err(StrategyError::Missing(_))));
    // More drops are not met by it.
    let freed = text.replace("drops-2", "drops-2,4");
    assert!(matches!(checked(&freed), Err(StrategyError::Missing(_))));
}

#[test]
fn damaged_strategies_fail() {
    for contest in ["3x3-to-32-drops-2", "3x3-to-64-drops-2,4"] {
        let (_, text) = written(contest);
        let lines: Vec<&str> = text.lines().collect();
        for at in (4..lines.len() - 1).step_by(lines.len() / 50 + 1) {
            // A position less, with and without the right number of them.
            let mut fewer = lines.clone();
            fewer.remove(at);
            assert!(matches!(
                checked(&(fewer.join("\n") + "\n")),
                Err(StrategyError::Truncated)
            ));
            let count = format!("positions {}", lines.len() - 6);
            fewer[3] = &count;
            assert!(matches!(
                checked(&(fewer.join("\n") + "\n")),
                Err(StrategyError::Missing(_))
            ));
        }
        for end in [10, 60, text.len() / 2, text.len() - 2] {
            assert!(checked(&text[..end]).is_err());
        }
    }
}

#[test]
fn moves_into_the_unknown_fail() {
    let (_, text) = written("2x3-to-32-drops-2");
    // Any one move for all: some are not legal, some lead where nothing is listed.
    for m in ["L", "R", "U", "D"] {
        let one_way: String = text
            .lines()
            .map(|line| match line.split_once(' ') {
                Some((board, _)) if board.starts_with("0x") => format!("{board} {m}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        assert!(matches!(
            checked(&one_way),
            Err(StrategyError::Illegal(_) | StrategyError::Missing(_))
        ));
    }
}

#[test]
fn what_is_not_a_strategy_is_reported_by_line() {
    for (text, at) in [
        ("hello\n", 1),
        ("tilebase strategy 1\ncontest 9x9-to-8-drops-2\n", 2),
        (
            "tilebase strategy 1\ncontest 2x2-to-8-drops-2\nwinner me\n",
            3,
        ),
        (
            "tilebase strategy 1\ncontest 2x2-to-8-drops-2\nwinner slider\npositions x\n",
            4,
        ),
        (
            "tilebase strategy 1\ncontest 2x2-to-8-drops-2\nwinner slider\npositions 1\n0x01 L\n",
            5,
        ),
        (
            "tilebase strategy 1\ncontest 2x2-to-8-drops-2\nwinner dropper\npositions 1\n0x0000 8@1,1\n",
            5,
        ),
        (
            "tilebase strategy 1\ncontest 2x2-to-8-drops-2\nwinner dropper\npositions 1\n0x0000 2@0,1\n",
            5,
        ),
    ] {
        match checked(text) {
            Err(StrategyError::Line { number, .. }) => assert_eq!(number, at, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}
