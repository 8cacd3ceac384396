//! `tilebase count`: how many positions can arise.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_count::{Column, CountError, Options, Plan, bounds, count_telling, layers_svg};
use tilebase_game::{Shape, Variant, tile_value};
use tilebase_gpu::GpuMemory;
use tilebase_index::{ByLargest, Keep, LayerCount, Store, largest_exponent};
use tilebase_util::{Device, bytes_text};

use crate::arguments::{MachineOptions, VariantOptions};
use crate::destination::write_file;
use crate::failure::Failure;
use crate::memory;
use crate::output::{self, game_text, gpu_text, grouped, time_text};
use crate::progress::ProgressLine;

/// Count every position that can arise, up to symmetry, layer by layer
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase count 3x3 --to 1024                      25,179,012 live states
  tilebase count 4x4 --to 64 --dry-run              what it would need
  tilebase count 4x4 --to 32 --dir states --memory 1GB
  tilebase count 4x4 --to 128 --device cuda --csv layers.csv
  tilebase count 4x4 --to 128 --device cuda --gpu-memory 8GB
  tilebase count 3x3 --to 1024 --svg layers.svg     a figure of the layers
  tilebase count 2x2                                the whole game, until it is lost

A live state is reachable, not won and not lost; won states are not counted.
With --dir the states are kept, and a run that was stopped goes on where it was. Layers that
do not fit a GPU's memory pass through it in parts, and lie in this machine's memory.")]
pub struct Count {
    /// Rows and columns, up to 4x4
    shape: Shape,

    #[command(flatten)]
    variant: VariantOptions,

    /// Keep the states of all layers in this directory, and go on with what is there
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Tell the combinatorial upper bounds too, and the largest possible tile
    #[arg(long)]
    bounds: bool,

    /// Tell layers by largest tile
    #[arg(long)]
    parts: bool,

    /// Draw the states of each layer as a figure
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Write the numbers of each layer to this file as soon as they are known
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Memory of the GPU that may be used, such as 20GB; all that is free if not given
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    gpu_memory: Option<u64>,

    /// Tell what the count would need, and do nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    machine: MachineOptions,
}

#[derive(Serialize)]
struct BoundsAnswer {
    baseline: u128,
    layer_reachability: u128,
    largest_tile: u128,
}

impl BoundsAnswer {
    fn text(&self) -> String {
        format!(
            "  upper bounds: {} (baseline), {} (layer reachability); largest possible tile {}\n",
            grouped(self.baseline),
            grouped(self.layer_reachability),
            self.largest_tile
        )
    }
}

#[derive(Serialize)]
struct PartAnswer {
    largest: u128,
    states: u64,
    lost: u64,
}

#[derive(Serialize)]
struct LayerAnswer {
    sum: u32,
    states: u64,
    lost: u64,
    afterstates: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    parts: Option<Vec<PartAnswer>>,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    to: Option<u128>,
    spawn: String,
    start_tiles: u16,
    states: u64,
    lost: u64,
    afterstates: u64,
    layers: Vec<LayerAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<BoundsAnswer>,
    seconds: f64,
    /// Without setting up: tables, and a GPU's kernels.
    pass_seconds: Option<f64>,
    device: &'static str,
    threads: usize,
    in_parts: bool,
    peak_memory_bytes: Option<u64>,
    dir: Option<PathBuf>,
    bytes: Option<u64>,
    bits_per_state: Option<f64>,
}

#[derive(Serialize)]
struct DryAnswer {
    shape: String,
    to: Option<u128>,
    dry_run: bool,
    layers: u64,
    largest_layer_bytes: u64,
    table_bytes: u64,
    whole_bytes: u64,
    least_bytes: u64,
    memory_bytes: u64,
    fits: bool,
    in_parts: bool,
    disk_bytes_estimate: u64,
    seconds_estimate: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<GpuAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<BoundsAnswer>,
}

/// What a count on the GPU would need, and what is there.
#[derive(Serialize)]
struct GpuAnswer {
    needed_bytes: u64,
    least_bytes: u64,
    /// Of this machine's memory, if layers pass through the GPU in parts.
    host_bytes: u64,
    seconds_estimate: f64,
    name: Option<String>,
    free_bytes: Option<u64>,
    allowed_bytes: Option<u64>,
    fits: bool,
    in_parts: bool,
    /// Why there is no GPU to be used.
    missing: Option<String>,
}

