//! Tables as files: the same whatever the threads and the interruptions, and as good with
//! moves only.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::{any_image, files, named, scratch, states};
use proptest::prelude::*;
use tilebase_game::{Rng, Variant};
use tilebase_solve::{SolveError, SolveOptions, solve, strip};
use tilebase_table::{
    Content, ExpectedReturn, FastestWin, Manifest, Objective, Probability, StoredValue, Table,
    Value, verify,
};
use tilebase_util::progress::{Silent, StopAfter};

/// The files of a directory by name.
type Files = BTreeMap<String, Vec<u8>>;

fn solved_in(dir: &Path, name: &str, objective: Objective, threads: usize) -> Manifest {
    let options = SolveOptions {
        threads,
        ..SolveOptions::default()
    };
    let variant: Variant = name.parse().unwrap();
    solve(&variant, objective, dir, &options, &Silent).unwrap()
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    for (name, objective) in [
        ("3x3-to-64", Objective::Win),
        ("3x3-to-32", Objective::Moves),
        ("3x3-to-32", Objective::Discounted(0.99)),
        ("2x3", Objective::Score),
        ("3x2", Objective::Survival),
    ] {
        let mut first: Option<(Files, Files)> = None;
        for threads in [1, 2, 5] {
            let dir = scratch();
            let (full, slim) = (dir.path().join("full"), dir.path().join("slim"));
            solved_in(&full, name, objective, threads);
            strip(&Table::open(&full).unwrap(), &slim, &Silent).unwrap();
            let found = (files(&full), files(&slim));
            assert!(found.0.len() > 20 && found.0.contains_key("table.json"));
            assert!(found.0.keys().all(|name| !name.contains('/')), "no work");
            match &first {
                None => first = Some(found),
                Some(first) => assert!(*first == found, "{name} {objective} {threads}"),
            }
        }
    }
}

#[test]
fn an_interrupted_table_is_gone_on_with_and_the_same_in_the_end() {
    for (name, objective) in [
        ("3x3-to-32", Objective::Win),
        ("2x3-to-64", Objective::Moves),
        ("2x3", Objective::Score),
    ] {
        let variant: Variant = name.parse().unwrap();
        let whole = scratch();
        let patient = StopAfter::new(u64::MAX);
        solve(
            &variant,
            objective,
            whole.path(),
            &SolveOptions::default(),
            &patient,
        )
        .unwrap();
        let expected = files(whole.path());
        let asked = patient.asked();
        let layers = expected.len() as u64 - 2;
        assert!(asked > layers);
        // In memory, and with the states on disk.
        for on_disk in [false, true] {
            // Counting takes what is not for the layers of the table; then stops after 0, 1, 2
            // and more of them.
            for after in [0, 1, 2, 3, layers / 3, layers / 2, layers - 1] {
                let dir = scratch();
                if on_disk {
                    std::fs::create_dir(dir.path().join("states")).unwrap();
                }
                let mut kept = Vec::new();
                let mut allowed = asked - layers + after;
                let mut rounds = 0;
                loop {
                    rounds += 1;
                    assert!(rounds < 100, "{name} {after}");
                    let options = SolveOptions::default();
                    let progress = StopAfter::new(allowed);
                    match solve(&variant, objective, dir.path(), &options, &progress) {
                        Ok(_) => break,
                        Err(SolveError::Interrupted) => (),
                        Err(error) => panic!("{error}"),
                    }
                    let manifest = Manifest::read(dir.path()).unwrap();
                    kept.push(manifest.map_or(0, |m| m.layers.len()));
                    assert!(Table::open(dir.path()).is_err(), "not finished");
                    allowed += layers / 4;
                }
                assert!(rounds > 1, "{name} {after}: it was never interrupted");
                assert!(
                    on_disk || kept[0] as u64 == after,
                    "{name} {after}: {kept:?}"
                );
                assert!(kept.is_sorted(), "{kept:?}");
                if after > 2 {
                    assert!(kept.iter().any(|&layers| layers > 0), "{name} {kept:?}");
                }
                assert!(
                    files(dir.path()) == expected,
                    "{name} {objective} {on_disk} {after}"
                );
            }
        }
    }
}

/// A stripped table that was interrupted is resumed.
#[test]
fn interrupted_stripping_goes_on() {
    let solved = named("2x3-to-64", Objective::Win);
    let whole = scratch();
    strip(&solved, whole.path(), &Silent).unwrap();
    for after in [0, 1, 5, 20] {
        let dir = scratch();
        let stopped = strip(&solved, dir.path(), &StopAfter::new(after));
        assert!(matches!(stopped, Err(SolveError::Interrupted)));
        assert!(Table::open(dir.path()).is_err());
        strip(&solved, dir.path(), &Silent).unwrap();
        assert!(files(dir.path()) == files(whole.path()), "{after}");
    }
}

