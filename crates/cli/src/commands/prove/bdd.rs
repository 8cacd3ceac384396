//! `prove` by decision diagrams.

use serde::Serialize;
use tilebase_game::tile_value;
use tilebase_prove::Contest;
use tilebase_prove::bdd::{BddError, BddOptions, BddReport, iterations_svg, seconds_svg, solve};

use super::{Prove, sentence};
use crate::destination::write_file;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

#[derive(Serialize)]
struct Answer {
    shape: String,
    to: u128,
    drops: String,
    engine: &'static str,
    /// Winning boards of the side that was computed.
    visited: u128,
    #[serde(flatten)]
    report: BddReport,
    #[serde(skip)]
    sentence: String,
}

/// Solves by decision diagrams, and prints what was found.
pub fn run(prove: &Prove, contest: &Contest, json: bool) -> Result<(), Failure> {
    let options = BddOptions {
        encoding: prove.encoding,
        order: prove.order,
        sweep: prove.sweep,
        side: prove.side,
        constrain: prove.constrain,
        strong: prove.strong,
        threads: prove.machine.threads.number(),
        memory: prove.machine.memory.bytes(),
    };
    let report = solve(contest, &options, &ProgressLine::new()).map_err(|error| match error {
        BddError::Interrupted => Failure::Interrupted,
        error => Failure::Work(error.to_string()),
    })?;
    if let Some(path) = &prove.iterations_svg {
        write_file(path, iterations_svg(&report).as_bytes())?;
    }
    if let Some(path) = &prove.seconds_svg {
        write_file(path, seconds_svg(&report).as_bytes())?;
    }
    let answer = Answer {
        shape: contest.shape().to_string(),
        to: tile_value(contest.target()),
        drops: contest.drops().to_string(),
        engine: "bdd",
        visited: report.states,
        sentence: sentence(report.winner, contest),
        report,
    };
    output::print(json, &answer, Answer::text)
}

impl Answer {
    fn text(&self) -> String {
        let report = &self.report;
        let bytes = report
            .bytes_per_state
            .map_or(String::new(), |bytes| format!(", {bytes:.3} bytes a board"));
        format!(
            "{}  {} winning boards of {}{bytes}\n  \
             {} sweep lines, {} iterations; the largest diagram has {} nodes\n  \
             {} encoding, {} variables by {}; {:.2} s on {} threads\n",
            self.sentence,
            grouped(report.states),
            report.side,
            report.lines,
            grouped(report.iterations.into()),
            grouped(report.largest_nodes.into()),
            report.encoding,
            report.variables,
            report.order,
            report.seconds,
            report.threads
        )
    }
}
