//! Speed of the rules on one core, with the naive implementation beside it.
//!
//! `cargo bench -p tilebase-game`. Every figure is the best of several rounds over the
//! same boards, taken from random games on 4x4, so ratios hold even on a noisy machine.
//! docs/benchmarks.md explains what bounds each figure.

use std::hint::black_box;
use std::time::{Duration, Instant};

use tilebase_game::{Board, Grid, Move, Representative, Rng, Rules, Shape, Spawn};
use tilebase_naive::{DIRECTIONS, Position};

/// Boards for the packed rules: half a megabyte, within a core's cache.
const BOARDS: usize = 1 << 16;
/// Boards for the slow implementations.
const FEW: usize = 1 << 10;
/// Each figure is the best round of this long: on a shared machine some rounds are slow.
const PATIENCE: Duration = Duration::from_millis(500);

fn main() {
    let shape = Shape::new(4, 4).unwrap_or_else(|| unreachable!());
    // The shape is known at run time only, as in the program.
    let Ok(rules) = Rules::new(black_box(shape)) else {
        unreachable!("4x4 is packed");
    };
    let boards = boards(shape, BOARDS);
    let after: Vec<Board> = boards
        .iter()
        .map(|&board| rules.slide(board, Move::Left))
        .collect();
    let grids: Vec<Grid> = boards[..FEW].iter().map(|b| b.unpack(shape)).collect();
    let naive: Vec<Position> = grids
        .iter()
        .map(|grid| Position::new(4, 4, grid.exponents()))
        .collect();

    println!("4x4, million operations a second on one core, best rounds of {PATIENCE:?} each\n");
    println!("| operation | packed | grid | naive | packed / naive |");
    println!("|---|---:|---:|---:|---:|");

    line(
        "slide",
        rate(&boards, 4, |&b| {
            Move::ALL.map(|m| rules.slide(b, m).bits()).iter().sum()
        }),
        Some(rate(&grids, 4, |grid| {
            let sums = Move::ALL.map(|m| {
                let mut after = grid.clone();
                after.slide(m);
                u64::from(after.get(0, 0))
            });
            sums.iter().sum()
        })),
        rate(&naive, 4, |p| {
            DIRECTIONS
                .map(|d| p.slide(d).0.cells[0][0].into())
                .iter()
                .sum()
        }),
    );
    line(
        "slide, all four at once",
        rate(&boards, 4, |&b| {
            rules.slides(b).iter().map(|a| a.bits()).sum()
        }),
        None,
        rate(&naive, 4, |p| {
            DIRECTIONS
                .map(|d| p.slide(d).0.cells[0][0].into())
                .iter()
                .sum()
        }),
    );
    line(
        "slide with score",
        rate(&boards, 4, |&b| {
            let each = |m| rules.slide(b, m).bits() ^ u64::from(rules.score(b, m));
            Move::ALL.map(each).iter().sum()
        }),
        None,
        rate(&naive, 4, |p| {
            DIRECTIONS.map(|d| p.slide(d).1 as u64).iter().sum()
        }),
    );
    line(
        "canonical form",
        rate(&boards, 1, |&b| rules.canonical(b).bits()),
        Some(rate(&grids, 1, |grid| {
            u64::from(grid.canonical().get(0, 0))
        })),
        rate(&naive, 1, |p| p.canonical().cells[0][0].into()),
    );
    line(
        "smallest-number form",
        rate(&boards, 1, |&b| rules.smallest(b).bits()),
        Some(rate(&grids, 1, |grid| u64::from(grid.smallest().get(0, 0)))),
        rate(&naive, 1, |p| p.smallest().cells[0][0].into()),
    );
    line(
        "states to distinct canonical afterstates",
        rate(&boards, 1, |&b| {
            let found = rules.afterstates(b, Representative::Canonical);
            found.iter().map(|a| a.board.bits()).sum()
        }),
        None,
        rate(&naive, 1, |p| {
            let mut found: Vec<Position> = DIRECTIONS
                .iter()
                .map(|&d| p.slide(d).0)
                .filter(|after| after != p)
                .map(|after| after.canonical())
                .collect();
            found.sort();
            found.dedup();
            found.len() as u64
        }),
    );
    let drops: usize = after.iter().map(|&b| rules.drops(b, 1).count()).sum();
    let per_board = drops as f64 / after.len() as f64;
    let naive_after: Vec<Position> = after[..FEW]
        .iter()
        .map(|b| Position::new(4, 4, b.unpack(shape).exponents()))
        .collect();
    let naive_drops: usize = naive_after.iter().map(|p| p.drops(1).len()).sum();
    let naive_per_board = naive_drops as f64 / FEW as f64;
    line(
        "drops of a 2",
        per_board * rate(&after, 1, |&b| rules.drops(b, 1).map(|d| d.bits()).sum()),
        None,
        naive_per_board
            * rate(&naive_after, 1, |p| {
                p.drops(1).iter().map(|d| u64::from(d.cells[0][0])).sum()
            }),
    );
    line(
        "spawn outcomes with probabilities",
        2.0 * per_board
            * rate(&after, 1, |&b| {
                let outcomes = rules.spawns(b, Spawn::STANDARD);
                outcomes
                    .map(|o| o.board.bits() ^ o.probability.to_bits())
                    .sum()
            }),
        None,
        2.0 * naive_per_board
            * rate(&naive_after, 1, |p| {
                let tiles = [(1, 0.9), (2, 0.1)];
                let weigh = |(e, p0): (u8, f64)| {
                    let drops = p.drops(e);
                    let each = p0 / drops.len() as f64;
                    drops
                        .iter()
                        .map(|d| u64::from(d.cells[0][0]) ^ each.to_bits())
                        .sum::<u64>()
                };
                tiles.map(weigh).iter().sum()
            }),
    );
    line(
        "lost or not",
        rate(&boards, 1, |&b| rules.is_lost(b).into()),
        Some(rate(&grids, 1, |grid| grid.is_lost().into())),
        rate(&naive, 1, |p| p.is_lost().into()),
    );

    // The same slides with the shape known to the compiler: what a shape value costs.
    const FIXED: Rules = match Rules::new(Shape::new(4, 4).unwrap()) {
        Ok(rules) => rules,
        Err(_) => unreachable!(),
    };
    // By turns, so that a slow spell of the machine meets both.
    let mut best = [0f64; 4];
    for _ in 0..5 {
        let rates = [
            rate(&boards, 4, |&b| sum_of(rules.slides(b))),
            rate(&boards, 4, |&b| sum_of(FIXED.slides(b))),
            rate(&boards, 1, |&b| rules.canonical(b).bits()),
            rate(&boards, 1, |&b| FIXED.canonical(b).bits()),
        ];
        best = std::array::from_fn(|i| best[i].max(rates[i]));
    }
    println!(
        "\nshape as a constant against a value: slides {:.2} times, canonical form {:.2} times as fast",
        best[1] / best[0],
        best[3] / best[2]
    );
}

