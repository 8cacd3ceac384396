//! Every way to solve a contest against a plain search of all boards.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashMap;

use tilebase_game::{Board, Move, Rules, Shape};
use tilebase_prove::bdd::{
    BddError, BddOptions, CellEncoding, CellOrder, Sweep, WinningSide, solve,
};
use tilebase_prove::{Contest, DropTiles, Winner};
use tilebase_util::progress::{Silent, StopAfter};

/// Who wins from each board, by the rules alone.
struct Search {
    rules: Rules,
    contest: Contest,
    /// By board and whether it is Slider's turn.
    known: HashMap<(Board, bool), bool>,
}

impl Search {
    fn new(contest: Contest) -> Search {
        let rules = Rules::new(contest.shape()).unwrap();
        Search {
            rules,
            contest,
            known: HashMap::new(),
        }
    }

    fn slider_wins(&mut self, board: Board, slider_to_move: bool) -> bool {
        if let Some(&known) = self.known.get(&(board, slider_to_move)) {
            return known;
        }
        let wins = if slider_to_move {
            Move::ALL.into_iter().any(|m| {
                let after = self.rules.slide(board, m);
                after != board
                    && (after.reaches(self.contest.target()) || self.slider_wins(after, false))
            })
        } else {
            let shape = self.contest.shape();
            let cells =
                (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col)));
            let mut empty = cells.filter(|&(row, col)| board.get(row, col) == 0);
            empty.all(|(row, col)| {
                let drops = self.contest.drops().exponents();
                drops
                    .iter()
                    .all(|&drop| self.slider_wins(board.with(row, col, drop), true))
            })
        };
        self.known.insert((board, slider_to_move), wins);
        wins
    }

    fn winner(&mut self) -> Winner {
        if self.slider_wins(Board::EMPTY, false) {
            Winner::Slider
        } else {
            Winner::Dropper
        }
    }

    /// How many boards each player wins, Slider's first: all boards without the target, with
    /// Slider to move, and those with an empty cell, with Dropper to move.
    fn count(&mut self) -> (u128, u128) {
        let shape = self.contest.shape();
        let mut boards = vec![Board::EMPTY];
        for row in 0..shape.rows() {
            for col in 0..shape.cols() {
                let values = 0..self.contest.target();
                boards = values
                    .flat_map(|value| boards.iter().map(move |board| board.with(row, col, value)))
                    .collect();
            }
        }
        let (mut slider, mut dropper) = (0, 0);
        for board in boards {
            for slider_to_move in [true, false] {
                if !slider_to_move && self.rules.empty_cells(board) == 0 {
                    continue;
                }
                if self.slider_wins(board, slider_to_move) {
                    slider += 1
                } else {
                    dropper += 1
                }
            }
        }
        (slider, dropper)
    }
}

fn contest(shape: &str, target: u8, drops: DropTiles) -> Contest {
    Contest::new(shape.parse::<Shape>().unwrap(), target, drops).unwrap()
}

fn all_options() -> Vec<BddOptions> {
    let mut all = Vec::new();
    for &encoding in CellEncoding::ALL {
        for &order in CellOrder::ALL {
            for &sweep in Sweep::ALL {
                for &side in WinningSide::ALL {
                    for constrain in [false, true] {
                        let memory = 64 << 20;
                        all.push(BddOptions {
                            encoding,
                            order,
                            sweep,
                            side,
                            constrain,
                            memory,
                            ..BddOptions::default()
                        });
                    }
                }
            }
        }
    }
    all
}

fn every_way_agrees(contest: Contest) {
    let winner = Search::new(contest).winner();
    for options in all_options() {
        let found = solve(&contest, &options, &Silent).unwrap();
        assert_eq!(found.winner, winner, "{contest} {options:?}");
    }
}

#[test]
fn every_way_finds_the_winner_on_small_boards() {
    for drops in DropTiles::ALL {
        for shape in ["1x2", "2x1", "1x4", "2x2", "3x1"] {
            for target in drops.largest() + 1..=4 {
                let contest = contest(shape, target, drops);
                every_way_agrees(contest);
            }
        }
    }
}

#[test]
fn every_way_finds_the_winner_on_oblong_boards() {
    for (shape, target, drops) in [
        ("2x3", 4, DropTiles::Twos),
        ("3x2", 4, DropTiles::Both),
        ("2x4", 3, DropTiles::Twos),
    ] {
        let contest = contest(shape, target, drops);
        every_way_agrees(contest);
    }
}

