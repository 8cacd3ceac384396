//! Searching many positions at once on a GPU.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use tilebase_expectimax::{
    Evaluation, ExpectimaxOptions, ExpectimaxSearch, MAX_DEPTH, SearchLimit, extended_depth,
};
use tilebase_game::{Board, Move, Rules, Spawn};
use tilebase_gpu::{Gpu, GpuBuffer, GpuError, GpuPointer, KernelSource, address, blocks};

use crate::network::NTupleNetwork;
use crate::patterns::{LOOKUPS, WEIGHTS};

/// Where the kernels find everything, and what does not change between searches.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct Search {
    rows: GpuPointer,
    weights: GpuPointer,
    keys: GpuPointer,
    numbers: GpuPointer,
    boards: GpuPointer,
    values: GpuPointer,
    children: GpuPointer,
    points: GpuPointer,
    afterstates: GpuPointer,
    leaves: GpuPointer,
    means: GpuPointer,
    first: GpuPointer,
    most_keys: u64,
    most_states: u64,
    most_afterstates: u64,
    quantum: f64,
    base: f64,
    lost: f64,
    margin: f64,
    twos: f64,
    fours: f64,
}

/// A level of states that are searched equally deep.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Level {
    begin: u64,
    end: u64,
    afterstates: u64,
    mask: u64,
}

/// Used parts of the buffers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Used {
    states: u64,
    afterstates: u64,
    overflow: u64,
}

tilebase_gpu::cuda_struct! {
    Search = "Search" {
        rows, weights, keys, numbers, boards, values, children, points, afterstates, leaves,
        means, first, most_keys, most_states, most_afterstates, quantum, base, lost, margin,
        twos, fours,
    }
}
tilebase_gpu::cuda_struct! { Level = "Level" { begin, end, afterstates, mask } }
tilebase_gpu::cuda_struct! { Used = "Used" { states, afterstates, overflow } }

tilebase_gpu::kernels! {
    /// The kernels of search.cu.
    struct SearchKernels {
        /// Begins a level with its roots.
        fn open_level(
            place: &GpuBuffer<Search>,
            levels: &mut GpuBuffer<Level>,
            used: &mut GpuBuffer<Used>,
            roots: &GpuBuffer<u64>,
            places: &mut GpuBuffer<u64>,
            depth: u32,
            first_root: u32,
            last_root: u32,
            top: u32,
        );

        /// Empties the hash table.
        fn clear_slots(
            place: &GpuBuffer<Search>,
            levels: &GpuBuffer<Level>,
            used: &GpuBuffer<Used>,
            depth: u32,
        );

        /// Slides the states of a level.
        fn slide(
            place: &GpuBuffer<Search>,
            levels: &GpuBuffer<Level>,
            used: &mut GpuBuffer<Used>,
            depth: u32,
        );

        /// Values the level's afterstates by the network.
        fn value_leaves(
            place: &GpuBuffer<Search>,
            levels: &GpuBuffer<Level>,
            used: &GpuBuffer<Used>,
            depth: u32,
        );

        /// Makes the states below the afterstates that are within the pruning margin.
        fn spawn(
            place: &GpuBuffer<Search>,
            levels: &GpuBuffer<Level>,
            used: &mut GpuBuffer<Used>,
            depth: u32,
        );

        /// The means of a level's afterstates over their states.
        fn take_means(
            place: &GpuBuffer<Search>,
            levels: &GpuBuffer<Level>,
            used: &GpuBuffer<Used>,
            depth: u32,
        );

        /// The values of a level's states.
        fn take_best(
            place: &GpuBuffer<Search>,
            levels: &GpuBuffer<Level>,
            used: &GpuBuffer<Used>,
            depth: u32,
        );

        /// The values of the slides of the roots.
        fn answer(
            place: &GpuBuffer<Search>,
            used: &GpuBuffer<Used>,
            places: &GpuBuffer<u64>,
            depths: &GpuBuffer<u32>,
            answers: &mut GpuBuffer<f64>,
            number: u32,
        );
    }
}

