//! Numbers as people read them.

/// Bytes in the unit that suits them.
///
/// ```
/// assert_eq!(tilebase_util::bytes_text(999), "999 bytes");
/// assert_eq!(tilebase_util::bytes_text(3 << 29), "1.5 GiB");
/// ```
pub fn bytes_text(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        format!("{bytes} bytes")
    } else {
        format!("{value:.1} {}", units[unit])
    }
}
