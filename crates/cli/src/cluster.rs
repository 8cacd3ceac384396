//! Work by several processes: the options, the processes of this machine, and what is reported.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use clap::Args;
use tilebase_cluster::{Cluster, ClusterError, Hosts, Secret};
use tilebase_schema::ProcessReport;
use tilebase_table::Shard;
use tilebase_util::bytes_text;
use tilebase_util::progress::{Progress, Unit};

use crate::arguments::MachineOptions;
use crate::failure::Failure;
use crate::{interrupt, memory};

/// Where processes that this program starts find the secret.
const SECRET: &str = "TILEBASE_SECRET";
/// How long a process may take to end after the others.
const LAST: Duration = Duration::from_secs(10);
/// How long work may go on by itself after a failure.
const PATIENCE: Duration = Duration::from_secs(2);

/// The options of work that several processes can share.
#[derive(Args)]
#[command(next_help_heading = "Several processes")]
pub struct ClusterOptions {
    /// Start N processes on this machine, which share the work and the memory it takes
    #[arg(long, value_name = "N", conflicts_with_all = ["cluster", "process", "secret"],
          value_parser = clap::value_parser!(u16).range(1..=256))]
    processes: Option<u16>,

    /// All processes as HOST:PORT,HOST:PORT,... or the file that lists them, a line each
    #[arg(long, value_name = "HOSTS", requires = "process")]
    cluster: Option<String>,

    /// Which of them this one is, from 0
    #[arg(long, value_name = "I", requires = "cluster")]
    process: Option<usize>,

    /// A file with the secret that all processes share [default: the variable TILEBASE_SECRET]
    #[arg(long, value_name = "FILE", requires = "cluster")]
    secret: Option<PathBuf>,

    /// Seconds to wait for the other processes at the start
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    wait: u64,
}

/// A process among others, and those that it has started.
pub struct Joined {
    cluster: Cluster,
    children: Children,
}

impl ClusterOptions {
    /// An error if the work is shared and goes with an option that only one process can follow.
    pub fn refuse(&self, option: &str, given: bool) -> Result<(), Failure> {
        match given && self.is_used() {
            true => Err(Failure::Request(format!(
                "{option} is for one process: leave it out, or --processes and --cluster"
            ))),
            false => Ok(()),
        }
    }

    /// Whether the work is shared.
    pub fn is_used(&self) -> bool {
        self.processes.is_some() || self.cluster.is_some()
    }

    /// Whether this is the only process, or the first.
    pub fn is_first(&self) -> bool {
        self.process.is_none_or(|process| process == 0)
    }

    /// How many processes share the work, if several do.
    pub fn number(&self) -> Result<Option<usize>, Failure> {
        match &self.cluster {
            Some(list) => Ok(Some(Hosts::read(list).map_err(Failure::request)?.len())),
            None => Ok(self.processes.map(usize::from)),
        }
    }

    /// How many processes of this machine share it.
    fn here(&self) -> usize {
        self.processes.map_or(1, usize::from)
    }

    /// The threads of a process.
    pub fn threads(&self, machine: &MachineOptions) -> usize {
        match machine.threads.is_given() {
            true => machine.threads.number(),
            false => (machine.threads.number() / self.here()).max(1),
        }
    }

    /// The memory of a process.
    pub fn memory(&self, machine: &MachineOptions) -> u64 {
        match machine.memory.is_given() {
            true => machine.memory.bytes(),
            false => machine.memory.bytes() / self.here() as u64,
        }
    }

