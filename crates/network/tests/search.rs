//! The search against a plain expectimax without row tables, transposition table or pruning tricks.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use tilebase_expectimax::{
    Evaluation, ExpectimaxOptions, ExpectimaxSearch, NO_EXTENSION, SearchLimit, Smooth,
};
use tilebase_game::{Board, Grid, Move, Rng, Rules, Shape, Spawn};
use tilebase_naive::{DIRECTIONS, Position};
use tilebase_network::patterns::{WEIGHTS, indices};
use tilebase_network::{NTupleNetwork, STAGES, staged_indices};

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

/// How the plain search values its leaves.
enum Leaf<'a> {
    /// States are estimated as published; a lost one has this value.
    States(f64),
    /// Afterstates have a value.
    Afterstates(&'a dyn Fn(&Position) -> f64),
}

/// The values of the legal slides within a margin, searched `depth` slides deep counting this
/// one, and the number of states seen. `margin` is that of the slides after these.
fn slides(
    position: &Position,
    spawn: Spawn,
    depth: u8,
    leaf: &Leaf<'_>,
    own_margin: f64,
    margin: f64,
) -> (Vec<(Move, f64)>, u64) {
    let mut states = 0;
    let mut at_depth = |direction, depth| {
        let (after, score) = position.slide(direction);
        (after != *position).then(|| {
            let (mean, seen) = mean(&after, spawn, depth, leaf, margin);
            states += seen;
            score as f64 + mean
        })
    };
    let mut looks = [None; 4];
    let mut most = f64::NEG_INFINITY;
    if depth > 1 && own_margin < f64::INFINITY {
        looks = DIRECTIONS.map(|direction| at_depth(direction, 0));
        most = looks.iter().flatten().fold(most, |m: f64, &w| m.max(w));
    }
    let mut values = [None; 4];
    for ((value, look), direction) in values.iter_mut().zip(looks).zip(DIRECTIONS) {
        if look.is_none_or(|look| most - look <= own_margin) {
            *value = at_depth(direction, depth - 1);
        }
    }
    let legal = Move::ALL.into_iter().zip(values);
    let legal = legal.filter_map(|(m, value)| Some((m, value?)));
    (legal.collect(), states)
}

/// The value of a state searched `depth` slides deep, and the number of states seen.
fn state_value(
    position: &Position,
    spawn: Spawn,
    depth: u8,
    leaf: &Leaf<'_>,
    margin: f64,
) -> (f64, u64) {
    if let (0, Leaf::States(_)) = (depth, leaf) {
        return (estimate(position), 1);
    }
    let (values, states) = slides(position, spawn, depth, leaf, margin, margin);
    let lost = match leaf {
        Leaf::States(lost) => *lost,
        Leaf::Afterstates(_) => 0.0,
    };
    let best = values.iter().map(|&(_, value)| value).reduce(f64::max);
    (best.unwrap_or(lost), states + 1)
}