fn sum_of(boards: [Board; 4]) -> u64 {
    boards.iter().fold(0, |sum, b| sum.wrapping_add(b.bits()))
}

/// Distinct states from random games.
fn boards(shape: Shape, number: usize) -> Vec<Board> {
    let mut boards = std::collections::BTreeSet::new();
    for game in 0.. {
        let mut rng = Rng::for_game(1, game);
        let mut grid = Grid::empty(shape);
        grid.spawn(Spawn::STANDARD, &mut rng);
        loop {
            grid.spawn(Spawn::STANDARD, &mut rng);
            boards.extend(grid.pack());
            let legal: Vec<Move> = grid.legal_moves().iter().collect();
            if legal.is_empty() {
                break;
            }
            grid.slide(legal[rng.below(legal.len() as u32) as usize]);
        }
        if boards.len() >= number {
            break;
        }
    }
    // In the order of their numbers neighbours share rows, which would flatter the tables.
    let mut boards: Vec<Board> = boards.into_iter().collect();
    let mut rng = Rng::new(2);
    for i in (1..boards.len()).rev() {
        boards.swap(i, rng.below(i as u32 + 1) as usize);
    }
    boards.truncate(number);
    boards
}

/// Million operations a second, where one call of `work` does `operations`.
fn rate<T>(items: &[T], operations: usize, work: impl Fn(&T) -> u64) -> f64 {
    let mut best = f64::INFINITY;
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        let start = Instant::now();
        let sum = items
            .iter()
            .fold(0u64, |sum, item| sum.wrapping_add(work(black_box(item))));
        black_box(sum);
        best = best.min(start.elapsed().as_secs_f64());
    }
    (items.len() * operations) as f64 / best / 1e6
}

fn line(name: &str, packed: f64, grid: Option<f64>, naive: f64) {
    let grid = grid.map_or(String::new(), |rate| format!("{rate:.2}"));
    println!(
        "| {name} | {packed:.0} | {grid} | {naive:.2} | {:.0} |",
        packed / naive
    );
}
