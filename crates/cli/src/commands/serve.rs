//! `tilebase serve`: the page and the HTTP API.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tilebase_serve::{Options, Server};

use crate::failure::Failure;
use crate::interrupt;
use crate::output;

/// Serve the page and the HTTP API on this machine
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase serve                          then open the address it prints in a browser
  tilebase serve --tables tables          with all tables in a directory
  tilebase serve --port 0 --json          at any port that is free, told as JSON
  tilebase serve --host 0.0.0.0           for others too: anyone who can reach it can use it

Small games, such as 2x2 to 32 and 3x3 to 256, are solved when they are asked for. Ctrl-C stops.
docs/api.md describes the API, and /openapi.json in full.")]
pub struct Serve {
    /// Directory with tables made by 'tilebase solve', each in a directory of its own
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Port to listen at; 0 for any that is free
    #[arg(long, value_name = "P", default_value_t = 2048, value_parser = port)]
    port: u16,

    /// Address to listen at; others than this machine can reach it only if this says so
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
}

fn port(text: &str) -> Result<u16, String> {
    let told = |_| format!("use a whole number from 0 to {}", u16::MAX);
    text.parse().map_err(told)
}

#[derive(Serialize)]
struct Answer {
    address: String,
    host: IpAddr,
    port: u16,
    tables: usize,
}

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        interrupt::listen();
        let options = Options {
            tables: self.tables.clone(),
            host: self.host,
            port: self.port,
        };
        let work = |error| Failure::Work(format!("{error}"));
        let server = Server::bind(&options).map_err(work)?;
        for note in server.notes() {
            // Where stderr is closed the page tells what is damaged.
            let _ = writeln!(std::io::stderr(), "tilebase: {note}");
        }
        let address: SocketAddr = server.address();
        let answer = Answer {
            address: format!("http://{address}/"),
            host: address.ip(),
            port: address.port(),
            tables: server.tables(),
        };
        output::print(json, &answer, Answer::text)?;
        server.run(interrupt::asked).map_err(work)
    }
}

impl Answer {
    fn text(&self) -> String {
        let tables = match self.tables {
            0 => "small games are solved when they are asked for".to_owned(),
            1 => "1 table".to_owned(),
            n => format!("{n} tables"),
        };
        format!(
            "tilebase is at {} ({tables}); Ctrl-C stops it\n",
            self.address
        )
    }
}
