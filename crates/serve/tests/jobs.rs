//! Jobs: to their end, with events, and stopped.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::{Running, serve};
use serde_json::{Value, json};

fn start(server: &Running, body: &Value) -> Value {
    let answer = server.post("/api/v1/jobs", body);
    assert_eq!(answer.status, 202, "{}", answer.text);
    answer.json()
}

/// The events of a job until its end.
fn events(server: &Running, id: &Value) -> Vec<(String, Value)> {
    let answer = server.send("GET", &format!("/api/v1/jobs/{id}/events"), None);
    assert!(
        answer.kind.starts_with("text/event-stream"),
        "{}",
        answer.kind
    );
    let blocks = answer
        .text
        .split("\n\n")
        .filter(|block| block.contains("event: "));
    blocks
        .map(|block| {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            let data = serde_json::from_str(field("data: ").unwrap()).unwrap();
            (field("event: ").unwrap().to_owned(), data)
        })
        .collect()
}

#[test]
fn a_count_shows_all_its_layers() {
    let server = serve(None);
    let job = start(&server, &json!({"kind": "count", "shape": "3x3", "to": 64}));
    let events = events(&server, &job["id"]);
    let (name, end) = events.last().unwrap();
    assert_eq!((name.as_str(), &end["state"]), ("end", &json!("done")));
    assert_eq!(end["result"]["states"], 594_046);
    let layers = events.iter().filter(|(name, _)| name == "layers");
    let layers: Vec<&Value> = layers
        .flat_map(|(_, e)| e["layers"].as_array().unwrap())
        .collect();
    let states: u64 = layers
        .iter()
        .map(|layer| layer["states"].as_u64().unwrap())
        .sum();
    assert_eq!(states, 594_046);
    assert!(layers.is_sorted_by_key(|layer| layer["sum"].as_u64()));
    assert!(events.iter().any(|(name, _)| name == "progress"));
    // A listener who comes late hears it all again.
    let again = self::events(&server, &job["id"]);
    assert_eq!(again.last().unwrap().1["result"], end["result"]);
    assert_eq!(server.get("/api/v1/jobs")["jobs"][0]["id"], job["id"]);
}

#[test]
fn a_solve_leaves_a_table_to_ask() {
    let server = serve(None);
    let body =
        json!({"kind": "solve", "shape": "2x3", "to": 32, "objective": "win", "discount": 0.99});
    let job = start(&server, &body);
    let done = server.wait(&job["id"]);
    assert_eq!(done["result"]["table"], "2x3-to-32-win-0.99");
    let path = "/api/v1/position?variant=2x3-to-32-win-0.99&board=2,2,./.,.,.";
    assert_eq!(server.get(path)["source"], "exact");
    assert_eq!(
        server.get("/api/v1/variants")["variants"][0]["discount"],
        0.99
    );
}

#[test]
fn jobs_are_cancelled_and_bounded() {
    let server = serve(None);
    // Minutes of work each: none of them ends by itself here.
    let long = json!({"kind": "count", "shape": "4x4", "to": 32});
    let jobs: Vec<Value> = (0..4).map(|_| start(&server, &long)).collect();
    let more = server.post("/api/v1/jobs", &long);
    assert_eq!(more.status, 429, "{}", more.text);
    for job in jobs.iter().rev() {
        let path = format!("/api/v1/jobs/{}", job["id"]);
        assert_eq!(server.send("DELETE", &path, None).status, 200);
        assert_eq!(server.wait(&job["id"])["state"], "cancelled");
    }
    assert_eq!(
        start(&server, &json!({"kind": "count", "shape": "2x2", "to": 8}))["kind"],
        "count"
    );
    for (body, what) in [
        (
            json!({"kind": "count", "shape": "4x4", "to": 2048}),
            "too large",
        ),
        (
            json!({"kind": "solve", "shape": "4x4", "to": 64}),
            "too large",
        ),
        (json!({"kind": "solve", "shape": "3x3"}), "target"),
        (
            json!({"kind": "solve", "shape": "3x3", "to": 64, "objective": "fun"}),
            "objective",
        ),
        (
            json!({"kind": "count", "shape": "3x3", "to": 64, "objective": "win"}),
            "objective",
        ),
        (json!({"kind": "count", "shape": "5x5", "to": 64}), "4x4"),
        (json!({"kind": "bake", "shape": "3x3"}), "bake"),
    ] {
        let answer = server.post("/api/v1/jobs", &body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
        assert!(answer.text.contains(what), "{}", answer.text);
    }
}

#[test]
fn the_server_stops_with_jobs_and_listeners() {
    let server = serve(None);
    let job = start(&server, &json!({"kind": "count", "shape": "4x4", "to": 32}));
    let mut listener = TcpStream::connect(server.address).unwrap();
    let request = format!(
        "GET /api/v1/jobs/{}/events HTTP/1.1\r\nhost: localhost\r\n\r\n",
        job["id"]
    );
    listener.write_all(request.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    let begin = Instant::now();
    server.stop();
    assert!(begin.elapsed() < Duration::from_secs(20));
    let mut heard = String::new();
    listener.read_to_string(&mut heard).unwrap();
    assert!(
        heard.contains("event: end") && heard.contains("\"cancelled\""),
        "{heard}"
    );
}

#[test]
fn small_games_do_not_wait_behind_long_jobs_and_are_not_solved_twice() {
    let server = serve(None);
    let long = json!({"kind": "count", "shape": "4x4", "to": 32});
    let long = server.post("/api/v1/jobs", &long).json();
    let small = json!({"kind": "solve", "variant": "2x4-to-64"});
    let first = server.wait(&server.post("/api/v1/jobs", &small).json()["id"]);
    assert_eq!(first["state"], "done");
    assert_eq!(first["result"]["table"], "2x4-to-64-win");
    let state = &server.get(&format!("/api/v1/jobs/{}", long["id"]))["state"];
    assert_eq!(state, "running");
    // The table is there, and lists the layers that have a live state.
    let again = server.wait(&server.post("/api/v1/jobs", &small).json()["id"]);
    let live = |job: &Value| -> Vec<Value> {
        let layers = job["layers"].as_array().unwrap().iter();
        layers.filter(|l| l["states"] != 0).cloned().collect()
    };
    assert_eq!(live(&again), live(&first));
    assert_eq!(again["result"], first["result"]);
    let position = server.get("/api/v1/position?variant=2x4-to-64&board=0x11000000");
    assert_eq!(position["source"], "exact");
    for body in [
        json!({"kind": "solve"}),
        json!({"kind": "solve", "variant": "2x4-to-64", "shape": "2x4"}),
        json!({"kind": "solve", "variant": "2x4-to-64", "to": 64}),
    ] {
        let answer = server.post("/api/v1/jobs", &body);
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
    }
    let unknown = json!({"kind": "solve", "variant": "nothing"});
    assert_eq!(server.post("/api/v1/jobs", &unknown).status, 404);
}
