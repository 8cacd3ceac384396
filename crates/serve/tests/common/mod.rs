//! A server of its own for a test, and how to talk to it.
#![allow(clippy::panic, reason = "a test may fail")]

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;
use tilebase_serve::{ServeError, ServeOptions, Server};
use ureq::Agent;

/// A server that stops with the test.
pub struct Running {
    pub address: SocketAddr,
    agent: Agent,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

/// An answer.
pub struct Answer {
    pub status: u16,
    pub kind: String,
    pub text: String,
}

impl Answer {
    /// The JSON object, which must carry the version.
    pub fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.text).unwrap();
        assert_eq!(value["version"], env!("CARGO_PKG_VERSION"), "{}", self.text);
        value
    }
}

/// Starts a server with the tables in a directory.
pub fn serve(tables: Option<&Path>) -> Running {
    let options = ServeOptions {
        tables: tables.map(Path::to_owned),
        host: [127, 0, 0, 1].into(),
        port: 0,
    };
    let server = Server::bind(&options).unwrap();
    let address = server.address();
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    let thread = std::thread::spawn(move || server.run(move || asked.load(Ordering::Relaxed)));
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(120)));
    Running {
        address,
        agent: config.build().into(),
        stop,
        thread: Some(thread),
    }
}

impl Running {
    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends a request with a method, and a body of JSON if there is one.
    pub fn send(&self, method: &str, path: &str, body: Option<&str>) -> Answer {
        let url = self.url(path);
        let response = match (method, body) {
            ("GET", _) => self.agent.get(&url).call(),
            ("DELETE", _) => self.agent.delete(&url).call(),
            (_, body) => {
                let request = self.agent.post(&url).content_type("application/json");
                request.send(body.unwrap_or(""))
            }
        };
        let mut response = response.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let kind = response.headers().get("content-type");
        Answer {
            status: response.status().as_u16(),
            kind: kind.map_or(String::new(), |kind| kind.to_str().unwrap().to_owned()),
            text: response.body_mut().read_to_string().unwrap(),
        }
    }

    /// Asks for an object.
    pub fn get(&self, path: &str) -> Value {
        let answer = self.send("GET", path, None);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        answer.json()
    }

    /// Asks with a body.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, Some(&body.to_string()))
    }

    /// Asks for what must fail, and returns what is said.
    pub fn fails(&self, path: &str, status: u16) -> String {
        let answer = self.send("GET", path, None);
        assert_eq!(answer.status, status, "{path}: {}", answer.text);
        answer.json()["error"].as_str().unwrap().to_owned()
    }

    /// Waits for a job to be over.
    pub fn wait(&self, id: &Value) -> Value {
        for _ in 0..600 {
            let job = self.get(&format!("/api/v1/jobs/{id}"));
            if !matches!(job["state"].as_str().unwrap(), "waiting" | "running") {
                return job;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("job {id} does not end");
    }

    /// Stops the server, which must end well.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.end();
        }
    }
}