/// The mean value over all spawns, and the number of states seen.
fn mean(after: &Position, spawn: Spawn, depth: u8, leaf: &Leaf<'_>, margin: f64) -> (f64, u64) {
    if let (0, Leaf::Afterstates(value)) = (depth, leaf) {
        return (value(after), 1);
    }
    let (mut total, mut states, mut cells) = (0.0, 0, 0);
    for exponent in spawn.exponents() {
        let drops = after.drops(exponent);
        cells = drops.len();
        for next in drops {
            let (value, seen) = state_value(&next, spawn, depth, leaf, margin);
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

/// Boards of which every other one has a 16384 or a 32768 in place of one of its largest tiles.
fn early_and_late(shape: Shape, number: usize, seed: u64) -> Vec<Grid> {
    let mut grids = boards(shape, number, seed);
    for (n, grid) in grids.iter_mut().enumerate().step_by(2) {
        let mut cells = grid.exponents().to_vec();
        let largest = grid.max_exponent();
        if let Some(cell) = cells.iter_mut().find(|cell| **cell == largest) {
            *cell = 14 + (n / 2 % 2) as u8;
        }
        *grid = Grid::from_exponents(shape, &cells).unwrap();
    }
    grids.retain(|grid| !grid.is_lost());
    grids
}

fn position(grid: &Grid) -> Position {
    let shape = grid.shape();
    Position::new(shape.rows().into(), shape.cols().into(), grid.exponents())
}

/// Compares a search with the plain one on a board: values of all moves, best first, and
/// the number of positions.
fn compare<E: Evaluation>(
    search: &mut ExpectimaxSearch<'_, E>,
    grid: &Grid,
    spawn: Spawn,
    depth: u8,
    leaf: &Leaf<'_>,
    margin: f64,
) {
    let advice = search
        .advise(grid.pack().unwrap(), SearchLimit::Depth(depth))
        .unwrap();
    let root = position(grid);
    let (values, positions) = slides(&root, spawn, depth, leaf, f64::INFINITY, margin);
    let mut best = f64::NEG_INFINITY;
    for m in Move::ALL {
        let scored = advice.moves.iter().find(|scored| scored.m == m);
        let Some(&(_, expected)) = values.iter().find(|&&(legal, _)| legal == m) else {
            assert!(scored.is_none(), "{m:?} is not legal on {grid}");
            continue;
        };
        best = best.max(expected);
        let found = scored.unwrap().value;
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < 1e-6, "{m:?} on {grid}: {found}, not {expected}");
    }
    let first = advice.moves[0].value;
    assert!((first - best).abs() / best.abs().max(1.0) < 1e-6);
    assert!(advice.moves.windows(2).all(|w| w[0].value >= w[1].value));
    assert_eq!(advice.positions, positions, "{grid}");

    // The best move alone is found with the margin at the root too.
    let (values, _) = slides(&root, spawn, depth, leaf, margin, margin);
    let best = values.iter().map(|&(_, value)| value).reduce(f64::max);
    let limit = SearchLimit::Depth(depth);
    let chosen = search.best_move(grid.pack().unwrap(), limit).unwrap();
    let (_, value) = values.iter().find(|&&(m, _)| m == chosen).unwrap();
    assert!((value - best.unwrap()).abs() / value.abs().max(1.0) < 1e-6);
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
            for table_bits in [0, 3, 15] {
                let options = ExpectimaxOptions {
                    table_bits,
                    ..ExpectimaxOptions::default()
                };
                let mut search = ExpectimaxSearch::new(rules, spawn, &smooth, options);
                for (n, grid) in boards(shape, 24, i as u64).iter().enumerate() {
                    // Deep searches of open boards take the plain search too long.
                    let empty = grid.empty_cells().count();
                    let depth = match empty {
                        0..=2 => 3,
                        3..=6 => 2,
                        _ => 1,
                    };
                    let depth = depth.min(1 + n as u8 % 3);
                    compare(
                        &mut search,
                        grid,
                        spawn,
                        depth,
                        &Leaf::States(-1e20),
                        f64::INFINITY,
                    );
                }
            }
        }
    }
}

/// The default weight, which fillings with large tiles have.
const DEFAULT_WEIGHT: f32 = 100.0;

/// A made-up weight: an integer, which a quantum of 1 keeps.
fn weight(index: usize) -> f32 {
    if index & 0x88_8888 != 0 {
        return DEFAULT_WEIGHT;
    }
    let mixed = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    (mixed % 60_001) as f32 - 30_000.0
}

/// A network with made-up weights.
fn network() -> NTupleNetwork {
    NTupleNetwork::from_weights((0..STAGES * WEIGHTS).map(weight), DEFAULT_WEIGHT, 1.0).unwrap()
}

/// The cells of the four patterns, row by row, as drawn in the documentation.
const PATTERNS: [[(usize, usize); 6]; 4] = [
    [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1)],
    [(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1)],
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)],
    [(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)],
];

/// Tiles above 8192 halved, with all above the largest gap, as often as it takes.
fn halved(position: &Position) -> Position {
    let mut cells = position.exponents().to_vec();
    while let Some(&largest) = cells.iter().max().filter(|&&largest| largest > 13) {
        let Some(gap) = (1..largest).rev().find(|e| !cells.contains(e)) else {
            break;
        };
        for cell in cells.iter_mut().filter(|cell| **cell > gap) {
            *cell -= 1;
        }
    }
    Position::new(position.rows(), position.cols(), &cells)
}

