//! The search against a plain expectimax that knows no tables, no memory and no short cuts.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_expectimax::patterns::{LOOK_UPS, SECOND_STAGE, STAGE, STAGES, places, stage};
use tilebase_expectimax::{Effort, Evaluation, Options, Search, Smooth, Tuples};
use tilebase_game::{Board, Grid, Move, Rng, Rules, Shape, Spawn};
use tilebase_naive::{DIRECTIONS, Position};

/// The published evaluation of a state, cell by cell.
fn estimate(position: &Position) -> f64 {
    let (rows, cols) = (position.rows(), position.cols());
    let tiles: Vec<i64> = position
        .exponents()
        .iter()
        .map(|&e| if e == 0 { 0 } else { 1 << e })
        .collect();
    let mut penalty = 0;
    for row in 0..rows {
        for col in 0..cols {
            let here = tiles[row * cols + col];
            if col + 1 < cols {
                penalty += (here - tiles[row * cols + col + 1]).abs();
            }
            if row + 1 < rows {
                penalty += (here - tiles[(row + 1) * cols + col]).abs();
            }
        }
    }
    ((tiles.iter().sum::<i64>() * 4 - penalty) * 2) as f64
}

/// What is at the leaves of the plain search.
enum Leaf<'a> {
    /// States are estimated as published, a dead one is worth this.
    States(f64),
    /// Boards before a tile falls have a worth.
    Afterstates(&'a dyn Fn(&Position) -> f64),
}

/// The worth of a state with so many slides to go, and the states that were looked at.
fn worth(position: &Position, spawn: Spawn, depth: u8, leaf: &Leaf<'_>) -> (f64, u64) {
    if let (0, Leaf::States(_)) = (depth, leaf) {
        return (estimate(position), 1);
    }
    let mut best: Option<f64> = None;
    let mut states = 1;
    for direction in DIRECTIONS {
        let (after, gain) = position.slide(direction);
        if after != *position {
            let (mean, seen) = mean(&after, spawn, depth - 1, leaf);
            states += seen;
            let total = gain as f64 + mean;
            best = Some(best.map_or(total, |best| best.max(total)));
        }
    }
    let dead = match leaf {
        Leaf::States(dead) => *dead,
        Leaf::Afterstates(_) => 0.0,
    };
    (best.unwrap_or(dead), states)
}

/// The mean worth over all tiles that may fall.
fn mean(after: &Position, spawn: Spawn, depth: u8, leaf: &Leaf<'_>) -> (f64, u64) {
    if let (0, Leaf::Afterstates(value)) = (depth, leaf) {
        return (value(after), 1);
    }
    let (mut total, mut states, mut cells) = (0.0, 0, 0);
    for exponent in spawn.exponents() {
        let drops = after.drops(exponent);
        cells = drops.len();
        for next in drops {
            let (value, seen) = worth(&next, spawn, depth, leaf);
            total += spawn.probability(exponent) * value;
            states += seen;
        }
    }
    (total / cells as f64, states)
}

/// Random boards that are not lost, most of them nearly full.
fn boards(shape: Shape, number: usize, seed: u64) -> Vec<Grid> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < number {
        let largest = 2 + rng.below(11);
        let few = rng.below(3);
        let exponents: Vec<u8> = (0..shape.cells())
            .map(|_| match rng.below(8) {
                n if n < few => 0,
                _ => 1 + rng.below(largest) as u8,
            })
            .collect();
        let grid = Grid::from_exponents(shape, &exponents).unwrap();
        if !grid.is_lost() {
            found.push(grid);
        }
    }
    found
}

fn position(grid: &Grid) -> Position {
    let shape = grid.shape();
    Position::new(shape.rows().into(), shape.cols().into(), grid.exponents())
}

/// Compares a search with the plain one on a board: worths of all moves, best first, and
/// the number of positions.
fn compare<E: Evaluation>(
    search: &mut Search<'_, E>,
    grid: &Grid,
    spawn: Spawn,
    depth: u8,
    leaf: &Leaf<'_>,
) {
    let advice = search
        .advise(grid.pack().unwrap(), Effort::Depth(depth))
        .unwrap();
    let mut positions = 0;
    let mut best = f64::NEG_INFINITY;
    for (m, direction) in Move::ALL.into_iter().zip(DIRECTIONS) {
        let (after, gain) = position(grid).slide(direction);
        let weighed = advice.moves.iter().find(|weighed| weighed.m == m);
        if after == position(grid) {
            assert!(weighed.is_none(), "{m:?} is not legal on {grid}");
            continue;
        }
        let (mean, seen) = mean(&after, spawn, depth - 1, leaf);
        positions += seen;
        let expected = gain as f64 + mean;
        best = best.max(expected);
        let found = weighed.unwrap().worth;
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < 1e-6, "{m:?} on {grid}: {found}, not {expected}");
    }
    let first = advice.moves[0].worth;
    assert!((first - best).abs() / best.abs().max(1.0) < 1e-6);
    assert!(advice.moves.windows(2).all(|w| w[0].worth >= w[1].worth));
    assert_eq!(advice.positions, positions, "{grid}");
}

