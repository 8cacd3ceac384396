//! `tilebase count`: how many positions can arise.

mod csv;
mod text;

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_count::{
    Column, Count as Counted, CountError, CountOptions, CountPlan, bounds, count_reporting,
    count_together, layers_svg, share_bytes,
};
use tilebase_game::{Shape, Variant, tile_value};
use tilebase_gpu::GpuMemory;
use tilebase_index::{BoardIndex, Keep, LayerCount, Store, largest_exponent};
use tilebase_schema::{
    CountAnswer, CountBounds, CountDryRun, CountGpuNeed, CountLayer, LargestTile, UncountableGame,
    Walls,
};
use tilebase_util::Device;

use crate::arguments::{FormationOptions, MachineOptions, VariantOptions};
use crate::cluster::{ClusterOptions, SharedProgress, shard_dir};
use crate::destination::write_file;
use crate::failure::Failure;
use crate::memory;
use crate::output;
use crate::progress::ProgressLine;
use crate::standard::is_standard;

use csv::LayerCsv;

/// Count every position that can arise, up to symmetry, layer by layer
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase count 3x3 --to 1024                      25,179,012 live states
  tilebase count 4x4 --to 64 --dry-run              what it would need
  tilebase count 4x4 --to 32 --dir states --memory 1GB
  tilebase count 4x4 --to 128 --device cuda --csv layers.csv
  tilebase count 4x4 --to 128 --device cuda --gpu-memory 8GB
  tilebase count 3x3 --to 1024 --svg layers.svg     a chart of the layers
  tilebase count 2x2                                the whole game, until it is lost
  tilebase count 4x4 --to 32 --processes 2          two processes share the work
  tilebase count 4x4 --to 64 --cluster a:2049,b:2049 --process 0 --secret FILE
                                                    the first of two machines

A live state is reachable, not won and not lost. Won states are not counted.
With --dir the states are kept, and an interrupted run is resumed. Layers that do not fit a
GPU's memory are kept in this machine's memory and pass through the GPU in parts.")]
pub struct Count {
    /// Rows and columns, up to 4x4
    shape: Shape,

    #[command(flatten)]
    variant: VariantOptions,

    #[command(flatten)]
    formation: FormationOptions,

    /// Keep the states of all layers in this directory, and resume what is there
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Print combinatorial upper bounds and the largest possible tile too
    #[arg(long)]
    bounds: bool,

    /// Print the states of each layer by largest tile
    #[arg(long)]
    by_largest: bool,

    /// Write a chart of the layers to this file, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the numbers of each layer to this file as soon as they are known; - is stdout, which then has
    /// nothing else
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Print what the count would need, and stop
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    machine: MachineOptions,

    #[command(flatten)]
    together: ClusterOptions,
}

