//! A table as one sequence of bytes, for places without a file system.
//!
//! A magic number, the length of the manifest in eight bytes, the manifest as it is on disk, and
//! the files of the layers in the manifest's order.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use tilebase_util::files::{FileError, seal};

use crate::error::TableError;
use crate::home::Home;
use crate::manifest::Manifest;
use crate::part::TablePart;
use crate::table::Table;

const MAGIC: &[u8; 8] = b"TBPACKED";

impl Table {
    /// The whole table as bytes.
    ///
    /// ```
    /// # use tilebase_util::progress::Silent;
    /// # use tilebase_solve::{SolveOptions, solve_in_memory};
    /// use tilebase_table::{Objective, Table};
    ///
    /// let variant = "2x2-to-16".parse().unwrap();
    /// let table = solve_in_memory(&variant, Objective::Win, &SolveOptions::default(), &Silent)?;
    /// let copy = Table::from_bytes(&table.to_bytes()?)?;
    /// assert_eq!(copy.manifest(), table.manifest());
    /// # Ok::<(), tilebase_solve::SolveError>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        let whole;
        let table = match self.shards() {
            None => self,
            Some(_) => {
                whole = self.joined()?;
                &whole
            }
        };
        let manifest = seal(table.manifest()).map_err(FileError::system(Path::new("memory")))?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((manifest.len() as u64).to_le_bytes());
        bytes.extend(manifest);
        let content = table.manifest().content;
        for part in table.parts() {
            let layers = part.manifest.layers.iter();
            for entry in layers.filter(|entry| !content.leaves_out(entry.sum)) {
                bytes.extend_from_slice(&part.home.bytes(entry.sum)?);
            }
        }
        Ok(bytes)
    }

    /// Reads the bytes back. Damaged layers are reported when they are first probed, as on disk.
    pub fn from_bytes(bytes: &[u8]) -> Result<Table, TableError> {
        let name = Path::new("memory");
        let cut = || FileError::Damaged {
            path: name.to_owned(),
            what: "not a packed table, or truncated".to_owned(),
        };
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(cut)?;
        let (length, rest) = rest.split_first_chunk().ok_or_else(cut)?;
        let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut())?;
        let (manifest, mut rest) = rest.split_at_checked(length).ok_or_else(cut)?;
        let manifest = Manifest::parse(manifest, name)?;
        if manifest.shard.is_some() {
            return Err(cut().into());
        }
        if !manifest.complete {
            return Err(TableError::Incomplete(name.to_owned()));
        }
        let mut layers = BTreeMap::new();
        for entry in &manifest.layers {
            let length = usize::try_from(entry.bytes).map_err(|_| cut())?;
            let (layer, others) = rest.split_at_checked(length).ok_or_else(cut)?;
            layers.insert(entry.sum, Arc::from(layer));
            rest = others;
        }
        if !rest.is_empty() {
            return Err(cut().into());
        }
        let home = Home::Memory(layers);
        Table::of(name, vec![TablePart { home, manifest }], None)
    }
}
