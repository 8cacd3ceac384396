//! Upper bounds on the number of states, by combinatorics alone.

use std::collections::BTreeMap;

use tilebase_game::Shape;

/// Two bounds on the number of states of a game, both from the series *The Mathematics of
/// 2048*. Boards that are turns or mirror images of each other count separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The boards with tiles below the target, at least two tiles and among them a 2 or a
    /// 4, plus one for the win state.
    pub baseline: u128,
    /// The same boards, but only those of the layers (equal sums of tiles) that come before
    /// the first two empty layers in a row, plus one for the win state.
    ///
    /// A new tile adds 2 or 4 to the sum, so that play can pass one empty layer, not two.
    pub layer_reachability: u128,
}

/// The bounds for a shape of at most 16 cells and the target 2^`target`, `target` from 3 to
/// 100. Beyond that the numbers need not fit.
pub fn bounds(shape: Shape, target: u8) -> Bounds {
    let cells = u32::from(shape.cells());
    let kinds = u128::from(target);
    // Boards with at least one 2 or 4, less those where it is the only tile.
    let baseline = kinds.pow(cells) - (kinds - 2).pow(cells) - 2 * u128::from(cells) + 1;

    // Every layer that counts has a sum below 2^(cells + 2), see `last_layer`: larger tiles
    // fit on none of its boards.
    let top = (u32::from(target) - 1).min(cells + 2);
    let last = last_layer(cells, top);
    let with = boards_up_to(last, cells, 1, top);
    let without = boards_up_to(last, cells, 3, top);
    let layer_reachability = with - without - 2 * u128::from(cells) + 1;
    Bounds {
        baseline,
        layer_reachability,
    }
}

/// The sum of the last layer before two empty ones in a row, where the largest tile is
/// 2^`top`; 4 where there is no board at all.
///
/// The walk ends by the sum 2^(cells + 2). A layer has a board if, without one 2 or 4, its
/// sum can be made of at least one and less than `cells` tiles. For the sums 2^(cells + 2)
/// and 2 less, what remains is 2^(cells + 2) less 2, 4 or 6: in binary the first has
/// cells + 1 ones, the others `cells`, and a sum takes at least as many tiles as it has
/// ones.
fn last_layer(cells: u32, top: u32) -> u64 {
    let has_board = |sum: u64| {
        [2, 4]
            .into_iter()
            .any(|tile| sum > tile && fewest_tiles(sum - tile, top) < u64::from(cells))
    };
    let mut last = 4;
    let mut sum = 4;
    while sum <= last + 4 {
        if has_board(sum) {
            last = sum;
        }
        sum += 2;
    }
    last
}

/// The smallest number of tiles up to 2^`top` with this sum: as many of the largest as fit,
/// then one for each binary digit of the rest.
fn fewest_tiles(sum: u64, top: u32) -> u64 {
    let rest = sum & ((1 << top) - 1);
    (sum >> top) + u64::from(rest.count_ones())
}

