//! What goes to stdout, and what to do when nobody reads it any more.

use std::io::{ErrorKind, Write};

use serde::Serialize;
use tilebase_game::Grid;

use crate::failure::Failure;

/// Every object carries the version of the program that wrote it.
#[derive(Serialize)]
struct Versioned<'a, T> {
    version: &'static str,
    #[serde(flatten)]
    answer: &'a T,
}

/// Prints an answer: as one JSON object, or as the text that `text` makes of it.
pub fn print<T: Serialize>(
    json: bool,
    answer: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    let mut out = if json {
        let version = env!("CARGO_PKG_VERSION");
        serde_json::to_string(&Versioned { version, answer })
            .map_err(|error| Failure::work("writing JSON", error))?
    } else {
        text(answer)
    };
    if !out.ends_with('\n') {
        out.push('\n');
    }
    let mut stdout = std::io::stdout().lock();
    match stdout
        .write_all(out.as_bytes())
        .and_then(|()| stdout.flush())
    {
        // A reader that closed the pipe has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        done => done.map_err(|error| Failure::work("writing to stdout", error)),
    }
}

/// A board as JSON and short text show it: hex where it fits, tile values otherwise.
pub fn notation(grid: &Grid) -> String {
    grid.hex().unwrap_or_else(|| grid.to_string())
}

/// A whole number with its digits in groups of three.
pub fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (25179012, "25,179,012"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }
}