const SOURCE: &str = include_str!("gpu_search/search.cu");
/// Blocks of 256 threads that keep a multiprocessor busy; each takes one piece of the work after
/// the other.
const BLOCKS: u32 = 16;
/// States of all levels for which there is room, if the GPU has enough memory: a search with the
/// default settings has 1,000 on average.
const MOST_STATES: u64 = 1 << 25;
/// The fewest that are worth it.
const LEAST_STATES: u64 = 1 << 16;
/// Levels have numbers from 1 to [`MAX_DEPTH`].
const LEVELS: usize = MAX_DEPTH as usize + 2;

fn source() -> KernelSource {
    KernelSource::new(SOURCE)
        .define("STAGE_WEIGHTS", WEIGHTS as u64)
        .sharing::<Search>()
        .sharing::<Level>()
        .sharing::<Used>()
        // The processor does not fuse multiply-add, and both must give the same bits.
        .exact()
}

/// The values of the slides of a position, in the order of [`Move::ALL`]: minus infinity for
/// those that are illegal or outside the pruning margin.
pub type SlideValues = [f64; 4];

/// The best slide; the first of equal ones.
pub fn best_slide(values: &SlideValues) -> Option<Move> {
    let mut best = None;
    let mut most = f64::NEG_INFINITY;
    for (m, &value) in Move::ALL.into_iter().zip(values) {
        if value > most {
            (best, most) = (Some(m), value);
        }
    }
    best
}

/// Searches many positions at once on the first CUDA GPU, to a depth, with the same results as
/// [`ExpectimaxSearch`], bit by bit. Lines are not cut off by their probability.
///
/// [`GpuSearch::begin`] and [`GpuSearch::finish`] leave this machine free meanwhile.
pub struct GpuSearch {
    gpu: Gpu,
    kernels: SearchKernels,
    network: Arc<NTupleNetwork>,
    rules: Rules,
    spawn: Spawn,
    options: ExpectimaxOptions,
    depth: u8,
    extend_above: u8,
    search: GpuBuffer<Search>,
    levels: GpuBuffer<Level>,
    _buffers: Buffers,
    /// Blocks of a launch.
    blocks: u32,
    lists: Lists,
    abandon: Option<Abandon>,
    profile: Option<Profile>,
    running: Option<Batch>,
}

/// The time that each kernel took, measured with a wait after each.
struct Profile {
    last: Instant,
    times: BTreeMap<&'static str, Duration>,
}

/// A condition under which searches are given up.
type Abandon = Arc<dyn Fn() -> bool + Send + Sync>;

/// The buffers that [`Search`] points to.
struct Buffers {
    _rows: GpuBuffer<u64>,
    _weights: GpuBuffer<i16>,
    _words: Vec<GpuBuffer<u64>>,
    _halves: Vec<GpuBuffer<u32>>,
}

/// Lists with an entry for each position, on the GPU. They are allocated once: doing so takes
/// longer than a small search.
struct Lists {
    used: GpuBuffer<Used>,
    roots: GpuBuffer<u64>,
    places: GpuBuffer<u64>,
    depths: GpuBuffer<u32>,
    answers: GpuBuffer<f64>,
}

impl Lists {
    fn new(gpu: &Gpu, positions: usize) -> Result<Lists, GpuError> {
        Ok(Lists {
            used: gpu.upload(&[Used::default()])?,
            roots: gpu.zeros(positions)?,
            places: gpu.zeros(positions)?,
            depths: gpu.zeros(positions)?,
            answers: gpu.zeros(4 * positions)?,
        })
    }
}

/// Positions that are being searched.
struct Batch {
    boards: Vec<Board>,
    /// The positions by falling depth.
    order: Vec<u32>,
}

