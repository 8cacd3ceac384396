//! Players on solved games: exact evaluation against the pass forward, and against games
//! that are really played. recursion.rs compares it with plain recursion.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{self, EACH_OBJECTIVE, named, near, number};
use tilebase_game::{Board, EachBoard, Grid, Move, Policy, Rng, Rules, Symmetry, Variant};
use tilebase_play::{
    GameResult, Optimal, PlayerFactory, PlayerKind, Series, play_game, play_series,
};
use tilebase_solve::{Evaluation, PolicyFlow, SolveError, evaluate, follow};
use tilebase_table::{Objective, Status, Table};
use tilebase_util::progress::Silent;

/// Whatever falls, optimal play on 2x2 reaches the 8.
#[test]
fn optimal_play_never_loses_where_the_win_is_sure() {
    for name in ["2x2-to-8", "2x3-to-8", "3x2-to-16", "3x3-to-8"] {
        let solved = named(name, Objective::Win);
        assert!(solved.manifest().start.unwrap().sure_win, "{name}");
        let (shape, spawn) = (solved.variant().shape(), solved.variant().spawn());
        let start_tiles = solved.variant().start_tiles();
        let target = solved.variant().target().unwrap();
        let (table, _dir) = solved.into_parts();
        let optimal = Optimal::new(table);
        let mut player = optimal.make(Rng::new(1));
        let mut open = vec![(Grid::empty(shape), start_tiles)];
        let mut seen = HashSet::new();
        let mut won = 0;
        while let Some((grid, spawns)) = open.pop() {
            if spawns > 0 {
                // All that can fall, by hand.
                for (row, col) in grid.empty_cells().collect::<Vec<_>>() {
                    for exponent in spawn.exponents() {
                        let mut next = grid.clone();
                        next.set(row, col, exponent);
                        open.push((next, spawns - 1));
                    }
                }
                continue;
            }
            if grid.reaches(target) {
                won += 1;
                continue;
            }
            if !seen.insert(grid.exponents().to_vec()) {
                continue;
            }
            assert!(!grid.is_lost(), "{name}: lost with {grid}");
            let m = player.choose(&grid).unwrap();
            open.push((grid.after(m).unwrap().0, 1));
        }
        assert!(won > 0 && seen.len() > 10, "{name}");
    }
}

