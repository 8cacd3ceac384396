//! The tables of a game on the GPU.

use bytemuck::{Pod, Zeroable};
use cudarc::driver::DevicePtr;
use tilebase_game::{Board, Move, Rules, Shape};
use tilebase_index::space::Space;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::layout::CudaType;
use crate::{DeviceRepr, GpuBuffer};

/// An address on the GPU.
pub type GpuPointer = u64;

/// The address of a buffer.
pub fn address<T>(gpu: &Gpu, buffer: &GpuBuffer<T>) -> GpuPointer {
    buffer.device_ptr(gpu.stream()).0
}

/// Where kernels find the tables of a game, and some numbers: `Tables` in common.cu.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Tables {
    row_info: [GpuPointer; 4],
    top_list: GpuPointer,
    top_before: GpuPointer,
    sources: GpuPointer,
    first_source: GpuPointer,
    bottom_list: GpuPointer,
    bottom_before: GpuPointer,
    mirror: GpuPointer,
    turned: [GpuPointer; 4],
    drops: [GpuPointer; 2],
    first_drop: [GpuPointer; 2],
    unmoved: [GpuPointer; 2],
    stuck: GpuPointer,
    column_slide: [GpuPointer; 2],
    row_slide: [GpuPointer; 2],
    up_to: [GpuPointer; 16],
    sides: GpuPointer,
    mask_bottoms: [GpuPointer; 16],
    gap: u64,
    top_width: u64,
    bottom_width: u64,
    top_rows: u64,
    bottom_rows: u64,
    largest: u64,
    square: u64,
    cells: u64,
    with_right: u64,
    with_lower: u64,
    weighed: u64,
    folded: u64,
    natural: u64,
    role_shift: [u64; 4],
    role_bits: [u64; 4],
    symmetries: u64,
    walls: u64,
    mask_count: u64,
    masks: [u64; 16],
    mask_tops: [u64; 16],
    check_masks: u64,
    most: u64,
    target: u64,
    goal: u64,
}

crate::cuda_struct! {
    Tables = "Tables" {
        row_info, top_list, top_before, sources, first_source, bottom_list, bottom_before,
        mirror, turned, drops, first_drop, unmoved, stuck, column_slide, row_slide, up_to,
        sides, mask_bottoms, gap, top_width, bottom_width, top_rows, bottom_rows, largest, square,
        cells, with_right, with_lower, weighed, folded, natural, role_shift, role_bits,
        symmetries, walls, mask_count, masks, mask_tops, check_masks, most, target, goal,
    }
}

/// The tables of a game, and the lists that they point to.
pub(crate) struct GpuTables {
    pub tables: GpuBuffer<Tables>,
    _lists: Lists,
}

/// The lists that tables point to.
#[derive(Default)]
struct Lists {
    words: Vec<GpuBuffer<u64>>,
    halves: Vec<GpuBuffer<u32>>,
    rows: Vec<GpuBuffer<u16>>,
}

/// Uploads a list, keeps it, and returns its address.
fn add<T: Pod + DeviceRepr + CudaType>(
    gpu: &Gpu,
    kept: &mut Vec<GpuBuffer<T>>,
    list: &[T],
) -> Result<GpuPointer, GpuError> {
    let buffer = gpu.upload(list)?;
    let pointer = address(gpu, &buffer);
    kept.push(buffer);
    Ok(pointer)
}

/// Uploads several lists.
fn add_all<T: Pod + DeviceRepr + CudaType, const N: usize>(
    gpu: &Gpu,
    kept: &mut Vec<GpuBuffer<T>>,
    lists: [&[T]; N],
) -> Result<[GpuPointer; N], GpuError> {
    let mut pointers = [0; N];
    for (pointer, list) in pointers.iter_mut().zip(lists) {
        *pointer = add(gpu, kept, list)?;
    }
    Ok(pointers)
}

