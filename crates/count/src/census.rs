//! How many boards of a layer there are up to symmetry.
//!
//! By the lemma of Burnside the number of classes is the mean, over all symmetries, of the
//! number of boards that the symmetry leaves as they are. For the identity that is the
//! number of all boards, which the bits of the folded ones give, each weighted by the
//! images that folding leaves out. For the others it is few boards: they are listed, cell by
//! cell, and looked up. So no board has to be tested for being the canonical one.

use rayon::prelude::*;
use tilebase_game::{Board, MAX_PACKED_EXPONENT, Shape, Symmetry};

use tilebase_index::ByLargest;
use tilebase_index::layer::{Layer, Part, for_each_bit, least_tasks};
use tilebase_index::space::Space;

/// Adds two counts.
fn add(mut a: ByLargest, b: ByLargest) -> ByLargest {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

/// Numbers of boards of a layer, by the exponent of their largest tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All boards.
    pub all: ByLargest,
    /// The lost ones among them.
    pub lost: ByLargest,
}

impl Tally {
    /// The sum of two tallies, such as those of two parts of a layer.
    pub(crate) fn add(self, other: Tally) -> Tally {
        Tally {
            all: add(self.all, other.all),
            lost: add(self.lost, other.lost),
        }
    }

    fn map(self, f: impl Fn(u64) -> u64) -> Tally {
        Tally {
            all: self.all.map(&f),
            lost: self.lost.map(&f),
        }
    }
}

/// Counts the classes of layers of one game.
pub(crate) struct Census {
    /// For one symmetry of each kind: how many are of its kind, and the boards that it
    /// leaves as they are.
    kinds: Vec<(u64, Unchanged)>,
}

impl Census {
    /// Prepares the lists for a shape with tiles up to an exponent.
    pub fn new(space: &Space) -> Census {
        // Symmetries that a turn makes of each other leave equally many boards as they are.
        let kinds: Vec<(u64, Symmetry)> = if !space.rules.is_symmetric() {
            let own = space.rules.symmetries();
            own.filter(|&symmetry| symmetry != Symmetry::Identity)
                .map(|symmetry| (1, symmetry))
                .collect()
        } else if space.rules.shape().is_square() {
            vec![
                (2, Symmetry::Mirror),
                (1, Symmetry::Rotate180),
                (2, Symmetry::Transpose),
                (2, Symmetry::Rotate90),
            ]
        } else {
            vec![
                (1, Symmetry::Mirror),
                (1, Symmetry::Flip),
                (1, Symmetry::Rotate180),
            ]
        };
        let list =
            |&(number, symmetry): &(u64, Symmetry)| (number, Unchanged::new(space, symmetry));
        Census {
            kinds: kinds.iter().map(list).collect(),
        }
    }

    /// For each kind of symmetry how many there are, and the two lists of boards by sum whose
    /// unions it leaves as they are.
    #[cfg(not(target_family = "wasm"))]
    pub fn kinds(&self) -> impl Iterator<Item = (u64, [&[Vec<Board>]; 2])> {
        let kinds = self.kinds.iter();
        kinds.map(|(number, boards)| (*number, boards.parts.each_ref().map(Vec::as_slice)))
    }

    /// How often symmetries leave states of a part of a layer unchanged. Without `detail` all
    /// boards are counted under the game's largest exponent.
    pub fn states(&self, space: &Space, layer: &Layer, part: Part, detail: bool) -> Tally {
        let (rest, lost) = rayon::join(
            || self.afterstates(space, layer, part, detail),
            || lost_boards(space, layer, part, detail),
        );
        rest.add(Tally { all: [0; 16], lost })
    }

    /// The same for a layer without lost boards, such as afterstates.
    pub fn afterstates(&self, space: &Space, layer: &Layer, part: Part, detail: bool) -> Tally {
        let (all, unchanged) = rayon::join(
            || all_boards(space, layer, part, detail),
            || self.unchanged(space, layer, part, detail),
        );
        unchanged.add(Tally { all, lost: [0; 16] })
    }