    /// Joins the other processes, and starts them if they are to run on this machine. `work` says what is
    /// to be done.
    pub fn join(&self, work: &str, machine: &MachineOptions) -> Result<Joined, Failure> {
        interrupt::listen();
        let (hosts, process, secret, children) = match (&self.cluster, self.process) {
            (Some(list), Some(process)) => {
                let hosts = Hosts::read(list).map_err(Failure::request)?;
                if process >= hosts.len() {
                    return Err(Failure::Request(format!(
                        "--process {process}: the list has {} processes, numbered from 0",
                        hosts.len()
                    )));
                }
                (hosts, process, self.secret()?, Children::default())
            }
            _ => {
                let hosts = Hosts::on_this_machine(self.here())?;
                let text = Secret::random_text()?;
                let secret = Secret::new(&text).ok_or(ClusterError::Interrupted)?;
                let children = Children::start(&hosts, &text, self, machine)?;
                (hosts, 0, secret, children)
            }
        };
        let (wait, ended) = (Duration::from_secs(self.wait), children.clone());
        // Later the connections tell who has failed.
        let connecting = Arc::new(AtomicBool::new(true));
        let still = Arc::clone(&connecting);
        let interrupted =
            move || interrupt::asked() || still.load(Ordering::Relaxed) && ended.any_failed();
        let connected = Cluster::connect_within(&hosts, process, &secret, work, wait, interrupted);
        connecting.store(false, Ordering::Relaxed);
        match connected {
            Ok(cluster) => Ok(Joined { cluster, children }),
            Err(error) => {
                let failure = children.failure();
                children.end();
                Err(failure.unwrap_or_else(|| error.into()))
            }
        }
    }

    /// The secret that the user has given.
    fn secret(&self) -> Result<Secret, Failure> {
        let text = match &self.secret {
            Some(path) => std::fs::read_to_string(path)
                .map_err(|error| Failure::request(format!("{}: {error}", path.display())))?,
            None => std::env::var(SECRET).map_err(|_| {
                Failure::request(format!(
                    "--cluster needs a secret that all processes share: a file with --secret FILE, or the variable {SECRET}"
                ))
            })?,
        };
        Secret::new(&text).ok_or_else(|| {
            Failure::request(format!(
                "the secret is too short: use {} characters or more, such as those of 'openssl rand -hex 32'",
                Secret::LEAST_LENGTH
            ))
        })
    }
}

impl Joined {
    /// Does the work, and tells the other processes if it fails: what was found, and a report of each
    /// process.
    pub fn run<T>(
        self,
        work: impl FnOnce(&Cluster) -> Result<T, Failure>,
    ) -> Result<(T, Vec<ProcessReport>), Failure> {
        let Joined { cluster, children } = self;
        let working = AtomicBool::new(true);
        let done = std::thread::scope(|scope| {
            let watching = scope.spawn(|| watch(&cluster, &children, &working));
            let _end = End(&working, watching.thread());
            work(&cluster).and_then(|found| Ok((found, reports(&cluster)?)))
        });
        match done {
            Ok(found) => {
                cluster.close()?;
                children.wait();
                Ok(found)
            }
            Err(failure) => {
                cluster.stop(&failure.why());
                children.end();
                Err(failure)
            }
        }
    }
}

/// Ends the watch when it is dropped.
struct End<'a>(&'a AtomicBool, &'a Thread);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
        self.1.unpark();
    }
}

/// Ends the program if the work goes on although it has failed elsewhere, or the user wants to stop. Steps
/// between messages can take minutes, and files are whole at any time.
fn watch(cluster: &Cluster, children: &Children, working: &AtomicBool) {
    if let Some(failure) = overdue(cluster, working, &interrupt::asked, PATIENCE) {
        cluster.tell(&failure.why());
        children.end();
        failure.report();
        std::process::exit(failure.status().into());
    }
}

