//! Text in SVG.

/// A power, with an exponent that all viewers raise (not all know `baseline-shift`).
pub fn raised(base: &str, exponent: i32) -> String {
    let sign = if exponent < 0 { "−" } else { "" };
    let digits = exponent.unsigned_abs();
    format!("{base}<tspan dy=\"-5\" font-size=\"9.5\">{sign}{digits}</tspan>")
}

/// A number with commas between thousands and at most four digits after the point.
///
/// ```
/// use tilebase_util::chart::grouped;
///
/// assert_eq!(grouped(131_072.0), "131,072");
/// assert_eq!(grouped(0.25), "0.25");
/// ```
pub fn grouped(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let digits = text.find('.').unwrap_or(text.len());
    let mut grouped = String::new();
    for (at, digit) in text.chars().enumerate() {
        if at > 0 && at < digits && (digits - at).is_multiple_of(3) && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Text as XML. Control characters, which XML does not allow, become spaces.
///
/// ```
/// assert_eq!(tilebase_util::chart::escaped("3x3 < 4x4"), "3x3 &lt; 4x4");
/// ```
pub fn escaped(text: &str) -> String {
    let mut xml = String::new();
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => xml.push(' '),
            c if c.is_control() => xml.push(' '),
            c => xml.push(c),
        }
    }
    xml
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let texts = [0.0, 500.0, 1_000.0, 1_234_567.0, -123_456.0, 1_234.5].map(grouped);
        assert_eq!(
            texts,
            ["0", "500", "1,000", "1,234,567", "-123,456", "1,234.5"]
        );
    }

    #[test]
    fn what_xml_does_not_allow_is_gone() {
        assert_eq!(escaped("a & \"b\"\u{7}\u{ffff}"), "a &amp; &quot;b&quot;  ");
    }
}