#[test]
fn smooth_is_the_published_search() {
    let spawns = ["2:0.9,4:0.1", "2:1", "4:1", "2:0.5,4:0.5"];
    for shape in ["1x4", "2x2", "2x3", "3x2", "3x3", "3x4", "4x4"] {
        let shape: Shape = shape.parse().unwrap();
        let rules = Rules::new(shape).unwrap();
        for (i, spawn) in spawns.into_iter().enumerate() {
            let spawn: Spawn = spawn.parse().unwrap();
            let smooth = Smooth::new(rules, spawn);
            for memory_bits in [0, 3, 15] {
                let options = Options {
                    cutoff: 0.0,
                    memory_bits,
                };
                let mut search = Search::new(rules, spawn, &smooth, options);
                for (n, grid) in boards(shape, 24, i as u64).iter().enumerate() {
                    // Deep searches of open boards take the plain search too long.
                    let empty = grid.empty_cells().count();
                    let depth = match empty {
                        0..=2 => 3,
                        3..=6 => 2,
                        _ => 1,
                    };
                    let depth = depth.min(1 + n as u8 % 3);
                    compare(&mut search, grid, spawn, depth, &Leaf::States(-1e20));
                }
            }
        }
    }
}

/// What made-up weights of fillings with large tiles are, by stage.
const OTHERS: [f32; STAGES] = [100.0, -250.0];

/// A made-up weight: a whole number, which rounding to a unit of 1 keeps.
fn weight(place: usize) -> f32 {
    if place & 0x88_8888 != 0 {
        return OTHERS[place / STAGE];
    }
    let mixed = (place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    (mixed % 60_001) as f32 - 30_000.0
}

/// A learned evaluation with made-up weights.
fn tuples() -> Tuples {
    Tuples::from_weights((0..STAGES * STAGE).map(weight), OTHERS, 1.0).unwrap()
}

/// The cells of the four patterns, row by row, as drawn in the documentation.
const PATTERNS: [[(usize, usize); 6]; 4] = [
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)],
    [(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1)],
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)],
    [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)],
];

/// The sum over all images and patterns, cell by cell.
fn by_cells(position: &Position) -> f64 {
    let mut images = vec![position.clone(), position.mirrored()];
    for _ in 0..3 {
        let turned = [
            images[images.len() - 2].turned(),
            images[images.len() - 1].turned(),
        ];
        images.extend(turned);
    }
    let stage = usize::from(position.max_exponent() >= SECOND_STAGE);
    let mut total = 0.0;
    for image in &images {
        let cells = image.exponents();
        for (number, pattern) in PATTERNS.iter().enumerate() {
            let filling = pattern.iter().fold(0, |filling, &(row, col)| {
                filling << 4 | usize::from(cells[4 * row + col])
            });
            total += f64::from(weight(stage * STAGE + (number << 24) + filling));
        }
    }
    total
}

#[test]
fn tuples_are_looked_up_cell_by_cell_and_survive_their_file() {
    let shape: Shape = "4x4".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let made = tuples();
    let tuples = Tuples::from_bytes(&made.to_bytes().unwrap()).unwrap();
    let mut search = Search::new(rules, Spawn::STANDARD, &tuples, Options::default());
    let value = by_cells;
    for (n, grid) in boards(shape, 40, 5).iter().enumerate() {
        let board = grid.pack().unwrap();
        assert_eq!(tuples.worth(board), made.worth(board));
        let expected = value(&position(grid));
        assert!((tuples.worth(board) - expected).abs() < 1e-3, "{grid}");
        let depth = if grid.empty_cells().count() <= 3 {
            1 + n as u8 % 2
        } else {
            1
        };
        let leaf = Leaf::Afterstates(&value);
        compare(&mut search, grid, Spawn::STANDARD, depth, &leaf);
    }
    let high = Board::parse("0xe100000000000000", shape).unwrap();
    assert_eq!(stage(high), STAGE as u32);
    assert_eq!(places(high, stage(high)).len(), LOOK_UPS);

    // Damage is told, never loaded.
    let bytes = tuples.to_bytes().unwrap();
    assert!(Tuples::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    assert!(Tuples::from_bytes(b"something else").is_err());
    for at in [0, 8, 9, 14, 15, 1000, bytes.len() / 2, bytes.len() - 2] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(Tuples::from_bytes(&damaged).is_err(), "{at}");
    }
}

#[test]
fn a_cut_off_looks_at_less_and_time_at_what_it_can() {
    let shape: Shape = "4x4".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let smooth = Smooth::new(rules, Spawn::STANDARD);
    let board = Board::parse("0x9751064204210010", shape).unwrap();
    let positions = |cutoff| {
        let options = Options {
            cutoff,
            memory_bits: 12,
        };
        let mut search = Search::new(rules, Spawn::STANDARD, &smooth, options);
        search.advise(board, Effort::Depth(3)).unwrap().positions
    };
    assert!(positions(0.2) < positions(0.0) / 4);

    // A clock that has run out at once leaves depth 1.
    let mut search = Search::new(rules, Spawn::STANDARD, &smooth, Options::default());
    search.stop_if(Box::new(|| true));
    assert_eq!(search.advise(board, Effort::Depth(6)).unwrap().depth, 1);

    // A game that ends soon is looked at to its end, however much was asked for.
    let shape: Shape = "1x4".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let smooth = Smooth::new(rules, Spawn::TWOS);
    let mut search = Search::new(rules, Spawn::TWOS, &smooth, Options::default());
    let board = Board::parse("2,4,2,.", shape).unwrap();
    let effort = Effort::Positions {
        from: 3,
        enough: u64::MAX,
    };
    assert!(search.advise(board, effort).unwrap().depth < 20);
    let lost = Board::parse("2,4,2,4", shape).unwrap();
    assert!(search.advise(lost, effort).is_none());
}