impl Count {
    /// Counts, and prints the answer.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let variant = self.formation.variant(self.variant.variant(self.shape)?)?;
        let device = self.machine.device();
        self.machine.check()?;
        let cuda = device == Device::Cuda;
        self.together.refuse("--device cuda", cuda)?;
        if self.dry_run {
            return self.plan(&variant, json);
        }
        if json && self.is_csv_on_stdout() {
            return Err(Failure::request(
                "stdout cannot hold the CSV and JSON: name a file with --csv FILE, or leave --json out",
            ));
        }
        if self.together.is_used() {
            return self.run_together(&variant, json);
        }
        if device == Device::Cpu {
            CountPlan::new(&variant, self.machine.memory.bytes())?;
        }
        let start = Instant::now();
        let open = |dir: &PathBuf| Store::open(dir, &variant, Keep::States);
        let mut store = self.dir.as_ref().map(open).transpose()?;
        let progress = ProgressLine::new();
        let counted = self.count(&variant, store.as_mut(), &progress)?;
        let pass_seconds = progress.working_seconds();
        let seconds = start.elapsed().as_secs_f64();
        let bytes = store.as_ref().map(Store::bytes);
        let answer = CountAnswer {
            seconds,
            pass_seconds,
            device,
            threads: self.machine.threads.number(),
            ..self.answer(&variant, &counted, bytes)?
        };
        self.print(json, &answer)
    }

    /// Counts together with other processes, and prints the answer.
    fn run_together(&self, variant: &Variant, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let work = format!("count {variant}");
        let joined = self.together.join(&work, &self.machine)?;
        let progress = ProgressLine::new();
        let found = joined.run(|cluster| {
            let open = |dir: &PathBuf| Store::open(&shard_dir(dir, cluster), variant, Keep::States);
            let mut store = self.dir.as_ref().map(open).transpose()?;
            let shared = SharedProgress::new(&progress, cluster);
            // All know the numbers; one writes them.
            let csv = self.csv.as_deref().filter(|_| cluster.process() == 0);
            let mut csv = csv.map(LayerCsv::create).transpose()?;
            let mut report = |layer: &LayerCount| csv.iter_mut().for_each(|csv| csv.write(layer));
            let store_ref = store.as_mut();
            let counted = count_together(
                cluster,
                variant,
                &self.options(),
                store_ref,
                &shared,
                &mut report,
            );
            let counted = counted?;
            csv.map_or(Ok(()), LayerCsv::finish)?;
            let bytes = store.as_ref().map_or(0, Store::bytes);
            Ok((counted, cluster.sum(&[bytes])?[0]))
        });
        let ((counted, bytes), reports) = found?;
        let bytes = self.dir.as_ref().map(|_| bytes);
        let answer = CountAnswer {
            seconds: start.elapsed().as_secs_f64(),
            pass_seconds: progress.working_seconds(),
            threads: self.together.threads(&self.machine),
            processes: Some(reports),
            ..self.answer(variant, &counted, bytes)?
        };
        self.print(json, &answer)
    }

    fn is_csv_on_stdout(&self) -> bool {
        self.csv.as_deref().is_some_and(is_standard)
    }

    /// Prints the answer, unless stdout has the CSV.
    fn print(&self, json: bool, answer: &CountAnswer) -> Result<(), Failure> {
        if self.is_csv_on_stdout() {
            return Ok(());
        }
        output::print(json, answer, text::count)
    }

    /// The answer, without the time it took; draws the chart.
    fn answer(
        &self,
        variant: &Variant,
        counted: &Counted,
        bytes: Option<u64>,
    ) -> Result<CountAnswer, Failure> {
        if let Some(path) = self.svg.as_ref().filter(|_| self.together.is_first()) {
            let title = format!("States per layer: {variant}");
            let columns: Vec<Column> = counted.layers.iter().map(column).collect();
            write_file(path, layers_svg(&title, &columns).as_bytes())?;
        }
        let states = counted.states();
        Ok(CountAnswer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            walls: Walls::of(variant),
            states,
            lost: counted.lost(),
            afterstates: counted.afterstates(),
            layers: counted
                .layers
                .iter()
                .map(|layer| self.layer(layer))
                .collect(),
            bounds: self.bounds(variant),
            seconds: 0.0,
            pass_seconds: None,
            device: Device::Cpu,
            threads: 0,
            in_parts: counted.in_parts,
            peak_memory_bytes: memory::peak(),
            dir: self.dir.clone(),
            bytes,
            bits_per_state: bytes
                .filter(|_| states > 0)
                .map(|bytes| 8.0 * bytes as f64 / states as f64),
            processes: None,
        })
    }

    fn options(&self) -> CountOptions {
        CountOptions {
            device: self.machine.device(),
            threads: self.together.threads(&self.machine),
            memory: self.together.memory(&self.machine),
            gpu_memory: self.machine.gpu_memory(),
            by_largest: self.by_largest || self.svg.is_some(),
        }
    }

    /// The count itself, with the CSV file written on the way.
    fn count(
        &self,
        variant: &Variant,
        store: Option<&mut Store>,
        progress: &ProgressLine,
    ) -> Result<Counted, Failure> {
        let options = self.options();
        let mut csv = self.csv.as_deref().map(LayerCsv::create).transpose()?;
        let mut report = |layer: &LayerCount| csv.iter_mut().for_each(|csv| csv.write(layer));
        let counted = count_reporting(variant, &options, store, progress, &mut report);
        csv.map_or(Ok(()), LayerCsv::finish)?;
        Ok(counted?)
    }

    fn layer(&self, layer: &LayerCount) -> CountLayer {
        let by_largest = || {
            (0u8..)
                .zip(layer.states.iter().zip(&layer.lost))
                .filter(|&(_, (&states, &lost))| states + lost > 0)
                .map(|(exponent, (&states, &lost))| LargestTile {
                    largest: tile_value(exponent),
                    states,
                    lost,
                })
                .collect()
        };
        CountLayer {
            sum: layer.sum,
            states: layer.states.iter().sum(),
            lost: layer.lost.iter().sum(),
            afterstates: layer.afterstates,
            by_largest: self.by_largest.then(by_largest),
        }
    }

    /// The bounds, if they are requested and there is a target.
    fn bounds(&self, variant: &Variant) -> Option<CountBounds> {
        let target = variant
            .target()
            .filter(|_| self.bounds && variant.shape().cells() <= 16)?;
        let bounds = bounds(variant.shape(), target);
        Some(CountBounds {
            baseline: bounds.baseline,
            layer_reachability: bounds.layer_reachability,
            largest_tile: 1 << largest_exponent(variant.shape(), variant.spawn()),
        })
    }

    /// Prints what the count would need.
    fn plan(&self, variant: &Variant, json: bool) -> Result<(), Failure> {
        let memory = self.together.memory(&self.machine);
        let bounds = self.bounds(variant);
        // Several processes keep their shares whole.
        let enough = if self.together.is_used() {
            u64::MAX
        } else {
            memory
        };
        let plan = match (CountPlan::sizes(variant, enough), bounds) {
            (Ok(plan), _) => plan,
            // Bounds are arithmetic: games that cannot be counted have them too.
            (Err(error), Some(bounds)) => {
                let answer = uncountable(variant, &error, bounds);
                return output::print(json, &answer, text::uncountable);
            }
            (Err(error), None) => return Err(error.into()),
        };
        let process_bytes = self.process_bytes(&plan, variant)?;
        let processes = process_bytes.as_ref().map_or(1, Vec::len);
        let threads = self.together.threads(&self.machine) * processes;
        let estimate = plan.estimate(variant, threads);
        let most = process_bytes.iter().flatten().max().copied();
        let answer = CountDryRun {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            walls: Walls::of(variant),
            dry_run: true,
            layers: plan.layers,
            largest_layer_bytes: plan.layer_bytes(),
            table_bytes: plan.table_bytes,
            whole_bytes: plan.whole_bytes(),
            least_bytes: plan.least_bytes(),
            memory_bytes: memory,
            fits: memory >= most.unwrap_or(plan.least_bytes()),
            in_parts: plan.in_parts(),
            disk_bytes_estimate: estimate.disk_bytes,
            seconds_estimate: estimate.seconds,
            gpu: (self.machine.device() == Device::Cuda).then(|| self.gpu_plan(&plan, memory)),
            process_bytes,
            bounds,
        };
        output::print(json, &answer, text::plan)
    }

    /// What each of several processes would need.
    fn process_bytes(
        &self,
        plan: &CountPlan,
        variant: &Variant,
    ) -> Result<Option<Vec<u64>>, Failure> {
        let Some(number) = self.together.number()? else {
            return Ok(None);
        };
        let index = BoardIndex::new(variant)?;
        let keeps = self.dir.is_some();
        let need = |process| share_bytes(plan, &index, [process, number], keeps);
        Ok(Some((0..number).map(need).collect()))
    }

    fn gpu_plan(&self, plan: &CountPlan, memory: u64) -> CountGpuNeed {
        let (gpu, missing) = match GpuMemory::query() {
            Ok(gpu) => (Some(gpu), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let free_bytes = gpu.as_ref().map(|gpu| gpu.free);
        // Without a GPU, as if it had all that is allowed.
        let usable = GpuMemory::usable(free_bytes.unwrap_or(u64::MAX), self.machine.gpu_memory());
        let in_parts = usable < plan.gpu_bytes();
        let host_bytes = plan.gpu_host_bytes(self.dir.is_some());
        let fits = usable >= plan.gpu_least_bytes() && (!in_parts || memory >= host_bytes);
        CountGpuNeed {
            needed_bytes: plan.gpu_bytes(),
            least_bytes: plan.gpu_least_bytes(),
            host_bytes,
            seconds_estimate: plan.gpu_seconds(usable),
            fits: fits && free_bytes.is_some(),
            in_parts,
            free_bytes,
            allowed_bytes: self.machine.gpu_memory(),
            name: gpu.map(|gpu| gpu.name),
            missing,
        }
    }
}

fn uncountable(variant: &Variant, error: &CountError, bounds: CountBounds) -> UncountableGame {
    UncountableGame {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        walls: Walls::of(variant),
        dry_run: true,
        fits: false,
        reason: error.to_string(),
        bounds,
    }
}

/// A layer for the chart.
fn column(layer: &LayerCount) -> Column {
    let by_largest = (0u8..).zip(layer.states).collect();
    Column {
        sum: layer.sum,
        by_largest,
    }
}
