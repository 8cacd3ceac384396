//! Positions matched with formations: turning a position turns the answer, and nothing but the
//! walls is lost.

use proptest::prelude::*;
use tilebase_game::{
    CellSet, Formation, Grid, MAX_PACKED_EXPONENT, Move, Rules, Shape, Symmetry, Variant,
    WalledPosition,
};

fn shape() -> Shape {
    "4x4".parse().unwrap()
}

/// Positions with the walls of a formation as large tiles, turned somehow, and small tiles.
fn fitting() -> impl Strategy<Value = (String, Symmetry, Grid)> {
    let names = prop::sample::select(Formation::names());
    let cells = prop::collection::vec(0u8..6, 16);
    (names, any::<prop::sample::Index>(), 0..8usize, cells).prop_map(|(name, at, turn, cells)| {
        let formation = Formation::named(&name, shape()).unwrap();
        let rules = Rules::new(shape()).unwrap();
        let placements = rules.with_formation(&formation, Some(6)).wall_placements();
        let walls = placements[at.index(placements.len())].unpack(shape());
        let mut large = 6;
        let mut grid = Grid::from_exponents(shape(), &cells).unwrap();
        for row in 0..4 {
            for col in 0..4 {
                if walls.get(row, col) > 0 {
                    grid.set(row, col, large);
                    large += 1;
                }
            }
        }
        let symmetry = Symmetry::ALL[turn];
        (name, symmetry, grid.image(symmetry))
    })
}

fn variant(name: &str) -> Variant {
    format!("4x4-to-64-formation-{name}").parse().unwrap()
}

proptest! {
    #[test]
    fn what_is_made_to_fit_fits((name, symmetry, grid) in fitting()) {
        let variant = variant(&name);
        let fits = variant.fits(&grid);
        prop_assert!(!fits.is_empty(), "{name} {grid}");
        let formation = variant.formation().unwrap();
        let board = grid.image(symmetry.inverse());
        let walled = WalledPosition::new(&board, formation.walls()).unwrap();
        let rules = Rules::of(&variant).unwrap();
        let found = fits.iter().any(|fit| rules.canonical(fit.board) == rules.canonical(walled.board));
        prop_assert!(found, "{name} {grid}");
        for fit in fits {
            // Back in its place, the board is the position with walls for its largest tiles.
            prop_assert!(formation.keeps(fit.board));
            let back = fit.board.unpack(shape()).image(fit.symmetry.inverse());
            for (&found, &tile) in back.exponents().iter().zip(grid.exponents()) {
                let expected = if tile >= 6 { MAX_PACKED_EXPONENT } else { tile };
                prop_assert_eq!(found, expected);
            }
            // Slides that are allowed do the same to both.
            for m in Move::ALL {
                let turned = fit.symmetry.apply_to_move(m);
                let after = rules.slide(fit.board, turned);
                if after == fit.board {
                    continue;
                }
                let (real, _) = grid.after(m).unwrap();
                let real = WalledPosition::new(&real, formation.walls());
                if let Some(real) = real.filter(|real| real.smallest_wall == 6) {
                    prop_assert_eq!(rules.image(real.board, fit.symmetry), after);
                }
            }
        }
    }

    #[test]
    fn turning_a_position_turns_the_answer((name, _, grid) in fitting(), turn in 0..8usize) {
        let variant = variant(&name);
        let rules = Rules::of(&variant).unwrap();
        let classes = |grid: &Grid| {
            let fits = variant.fits(grid).into_iter();
            let mut boards: Vec<_> = fits.map(|fit| rules.canonical(fit.board)).collect();
            boards.sort_unstable();
            boards
        };
        let turned = grid.image(Symmetry::ALL[turn]);
        prop_assert_eq!(classes(&grid), classes(&turned));
    }

    #[test]
    fn any_position_fits_or_not_without_a_panic(cells in prop::collection::vec(0u8..20, 16)) {
        let grid = Grid::from_exponents(shape(), &cells).unwrap();
        for name in Formation::names() {
            for fit in variant(&name).fits(&grid) {
                let walls = CellSet::walls(fit.board).len();
                prop_assert_eq!(walls, u32::from(variant(&name).formation().unwrap().walls()));
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let fits = |variant: &str, grid: &str| {
        let variant: Variant = variant.parse().unwrap();
        variant.fits(&grid.parse().unwrap()).len()
    };
    let l3 = "4x4-to-64-formation-L3";
    assert_eq!(fits(l3, "2048,1024,512,./256,128,64,./.,.,2,./.,.,.,."), 1);
    // Two walls are equal, one is below the target, one stands elsewhere.
    assert_eq!(fits(l3, "2048,1024,512,./256,128,128,./.,.,2,./.,.,.,."), 0);
    assert_eq!(fits(l3, "2048,1024,512,./256,128,32,./.,.,2,./.,.,.,."), 0);
    assert_eq!(fits(l3, "2048,1024,512,./256,128,.,64/.,.,2,./.,.,.,."), 0);
    // A small tile has reached the target, or is as large as a wall.
    assert_eq!(
        fits(l3, "4096,2048,1024,./512,256,128,./.,.,64,./.,.,.,."),
        0
    );
    assert_eq!(fits(l3, "2048,1024,512,./256,128,64,./.,.,64,./.,.,.,."), 0);
    // Tiles that no packed board has are walls like others.
    assert_eq!(
        fits(l3, "131072,65536,512,./256,128,64,./.,.,2,./.,.,.,."),
        1
    );
    // A game without walls, another shape, too few tiles.
    assert_eq!(
        fits("4x4-to-64", "2048,1024,512,./256,128,64,./.,.,2,./.,.,.,."),
        0
    );
    assert_eq!(fits(l3, "2048,1024,512/256,128,64/.,.,2"), 0);
    assert_eq!(fits(l3, "2048,1024,512,./.,.,.,./.,.,2,./.,.,.,."), 0);
}