/// Why the work should have ended a while ago; `None` if it ends before that.
fn overdue(
    cluster: &Cluster,
    working: &AtomicBool,
    interrupted: &dyn Fn() -> bool,
    patience: Duration,
) -> Option<Failure> {
    let mut since = None;
    while working.load(Ordering::Relaxed) {
        let reason = match cluster.fault() {
            _ if interrupted() => Some(Failure::Interrupted),
            fault => fault.map(Failure::from),
        };
        if let Some(failure) = reason {
            let since = since.get_or_insert_with(Instant::now);
            if since.elapsed() > patience {
                return Some(failure);
            }
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
    None
}

/// The directory of a process within the one that was given.
pub fn shard_dir(dir: &Path, cluster: &Cluster) -> PathBuf {
    let shard = Shard {
        process: cluster.process() as u32,
        processes: cluster.processes() as u32,
    };
    tilebase_table::shard_dir(dir, shard)
}

/// What each process has done.
fn reports(cluster: &Cluster) -> Result<Vec<ProcessReport>, ClusterError> {
    let traffic = cluster.traffic();
    let numbers = [
        traffic.sent,
        traffic.received,
        (traffic.waited * 1e6) as u64,
        memory::peak().unwrap_or(0),
    ];
    let all = cluster.share_numbers(&numbers)?;
    let report = |(process, numbers): (usize, &Vec<u64>)| ProcessReport {
        process,
        address: cluster.hosts().address(process).to_owned(),
        bytes_sent: numbers[0],
        bytes_received: numbers[1],
        seconds_waiting: numbers[2] as f64 / 1e6,
        peak_memory_bytes: Some(numbers[3]).filter(|&bytes| bytes > 0),
    };
    Ok(all.iter().enumerate().map(report).collect())
}

/// The reports as text, a line each.
pub fn reports_text(reports: &[ProcessReport]) -> String {
    let line = |report: &ProcessReport| {
        let peak = report.peak_memory_bytes.map_or(String::new(), bytes_text);
        format!(
            "  process {} ({}): {peak}, {} sent, {} received, waited {:.1} s\n",
            report.process,
            report.address,
            bytes_text(report.bytes_sent),
            bytes_text(report.bytes_received),
            report.seconds_waiting
        )
    };
    reports.iter().map(line).collect()
}

/// Progress of shared work: what has been exchanged, and who is waited for.
pub struct SharedProgress<'a> {
    line: &'a dyn Progress,
    cluster: &'a Cluster,
}

impl<'a> SharedProgress<'a> {
    /// Progress shown by another.
    pub fn new(line: &'a dyn Progress, cluster: &'a Cluster) -> SharedProgress<'a> {
        SharedProgress { line, cluster }
    }
}

impl Progress for SharedProgress<'_> {
    fn begin(&self, unit: Unit, total: Option<u64>) {
        self.line.begin(unit, total);
    }

    fn stage(&self, name: &str) {
        let traffic = self.cluster.traffic();
        let slowest = traffic.slowest;
        let slowest = slowest.map_or(String::new(), |process| format!(", slowest {process}"));
        let exchanged = bytes_text(traffic.sent + traffic.received);
        self.line
            .stage(&format!("{name}, {exchanged} exchanged{slowest}"));
    }

    fn layer(&self, sum: u32, states: u64) {
        self.line.layer(sum, states);
    }

    fn advance(&self, units: u64) {
        self.line.advance(units);
    }

    fn finish(&self) {
        self.line.finish();
    }

    fn interrupted(&self) -> bool {
        self.line.interrupted()
    }
}

/// The processes that this one has started.
#[derive(Clone, Default)]
struct Children(Arc<Mutex<Vec<Child>>>);

impl Children {
    /// Starts all processes but the first, with the same command.
    fn start(
        hosts: &Hosts,
        secret: &str,
        options: &ClusterOptions,
        machine: &MachineOptions,
    ) -> Result<Children, Failure> {
        let children = Children::default();
        let system = |error| Failure::work("starting a process", error);
        let program = std::env::current_exe().map_err(system)?;
        let arguments = without_processes(std::env::args_os().skip(1));
        for process in 1..hosts.len() {
            let mut command = Command::new(&program);
            command
                .args(&arguments)
                .args([
                    "--cluster",
                    &hosts.list(),
                    "--process",
                    &process.to_string(),
                ])
                .env(SECRET, secret)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped());
            if !machine.threads.is_given() {
                command.args(["--threads", &options.threads(machine).to_string()]);
            }
            if !machine.memory.is_given() {
                command.args(["--memory", &options.memory(machine).to_string()]);
            }
            match command.spawn() {
                Ok(child) => children.lock().push(child),
                Err(error) => {
                    children.end();
                    return Err(system(error));
                }
            }
        }
        Ok(children)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Child>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one has failed.
    fn any_failed(&self) -> bool {
        let mut children = self.lock();
        let failed =
            |child: &mut Child| matches!(child.try_wait(), Ok(Some(status)) if !status.success());
        children.iter_mut().any(failed)
    }