#[test]
fn moves_alone_play_as_well() {
    let mut rng = Rng::new(5);
    for (name, objectives) in [
        (
            "2x3-to-64",
            &[Objective::Win, Objective::Score, Objective::Moves][..],
        ),
        ("3x2-to-64", &[Objective::Win]),
        ("3x3-to-32", &[Objective::Win, Objective::Survival]),
    ] {
        for &objective in objectives {
            let solved = named(name, objective);
            let full = &*solved;
            let dir = scratch();
            let manifest = strip(full, dir.path(), &Silent).unwrap();
            assert_eq!(manifest.content, Content::Moves);
            assert_eq!(manifest.states(), full.manifest().states());
            let per_state = manifest.sections().moves as f64 / manifest.states() as f64;
            assert!((0.25..0.27).contains(&per_state), "{name}: {per_state}");
            assert!(manifest.bytes() < full.manifest().bytes(), "{name}");
            assert!(verify(dir.path(), &Silent).unwrap().is_ok());
            let slim = Table::open(dir.path()).unwrap();
            for board in states(full) {
                let (own, known) = (slim.probe(board).unwrap(), full.probe(board).unwrap());
                assert_eq!(own.status, known.status);
                assert_eq!(own.value, None);
                let best = own.best();
                assert!(!best.is_empty(), "{name} {board:?}");
                assert!(
                    best.iter().all(|m| known.best().contains(m)),
                    "{name} {objective} {board:?} {own:?} {known:?}"
                );
                if variant_stands(full) {
                    // The canonical board is the one that moves were chosen on.
                    assert_eq!(
                        own.moves[0].direction, known.moves[0].direction,
                        "{name} {board:?}"
                    );
                }
                // The same choice on another image.
                let image = any_image(full.rules(), board, &mut rng);
                let (own, known) = (slim.probe(image).unwrap(), full.probe(image).unwrap());
                assert_eq!(own.best().len(), best.len());
                assert!(own.best().iter().all(|m| known.best().contains(m)));
                let canonical = |table: &Table, m: usize| {
                    let after = table.probe(image).unwrap().moves[m].afterstate;
                    table.rules().canonical(after)
                };
                let chosen = slim.probe(board).unwrap().moves[0].afterstate;
                assert_eq!(canonical(&slim, 0), full.rules().canonical(chosen));
            }
            let refused = strip(&slim, &dir.path().join("again"), &Silent);
            assert!(refused.unwrap_err().to_string().contains("moves only"));
        }
    }
}

/// Whether boards are stored as the user knows them.
fn variant_stands(table: &Table) -> bool {
    let shape = table.variant().shape();
    shape.rows() >= shape.cols()
}

/// Tables that are whole are found so, and each says what it is.
#[test]
fn whole_tables_are_verified() {
    for objective in [
        Objective::Win,
        Objective::Discounted(0.5),
        Objective::Moves,
        Objective::Score,
    ] {
        let solved = named("3x2-to-32", objective);
        let report = verify(solved.dir(), &Silent).unwrap();
        assert!(report.is_ok());
        assert_eq!(report.bytes, solved.manifest().bytes());
        assert_eq!(report.manifest, *solved.manifest());
        let parts = report.manifest.sections();
        let sum = parts.states + parts.afterstates + parts.values + parts.moves + parts.other;
        assert_eq!(sum, report.bytes);
    }
}

/// A chance from a small side.
fn chance() -> impl Strategy<Value = Probability> {
    let small = prop_oneof![
        Just(0.0),
        0.0..0.5f64,
        (0.0..308.0f64).prop_map(|e| 0.5 * 10f64.powf(-e)),
        Just(0.5),
        Just(f64::MIN_POSITIVE),
        Just(1e-320),
    ];
    (small, any::<bool>()).prop_map(|(small, up)| match up {
        false => Probability::new(small, 1.0 - small),
        true => Probability::new(1.0 - small, small),
    })
}