#[test]
fn all_winning_boards_are_counted() {
    for (shape, target, drops) in [
        ("2x2", 4, DropTiles::Twos),
        ("2x2", 5, DropTiles::Both),
        ("2x3", 4, DropTiles::Twos),
        ("3x2", 4, DropTiles::Both),
        ("2x3", 4, DropTiles::Fours),
    ] {
        let contest = contest(shape, target, drops);
        let (slider, dropper) = Search::new(contest).count();
        for options in all_options() {
            if options.constrain {
                continue;
            }
            let found = solve(
                &contest,
                &BddOptions {
                    strong: true,
                    ..options
                },
                &Silent,
            )
            .unwrap();
            let states = if options.side == WinningSide::Slider {
                slider
            } else {
                dropper
            };
            assert_eq!(found.states, states, "{contest} {options:?}");
        }
    }
}

#[test]
fn known_results() {
    for (shape, target, drops, winner) in [
        ("2x2", 4, DropTiles::Twos, Winner::Slider),
        ("2x2", 5, DropTiles::Twos, Winner::Dropper),
        ("3x3", 5, DropTiles::Twos, Winner::Slider),
        ("3x3", 4, DropTiles::Both, Winner::Slider),
        ("4x4", 4, DropTiles::Twos, Winner::Slider),
    ] {
        for &side in WinningSide::ALL {
            let options = BddOptions {
                side,
                threads: 2,
                ..BddOptions::default()
            };
            let found = solve(&contest(shape, target, drops), &options, &Silent).unwrap();
            assert_eq!(found.winner, winner, "{shape} {target} {side}");
        }
    }
}

#[test]
fn larger_boards_by_every_sweep_and_encoding() {
    let contest = contest("3x3", 4, DropTiles::Twos);
    let mut states = None;
    for &encoding in CellEncoding::ALL {
        for &sweep in Sweep::ALL {
            let options = BddOptions {
                encoding,
                sweep,
                strong: true,
                threads: 2,
                ..BddOptions::default()
            };
            let found = solve(&contest, &options, &Silent).unwrap();
            assert_eq!(found.winner, Winner::Slider, "{options:?}");
            assert_eq!(
                *states.get_or_insert(found.states),
                found.states,
                "{options:?}"
            );
        }
    }
}

#[test]
fn the_constraint_changes_no_answer() {
    for side in [WinningSide::Slider, WinningSide::Dropper] {
        let contest = contest("3x3", 5, DropTiles::Twos);
        let free = BddOptions {
            side,
            ..BddOptions::default()
        };
        let bound = BddOptions {
            constrain: true,
            ..free
        };
        let (free, bound) = (
            solve(&contest, &free, &Silent).unwrap(),
            solve(&contest, &bound, &Silent).unwrap(),
        );
        assert_eq!(free.winner, bound.winner);
        assert!(bound.states < free.states);
    }
}

#[test]
fn too_little_memory_is_an_error() {
    let options = BddOptions {
        memory: 1 << 16,
        ..BddOptions::default()
    };
    let error = solve(&contest("3x3", 6, DropTiles::Twos), &options, &Silent).unwrap_err();
    assert!(matches!(error, BddError::OutOfMemory { .. }));
    // Enough to begin, but not to end: the error says how far it came.
    let options = BddOptions {
        memory: 1 << 20,
        ..options
    };
    let error = solve(&contest("3x3", 6, DropTiles::Twos), &options, &Silent).unwrap_err();
    assert!(error.to_string().contains("sweep line: sum "), "{error}");
}

#[test]
fn work_stops_when_asked() {
    let contest = contest("3x3", 5, DropTiles::Twos);
    for times in [0, 1, 10, 100] {
        let stopped = solve(&contest, &BddOptions::default(), &StopAfter::new(times));
        assert_eq!(
            stopped.map(|report| report.winner),
            Err(BddError::Interrupted)
        );
    }
}

#[test]
fn a_report_has_the_figures_of_its_sweep_lines() {
    let report = solve(
        &contest("2x2", 4, DropTiles::Twos),
        &BddOptions::default(),
        &Silent,
    )
    .unwrap();
    assert_eq!(report.winner, Winner::Slider);
    assert_eq!(report.encoding, CellEncoding::Binary);
    assert_eq!(report.sweep_lines[0].iterations, 1);
    assert!(report.sweep_lines[0].line.starts_with("sum "));
    assert_eq!(report.sweep_lines.len(), report.lines);
    assert!(report.largest_nodes > 0);
}

/// Minutes long: `cargo test --release -p tilebase-prove -- --ignored`.
#[test]
#[ignore = "takes minutes"]
fn slider_makes_512_on_three_by_three() {
    let options = BddOptions {
        threads: 2,
        memory: 8 << 30,
        ..BddOptions::default()
    };
    let found = solve(&contest("3x3", 9, DropTiles::Twos), &options, &Silent).unwrap();
    assert_eq!(found.winner, Winner::Slider);
}
