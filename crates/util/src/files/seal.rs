//! Manifests with the checksum of their own text.
//!
//! A manifest says how all files are read, and some of its numbers are in no other file: a changed
//! digit would turn intact files into wrong answers.

use std::io;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::checksum;

/// What a sealed text begins with: the field of the checksum, to its first digit.
const FIELD: &[u8] = br#"{"checksum":""#;

/// Why a sealed text is not read.
#[derive(Debug, PartialEq, Eq)]
pub enum SealError {
    /// It has another format.
    Format(u32),
    /// It is not what was written, for this reason.
    Damaged(String),
}

/// The JSON text of a manifest, an object with fields of which one is `format`; the checksum of the
/// text comes before them.
///
/// ```
/// use serde_json::{Value, json};
/// use tilebase_util::files::{SealError, seal, unseal};
///
/// let manifest = json!({"format": 2, "boards": 8});
/// let mut text = seal(&manifest).unwrap();
/// assert_eq!(unseal::<Value>(&text, 1..=2), Ok(manifest));
/// assert_eq!(unseal::<Value>(&text, 1..=1), Err(SealError::Format(2)));
/// let digit = text.iter().position(|&byte| byte == b'8').unwrap();
/// text[digit] = b'9';
/// assert!(unseal::<Value>(&text, 1..=2).is_err());
/// ```
pub fn seal(manifest: &impl Serialize) -> io::Result<Vec<u8>> {
    let text = serde_json::to_vec(manifest)?;
    let fields = text
        .strip_prefix(b"{")
        .ok_or_else(|| io::Error::other("a manifest is a JSON object"))?;
    let sum = checksum(&text);
    Ok([FIELD, sum.as_bytes(), b"\",", fields, b"\n"].concat())
}

/// Reads a sealed text, if it has one of these formats. A format that is not known may be sealed in
/// another way, or not at all.
pub fn unseal<T: DeserializeOwned>(
    text: &[u8],
    known: RangeInclusive<u32>,
) -> Result<T, SealError> {
    #[derive(Deserialize)]
    struct FormatOnly {
        format: u32,
    }
    let invalid = |error: serde_json::Error| SealError::Damaged(error.to_string());
    let found: FormatOnly = serde_json::from_slice(text).map_err(invalid)?;
    if !known.contains(&found.format) {
        return Err(SealError::Format(found.format));
    }
    let manifest = open(text)
        .ok_or_else(|| SealError::Damaged("its checksum does not match its text".to_owned()))?;
    serde_json::from_slice(&manifest).map_err(invalid)
}

/// The text without its checksum, if that is right.
fn open(text: &[u8]) -> Option<Vec<u8>> {
    let (expected, rest) = text.strip_prefix(FIELD)?.split_at_checked(16)?;
    let fields = rest.strip_prefix(b"\",")?.strip_suffix(b"\n")?;
    let manifest = [b"{", fields].concat();
    (checksum(&manifest).as_bytes() == expected).then_some(manifest)
}
