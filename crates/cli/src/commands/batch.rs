//! Many boards: one per line of stdin, one JSON object per line of stdout.

use std::io::{BufRead, ErrorKind, Write};

use serde::Serialize;
use tilebase_schema::BoardErrorAnswer;

use crate::failure::Failure;
use crate::output::to_json;

/// Answers every line of stdin. A wrong line gets an answer with the error, and the rest is
/// still answered.
pub fn answer_lines<T: Serialize>(
    mut answer: impl FnMut(&str) -> Result<T, Failure>,
) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| Failure::work("reading stdin", error))?;
        let board = line.trim();
        if board.is_empty() {
            continue;
        }
        let text = match answer(board) {
            Ok(answer) => to_json(&answer)?,
            Err(Failure::Request(error)) => to_json(&BoardErrorAnswer {
                board: board.to_owned(),
                error,
            })?,
            Err(failure) => return Err(failure),
        };
        match writeln!(out, "{text}") {
            // A reader that closed the pipe has read enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            done => done.map_err(|error| Failure::work("writing to stdout", error))?,
        }
    }
    match out.flush() {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|error| Failure::work("writing to stdout", error)),
    }
}