/// The sum over all images and patterns, cell by cell.
fn by_cells(position: &Position) -> f64 {
    let late = position.exponents().iter().any(|&e| e >= 14);
    let position = if late {
        halved(position)
    } else {
        position.clone()
    };
    let first = if late { WEIGHTS } else { 0 };
    let mut images = vec![position.clone(), position.mirrored()];
    for _ in 0..3 {
        let turned = [
            images[images.len() - 2].turned(),
            images[images.len() - 1].turned(),
        ];
        images.extend(turned);
    }
    let mut total = 0.0;
    for image in &images {
        let cells = image.exponents();
        for (number, pattern) in PATTERNS.iter().enumerate() {
            let filling = pattern.iter().fold(0, |filling, &(row, col)| {
                filling << 4 | usize::from(cells[4 * row + col])
            });
            total += f64::from(weight(first + (number << 24) + filling));
        }
    }
    total
}

#[test]
fn networks_sum_weights_cell_by_cell_and_survive_their_file() {
    let shape: Shape = "4x4".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let made = network();
    let network = NTupleNetwork::from_bytes(&made.to_bytes().unwrap()).unwrap();
    let margin = 20_000.0;
    let options = |margin| ExpectimaxOptions {
        pruning_margin: Some(margin),
        extend_above: Some(NO_EXTENSION),
        ..ExpectimaxOptions::default()
    };
    let mut search =
        ExpectimaxSearch::new(rules, Spawn::STANDARD, &network, options(f64::INFINITY));
    let mut narrow = ExpectimaxSearch::new(rules, Spawn::STANDARD, &network, options(margin));
    let value = by_cells;
    for (n, grid) in early_and_late(shape, 80, 5).iter().enumerate() {
        let board = grid.pack().unwrap();
        assert_eq!(network.value(board), made.value(board));
        let expected = value(&position(grid));
        assert!((network.value(board) - expected).abs() < 1e-3, "{grid}");
        let depth = if grid.empty_cells().count() <= 3 {
            1 + n as u8 % 2
        } else {
            1
        };
        let leaf = Leaf::Afterstates(&value);
        compare(
            &mut search,
            grid,
            Spawn::STANDARD,
            depth,
            &leaf,
            f64::INFINITY,
        );
        compare(&mut narrow, grid, Spawn::STANDARD, depth, &leaf, margin);
    }

    // Tiles above 8192 are halved, with all above the largest gap, as often as it takes.
    for (board, halved) in [
        ("0xed00000000000000", "0xdc00000000000000"),
        ("0xe20d000000000000", "0xd20c000000000000"),
        ("0xf100000000000000", "0xd100000000000000"),
        ("0xfedcb98765421111", "0xdcba987654321111"),
    ] {
        let [board, halved] = [board, halved].map(|hex| Board::parse(hex, shape).unwrap());
        let second_stage = indices(halved).map(|index| index + WEIGHTS as u32);
        assert_eq!(staged_indices(board), second_stage, "{board:?}");
        assert_eq!(staged_indices(halved), indices(halved), "{board:?}");
        assert_eq!(rules.legal_moves(board), rules.legal_moves(halved));
    }

    // Damage is detected, never loaded.
    let bytes = network.to_bytes().unwrap();
    assert!(NTupleNetwork::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    assert!(NTupleNetwork::from_bytes(b"something else").is_err());
    for at in [0, 8, 9, 14, 15, 1000, bytes.len() / 2, bytes.len() - 2] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x40;
        assert!(NTupleNetwork::from_bytes(&damaged).is_err(), "{at}");
    }

    // Another one takes its place, or the first stays.
    let other = network.with_default_weight(7.0).unwrap();
    let file = other.to_bytes().unwrap();
    let board = Board::parse("0xed31000000000012", shape).unwrap();
    assert_ne!(network.value(board), other.value(board));
    let mut replaced = made;
    assert!(replaced.replace(&file[..file.len() - 1]).is_err());
    assert_eq!(replaced.value(board), network.value(board));
    replaced.replace(&file).unwrap();
    assert_eq!(replaced.value(board), other.value(board));
    assert_eq!(replaced.to_bytes().unwrap(), file);
}

