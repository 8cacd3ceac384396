//! `prove` by search, and strategies.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use tilebase_export::ExportError;
use tilebase_game::tile_value;
use tilebase_prove::{
    Contest, Family, ProofSearch, ProofSearchError, ProofSearchOptions, Strategy,
};
use tilebase_util::bytes_text;

use super::{Prove, sentence};
use crate::destination::deliver;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

#[derive(Serialize)]
struct Written {
    file: PathBuf,
    positions: usize,
    bytes: u64,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    to: u128,
    drops: String,
    winner: String,
    engine: &'static str,
    visited: u64,
    seconds: f64,
    threads: usize,
    table_bytes: u64,
    /// How tidy Slider was when the answer was found; nulls for any position.
    slack: Option<u32>,
    chain: Option<u128>,
    strategy: Option<Written>,
    #[serde(skip)]
    sentence: String,
    #[serde(skip)]
    family: String,
}

/// Searches, and prints what was found.
pub fn run(prove: &Prove, contest: &Contest, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let search = search(prove, contest)?;
    let seconds = start.elapsed().as_secs_f64();
    let strategy = match &prove.strategy {
        Some(file) => Some(write(&search, file)?),
        None => None,
    };
    let answer = Answer {
        shape: contest.shape().to_string(),
        to: tile_value(contest.target()),
        drops: contest.drops().to_string(),
        winner: search.winner().to_string(),
        engine: "search",
        visited: search.visited(),
        seconds,
        threads: prove.machine.threads.number(),
        table_bytes: search.table_bytes(),
        slack: search.family().slack,
        chain: search.family().chain.map(tile_value),
        strategy,
        sentence: sentence(search.winner(), contest),
        family: search.family().to_string(),
    };
    output::print(json, &answer, Answer::text)
}

/// Settles a contest with the options of a command line.
pub fn search(prove: &Prove, contest: &Contest) -> Result<ProofSearch, Failure> {
    let (slack, chain) = (prove.slack, prove.chain);
    let given = slack.is_some() || chain.is_some();
    let options = ProofSearchOptions {
        threads: prove.machine.threads.number(),
        memory: prove.machine.memory.bytes(),
        family: given.then_some(Family { slack, chain }),
    };
    ProofSearch::run(contest, &options, &ProgressLine::new()).map_err(|error| match error {
        ProofSearchError::Interrupted => Failure::Interrupted,
        error => Failure::Work(error.to_string()),
    })
}

fn write(search: &ProofSearch, file: &Path) -> Result<Written, Failure> {
    let strategy = Strategy::of(search).ok_or_else(|| {
        Failure::request("no strategy to write: so few cells never hold the target, whoever plays")
    })?;
    let bytes = deliver(Some(file), |out| {
        let mut out = BufWriter::new(out);
        strategy.write(&mut out)?;
        Ok::<(), ExportError>(out.flush()?)
    })?;
    Ok(Written {
        file: file.to_owned(),
        positions: strategy.len(),
        bytes,
    })
}

impl Answer {
    fn text(&self) -> String {
        let mut text = self.sentence.clone();
        text += &format!(
            "  {} positions visited ({}), table of {}\n",
            grouped(self.visited.into()),
            self.family,
            bytes_text(self.table_bytes)
        );
        if let Some(written) = &self.strategy {
            text += &format!(
                "  {}'s move in each of {} positions written to {}, {}\n",
                self.winner,
                grouped(written.positions as u128),
                written.file.display(),
                bytes_text(written.bytes)
            );
        }
        text + &format!("  {:.2} s on {} threads\n", self.seconds, self.threads)
    }
}