/// The mean and its standard error.
fn mean(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / n;
    let squares = numbers.map(|x| (x - mean).powi(2)).sum::<f64>();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

fn played(table: &Table, players: &dyn PlayerFactory, games: u64) -> Vec<GameResult> {
    let series = Series {
        variant: *table.variant(),
        start: None,
        games,
        seed: 77,
    };
    let records: Vec<GameResult> = (0..games)
        .map(|index| play_game(&series, players, index))
        .collect();
    let summary = play_series(&series, players, 2, &Silent);
    assert_eq!(summary.games(), games);
    let won = records.iter().filter(|record| record.won).count();
    assert_eq!(summary.won(), won as u64);
    let score: f64 = records.iter().map(|record| record.score as f64).sum();
    assert!(near(
        summary.mean_score().unwrap() * games as f64,
        score,
        1e-12
    ));
    records
}

/// The mean of what games that are played achieve is within four standard errors of a value.
fn agree(what: &str, objective: Objective, records: &[GameResult], value: f64) {
    let of = |record: &GameResult| match objective {
        Objective::Win => f64::from(u8::from(record.won)),
        Objective::Score => record.score as f64,
        Objective::Survival => record.moves as f64,
        Objective::Discounted(discount) if record.won => discount.powi(record.moves as i32),
        Objective::Discounted(_) => 0.0,
        Objective::Moves => unreachable!(),
    };
    let (mean, error) = mean(records.iter().map(of));
    assert!(error > 0.0, "{what}: nothing is left to chance");
    assert!(
        (mean - value).abs() < 4.0 * error,
        "{what}: played {mean} ± {error}, computed {value}"
    );
    // Not so wide that anything would pass.
    assert!(error < 0.06 * value, "{what}: {error} of {value}");
}

#[test]
fn games_that_are_played_agree_with_the_values() {
    for (name, objectives) in [
        ("2x2-to-16", &[Objective::Win, Objective::Score][..]),
        (
            "3x3-to-16",
            &[
                Objective::Win,
                Objective::Score,
                Objective::Discounted(0.99),
            ],
        ),
        ("2x3", &[Objective::Score, Objective::Survival]),
        ("3x2-to-64-spawn-2:0.5,4:0.5-start-1", &[Objective::Win]),
    ] {
        for &objective in objectives {
            let table = named(name, objective);
            let optimum = table.manifest().start.unwrap().value.unwrap();
            for kind in PlayerKind::ALL {
                let value = number(judged(&table, kind.policy()).0.start);
                assert!(value <= optimum, "{name} {objective} {kind}");
                // What hardly ever happens is not seen in a few games.
                if value > 0.05 * optimum && (objective != Objective::Win || value < 0.99) {
                    let records = played(&table, &kind, 2500);
                    let what = format!("{name} {objective} {kind}");
                    agree(&what, objective, &records, value);
                }
            }
            let (table, _dir) = table.into_parts();
            let optimal = Optimal::new(table);
            let records = played(optimal.table(), &optimal, 2500);
            assert!(optimal.error().is_none());
            if optimum < 0.999_999 || objective == Objective::Score {
                let what = format!("{name} {objective} optimal");
                agree(&what, objective, &records, optimum);
            }
        }
    }
}

/// What a policy achieves, by the pass backward and the pass forward.
fn judged(table: &Table, policy: &dyn Policy) -> (Evaluation, PolicyFlow) {
    let evaluation = evaluate(table, policy, &Silent, &mut |_, _| ()).unwrap();
    let course = follow(table, Some(policy), &Silent, &mut |_| ()).unwrap();
    (evaluation, course)
}

/// The number of a course that an objective is about.
fn achieved(objective: Objective, course: &PolicyFlow) -> f64 {
    match objective {
        Objective::Win | Objective::Moves => course.won,
        Objective::Discounted(_) => course.discounted,
        Objective::Score => course.score,
        Objective::Survival => course.moves,
    }
}

/// Backward and forward give the same value, the course is whole, and what the layers lose
/// adds up to what is lost.
#[test]
fn evaluation_backward_and_forward_agree() {
    for name in [
        "1x2-to-8",
        "1x2-to-8-spawn-2:0.1,4:0.9",
        "1x3-to-8",
        "2x2-to-32",
        "2x3-to-64",
        "3x2-to-64-spawn-2:0.5,4:0.5-start-3",
        "2x3-to-32-spawn-4:1-start-1",
        "3x3-to-16",
        "1x4",
        "2x3",
    ] {
        let variant: Variant = name.parse().unwrap();
        for objective in EACH_OBJECTIVE {
            if objective.needs_target() && variant.target().is_none() {
                continue;
            }
            let table = named(name, objective);
            let optimum = table.manifest().start.unwrap();
            for kind in PlayerKind::ALL {
                let what = format!("{name} {objective} {kind}");
                let (found, course) = judged(&table, kind.policy());
                let forward = achieved(objective, &course);
                let own = match objective {
                    Objective::Moves => found.start.win.unwrap().p(),
                    _ => number(found.start),
                };
                assert!(near(own, forward, 1e-13), "{what}: {own} {forward}");
                let ends = course.won + course.lost.iter().sum::<f64>();
                assert!(near(ends, 1.0, 1e-12), "{what}: {ends}");
                let visits: f64 = course.layers.iter().map(|layer| layer.visited).sum();
                assert!(near(visits, course.moves, 1e-13), "{what}");
                let best = match objective {
                    Objective::Moves => optimum.win.unwrap(),
                    _ => optimum.value.unwrap(),
                };
                let optimal = match objective {
                    Objective::Moves => found.optimal.win.unwrap().p(),
                    _ => number(found.optimal),
                };
                assert!(near(optimal, best, 1e-14), "{what}: {optimal} {best}");
                assert!(own <= best * (1.0 + 1e-12), "{what}");
                if objective != Objective::Moves {
                    let regret = course.regret();
                    assert!(
                        (regret - (best - own)).abs() <= 1e-12 * best.max(1.0),
                        "{what}: {regret} {best} {own}"
                    );
                    let mistakes: f64 = course.layers.iter().map(|l| l.mistakes).sum();
                    assert_eq!(mistakes > 0.0, regret > 0.0, "{what}");
                }
                if let Some(chance) = found.start.win {
                    assert!(near(chance.p() + chance.q(), 1.0, 1e-14), "{what}");
                    assert!(near(chance.p(), course.won, 1e-12), "{what}");
                    let lost: f64 = course.lost.iter().sum();
                    assert!(near(chance.q(), lost, 1e-9), "{what}: {chance:?} {lost}");
                }
            }
            // And optimal play itself.
            let course = follow(&table, None, &Silent, &mut |_| ()).unwrap();
            let best = match objective {
                Objective::Moves => optimum.win.unwrap(),
                _ => optimum.value.unwrap(),
            };
            let forward = achieved(objective, &course);
            assert!(
                near(forward, best, 1e-12),
                "{name} {objective}: {forward} {best}"
            );
        }
    }
}

/// A symmetric policy that does not say so.
struct Unsymmetric(&'static dyn Policy);

impl Policy for Unsymmetric {
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4] {
        self.0.probabilities(rules, board)
    }
}

/// Sums over many states lose no more precision than sums over a few.
#[test]
fn long_courses_are_as_precise() {
    let table = named("3x3-to-32", Objective::Survival);
    let (found, course) = judged(&table, &Unsymmetric(PlayerKind::Random.policy()));
    let own = number(found.start);
    assert!(near(own, course.moves, 1e-13), "{own} {}", course.moves);
    assert!(near(
        course.won + course.lost.iter().sum::<f64>(),
        1.0,
        1e-13
    ));
    let lost = number(found.optimal) - own;
    let regret = course.regret();
    assert!(near(regret, lost, 1e-12), "{regret} {lost}");
}

/// Plays the best moves that a table lists: all of them alike, or one that is chosen by the
/// image of the board.
struct Best<'a> {
    table: &'a Table,
    symmetric: bool,
}

