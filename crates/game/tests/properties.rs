//! What holds for every board, checked on random ones.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::engines::packed_shapes;
use proptest::prelude::*;
use tilebase_game::{
    Board, Grid, Move, Representative, Rng, Rules, Shape, Spawn, Symmetry, Variant, tile_value,
};

/// A shape and a board that it can hold, with many equal tiles and gaps.
fn any_packed() -> impl Strategy<Value = (Rules, Board)> {
    let shapes: Vec<Shape> = packed_shapes().collect();
    (prop::sample::select(shapes), any::<[u8; 16]>(), 1..=14u8).prop_map(|(shape, bytes, max)| {
        let exponents: Vec<u8> = bytes[..shape.cells().into()]
            .iter()
            .map(|&byte| if byte < 64 { 0 } else { byte % (max + 1) })
            .collect();
        let grid = Grid::from_exponents(shape, &exponents).unwrap();
        (Rules::new(shape).unwrap(), grid.pack().unwrap())
    })
}

fn any_spawn() -> impl Strategy<Value = Spawn> {
    (0..=Spawn::ONE).prop_map(|twos| {
        let text = |n: u32| format!("{}.{:09}", n / Spawn::ONE, n % Spawn::ONE);
        format!("2:{},4:{}", text(twos), text(Spawn::ONE - twos))
            .parse()
            .unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn slides_keep_the_sum((rules, board) in any_packed()) {
        for after in rules.slides(board) {
            prop_assert_eq!(after.sum(), board.sum());
        }
    }

    #[test]
    fn the_score_is_the_rise_of_a_potential((rules, board) in any_packed()) {
        // A tile 2^e built from 2s alone has scored (e - 1) 2^e on its way.
        let potential = |b: Board| -> i64 {
            b.unpack(rules.shape()).exponents().iter().filter(|&&e| e > 0)
                .map(|&e| (i64::from(e) - 1) << e).sum()
        };
        for m in Move::ALL {
            let rise = potential(rules.slide(board, m)) - potential(board);
            prop_assert_eq!(i64::from(rules.score(board, m)), rise);
        }
    }

    #[test]
    fn spawns_raise_the_sum_and_are_certain_together((rules, board) in any_packed(), spawn in any_spawn()) {
        let outcomes: Vec<_> = rules.spawns(board, spawn).collect();
        for outcome in &outcomes {
            prop_assert_eq!(outcome.board.sum(), board.sum() + (1 << outcome.exponent));
            prop_assert_eq!(outcome.board.get(outcome.row, outcome.col), outcome.exponent);
            prop_assert_eq!(board.get(outcome.row, outcome.col), 0);
            prop_assert!(outcome.probability > 0.0);
        }
        let total: f64 = outcomes.iter().map(|o| o.probability).sum();
        let certain = if rules.empty_cells(board) == 0 { 0.0 } else { 1.0 };
        prop_assert!((total - certain).abs() < 1e-12);
        // The grid lists the same outcomes in the same order.
        let grid = board.unpack(rules.shape());
        let grid_outcomes: Vec<_> = grid.spawns(spawn).collect();
        prop_assert_eq!(grid_outcomes.len(), outcomes.len());
        for (a, b) in outcomes.iter().zip(&grid_outcomes) {
            prop_assert_eq!((a.row, a.col, a.exponent), (b.row, b.col, b.exponent));
            prop_assert_eq!(a.probability, b.probability);
            prop_assert_eq!(a.board.unpack(rules.shape()), b.board.clone());
        }
    }

    #[test]
    fn symmetry_commutes_with_sliding((rules, board) in any_packed()) {
        for &symmetry in Symmetry::of(rules.shape()) {
            let image = rules.image(board, symmetry);
            prop_assert_eq!(rules.image(image, symmetry.inverse()), board);
            prop_assert_eq!(rules.is_lost(image), rules.is_lost(board));
            let moves = symmetry.apply_to_moves(rules.legal_moves(board));
            prop_assert_eq!(moves, rules.legal_moves(image));
            for m in Move::ALL {
                let (after, to) = (rules.slide(board, m), symmetry.apply_to_move(m));
                prop_assert_eq!(rules.image(after, symmetry), rules.slide(image, to));
                prop_assert_eq!(rules.score(board, m), rules.score(image, to));
            }
        }
    }

    #[test]
    fn packed_and_grid_images_agree((rules, board) in any_packed()) {
        let grid = board.unpack(rules.shape());
        for symmetry in Symmetry::ALL {
            let image = grid.image(symmetry);
            let packed = rules.image(board, symmetry);
            prop_assert_eq!(packed.unpack(image.shape()), image.clone());
            prop_assert_eq!(image.pack(), Some(packed), "nothing outside the shape");
        }
    }

    #[test]
    fn canonical_forms_stand_for_their_class((rules, board) in any_packed()) {
        for of in [Representative::Canonical, Representative::Smallest] {
            let chosen = rules.representative(board, of);
            prop_assert_eq!(rules.representative(chosen, of), chosen, "idempotent");
            for image in rules.images(board) {
                prop_assert_eq!(rules.representative(image, of), chosen, "constant");
            }
            prop_assert!(rules.images(board).any(|image| image == chosen), "an image");
        }
        let (canonical, symmetry) = rules.canonical_with(board);
        prop_assert_eq!(canonical, rules.canonical(board));
        prop_assert_eq!(rules.image(board, symmetry), canonical);
    }

    #[test]
    fn equivalent_moves_lead_to_images((rules, board) in any_packed()) {
        for of in [Representative::Itself, Representative::Canonical, Representative::Smallest] {
            let afterstates = rules.afterstates(board, of);
            let mut covered = 0;
            for item in afterstates.iter() {
                covered |= item.moves.bits();
                for m in item.moves.iter() {
                    prop_assert_eq!(rules.representative(rules.slide(board, m), of), item.board);
                }
            }
            prop_assert_eq!(covered, rules.legal_moves(board).bits());
            let total: u32 = afterstates.iter().map(|item| item.moves.len()).sum();
            prop_assert_eq!(total, rules.legal_moves(board).len(), "each move once");
            let mut boards: Vec<Board> = afterstates.iter().map(|item| item.board).collect();
            boards.sort();
            boards.dedup();
            prop_assert_eq!(boards.len(), afterstates.len(), "distinct");
        }
    }

    #[test]
    fn after_a_slide_a_border_cell_is_empty((rules, board) in any_packed()) {
        let (rows, cols) = (rules.shape().rows(), rules.shape().cols());
        for after in rules.slides(board).into_iter().filter(|&after| after != board) {
            let border = (0..rows).flat_map(|r| (0..cols).map(move |c| (r, c)))
                .filter(|&(r, c)| r == 0 || c == 0 || r == rows - 1 || c == cols - 1)
                .any(|(r, c)| after.get(r, c) == 0);
            prop_assert!(border);
        }
    }

    #[test]
    fn won_means_a_tile_of_the_target_or_more((rules, board) in any_packed()) {
        let grid = board.unpack(rules.shape());
        for exponent in 0..=20 {
            prop_assert_eq!(board.reaches(exponent), grid.reaches(exponent));
        }
        prop_assert_eq!(u128::from(board.sum()),
            grid.exponents().iter().map(|&e| tile_value(e)).sum::<u128>());
    }

    #[test]
    fn boards_survive_both_notations((rules, board) in any_packed()) {
        let shape = rules.shape();
        prop_assert_eq!(Board::parse(&board.hex(shape), shape), Ok(board));
        let grid = board.unpack(shape);
        prop_assert_eq!(Board::parse(&grid.to_string(), shape), Ok(board));
        prop_assert_eq!(grid.to_string().parse::<Grid>(), Ok(grid.clone()));
        prop_assert_eq!(grid.hex(), Some(board.hex(shape)));
        // Numbers compare like the boards: cells outside the shape never matter.
        let other = rules.smallest(board);
        prop_assert_eq!(other <= board, other.number(shape) <= board.number(shape));
    }

    #[test]
    fn variants_survive_their_names(rows in 1u8..=32, cols in 1u8..=32,
        target in prop::option::of(3u8..=100), spawn in any_spawn(), start in 1u16..=1024) {
        let shape = Shape::new(rows, cols).unwrap();
        if let Ok(variant) = Variant::new(shape, target, spawn, start) {
            prop_assert_eq!(variant.to_string().parse::<Variant>(), Ok(variant));
        } else {
            prop_assert!(start > shape.cells());
        }
        prop_assert_eq!(spawn.to_string().parse::<Spawn>(), Ok(spawn));
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in ".{0,40}", boardish in "[0-9a-fx./,:^ -]{0,40}") {
        for text in [text, boardish] {
            for shape in [None, Shape::new(2, 2), Shape::new(4, 4), Shape::new(5, 5)] {
                if let Ok(grid) = Grid::parse(&text, shape) {
                    prop_assert!(shape.is_none_or(|shape| shape == grid.shape()));
                }
                if let Some(shape) = shape {
                    let _ = Board::parse(&text, shape);
                }
            }
            let _ = (text.parse::<Shape>(), text.parse::<Spawn>(), text.parse::<Variant>());
        }
    }
}

#[test]
fn start_states_are_certain_together() {
    for shape in packed_shapes() {
        let rules = Rules::new(shape).unwrap();
        for tiles in 1..=shape.cells().min(3) {
            for of in [Representative::Itself, Representative::Canonical] {
                let starts = rules.start_states(Spawn::STANDARD, tiles, of);
                let total: f64 = starts.iter().map(|(_, probability)| probability).sum();
                assert!((total - 1.0).abs() < 1e-12, "{shape} {tiles}");
                assert!(starts.is_sorted_by(|a, b| a.0 < b.0), "{shape} {tiles}");
            }
        }
    }
}

/// Frequencies of drawn tiles and cells agree with the outcomes' probabilities.
#[test]
fn random_spawns_follow_their_probabilities() {
    let grid: Grid = "2,.,4/.,.,8".parse().unwrap();
    let mut rng = Rng::new(2048);
    let draws = 100_000;
    let mut seen = std::collections::HashMap::new();
    for _ in 0..draws {
        let mut with = grid.clone();
        with.spawn(Spawn::STANDARD, &mut rng).unwrap();
        *seen.entry(with).or_insert(0) += 1;
    }
    let mut listed = 0;
    for outcome in grid.spawns(Spawn::STANDARD) {
        let n = f64::from(seen[&outcome.board]);
        let (mean, p) = (outcome.probability * f64::from(draws), outcome.probability);
        let deviation = (mean * (1.0 - p)).sqrt();
        assert!((n - mean).abs() < 6.0 * deviation, "{n} against {mean}");
        listed += 1;
    }
    assert_eq!(seen.len(), listed);
    let mut full: Grid = "2,4".parse().unwrap();
    assert_eq!(full.spawn(Spawn::STANDARD, &mut rng), None);
}
