//! One step down: from the states that are won for Slider to the afterstates one layer or two
//! below, and from these to the states of their own layer.

use tilebase_game::{Board, Rules, Variant};
use tilebase_index::{BoardIndex, BoardSet, Imaging, LayerBits};
use tilebase_util::progress::Progress;

use super::batch::{LookupBatch, all, bits, mark};
use super::error::LayersError;

/// What a step needs to know of the game.
pub(super) struct BackwardStep {
    /// The rules of the shape that stands upright.
    rules: Rules,
    /// The game with its boards upright.
    variant: Variant,
    imaging: Imaging,
}

/// A tile that Dropper may drop, and the marks of the states where Slider wins after it. Without
/// marks no state there is live, and all are lost.
pub(super) type DropWins<'a> = (u8, Option<&'a LayerBits>);

impl BackwardStep {
    /// The steps of a game to a target.
    pub fn new(index: &BoardIndex) -> BackwardStep {
        BackwardStep {
            rules: *index.rules(),
            variant: index.space().cut.variant,
            imaging: Imaging::new(*index.rules()),
        }
    }

    /// The afterstates of a layer from which every drop leads to a state that Slider wins.
    pub fn afterstates(
        &self,
        set: &BoardSet,
        drops: &[DropWins],
        progress: &dyn Progress,
    ) -> Result<LayerBits, LayersError> {
        let Some(drops) = known(drops) else {
            return LayerBits::new(set.index().clone()).map_err(LayersError::system);
        };
        let compute = |boards: &[Board], batch: &mut LookupBatch| self.safe(boards, &drops, batch);
        mark(set, progress, compute, |_| ())
    }

    /// Whether every drop on a board leads to a state that Slider wins.
    pub fn is_safe(&self, board: Board, drops: &[DropWins]) -> bool {
        known(drops)
            .is_some_and(|drops| self.safe(&[board], &drops, &mut LookupBatch::default()) == 1)
    }

    /// Calls `visit` with the canonical state after each drop of a tile on a board.
    #[cfg(not(target_family = "wasm"))]
    pub fn for_each_drop(&self, board: Board, exponent: u8, mut visit: impl FnMut(Board)) {
        let images = self.imaging.images(board);
        let mut cells = self.rules.empty_cells(board);
        while cells != 0 {
            let at = cells.trailing_zeros();
            cells &= cells - 1;
            visit(self.imaging.canonical(&images, at, exponent.into()));
        }
    }

    /// The boards after the legal slides of a state.
    #[cfg(not(target_family = "wasm"))]
    pub fn slides(&self, board: Board) -> impl Iterator<Item = Board> {
        let slides = self.rules.slides(board).into_iter();
        slides.filter(move |&after| after != board)
    }

    /// Whether a slide of a state makes the target.
    #[cfg(not(target_family = "wasm"))]
    pub fn wins_at_once(&self, board: Board) -> bool {
        self.slides(board).any(|after| self.variant.is_won(after))
    }

    /// The states of a layer from which some slide makes the target or leads to an afterstate
    /// that Slider wins.
    pub fn states(
        &self,
        set: &BoardSet,
        afterstates: &LayerBits,
        progress: &dyn Progress,
    ) -> Result<LayerBits, LayersError> {
        let compute =
            |boards: &[Board], batch: &mut LookupBatch| self.won(boards, afterstates, batch);
        mark(set, progress, compute, |states| progress.advance(states))
    }

    /// Which of some afterstates are won, a bit for each.
    ///
    /// In large layers every lookup waits for memory. So boards are taken together, and
    /// finding positions and asking for them are loops of their own, whose turns do not depend
    /// on each other: the processor waits for many of them at a time. SearchConfig a few drops of
    /// each board up first, as one that is bad settles it, was not faster.
    fn safe(&self, boards: &[Board], drops: &[(u8, &LayerBits)], batch: &mut LookupBatch) -> u64 {
        batch.images.clear();
        let images = boards.iter().map(|&board| self.imaging.images(board));
        batch.images.extend(images);
        let mut safe = all(boards.len());
        for &(exponent, states) in drops {
            // A drop that is bad for Slider settles a board, whatever the next tile does.
            for i in bits(safe) {
                let mut cells = self.rules.empty_cells(boards[i]);
                while cells != 0 {
                    let at = cells.trailing_zeros();
                    cells &= cells - 1;
                    let images = &batch.images[i];
                    let state = self.imaging.canonical(images, at, exponent.into());
                    batch.add(i, states.index().position(state));
                }
            }
            safe &= !batch.ask(states, false);
        }
        safe
    }

    /// Which of some states are won, a bit for each. The first slides are looked up alone: where
    /// most states are won, they mostly settle it.
    fn won(&self, boards: &[Board], afterstates: &LayerBits, batch: &mut LookupBatch) -> u64 {
        let index = afterstates.index();
        let mut won = 0;
        batch.slides.clear();
        for (i, &board) in boards.iter().enumerate() {
            let slides = self.rules.slides(board);
            let wins = |&after: &Board| after != board && self.variant.is_won(after);
            won |= u64::from(slides.iter().any(wins)) << i;
            batch.slides.push(slides);
        }
        for i in bits(all(boards.len()) & !won) {
            if let Some(&after) = batch.slides[i].iter().find(|&&after| after != boards[i]) {
                batch.add(i, index.canonical_position(after));
            }
        }
        won |= batch.ask(afterstates, true);
        for i in bits(all(boards.len()) & !won) {
            let slides = batch.slides[i].into_iter();
            for after in slides.filter(|&after| after != boards[i]).skip(1) {
                batch.add(i, index.canonical_position(after));
            }
        }
        won | batch.ask(afterstates, true)
    }
}

/// The drops with their marks, if none of them leads to lost states only.
fn known<'a>(drops: &[DropWins<'a>]) -> Option<Vec<(u8, &'a LayerBits)>> {
    let known = drops
        .iter()
        .map(|&(exponent, marks)| Some((exponent, marks?)));
    known.collect()
}
