//! Several processes count as one does: the same layers, and together the same sets.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tempfile::tempdir;
use tilebase_cluster::{Cluster, Hosts, Secret};
use tilebase_count::{Count, CountOptions, count, count_together};
use tilebase_game::Variant;
use tilebase_index::pack::Section;
use tilebase_index::{Keep, Store};
use tilebase_util::progress::Silent;

/// Runs a function on every process of a cluster.
fn together<T: Send>(processes: usize, run: impl Fn(&Cluster) -> T + Sync) -> Vec<T> {
    let hosts = Hosts::on_this_machine(processes).unwrap();
    let secret = Secret::random().unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..processes)
            .map(|process| {
                let (hosts, secret, run) = (&hosts, &secret, &run);
                scope.spawn(move || {
                    let cluster = Cluster::connect(hosts, process, secret, "test").unwrap();
                    let found = run(&cluster);
                    cluster.close().unwrap();
                    found
                })
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<T>| thread.join().unwrap();
        threads.into_iter().map(join).collect()
    })
}

fn options(threads: usize) -> CountOptions {
    CountOptions {
        threads,
        ..CountOptions::default()
    }
}

fn count_alone(variant: &Variant) -> (Count, Vec<[Vec<Section>; 2]>) {
    let dir = tempdir().unwrap();
    let mut store = Store::open(dir.path(), variant, Keep::Afterstates).unwrap();
    let count = count(variant, &options(2), Some(&mut store), &Silent).unwrap();
    let sets = sections(&store);
    (count, sets)
}

/// The packed states and afterstates of all layers.
fn sections(store: &Store) -> Vec<[Vec<Section>; 2]> {
    let layers = store.manifest().layers.iter();
    layers
        .map(|layer| [Keep::States, Keep::Afterstates].map(|what| store.read(layer, what).unwrap()))
        .collect()
}

/// The sets of several shares put together.
fn joined(shares: Vec<Vec<[Vec<Section>; 2]>>) -> Vec<[Vec<Section>; 2]> {
    let layers = shares[0].len();
    (0..layers)
        .map(|layer| {
            [0, 1].map(|what| {
                let parts = shares.iter().flat_map(|share| share[layer][what].clone());
                parts.collect()
            })
        })
        .collect()
}

const GAMES: [&str; 13] = [
    "1x4",
    "2x2-to-32",
    "2x3",
    "3x2-to-32",
    "3x3-to-64",
    "3x4-to-16",
    "4x2-to-64",
    "4x4-to-8",
    "3x3-to-32-spawn-2:1",
    "3x3-to-32-spawn-4:1-start-1",
    "2x3-to-16-formation-free5",
    "3x3-to-16-formation-free6",
    "3x3-to-16-walls-3-keep-f0f000000-goal-ffffff",
];

#[test]
fn several_processes_find_what_one_finds() {
    for name in GAMES {
        let variant: Variant = name.parse().unwrap();
        let (alone, sets) = count_alone(&variant);
        for processes in [1, 2, 3, 4, 8] {
            let found = together(processes, |cluster| {
                let dir = tempdir().unwrap();
                let mut store = Store::open(dir.path(), &variant, Keep::Afterstates).unwrap();
                let mut reported = Vec::new();
                let count = count_together(
                    cluster,
                    &variant,
                    &options(1 + cluster.process() % 2),
                    Some(&mut store),
                    &Silent,
                    &mut |layer| reported.push(layer.clone()),
                );
                let count = count.unwrap();
                assert_eq!(reported, count.layers);
                (count.layers, sections(&store))
            });
            let (layers, shares): (Vec<_>, Vec<_>) = found.into_iter().unzip();
            for found in layers {
                assert_eq!(found, alone.layers, "{name} with {processes} processes");
            }
            assert!(joined(shares) == sets, "{name} with {processes} processes");
        }
    }
}

#[test]
fn stores_that_end_at_different_layers_are_resumed() {
    let variant: Variant = "3x3-to-64".parse().unwrap();
    let (alone, sets) = count_alone(&variant);
    let dirs: Vec<_> = (0..3).map(|_| tempdir().unwrap()).collect();
    for cut in [None, Some([40, 30, 50]), Some([6, 4, 8]), Some([100, 0, 7])] {
        let shares = together(3, |cluster| {
            let dir = dirs[cluster.process()].path();
            let mut store = Store::open(dir, &variant, Keep::Afterstates).unwrap();
            if let Some(cut) = cut {
                store.truncate(cut[cluster.process()]).unwrap();
            }
            let count = count_together(
                cluster,
                &variant,
                &options(1),
                Some(&mut store),
                &Silent,
                &mut |_| (),
            );
            assert_eq!(count.unwrap().layers, alone.layers);
            sections(&store)
        });
        assert!(joined(shares) == sets, "{cut:?}");
    }
}

#[test]
fn too_little_memory_is_an_error() {
    let variant: Variant = "3x3-to-64".parse().unwrap();
    let little = CountOptions {
        memory: 1 << 20,
        ..options(1)
    };
    let cluster = Cluster::alone();
    let found = count_together(&cluster, &variant, &little, None, &Silent, &mut |_| ());
    assert!(found.is_err_and(|error| error.is_request()));
}
