//! What can arise in a formation, and counts of it up to symmetry.

use std::collections::{BTreeMap, BTreeSet};

use super::{Board, Cells, Formation, Slide};

/// What can arise with one tile sum: boards as they are, not up to symmetry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// The states with an allowed slide.
    pub live: BTreeSet<Board>,
    /// The states without an allowed slide.
    pub lost: BTreeSet<Board>,
    /// The boards after a slide that are not won.
    pub afterstates: BTreeSet<Board>,
}

/// The number of classes in a layer: boards that are images of each other count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Classes of live states.
    pub live: usize,
    /// Classes of lost states.
    pub lost: usize,
    /// Classes of afterstates that are not won.
    pub afterstates: usize,
}

/// A way to turn and mirror a board that keeps its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Where each cell goes: from, to.
    pub moves: BTreeMap<(usize, usize), (usize, usize)>,
}

impl Symmetry {
    /// The image of a set of cells.
    pub fn of_cells(&self, cells: &Cells) -> Cells {
        cells.iter().map(|at| self.moves[at]).collect()
    }

    /// The image of a board.
    pub fn of_board(&self, board: &Board) -> Board {
        let mut image = Board::empty(board.rows(), board.cols());
        for (&from, &to) in &self.moves {
            image.set(to, board.get(from));
        }
        image
    }
}

/// All different ways to turn and mirror a shape.
fn symmetries_of_shape(rows: usize, cols: usize) -> Vec<Symmetry> {
    let mut symmetries = Vec::new();
    // The diagonal exchanges rows and columns, so only squares keep their shape.
    let diagonal: &[bool] = if rows == cols {
        &[false, true]
    } else {
        &[false]
    };
    for &exchange in diagonal {
        for upside_down in [false, true] {
            for mirror in [false, true] {
                let mut moves = BTreeMap::new();
                for from in Board::empty(rows, cols).all_cells() {
                    let (row, col) = if exchange { (from.1, from.0) } else { from };
                    let row = if upside_down { rows - 1 - row } else { row };
                    let col = if mirror { cols - 1 - col } else { col };
                    moves.insert(from, (row, col));
                }
                // In a single row, upside down is no change.
                let symmetry = Symmetry { moves };
                if !symmetries.contains(&symmetry) {
                    symmetries.push(symmetry);
                }
            }
        }
    }
    symmetries
}

impl Formation {
    /// All states that arise from start states by allowed slides and spawns, and the
    /// afterstates between them, by tile sum.
    pub fn reachable(&self) -> BTreeMap<u64, Layer> {
        let mut states: BTreeMap<u64, BTreeSet<Board>> = BTreeMap::new();
        for state in self.starts().into_keys() {
            states.entry(state.sum()).or_default().insert(state);
        }
        let mut layers = BTreeMap::new();
        // A slide keeps the sum and a spawn raises it: a layer is complete when those below
        // are done.
        while let Some((sum, states_here)) = states.pop_first() {
            let mut layer = Layer::default();
            for state in states_here {
                let slides = self.slides(&state);
                if slides.iter().all(|slide| *slide == Slide::NotAllowed) {
                    layer.lost.insert(state);
                } else {
                    layer.live.insert(state);
                }
                for slide in slides {
                    if let Slide::After { board, .. } = slide {
                        layer.afterstates.insert(board);
                    }
                }
            }
            for after in &layer.afterstates {
                for (_, state) in self.spawns(after) {
                    states.entry(state.sum()).or_default().insert(state);
                }
            }
            layers.insert(sum, layer);
        }
        layers
    }

    /// The symmetries of the shape that map the set of masks to itself and the goal cells to
    /// themselves.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let masks: BTreeSet<Cells> = self.masks.iter().cloned().collect();
        let mut symmetries = symmetries_of_shape(self.rows, self.cols);
        symmetries.retain(|symmetry| {
            let images: BTreeSet<Cells> = masks.iter().map(|m| symmetry.of_cells(m)).collect();
            images == masks && symmetry.of_cells(&self.goals) == self.goals
        });
        symmetries
    }

    /// The boards of a set up to symmetry: of each class the image that sorts first.
    pub fn classes<'a>(&self, boards: impl IntoIterator<Item = &'a Board>) -> BTreeSet<Board> {
        let symmetries = self.symmetries();
        let mut classes = BTreeSet::new();
        for board in boards {
            // One symmetry changes nothing, so the board itself is among the images.
            classes.extend(symmetries.iter().map(|s| s.of_board(board)).min());
        }
        classes
    }

    /// The number of live states, lost states and afterstates of each layer up to symmetry.
    pub fn census(&self, layers: &BTreeMap<u64, Layer>) -> BTreeMap<u64, Count> {
        let mut census = BTreeMap::new();
        for (&sum, layer) in layers {
            let count = Count {
                live: self.classes(&layer.live).len(),
                lost: self.classes(&layer.lost).len(),
                afterstates: self.classes(&layer.afterstates).len(),
            };
            census.insert(sum, count);
        }
        census
    }
}