    /// The boards that symmetries other than the identity leave as they are.
    fn unchanged(&self, space: &Space, layer: &Layer, part: Part, detail: bool) -> Tally {
        let units = layer.layout.units;
        let pairs = self.kinds.iter().flat_map(|(number, boards)| {
            let [_, other] = &boards.parts;
            let sums = boards
                .sums
                .iter()
                .copied()
                .take_while(move |&at| at <= units);
            sums.filter(move |&at| other.get(units - at).is_some_and(|b| !b.is_empty()))
                .map(move |at| (*number, boards, at))
        });
        let count = |(number, boards, at): (u64, &Unchanged, usize)| {
            let found = boards.count(at, space, layer, part, detail);
            found.map(|boards| number * boards)
        };
        if layer.is_small() {
            return pairs.map(count).fold(Tally::default(), Tally::add);
        }
        let pairs: Vec<_> = pairs.collect();
        let least = least_tasks(pairs.len());
        let pairs = pairs.into_par_iter().with_min_len(least);
        pairs.map(count).reduce(Tally::default, Tally::add)
    }

    /// The number of classes, given the tally of a whole layer.
    pub fn classes(&self, tally: Tally) -> Tally {
        let symmetries = 1 + self.kinds.iter().map(|(number, _)| number).sum::<u64>();
        tally.map(|boards| boards / symmetries)
    }
}

/// The number of all boards, folded or not.
fn all_boards(space: &Space, layer: &Layer, part: Part, detail: bool) -> ByLargest {
    layer.fold_rows(
        |block| part.has(block.top_units),
        || [0; 16],
        |sum, block, row, words| {
            if words.iter().all(|&word| word == 0) {
                return;
            }
            let top = space.top(block, row);
            let mirror = mirror_weight(space, top);
            let own = account(space, space.board(top, 0), detail) as u8;
            let mut below = 0;
            for exponent in own..=space.largest {
                let up_to = &space.bottoms.up_to[usize::from(exponent)];
                let up_to = space.bottoms.part(up_to, block.bottom_units);
                let boards = mirror * doubled(words, up_to, block.untied);
                sum[usize::from(exponent)] += boards - below;
                below = boards;
            }
        },
        add,
    )
}

/// The number of bits under a mask, the first `untied` counted twice: those boards stand for
/// their flipped image too.
fn doubled(words: &[u64], mask: &[u64], untied: usize) -> u64 {
    let masked = || words.iter().zip(mask).map(|(word, mask)| word & mask);
    let ones = |word: u64| u64::from(word.count_ones());
    let all: u64 = masked().map(ones).sum();
    if untied >= 64 * words.len() {
        return 2 * all;
    }
    let whole: u64 = masked().take(untied / 64).map(ones).sum();
    let last = masked()
        .nth(untied / 64)
        .map_or(0, |word| ones(word & ((1 << (untied % 64)) - 1)));
    all + whole + last
}

/// The sets of cells that a symmetry exchanges: how many cells, and the lowest bit of each.
fn orbits(shape: Shape, symmetry: Symmetry) -> Vec<(u32, u64)> {
    let mut seen = 0u64;
    let mut orbits = Vec::new();
    for row in 0..shape.rows() {
        for col in 0..shape.cols() {
            let (mut r, mut c) = (row, col);
            let mut cells = 0u64;
            loop {
                let bit = Board::EMPTY.with(r, c, 1).bits();
                if cells & bit != 0 {
                    break;
                }
                cells |= bit;
                (r, c) = symmetry.apply_to_cell(shape, r, c);
            }
            if seen & cells == 0 {
                orbits.push((cells.count_ones(), cells));
            }
            seen |= cells;
        }
    }
    orbits
}

/// The boards that a symmetry leaves as they are: the same tile on all cells of an orbit.
///
/// There are too many to keep, so the orbits are dealt out to two lists, and every such
/// board is the union of one board of each.
struct Unchanged {
    /// Boards by their sum, in units of 2.
    parts: [Vec<Vec<Board>>; 2],
    /// The sums that boards of the first list have, in order.
    sums: Vec<usize>,
}

