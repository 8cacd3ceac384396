//! Several processes solve by layers as one does.

use std::path::Path;

use tempfile::{TempDir, tempdir};
use tilebase_cluster::{Cluster, Hosts, Secret};
use tilebase_game::{Formation, Variant};
use tilebase_index::{Keep, Store};
use tilebase_prove::{
    Contest, DropTiles, LayerResult, LayersError, LayersOptions, LayersReport, Winner,
    solve_layers, solve_layers_together,
};
use tilebase_util::progress::{Progress, Silent, StopAfter};

type Solved = Result<LayersReport, LayersError>;

fn contest(shape: &str, target: u32, drops: DropTiles) -> Contest {
    Contest::new(shape.parse().unwrap(), target.ilog2() as u8, drops).unwrap()
}

/// Solves with several processes; `options` are those of each.
fn solve_by(
    processes: usize,
    contest: &Contest,
    options: impl Fn(usize) -> LayersOptions + Sync,
    progress: &dyn Progress,
) -> Vec<Solved> {
    let hosts = Hosts::on_this_machine(processes).unwrap();
    let secret = Secret::random().unwrap();
    let one = |process: usize| {
        let cluster = Cluster::connect(&hosts, process, &secret, "test").unwrap();
        let solved = solve_layers_together(&cluster, contest, &options(process), progress);
        match &solved {
            Ok(_) => cluster.close().unwrap(),
            Err(error) => cluster.stop(&error.to_string()),
        }
        solved
    };
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..processes)
            .map(|process| scope.spawn(move || one(process)))
            .collect();
        threads.into_iter().map(|it| it.join().unwrap()).collect()
    })
}

/// The options of a process with one thread, and a directory if one is given.
fn one_thread(dir: Option<&Path>, process: usize) -> LayersOptions {
    LayersOptions {
        threads: 1,
        dir: dir.map(|dir| dir.join(process.to_string())),
        ..LayersOptions::default()
    }
}

/// All of a report but the seconds.
fn numbers(report: &LayersReport) -> (Winner, u64, &[LayerResult]) {
    (report.winner, report.lost, &report.layers)
}

/// Compares reports of several processes with that of one.
fn check(contest: &Contest) -> Winner {
    let alone = solve_layers(contest, &LayersOptions::default(), &Silent).unwrap();
    for processes in [1, 2, 3, 4, 8] {
        for solved in solve_by(
            processes,
            contest,
            |process| one_thread(None, process),
            &Silent,
        ) {
            let report = solved.unwrap();
            assert_eq!(
                numbers(&report),
                numbers(&alone),
                "{contest} by {processes}"
            );
        }
    }
    alone.winner
}

#[test]
fn any_number_of_processes_finds_the_same() {
    use DropTiles::{Both, Fours, Twos};
    let mut winners = [0; 2];
    for (shape, target, drops) in [
        ("1x1", 8, Both),
        ("1x4", 16, Twos),
        ("2x2", 16, Twos),
        ("2x2", 32, Both),
        ("2x3", 16, Both),
        ("2x3", 32, Twos),
        ("3x2", 64, Fours),
        ("2x4", 32, Both),
        ("4x2", 64, Twos),
        ("3x3", 32, Both),
        ("3x3", 64, Both),
        ("3x3", 64, Twos),
        ("3x3", 64, Fours),
        ("3x4", 16, Both),
        ("4x3", 16, Twos),
        ("4x4", 8, Both),
    ] {
        let winner = check(&contest(shape, target, drops));
        winners[usize::from(winner == Winner::Slider)] += 1;
    }
    assert!(winners[0] > 3 && winners[1] > 3, "{winners:?}");
}

#[test]
fn games_with_walls_are_the_same() {
    for (shape, target, drops) in [
        ("3x3", 16, DropTiles::Both),
        ("3x3", 32, DropTiles::Twos),
        ("2x4", 8, DropTiles::Both),
    ] {
        let contest = contest(shape, target, drops);
        let shape = contest.shape();
        let name = if shape.rows() == 3 { "free6" } else { "free5" };
        let named = Formation::named(name, shape).unwrap();
        check(&contest.with_formation(named).unwrap());
        let other = Formation::parse(shape, 2, &["ff"], None).unwrap();
        check(&contest.with_formation(other).unwrap());
    }
}

/// Directories of processes that have layers already.
fn begun() -> TempDir {
    let dir = tempdir().unwrap();
    for process in 0..3 {
        std::fs::create_dir(dir.path().join(process.to_string())).unwrap();
    }
    dir
}

#[test]
fn interrupted_processes_go_on_together() {
    let contest = contest("3x3", 32, DropTiles::Both);
    let alone = solve_layers(&contest, &LayersOptions::default(), &Silent).unwrap();
    let dir = begun();
    let options = |process| one_thread(Some(dir.path()), process);
    let layers = || {
        let variant: Variant = "3x3-to-32-start-1".parse().unwrap();
        let open = |process: usize| {
            let dir = dir.path().join(process.to_string());
            Store::open(&dir, &variant, Keep::Afterstates).unwrap()
        };
        let stores = (0..3).map(open);
        stores
            .map(|store| store.manifest().layers.len())
            .min()
            .unwrap()
    };
    let (mut times, mut counted, mut interrupted) = (20, 0, 0);
    let reports = loop {
        // All processes ask the same one: it stops each at another moment, also within a layer.
        let progress = StopAfter::new(times);
        let solved = solve_by(3, &contest, options, &progress);
        if solved.iter().all(Result::is_ok) {
            break solved;
        }
        let says = |solved: &Solved| matches!(solved, Err(LayersError::Interrupted));
        assert!(solved.iter().any(says), "{solved:?}");
        // What was counted stays.
        assert!(layers() >= counted);
        counted = layers();
        interrupted += 1;
        times *= 3;
    };
    assert!(interrupted > 3 && counted > 1, "{interrupted} {counted}");
    for report in reports {
        assert_eq!(numbers(&report.unwrap()), numbers(&alone));
    }
}

#[test]
fn the_others_hear_why_one_has_failed() {
    let contest = contest("3x3", 32, DropTiles::Both);
    let options = |process| LayersOptions {
        memory: if process == 1 { 1 << 20 } else { u64::MAX },
        ..one_thread(None, process)
    };
    let solved = solve_by(3, &contest, options, &Silent);
    let errors = solved.iter().map(|solved| solved.as_ref().unwrap_err());
    for (process, error) in errors.enumerate() {
        assert_eq!(error.is_request(), process == 1, "{error}");
        let text = error.to_string();
        assert!(text.contains("memory"), "{text}");
        assert!(process == 1 || text.contains("process 1"), "{text}");
    }
}

#[test]
fn requests_that_cannot_be_met_say_why() {
    let large = contest("4x4", 64, DropTiles::Twos);
    for solved in solve_by(2, &large, |process| one_thread(None, process), &Silent) {
        let error = solved.unwrap_err();
        assert!(matches!(error, LayersError::Directory { .. }), "{error}");
    }
    let small = contest("2x2", 4, DropTiles::Twos);
    for solved in solve_by(2, &small, |process| one_thread(None, process), &Silent) {
        let error = solved.unwrap_err();
        assert!(matches!(error, LayersError::Target(2)), "{error}");
    }
    let never = contest("2x2", 64, DropTiles::Both);
    assert_eq!(check(&never), Winner::Dropper);
}
