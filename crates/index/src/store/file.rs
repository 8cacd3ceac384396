//! The file of a set of boards.

use super::manifest::Keep;
use crate::pack::Section;

/// The format of the file, which is not that of the manifest.
const FORMAT: u32 = 1;
const MAGIC: &[u8; 8] = b"TBSTATES";

/// The name of the file of a set.
pub(super) fn file_name(sum: u32, what: Keep) -> String {
    match what {
        Keep::States => format!("layer-{sum:06}.states"),
        Keep::Afterstates => format!("layer-{sum:06}.afterstates"),
    }
}

/// A layer's file: a header, the sections' headers, the sections' codes.
pub(super) fn serialize(sum: u32, sections: &[Section]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    bytes.extend(sum.to_le_bytes());
    bytes.extend((sections.len() as u64).to_le_bytes());
    for section in sections {
        bytes.extend(section.top_units.to_le_bytes());
        bytes.extend(section.first_row.to_le_bytes());
        bytes.extend(section.count.to_le_bytes());
        bytes.extend((section.bytes.len() as u64).to_le_bytes());
    }
    sections
        .iter()
        .for_each(|section| bytes.extend(&section.bytes));
    bytes
}

/// The sections of a layer's file; `None` if it is not one, or of another layer.
pub(super) fn parse(bytes: &[u8], sum: u32) -> Option<Vec<Section>> {
    fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
        let (head, tail) = rest.split_first_chunk()?;
        *rest = tail;
        Some(*head)
    }
    let rest = &mut &bytes[..];
    if take(rest)? != *MAGIC || u32::from_le_bytes(take(rest)?) != FORMAT {
        return None;
    }
    if u32::from_le_bytes(take(rest)?) != sum {
        return None;
    }
    let number = u64::from_le_bytes(take(rest)?);
    let mut heads = Vec::new();
    for _ in 0..number {
        let top_units = u32::from_le_bytes(take(rest)?);
        let first_row = u32::from_le_bytes(take(rest)?);
        let count = u64::from_le_bytes(take(rest)?);
        let length = usize::try_from(u64::from_le_bytes(take(rest)?)).ok()?;
        heads.push((top_units, first_row, count, length));
    }
    let mut sections = Vec::new();
    for (top_units, first_row, count, length) in heads {
        let (codes, tail) = rest.split_at_checked(length)?;
        *rest = tail;
        sections.push(Section {
            top_units,
            first_row,
            count,
            bytes: codes.to_vec(),
        });
    }
    rest.is_empty().then_some(sections)
}
