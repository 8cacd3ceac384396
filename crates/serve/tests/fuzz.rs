//! Requests that make no sense never break the server: no status of 500 or above.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::common::{Running, serve};
use tilebase_game::Rng;

/// Words that requests are made of: right ones, wrong ones, odd ones.
const WORDS: [&str; 44] = [
    "2x2-to-16",
    "2x2-to-16-moves",
    "2x2-score",
    "2x3-to-8-win-0.5",
    "0x1102",
    "2,2/.,4",
    "8,8/8,8",
    "2x2",
    "3x3",
    "1x1",
    "0x0",
    "99x99",
    "4x1",
    "8",
    "16",
    "32",
    "7",
    "0",
    "-1",
    "1e9",
    "NaN",
    "0.5",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "left",
    "up",
    "random",
    "worst",
    "best",
    "first",
    "true",
    "null",
    "win",
    "score",
    "count",
    "solve",
    "2:1",
    "2:0.9,4:0.1",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "%ff%fe",
    "\u{1f3b2}",
    "",
    "0xffff",
];
const NAMES: [&str; 16] = [
    "variant",
    "board",
    "afterstate",
    "spawn",
    "seed",
    "plies",
    "depth",
    "shape",
    "to",
    "spawn_rule",
    "drops",
    "policy",
    "search",
    "start_tiles",
    "kind",
    "objective",
];
const PATHS: [&str; 14] = [
    "variants",
    "position",
    "positions",
    "spawns",
    "line",
    "verdicts",
    "advice",
    "plan",
    "diagram",
    "strategy",
    "jobs",
    "jobs/1",
    "jobs/1/events",
    "nothing",
];

struct Generator(Rng);

impl Generator {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.0.below(of.len() as u32) as usize]
    }

    /// A JSON value, not too deep.
    fn json(&mut self, depth: u32) -> String {
        match self.0.below(if depth == 0 { 4 } else { 7 }) {
            0 => format!("{:?}", self.pick(&WORDS)),
            1 => self
                .pick(&["0", "-1", "2", "16", "1e400", "0.1", "99999999999999999999"])
                .to_owned(),
            2 => self
                .pick(&["true", "null", "nonsense", "\"\\ud800\""])
                .to_owned(),
            3 => String::new(),
            4 => format!("[{},{}]", self.json(depth - 1), self.json(depth - 1)),
            _ => self.object(depth),
        }
    }

    fn object(&mut self, depth: u32) -> String {
        let more = [
            "boards", "moves", "start", "move", "cell", "tile", "discount",
        ];
        let names: Vec<&str> = NAMES.iter().chain(&more).copied().collect();
        let fields = (0..1 + self.0.below(5)).map(|_| {
            format!(
                "{:?}:{}",
                self.pick(&names),
                self.json(depth.saturating_sub(1))
            )
        });
        let fields: Vec<String> = fields.collect();
        format!("{{{}}}", fields.join(","))
    }

    /// A request as text.
    fn request(&mut self) -> String {
        let method = self.pick(&["GET", "GET", "GET", "POST", "DELETE", "PUT", "HEAD"]);
        let path = self.pick(&PATHS);
        let query: Vec<String> = (0..self.0.below(5))
            .map(|_| format!("{}={}", self.pick(&NAMES), self.pick(&WORDS)))
            .collect();
        let body = if method == "POST" {
            self.object(3)
        } else {
            String::new()
        };
        // Jobs that start are tried elsewhere.
        let path = if method == "POST" && path == "jobs" {
            "verdicts"
        } else {
            path
        };
        format!(
            "{method} /api/v1/{path}?{} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            query.join("&"),
            body.len()
        )
    }
}

/// The status of an answer; `None` if the connection was closed without one.
fn status(server: &Running, request: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(60)))
        .unwrap();
    stream.write_all(request).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer);
    text.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()
}

#[test]
fn nonsense_is_never_a_server_error() {
    let server = serve(None);
    let mut generator = Generator(Rng::new(2048));
    let mut answered = [0; 6];
    for _ in 0..3000 {
        let request = generator.request();
        let status = status(&server, request.as_bytes()).unwrap_or(400);
        assert!(status < 500, "{status}: {request}");
        answered[usize::from(status / 100)] += 1;
    }
    // Both sense and nonsense were among them.
    assert!(answered[2] > 20 && answered[4] > 20, "{answered:?}");
}

#[test]
fn broken_bytes_are_never_a_server_error() {
    let server = serve(None);
    let mut generator = Generator(Rng::new(4096));
    for _ in 0..500 {
        let mut bytes = generator.request().into_bytes();
        for _ in 0..1 + generator.0.below(4) {
            let at = generator.0.below(bytes.len() as u32) as usize;
            bytes[at] = generator.0.next_u64() as u8;
        }
        // Half a request would wait for its other half: it is ended here.
        let mut stream = TcpStream::connect(server.address).unwrap();
        // The server may have closed the connection by then.
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8_lossy(&answer);
        assert!(!text.starts_with("HTTP/1.1 5"), "{text}");
    }
    assert!(server.get("/api/v1/variants")["variants"].is_array());
}