impl GpuSearch {
    /// A search of this depth, with the margin and the extensions of the options.
    pub fn new(
        network: Arc<NTupleNetwork>,
        rules: Rules,
        spawn: Spawn,
        options: ExpectimaxOptions,
        depth: u8,
    ) -> Result<GpuSearch, GpuError> {
        let gpu = Gpu::open()?;
        let kernels = SearchKernels::load(&gpu, &source())?;
        let rows = gpu.upload(&rows(&rules))?;
        let weights = gpu.upload(network.quanta())?;
        let states = room(&gpu)?;
        // Different afterstates: one or two for each state.
        let (afterstates, keys) = (2 * states, 2 * states);
        let (mut words, mut halves) = (Vec::new(), Vec::new());
        let mut word = |len: u64| -> Result<GpuPointer, GpuError> {
            words.push(gpu.zeros::<u64>(len as usize)?);
            Ok(words.last().map_or(0, |buffer| address(&gpu, buffer)))
        };
        let mut half = |len: u64| -> Result<GpuPointer, GpuError> {
            halves.push(gpu.zeros::<u32>(len as usize)?);
            Ok(halves.last().map_or(0, |buffer| address(&gpu, buffer)))
        };
        let margin = options.pruning_margin;
        let search = Search {
            rows: address(&gpu, &rows),
            weights: address(&gpu, &weights),
            keys: word(keys)?,
            numbers: half(keys)?,
            boards: word(states)?,
            values: word(states)?,
            children: half(4 * states)?,
            points: half(2 * states)?,
            afterstates: word(afterstates)?,
            leaves: word(afterstates)?,
            means: word(afterstates)?,
            first: half(afterstates)?,
            most_keys: keys,
            most_states: states,
            most_afterstates: afterstates,
            quantum: network.quantum(),
            base: f64::from(network.default_weight()) * LOOKUPS as f64,
            lost: network.lost(),
            margin: margin.unwrap_or_else(|| network.pruning_margin()),
            twos: spawn.probability(1),
            fours: spawn.probability(2),
        };
        Ok(GpuSearch {
            search: gpu.upload(&[search])?,
            levels: gpu.upload(&[Level::default(); LEVELS])?,
            _buffers: Buffers {
                _rows: rows,
                _weights: weights,
                _words: words,
                _halves: halves,
            },
            extend_above: options
                .extend_above
                .unwrap_or_else(|| network.extend_above()),
            blocks: BLOCKS * gpu.multiprocessors()?,
            lists: Lists::new(&gpu, 1)?,
            kernels,
            gpu,
            network,
            rules,
            spawn,
            options,
            depth,
            abandon: None,
            profile: None,
            running: None,
        })
    }

    /// Gives searches up under a condition, such as Ctrl-C. It is looked at where positions are
    /// too much for the buffers, so that searches take long. What is returned then means nothing.
    pub fn abandon_if(&mut self, abandon: Abandon) {
        self.abandon = Some(abandon);
    }

    /// The name of the GPU.
    pub fn gpu_name(&self) -> Result<String, GpuError> {
        Ok(self.gpu.memory()?.name)
    }

    /// Begins to search these positions. [`GpuSearch::finish`] waits for the results.
    pub fn begin(&mut self, boards: &[Board]) -> Result<(), GpuError> {
        let depth = |&at: &u32| extended_depth(boards[at as usize], self.depth, self.extend_above);
        let mut order: Vec<u32> = (0..boards.len() as u32).collect();
        order.sort_by_key(|at| std::cmp::Reverse(depth(at)));
        let roots: Vec<u64> = order.iter().map(|&at| boards[at as usize].bits()).collect();
        let depths: Vec<u32> = order.iter().map(|at| depth(at).into()).collect();
        if self.lists.roots.len() < roots.len() {
            self.lists = Lists::new(&self.gpu, roots.len().next_power_of_two())?;
        }
        let (stream, lists) = (self.gpu.stream(), &mut self.lists);
        stream
            .memcpy_htod(&[Used::default()], &mut lists.used)
            .and_then(|()| stream.memcpy_htod(&roots, &mut lists.roots))
            .and_then(|()| stream.memcpy_htod(&depths, &mut lists.depths))
            .map_err(GpuError::driver("writing to the GPU"))?;
        self.launch(&depths)?;
        self.running = Some(Batch {
            boards: boards.to_vec(),
            order,
        });
        Ok(())
    }

