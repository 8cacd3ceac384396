//! Positions whose values are asked for, answered when the pass comes by.

use std::collections::BTreeMap;

use cudarc::driver::CudaSlice;
use tilebase_count::GpuSteps;
use tilebase_game::{Board, Move, Rules, Variant};
use tilebase_index::{LayerPlaces, Places};
use tilebase_table::Objective;

use crate::error::SolveError;

use super::Width;
use super::kernels::Kernels;
use super::ranked::Ranked;

/// A set and its worths.
type Known<'a> = Option<(&'a Ranked, &'a CudaSlice<u64>)>;

/// A position, and what was found of it: bits of worths as the processor has them.
pub(super) struct Question {
    pub board: Board,
    units: usize,
    positions: [u64; 5],
    /// The worth of the state; `None` if it is not among the live ones.
    pub state: Option<u64>,
    /// Legal moves with the boards after them; the worth of those that do not win.
    pub moves: Vec<(Move, Board, Option<u64>)>,
}

impl Question {
    pub fn new(
        variant: &Variant,
        rules: &Rules,
        places: &Places,
        layer: &LayerPlaces,
        board: Board,
    ) -> Question {
        let position = |board: Board| position(layer, places, variant, board);
        let slides = Move::ALL.into_iter().zip(rules.slides(board));
        let moves: Vec<_> = slides
            .filter(|&(_, after)| after != board)
            .map(|(m, after)| (m, after, None))
            .collect();
        let mut positions = [u64::MAX; 5];
        positions[0] = position(board);
        for (to, (_, after, _)) in positions[1..].iter_mut().zip(&moves) {
            *to = position(*after);
        }
        Question {
            board,
            units: board.sum() as usize / 2,
            positions,
            state: None,
            moves,
        }
    }
}

/// Positions by their layers.
pub(super) struct Questions {
    pub all: Vec<Question>,
    by_units: BTreeMap<usize, Vec<usize>>,
    objective: Objective,
}

impl Questions {
    pub fn new(all: Vec<Question>, objective: Objective) -> Questions {
        let mut by_units: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, question) in all.iter().enumerate() {
            by_units.entry(question.units).or_default().push(i);
        }
        Questions {
            all,
            by_units,
            objective,
        }
    }

    /// Looks up the positions of a layer and their moves.
    pub fn ask(
        &mut self,
        units: usize,
        steps: &GpuSteps,
        kernels: &Kernels,
        width: Width,
        [states, after]: [Known; 2],
    ) -> Result<(), SolveError> {
        let Some(asked) = self.by_units.get(&units) else {
            return Ok(());
        };
        let objective = self.objective;
        let widen = |bits: Option<u64>| bits.map(|bits| width.widened(objective, bits));
        if let Some(states) = states {
            let positions: Vec<u64> = asked.iter().map(|&i| self.all[i].positions[0]).collect();
            let found = kernels.look_up(steps, states, &positions, width)?;
            for (&i, found) in asked.iter().zip(found) {
                self.all[i].state = widen(found);
            }
        }
        if let Some(after) = after {
            let positions = asked
                .iter()
                .flat_map(|&i| self.all[i].positions[1..].to_vec());
            let positions: Vec<u64> = positions.collect();
            let found = kernels.look_up(steps, after, &positions, width)?;
            for (&i, found) in asked.iter().zip(found.chunks_exact(4)) {
                for ((_, _, worth), &found) in self.all[i].moves.iter_mut().zip(found) {
                    *worth = widen(found);
                }
            }
        }
        Ok(())
    }
}

/// The position of a board's canonical image; past all layers for one that is won.
fn position(layer: &LayerPlaces, places: &Places, variant: &Variant, board: Board) -> u64 {
    if variant.target().is_some_and(|target| board.reaches(target)) {
        return u64::MAX;
    }
    let position = layer.position(places.canonical(board));
    position.unwrap_or(u64::MAX)
}
