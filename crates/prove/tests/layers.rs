//! Contests solved by layers: against plain minimax, published answers, and the sure wins of
//! solved games, state by state.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::HashMap;
use std::path::Path;

use tempfile::TempDir;
use tilebase_game::{Board, Move, Rules, Shape, Variant};
use tilebase_index::{Keep, Store};
use tilebase_prove::{
    Contest, DropTiles, LayersError, LayersOptions, LayersReport, Winner, solve_layers,
    solve_layers_with,
};
use tilebase_table::{Category, Objective, Table};
use tilebase_util::progress::{Silent, StopAfter};

fn contest(shape: &str, target: u32, drops: DropTiles) -> Contest {
    Contest::new(shape.parse().unwrap(), target.ilog2() as u8, drops).unwrap()
}

fn solved(contest: &Contest) -> LayersReport {
    solve_layers(contest, &LayersOptions::default(), &Silent).unwrap()
}

/// Plain minimax with a memory, by slides and drops of single boards.
struct Minimax {
    contest: Contest,
    rules: Rules,
    /// Who wins states, by the smallest image.
    known: HashMap<Board, bool>,
}

impl Minimax {
    fn new(contest: Contest) -> Minimax {
        Minimax {
            contest,
            rules: Rules::new(contest.shape()).unwrap(),
            known: HashMap::new(),
        }
    }

