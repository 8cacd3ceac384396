//! Shards: the tables of several processes that solve a game together.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Which part of a table a directory holds: that of one of several processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shard {
    /// Which process, from 0 up.
    pub process: u32,
    /// How many processes there are.
    pub processes: u32,
}

impl Shard {
    /// The shard that a directory's name says.
    fn of_name(name: &str) -> Option<Shard> {
        let (process, processes) = name.strip_prefix("shard-")?.split_once("-of-")?;
        let shard = Shard {
            process: process.parse().ok()?,
            processes: processes.parse().ok()?,
        };
        // Only one way to write a number counts.
        (shard.process < shard.processes && shard.name() == name).then_some(shard)
    }

    /// The name of its directory.
    fn name(self) -> String {
        format!("shard-{}-of-{}", self.process, self.processes)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {} of {}", self.process, self.processes)
    }
}

/// The directory of a shard of the table in a directory.
///
/// ```
/// use std::path::Path;
/// use tilebase_table::{Shard, shard_dir};
///
/// let shard = Shard { process: 0, processes: 4 };
/// assert_eq!(shard_dir(Path::new("table"), shard), Path::new("table/shard-0-of-4"));
/// ```
pub fn shard_dir(dir: &Path, shard: Shard) -> PathBuf {
    dir.join(shard.name())
}

/// The shards in a directory, in order.
pub(crate) fn shards_in(dir: &Path) -> Vec<Shard> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let names = entries.filter(|entry| entry.path().is_dir());
    let shards = names.filter_map(|entry| Shard::of_name(entry.file_name().to_str()?));
    let mut shards: Vec<Shard> = shards.collect();
    shards.sort_unstable();
    shards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_which_shard_it_is() {
        for processes in [1, 2, 10, 64] {
            for process in 0..processes {
                let shard = Shard { process, processes };
                assert_eq!(Shard::of_name(&shard.name()), Some(shard));
            }
        }
        for name in [
            "shard-0",
            "shard-2-of-2",
            "shard-00-of-2",
            "shard-+0-of-2",
            "shard--1-of-2",
            "shard-0-of-0",
            "shard-0-of-2.old",
            "states",
        ] {
            assert_eq!(Shard::of_name(name), None, "{name}");
        }
    }
}
