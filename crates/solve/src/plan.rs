//! Resources and precision of solving.

use tilebase_count::CountPlan;
use tilebase_game::{Shape, Variant};
use tilebase_index::LayerCount;
use tilebase_table::Objective;

use crate::error::SolveError;

/// Bytes of memory that solving needs, given the counted layers and the number of positions of
/// each.
pub(crate) fn memory_needed(
    layers: &[LayerCount],
    objective: Objective,
    positions: impl Fn(u32) -> u64,
) -> u64 {
    let word = 8 * objective.value_kind().words() as u64;
    let states = |layer: &LayerCount| layer.states.iter().sum::<u64>();
    let mut memory = 0;
    for (i, layer) in layers.iter().enumerate() {
        // The layer itself and the two above: bits, ranks and values; its afterstates twice,
        // and the file being encoded.
        let above = layers[i..].iter().take(3);
        // A bit for each position, and four bytes more for every eight of the bits.
        let sets = |sum: u32| positions(sum) * 3 / 16;
        let bytes: u64 = above
            .map(|layer| sets(layer.sum) + word * states(layer))
            .sum();
        let own = sets(layer.sum) + 3 * word * layer.afterstates + 2 * states(layer);
        // The layer above is encoded meanwhile.
        let encoded = layers.get(i + 1);
        let own = own + encoded.map_or(0, |above| sets(above.sum) + 2 * word * above.afterstates);
        memory = memory.max(bytes + own + word * states(layer));
    }
    memory + (64 << 20)
}

/// The relative error bound of values after a number of layers, and the tolerance for ties.
///
/// A mean is a sum of at most as many terms as there are cells, each with a weight, divided by
/// the number of cells; taking the other side of a probability, adding the reward of a move or
/// multiplying by the discount adds a few more roundings, and the two bits of a category count as
/// four. No step subtracts, so relative errors only add up.
pub(crate) fn precision(shape: Shape, layers: usize) -> (f64, f64) {
    let roundings = (shape.cells() as f64 + 10.0) * layers as f64;
    let bound = roundings * f64::EPSILON / 2.0 * 1.001;
    (bound, 2.0 * bound)
}

/// A rough estimate of what solving needs.
#[derive(Clone, Copy, Debug)]
pub struct SolveEstimate {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of disk space for the table and intermediate files.
    pub disk: u64,
    /// Seconds.
    pub seconds: f64,
    /// The part of the memory that every process needs, however many share the work.
    fixed: u64,
}

impl SolveEstimate {
    /// Bytes of memory of each of several processes.
    pub fn process_memory(&self, processes: usize) -> u64 {
        self.fixed + (self.memory - self.fixed) / processes.max(1) as u64
    }
}

/// Estimates what solving needs, from measurements of other games; with rounded values, if they are.
pub fn estimate(
    variant: &Variant,
    objective: Objective,
    threads: usize,
    rounded: bool,
) -> Result<SolveEstimate, SolveError> {
    if objective.needs_target() && variant.target().is_none() {
        return Err(SolveError::Target(objective.name()));
    }
    let plan = CountPlan::sizes(variant, u64::MAX)?;
    let count = plan.estimate(variant, threads);
    // A state takes about five bits in the packed sets. The more cells, the fewer afterstates
    // per state.
    let states = count.disk_bytes as f64 * 8.0 / 5.0;
    let walls = variant.formation().map_or(0, |formation| formation.walls());
    let ratio = match variant.shape().cells() - u16::from(walls) {
        ..=9 => 0.7,
        10..=12 => 0.5,
        _ => 0.25,
    };
    let word = 8.0 * objective.value_kind().words() as f64;
    let share = plan.layer_bytes() as f64 / plan.total_bytes.max(1) as f64;
    let layer = states * share * word * (3.0 + 3.0 * ratio);
    let fixed = plan.table_bytes + (64 << 20);
    Ok(SolveEstimate {
        memory: (6.0 * plan.layer_bytes() as f64 + layer) as u64 + fixed,
        fixed,
        disk: match rounded {
            false => (states * (1.5 + ratio * (word + 1.2))) as u64,
            // The afterstates of two layers of three.
            true => (states * ratio * (2.0 + 0.7) * 2.0 / 3.0) as u64,
        },
        seconds: count.seconds * 1.5 + states * NANOSECONDS * 1e-9 / threads as f64,
    })
}

/// Nanoseconds a state on one thread, roughly.
const NANOSECONDS: f64 = 200.0;
