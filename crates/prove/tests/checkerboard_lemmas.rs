//! The lemmas of the thesis, on all positions of small boards and on random games on larger
//! ones. Each is also shown a board that breaks it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashSet;

use proptest::prelude::*;
use tilebase_game::{Grid, Move, Shape};

/// Drops of 2 and slides, as numbers to choose among what is possible.
type Choices = Vec<(u16, u8)>;

/// A board just after a slide, and the slide.
type After = (Grid, Move);

fn grid(text: &str) -> Grid {
    text.parse().unwrap()
}

/// All boards after a slide that arise within a number of drops, from the empty board.
fn all_afterstates(shape: &str, drops: usize, largest: u8) -> HashSet<After> {
    let mut all = HashSet::new();
    let mut layer = HashSet::from([Grid::empty(shape.parse().unwrap())]);
    for _ in 0..drops {
        let mut next = HashSet::new();
        for before in &layer {
            for (row, col) in before.empty_cells() {
                let mut dropped = before.clone();
                dropped.set(row, col, 1);
                for m in Move::ALL {
                    if let Some((after, _)) = dropped.after(m)
                        && after.max_exponent() <= largest
                    {
                        all.insert((after.clone(), m));
                        next.insert(after);
                    }
                }
            }
        }
        layer = next;
    }
    all
}

/// The boards after the slides of a game; with `moves` only these slides are made.
fn game(shape: Shape, choices: &Choices, moves: &[Move], largest: u8) -> Vec<After> {
    let mut grid = Grid::empty(shape);
    let mut all = Vec::new();
    for &(drop, slide) in choices {
        let empty: Vec<(u8, u8)> = grid.empty_cells().collect();
        let (row, col) = empty[usize::from(drop) % empty.len()];
        grid.set(row, col, 1);
        let legal: Vec<After> = moves
            .iter()
            .filter_map(|&m| Some((grid.after(m)?.0, m)))
            .filter(|(after, _)| after.max_exponent() <= largest)
            .collect();
        if legal.is_empty() {
            break;
        }
        let chosen = legal[usize::from(slide) % legal.len()].clone();
        grid = chosen.0.clone();
        all.push(chosen);
    }
    all
}

fn shapes() -> impl Strategy<Value = Shape> {
    (1..=9u8, 1..=9u8).prop_map(|(rows, cols)| Shape::new(rows, cols).unwrap())
}

fn choices() -> impl Strategy<Value = Choices> {
    prop::collection::vec((any::<u16>(), any::<u8>()), 1..200)
}

/// Lines of a board as they lie along a slide, from the wall that tiles slide towards.
fn lines(grid: &Grid, m: Move) -> Vec<Vec<u8>> {
    let rows: Vec<Vec<u8>> = grid.rows().map(<[u8]>::to_vec).collect();
    let mut lines = match m {
        Move::Left | Move::Right => rows,
        Move::Up | Move::Down => (0..usize::from(grid.shape().cols()))
            .map(|col| rows.iter().map(|row| row[col]).collect())
            .collect(),
    };
    if matches!(m, Move::Right | Move::Down) {
        lines.iter_mut().for_each(|line| line.reverse());
    }
    lines
}

fn tiles(line: &[u8]) -> Vec<u8> {
    line.iter().copied().filter(|&tile| tile != 0).collect()
}

/// Lemma 1: after a slide some cell of the border is empty.
fn border_has_room(grid: &Grid) -> bool {
    let (rows, cols) = (grid.shape().rows(), grid.shape().cols());
    grid.empty_cells()
        .any(|(row, col)| row == 0 || col == 0 || row + 1 == rows || col + 1 == cols)
}

/// Lemma 3: after a slide no tile is behind an empty cell.
fn is_packed(grid: &Grid, m: Move) -> bool {
    let behind = |line: &Vec<u8>| line.windows(2).any(|pair| pair[0] == 0 && pair[1] != 0);
    !lines(grid, m).iter().any(behind)
}

/// Corollary 4: not in all four directions is there an empty cell beside a tile.
fn has_a_wall(grid: &Grid) -> bool {
    Move::ALL.into_iter().any(|m| is_packed(grid, m))
}

/// Lemma 5: no 2s that could merge both along rows and along columns.
fn twos_merge_one_way(grid: &Grid) -> bool {
    let pair = |m: Move| {
        lines(grid, m)
            .iter()
            .any(|line| tiles(line).windows(2).any(|pair| pair == [1, 1]))
    };
    !(pair(Move::Left) && pair(Move::Up))
}

/// Lemma 6 and Corollary 7: for each tile k at least k − 1 cells are lower or empty.
fn tiles_leave_room(grid: &Grid) -> bool {
    let all = grid.exponents();
    all.iter().all(|&tile| {
        let lower = all.iter().filter(|&&other| other < tile).count();
        usize::from(tile) <= all.len() && lower + 1 >= usize::from(tile)
    })
}

/// Lemma 8: a line made along itself alone rises and then falls.
fn is_bitonic(line: &[u8]) -> bool {
    let tiles = tiles(line);
    let falls = tiles.windows(2).position(|pair| pair[0] > pair[1]);
    falls.is_none_or(|at| tiles[at..].is_sorted_by(|a, b| a >= b))
}

