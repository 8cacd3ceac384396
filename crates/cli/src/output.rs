//! What goes to stdout, and what to do when nobody reads it any more.

use std::io::{ErrorKind, Write};

use serde::Serialize;
use tilebase_game::Grid;
use tilebase_util::bytes_text;

use crate::failure::Failure;

/// Every object carries the version of the program that wrote it.
#[derive(Serialize)]
pub struct Versioned<'a, T> {
    version: &'static str,
    #[serde(flatten)]
    answer: &'a T,
}

impl<'a, T> Versioned<'a, T> {
    /// The answer of this program.
    pub fn new(answer: &'a T) -> Versioned<'a, T> {
        Versioned {
            version: env!("CARGO_PKG_VERSION"),
            answer,
        }
    }
}

/// Prints an answer: as one JSON object, or as the text that `text` makes of it.
pub fn print<T: Serialize>(
    json: bool,
    answer: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    let mut out = if json {
        serde_json::to_string(&Versioned::new(answer))
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

/// Whether a GPU with so many bytes free is enough, or why there is none.
pub fn gpu_text(gpu: Option<(&str, u64)>, fits: bool, missing: Option<&str>) -> String {
    match (gpu, missing) {
        (Some((name, free)), _) => format!(
            "{name} has {} free: {}",
            bytes_text(free),
            if fits { "enough" } else { "too little" }
        ),
        (None, missing) => missing.unwrap_or_default().to_owned(),
    }
}

/// A game in words.
pub fn game_text(shape: &str, to: Option<u128>) -> String {
    match to {
        Some(to) => format!("{shape} to {to}"),
        None => format!("{shape}, the whole game"),
    }
}

/// Seconds in the unit that suits them.
pub fn time_text(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} seconds"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// How to call this program again: as it was called where that was a relative path, such
/// as `target/release/tilebase`, and else by its name.
pub fn program() -> String {
    let called = std::env::args().next().unwrap_or_default();
    if called.contains('/') && !called.starts_with('/') {
        called
    } else {
        "tilebase".to_owned()
    }
}

/// A number to nine places, or what there is of it below the sixth.
pub fn small(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-6 {
        format!("{number:.4e}")
    } else {
        format!("{number:.9}")
    }
}

/// A probability, and what is missing to 1 where that is little.
pub fn probability(p: f64, complement: f64) -> String {
    if complement == 0.0 {
        "1".to_owned()
    } else if complement < 1e-6 {
        format!("1 - {complement:.6e}")
    } else if p > 0.0 && p < 1e-6 {
        format!("{p:.6e}")
    } else {
        format!("{p:.12}")
    }
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