impl Policy for Best<'_> {
    fn probabilities(&self, _: &Rules, board: Board) -> [f64; 4] {
        let answer = self.table.probe(board).unwrap();
        assert_eq!(answer.status, Status::Live, "{board:?}");
        let best = answer.best();
        if self.symmetric {
            let each = 1.0 / f64::from(best.len());
            return Move::ALL.map(|m| if best.contains(m) { each } else { 0.0 });
        }
        let at = board.bits() % u64::from(best.len());
        let chosen = best.iter().nth(at as usize).unwrap();
        Move::ALL.map(|m| f64::from(u8::from(m == chosen)))
    }

    fn is_symmetric(&self) -> bool {
        self.symmetric
    }
}

#[test]
fn best_moves_achieve_the_optimum_without_regret() {
    for name in ["2x2-to-16", "2x3-to-32", "3x2-to-32", "3x3-to-16"] {
        for objective in EACH_OBJECTIVE {
            if name == "3x3-to-16" && !matches!(objective, Objective::Win | Objective::Moves) {
                // Enough of the slow one.
                continue;
            }
            let table = named(name, objective);
            for symmetric in [true, false] {
                let policy = Best {
                    table: &table,
                    symmetric,
                };
                let mut states = 0;
                let evaluation = evaluate(&table, &policy, &Silent, &mut |board, value| {
                    states += 1;
                    let best = common::value(&table, board);
                    // A table's category is that of play for the win, whatever is played for.
                    if let Objective::Win | Objective::Moves = objective {
                        assert_eq!(value.category, best.category, "{name} {board:?}");
                    }
                    match (value.value, best.value) {
                        (Some(own), Some(best)) => assert!(near(own, best, 1e-12)),
                        (own, best) => assert_eq!(own, best),
                    }
                })
                .unwrap();
                assert_eq!(states, evaluation.states);
                let what = format!("{name} {objective} {evaluation:?}");
                assert!(
                    near(number(evaluation.start), number(evaluation.optimal), 1e-12),
                    "{what}"
                );
                let course = follow(&table, Some(&policy), &Silent, &mut |_| ()).unwrap();
                assert_eq!(course.regret(), 0.0, "{what}");
                assert!(course.layers.iter().all(|layer| layer.mistakes == 0.0));
                let classes = table.manifest().states();
                if symmetric {
                    assert_eq!(states, classes, "{what}");
                } else {
                    let images: HashSet<Board> = common::states(&table)
                        .into_iter()
                        .flat_map(|board| table.rules().images(board).collect::<Vec<_>>())
                        .collect();
                    assert_eq!(states, images.len() as u64, "{what}");
                }
            }
        }
    }
}

/// Random play is the same on all images: both ways to evaluate it agree.
#[test]
fn images_and_classes_give_the_same() {
    for name in ["2x2-to-16", "2x3-to-32", "3x2-to-16", "3x3-to-16"] {
        for objective in EACH_OBJECTIVE {
            let table = named(name, objective);
            let random = PlayerKind::Random.policy();
            assert!(random.is_symmetric());
            let (by_class, class_course) = judged(&table, random);
            let (by_image, image_course) = judged(&table, &Unsymmetric(random));
            assert!(near(number(by_class.start), number(by_image.start), 1e-12));
            assert!(by_image.states > by_class.states);
            assert!(near(class_course.score, image_course.score, 1e-12));
            assert!(near(class_course.regret(), image_course.regret(), 1e-12));
        }
    }
}

