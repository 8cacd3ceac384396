//! Plans against the naive rules and breadth-first search that knows nothing but them.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use tilebase_game::{Grid, Move, Rng, Shape, Spawn};
use tilebase_naive::{DIRECTIONS, Direction, Position};
use tilebase_plan::{
    Heuristic, PlanOptions, PlanOutcome, PlanStart, PlanTask, SearchEnd, SearchLimits,
    SearchMethod, SpawnRule, guarantee, merge_bound, plan, sum_bound, tiles,
};
use tilebase_util::progress::{Silent, StopAfter};

fn direction(m: Move) -> Direction {
    match m {
        Move::Left => Direction::Left,
        Move::Right => Direction::Right,
        Move::Up => Direction::Up,
        Move::Down => Direction::Down,
    }
}

fn position(grid: &Grid) -> Position {
    let shape = grid.shape();
    Position::new(shape.rows().into(), shape.cols().into(), grid.exponents())
}

fn task(shape: &str, goal: u8, rule: SpawnRule, seed: u64) -> PlanTask {
    let shape: Shape = shape.parse().unwrap();
    PlanTask::new(shape, goal, PlanStart::Tiles(2), Spawn::TWOS, rule, seed).unwrap()
}

/// The cell and exponent of a tile by the rules in words: dice of the tile's number, the cell
/// among the empty ones row by row, then the value.
fn ruled(task: &PlanTask, board: &Position, number: u64) -> (usize, usize, u8) {
    let cells = (0..board.rows()).flat_map(|r| (0..board.cols()).map(move |c| (r, c)));
    let empty: Vec<(usize, usize)> = cells.filter(|&(r, c)| board.cells[r][c] == 0).collect();
    let mut dice = Rng::for_game(task.seed(), number);
    let at = match task.rule() {
        SpawnRule::Random => dice.below(empty.len() as u32) as usize,
        _ => 0,
    };
    let two = dice.below(Spawn::ONE) < task.spawn().weight(1);
    (empty[at].0, empty[at].1, if two { 1 } else { 2 })
}

/// Replays an outcome that reached the goal with the naive rules alone.
fn assert_replays(task: &PlanTask, outcome: &PlanOutcome) {
    let plan = &outcome.plan;
    let mut board = position(&plan.start);
    let first = u64::from(task.start_tiles());
    for (at, &m) in plan.slides.iter().enumerate() {
        assert!(board.max_exponent() < task.goal(), "step {at}");
        let after = board.slide(direction(m)).0;
        assert_ne!(after, board, "step {at}");
        board = after;
        let Some(drop) = plan.drops.get(at) else {
            assert_eq!(at + 1, plan.slides.len());
            break;
        };
        let (row, col) = (usize::from(drop.row), usize::from(drop.col));
        assert_eq!(board.cells[row][col], 0, "step {at}");
        if matches!(task.rule(), SpawnRule::First | SpawnRule::Random) {
            let expected = ruled(task, &board, first + at as u64);
            assert_eq!((row, col, drop.exponent), expected, "step {at}");
        }
        assert!(task.spawn().weight(drop.exponent) > 0);
        board.cells[row][col] = drop.exponent;
    }
    assert_eq!(board.max_exponent() >= task.goal(), outcome.reached);
    assert!(outcome.lower_bound <= plan.steps() as u128 || !outcome.reached);
}

/// The boards that can follow a position, with the number of the next tile; the goal as `None`.
fn following(task: &PlanTask, board: &Position, number: u64) -> Vec<Option<Position>> {
    let mut found = Vec::new();
    for d in DIRECTIONS {
        let (after, _) = board.slide(d);
        if after == *board {
            continue;
        }
        if after.max_exponent() >= task.goal() {
            found.push(None);
        } else if task.rule() == SpawnRule::Best {
            for exponent in task.spawn().exponents() {
                found.extend(after.drops(exponent).into_iter().map(Some));
            }
        } else {
            let (row, col, exponent) = ruled(task, &after, number);
            let mut with = after;
            with.cells[row][col] = exponent;
            found.push(Some(with));
        }
    }
    found
}