    /// Waits for the search that was begun, and returns the values of the slides of each
    /// position.
    pub fn finish(&mut self) -> Result<Vec<SlideValues>, GpuError> {
        let Some(batch) = self.running.take().filter(|batch| !batch.order.is_empty()) else {
            return Ok(Vec::new());
        };
        let used = self.gpu.download(&self.lists.used)?;
        if used[0].overflow != 0 {
            return self.divided(&batch.boards);
        }
        let mut answers = vec![0.0; 4 * batch.order.len()];
        let found = self.lists.answers.slice(..answers.len());
        let copied = self.gpu.stream().memcpy_dtoh(&found, &mut answers);
        copied.map_err(GpuError::driver("reading from the GPU"))?;
        let mut values = vec![[f64::NEG_INFINITY; 4]; batch.boards.len()];
        for (&at, answer) in batch.order.iter().zip(answers.chunks_exact(4)) {
            values[at as usize].copy_from_slice(answer);
        }
        Ok(values)
    }

    /// Begins and finishes.
    pub fn values(&mut self, boards: &[Board]) -> Result<Vec<SlideValues>, GpuError> {
        self.begin(boards)?;
        self.finish()
    }

    /// Searches these positions and returns the time that each kernel took. They wait for each
    /// other, which takes a little longer than usual.
    pub fn profile(
        &mut self,
        boards: &[Board],
    ) -> Result<BTreeMap<&'static str, Duration>, GpuError> {
        self.profile = Some(Profile {
            last: Instant::now(),
            times: BTreeMap::new(),
        });
        let searched = self.values(boards);
        let profile = self.profile.take();
        searched?;
        Ok(profile.map(|profile| profile.times).unwrap_or_default())
    }

    /// Searches half of the positions at a time, since the buffers are too short for all. One
    /// that is too much by itself is searched on the processor.
    fn divided(&mut self, boards: &[Board]) -> Result<Vec<SlideValues>, GpuError> {
        if self.abandon.as_ref().is_some_and(|abandon| abandon()) {
            return Ok(vec![[f64::NEG_INFINITY; 4]; boards.len()]);
        }
        if let [board] = boards {
            return Ok(vec![self.on_processor(*board)]);
        }
        let (first, second) = boards.split_at(boards.len() / 2);
        let mut values = self.values(first)?;
        values.extend(self.values(second)?);
        Ok(values)
    }

    fn on_processor(&self, board: Board) -> SlideValues {
        let (rules, spawn) = (self.rules, self.spawn);
        let mut search = ExpectimaxSearch::new(rules, spawn, &*self.network, self.options);
        if let Some(abandon) = self.abandon.clone() {
            search.abandon_if(Box::new(move || abandon()));
        }
        let mut values = [f64::NEG_INFINITY; 4];
        if let Some(advice) = search.advise_pruned(board, SearchLimit::Depth(self.depth)) {
            for scored in advice.moves {
                values[scored.m.index()] = scored.value;
            }
        }
        values
    }

    /// Queues the search of the roots, which are sorted by falling depth.
    fn launch(&mut self, depths: &[u32]) -> Result<(), GpuError> {
        let Some(&deepest) = depths.first() else {
            return Ok(());
        };
        let (gpu, kernels, search) = (&self.gpu, &self.kernels, &self.search);
        let (levels, lists) = (&mut self.levels, &mut self.lists);
        let (used, roots, places) = (&mut lists.used, &lists.roots, &mut lists.places);
        let number = depths.len() as u32;
        let grid = || blocks(self.blocks);
        let profile = &mut self.profile;
        let mut lap = |kernel: &'static str| -> Result<(), GpuError> {
            let Some(profile) = profile else {
                return Ok(());
            };
            let done = gpu.stream().synchronize();
            done.map_err(GpuError::driver("searching on the GPU"))?;
            let now = Instant::now();
            *profile.times.entry(kernel).or_default() += now - profile.last;
            profile.last = now;
            Ok(())
        };
        lap("(before)")?;
        // SAFETY: kernels check how much room the buffers have before they add to them, and
        // depths are from 1 to MAX_DEPTH, for which there are levels. Only numbers of
        // afterstates, slots and states below those counts are stored and followed.
        #[allow(unsafe_code)]
        unsafe {
            for depth in (1..=deepest).rev() {
                let first = depths.partition_point(|&d| d > depth) as u32;
                let last = depths.partition_point(|&d| d >= depth) as u32;
                let top = u32::from(depth == deepest);
                let one = blocks(1);
                kernels.open_level(
                    gpu, one, search, levels, used, roots, places, depth, first, last, top,
                )?;
                lap("open_level")?;
                kernels.clear_slots(gpu, grid(), search, levels, used, depth)?;
                lap("clear_slots")?;
                kernels.slide(gpu, grid(), search, levels, used, depth)?;
                lap("slide")?;
                kernels.value_leaves(gpu, grid(), search, levels, used, depth)?;
                lap("value_leaves")?;
                if depth > 1 {
                    kernels.spawn(gpu, grid(), search, levels, used, depth)?;
                    lap("spawn")?;
                }
            }
            for depth in 1..=deepest {
                if depth > 1 {
                    kernels.take_means(gpu, grid(), search, levels, used, depth)?;
                    lap("take_means")?;
                }
                kernels.take_best(gpu, grid(), search, levels, used, depth)?;
                lap("take_best")?;
            }
            let (shape, answers) = (blocks(number.div_ceil(256)), &mut lists.answers);
            kernels.answer(
                gpu,
                shape,
                search,
                used,
                places,
                &lists.depths,
                answers,
                number,
            )?;
        }
        lap("answer")
    }
}

