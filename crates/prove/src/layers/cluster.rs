//! Solving by layers by several processes, each with its share of every layer.
//!
//! A process marks the boards of its share, and asks the others for the marks of their boards. All
//! get the numbers of all: the report is that of one process alone.

mod pass;

use std::time::Instant;

use tilebase_cluster::Cluster;
use tilebase_count::{Count, CountOptions, CountPlan, count_together, shares};
use tilebase_game::Variant;
use tilebase_index::{Keep, Store};
use tilebase_util::progress::Progress;
use tilebase_util::{keep_awake, on_threads};

use super::error::LayersError;
use super::report::LayersReport;
use super::{BASE_BYTES, IN_MEMORY, LayersOptions, never_held};
use crate::contest::Contest;
use pass::TogetherPass;

/// Finds who wins a contest together with other processes, as [`solve_layers`] does alone: every
/// process gets the same report but for the seconds. The options are those of this process, and its
/// directory is its own. Directories that have layers already are resumed at the last layer that all
/// of them have.
///
/// ```
/// use tilebase_cluster::{Cluster, Hosts, Secret};
/// use tilebase_prove::{Contest, DropTiles, LayersOptions, Winner, solve_layers_together};
/// use tilebase_util::progress::Silent;
///
/// let hosts = Hosts::on_this_machine(2).unwrap();
/// let secret = Secret::random().unwrap();
/// std::thread::scope(|scope| {
///     for process in 0..2 {
///         let (hosts, secret) = (&hosts, &secret);
///         scope.spawn(move || {
///             let cluster = Cluster::connect(hosts, process, secret, "prove").unwrap();
///             let contest = Contest::new("3x3".parse().unwrap(), 6, DropTiles::Both).unwrap();
///             let options = LayersOptions { threads: 1, ..LayersOptions::default() };
///             let report = solve_layers_together(&cluster, &contest, &options, &Silent).unwrap();
///             assert_eq!(report.winner, Winner::Dropper);
///             cluster.close().unwrap();
///         });
///     }
/// });
/// ```
///
/// [`solve_layers`]: super::solve_layers
pub fn solve_layers_together(
    cluster: &Cluster,
    contest: &Contest,
    options: &LayersOptions,
    progress: &dyn Progress,
) -> Result<LayersReport, LayersError> {
    if let Some(report) = never_held(contest) {
        return Ok(report);
    }
    let began = Instant::now();
    let variant = contest.variant();
    let variant = variant.map_err(|_| LayersError::Target(contest.target()))?;
    // Report a wrong request before anything is written.
    let plan = CountPlan::sizes(&variant, options.memory)?;
    let mut store = open(cluster, &variant, &plan, options)?;
    let count_options = CountOptions {
        threads: options.threads,
        memory: options.memory,
        by_largest: false,
        ..CountOptions::default()
    };
    let store_ref = Some(&mut store);
    let count = count_together(
        cluster,
        &variant,
        &count_options,
        store_ref,
        progress,
        &mut |_| (),
    )?;
    let count_seconds = began.elapsed().as_secs_f64();
    check_memory(cluster, &count, &plan, &store, options.memory)?;
    let (winner, layers) = on_threads(options.threads, || {
        keep_awake(|| TogetherPass::new(cluster, contest, &count.index, progress).run(&store))
    })
    .map_err(LayersError::system)??;
    Ok(LayersReport {
        winner,
        lost: count.lost(),
        layers,
        count_seconds,
        backward_seconds: began.elapsed().as_secs_f64() - count_seconds,
    })
}

/// The place where the share of this process is kept.
fn open(
    cluster: &Cluster,
    variant: &Variant,
    plan: &CountPlan,
    options: &LayersOptions,
) -> Result<Store, LayersError> {
    let share = plan.total_bytes / cluster.processes() as u64;
    let small = share <= IN_MEMORY.min(options.memory / 8);
    match &options.dir {
        Some(dir) if !small || dir.exists() => Ok(Store::open(dir, variant, Keep::Afterstates)?),
        _ if small => Ok(Store::in_memory(variant, Keep::Afterstates)),
        _ => Err(LayersError::Directory {
            disk: plan.estimate(variant, 1).disk_bytes / cluster.processes() as u64,
        }),
    }
}

/// Fails if the way down needs more memory than is allowed.
fn check_memory(
    cluster: &Cluster,
    count: &Count,
    plan: &CountPlan,
    store: &Store,
    allowed: u64,
) -> Result<(), LayersError> {
    let processes = cluster.processes() as u64;
    // As for one process alone, and a byte for each board whose mark is being found.
    let layer = |layer: &tilebase_index::LayerCount| {
        let share = shares(&count.index, layer.sum, cluster).positions(cluster.process()) / 8;
        let states: u64 = layer.states.iter().sum();
        5 * share + states.max(layer.afterstates) / processes
    };
    let kept = match store.is_in_memory() {
        true => 2 * plan.total_bytes / processes,
        false => 0,
    };
    let largest = count.layers.iter().map(layer).max().unwrap_or(0);
    let needed = [largest, kept, plan.table_bytes, BASE_BYTES];
    let needed = needed.into_iter().fold(0, u64::saturating_add);
    match needed > allowed {
        true => Err(LayersError::Memory { needed, allowed }),
        false => Ok(()),
    }
}