/// Lemma 9 a, b, c: after a slide in the game that makes no 8.
fn is_orderly(grid: &Grid, m: Move) -> bool {
    is_packed(grid, m)
        && lines(grid, m).iter().all(|line| {
            let pair = |tile: u8| line.windows(2).any(|pair| pair == [tile, tile]);
            !pair(1) && (!pair(2) || line.last() == Some(&0))
        })
}

/// Lemma 9 d, e: if a slide across it follows, still without an 8.
fn is_orderly_across(grid: &Grid, m: Move) -> bool {
    let across = match m {
        Move::Left | Move::Right => Move::Up,
        Move::Up | Move::Down => Move::Left,
    };
    // The line against the wall of the slide is the first or the last across it.
    let wall = match m {
        Move::Left | Move::Up => 0,
        Move::Right | Move::Down => lines(grid, across).len() - 1,
    };
    let pair = |line: &[u8], tile: u8| line.windows(2).any(|pair| pair == [tile, tile]);
    lines(grid, across)
        .iter()
        .enumerate()
        .all(|(number, line)| !pair(line, 2) && (number == wall || !pair(line, 1)))
}

fn hold_after_any_slide((grid, m): &After) {
    assert!(border_has_room(grid), "lemma 1: {grid} after {m}");
    assert!(is_packed(grid, *m), "lemma 3: {grid} after {m}");
    assert!(has_a_wall(grid), "corollary 4: {grid} after {m}");
    assert!(twos_merge_one_way(grid), "lemma 5: {grid} after {m}");
    assert!(tiles_leave_room(grid), "corollary 7: {grid} after {m}");
}

/// Whether some slide across is legal after a drop and makes no 8.
fn may_go_across(grid: &Grid, m: Move) -> bool {
    let across = match m {
        Move::Left | Move::Right => [Move::Up, Move::Down],
        Move::Up | Move::Down => [Move::Left, Move::Right],
    };
    grid.empty_cells().any(|(row, col)| {
        let mut dropped = grid.clone();
        dropped.set(row, col, 1);
        let fine = |after: &Grid| after.max_exponent() <= 2;
        across
            .into_iter()
            .any(|m| dropped.after(m).is_some_and(|(after, _)| fine(&after)))
    })
}

fn hold_in_the_bounded_game((grid, m): &After) {
    assert!(is_orderly(grid, *m), "lemma 9 a-c: {grid} after {m}");
    if may_go_across(grid, *m) {
        assert!(is_orderly_across(grid, *m), "lemma 9 d-e: {grid} after {m}");
    }
}

#[test]
fn lemmas_hold_on_all_positions_of_small_boards() {
    for (shape, drops) in [("1x4", 99), ("2x2", 99), ("2x3", 20), ("3x3", 9)] {
        all_afterstates(shape, drops, 99)
            .iter()
            .for_each(hold_after_any_slide);
    }
}

#[test]
fn bounded_lemmas_hold_on_all_positions_of_small_boards() {
    for shape in ["1x5", "2x2", "2x4", "3x3"] {
        let all = all_afterstates(shape, 99, 2);
        all.iter().for_each(hold_after_any_slide);
        all.iter().for_each(hold_in_the_bounded_game);
    }
}

proptest! {
    #[test]
    fn lemmas_hold_in_random_games(shape in shapes(), choices in choices()) {
        game(shape, &choices, &Move::ALL, 99).iter().for_each(hold_after_any_slide);
    }

    #[test]
    fn bounded_lemmas_hold_in_random_games(shape in shapes(), choices in choices()) {
        game(shape, &choices, &Move::ALL, 2).iter().for_each(hold_in_the_bounded_game);
    }

    #[test]
    fn rows_made_by_horizontal_slides_are_bitonic(shape in shapes(), choices in choices()) {
        for (grid, m) in game(shape, &choices, &[Move::Left, Move::Right], 99) {
            prop_assert!(lines(&grid, m).iter().all(|line| is_bitonic(line)), "{grid}");
        }
    }
}

#[test]
fn each_lemma_can_fail() {
    // A hole in the middle alone.
    assert!(!border_has_room(&grid("2,4,2/4,.,4/2,4,2")));
    assert!(!is_packed(&grid("2,.,4"), Move::Left));
    assert!(is_packed(&grid("2,4,."), Move::Left));
    // A tile in the middle of empty cells, and a hole amid tiles.
    assert!(!has_a_wall(&grid(".,.,./.,2,./.,.,.")));
    assert!(!twos_merge_one_way(&grid("2,2/2,.")));
    assert!(twos_merge_one_way(&grid("2,2/4,.")));
    // Too large a tile, and too many large ones.
    assert!(!tiles_leave_room(&grid("16,.,2")));
    assert!(!tiles_leave_room(&grid("8,8/2,8")));
    assert!(tiles_leave_room(&grid("8,8/2,4")));
    assert!(!is_bitonic(&[2, 1, 0, 2]) && is_bitonic(&[1, 2, 0, 2, 1]));
    assert!(!is_orderly(&grid("2,2,."), Move::Left));
    assert!(!is_orderly(&grid("2,4,4"), Move::Left));
    assert!(is_orderly(&grid("4,4,."), Move::Left));
    assert!(!is_orderly_across(&grid("4,./4,."), Move::Left));
    assert!(!is_orderly_across(&grid("4,2/2,2"), Move::Left));
    assert!(is_orderly_across(&grid("2,4/2,."), Move::Left));
}