    /// Whether Slider wins when Dropper is to drop.
    fn wins_after(&mut self, after: Board) -> bool {
        let shape: Shape = self.contest.shape();
        for row in 0..shape.rows() {
            for col in 0..shape.cols() {
                if after.get(row, col) != 0 {
                    continue;
                }
                for &exponent in self.contest.drops().exponents() {
                    if !self.wins(after.with(row, col, exponent)) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether Slider wins when Slider is to slide.
    fn wins(&mut self, state: Board) -> bool {
        let state = self.rules.smallest(state);
        if let Some(&known) = self.known.get(&state) {
            return known;
        }
        let mut wins = false;
        for m in Move::ALL {
            let after = self.rules.slide(state, m);
            if after != state && (after.reaches(self.contest.target()) || self.wins_after(after)) {
                wins = true;
                break;
            }
        }
        self.known.insert(state, wins);
        wins
    }
}

/// Every state as minimax has it, and the numbers of the report as the states say.
fn check(contest: Contest) -> Winner {
    let mut minimax = Minimax::new(contest);
    let winner = match minimax.wins_after(Board::EMPTY) {
        true => Winner::Slider,
        false => Winner::Dropper,
    };
    let mut seen = Vec::new();
    let options = LayersOptions::default();
    let report = solve_layers_with(&contest, &options, &Silent, &mut |layer| {
        let mut counts = [0; 2];
        layer.for_each(|board, wins| {
            assert_eq!(board.sum(), layer.sum());
            assert_eq!(board, minimax.rules.canonical(board));
            assert_eq!(minimax.wins(board), wins, "{contest} {board:?}");
            counts[usize::from(wins)] += 1;
        });
        seen.push((layer.sum(), counts[0] + counts[1], counts[1]));
    })
    .unwrap();
    assert_eq!(report.winner, winner, "{contest}");
    seen.reverse();
    let layers = report.layers.iter();
    let reported: Vec<_> = layers.map(|l| (l.sum, l.states, l.winning)).collect();
    assert_eq!(reported, seen, "{contest}");
    winner
}

#[test]
fn small_contests_are_as_plain_minimax_says() {
    let mut winners = [0; 2];
    for shape in [
        "1x1", "1x2", "2x1", "1x3", "3x1", "1x4", "4x1", "2x2", "2x3", "3x2",
    ] {
        for target in 3..=8 {
            for drops in DropTiles::ALL {
                let Ok(contest) = Contest::new(shape.parse().unwrap(), target, drops) else {
                    continue;
                };
                winners[usize::from(check(contest) == Winner::Slider)] += 1;
            }
        }
    }
    assert!(winners[0] > 20 && winners[1] > 20, "{winners:?}");
}

#[test]
fn larger_contests_are_as_plain_minimax_says() {
    for drops in DropTiles::ALL {
        for target in [8, 16, 32, 64] {
            check(contest("3x3", target, drops));
        }
        for target in [16, 64, 128] {
            check(contest("2x4", target, drops));
            check(contest("4x2", target / 2, drops));
        }
        check(contest("3x4", 16, drops));
        check(contest("4x3", 16, drops));
    }
    check(contest("2x4", 256, DropTiles::Twos));
    check(contest("4x4", 8, DropTiles::Both));
}

#[test]
fn known_answers() {
    use Winner::{Dropper, Slider};
    for (shape, target, drops, winner) in [
        ("2x2", 16, DropTiles::Twos, Slider),
        ("2x2", 32, DropTiles::Twos, Dropper),
        ("2x2", 32, DropTiles::Fours, Slider),
        ("2x2", 16, DropTiles::Both, Dropper),
        ("2x4", 256, DropTiles::Twos, Slider),
        ("3x3", 512, DropTiles::Twos, Slider),
        ("3x3", 32, DropTiles::Both, Slider),
        ("3x3", 64, DropTiles::Both, Dropper),
    ] {
        let contest = contest(shape, target, drops);
        assert_eq!(solved(&contest).winner, winner, "{contest}");
    }
}

/// Doubling every tile changes nothing.
#[test]
fn fours_are_doubled_twos() {
    for (shape, target) in [("2x3", 32), ("3x3", 64), ("2x4", 128), ("3x4", 16)] {
        let twos = solved(&contest(shape, target, DropTiles::Twos));
        let fours = solved(&contest(shape, 2 * target, DropTiles::Fours));
        assert_eq!(twos.winner, fours.winner);
        assert_eq!(twos.lost, fours.lost);
        assert_eq!(twos.layers.len(), fours.layers.len());
        for (mut two, four) in twos.layers.into_iter().zip(fours.layers) {
            two.sum *= 2;
            assert_eq!(two, four);
        }
    }
}

/// A directory in memory where the system has one.
fn scratch() -> TempDir {
    match tempfile::tempdir_in(Path::new("/dev/shm")) {
        Ok(dir) => dir,
        Err(_) => tempfile::tempdir().unwrap(),
    }
}

/// Where Dropper may drop both tiles, Slider wins exactly the states that are sure wins of the
/// game by chance.
#[test]
fn wins_are_the_sure_wins_of_solved_games() {
    for (shape, target) in [
        ("2x2", 8),
        ("2x2", 16),
        ("2x2", 32),
        ("2x3", 32),
        ("3x2", 64),
        ("3x3", 32),
        ("3x3", 64),
    ] {
        let contest = contest(shape, target, DropTiles::Both);
        let variant: Variant = format!("{shape}-to-{target}-start-1").parse().unwrap();
        let dir = scratch();
        let options = tilebase_solve::SolveOptions::default();
        let manifest =
            tilebase_solve::solve(&variant, Objective::Win, dir.path(), &options, &Silent).unwrap();
        let table = Table::open(dir.path()).unwrap();
        let options = LayersOptions::default();
        let report = solve_layers_with(&contest, &options, &Silent, &mut |layer| {
            layer.for_each(|board, wins| {
                let value = table.probe(board).unwrap().value.unwrap();
                assert_eq!(value.category == Category::SureWin, wins, "{board:?}");
            });
        })
        .unwrap();
        assert_eq!(report.states(), manifest.states());
        let sure = manifest.start.unwrap().sure_win;
        assert_eq!(report.winner == Winner::Slider, sure, "{contest}");
    }
}

#[test]
fn what_the_cells_never_hold_is_droppers() {
    let report = solved(&contest("2x2", 64, DropTiles::Both));
    assert_eq!(report.winner, Winner::Dropper);
    assert!(report.layers.is_empty());
    let largest = solved(&contest("2x2", 32, DropTiles::Both));
    assert!(largest.states() > 0 && largest.lost > 0);
}

#[test]
fn requests_that_cannot_be_met_say_why() {
    let options = LayersOptions::default();
    let small = contest("2x2", 4, DropTiles::Twos);
    let error = solve_layers(&small, &options, &Silent).unwrap_err();
    assert!(matches!(error, LayersError::Target(2)) && error.is_request());
    assert!(error.to_string().contains("at least 8"), "{error}");
    let large = contest("4x4", 32, DropTiles::Twos);
    let error = solve_layers(&large, &options, &Silent).unwrap_err();
    assert!(matches!(error, LayersError::Directory { .. }) && error.is_request());
    let little = LayersOptions {
        memory: 1 << 29,
        ..options
    };
    let error = solve_layers(&large, &little, &Silent).unwrap_err();
    assert!(
        matches!(error, LayersError::Memory { needed, allowed } if needed > allowed),
        "{error}"
    );
    assert!(error.is_request());
}

#[test]
fn it_can_be_stopped_at_any_moment_and_goes_on() {
    let contest = contest("3x3", 32, DropTiles::Both);
    let whole = solved(&contest);
    let dir = scratch();
    let options = LayersOptions {
        dir: Some(dir.path().to_owned()),
        ..LayersOptions::default()
    };
    let mut times = 1;
    let mut counted = 0;
    let report = loop {
        let progress = StopAfter::new(times);
        match solve_layers(&contest, &options, &progress) {
            Ok(report) => break report,
            Err(error) => assert!(matches!(error, LayersError::Interrupted), "{error}"),
        }
        // What was counted stays.
        let variant: Variant = "3x3-to-32-start-1".parse().unwrap();
        let store = Store::open(dir.path(), &variant, Keep::Afterstates).unwrap();
        assert!(store.manifest().layers.len() >= counted);
        counted = store.manifest().layers.len();
        times += times / 2 + 1;
    };
    assert!(counted > 1);
    assert_eq!(report.winner, whole.winner);
    assert_eq!(report.layers, whole.layers);
    assert_eq!(report.lost, whole.lost);
}

#[test]
fn threads_do_not_matter() {
    let contest = contest("3x3", 128, DropTiles::Twos);
    let [one, three] = [1, 3].map(|threads| {
        let options = LayersOptions {
            threads,
            ..LayersOptions::default()
        };
        solve_layers(&contest, &options, &Silent).unwrap()
    });
    assert_eq!(one.layers, three.layers);
    assert_eq!(one.winner, three.winner);
}