    /// What the first that failed has said.
    fn failure(&self) -> Option<Failure> {
        for child in self.lock().iter_mut() {
            let Ok(Some(status)) = child.try_wait() else {
                continue;
            };
            let mut said = String::new();
            if let Some(stderr) = &mut child.stderr {
                let _ = stderr.read_to_string(&mut said);
            }
            let said = said.trim().trim_start_matches("tilebase: ").to_owned();
            match status.code() {
                Some(0) => {}
                Some(130) => return Some(Failure::Interrupted),
                Some(2) => return Some(Failure::Request(said)),
                _ => return Some(Failure::Work(said)),
            }
        }
        None
    }

    /// Waits until all have ended.
    fn wait(&self) {
        let limit = Instant::now() + LAST;
        for child in self.lock().iter_mut() {
            while matches!(child.try_wait(), Ok(None)) && Instant::now() < limit {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        self.end();
    }

    /// Ends those that have not ended by themselves.
    fn end(&self) {
        let limit = Instant::now() + Duration::from_secs(2);
        for child in self.lock().iter_mut() {
            while matches!(child.try_wait(), Ok(None)) && Instant::now() < limit {
                std::thread::sleep(Duration::from_millis(5));
            }
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The arguments without `--processes N`.
fn without_processes(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut skip = false;
    for argument in arguments {
        let text = argument.to_string_lossy();
        if std::mem::take(&mut skip) || text.starts_with("--processes=") {
            continue;
        }
        match &*text == "--processes" {
            true => skip = true,
            false => kept.push(argument),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two processes that are connected.
    fn connected() -> [Cluster; 2] {
        let hosts = Hosts::on_this_machine(2).unwrap();
        let secret = Secret::random().unwrap();
        std::thread::scope(|scope| {
            let connect = |process| {
                let (hosts, secret) = (&hosts, &secret);
                scope.spawn(move || Cluster::connect(hosts, process, secret, "test").unwrap())
            };
            [0, 1].map(connect).map(|thread| thread.join().unwrap())
        })
    }

    #[test]
    fn work_that_does_not_notice_a_failure_is_overdue() {
        let [own, other] = connected();
        let never = || false;
        let (working, short) = (AtomicBool::new(true), Duration::from_millis(50));
        std::thread::scope(|scope| {
            let overdue = scope.spawn(|| overdue(&own, &working, &never, short));
            other.stop("the disk is full");
            let failure = overdue.join().unwrap().unwrap();
            assert!(failure.why().contains("process 1"), "{failure:?}");
            assert!(failure.why().contains("the disk is full"), "{failure:?}");
        });
        let failure = overdue(&own, &working, &|| true, short);
        assert!(matches!(failure, Some(Failure::Interrupted)));
        working.store(false, Ordering::Relaxed);
        assert!(overdue(&own, &working, &|| true, short).is_none());
    }

    #[test]
    fn the_number_of_processes_is_not_passed_on() {
        let of = |line: &str| {
            let words = line.split(' ').map(OsString::from);
            let kept = without_processes(words).into_iter();
            kept.map(|word| word.into_string().unwrap_or_default())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(of("count 3x3 --processes 4 --to 64"), "count 3x3 --to 64");
        assert_eq!(of("count --processes=4 3x3"), "count 3x3");
        assert_eq!(of("count 3x3 --process 4"), "count 3x3 --process 4");
    }
}