proptest! {
    #[test]
    fn chances_are_what_they_are_made_of(a in chance(), b in chance()) {
        let (p, q) = a.sides();
        prop_assert_eq!(Probability::new(p, q), a);
        prop_assert_eq!(Probability::from_bits(a.to_bits()), Some(a));
        prop_assert!((p + q - 1.0).abs() <= f64::EPSILON);
        prop_assert_eq!(a == Probability::ONE, q == 0.0);
        prop_assert_eq!(a == Probability::ZERO, p == 0.0);
        // Ordered as the finer sides are.
        let (other_p, other_q) = b.sides();
        if a < b {
            prop_assert!(p <= other_p && q >= other_q && (p, q) != (other_p, other_q));
            prop_assert!(a.short_of(b) > 0.0);
        }
        prop_assert!(a.is_near(a, 0.0) && a.short_of(a) == 0.0);
        prop_assert_eq!(a.is_near(b, 1e-12), b.is_near(a, 1e-12));
    }

    #[test]
    fn means_of_chances_keep_both_sides(
        chances in prop::collection::vec(chance(), 1..12),
        two in 0.0..1.0f64,
    ) {
        let half = chances.len();
        let mut sums = [(0.0, 0.0); 2];
        for &chance in &chances {
            <Probability as StoredValue>::add(&mut sums[0], chance);
            <Probability as StoredValue>::add(&mut sums[1], chance);
        }
        let mean = Probability::mean(sums[0], sums[1], [two, 1.0 - two], half as f64);
        let n = half as f64;
        let p: f64 = chances.iter().map(|c| c.p()).sum::<f64>() / n;
        let q: f64 = chances.iter().map(|c| c.q()).sum::<f64>() / n;
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-14 * a.max(b) + f64::MIN_POSITIVE;
        prop_assert!(close(mean.p(), p) && close(mean.q(), q), "{mean:?} {p} {q}");
        // Sure only if all are.
        prop_assert_eq!(mean == Probability::ONE, chances.iter().all(|&c| c == Probability::ONE));
        prop_assert_eq!(mean == Probability::ZERO, chances.iter().all(|&c| c == Probability::ZERO));
        let best = chances.iter().copied().max().unwrap();
        prop_assert_eq!(Probability::of_state(chances.iter().copied(), 0.0), best);
        let even: Vec<(f64, Probability)> = chances.iter().map(|&c| (1.0 / n, c)).collect();
        let mixed = Probability::weighted_mean(&even);
        prop_assert!(close(mixed.p(), p) && close(mixed.q(), q));
    }

    #[test]
    fn tagged_numbers_keep_their_number_and_their_tag(
        gains in prop::collection::vec((0u32..100_000, any::<bool>()), 1..8),
        discount in 0.01..1.0f64,
    ) {
        // From won and lost positions by moves alone.
        let values: Vec<ExpectedReturn> = gains
            .iter()
            .map(|&(gain, won)| {
                let end = if won { ExpectedReturn::won(&Objective::Score) } else { ExpectedReturn::LOST };
                ExpectedReturn::of_move(&Objective::Score, end, gain)
            })
            .collect();
        for (value, &(gain, won)) in values.iter().zip(&gains) {
            let Value { value, win, category } = value.to_value();
            prop_assert!((value.unwrap() - f64::from(gain)).abs() <= 1e-15 * f64::from(gain));
            prop_assert_eq!(win, None);
            let expected = if won { "sure_win" } else { "sure_loss" };
            prop_assert_eq!(category.name(), expected);
        }
        let mut sum = <ExpectedReturn as StoredValue>::Sum::default();
        values.iter().for_each(|&value| ExpectedReturn::add(&mut sum, value));
        let n = values.len() as f64;
        let mean = ExpectedReturn::mean(sum, <ExpectedReturn as StoredValue>::Sum::default(), [1.0, 0.0], n);
        let exact = gains.iter().map(|&(gain, _)| f64::from(gain)).sum::<f64>() / n;
        prop_assert!((mean.number() - exact).abs() <= 4e-15 * exact);
        let category = mean.category().name();
        let (all, any) = (gains.iter().all(|g| g.1), gains.iter().any(|g| g.1));
        prop_assert_eq!(category == "sure_win", all);
        prop_assert_eq!(category == "sure_loss", !any);
        let state = ExpectedReturn::of_state(values.iter().copied(), 0.0);
        let most = gains.iter().map(|g| g.0).max().unwrap();
        prop_assert!((state.number() - f64::from(most)).abs() <= 1e-15 * f64::from(most));
        prop_assert_eq!(state.category().name() == "sure_win", any);
        prop_assert_eq!(state.category().name() == "sure_loss", !any);
        // A discount never makes something of nothing, or nothing of something.
        let objective = Objective::Discounted(discount);
        let mut value = ExpectedReturn::of_move(&objective, ExpectedReturn::won(&objective), 7);
        prop_assert!((value.number() - discount).abs() <= 1e-15);
        for _ in 0..2000 {
            value = ExpectedReturn::of_move(&objective, value, 7);
        }
        prop_assert!(value.number() > 0.0 || discount == 0.0);
        prop_assert_eq!(value.category().name(), "sure_win");
    }

    #[test]
    fn soonest_wins_first_and_then_hurries(steps in prop::collection::vec(1u32..50, 1..5)) {
        let objective = Objective::Moves;
        let values: Vec<FastestWin> = steps
            .iter()
            .map(|&n| (0..n).fold(FastestWin::won(&objective), |value, _| {
                FastestWin::of_move(&objective, value, 0)
            }))
            .collect();
        let state = FastestWin::of_state(values.iter().copied(), 1e-12);
        let fewest = *steps.iter().min().unwrap();
        prop_assert_eq!(state.to_value().value, Some(f64::from(fewest)));
        // A quicker way that may fail is worse.
        let risky = FastestWin::weighted_mean(&[(0.999, FastestWin::won(&objective)), (0.001, FastestWin::LOST)]);
        let risky = FastestWin::of_move(&objective, risky, 0);
        let both = FastestWin::of_state([risky, state].into_iter(), 1e-12);
        prop_assert_eq!(both, state);
        prop_assert!(!risky.is_best(both, 1e-12) && state.is_best(both, 1e-12));
        prop_assert!((risky.to_value().value.unwrap() - 1.0).abs() < 1e-15);
    }
}
