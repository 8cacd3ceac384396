//! What a table says about itself.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tilebase_game::Variant;
use tilebase_util::files::{FileError, checksum};

use crate::error::TableError;
use crate::layer::LayerBytes;
use crate::objective::{Category, Objective};
use crate::value::StoredValue;

/// The format of the manifest and the layers' files.
pub const FORMAT: u32 = 1;
/// The manifest's file.
pub const MANIFEST: &str = "table.json";

/// What a table keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// The worth of every afterstate.
    Values,
    /// A best move for every state.
    Moves,
}

/// What optimal play is worth from the random start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The mean over the start states, weighted by their probability.
    pub value: Option<f64>,
    /// The least over the start states.
    pub min: Option<f64>,
    /// The most over the start states.
    pub max: Option<f64>,
    /// The probability of winning, where it is known.
    pub win: Option<f64>,
    /// What is missing from that to 1.
    pub win_complement: Option<f64>,
    /// Whether all start states are sure wins.
    pub sure_win: bool,
    /// Whether all start states are sure losses.
    pub sure_loss: bool,
}

impl Start {
    /// What start states with these probabilities and worths make together.
    pub fn of<W: StoredValue>(worths: &[(f64, W)]) -> Start {
        let value = W::mix(worths).value();
        let values = || worths.iter().filter_map(|(_, worth)| worth.value().value);
        Start {
            value: value.value,
            min: values().min_by(f64::total_cmp),
            max: values().max_by(f64::total_cmp),
            win: value.win.map(|chance| chance.p()),
            win_complement: value.win.map(|chance| chance.q()),
            sure_win: value.category == Category::SureWin,
            sure_loss: value.category == Category::SureLoss,
        }
    }

    /// What is sure at the start.
    pub fn category(&self) -> Category {
        match (self.sure_win, self.sure_loss) {
            (true, _) => Category::SureWin,
            (_, true) => Category::SureLoss,
            _ => Category::Open,
        }
    }
}

/// A layer in the manifest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerEntry {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Those of them that are sure wins.
    pub sure_wins: u64,
    /// Those of them that are sure losses.
    pub sure_losses: u64,
    /// Afterstates without a target tile.
    pub afterstates: u64,
    /// Size of the parts of the file.
    pub parts: LayerBytes,
    /// Size of the file.
    pub bytes: u64,
    /// XXH3 (64 bits) of the checksums of the file's pages, in hex.
    pub checksum: String,
}

/// What a directory holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`] when it was written.
    pub format: u32,
    /// The version of the program that wrote it.
    pub version: String,
    /// The variant's name.
    pub variant: String,
    /// The objective's name.
    pub objective: String,
    /// The discount, if there is one.
    pub discount: Option<f64>,
    /// What is kept.
    pub content: Content,
    /// Whether all layers are there.
    pub complete: bool,
    /// Values are within this fraction of the truth; probabilities within this fraction of
    /// the smaller of p and 1−p.
    pub relative_error_bound: f64,
    /// Moves whose values differ by at most this fraction are called equally good.
    pub tie_tolerance: f64,
    /// What optimal play is worth from the start, once it is known.
    pub start: Option<Start>,
    /// The layers, from the last tile sum down.
    pub layers: Vec<LayerEntry>,
}

/// A manifest as it is kept: with the checksum of its own text before it. It says how all
/// files are read, so a digit that changed in it would make good files into wrong answers.
#[derive(Serialize)]
pub(crate) struct Sealed<'a> {
    checksum: String,
    #[serde(flatten)]
    manifest: &'a Manifest,
}

