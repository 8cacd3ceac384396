//! Load: position lookups over loopback, by several connections at a given rate, with the
//! times that answers took.
//!
//! `cargo bench -p tilebase-serve [-- SECONDS [RATE]]`: 10 seconds at 1,000 a second unless
//! said otherwise. The memory is that of the server and this generator together, printed each
//! minute.
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tilebase_game::{Grid, Move, Rng, Variant};
use tilebase_serve::{ServeOptions, Server};

const VARIANT: &str = "3x3-to-128";
const CONNECTIONS: u64 = 8;

fn main() {
    let numbers = std::env::args().filter_map(|word| word.parse().ok());
    let numbers: Vec<f64> = numbers.collect();
    let seconds = numbers.first().copied().unwrap_or(10.0);
    let rate = numbers.get(1).copied().unwrap_or(1000.0);
    let options = ServeOptions {
        tables: None,
        host: [127, 0, 0, 1].into(),
        port: 0,
    };
    let server = Server::bind(&options).unwrap();
    let address = server.address();
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let running = std::thread::spawn(move || server.run(move || asked.load(Ordering::Relaxed)));
    let boards = boards();
    // The first one waits for the game to be solved.
    Connection::new(address).ask(&boards[0]);
    let memory = resident();
    let begin = Instant::now();
    let own = |number: u64| {
        let boards = &boards;
        move || client(address, boards, number, rate / CONNECTIONS as f64, seconds)
    };
    let mut times: Vec<Duration> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CONNECTIONS)
            .map(|number| scope.spawn(own(number)))
            .collect();
        scope.spawn(|| {
            // Each minute, until shortly before the end.
            for minute in 1..(seconds / 60.0).ceil() as u32 {
                let due = begin + Duration::from_secs(60) * minute;
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                if let Some(now) = resident() {
                    println!("after {minute} minutes: resident memory {now} KiB");
                }
            }
        });
        let times = clients
            .into_iter()
            .flat_map(|client| client.join().unwrap());
        times.collect()
    });
    let elapsed = begin.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{} lookups of {VARIANT} in {elapsed:.1} s: {:.0} a second over {CONNECTIONS} connections",
        times.len(),
        times.len() as f64 / elapsed
    );
    println!(
        "p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, most {:.2} ms",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        at(1.0)
    );
    if let (Some(before), Some(after)) = (memory, resident()) {
        println!("resident memory {} KiB before, {} KiB after", before, after);
    }
    stop.store(true, Ordering::Relaxed);
    running.join().unwrap().unwrap();
}

/// Asks at its own pace, and counts from the moment when it should have asked: an answer that
/// is late makes those behind it late too.
fn client(
    address: SocketAddr,
    boards: &[String],
    number: u64,
    rate: f64,
    seconds: f64,
) -> Vec<Duration> {
    let mut connection = Connection::new(address);
    let mut dice = Rng::for_game(7, number);
    // What the generator keeps is there from the beginning, so that growth is the server's.
    let mut times = vec![Duration::MAX; (rate * seconds) as usize];
    times.clear();
    let begin = Instant::now();
    for turn in 0..(rate * seconds) as u64 {
        let due = begin + Duration::from_secs_f64(turn as f64 / rate);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        connection.ask(&boards[dice.below(boards.len() as u32) as usize]);
        times.push(due.elapsed());
    }
    times
}

struct Connection(BufReader<TcpStream>);

impl Connection {
    fn new(address: SocketAddr) -> Connection {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Connection(BufReader::new(stream))
    }

    /// Asks for a position, which must be known.
    fn ask(&mut self, board: &str) {
        let request = format!(
            "GET /api/v1/position?variant={VARIANT}&board={board} HTTP/1.1\r\nhost: localhost\r\n\r\n"
        );
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        let mut length = 0;
        while line != "\r\n" {
            line.clear();
            self.0.read_line(&mut line).unwrap();
            let value = line.to_ascii_lowercase();
            if let Some(value) = value.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        assert!(body.starts_with(b"{\"version\""));
    }
}

/// Boards of random games.
fn boards() -> Vec<String> {
    let variant: Variant = VARIANT.parse().unwrap();
    let mut boards = Vec::new();
    for game in 0..200 {
        let mut dice = Rng::for_game(1, game);
        let mut grid = Grid::empty(variant.shape());
        grid.spawn(variant.spawn(), &mut dice);
        grid.spawn(variant.spawn(), &mut dice);
        while !grid.is_lost() {
            boards.push(grid.hex().unwrap());
            let moves: Vec<Move> = grid.legal_moves().iter().collect();
            grid.slide(moves[dice.below(moves.len() as u32) as usize]);
            grid.spawn(variant.spawn(), &mut dice);
        }
    }
    boards
}

/// Memory in use in KiB, if the system reports it.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
