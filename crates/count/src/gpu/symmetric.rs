//! The boards that symmetries leave unchanged, on the GPU.

use tilebase_game::Board;
use tilebase_gpu::{Gpu, GpuBuffer, GpuError};

use crate::census::Census;

/// The lists of one kind of symmetry, as `Unchanged` in census.rs.
pub(super) struct GpuUnchanged {
    /// Number of symmetries of the kind.
    pub weight: u64,
    pub one: GpuBuffer<u64>,
    pub one_units: GpuBuffer<u32>,
    pub ones: u32,
    pub other: GpuBuffer<u64>,
    /// Where the boards of a sum begin; one more entry for the end.
    pub first_other: GpuBuffer<u32>,
    /// The largest sum of the other list.
    pub most: u32,
}

impl GpuUnchanged {
    pub fn all(gpu: &Gpu, census: &Census) -> Result<Vec<GpuUnchanged>, GpuError> {
        let kinds = census.kinds();
        let make = |(weight, [one, other]): (u64, [&[Vec<Board>]; 2])| {
            let bits = |lists: &[Vec<Board>]| -> Vec<u64> {
                lists.iter().flatten().map(|board| board.bits()).collect()
            };
            let units: Vec<u32> = (0u32..)
                .zip(one)
                .flat_map(|(units, boards)| std::iter::repeat_n(units, boards.len()))
                .collect();
            let mut first = vec![0u32];
            for boards in other {
                first.push(first.last().copied().unwrap_or(0) + boards.len() as u32);
            }
            Ok(GpuUnchanged {
                weight,
                one: gpu.upload(&bits(one))?,
                ones: units.len() as u32,
                one_units: gpu.upload(&units)?,
                other: gpu.upload(&bits(other))?,
                most: other.len() as u32 - 1,
                first_other: gpu.upload(&first)?,
            })
        };
        kinds.map(make).collect()
    }
}