/// The starts of a task.
fn starts(task: &PlanTask) -> Vec<Position> {
    let shape = task.shape();
    if let PlanStart::Board(grid) = task.start() {
        return vec![position(grid)];
    }
    let empty = position(&Grid::empty(shape));
    let mut boards = vec![empty];
    for number in 0..u64::from(task.start_tiles()) {
        boards = boards
            .iter()
            .flat_map(|board| {
                if task.rule() == SpawnRule::Best {
                    let tiles = task.spawn().exponents();
                    return tiles.flat_map(|e| board.drops(e)).collect();
                }
                let (row, col, exponent) = ruled(task, board, number);
                let mut with = board.clone();
                with.cells[row][col] = exponent;
                vec![with]
            })
            .collect();
    }
    boards
}

/// The fewest slides by breadth-first search; `None` if there is no plan.
fn distance(task: &PlanTask) -> Option<usize> {
    let mut layer: HashSet<Position> = starts(task).into_iter().collect();
    for steps in 1.. {
        let number = u64::from(task.start_tiles()) + steps as u64 - 1;
        let mut next = HashSet::new();
        for board in &layer {
            for following in following(task, board, number) {
                match following {
                    None => return Some(steps),
                    Some(board) => next.insert(board),
                };
            }
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}

fn optimal(method: SearchMethod, heuristic: Heuristic) -> PlanOptions {
    PlanOptions {
        method,
        heuristic,
        width: (method == SearchMethod::Beam).then_some(2),
        optimal: true,
        ..PlanOptions::default()
    }
}

/// Every way to a proof gives the distance that breadth-first search finds.
fn assert_optimal(task: &PlanTask) {
    let expected = distance(task);
    let tried = [
        optimal(SearchMethod::Beam, Heuristic::Smoothness),
        optimal(SearchMethod::Beam, Heuristic::NextMax),
        optimal(SearchMethod::AStar, Heuristic::Merge),
        optimal(SearchMethod::AStar, Heuristic::Sum),
        optimal(SearchMethod::AStar, Heuristic::AdjacentLine),
        optimal(SearchMethod::Weighted, Heuristic::Merge),
        optimal(SearchMethod::Greedy, Heuristic::AdjacentPropagation),
        optimal(SearchMethod::Breadth, Heuristic::Merge),
    ];
    for options in tried {
        let outcome = plan(task, &options, &Silent);
        let name = format!("{task:?} {options:?}");
        assert_eq!(outcome.reached, expected.is_some(), "{name}");
        assert_eq!(outcome.unreachable, expected.is_none(), "{name}");
        if let Some(steps) = expected {
            assert_eq!(
                (outcome.plan.steps(), outcome.optimal),
                (steps, true),
                "{name}"
            );
            assert_eq!(outcome.lower_bound, steps as u128, "{name}");
            assert!(task.lower_bound() <= steps as u128, "{name}");
            outcome.plan.replay(task).unwrap();
        }
        assert_replays(task, &outcome);
    }
}

#[test]
fn optimal_plans_are_those_of_breadth_first_search() {
    for (shape, goals) in [
        ("1x3", 3..=3u8),
        ("1x4", 3..=4),
        ("4x1", 3..=4),
        ("1x5", 3..=5),
        ("2x2", 3..=4),
        ("2x3", 3..=6),
        ("3x2", 3..=5),
        ("2x4", 3..=5),
        ("3x3", 3..=5),
        ("2x5", 3..=5),
        ("4x4", 3..=4),
        ("5x5", 3..=4),
    ] {
        for goal in goals {
            for rule in [SpawnRule::First, SpawnRule::Random] {
                for seed in 0..3 {
                    assert_optimal(&task(shape, goal, rule, seed));
                }
            }
        }
    }
    for (shape, goal) in [
        ("1x3", 3),
        ("1x4", 4),
        ("2x2", 4),
        ("2x3", 5),
        ("5x1", 3),
        ("3x3", 3),
    ] {
        assert_optimal(&task(shape, goal, SpawnRule::Best, 0));
    }
}

/// 2s and 4s, one start tile or three.
#[test]
fn mixed_tiles_are_planned_for() {
    for rule in [SpawnRule::First, SpawnRule::Random, SpawnRule::Best] {
        for (shape, goal) in [("1x4", 4), ("2x2", 4), ("2x3", 5), ("3x3", 4)] {
            for start_tiles in [1, 3] {
                let shape: Shape = shape.parse().unwrap();
                let start = PlanStart::Tiles(start_tiles);
                let spawn = "2:0.5,4:0.5".parse().unwrap();
                if rule == SpawnRule::Best && shape.cells() > 6 {
                    continue;
                }
                for seed in 0..4 {
                    assert_optimal(
                        &PlanTask::new(shape, goal, start.clone(), spawn, rule, seed).unwrap(),
                    );
                }
            }
        }
    }
}

fn board() -> impl Strategy<Value = Grid> {
    let shapes = vec!["1x4", "2x2", "2x3", "3x3", "5x2", "1x6"];
    proptest::sample::select(shapes).prop_flat_map(|shape| {
        let shape: Shape = shape.parse().unwrap();
        let cell = prop_oneof![2 => Just(0u8), 3 => 1u8..=3, 1 => Just(4u8)];
        proptest::collection::vec(cell, usize::from(shape.cells())).prop_map(move |mut cells| {
            if cells.iter().all(|&e| e == 0) {
                cells[0] = 1;
            }
            Grid::from_exponents(shape, &cells).unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// From any position, and bounds never say too much.
    #[test]
    fn plans_from_positions_are_shortest(grid in board(), random: bool, seed in 0u64..9) {
        let rule = if random { SpawnRule::Random } else { SpawnRule::First };
        let task = PlanTask::new(grid.shape(), 5, PlanStart::Board(grid.clone()), Spawn::TWOS, rule, seed);
        let task = task.unwrap();
        assert_optimal(&task);
        if let Some(steps) = distance(&task) {
            prop_assert!(merge_bound(&tiles(&grid), 5, 1) <= steps as u128);
            prop_assert!(sum_bound(&tiles(&grid), 5, 1) <= steps as u128);
        }
        prop_assert!(sum_bound(&tiles(&grid), 5, 1) <= merge_bound(&tiles(&grid), 5, 1).max(1));
    }

    /// Larger boards and goals, whatever the dice.
    #[test]
    fn long_plans_replay(rows in 2u8..=9, cols in 2u8..=9, goal in 3u8..=9, seed: u64, best: bool) {
        let shape = Shape::new(rows, cols).unwrap();
        prop_assume!(shape.cells() > u16::from(goal) && (!best || goal < 7));
        let rule = if best { SpawnRule::Best } else { SpawnRule::Random };
        let task = PlanTask::new(shape, goal, PlanStart::Tiles(2), Spawn::STANDARD, rule, seed).unwrap();
        for heuristic in [Heuristic::Smoothness, Heuristic::AdjacentPropagation] {
            let options = PlanOptions { heuristic, width: Some(8), ..PlanOptions::default() };
            let outcome = plan(&task, &options, &Silent);
            outcome.plan.walk(&task).unwrap();
            if outcome.reached {
                assert_replays(&task, &outcome);
            }
        }
    }
}

/// The value of the game against an adversary, by trying everything.
fn forced(
    task: &PlanTask,
    board: &Position,
    memory: &mut HashMap<Position, Option<u32>>,
) -> Option<u32> {
    if let Some(known) = memory.get(board) {
        return *known;
    }
    let mut best: Option<u32> = None;
    for d in DIRECTIONS {
        let (after, _) = board.slide(d);
        if after == *board {
            continue;
        }
        let value = if after.max_exponent() >= task.goal() {
            Some(1)
        } else {
            let drops = task.spawn().exponents().flat_map(|e| after.drops(e));
            let replies: Vec<Option<u32>> =
                drops.map(|board| forced(task, &board, memory)).collect();
            let worst: Option<Vec<u32>> = replies.into_iter().collect();
            worst.and_then(|all| all.into_iter().max()).map(|n| n + 1)
        };
        best = match (best, value) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
    memory.insert(board.clone(), best);
    best
}

#[test]
fn guarantees_are_those_of_trying_everything() {
    for spawn in [Spawn::TWOS, Spawn::STANDARD] {
        for (shape, goal) in [
            ("1x3", 3),
            ("1x4", 3),
            ("1x4", 4),
            ("2x2", 3),
            ("2x2", 4),
            ("2x2", 5),
            ("2x3", 4),
            ("2x3", 5),
            ("3x3", 3),
        ] {
            let shape: Shape = shape.parse().unwrap();
            let start = PlanStart::Tiles(2);
            let Ok(task) = PlanTask::new(shape, goal, start, spawn, SpawnRule::Worst, 0) else {
                continue;
            };
            let empty = position(&Grid::empty(shape));
            let tiles = || spawn.exponents();
            let starts = tiles().flat_map(|e| empty.drops(e));
            let starts = starts.flat_map(|board| tiles().flat_map(move |e| board.drops(e)));
            let mut memory = HashMap::new();
            let values: Option<Vec<u32>> = starts
                .map(|board| forced(&task, &board, &mut memory))
                .collect();
            let expected = values.and_then(|values| values.into_iter().max());
            let found = guarantee(&task, SearchLimits::default(), &Silent).unwrap();
            assert_eq!(found.unreachable, expected.is_none(), "{task:?}");
            let steps = found.reached.then_some(found.plan.steps() as u32);
            assert_eq!(steps, expected, "{task:?}");
            if found.reached {
                assert_replays(&task, &found);
                found.plan.replay(&task).unwrap();
            }
        }
    }
    let large = task("5x5", 4, SpawnRule::Worst, 0);
    assert!(guarantee(&large, SearchLimits::default(), &Silent).is_none());
}

#[test]
fn limits_are_kept_and_the_best_so_far_is_left() {
    let goal = task("4x4", 11, SpawnRule::First, 0);
    for method in SearchMethod::ALL {
        let heuristic = if method == SearchMethod::Beam {
            Heuristic::Smoothness
        } else {
            Heuristic::Merge
        };
        for nodes in [1, 2, 100] {
            let limits = SearchLimits {
                nodes,
                ..SearchLimits::default()
            };
            let options = PlanOptions {
                method,
                heuristic,
                limits,
                ..PlanOptions::default()
            };
            let outcome = plan(&goal, &options, &Silent);
            assert_eq!(
                (outcome.reached, outcome.end),
                (false, SearchEnd::Nodes),
                "{method}"
            );
            assert_eq!(outcome.work.expanded, nodes);
            assert_eq!(outcome.lower_bound, 1032);
            outcome.plan.walk(&goal).unwrap();
        }
        let limits = SearchLimits {
            memory: 1 << 14,
            ..SearchLimits::default()
        };
        let options = PlanOptions {
            method,
            heuristic,
            limits,
            width: Some(1 << 16),
            ..PlanOptions::default()
        };
        let outcome = plan(&goal, &options, &Silent);
        assert_eq!(
            (outcome.reached, outcome.end),
            (false, SearchEnd::Memory),
            "{method}"
        );
        let options = PlanOptions {
            method,
            heuristic,
            width: Some(1 << 14),
            ..PlanOptions::default()
        };
        let far = task("4x4", 15, SpawnRule::First, 0);
        let outcome = plan(&far, &options, &StopAfter::new(0));
        assert_eq!(
            (outcome.reached, outcome.end),
            (false, SearchEnd::Interrupted),
            "{method}"
        );
    }
    // A plan that was found before the limit stands.
    let dice = task("4x4", 11, SpawnRule::Random, 0);
    let limits = SearchLimits {
        nodes: 40_000,
        ..SearchLimits::default()
    };
    let outcome = plan(
        &dice,
        &PlanOptions {
            limits,
            ..PlanOptions::default()
        },
        &Silent,
    );
    assert!(outcome.reached && !outcome.optimal);
    assert_eq!(outcome.end, SearchEnd::Nodes);
}

#[test]
fn a_goal_that_is_there_takes_no_slide() {
    let grid: Grid = "2,8/.,4".parse().unwrap();
    let start = PlanStart::Board(grid);
    let there = PlanTask::new(
        "2x2".parse().unwrap(),
        3,
        start,
        Spawn::TWOS,
        SpawnRule::First,
        0,
    );
    let there = there.unwrap();
    for method in SearchMethod::ALL {
        let options = PlanOptions {
            method,
            heuristic: Heuristic::Merge,
            ..PlanOptions::default()
        };
        let outcome = plan(&there, &options, &Silent);
        assert_eq!(
            (outcome.plan.steps(), outcome.optimal),
            (0, true),
            "{method}"
        );
        outcome.plan.replay(&there).unwrap();
    }
}

#[test]
fn tampered_plans_are_refused() {
    let goal = task("3x3", 5, SpawnRule::First, 0);
    let plan = plan(&goal, &PlanOptions::default(), &Silent).plan;
    assert!(plan.replay(&goal).is_ok());
    let mut other = plan.clone();
    other.drops[3].col = (other.drops[3].col + 1) % 3;
    assert!(other.replay(&goal).is_err());
    let mut other = plan.clone();
    other.slides.pop();
    other.drops.pop();
    assert!(other.replay(&goal).is_err());
    let mut other = plan.clone();
    other.start.set(2, 2, 3);
    assert!(other.replay(&goal).is_err());
    assert!(plan.replay(&task("3x3", 4, SpawnRule::First, 0)).is_err());
}
