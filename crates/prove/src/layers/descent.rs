//! The way down: from the last layer to the first drop.

use tilebase_index::{BoardIndex, Keep, LayerBits, LayerEntry, Store};
use tilebase_util::progress::{Progress, Unit};

use super::error::LayersError;
use super::report::{LayerResult, SolvedLayer};
use super::step::{BackwardStep, DropWins};
use crate::contest::{Contest, Winner};

/// Goes through the layers from the last down: who wins, and what each layer has.
pub(super) fn descend(
    contest: &Contest,
    index: &BoardIndex,
    store: &Store,
    progress: &dyn Progress,
    visit: &mut (dyn FnMut(&SolvedLayer) + Send),
) -> Result<(Winner, Vec<LayerResult>), LayersError> {
    let step = BackwardStep::new(index);
    let exponents = contest.drops().exponents();
    let layers = &store.manifest().layers;
    progress.begin(Unit::States, Some(layers.iter().map(live_states).sum()));
    let mut above: Vec<LayerBits> = Vec::new();
    let mut results = Vec::new();
    for entry in layers.iter().rev().filter(|entry| live_states(entry) > 0) {
        if progress.interrupted() {
            return Err(LayersError::Interrupted);
        }
        progress.stage(&format!("layer {}", entry.sum));
        let set = store.boards(index, entry, Keep::Afterstates)?;
        let afterstates = step.afterstates(&set, &drops(exponents, entry.sum, &above), progress)?;
        // Of each kind one set is in memory at a time, and the marks that are still needed.
        drop(set);
        above.retain(|marks| marks.index().sum() <= entry.sum + 2);
        let states = store.boards(index, entry, Keep::States)?;
        let wins = step.states(&states, &afterstates, progress)?;
        visit(&SolvedLayer {
            index,
            states: &states,
            wins: &wins,
        });
        results.push(LayerResult {
            sum: entry.sum,
            states: states.len(),
            winning: wins.count(),
            afterstates: entry.afterstates,
            winning_afterstates: afterstates.count(),
        });
        above.push(wins);
    }
    // Dropper begins with the empty board, or with the walls wherever they may stand.
    let mut begins = index.rules().wall_placements().into_iter();
    let first = drops(exponents, 0, &above);
    let winner = match begins.all(|board| step.is_safe(board, &first)) {
        true => Winner::Slider,
        false => Winner::Dropper,
    };
    progress.finish();
    Ok((winner, results))
}

/// What Dropper may drop on boards with a sum.
fn drops<'a>(exponents: &[u8], sum: u32, above: &'a [LayerBits]) -> Vec<DropWins<'a>> {
    let after = |exponent: u8| {
        let sum = sum + (1 << exponent);
        above.iter().find(|marks| marks.index().sum() == sum)
    };
    let drops = exponents.iter();
    drops.map(|&exponent| (exponent, after(exponent))).collect()
}

/// Live states of a layer.
pub(super) fn live_states(entry: &LayerEntry) -> u64 {
    entry.count().states.iter().sum()
}
