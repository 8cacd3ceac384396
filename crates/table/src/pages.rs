//! Files in pages that are checked when they are first touched.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use tilebase_util::files::{FileError, checksum};
use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::Bytes;

/// Bytes of a page.
const PAGE: usize = 1 << 16;

/// Appends the checksums of all pages; returns the checksum of those.
pub(crate) fn seal(bytes: &mut Vec<u8>) -> String {
    let sums: Vec<u64> = bytes.par_chunks(PAGE).map(xxh3_64).collect();
    let sums: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    bytes.extend(&sums);
    checksum(&sums)
}

/// A sealed file, on disk or in memory.
pub(crate) struct Pages {
    path: PathBuf,
    map: Bytes,
    /// Bytes before the checksums.
    body: usize,
    /// A bit for every page that was checked.
    checked: Vec<AtomicU64>,
}

impl Pages {
    /// Opens a file of a known size and checksum.
    pub fn open(path: &Path, bytes: u64, expected: &str) -> Result<Pages, FileError> {
        Pages::of(path, Bytes::read(path)?, bytes, expected)
    }

    /// The pages of a file's content; the path is for error messages.
    pub fn of(path: &Path, map: Bytes, bytes: u64, expected: &str) -> Result<Pages, FileError> {
        let damaged = |what: String| FileError::Damaged {
            path: path.to_owned(),
            what,
        };
        if map.len() as u64 != bytes {
            return Err(damaged(format!("{} bytes instead of {bytes}", map.len())));
        }
        let pages = map.len().div_ceil(PAGE + 8);
        let body = map.len() - 8 * pages;
        let found = checksum(&map[body..]);
        if found != expected {
            return Err(damaged(format!("checksum {found} instead of {expected}")));
        }
        Ok(Pages {
            path: path.to_owned(),
            map,
            body,
            checked: (0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
        })
    }

    /// Bytes without the checksums.
    pub fn len(&self) -> usize {
        self.body
    }

    /// The error of a file whose pages are intact but invalid.
    pub fn nonsense(&self) -> FileError {
        self.damaged("its content makes no sense")
    }

    /// The error of a file that is damaged in some way.
    pub fn damaged(&self, what: &str) -> FileError {
        FileError::Damaged {
            path: self.path.clone(),
            what: what.to_owned(),
        }
    }

    /// Bytes of the file, after a check of their pages.
    #[inline]
    pub fn bytes(&self, range: Range<usize>) -> Result<&[u8], FileError> {
        if range.end > self.body || range.start > range.end {
            return Err(self.nonsense());
        }
        for page in range.start / PAGE..range.end.div_ceil(PAGE) {
            let bit = 1 << (page % 64);
            if self.checked[page / 64].load(Ordering::Relaxed) & bit == 0 {
                self.check(page)?;
                self.checked[page / 64].fetch_or(bit, Ordering::Relaxed);
            }
        }
        Ok(&self.map[range])
    }

    #[cold]
    fn check(&self, page: usize) -> Result<(), FileError> {
        let content = &self.map[page * PAGE..self.body.min((page + 1) * PAGE)];
        let at = self.body + 8 * page;
        let expected = self.map.get(at..).and_then(|rest| rest.first_chunk());
        if expected == Some(&xxh3_64(content).to_le_bytes()) {
            return Ok(());
        }
        Err(FileError::Damaged {
            path: self.path.clone(),
            what: format!(
                "the {} bytes from {} on are not what was written",
                content.len(),
                page * PAGE
            ),
        })
    }

    /// Checks all pages.
    pub fn check_all(&self) -> Result<(), FileError> {
        (0..self.body.div_ceil(PAGE))
            .into_par_iter()
            .try_for_each(|page| self.check(page))
    }
}