impl GpuAnswer {
    fn new(plan: &Plan, count: &Count, memory: u64) -> GpuAnswer {
        let (gpu, missing) = match GpuMemory::query() {
            Ok(gpu) => (Some(gpu), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let free_bytes = gpu.as_ref().map(|gpu| gpu.free);
        // Without a GPU, as if it had all that is allowed.
        let usable = GpuMemory::usable(free_bytes.unwrap_or(u64::MAX), count.gpu_memory);
        let in_parts = usable < plan.gpu_bytes();
        let host_bytes = plan.gpu_host_bytes(count.dir.is_some());
        let fits = usable >= plan.gpu_least_bytes() && (!in_parts || memory >= host_bytes);
        GpuAnswer {
            needed_bytes: plan.gpu_bytes(),
            least_bytes: plan.gpu_least_bytes(),
            host_bytes,
            seconds_estimate: plan.gpu_seconds(usable),
            fits: fits && free_bytes.is_some(),
            in_parts,
            free_bytes,
            allowed_bytes: count.gpu_memory,
            name: gpu.map(|gpu| gpu.name),
            missing,
        }
    }

    fn text(&self) -> String {
        let gpu = self.name.as_deref().zip(self.free_bytes);
        let there = gpu_text(gpu, self.fits, self.missing.as_deref());
        let parts = match self.in_parts {
            true => format!(
                " in parts, with {} of this machine's memory",
                bytes_text(self.host_bytes)
            ),
            false => String::new(),
        };
        format!(
            "  GPU: {} of its memory for whole layers, at least {} in parts; about {} on an H200{parts} (rough); {there}\n",
            bytes_text(self.needed_bytes),
            bytes_text(self.least_bytes),
            time_text(self.seconds_estimate)
        )
    }
}

/// A dry run of a game that cannot be counted, but has bounds.
#[derive(Serialize)]
struct UncountableAnswer {
    shape: String,
    to: Option<u128>,
    dry_run: bool,
    fits: bool,
    reason: String,
    bounds: BoundsAnswer,
}

impl UncountableAnswer {
    fn text(&self) -> String {
        let game = game_text(&self.shape, self.to);
        format!(
            "{game}: cannot be counted\n  {}\n{}",
            self.reason,
            self.bounds.text()
        )
    }
}

impl Count {
    /// Counts, and prints what was found.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let variant = self.variant.variant(self.shape)?;
        let memory = self.machine.memory.bytes();
        if let (Device::Cpu, Some(_)) = (self.machine.device, self.gpu_memory) {
            return Err(Failure::request("--gpu-memory goes with --device cuda"));
        }
        if self.dry_run {
            // Bounds are arithmetic: they are there for games that cannot be counted too.
            if let (Some(bounds), Err(error)) =
                (self.bounds(&variant), Plan::sizes(&variant, memory))
            {
                let answer = UncountableAnswer {
                    shape: variant.shape().to_string(),
                    to: variant.target().map(tile_value),
                    dry_run: true,
                    fits: false,
                    reason: error.to_string(),
                    bounds,
                };
                return output::print(json, &answer, UncountableAnswer::text);
            }
            let answer = self.dry(&variant, memory)?;
            return output::print(json, &answer, DryAnswer::text);
        }
        let device = self.machine.device;
        if device == Device::Cpu {
            Plan::new(&variant, memory).map_err(failure)?;
        }
        let start = Instant::now();
        let mut store = match &self.dir {
            Some(dir) => Some(
                Store::open(dir, &variant, Keep::States).map_err(|error| failure(error.into()))?,
            ),
            None => None,
        };
        let threads = self.machine.threads.number();
        let by_largest = self.parts || self.svg.is_some();
        let options = Options {
            device,
            threads,
            memory,
            gpu_memory: self.gpu_memory,
            by_largest,
        };
        let mut csv = self.csv.as_deref().map(LayerFile::create).transpose()?;
        let mut tell = |layer: &LayerCount| csv.iter_mut().for_each(|csv| csv.write(layer));
        let progress = ProgressLine::new();
        let found = count_telling(&variant, &options, store.as_mut(), &progress, &mut tell);
        csv.map_or(Ok(()), LayerFile::finish)?;
        let found = found.map_err(failure)?;
        let pass_seconds = progress.working_seconds();
        let seconds = start.elapsed().as_secs_f64();
        if let Some(path) = &self.svg {
            let title = format!("States per layer: {variant}");
            let svg = layers_svg(&title, &found.layers.iter().map(column).collect::<Vec<_>>());
            write_file(path, svg.as_bytes())?;
        }
        let bytes = store.as_ref().map(Store::bytes);
        let states = found.states();
        let answer = Answer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            states,
            lost: found.lost(),
            afterstates: found.afterstates(),
            layers: found.layers.iter().map(|layer| self.layer(layer)).collect(),
            bounds: self.bounds(&variant),
            seconds,
            pass_seconds,
            device: self.machine.device.name(),
            threads,
            in_parts: found.in_parts,
            peak_memory_bytes: memory::peak(),
            dir: self.dir.clone(),
            bytes,
            bits_per_state: bytes
                .filter(|_| states > 0)
                .map(|bytes| 8.0 * bytes as f64 / states as f64),
        };
        output::print(json, &answer, Answer::text)
    }

