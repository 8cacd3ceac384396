//! Canonical forms of all boards that a spawn can make of one, for the price of a few.
//!
//! All images of an afterstate are made once; a new tile has its own place in each. The
//! canonical form is the image with the largest sum in the first half of its rows, then the
//! largest reading, and a new tile adds to the sums of half the images.

use tilebase_game::{Board, Rules, Symmetry};

/// Where cells go under the symmetries of an upright shape.
pub struct Imaging {
    rules: Rules,
    /// Pairs of an image and its mirror image, whose first halves have the same sum.
    pairs: usize,
    /// For each cell, by its lowest bit / 4, and each image, the cell's lowest bit there.
    shifts: [[u8; 8]; 16],
    /// For each cell and pair, all ones if the cell is in the first half there.
    inside: [[u32; 4]; 16],
    /// The first half of the rows; of three rows the first two.
    first_half: u64,
}

/// All images of a board, and the sums of their first halves.
pub struct Images {
    boards: [u64; 8],
    sums: [u32; 4],
}

impl Imaging {
    /// For a shape that is not wider than high.
    pub fn new(rules: Rules) -> Imaging {
        let shape = rules.shape();
        let half = shape.rows().div_ceil(2);
        let first_half = !(u64::MAX.checked_shr(16 * u32::from(half)).unwrap_or(0));
        // A game with fewer symmetries than its shape has its few images made one by one.
        let symmetries = match rules.is_symmetric() {
            true => Symmetry::of(shape),
            false => &[],
        };
        let mut imaging = Imaging {
            rules,
            pairs: symmetries.len() / 2,
            shifts: [[0; 8]; 16],
            inside: [[0; 4]; 16],
            first_half,
        };
        for cell in 0..16 {
            let alone = Board::from_bits(1 << (4 * cell));
            if rules.empty_cells(Board::EMPTY) & alone.bits() == 0 {
                continue;
            }
            for (i, &symmetry) in symmetries.iter().enumerate() {
                let image = rules.image(alone, symmetry).bits();
                imaging.shifts[cell][i] = image.trailing_zeros() as u8;
                if image & first_half != 0 {
                    imaging.inside[cell][i / 2] = u32::MAX;
                }
            }
        }
        imaging
    }

    /// The images of a board.
    #[inline]
    pub fn images(&self, board: Board) -> Images {
        let mut images = Images {
            boards: [board.bits(); 8],
            sums: [0; 4],
        };
        for (i, &symmetry) in Symmetry::ALL[..2 * self.pairs].iter().enumerate() {
            images.boards[i] = self.rules.image(board, symmetry).bits();
        }
        for pair in 0..self.pairs {
            images.sums[pair] = Board::from_bits(images.boards[2 * pair] & self.first_half).sum();
        }
        images
    }

    /// The canonical form of the board with a tile more, at the cell with the lowest bit
    /// `at`.
    #[inline]
    pub fn canonical(&self, images: &Images, at: u32, exponent: u64) -> Board {
        if self.pairs == 0 {
            return self
                .rules
                .canonical(Board::from_bits(images.boards[0] | exponent << at));
        }
        let cell = (at / 4) as usize;
        let (shifts, inside) = (&self.shifts[cell], &self.inside[cell]);
        let value = 1u32 << exponent;
        // Pairs that a shape does not have keep the sum 0, and are never alone in front.
        let sums: [u32; 4] = std::array::from_fn(|i| images.sums[i] + (inside[i] & value));
        let largest = sums[0].max(sums[1]).max(sums[2].max(sums[3]));
        let reading = |pair: usize| {
            let image = |i: usize| images.boards[i] | exponent << shifts[i];
            image(2 * pair).max(image(2 * pair + 1))
        };
        let ahead = (0..4).fold(0u32, |set, i| set | u32::from(sums[i] == largest) << i);
        let first = reading(ahead.trailing_zeros() as usize & 3);
        let mut rest = ahead & (ahead - 1);
        let mut best = first;
        while rest != 0 {
            best = best.max(reading(rest.trailing_zeros() as usize & 3));
            rest &= rest - 1;
        }
        Board::from_bits(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_game::{Rng, Shape};

    #[test]
    fn forms_are_canonical() {
        let mut rng = Rng::new(7);
        for shape in [
            "1x1", "2x1", "2x2", "3x1", "3x2", "3x3", "4x1", "4x2", "4x3", "4x4",
        ] {
            let shape: Shape = shape.parse().unwrap();
            let rules = Rules::new(shape).unwrap();
            let imaging = Imaging::new(rules);
            for _ in 0..2000 {
                let mut board = Board::EMPTY;
                for row in 0..shape.rows() {
                    for col in 0..shape.cols() {
                        if rng.below(3) > 0 {
                            board = board.with(row, col, rng.below(5) as u8);
                        }
                    }
                }
                let images = imaging.images(board);
                for exponent in [1u8, 2] {
                    let mut cells = rules.empty_cells(board);
                    while cells != 0 {
                        let at = cells.trailing_zeros();
                        cells &= cells - 1;
                        let child = Board::from_bits(board.bits() | u64::from(exponent) << at);
                        assert_eq!(
                            imaging.canonical(&images, at, exponent.into()),
                            rules.canonical(child),
                            "{child:?}"
                        );
                    }
                }
            }
        }
    }
}
