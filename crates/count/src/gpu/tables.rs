//! The tables of a game on the GPU.

use cudarc::driver::{CudaSlice, DevicePtr, DeviceRepr};
use tilebase_game::{Board, Move, Rules, Shape};

use crate::error::CountError;
use tilebase_index::space::Space;

use super::device::Gpu;

/// All tables, and what the kernels are given to find them: pointers and numbers of eight
/// bytes in the order of `Tables` in ground.cu.
pub(super) struct GpuTables {
    pub list: CudaSlice<u64>,
    /// What the pointers point to.
    _words: Vec<CudaSlice<u64>>,
    _halves: Vec<CudaSlice<u32>>,
    _rows: Vec<CudaSlice<u16>>,
}

/// Lists by their number, in the order of the pointers.
struct Pointers<'a> {
    gpu: &'a Gpu,
    list: Vec<u64>,
}

impl Pointers<'_> {
    fn add<T: bytemuck::Pod + DeviceRepr>(
        &mut self,
        kept: &mut Vec<CudaSlice<T>>,
        list: &[T],
    ) -> Result<(), CountError> {
        let slice = self.gpu.upload(list)?;
        let (pointer, _) = slice.device_ptr(&self.gpu.stream);
        self.list.push(pointer);
        kept.push(slice);
        Ok(())
    }
}

impl GpuTables {
    pub fn new(gpu: &Gpu, space: &Space) -> Result<GpuTables, CountError> {
        let (mut words, mut halves, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut pointers = Pointers {
            gpu,
            list: Vec::new(),
        };
        let (tops, bottoms) = (&space.tops, &space.bottoms);
        pointers.add(&mut words, &space.rows.infos())?;
        pointers.add(&mut halves, tops.halves.list())?;
        pointers.add(&mut halves, tops.halves.before())?;
        pointers.add(&mut halves, &tops.sources)?;
        pointers.add(&mut halves, &tops.first_source)?;
        pointers.add(&mut halves, bottoms.halves.list())?;
        pointers.add(&mut halves, bottoms.halves.before())?;
        pointers.add(&mut halves, &bottoms.mirror)?;
        for list in bottoms.turned.iter().chain(&bottoms.drops) {
            pointers.add(&mut halves, list)?;
        }
        for list in &bottoms.first_drop {
            pointers.add(&mut halves, list)?;
        }
        for list in bottoms.unmoved.iter().chain([&bottoms.stuck]) {
            pointers.add(&mut words, list)?;
        }
        let shape = space.rules.shape();
        for cells in [shape.rows(), shape.cols()] {
            for m in [Move::Left, Move::Right] {
                pointers.add(&mut rows, &slides(space, cells, m)?)?;
            }
        }
        for exponent in 0..16 {
            let set = bottoms.up_to.get(exponent);
            pointers.add(&mut words, set.map_or(&[][..], Vec::as_slice))?;
        }
        pointers.add(&mut words, space.rows.all_sides())?;
        let cells = |choose: &dyn Fn(u8, u8) -> bool| {
            let all = (0..shape.rows()).flat_map(|r| (0..shape.cols()).map(move |c| (r, c)));
            all.filter(|&(r, c)| choose(r, c))
                .fold(0, |set, (r, c)| set | Board::EMPTY.with(r, c, 1).bits())
        };
        let mut list = pointers.list;
        list.extend([
            space.rows.gap().into(),
            tops.halves.width() as u64,
            bottoms.halves.width() as u64,
            space.top_rows as u64,
            space.bottom_rows as u64,
            space.largest.into(),
            space.is_square().into(),
            cells(&|_, _| true),
            cells(&|_, c| c + 1 < shape.cols()),
            cells(&|r, _| r + 1 < shape.rows()),
            space.weighed(),
        ]);
        Ok(GpuTables {
            list: gpu.upload(&list)?,
            _words: words,
            _halves: halves,
            _rows: rows,
        })
    }
}

/// What a slide makes of every line of so many cells, read as a row: for columns left is up,
/// right is down.
fn slides(space: &Space, cells: u8, m: Move) -> Result<Vec<u16>, CountError> {
    let line = Shape::new(1, cells).unwrap_or(Shape::SINGLE);
    let rules = Rules::new(line).map_err(CountError::from)?;
    let slide = |row: u16| {
        let board = Board::from_bits(u64::from(row) << 48);
        // Others are in no state.
        if board.reaches(space.largest + 1) {
            row
        } else {
            rules.slide(board, m).row(0)
        }
    };
    Ok((0..=u16::MAX).map(slide).collect())
}