impl GpuTables {
    /// Uploads the tables of a space.
    pub fn new(gpu: &Gpu, space: &Space) -> Result<GpuTables, GpuError> {
        let mut lists = Lists::default();
        let (words, halves, rows) = (&mut lists.words, &mut lists.halves, &mut lists.rows);
        let (tops, bottoms) = (&space.tops, &space.bottoms);
        let shape = space.rules.shape();
        let up_to = |exponent: usize| bottoms.up_to.get(exponent).map_or(&[][..], Vec::as_slice);
        let (variant, masks) = (&space.cut.variant, space.rules.masks());
        let symmetries = space.rules.symmetries();
        let mask_bottoms = |i: usize| {
            let sets = space.masks.as_ref().and_then(|masks| masks.bottoms.get(i));
            sets.map_or(&[][..], Vec::as_slice)
        };
        let mask_tops = |i: usize| {
            let tops = space.masks.as_ref().and_then(|masks| masks.tops.get(i));
            tops.map_or(0, |&top| top.into())
        };
        let [columns, row_lines] = [shape.rows(), shape.cols()];
        let slide = |cells, m| slides(space, cells, m);
        let tables = Tables {
            row_info: row_infos(gpu, words, space)?,
            top_list: add(gpu, halves, tops.halves.list())?,
            top_before: add(gpu, halves, tops.halves.before())?,
            sources: add(gpu, halves, &tops.sources)?,
            first_source: add(gpu, halves, &tops.first_source)?,
            bottom_list: add(gpu, halves, bottoms.halves.list())?,
            bottom_before: add(gpu, halves, bottoms.halves.before())?,
            mirror: add(gpu, halves, &bottoms.mirror)?,
            turned: add_all(gpu, halves, bottoms.turned.each_ref().map(Vec::as_slice))?,
            drops: add_all(gpu, halves, bottoms.drops.each_ref().map(Vec::as_slice))?,
            first_drop: add_all(
                gpu,
                halves,
                bottoms.first_drop.each_ref().map(Vec::as_slice),
            )?,
            unmoved: add_all(gpu, words, bottoms.unmoved.each_ref().map(Vec::as_slice))?,
            stuck: add(gpu, words, &bottoms.stuck)?,
            column_slide: [
                add(gpu, rows, &slide(columns, Move::Left)?)?,
                add(gpu, rows, &slide(columns, Move::Right)?)?,
            ],
            row_slide: [
                add(gpu, rows, &slide(row_lines, Move::Left)?)?,
                add(gpu, rows, &slide(row_lines, Move::Right)?)?,
            ],
            up_to: add_all(gpu, words, std::array::from_fn(up_to))?,
            sides: add(gpu, words, space.rows[0].all_sides())?,
            mask_bottoms: add_all(gpu, words, std::array::from_fn(mask_bottoms))?,
            gap: space.rows[0].gap().into(),
            top_width: tops.halves.width() as u64,
            bottom_width: bottoms.halves.width() as u64,
            top_rows: space.top_rows as u64,
            bottom_rows: space.bottom_rows as u64,
            largest: space.largest.into(),
            square: space.is_closed_across().into(),
            cells: cells(shape, |_, _| true),
            with_right: cells(shape, |_, c| c + 1 < shape.cols()),
            with_lower: cells(shape, |r, _| r + 1 < shape.rows()),
            weighed: space.weighed(),
            folded: space.cut.folded.into(),
            natural: space.is_natural().into(),
            role_shift: space.roles().map(|(shift, _)| shift.into()),
            role_bits: space.roles().map(|(_, bits)| bits.into()),
            symmetries: symmetries.fold(0, |set, symmetry| set | 1 << symmetry as u64),
            walls: space.cut.walls as u64,
            mask_count: masks.len() as u64,
            masks: std::array::from_fn(|i| masks.get(i).copied().unwrap_or(0)),
            mask_tops: std::array::from_fn(mask_tops),
            check_masks: space.masks.is_some().into(),
            most: space.rules.most_exponent().into(),
            target: variant.target().unwrap_or(0).into(),
            goal: variant
                .formation()
                .map_or(0, |formation| formation.goal().board().bits()),
        };
        Ok(GpuTables {
            tables: gpu.upload(&[tables])?,
            _lists: lists,
        })
    }
}

/// Uploads the rows of each role, once if they are all the same.
fn row_infos(
    gpu: &Gpu,
    kept: &mut Vec<GpuBuffer<u64>>,
    space: &Space,
) -> Result<[GpuPointer; 4], GpuError> {
    let mut pointers = [add(gpu, kept, &space.rows[0].infos())?; 4];
    if !space.cut.folded {
        for (pointer, rows) in pointers.iter_mut().zip(&space.rows).skip(1) {
            *pointer = add(gpu, kept, &rows.infos())?;
        }
    }
    Ok(pointers)
}

/// The lowest bits of chosen cells.
fn cells(shape: Shape, choose: impl Fn(u8, u8) -> bool) -> u64 {
    let all = (0..shape.rows()).flat_map(|r| (0..shape.cols()).map(move |c| (r, c)));
    all.filter(|&(r, c)| choose(r, c))
        .fold(0, |set, (r, c)| set | Board::EMPTY.with(r, c, 1).bits())
}

/// The result of a slide for every line of a number of cells, read as a row: for columns left
/// means up and right means down.
fn slides(space: &Space, cells: u8, m: Move) -> Result<Vec<u16>, GpuError> {
    let line = Shape::new(1, cells).unwrap_or(Shape::SINGLE);
    let rules = Rules::new(line).map_err(GpuError::Shape)?;
    let slide = |row: u16| {
        let board = Board::from_bits(u64::from(row) << 48);
        // Lines with a target tile are in no state.
        let tiles = match space.cut.walls {
            0 => board,
            _ => board.without_walls(),
        };
        if tiles.reaches(space.largest + 1) {
            row
        } else {
            rules.slide(board, m).row(0)
        }
    };
    Ok((0..=u16::MAX).map(slide).collect())
}
