//! Grids with large tiles as packed boards.

use tilebase_game::{Board, Grid};

/// A grid as a packed board whose slides are exact.
///
/// Where tiles are too large for that, all tiles above the largest missing exponent are halved,
/// as often as it takes. This keeps the order of sizes and what merges with what. `None` if no
/// exponent is missing.
pub fn packed(grid: &Grid) -> Option<Board> {
    let mut grid = grid.clone();
    loop {
        let fits = grid.pack().filter(|board| board.slides_exactly());
        if fits.is_some() {
            return fits;
        }
        let mut below = (1..grid.max_exponent()).rev();
        let missing = below.find(|e| !grid.exponents().contains(e))?;
        let halve = |&e: &u8| if e > missing { e - 1 } else { e };
        let halved: Vec<u8> = grid.exponents().iter().map(halve).collect();
        grid = Grid::from_exponents(grid.shape(), &halved)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::{Rules, Shape};

    #[test]
    fn large_tiles_are_halved_without_changing_what_merges() {
        let shape: Shape = "4x4".parse().unwrap();
        let cases = [
            // Nothing to do.
            ("0x1234000000000000", "0x1234000000000000"),
            // Two 32768 could merge into a tile that has no packed form. Tiles below the
            // largest gap stay.
            ("0xffd0100000000000", "0xeed0100000000000"),
        ];
        for (from, to) in cases {
            let grid = Grid::parse(from, Some(shape)).unwrap();
            let board = packed(&grid).unwrap();
            assert_eq!(board.hex(shape), to, "{from}");
            let rules = Rules::new(shape).unwrap();
            assert_eq!(rules.legal_moves(board), grid.legal_moves(), "{from}");
        }
        // A 65536 fits no packed board as it is.
        let mut exponents = [0; 16];
        exponents[0] = 16;
        exponents[5] = 15;
        let grid = Grid::from_exponents(shape, &exponents).unwrap();
        assert_eq!(packed(&grid).unwrap().hex(shape), "0xf0000e0000000000");
    }
}