/// The states that following shows, with their probabilities and moves, are those of a walk
/// over boards as they are.
#[test]
fn a_walk_visits_what_following_says() {
    for name in ["2x2-to-16", "2x3-to-16", "3x2-to-16"] {
        let table = named(name, Objective::Win);
        let (rules, variant) = (table.rules(), table.variant());
        let target = variant.target().unwrap();
        let mut visited: HashMap<Board, f64> = HashMap::new();
        let mut moves: HashMap<Board, [f64; 4]> = HashMap::new();
        follow(&table, None, &Silent, &mut |visit| {
            visited.insert(visit.board, visit.probability);
            moves.insert(visit.board, visit.weights);
        })
        .unwrap();
        let of = tilebase_game::Representative::Itself;
        // By tile sum: all ways to a board come before what follows from it.
        let mut open: BTreeMap<(u32, Board), f64> = BTreeMap::new();
        for (board, probability) in rules.start_states(variant.spawn(), variant.start_tiles(), of) {
            *open.entry((board.sum(), board)).or_default() += probability;
        }
        let mut walked: HashMap<Board, f64> = HashMap::new();
        while let Some(((_, board), probability)) = open.pop_first() {
            if rules.is_lost(board) {
                continue;
            }
            // The class that was shown, and the symmetry that leads there.
            let symmetry = Symmetry::of(rules.shape())
                .iter()
                .copied()
                .find(|&s| visited.contains_key(&rules.image(board, s)))
                .unwrap();
            let class = rules.image(board, symmetry);
            *walked.entry(class).or_default() += probability;
            let weights = moves[&class];
            assert_eq!(weights.iter().sum::<f64>(), 1.0);
            let on_image = Move::ALL
                .into_iter()
                .find(|m| weights[m.index()] == 1.0)
                .unwrap();
            let m = symmetry.inverse().apply_to_move(on_image);
            assert!(table.probe(board).unwrap().best().contains(m));
            let after = rules.slide(board, m);
            if !after.reaches(target) {
                for outcome in rules.spawns(after, variant.spawn()) {
                    let key = (outcome.board.sum(), outcome.board);
                    *open.entry(key).or_default() += probability * outcome.probability;
                }
            }
        }
        assert_eq!(walked.len(), visited.len(), "{name}");
        for (board, probability) in walked {
            assert!(
                near(probability, visited[&board], 1e-12),
                "{name} {board:?}"
            );
        }
    }
}

/// Plays at random, on boards that were announced.
#[derive(Default)]
struct Announced {
    boards: Mutex<HashSet<Board>>,
    symmetric: bool,
    /// How many calls of `prepare` to accept.
    patience: usize,
    calls: AtomicUsize,
}

impl Policy for Announced {
    fn probabilities(&self, rules: &Rules, board: Board) -> [f64; 4] {
        assert!(self.boards.lock().unwrap().contains(&board), "{board:?}");
        PlayerKind::Random.policy().probabilities(rules, board)
    }

    fn is_symmetric(&self) -> bool {
        self.symmetric
    }

    fn prepare(&self, boards: &EachBoard<'_>) -> bool {
        let mut announced = HashSet::new();
        boards(&mut |board| assert!(announced.insert(board), "{board:?} twice"));
        *self.boards.lock().unwrap() = announced;
        self.calls.fetch_add(1, Ordering::Relaxed) < self.patience
    }
}

/// Policies hear of all boards of a layer before they are asked, and can end the work.
#[test]
fn boards_are_announced() {
    for name in ["2x2-to-16", "3x2-to-16", "2x3-to-16"] {
        let table = named(name, Objective::Win);
        let random = PlayerKind::Random.policy();
        let expected = evaluate(&table, random, &Silent, &mut |_, _| ()).unwrap();
        for symmetric in [false, true] {
            let policy = |patience| Announced {
                symmetric,
                patience,
                ..Announced::default()
            };
            let all = policy(usize::MAX);
            let found = evaluate(&table, &all, &Silent, &mut |_, _| ()).unwrap();
            assert!(near(number(found.start), number(expected.start), 1e-14));
            let flow = follow(&table, Some(&all), &Silent, &mut |_| ()).unwrap();
            assert!(near(flow.won, number(expected.start), 1e-14));
            let stopped = follow(&table, Some(&policy(2)), &Silent, &mut |_| ());
            assert!(matches!(stopped, Err(SolveError::Interrupted)));
            let stopped = evaluate(&table, &policy(2), &Silent, &mut |_, _| ());
            assert!(matches!(stopped, Err(SolveError::Interrupted)));
        }
    }
}