/// States for which the GPU has room.
fn room(gpu: &Gpu) -> Result<u64, GpuError> {
    /// Bytes of all buffers for each state.
    const BYTES: u64 = 8 + 8 + 4 * 4 + 2 * 4 + 2 * (8 + 8 + 8 + 4) + 2 * (8 + 4);
    let memory = gpu.memory()?;
    let mut states = MOST_STATES;
    // Half of the memory is left to others.
    while states * BYTES > memory.free / 2 {
        states /= 2;
        if states < LEAST_STATES {
            return Err(GpuError::Memory {
                needed: 2 * BYTES * LEAST_STATES,
                free: memory.free,
                name: memory.name,
            });
        }
    }
    Ok(states)
}

/// For each row: what it becomes by a slide to the left, to the right, and its points.
fn rows(rules: &Rules) -> Vec<u64> {
    let row = |row: u16| {
        let board = Board::from_bits(u64::from(row) << 48);
        let [left, right] = [Move::Left, Move::Right].map(|m| rules.slide(board, m).row(0));
        let points = rules.score(board, Move::Left);
        u64::from(left) | u64::from(right) << 16 | u64::from(points) << 32
    };
    (0..=u16::MAX).map(row).collect()
}

#[cfg(test)]
mod tests {
    use tilebase_gpu::check;

    use super::*;

    #[test]
    fn kernels_match_their_launches() {
        let kernels = SearchKernels::signatures();
        assert_eq!(check::signatures(SOURCE, &kernels), Ok(()));
        assert_eq!(check::structs::<Search>(SOURCE), Ok(()));
        assert_eq!(check::structs::<Level>(SOURCE), Ok(()));
        assert_eq!(check::structs::<Used>(SOURCE), Ok(()));
    }

    #[test]
    fn kernels_compile() {
        check::compiles(&source()).unwrap();
    }
}
