//! Answers on stdout, as JSON or as text.

use std::io::{ErrorKind, Write};

use serde::Serialize;
use tilebase_schema::{Versioned, Walls};
use tilebase_util::bytes_text;

use crate::failure::Failure;

pub use tilebase_service::probed::notation;

/// An answer as one line of JSON, with the version.
pub fn to_json(answer: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(&Versioned::new(answer))
        .map_err(|error| Failure::work("writing JSON", error))
}

/// Prints an answer: as one JSON object, or as the text that `text` makes of it.
pub fn print<T: Serialize>(
    json: bool,
    answer: &T,
    text: impl FnOnce(&T) -> String,
) -> Result<(), Failure> {
    let mut out = if json { to_json(answer)? } else { text(answer) };
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

/// Whether the GPU's free memory is enough, or why there is no GPU.
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

/// A game, such as `3x3 to 512` or `4x4 to 512, formation L3`.
pub fn game_text(shape: &str, to: Option<u128>, walls: &Walls) -> String {
    let game = match to {
        Some(to) => format!("{shape} to {to}"),
        None => format!("{shape}, the whole game"),
    };
    match walls.text() {
        Some(walls) => format!("{game}, {walls}"),
        None => game,
    }
}

/// A duration in the unit that fits it.
pub fn time_text(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second".to_owned(),
        s if s < 120.0 => format!("{s:.0} seconds"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 172_800.0 => format!("{:.0} hours", s / 3600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// How to run this program again: the path it was run by if that was a relative one, such
/// as `target/release/tilebase`, otherwise its name.
pub fn program() -> String {
    let called = std::env::args().next().unwrap_or_default();
    if called.contains('/') && !called.starts_with('/') {
        called
    } else {
        "tilebase".to_owned()
    }
}

/// A number with three significant digits, its digits in groups.
pub fn significant(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return "0".to_owned();
    }
    let places = 2 - number.abs().log10().floor() as i32;
    if places > 0 {
        let text = format!("{number:.*}", places as usize);
        return text;
    }
    let unit = 10f64.powi(-places);
    let rounded = (number / unit).round() * unit;
    let sign = if rounded < 0.0 { "-" } else { "" };
    format!("{sign}{}", grouped(rounded.abs() as u128))
}

/// A probability in percent, with three significant digits; near 1 with two of what is missing.
pub fn percent(p: f64) -> String {
    percent_of(p, 1.0 - p)
}

/// A probability in percent, where 1 minus it is known in full precision.
pub fn percent_of(p: f64, complement: f64) -> String {
    let (percent, missing) = (100.0 * p, 100.0 * complement);
    match (percent, missing) {
        (percent, _) if percent <= 0.0 => return "0 %".to_owned(),
        (_, missing) if missing <= 0.0 => return "100 %".to_owned(),
        // Only what is certain is 0 or 100 %.
        (percent, _) if percent < 1e-8 => return "< 0.00000001 %".to_owned(),
        (_, missing) if missing < 1e-8 => return "> 99.99999999 %".to_owned(),
        _ => {}
    }
    let places = |number: f64, digits: i32| (digits - 1 - number.log10().floor() as i32).max(0);
    let places = places(percent, 3).max(places(missing, 2)).min(12);
    format!("{percent:.*} %", places as usize)
}

/// A number to nine decimal places, or in scientific notation if it is below 1e-6.
pub fn small(number: f64) -> String {
    if number != 0.0 && number.abs() < 1e-6 {
        format!("{number:.4e}")
    } else {
        format!("{number:.9}")
    }
}

/// A probability, written as `1 - x` where it is close to 1.
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
    fn three_digits_are_enough() {
        for (number, expected) in [
            (0.0, "0"),
            (0.012345, "0.0123"),
            (1.5, "1.50"),
            (999.4, "999"),
            (12_345.0, "12,300"),
            (-12_345.0, "-12,300"),
            (1_999_999.0, "2,000,000"),
        ] {
            assert_eq!(significant(number), expected);
        }
        for (p, expected) in [
            (0.0, "0 %"),
            (1.0, "100 %"),
            (0.5, "50.0 %"),
            (0.98123, "98.1 %"),
            (0.99571, "99.57 %"),
            (0.000_123_4, "0.0123 %"),
            (0.999_999_99, "99.9999990 %"),
            (1.0 - 1e-14, "> 99.99999999 %"),
            (1e-14, "< 0.00000001 %"),
        ] {
            assert_eq!(percent(p), expected);
        }
    }

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
