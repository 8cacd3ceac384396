//! `prove --engine bdd`: decision diagrams.

use tilebase_prove::Contest;
use tilebase_prove::bdd::{
    BddError, BddOptions, BddReport, CellEncoding, CellOrder, Sweep, SweepLine, WinningSide,
    iterations_svg, seconds_svg, solve,
};
use tilebase_schema as schema;

use super::{Engine, Prove, contest_answer, contest_text};
use crate::destination::write_file;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Decides a contest with decision diagrams and prints the answer.
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
    let report = solve(contest, &options, &ProgressLine::new()).map_err(failure)?;
    if let Some(path) = &prove.iterations_svg {
        write_file(path, iterations_svg(&report).as_bytes())?;
    }
    if let Some(path) = &prove.seconds_svg {
        write_file(path, seconds_svg(&report).as_bytes())?;
    }
    output::print(json, &answer(contest, &report), text)
}

fn failure(error: BddError) -> Failure {
    match error {
        BddError::Interrupted => Failure::Interrupted,
        BddError::OutOfMemory { .. } => Failure::Work(format!(
            "{error}: allow more with --memory, or choose a smaller board or target"
        )),
    }
}

fn answer(contest: &Contest, report: &BddReport) -> schema::ProveBddAnswer {
    let BddReport {
        winner, seconds, ..
    } = *report;
    schema::ProveBddAnswer {
        contest: contest_answer(contest, winner, Engine::Bdd, report.states, seconds),
        encoding: match report.encoding {
            CellEncoding::Binary => schema::BddEncoding::Binary,
            CellEncoding::OneHot => schema::BddEncoding::OneHot,
            CellEncoding::ZeroSuppressed => schema::BddEncoding::ZeroSuppressed,
        },
        order: match report.order {
            CellOrder::Rows => schema::BddOrder::Rows,
            CellOrder::Columns => schema::BddOrder::Columns,
            CellOrder::Snake => schema::BddOrder::Snake,
            CellOrder::Diagonals => schema::BddOrder::Diagonals,
        },
        sweep: match report.sweep {
            Sweep::Sum => schema::BddSweep::Sum,
            Sweep::Largest => schema::BddSweep::Largest,
            Sweep::None => schema::BddSweep::None,
        },
        side: match report.side {
            WinningSide::Slider => schema::Winner::Slider,
            WinningSide::Dropper => schema::Winner::Dropper,
        },
        constrain: report.constrain,
        strong: report.strong,
        threads: report.threads,
        variables: report.variables,
        sweep_lines: report.sweep_lines.iter().map(sweep_line).collect(),
        lines: report.lines,
        iterations: report.iterations,
        states: report.states,
        nodes: report.nodes,
        bytes_per_state: report.bytes_per_state,
        largest_nodes: report.largest_nodes,
        peak_nodes: report.peak_nodes,
    }
}

fn sweep_line(line: &SweepLine) -> schema::SweepLineAnswer {
    schema::SweepLineAnswer {
        line: line.line.clone(),
        iterations: line.iterations,
        seconds: line.seconds,
        nodes: line.nodes,
        states: line.states,
        bytes_per_state: line.bytes_per_state,
    }
}

fn text(answer: &schema::ProveBddAnswer) -> String {
    let bytes = answer
        .bytes_per_state
        .map_or(String::new(), |bytes| format!(", {bytes:.3} bytes a board"));
    format!(
        "{}  {} winning boards of {}{bytes}\n  \
         {} sweep lines, {} iterations; the largest diagram has {} nodes\n  \
         {} encoding, {} variables by {}; {:.2} s on {} threads\n",
        contest_text(&answer.contest),
        grouped(answer.states),
        answer.side,
        answer.lines,
        grouped(answer.iterations.into()),
        grouped(answer.largest_nodes.into()),
        answer.encoding.name().replace('_', "-"),
        answer.variables,
        answer.order,
        answer.contest.seconds,
        answer.threads
    )
}