impl Unchanged {
    fn new(space: &Space, symmetry: Symmetry) -> Unchanged {
        let largest = space.largest;
        let wall = (space.cut.walls > 0).then_some(MAX_PACKED_EXPONENT);
        let orbits = orbits(space.rules.shape(), symmetry);
        let (one, other) = orbits.split_at(orbits.len() / 2);
        let parts = [one, other].map(|orbits| {
            let mut boards = vec![(Board::EMPTY, 0)];
            for &(cells, bits) in orbits {
                let tile = |(board, units): (Board, usize), exponent: u8| {
                    let more = if exponent == 0 || Some(exponent) == wall {
                        0
                    } else {
                        (cells as usize) << (exponent - 1)
                    };
                    let bits = bits * u64::from(exponent);
                    (Board::from_bits(board.bits() | bits), units + more)
                };
                boards = (0..=largest)
                    .chain(wall)
                    .flat_map(|exponent| boards.iter().map(move |&part| tile(part, exponent)))
                    .collect();
            }
            let most = boards.iter().map(|&(_, units)| units).max().unwrap_or(0);
            let mut by_units = vec![Vec::new(); most + 1];
            boards
                .into_iter()
                .for_each(|(board, units)| by_units[units].push(board));
            by_units
        });
        let sums = (0..parts[0].len())
            .filter(|&at| !parts[0][at].is_empty())
            .collect();
        Unchanged { parts, sums }
    }

    /// How many of them are in the layer, of those whose first list has this sum.
    fn count(&self, at: usize, space: &Space, layer: &Layer, part: Part, detail: bool) -> Tally {
        let mut found = Tally::default();
        let [one, other] = &self.parts;
        let rest = layer.layout.units.checked_sub(at);
        let others = rest
            .and_then(|rest| other.get(rest))
            .map_or(&[][..], Vec::as_slice);
        for a in &one[at] {
            for b in others {
                let board = Board::from_bits(a.bits() | b.bits());
                if contains(space, layer, board, part) {
                    let account = account(space, board, detail);
                    found.all[account] += 1;
                    found.lost[account] += u64::from(space.rules.is_lost(board));
                }
            }
        }
        found
    }
}

/// Where a board is counted: by its largest tile, or all together.
pub(crate) fn account(space: &Space, board: Board, detail: bool) -> usize {
    usize::from(if detail {
        space.rules.max_exponent(board)
    } else {
        space.largest
    })
}

/// Whether a board is in a part of a layer. Its folded images are all in one block.
fn contains(space: &Space, layer: &Layer, board: Board, part: Part) -> bool {
    if space.cut.walls > 0 && !space.cut.has_room_for(board) {
        return false;
    }
    let mut found = None;
    space.places(board, |place| found = Some(place));
    found.is_some_and(|place| part.has(place.top_units) && layer.contains(place))
}

/// The number of all lost boards, folded or not.
fn lost_boards(space: &Space, layer: &Layer, part: Part, detail: bool) -> ByLargest {
    layer.fold_rows(
        |block| part.has(block.top_units),
        || [0; 16],
        |sum, block, row, words| {
            let top = space.top(block, row);
            if !space.top_is_stuck(top) {
                return;
            }
            let mirror = mirror_weight(space, top);
            let stuck = space.bottoms.part(&space.bottoms.stuck, block.bottom_units);
            let bottoms = space.bottom_group(block);
            for_each_bit(words.iter().zip(stuck).map(|(w, m)| w & m), |bit| {
                let board = space.board(top, bottoms[bit]);
                if space.rules.is_lost(board) {
                    let flip = if bit < block.untied { 2 } else { 1 };
                    sum[account(space, board, detail)] += mirror * flip;
                }
            });
        },
        add,
    )
}

/// A folded board stands for its mirror image, unless that is folded too.
fn mirror_weight(space: &Space, top: u32) -> u64 {
    if space.counts_once(top) { 1 } else { 2 }
}
