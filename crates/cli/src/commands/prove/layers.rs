//! `prove --engine layers`: retrograde analysis.

use tilebase_prove::{
    Contest, LayerResult, LayersError, LayersOptions, LayersReport, Winner, solve_layers,
    solve_layers_together,
};
use tilebase_schema as schema;
use tilebase_solve::{GpuOptions, Width, solve_on_gpu};
use tilebase_table::Objective;
use tilebase_util::{Device, bytes_text};

use super::{Engine, Prove, contest_answer, contest_text};
use crate::cluster::{SharedProgress, reports_text, shard_dir};
use crate::failure::Failure;
use crate::memory;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Decides a contest layer by layer and prints the answer.
pub fn run(prove: &Prove, contest: &Contest, json: bool) -> Result<(), Failure> {
    let options = LayersOptions {
        threads: prove.together.threads(&prove.machine),
        memory: prove.together.memory(&prove.machine),
        dir: prove.dir.clone(),
    };
    if let (Device::Cuda, Some(_)) = (prove.machine.device(), &prove.dir) {
        return Err(Failure::request(
            "a GPU keeps no layers: leave --dir out, or use --device cpu",
        ));
    }
    let (report, processes) = match prove.machine.device() {
        Device::Cuda if contest.target() <= contest.largest_exponent() => {
            let gpu_bytes = prove.machine.gpu_memory();
            (on_gpu(contest, &options, gpu_bytes)?, None)
        }
        _ if prove.together.is_used() => together(prove, contest, &options)?,
        _ => {
            let report = solve_layers(contest, &options, &ProgressLine::new());
            (report.map_err(failure)?, None)
        }
    };
    let mut answer = answer(prove, contest, &options, &report);
    answer.processes = processes;
    output::print(json, &answer, text)
}

/// Decides a contest together with other processes.
fn together(
    prove: &Prove,
    contest: &Contest,
    options: &LayersOptions,
) -> Result<(LayersReport, Option<Vec<schema::ProcessReport>>), Failure> {
    let variant = contest.variant();
    let variant = variant.map_err(|_| failure(LayersError::Target(contest.target())))?;
    let joined = prove
        .together
        .join(&format!("prove {variant}"), &prove.machine)?;
    let progress = ProgressLine::new();
    let (report, processes) = joined.run(|cluster| {
        let shared = SharedProgress::new(&progress, cluster);
        let options = LayersOptions {
            dir: options.dir.as_ref().map(|dir| shard_dir(dir, cluster)),
            ..options.clone()
        };
        solve_layers_together(cluster, contest, &options, &shared).map_err(failure)
    })?;
    Ok((report, Some(processes)))
}

fn answer(
    prove: &Prove,
    contest: &Contest,
    options: &LayersOptions,
    report: &LayersReport,
) -> schema::ProveLayersAnswer {
    let layers = report.layers.iter().map(|layer| schema::ProveLayer {
        sum: layer.sum,
        states: layer.states,
        winning: layer.winning,
        afterstates: layer.afterstates,
        winning_afterstates: layer.winning_afterstates,
    });
    schema::ProveLayersAnswer {
        contest: contest_answer(
            contest,
            report.winner,
            Engine::Layers,
            report.states().into(),
            report.seconds(),
        ),
        winning: report.winning(),
        lost: report.lost,
        afterstates: report.afterstates(),
        winning_afterstates: report.winning_afterstates(),
        layers: layers.collect(),
        count_seconds: report.count_seconds,
        device: match prove.machine.device() {
            Device::Cpu => schema::Device::Cpu,
            Device::Cuda => schema::Device::Cuda,
        },
        threads: options.threads,
        peak_memory_bytes: memory::peak(),
        processes: None,
    }
}

/// Decides a contest on the first GPU. Slider wins the states that are sure wins against chance.
fn on_gpu(
    contest: &Contest,
    options: &LayersOptions,
    gpu_bytes: Option<u64>,
) -> Result<LayersReport, Failure> {
    let variant = contest.variant();
    let variant = variant.map_err(|_| failure(LayersError::Target(contest.target())))?;
    let options = GpuOptions {
        width: Some(Width::Bits32),
        memory: options.memory,
        gpu_bytes,
        ..GpuOptions::default()
    };
    let solution = solve_on_gpu(&variant, Objective::Win, &options, &ProgressLine::new())?;
    let layers = solution.layers.iter().map(|layer| LayerResult {
        sum: layer.sum,
        states: layer.states,
        winning: layer.sure_wins,
        afterstates: layer.afterstates,
        winning_afterstates: layer.sure_afterstates,
    });
    Ok(LayersReport {
        winner: match solution.start.sure_win {
            true => Winner::Slider,
            false => Winner::Dropper,
        },
        lost: solution.lost,
        layers: layers.collect(),
        count_seconds: solution.count_seconds,
        backward_seconds: solution.backward_seconds,
    })
}

fn failure(error: LayersError) -> Failure {
    match error {
        LayersError::Interrupted => Failure::Interrupted,
        LayersError::Directory { disk } => Failure::Request(format!(
            "the layers are too large to be kept in memory: add --dir DIR, with about {} of room",
            bytes_text(disk)
        )),
        LayersError::Memory { .. } => Failure::Request(format!(
            "{error}: allow more with --memory, or choose a smaller target"
        )),
        LayersError::Target(_) => Failure::Request(format!("{error}, or use --engine search")),
        LayersError::Count(error) => error.into(),
    }
}

fn text(answer: &schema::ProveLayersAnswer) -> String {
    let peak = answer
        .peak_memory_bytes
        .map_or(String::new(), |bytes| format!(", {}", bytes_text(bytes)));
    format!(
        "{}  {} of {} live states are won, {} of {} afterstates; {} states are lost at once\n  \
         {:.2} s on {} ({:.2} s of it to count){peak}\n{}",
        contest_text(&answer.contest),
        grouped(answer.winning.into()),
        grouped(answer.contest.visited),
        grouped(answer.winning_afterstates.into()),
        grouped(answer.afterstates.into()),
        grouped(answer.lost.into()),
        answer.contest.seconds,
        match answer.device {
            schema::Device::Cuda => "a GPU".to_owned(),
            schema::Device::Cpu => format!("{} threads", answer.threads),
        },
        answer.count_seconds,
        reports_text(answer.processes.as_deref().unwrap_or(&[]))
    )
}