    fn layer(&self, layer: &LayerCount) -> LayerAnswer {
        let sum = |boards: ByLargest| boards.iter().sum();
        let parts = || {
            (1..=15u8)
                .map(|e| (e, layer.states[usize::from(e)], layer.lost[usize::from(e)]))
                .filter(|&(_, states, lost)| states + lost > 0)
                .map(|(e, states, lost)| PartAnswer {
                    largest: tile_value(e),
                    states,
                    lost,
                })
                .collect()
        };
        LayerAnswer {
            sum: layer.sum,
            states: sum(layer.states),
            lost: sum(layer.lost),
            afterstates: layer.afterstates,
            parts: self.parts.then(parts),
        }
    }

    /// The bounds, where they are asked for and there is a target.
    fn bounds(&self, variant: &Variant) -> Option<BoundsAnswer> {
        let target = variant
            .target()
            .filter(|_| self.bounds && variant.shape().cells() <= 16)?;
        let bounds = bounds(variant.shape(), target);
        Some(BoundsAnswer {
            baseline: bounds.baseline,
            layer_reachability: bounds.layer_reachability,
            largest_tile: 1 << largest_exponent(variant.shape(), variant.spawn()),
        })
    }

    fn dry(&self, variant: &Variant, memory: u64) -> Result<DryAnswer, Failure> {
        let plan = Plan::sizes(variant, memory).map_err(failure)?;
        let estimate = plan.estimate(variant, self.machine.threads.number());
        Ok(DryAnswer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            dry_run: true,
            layers: plan.layers,
            largest_layer_bytes: plan.layer_bytes(),
            table_bytes: plan.table_bytes,
            whole_bytes: plan.whole_bytes(),
            least_bytes: plan.least_bytes(),
            memory_bytes: memory,
            fits: memory >= plan.least_bytes(),
            in_parts: plan.in_parts(),
            disk_bytes_estimate: estimate.disk_bytes,
            seconds_estimate: estimate.seconds,
            gpu: matches!(self.machine.device, Device::Cuda)
                .then(|| GpuAnswer::new(&plan, self, memory)),
            bounds: self.bounds(variant),
        })
    }
}

/// A file with a line for each layer.
struct LayerFile {
    path: PathBuf,
    file: File,
    layers: usize,
    /// The first failure; what is counted must not be lost by it.
    failed: Option<io::Error>,
}

impl LayerFile {
    fn create(path: &Path) -> Result<LayerFile, Failure> {
        let failed = |error| Failure::work(&path.display().to_string(), error);
        let mut file = File::create_new(path).map_err(failed)?;
        writeln!(file, "sum,states,lost,afterstates").map_err(failed)?;
        Ok(LayerFile {
            path: path.to_owned(),
            file,
            layers: 0,
            failed: None,
        })
    }

    fn write(&mut self, layer: &LayerCount) {
        let sum = |boards: &ByLargest| boards.iter().sum::<u64>();
        let (states, lost) = (sum(&layer.states), sum(&layer.lost));
        let line = format!("{},{states},{lost},{}\n", layer.sum, layer.afterstates);
        self.layers += 1;
        if self.failed.is_none() {
            self.failed = self.file.write_all(line.as_bytes()).err();
        }
    }