impl<'a> Sealed<'a> {
    /// The manifest with its checksum.
    pub fn new(manifest: &'a Manifest) -> Sealed<'a> {
        // Text that cannot be made is told when it is written.
        let text = serde_json::to_vec(manifest).unwrap_or_default();
        Sealed {
            checksum: checksum(&text),
            manifest,
        }
    }

    /// The text as it is kept.
    pub fn text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).unwrap_or_default();
        text.push(b'\n');
        text
    }

    /// The text of the manifest without its checksum, if that is right.
    fn open(text: &[u8]) -> Option<Vec<u8>> {
        let rest = text.strip_prefix(br#"{"checksum":""#)?;
        let (expected, rest) = rest.split_at_checked(16)?;
        let rest = rest.strip_prefix(b"\",")?.strip_suffix(b"\n")?;
        let own = [b"{", rest].concat();
        (checksum(&own).as_bytes() == expected).then_some(own)
    }
}

impl Manifest {
    /// The manifest of a table that has no layer yet.
    pub fn new(variant: &Variant, objective: Objective, content: Content) -> Manifest {
        Manifest {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            variant: variant.to_string(),
            objective: objective.name().to_owned(),
            discount: match objective {
                Objective::Discounted(discount) => Some(discount),
                _ => None,
            },
            content,
            complete: false,
            relative_error_bound: 0.0,
            tie_tolerance: 0.0,
            start: None,
            layers: Vec::new(),
        }
    }

    /// Reads the manifest of a directory, if it has one.
    pub fn read(dir: &Path) -> Result<Option<Manifest>, TableError> {
        let path = dir.join(MANIFEST);
        match std::fs::read(&path) {
            Ok(text) => Manifest::parse(&text, dir).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::System { path, error }.into()),
        }
    }

    /// The manifest in a text, which stands in a directory.
    pub(crate) fn parse(text: &[u8], dir: &Path) -> Result<Manifest, TableError> {
        #[derive(Deserialize)]
        struct FormatOnly {
            format: u32,
        }
        let path = dir.join(MANIFEST);
        let damaged = |what: String| FileError::Damaged {
            path: path.clone(),
            what,
        };
        let nonsense = |error: serde_json::Error| damaged(error.to_string());
        // Another format may be sealed in another way.
        let found: FormatOnly = serde_json::from_slice(text).map_err(nonsense)?;
        if found.format != FORMAT {
            return Err(TableError::Format {
                path,
                found: found.format,
                known: FORMAT,
            });
        }
        let own = Sealed::open(text)
            .ok_or_else(|| damaged("its checksum is not that of its text".to_owned()))?;
        Ok(serde_json::from_slice(&own).map_err(nonsense)?)
    }

    /// The variant.
    pub fn variant(&self, dir: &Path) -> Result<Variant, TableError> {
        self.variant
            .parse()
            .map_err(|_| self.nonsense(dir, "variant", &self.variant))
    }

    /// The objective.
    pub fn objective(&self, dir: &Path) -> Result<Objective, TableError> {
        Objective::from_name(&self.objective, self.discount)
            .ok_or_else(|| self.nonsense(dir, "objective", &self.objective))
    }

    fn nonsense(&self, dir: &Path, what: &str, text: &str) -> TableError {
        TableError::File(FileError::Damaged {
            path: dir.join(MANIFEST),
            what: format!("no such {what}: '{text}'"),
        })
    }

    /// The table in words: the game and the objective.
    pub fn title(&self) -> String {
        let discount = self
            .discount
            .map_or(String::new(), |d| format!(", discount {d}"));
        let moves = match self.content {
            Content::Values => "",
            Content::Moves => ", moves only",
        };
        format!("{} ({}{discount}{moves})", self.variant, self.objective)
    }

    /// Number of live states.
    pub fn states(&self) -> u64 {
        self.layers.iter().map(|layer| layer.states).sum()
    }

    /// Number of afterstates.
    pub fn afterstates(&self) -> u64 {
        self.layers.iter().map(|layer| layer.afterstates).sum()
    }

    /// Size of all layers' files.
    pub fn bytes(&self) -> u64 {
        self.layers.iter().map(|layer| layer.bytes).sum()
    }

    /// Sizes of all layers' parts.
    pub fn parts(&self) -> LayerBytes {
        let parts = self.layers.iter().map(|layer| layer.parts);
        parts.fold(LayerBytes::default(), LayerBytes::together)
    }
}