#[test]
fn boards_with_many_distinct_tiles_are_searched_deeper() {
    let shape: Shape = "3x3".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let smooth = Smooth::new(rules, Spawn::STANDARD);
    let mut seen = [0; 4];
    for grid in boards(shape, 300, 8) {
        let exponents: BTreeSet<u8> = grid.exponents().iter().copied().collect();
        let different = exponents.iter().filter(|&&e| e > 0).count() as u8;
        for (extend_above, extension) in [
            (different + 1, 0),
            (different, 0),
            (different - 1, 1),
            (different.saturating_sub(2), different.min(2)),
        ] {
            if grid.empty_cells().count() > 2 {
                continue;
            }
            let options = ExpectimaxOptions {
                extend_above: Some(extend_above),
                ..ExpectimaxOptions::default()
            };
            let mut search = ExpectimaxSearch::new(rules, Spawn::STANDARD, &smooth, options);
            let advice = search
                .advise(grid.pack().unwrap(), SearchLimit::Depth(1))
                .unwrap();
            assert_eq!(advice.depth, 1 + extension, "{grid}");
            let leaf = Leaf::States(-1e20);
            let plain = slides(
                &position(&grid),
                Spawn::STANDARD,
                1 + extension,
                &leaf,
                f64::INFINITY,
                f64::INFINITY,
            );
            let best = plain
                .0
                .iter()
                .map(|&(_, value)| value)
                .reduce(f64::max)
                .unwrap();
            let found = advice.moves[0].value;
            assert!((found - best).abs() / best.abs().max(1.0) < 1e-6, "{grid}");
            assert_eq!(advice.positions, plain.1, "{grid}");
            seen[usize::from(extension)] += 1;
        }
    }
    assert!(seen[..3].iter().all(|&boards| boards > 50), "{seen:?}");

    // Searches limited by positions are not extended.
    let crowded = Board::parse("2,4,8/16,32,64/128,256,.", shape).unwrap();
    let limit = SearchLimit::Positions {
        min_depth: 1,
        positions: 1,
    };
    let options = ExpectimaxOptions {
        extend_above: Some(0),
        ..ExpectimaxOptions::default()
    };
    let mut search = ExpectimaxSearch::new(rules, Spawn::STANDARD, &smooth, options);
    assert_eq!(search.advise(crowded, limit).unwrap().depth, 1);
}

#[test]
fn a_cutoff_sees_less_and_a_clock_what_it_can() {
    let shape: Shape = "4x4".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let smooth = Smooth::new(rules, Spawn::STANDARD);
    let board = Board::parse("0x9751064204210010", shape).unwrap();
    let positions = |cutoff| {
        let options = ExpectimaxOptions {
            cutoff,
            table_bits: 12,
            ..ExpectimaxOptions::default()
        };
        let mut search = ExpectimaxSearch::new(rules, Spawn::STANDARD, &smooth, options);
        search
            .advise(board, SearchLimit::Depth(3))
            .unwrap()
            .positions
    };
    assert!(positions(0.2) < positions(0.0) / 4);

    // A clock that has run out at once leaves depth 1.
    let mut search = ExpectimaxSearch::new(
        rules,
        Spawn::STANDARD,
        &smooth,
        ExpectimaxOptions::default(),
    );
    search.stop_if(Box::new(|| true));
    assert_eq!(
        search.advise(board, SearchLimit::Depth(6)).unwrap().depth,
        1
    );

    // One that runs out later leaves the last depth that was finished, with its values.
    for checks in [2, 20, 200] {
        let options = ExpectimaxOptions::default();
        let mut search = ExpectimaxSearch::new(rules, Spawn::STANDARD, &smooth, options);
        let calls = std::cell::Cell::new(0);
        search.stop_if(Box::new(move || {
            calls.set(calls.get() + 1);
            calls.get() > checks
        }));
        let found = search.advise(board, SearchLimit::Depth(8)).unwrap();
        assert!((2..8).contains(&found.depth), "{}", found.depth);
        let mut whole = ExpectimaxSearch::new(rules, Spawn::STANDARD, &smooth, options);
        let limit = SearchLimit::Depth(found.depth);
        assert_eq!(whole.advise(board, limit).unwrap(), found);
    }

    // A game that ends soon is searched to its end, whatever the limit.
    let shape: Shape = "1x4".parse().unwrap();
    let rules = Rules::new(shape).unwrap();
    let smooth = Smooth::new(rules, Spawn::TWOS);
    let mut search =
        ExpectimaxSearch::new(rules, Spawn::TWOS, &smooth, ExpectimaxOptions::default());
    let board = Board::parse("2,4,2,.", shape).unwrap();
    let limit = SearchLimit::Positions {
        min_depth: 3,
        positions: u64::MAX,
    };
    assert!(search.advise(board, limit).unwrap().depth < 20);
    let lost = Board::parse("2,4,2,4", shape).unwrap();
    assert!(search.advise(lost, limit).is_none());
}