    /// Tells what went wrong. A file without a layer is not left behind.
    fn finish(self) -> Result<(), Failure> {
        if self.layers == 0 {
            let _ = std::fs::remove_file(&self.path);
        }
        let failed = |error| Err(Failure::work(&self.path.display().to_string(), error));
        self.failed.map_or(Ok(()), failed)
    }
}

/// A layer for the figure.
fn column(layer: &LayerCount) -> Column {
    let by_largest = (0u8..).zip(layer.states).collect();
    Column {
        sum: layer.sum,
        by_largest,
    }
}

/// How a failed count is told.
pub fn failure(error: CountError) -> Failure {
    error.into()
}

impl Answer {
    fn text(&self) -> String {
        let game = game_text(&self.shape, self.to);
        let mut text = format!(
            "{game}: {} live states, {} lost, {} afterstates\n",
            grouped(self.states.into()),
            grouped(self.lost.into()),
            grouped(self.afterstates.into()),
        );
        let largest = self.layers.iter().max_by_key(|layer| layer.states);
        // Writing to a string cannot fail.
        let _ = match (self.layers.first(), self.layers.last(), largest) {
            (Some(first), Some(last), Some(largest)) => writeln!(
                text,
                "  {} layers, tile sums {} to {}; most states, {}, at sum {}",
                self.layers.len(),
                first.sum,
                last.sum,
                grouped(largest.states.into()),
                largest.sum
            ),
            _ => Ok(()),
        };
        text.extend(self.bounds.as_ref().map(BoundsAnswer::text));
        if let (Some(dir), Some(bytes), Some(bits)) = (&self.dir, self.bytes, self.bits_per_state) {
            let _ = writeln!(
                text,
                "  states kept in {}: {}, {bits:.2} bits a state",
                dir.display(),
                bytes_text(bytes)
            );
        }
        if self.layers.iter().any(|layer| layer.parts.is_some()) {
            text.push_str(&self.table());
        }
        let peak = self
            .peak_memory_bytes
            .map_or(String::new(), |b| format!(", {}", bytes_text(b)));
        let parts = if self.in_parts {
            ", layers in parts"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "  {:.2} s on {}{peak}{parts}",
            self.seconds,
            match self.device {
                "cuda" => match self.pass_seconds {
                    Some(seconds) => format!("a GPU, {seconds:.2} s of them in passes"),
                    None => "a GPU".to_owned(),
                },
                _ => format!("{} threads", self.threads),
            }
        );
        text
    }

    /// The parts by sum and largest tile.
    fn table(&self) -> String {
        let mut text = format!(
            "  {:>6}  {:>8}  {:>16}  {:>14}\n",
            "sum", "largest", "states", "lost"
        );
        for layer in &self.layers {
            for part in layer.parts.iter().flatten() {
                let _ = writeln!(
                    text,
                    "  {:>6}  {:>8}  {:>16}  {:>14}",
                    layer.sum,
                    part.largest,
                    grouped(part.states.into()),
                    grouped(part.lost.into())
                );
            }
        }
        text
    }
}

impl DryAnswer {
    fn text(&self) -> String {
        let game = game_text(&self.shape, self.to);
        let how = match (self.fits, self.in_parts) {
            (false, _) => format!("too little: at least {}", bytes_text(self.least_bytes)),
            (_, true) => "enough to count in parts".to_owned(),
            (_, false) => "enough for whole layers".to_owned(),
        };
        let mut text = format!(
            "{game}: up to {} layers, the largest {}; tables {}\n\
             \x20 memory: {} for whole layers, at least {} in parts; allowed {}: {how}\n\
             \x20 with --dir about {} on disk; about {} (both are rough)\n",
            grouped(self.layers.into()),
            bytes_text(self.largest_layer_bytes),
            bytes_text(self.table_bytes),
            bytes_text(self.whole_bytes),
            bytes_text(self.least_bytes),
            bytes_text(self.memory_bytes),
            bytes_text(self.disk_bytes_estimate),
            time_text(self.seconds_estimate),
        );
        text.extend(self.gpu.as_ref().map(GpuAnswer::text));
        text.extend(self.bounds.as_ref().map(BoundsAnswer::text));
        text
    }
}
