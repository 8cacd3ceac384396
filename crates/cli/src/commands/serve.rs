//! `tilebase serve`: the page and the HTTP API.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use tilebase_schema::ServeAnswer;
use tilebase_serve::{ServeError, ServeOptions, Server};

use crate::failure::Failure;
use crate::interrupt;
use crate::output;

/// Serve the page and the HTTP API on this machine
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase serve                          then open the address it prints in a browser
  tilebase serve --tables tables          with all tables in a directory
  tilebase serve --port 0 --json          at any free port, printed as JSON
  tilebase serve --host 0.0.0.0           also for other machines: anyone who can reach it can use it

Small games, such as 2x2 to 32 and 3x3 to 256, are solved on demand. Ctrl-C stops the server.
docs/api.md describes the API; /openapi.json is its full description.")]
pub struct Serve {
    /// Directory with tables made by 'tilebase solve', each in a directory of its own
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,

    /// Port to listen at; 0 for any free one
    #[arg(long, value_name = "P", default_value_t = 2048, value_parser = port)]
    port: u16,

    /// Address to listen at; the default can be reached from this machine only
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
}

fn port(text: &str) -> Result<u16, String> {
    let error = |_| format!("use a whole number from 0 to {}", u16::MAX);
    text.parse().map_err(error)
}

impl Serve {
    /// Serves until Ctrl-C.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        interrupt::listen();
        let options = ServeOptions {
            tables: self.tables.clone(),
            host: self.host,
            port: self.port,
        };
        let server = Server::bind(&options).map_err(failure)?;
        for note in server.notes() {
            // If stderr is closed, the page shows what is damaged.
            let _ = writeln!(std::io::stderr(), "tilebase: {note}");
        }
        let address: SocketAddr = server.address();
        let answer = ServeAnswer {
            address: format!("http://{address}/"),
            host: address.ip(),
            port: address.port(),
            tables: server.tables(),
        };
        output::print(json, &answer, text)?;
        server.run(interrupt::asked).map_err(failure)
    }
}

/// An error of the server, with the option that helps.
fn failure(error: ServeError) -> Failure {
    Failure::Work(match error {
        ServeError::Taken(_) => {
            format!("{error}: use another with --port, or --port 0 for any free one")
        }
        error => error.to_string(),
    })
}

fn text(answer: &ServeAnswer) -> String {
    let tables = match answer.tables {
        0 => "small games are solved on demand".to_owned(),
        1 => "1 table".to_owned(),
        n => format!("{n} tables"),
    };
    let address = &answer.address;
    format!("tilebase is at {address} ({tables}); Ctrl-C stops it\n")
}
