//! `prove --engine search`, and writing strategies.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use tilebase_export::ExportError;
use tilebase_game::{parse_tile, tile_value};
use tilebase_prove::{
    Contest, Family, ProofSearch, ProofSearchError, ProofSearchOptions, Strategy,
};
use tilebase_schema as schema;
use tilebase_util::bytes_text;

use super::{Engine, Prove, contest_answer, contest_text};
use crate::destination::deliver;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Decides a contest by search and prints the answer.
pub fn run(prove: &Prove, contest: &Contest, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let search = search(prove, contest)?;
    let seconds = start.elapsed().as_secs_f64();
    let strategy = match &prove.strategy {
        Some(file) => Some(write(&search, file)?),
        None => None,
    };
    let visited = search.visited().into();
    let answer = schema::ProveSearchAnswer {
        contest: contest_answer(contest, search.winner(), Engine::Search, visited, seconds),
        threads: prove.machine.threads.number(),
        table_bytes: search.table_bytes(),
        slack: search.family().slack,
        chain: search.family().chain.map(tile_value),
        strategy,
    };
    output::print(json, &answer, text)
}

/// Decides a contest with the options of the command line.
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
        ProofSearchError::Memory { .. } => {
            Failure::Work(format!("{error}: allow more with --memory"))
        }
        ProofSearchError::Thread(_) => Failure::Work(error.to_string()),
    })
}

fn write(search: &ProofSearch, file: &Path) -> Result<schema::WrittenStrategy, Failure> {
    let strategy = Strategy::of(search).ok_or_else(|| {
        Failure::request("no strategy to write: the board can never hold the target")
    })?;
    let bytes = deliver(Some(file), |out| {
        let mut out = BufWriter::new(out);
        strategy.write(&mut out)?;
        Ok::<(), ExportError>(out.flush()?)
    })?;
    Ok(schema::WrittenStrategy {
        file: file.to_owned(),
        positions: strategy.len(),
        bytes,
    })
}

fn text(answer: &schema::ProveSearchAnswer) -> String {
    let family = Family {
        slack: answer.slack,
        chain: answer
            .chain
            .and_then(|tile| parse_tile(&tile.to_string()).ok()),
    };
    let mut text = contest_text(&answer.contest);
    text += &format!(
        "  {} positions visited ({family}), table of {}\n",
        grouped(answer.contest.visited),
        bytes_text(answer.table_bytes)
    );
    if let Some(written) = &answer.strategy {
        text += &format!(
            "  {}'s move in each of {} positions written to {}, {}\n",
            answer.contest.winner,
            grouped(written.positions as u128),
            written.file.display(),
            bytes_text(written.bytes)
        );
    }
    text + &format!(
        "  {:.2} s on {} threads\n",
        answer.contest.seconds, answer.threads
    )
}
