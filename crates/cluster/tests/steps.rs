//! Processes as threads, connected over the loopback interface.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_cluster::{Cluster, Hosts, Secret};

/// Runs a function on every process of a cluster.
fn together<T: Send>(processes: usize, run: impl Fn(Cluster) -> T + Sync) -> Vec<T> {
    let hosts = Hosts::on_this_machine(processes).unwrap();
    let secret = Secret::random().unwrap();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..processes)
            .map(|process| {
                let (hosts, secret, run) = (&hosts, &secret, &run);
                scope.spawn(move || run(Cluster::connect(hosts, process, secret, "test").unwrap()))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

#[test]
fn numbers_add_up() {
    for processes in [2, 3, 5] {
        let sums = together(processes, |cluster| {
            let sum = cluster.sum(&[1, cluster.process() as u64]).unwrap();
            cluster.close().unwrap();
            sum
        });
        let n = processes as u64;
        assert_eq!(sums, vec![vec![n, n * (n - 1) / 2]; processes]);
    }
}
