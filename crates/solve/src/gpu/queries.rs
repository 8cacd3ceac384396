//! Positions whose values are wanted, looked up when the pass reaches their layer.

use std::collections::BTreeMap;

use tilebase_game::{Board, Move, Rules};
use tilebase_gpu::{Gpu, GpuError};
use tilebase_index::{BoardIndex, LayerIndex};
use tilebase_table::Objective;

use super::Width;
use super::kernels::Kernels;
use super::ranked::Valued;

/// A position and its values, with bits as the processor has them.
pub(super) struct Query {
    pub board: Board,
    units: usize,
    positions: [u64; 5],
    /// The value of the state; `None` if it is not a live state.
    pub state: Option<u64>,
    /// Legal moves with their afterstates, and the values of those that do not win.
    pub moves: Vec<(Move, Board, Option<u64>)>,
}

impl Query {
    pub fn new(rules: &Rules, index: &BoardIndex, layer: &LayerIndex, board: Board) -> Query {
        let position = |board: Board| position(layer, index, board);
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
        Query {
            board,
            units: rules.sum(board) as usize / 2,
            positions,
            state: None,
            moves,
        }
    }
}

/// Queries by their layers.
pub(super) struct Queries {
    pub all: Vec<Query>,
    by_units: BTreeMap<usize, Vec<usize>>,
    objective: Objective,
}

impl Queries {
    pub fn new(all: Vec<Query>, objective: Objective) -> Queries {
        let mut by_units: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (i, query) in all.iter().enumerate() {
            by_units.entry(query.units).or_default().push(i);
        }
        Queries {
            all,
            by_units,
            objective,
        }
    }

    /// Looks up the positions of a layer and their moves.
    pub fn lookup(
        &mut self,
        units: usize,
        gpu: &Gpu,
        kernels: &Kernels,
        width: Width,
        [states, after]: [Option<Valued>; 2],
    ) -> Result<(), GpuError> {
        let Some(wanted) = self.by_units.get(&units) else {
            return Ok(());
        };
        let objective = self.objective;
        let widen = |bits: Option<u64>| bits.map(|bits| width.widened(objective, bits));
        if let Some(states) = states {
            let positions: Vec<u64> = wanted.iter().map(|&i| self.all[i].positions[0]).collect();
            let found = kernels.lookup(gpu, states, &positions, width)?;
            for (&i, found) in wanted.iter().zip(found) {
                self.all[i].state = widen(found);
            }
        }
        if let Some(after) = after {
            let positions = wanted
                .iter()
                .flat_map(|&i| self.all[i].positions[1..].to_vec());
            let positions: Vec<u64> = positions.collect();
            let found = kernels.lookup(gpu, after, &positions, width)?;
            for (&i, found) in wanted.iter().zip(found.chunks_exact(4)) {
                for ((_, _, value), &found) in self.all[i].moves.iter_mut().zip(found) {
                    *value = widen(found);
                }
            }
        }
        Ok(())
    }
}

/// The position of a board's canonical image; the largest number if it is in no layer.
fn position(layer: &LayerIndex, index: &BoardIndex, board: Board) -> u64 {
    if !index.has_room_for(board) {
        return u64::MAX;
    }
    let position = layer.position(index.canonical(board));
    position.unwrap_or(u64::MAX)
}
