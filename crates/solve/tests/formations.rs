//! Formations against the naive implementation of their definition: counts, values, sure wins.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tilebase_game::{Board, CellSet, Formation, Objective, Shape, Variant};
use tilebase_naive::formation as naive;
use tilebase_solve::{SolveOptions, solve_in_memory};
use tilebase_table::{Category, Table};
use tilebase_util::progress::Silent;

/// The naive game of a variant with a formation.
fn naive_game(variant: &Variant) -> naive::Formation {
    let shape = variant.shape();
    let formation = variant.formation().unwrap();
    let cells = |set: CellSet| -> naive::Cells {
        let all = (0..shape.rows()).flat_map(|row| (0..shape.cols()).map(move |col| (row, col)));
        all.filter(|&(row, col)| set.contains(row, col))
            .map(|(row, col)| (row.into(), col.into()))
            .collect()
    };
    naive::Formation {
        rows: shape.rows().into(),
        cols: shape.cols().into(),
        walls: formation.walls().into(),
        masks: formation.masks().iter().map(|&mask| cells(mask)).collect(),
        goals: cells(formation.goal()),
        target: variant.target().unwrap(),
        twos: variant.spawn().probability(1),
        start_tiles: variant.start_tiles().into(),
    }
}

fn solved(variant: &Variant, objective: Objective) -> Table {
    solve_in_memory(variant, objective, &SolveOptions::default(), &Silent).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(1.0)
}

/// Compares every layer, every state and every start value of a game with the naive ones.
fn compare(variant: &Variant) {
    let naive = naive_game(variant);
    let layers = naive.reachable();
    let truth = naive.solve(&layers);
    let census = naive.census(&layers);
    let shape = variant.shape();
    for objective in [Objective::Win, Objective::Score, Objective::Moves] {
        let table = solved(variant, objective);
        let sums: BTreeSet<u64> = table.layers().map(|layer| layer.sum.into()).collect();
        let expected = census.iter().filter(|(_, count)| count.live > 0);
        let expected: BTreeSet<u64> = expected.map(|(&sum, _)| sum).collect();
        assert_eq!(sums, expected, "{variant}");
        for layer in table.layers() {
            let count = &census[&layer.sum.into()];
            let found = (layer.states, layer.afterstates);
            let expected = (count.live as u64, count.afterstates as u64);
            assert_eq!(found, expected, "{variant}, layer {}", layer.sum);
        }
        for (board, value) in &truth.states {
            let packed = Board::parse(&board.hex(), shape).unwrap();
            let probe = table.probe(packed).unwrap();
            let found = probe
                .value
                .unwrap_or_else(|| panic!("{variant} {}", board.hex()));
            let expected = match objective {
                Objective::Win => value.number(naive::Objective::Win),
                Objective::Score => value.number(naive::Objective::Score),
                _ => value.number(naive::Objective::Moves),
            };
            match (found.value, expected) {
                (Some(found), Some(expected)) => assert!(
                    close(found, expected),
                    "{variant} {objective:?} {}: {found} {expected}",
                    board.hex()
                ),
                (found, expected) => assert_eq!(found, expected, "{variant} {}", board.hex()),
            }
            if objective == Objective::Win {
                let category = match value.category {
                    naive::Category::SureWin => Category::SureWin,
                    naive::Category::SureLoss => Category::SureLoss,
                    naive::Category::Open => Category::Open,
                };
                assert_eq!(found.category, category, "{variant} {}", board.hex());
            }
        }
        let start = table.manifest().start.unwrap();
        let expected = match objective {
            Objective::Win => truth.start(naive::Objective::Win),
            Objective::Score => truth.start(naive::Objective::Score),
            _ => truth.start(naive::Objective::Moves),
        };
        if let (Some(found), Some(expected)) = (start.value, expected) {
            assert!(
                close(found, expected.mean),
                "{variant} {objective:?}: {found} {}",
                expected.mean
            );
        }
    }
}

#[test]
fn small_formations_are_solved_as_the_definition_says() {
    for name in [
        "2x2-to-8-walls-1-goal-ffff",
        "2x3-to-16-formation-free5",
        "2x3-to-16-formation-free4",
        "3x2-to-16-walls-1-keep-f-goal-ff0000",
        "2x3-to-16-walls-1-keep-f+f00000-goal-ffffff",
        "2x4-to-16-walls-2-keep-f000000+f-goal-ffff0000",
        "3x3-to-16-formation-free6",
        "3x3-to-32-formation-free5",
        "3x3-to-16-walls-2-keep-ff-goal-f00000000",
        "3x3-to-16-walls-3-keep-ff-goal-f0f000000",
        "3x3-to-16-walls-3-keep-f0f000000-goal-ffffff",
        "3x3-to-16-walls-3-keep-f0000000f-goal-f000f000f",
        "3x4-to-16-walls-6-keep-ffff-goal-ffffffffffff",
        "4x3-to-16-walls-6-keep-fff0ff-goal-f00000000000",
        "3x3-to-32-walls-3-keep-fff-goal-ffffffff-spawn-2:1",
    ] {
        compare(&name.parse().unwrap());
    }
}

#[test]
fn formations_on_4x4_are_solved_as_the_definition_says() {
    for name in [
        "4x4-to-8-walls-11-keep-ffff0fff-goal-ffffffffffffffff",
        "4x4-to-16-walls-10-keep-ffff00ff00ff00ff-goal-ffff00000",
        "4x4-to-16-walls-10-keep-ffff00ff00ff00ff+ffffff0ff00f000f-goal-ffff00000",
        "4x4-to-16-walls-9-keep-fff0fff0fff-goal-ffffffffffffffff",
        "4x4-to-16-walls-8-keep-ffffffff-goal-f0000000000",
        "4x4-to-8-formation-free3",
    ] {
        compare(&name.parse().unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn random_formations_are_solved_as_the_definition_says(
        rows in 2u8..=4,
        cols in 2u8..=4,
        free in 3u16..=5,
        masks in proptest::collection::vec(any::<u16>(), 0..3),
        goal in any::<u16>(),
        target in 3u8..=5,
    ) {
        let shape = Shape::new(rows, cols).unwrap();
        let cells = shape.cells();
        prop_assume!(free < cells);
        let walls = (cells - free) as u8;
        let text = |set: u16, most: u32| {
            // At most so many cells, from the first one on.
            let mut left = most;
            let digits = (0..cells).map(|cell| {
                let chosen = set >> cell & 1 == 1 && left > 0;
                left -= u32::from(chosen);
                if chosen { 'f' } else { '0' }
            });
            digits.collect::<String>()
        };
        let masks: Vec<String> = masks.iter().map(|&mask| text(mask, walls.into())).collect();
        let goal = text(goal | 1, 16);
        let formation = Formation::parse(shape, walls, &masks, Some(&goal)).unwrap();
        let plain = Variant::new(shape, Some(target), Default::default(), 2).unwrap();
        let variant = plain.with_formation(formation).unwrap();
        prop_assume!(u16::from(target) <= free + 1);
        compare(&variant);
    }
}