/// The number of boards with a sum of at most `sum` where each cell is empty or holds a
/// tile from 2^`low` to 2^`top`.
///
/// BoardIndex the largest tiles first, then the next smaller and so on. Boards that have
/// equally many cells and equally much of the sum left are followed together. Once the rest
/// of the sum is enough for every way to fill the rest of the cells, they are done. That
/// leaves at most `cells` rests for each number of cells, however large the sum.
fn boards_up_to(sum: u64, cells: u32, low: u32, top: u32) -> u128 {
    let mut done = 0;
    let mut open = BTreeMap::from([((cells, sum), 1)]);
    for exponent in (low..=top).rev() {
        let mut next = BTreeMap::new();
        for ((cells, sum), boards) in open {
            if sum >= u64::from(cells) << exponent {
                done += boards * u128::from(exponent - low + 2).pow(cells);
                continue;
            }
            // Ways to choose `count` of the cells, each from the one before.
            let mut ways = 1;
            for count in 0..=cells {
                let Some(rest) = sum.checked_sub(u64::from(count) << exponent) else {
                    break;
                };
                *next.entry((cells - count, rest)).or_insert(0) += boards * ways;
                ways = ways * u128::from(cells - count) / u128::from(count + 1);
            }
        }
        open = next;
    }
    // No tile is left to place: the other cells stay empty.
    done + open.into_values().sum::<u128>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: u8, cols: u8, target: u8) -> (u128, u128) {
        let bounds = bounds(Shape::new(rows, cols).unwrap(), target);
        (bounds.baseline, bounds.layer_reachability)
    }

    #[test]
    fn the_published_numbers() {
        for (target, two, three, four) in [
            (3, (73, 73), (19_665, 19_665), (43_046_689, 43_046_689)),
            (
                4,
                (233, 233),
                (261_615, 261_615),
                (4_294_901_729, 4_294_901_729),
            ),
            (
                5,
                (537, 529),
                (1_933_425, 1_933_407),
                (152_544_843_873, 152_544_843_841),
            ),
            (
                6,
                (1_033, 905),
                (9_815_535, 9_814_437),
                (2_816_814_940_129, 2_816_814_934_817),
            ),
            (
                7,
                (1_769, 905),
                (38_400_465, 38_369_571),
                (33_080_342_678_945, 33_080_342_314_753),
            ),
            (
                10,
                (5_897, 905),
                (865_782_255, 786_513_819),
                (9_718_525_023_289_313, 9_718_504_608_259_073),
            ),
            (
                11,
                (8_073, 905),
                (1_970_527_185, 1_400_665_575),
                (44_096_709_674_720_289, 44_096_167_159_459_777),
            ),
        ] {
            assert_eq!(of(2, 2, target), two, "2x2 to 2^{target}");
            assert_eq!(of(3, 3, target), three, "3x3 to 2^{target}");
            assert_eq!(of(4, 4, target), four, "4x4 to 2^{target}");
        }
    }

    /// Both bounds by writing down every board.
    fn by_hand(cells: u32, target: u8) -> (u128, u128) {
        let kinds = u64::from(target);
        let mut layers = BTreeMap::<u64, u128>::new();
        for number in 0..kinds.pow(cells) {
            let tiles: Vec<u64> = (0..cells)
                .map(|cell| number / kinds.pow(cell) % kinds)
                .filter(|&exponent| exponent > 0)
                .collect();
            if tiles.len() >= 2 && tiles.iter().any(|&exponent| exponent <= 2) {
                *layers
                    .entry(tiles.iter().map(|e| 1 << e).sum())
                    .or_default() += 1;
            }
        }
        let baseline = layers.values().sum::<u128>() + 1;
        let mut reachable = 1;
        let mut empty = 0;
        for sum in (4..).step_by(2) {
            let boards = layers.get(&sum).copied().unwrap_or(0);
            reachable += boards;
            empty = if boards == 0 { empty + 1 } else { 0 };
            if empty == 2 {
                break;
            }
        }
        (baseline, reachable)
    }

    #[test]
    fn the_same_as_by_hand() {
        for target in 3..=12 {
            assert_eq!(of(1, 1, target), by_hand(1, target), "1x1 to 2^{target}");
            assert_eq!(of(1, 2, target), by_hand(2, target), "1x2 to 2^{target}");
            assert_eq!(of(1, 3, target), by_hand(3, target), "1x3 to 2^{target}");
            assert_eq!(of(2, 2, target), by_hand(4, target), "2x2 to 2^{target}");
        }
        for target in 3..=9 {
            assert_eq!(of(2, 3, target), by_hand(6, target), "2x3 to 2^{target}");
        }
    }

    #[test]
    fn far_targets_add_no_layers() {
        for (rows, cols) in [(1, 1), (2, 2), (3, 3), (3, 5), (4, 4)] {
            let cells = rows * cols;
            let (_, last) = of(rows, cols, cells + 3);
            for target in [cells + 4, 50, 64, 65, 99, 100] {
                assert_eq!(
                    of(rows, cols, target).1,
                    last,
                    "{rows}x{cols} to 2^{target}"
                );
            }
        }
        assert_eq!(of(4, 4, 100).0, 100_u128.pow(16) - 98_u128.pow(16) - 31);
    }

    #[test]
    fn the_walk_ends_where_it_must() {
        for cells in 2..=16 {
            assert_eq!(last_layer(cells, cells + 2), (1 << (cells + 2)) - 4);
        }
        // A single cell has no board with two tiles.
        assert_eq!(last_layer(1, 3), 4);
    }
}
