//! Several processes that count together: their answers, and everything that can happen to them.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{SmallDisk, check_answer, fails, json, path, temporary};

/// Takes part of a second.
const SHORT: &str = "count 3x3 --to 64 --json";
/// Takes long enough to be disturbed.
const LONG: &str = "count 3x4 --to 64 --json";

/// No process may take longer than this, however busy the machine is.
const LIMIT: Duration = Duration::from_secs(120);
/// Within this time all notice that a process has died: at once, and when they start after ten seconds.
const DEATH: Duration = Duration::from_secs(40);
/// Within this time all notice that a process hangs: after eight seconds.
const SILENCE: Duration = Duration::from_secs(50);

/// The parts of an answer that do not depend on the machine; `null` what it has not.
fn numbers(answer: &Value) -> Value {
    let names = "states lost afterstates layers start_value sure_wins winner winning";
    let part = |name: &str| (name.to_owned(), answer[name].clone());
    Value::Object(names.split(' ').map(part).collect())
}

/// Waits until something holds.
fn wait_until(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + limit;
    while !holds() {
        assert!(Instant::now() < end, "waited too long: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Addresses on this machine that are free now.
fn addresses(number: usize) -> Vec<String> {
    let bound: Vec<TcpListener> = (0..number)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
    bound.iter().map(address).collect()
}

/// How a process ended.
#[derive(Debug)]
struct Ended {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ended {
    /// The answer of a process that succeeded: one object and nothing else.
    fn answer(&self, command: &str) -> Value {
        assert_eq!(self.status, Some(0), "{self:?}");
        assert_eq!(self.stderr, "", "{self:?}");
        let answer: Value = serde_json::from_str(&self.stdout).unwrap();
        check_answer(&answer, command);
        answer
    }

    /// The line of a process that failed.
    fn line(&self, status: i32) -> &str {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert_eq!(self.stdout, "", "{self:?}");
        assert_eq!(self.stderr.lines().count(), 1, "{self:?}");
        &self.stderr
    }

    /// The line of a process that failed because of another one.
    fn names(&self, status: i32, process: usize, address: &str) -> &str {
        let line = self.line(status);
        let name = format!("process {process} ({address})");
        assert!(line.contains(&name), "{name} is not in {line}");
        line
    }
}

/// A process that is killed when it is dropped. What it prints is read all the time.
struct Process {
    child: Child,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
}

fn reader(mut pipe: impl Read + Send + 'static) -> Option<JoinHandle<String>> {
    Some(std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }))
}

impl Process {
    fn start(command: &mut Command) -> Process {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        Process {
            child,
            stdout: reader(stdout),
            stderr: reader(stderr),
        }
    }

    fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }

    fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for the end, for a limited time.
    fn ended(mut self, limit: Duration) -> Ended {
        let what = format!("the end of process {}", self.child.id());
        wait_until(&what, limit, || !self.is_running());
        let text = |reader: Option<JoinHandle<String>>| reader.unwrap().join().unwrap();
        Ended {
            status: self.child.wait().unwrap().code(),
            stdout: text(self.stdout.take()),
            stderr: text(self.stderr.take()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn signal(id: u32, name: &str) {
    let kill = Command::new("kill")
        .args([&format!("-{name}"), &id.to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(kill.unwrap().success(), "kill -{name} {id}");
}

/// Processes on this machine, with a secret and a directory.
struct Group {
    hosts: Vec<String>,
    dir: TempDir,
}

impl Group {
    fn new(number: usize) -> Group {
        let dir = temporary();
        fs::write(dir.path().join("secret"), "correct horse battery staple\n").unwrap();
        fs::write(dir.path().join("other"), "correct horse battery stable\n").unwrap();
        let hosts = addresses(number);
        Group { hosts, dir }
    }

    fn secret(&self) -> String {
        path(&self.dir, "secret")
    }

    fn list(&self) -> String {
        self.hosts.join(",")
    }

    /// The command of a process.
    fn command(&self, work: &str, process: usize) -> Command {
        let (list, secret) = (self.list(), self.secret());
        crate::common::tilebase(&format!(
            "{work} --threads 1 --cluster {list} --process {process} --secret {secret}"
        ))
    }

    fn start(&self, work: &str, process: usize) -> Process {
        Process::start(&mut self.command(work, process))
    }

    /// Starts all of them.
    fn start_all(&self, work: &str) -> Vec<Process> {
        (0..self.hosts.len())
            .map(|process| self.start(work, process))
            .collect()
    }

    /// Starts all of them with a directory, and waits until each has written layers.
    fn start_long(&self) -> Vec<Process> {
        let mut processes = self.start_all(&format!("{LONG} --dir {}", path(&self.dir, "d")));
        wait_until("layers of all processes", LIMIT, || {
            assert!(processes.iter_mut().all(Process::is_running));
            (0..self.hosts.len()).all(|process| self.files(process) > 3)
        });
        processes
    }

    /// Where a process keeps its shard.
    fn shard(&self, process: usize) -> PathBuf {
        let number = self.hosts.len();
        let dir = self.dir.path().join("d");
        dir.join(format!("shard-{process}-of-{number}"))
    }

    /// Makes the directories of all shards: `prove` keeps small games in memory without them.
    fn make_shards(&self) {
        (0..self.hosts.len()).for_each(|process| fs::create_dir_all(self.shard(process)).unwrap());
    }

    /// The number of files in the shard of a process.
    fn files(&self, process: usize) -> usize {
        fs::read_dir(self.shard(process)).map_or(0, Iterator::count)
    }

    /// Checks that all processes but one end in time and name that one; their lines.
    fn others_name(&self, processes: Vec<Process>, culprit: usize, limit: Duration) -> Vec<String> {
        let end = Instant::now() + limit;
        let mut lines = Vec::new();
        for (process, running) in processes.into_iter().enumerate() {
            if process != culprit {
                let ended = running.ended(end.saturating_duration_since(Instant::now()));
                let line = ended.names(1, culprit, &self.hosts[culprit]);
                lines.push(line.to_owned());
            }
        }
        lines
    }
}

/// Checks that all processes succeed with the numbers of one alone.
fn all_succeed(command: &str, processes: Vec<Process>, expected: &Value) {
    for process in processes {
        let answer = process.ended(LIMIT).answer(command);
        assert_eq!(&numbers(&answer), expected);
    }
}

fn all_count(processes: Vec<Process>, expected: &Value) {
    all_succeed("count", processes, expected);
}

fn alone(work: &str) -> Value {
    numbers(&json(work.trim_end_matches(" --json")))
}

/// The files of a directory and those below it, by name.
fn content(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => {
                let name = PathBuf::from(path.file_name().unwrap());
                let below = content(&path).into_iter();
                files.extend(below.map(|(file, bytes)| (name.join(file), bytes)));
            }
            false => {
                let name = PathBuf::from(path.file_name().unwrap());
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

/// Numbers that look random, the same at each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

#[test]
fn any_number_of_processes_counts_the_same() {
    for work in ["count 3x3 --to 64", "count 3x3 --to 16 --formation free6"] {
        let expected = alone(work);
        for number in [1, 2, 3, 4, 8] {
            let command = format!("{work} --json --threads 1 --processes {number}");
            let process = Process::start(&mut crate::common::tilebase(&command));
            let answer = process.ended(LIMIT).answer("count");
            assert_eq!(numbers(&answer), expected, "{command}");
            let reports = answer["processes"].as_array().unwrap();
            assert_eq!(reports.len(), number, "{command}");
            for (process, report) in reports.iter().enumerate() {
                assert_eq!(report["process"], process);
                let several = number > 1;
                for field in ["bytes_sent", "bytes_received"] {
                    let bytes = report[field].as_u64().unwrap();
                    assert_eq!(bytes > 0, several, "{command}: {report}");
                }
            }
        }
    }
}

#[test]
fn processes_started_by_hand_count_the_same() {
    let group = Group::new(3);
    all_count(group.start_all(SHORT), &alone(SHORT));
}

/// Kills one of three processes at random moments until there were that many kills. `work` is what they
/// do, with a directory.
fn survive_kills(work: &str, kills: usize) {
    let command = work.split(' ').next().unwrap();
    let expected = numbers(&json(&format!("{work} {}", path(&temporary(), "d"))));
    let work = |group: &Group| format!("{work} {} --json --wait 10", path(&group.dir, "d"));
    let undisturbed = Group::new(3);
    undisturbed.make_shards();
    let begun = Instant::now();
    all_succeed(
        command,
        undisturbed.start_all(&work(&undisturbed)),
        &expected,
    );
    let whole = begun.elapsed().as_millis() as u64;
    let files = content(&undisturbed.dir.path().join("d"));

    let mut random = Random(0x2048_2048_2048_2048);
    let mut group = Group::new(3);
    group.make_shards();
    let mut killed = 0;
    while killed < kills {
        // The ports of those that were killed may not be free yet.
        group.hosts = addresses(3);
        let mut processes = group.start_all(&work(&group));
        let culprit = random.below(3) as usize;
        // The moment is random on purpose: nothing is waited for.
        std::thread::sleep(Duration::from_millis(random.below(whole * 2 / 3)));
        if !processes.iter_mut().all(Process::is_running) {
            // They were ready before, because they had gone on where they were. Begin anew.
            all_succeed(command, processes, &expected);
            assert_eq!(content(&group.dir.path().join("d")), files);
            fs::remove_dir_all(group.dir.path().join("d")).unwrap();
            group.make_shards();
            continue;
        }
        processes[culprit].child.kill().unwrap();
        if processes[culprit].child.wait().unwrap().code().is_some() {
            // It had ended at that very moment.
            continue;
        }
        group.others_name(processes, culprit, DEATH);
        killed += 1;
    }
    group.hosts = addresses(3);
    all_succeed(command, group.start_all(&work(&group)), &expected);
    assert_eq!(content(&group.dir.path().join("d")), files);
}

/// What is killed, each with the option that names its directory last.
const KILLED: [&str; 3] = [
    "count 3x4 --to 32 --dir",
    "solve 3x3 --to 64 --out",
    "prove 3x4 --to 32 --engine layers --dir",
];

#[test]
fn a_killed_process_is_named_and_the_work_goes_on() {
    for work in KILLED {
        survive_kills(work, 3);
    }
}

#[test]
#[ignore = "takes minutes"]
fn thirty_kills_change_nothing() {
    for work in KILLED {
        survive_kills(work, 30);
    }
}

#[test]
fn a_process_that_hangs_is_named() {
    let group = Group::new(3);
    let processes = group.start_long();
    processes[1].signal("STOP");
    let lines = group.others_name(processes, 1, SILENCE);
    // The first to notice tells the other one.
    let silent = |line: &String| line.contains("has not answered for");
    assert!(lines.iter().all(silent), "{lines:?}");
}

#[test]
fn an_interrupted_process_tells_the_others() {
    let group = Group::new(3);
    let mut processes = group.start_long();
    processes[2].signal("INT");
    let interrupted = processes.pop().unwrap().ended(DEATH);
    assert_eq!(interrupted.line(130), "tilebase: interrupted\n");
    for line in group.others_name(processes, 2, DEATH) {
        assert!(line.contains("it was interrupted"), "{line}");
    }
}

/// The processes that a process has started.
fn children_of(id: u32) -> Vec<u32> {
    let list = fs::read_to_string(format!("/proc/{id}/task/{id}/children"));
    let list = list.unwrap_or_default();
    list.split_whitespace()
        .map(|id| id.parse().unwrap())
        .collect()
}

fn is_alive(id: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    // The state is the word after the name in parentheses; Z has ended.
    let state = stat
        .rsplit_once(") ")
        .map(|(_, rest)| rest.starts_with('Z'));
    state == Some(false)
}

/// Started processes end with the one that started them, whatever happens to it or one of them.
#[test]
fn no_started_process_is_left_behind() {
    for (name, status) in [("INT", Some(130)), ("KILL", None)] {
        let dir = temporary();
        let command = format!("{LONG} --threads 1 --processes 3 --dir {}", path(&dir, "d"));
        let process = Process::start(&mut crate::common::tilebase(&command));
        let shard = dir.path().join("d/shard-0-of-3");
        wait_until("layers", LIMIT, || {
            fs::read_dir(&shard).map_or(0, Iterator::count) > 3
        });
        let children = children_of(process.child.id());
        if children.is_empty() {
            println!("skipped: this system does not list the children of a process");
            return;
        }
        assert_eq!(children.len(), 2);
        process.signal(name);
        let ended = process.ended(DEATH);
        assert_eq!(ended.status, status, "{ended:?}");
        wait_until("the end of all", DEATH, || {
            !children.iter().any(|&id| is_alive(id))
        });
    }
    let dir = temporary();
    let command = format!("{LONG} --threads 1 --processes 3 --dir {}", path(&dir, "d"));
    let process = Process::start(&mut crate::common::tilebase(&command));
    let shard = dir.path().join("d/shard-0-of-3");
    wait_until("layers", LIMIT, || {
        fs::read_dir(&shard).map_or(0, Iterator::count) > 3
    });
    let children = children_of(process.child.id());
    signal(children[1], "KILL");
    let ended = process.ended(DEATH);
    assert!(ended.line(1).contains("process 2 (127.0.0.1:"), "{ended:?}");
    wait_until("the end of all", DEATH, || {
        !children.iter().any(|&id| is_alive(id))
    });
}

#[test]
fn a_wrong_secret_is_refused() {
    let group = Group::new(3);
    let work = format!("{SHORT} --wait 3");
    let mut processes: Vec<Process> = (0..2).map(|process| group.start(&work, process)).collect();
    let wrong = group.list();
    let other = path(&group.dir, "other");
    let wrong = format!("{work} --cluster {wrong} --process 2 --secret {other}");
    processes.push(Process::start(&mut crate::common::tilebase(&wrong)));
    let ended = processes.pop().unwrap().ended(DEATH);
    assert!(ended.line(2).contains("has another secret"), "{ended:?}");
    let lines = group.others_name(processes, 2, DEATH);
    assert!(lines[0].contains("has another secret"), "{lines:?}");
}

#[test]
fn wrong_requests_are_refused() {
    let group = Group::new(2);
    let place = group.dir.path().to_str().unwrap();
    fs::write(group.dir.path().join("short"), "short\n").unwrap();
    let list = group.list();
    let host = &group.hosts[0];
    let secret = format!("--secret {}", group.secret());
    for (options, part) in [
        (format!("--cluster {list} --process 0"), "--secret FILE"),
        (
            format!("--cluster {list} --process 0 --secret {place}/short"),
            "too short",
        ),
        (
            format!("--cluster {list} --process 0 --secret {place}/missing"),
            "missing",
        ),
        (
            format!("--cluster {list} --process 2 {secret}"),
            "--process 2",
        ),
        (format!("--cluster {list} --process -1 {secret}"), "-1"),
        (format!("--cluster {list} {secret}"), "--process"),
        (format!("--process 0 {secret}"), "--cluster"),
        (
            format!("--cluster {host},127.0.0.1 --process 0 {secret}"),
            "'127.0.0.1' has no port",
        ),
        (
            format!("--cluster {host},{host} --process 0 {secret}"),
            "listed twice",
        ),
        (format!("--cluster , --process 0 {secret}"), "0 processes"),
        ("--processes 0".to_owned(), "--processes"),
        ("--processes 257".to_owned(), "--processes"),
        ("--processes 2 --cluster x".to_owned(), "--cluster"),
        (format!("--processes 2 {secret}"), "--secret"),
    ] {
        let arguments = format!("count 3x3 --to 64 --dir {place}/d {options}");
        let line = fails(&arguments, 2);
        assert!(line.contains(part), "{arguments}: {line}");
    }
    assert!(!group.dir.path().join("d").exists(), "nothing is written");
}

#[test]
fn processes_with_different_work_are_refused() {
    let group = Group::new(2);
    let work = format!("--wait 10 --json --dir {}", path(&group.dir, "d"));
    let first = group.start(&format!("count 3x3 --to 64 {work}"), 0);
    let second = group.start(&format!("count 3x3 --to 32 {work}"), 1);
    let ended = [first.ended(DEATH), second.ended(DEATH)];
    for (process, ended) in ended.iter().enumerate() {
        let line = ended.names(2, 1 - process, &group.hosts[1 - process]);
        assert!(line.contains("another task"), "{line}");
        assert!(line.contains("64") && line.contains("32"), "{line}");
    }

    let mut other = Group::new(2);
    other.hosts = vec![group.hosts[0].clone(), addresses(1).remove(0)];
    let work = format!("count 3x3 --to 64 {work}");
    let ended = [group.start(&work, 0).ended_beside(other.start(&work, 1))];
    for ended in ended.iter().flatten() {
        let line = ended.line(2);
        assert!(line.contains("another list of hosts"), "{line}");
        assert!(line.contains(&group.list()), "{line}");
        assert!(line.contains(&other.list()), "{line}");
    }
    assert!(!group.dir.path().join("d").exists(), "nothing is written");
}

impl Process {
    /// Waits for the ends of two processes.
    fn ended_beside(self, other: Process) -> [Ended; 2] {
        [self.ended(DEATH), other.ended(DEATH)]
    }
}

/// Connects to a process as soon as it listens.
fn connect(address: &str) -> TcpStream {
    let mut stream = None;
    wait_until("a listening process", LIMIT, || {
        stream = TcpStream::connect(address).ok();
        stream.is_some()
    });
    stream.unwrap()
}

#[test]
fn strangers_do_not_keep_processes_from_each_other() {
    let group = Group::new(3);
    let work = format!("{SHORT} --wait 30");
    let mut processes = vec![group.start(&work, 0)];
    // Those that say nothing stay until all is done.
    let mut strangers: Vec<TcpStream> = (0..3).map(|_| connect(&group.hosts[0])).collect();
    for garbage in [
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".as_slice(),
        &[0; 2],
        &[0xff; 70000],
        &[0, 48, 1, 2, 3],
        &[0],
    ] {
        let mut stream = connect(&group.hosts[0]);
        // It may be sent away before it has said all.
        let _ = stream.write_all(garbage);
        strangers.push(stream);
    }
    drop(connect(&group.hosts[0]));
    processes.push(group.start(&work, 1));
    strangers.push(connect(&group.hosts[1]));
    processes.push(group.start(&work, 2));
    all_count(processes, &alone(SHORT));
    drop(strangers);
}

#[test]
fn a_full_disk_of_one_process_is_named() {
    let Some(disk) = SmallDisk::new("64k") else {
        eprintln!("skipped: no small file system");
        return;
    };
    let group = Group::new(3);
    let mut processes: Vec<Process> = (0..3)
        .map(|process| {
            let dir = match process {
                1 => path(&disk.dir, "d"),
                _ => path(&group.dir, "d"),
            };
            group.start(&format!("{LONG} --dir {dir}"), process)
        })
        .collect();
    let full = processes.remove(1).ended(LIMIT);
    assert!(full.line(1).contains("No space left"), "{full:?}");
    for process in processes {
        let ended = process.ended(DEATH);
        let line = ended.names(1, 1, &group.hosts[1]);
        assert!(line.contains("No space left"), "{line}");
    }
}

/// Hosts of their own on a network of their own, removed when dropped.
struct Network {
    name: String,
    hosts: usize,
}

fn ip(arguments: &str) -> bool {
    let output = Command::new("ip")
        .args(arguments.split_whitespace())
        .output();
    output.is_ok_and(|output| output.status.success())
}

impl Network {
    /// Hosts behind a bridge that is a namespace too; `None` if this user may not make them.
    fn new(tag: &str, hosts: usize) -> Option<Network> {
        let name = format!("tilebase-{tag}-{}", std::process::id());
        if !ip(&format!("netns add {name}")) {
            eprintln!("skipped: this user may not make network namespaces");
            return None;
        }
        let network = Network { name, hosts };
        match network.connect() {
            true => Some(network),
            false => {
                eprintln!("skipped: this system has no bridges or virtual links");
                None
            }
        }
    }

    fn connect(&self) -> bool {
        let name = &self.name;
        let mut commands = vec![
            format!("-n {name} link add bridge type bridge"),
            format!("-n {name} link set bridge up"),
        ];
        for host in 0..self.hosts {
            let there = format!("{name}-{host}");
            commands.extend([
                format!("netns add {there}"),
                format!("-n {there} link set lo up"),
                format!("-n {there} link add eth0 type veth peer name port{host} netns {name}"),
                format!("-n {there} addr add 10.77.0.{}/24 dev eth0", host + 1),
                format!("-n {there} link set eth0 up"),
                format!("-n {name} link set port{host} master bridge"),
                format!("-n {name} link set port{host} up"),
            ]);
        }
        commands.iter().all(|command| ip(command))
    }

    /// Makes the links slow, if the system can: few bytes a second, and a delay.
    fn slow_down(&self) {
        let all = |slow: &str| (0..self.hosts).all(|host| self.shape(host, slow));
        if all("netem delay 5ms rate 20mbit") {
            return;
        }
        eprintln!("skipped: this system cannot delay packets");
        // What waits for its turn is late too.
        if !all("tbf rate 20mbit burst 16kb latency 200ms") {
            eprintln!("skipped: this system cannot slow links down");
        }
    }

    /// Has the system queue what a host sends.
    fn shape(&self, host: usize, how: &str) -> bool {
        let there = format!("{}-{host}", self.name);
        let tc = Command::new("tc")
            .args(["-n", &there, "qdisc", "replace", "dev", "eth0", "root"])
            .args(how.split(' '))
            .output();
        tc.is_ok_and(|output| output.status.success())
    }

    fn cut(&self, host: usize) {
        assert!(ip(&format!("-n {} link set port{host} down", self.name)));
    }

    /// Starts a process of a group on its host.
    fn start(&self, group: &Group, work: &str, host: usize) -> Process {
        let there = format!("{}-{host}", self.name);
        let inner = group.command(work, host);
        let mut command = Command::new("ip");
        command
            .args(["netns", "exec", &there])
            .arg(inner.get_program())
            .args(inner.get_args());
        Process::start(&mut command)
    }

    /// A group with a process on each host.
    fn group(&self) -> Group {
        let mut group = Group::new(self.hosts);
        let address = |host: usize| format!("10.77.0.{}:2048", host + 1);
        group.hosts = (0..self.hosts).map(address).collect();
        group
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for host in 0..self.hosts {
            ip(&format!("netns del {}-{host}", self.name));
        }
        ip(&format!("netns del {}", self.name));
    }
}

#[test]
fn separate_hosts_count_the_same() {
    let Some(network) = Network::new("count", 3) else {
        return;
    };
    network.slow_down();
    let group = network.group();
    let start = |host| network.start(&group, SHORT, host);
    all_count((0..3).map(start).collect(), &alone(SHORT));
}

#[test]
fn a_cut_link_is_noticed() {
    let Some(network) = Network::new("cut", 3) else {
        return;
    };
    let group = network.group();
    let work = format!("{LONG} --dir {}", path(&group.dir, "d"));
    let start = |host| network.start(&group, &work, host);
    let mut processes: Vec<Process> = (0..3).map(start).collect();
    wait_until("layers of all processes", LIMIT, || {
        assert!(processes.iter_mut().all(Process::is_running));
        (0..3).all(|process| group.files(process) > 3)
    });
    network.cut(2);
    let apart = processes.pop().unwrap();
    let begun = Instant::now();
    group.others_name(processes, 2, SILENCE);
    let ended = apart.ended(SILENCE.saturating_sub(begun.elapsed()));
    let line = ended.line(1);
    assert!(
        line.contains("process 0 (") || line.contains("process 1 ("),
        "{line}"
    );
}
