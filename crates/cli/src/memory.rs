//! Memory: how much is free, and how much was used.

use std::fs;

/// Assumed where the system does not report its free memory.
const FALLBACK: u64 = 4 << 30;

/// Parses a size in bytes: a number with a unit, such as `8GB` or `512MiB`.
pub fn parse(text: &str) -> Result<u64, String> {
    let digits = text
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b'.')
        .count();
    let (number, unit) = text.split_at(digits);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" => 1000,
        "m" | "mb" => 1000 * 1000,
        "g" | "gb" => 1000 * 1000 * 1000,
        "t" | "tb" => 1000 * 1000 * 1000 * 1000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => 0,
    };
    match number.parse::<f64>() {
        Ok(number) if factor > 0 && number.is_finite() => Ok((number * factor as f64) as u64),
        _ => Err("use a number with a unit, such as 8GB or 512MiB".to_owned()),
    }
}

/// Nine tenths of the memory that is free now.
pub fn most_of_free() -> u64 {
    let available = field("/proc/meminfo", "MemAvailable:");
    // A container may be allowed less than the machine has.
    let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = limit.and_then(|text| text.trim().parse::<u64>().ok());
    let free = available.unwrap_or(FALLBACK).min(limit.unwrap_or(u64::MAX));
    free / 10 * 9
}

/// The most memory that the program has used so far, if the system reports it.
pub fn peak() -> Option<u64> {
    field("/proc/self/status", "VmHWM:")
}

/// A field of a system file, in bytes.
fn field(path: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [
            ("0", 0),
            ("512", 512),
            ("8GB", 8_000_000_000),
            ("8GiB", 8 << 30),
            ("1.5 mib", 3 << 19),
            ("2k", 2000),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
        for text in ["", "GB", "8 parsecs", "-1", "1e9", "."] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
