//! The manifest of a table: what it is, and what its files must be.

use std::path::Path;

use serde::{Deserialize, Serialize};
use tilebase_game::{Board, Category, Objective, ValueKind, Variant};
use tilebase_util::files::{FileError, SealError, read_if_there, unseal};

use crate::error::TableError;
use crate::layer::LayerBytes;
use crate::shard::Shard;
use crate::value::StoredValue;

/// The formats of the manifest and the layers' files that are known. Tables of values and of moves
/// have the first, so that older programs read them; those with rounded values have the second. The
/// manifest of a shard has the third, so that older programs do not take it for a whole table.
pub const FORMATS: std::ops::RangeInclusive<u32> = 1..=3;
/// The format of the manifest of a shard.
const SHARD_FORMAT: u32 = 3;
/// The manifest's file.
pub const MANIFEST: &str = "table.json";

/// What a table stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// The value of every afterstate.
    Values,
    /// A best move for every state.
    Moves,
    /// The values of afterstates in 16 bits, in two layers of three: those of every third layer follow
    /// from the two above it. No list of the states.
    Rounded,
    /// A best move for the states that best play meets, and no others, and their values in 16 bits. Of
    /// probabilities, those of two layers in four: the others follow from the layers above, by the moves.
    BestPlay,
}

impl Content {
    /// The format that a table with it has.
    pub const fn format(self) -> u32 {
        match self {
            Content::Values | Content::Moves => 1,
            Content::Rounded | Content::BestPlay => 2,
        }
    }

    /// Whether the layer with a tile sum is left out.
    pub const fn leaves_out(self, sum: u32) -> bool {
        matches!(self, Content::Rounded) && (sum / 2).is_multiple_of(3)
    }

    /// Whether the values of the layer with a tile sum are stored.
    pub fn keeps_values(self, sum: u32, kind: ValueKind) -> bool {
        match self {
            Content::Values => true,
            Content::Moves => false,
            Content::Rounded => !self.leaves_out(sum),
            // The best move for a score may not be the one that is sure to win.
            Content::BestPlay => kind != ValueKind::WinProbability || sum / 2 % 4 < 2,
        }
    }

    /// Whether the states of a layer are listed.
    pub const fn lists_states(self) -> bool {
        !matches!(self, Content::Rounded)
    }

    /// Whether the afterstates of a layer are listed.
    pub const fn lists_afterstates(self) -> bool {
        matches!(self, Content::Values | Content::Rounded)
    }

    /// Whether values are stored.
    pub const fn has_values(self) -> bool {
        !matches!(self, Content::Moves)
    }
}

/// The value of the random start under optimal play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The mean over the start states, weighted by their probability.
    pub value: Option<f64>,
    /// The smallest over the start states.
    pub min: Option<f64>,
    /// The largest over the start states.
    pub max: Option<f64>,
    /// The probability of winning, where it is known.
    pub win: Option<f64>,
    /// Its complement, in full precision.
    pub win_complement: Option<f64>,
    /// Whether all start states are sure wins.
    pub sure_win: bool,
    /// Whether all start states are sure losses.
    pub sure_loss: bool,
}

impl Start {
    /// Combines start states with these probabilities and values.
    pub fn of<V: StoredValue>(values: &[(f64, V)]) -> Start {
        let mean = V::weighted_mean(values).to_value();
        let numbers = || {
            values
                .iter()
                .filter_map(|(_, value)| value.to_value().value)
        };
        Start {
            value: mean.value,
            min: numbers().min_by(f64::total_cmp),
            max: numbers().max_by(f64::total_cmp),
            win: mean.win.map(|win| win.p()),
            win_complement: mean.win.map(|win| win.q()),
            sure_win: mean.category == Category::SureWin,
            sure_loss: mean.category == Category::SureLoss,
        }
    }

    /// What is certain at the start.
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
    /// Live states that are sure wins.
    pub sure_wins: u64,
    /// Live states that are sure losses.
    pub sure_losses: u64,
    /// Afterstates without a target tile.
    pub afterstates: u64,
    /// Sizes of the sections of the file; called `parts` on disk.
    #[serde(rename = "parts")]
    pub sections: LayerBytes,
    /// Size of the file; 0 if the layer is left out.
    pub bytes: u64,
    /// XXH3 (64 bits) of the checksums of the file's pages, in hex.
    pub checksum: String,
}

/// The manifest of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format of the table, one of [`FORMATS`].
    pub format: u32,
    /// The version of the program that wrote it.
    pub version: String,
    /// The variant's name.
    pub variant: String,
    /// The objective's name.
    pub objective: String,
    /// The discount, if there is one.
    pub discount: Option<f64>,
    /// What is stored.
    pub content: Content,
    /// Where best play begins, in hex, if not at the random start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// Which shard of a table it is, if it is not a whole one. Counts are of its own boards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Whether all layers are there.
    pub complete: bool,
    /// A bound on relative errors; of probabilities, relative to the smaller of p and 1−p.
    pub relative_error_bound: f64,
    /// Moves whose values differ by at most this fraction are ties.
    pub tie_tolerance: f64,
    /// The value of the start, once it is known.
    pub start: Option<Start>,
    /// The layers, from the last tile sum down.
    pub layers: Vec<LayerEntry>,
}

impl Manifest {
    /// The manifest of a table that has no layer yet.
    pub fn new(variant: &Variant, objective: Objective, content: Content) -> Manifest {
        Manifest {
            format: content.format(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            variant: variant.to_string(),
            objective: objective.name().to_owned(),
            discount: match objective {
                Objective::Discounted(discount) => Some(discount),
                _ => None,
            },
            content,
            from: Vec::new(),
            shard: None,
            complete: false,
            relative_error_bound: 0.0,
            tie_tolerance: 0.0,
            start: None,
            layers: Vec::new(),
        }
    }

    /// The manifest of a table of best play from given positions, or from the random start if there are
    /// none.
    pub fn best_play(variant: &Variant, objective: Objective, from: &[Board]) -> Manifest {
        let from = from.iter().map(|board| board.hex(variant.shape()));
        let mut from: Vec<String> = from.collect();
        from.sort_unstable();
        from.dedup();
        Manifest {
            from,
            ..Manifest::new(variant, objective, Content::BestPlay)
        }
    }

    /// The manifest of a shard of this table.
    ///
    /// ```
    /// use tilebase_table::{Content, Manifest, Objective, Shard};
    ///
    /// let shard = Shard { process: 0, processes: 4 };
    /// let variant = "2x2-to-32".parse().unwrap();
    /// let manifest = Manifest::new(&variant, Objective::Win, Content::Values).of_shard(shard);
    /// assert_eq!(manifest.title(), "2x2-to-32 (win), shard 0 of 4");
    /// ```
    #[must_use]
    pub fn of_shard(self, shard: Shard) -> Manifest {
        Manifest {
            format: SHARD_FORMAT,
            shard: Some(shard),
            ..self
        }
    }

    /// Reads the manifest of a directory, if it has one.
    pub fn read(dir: &Path) -> Result<Option<Manifest>, TableError> {
        match read_if_there(&dir.join(MANIFEST))? {
            Some(text) => Manifest::parse(&text, dir).map(Some),
            None => Ok(None),
        }
    }

    /// Parses the manifest of a directory.
    pub(crate) fn parse(text: &[u8], dir: &Path) -> Result<Manifest, TableError> {
        let path = dir.join(MANIFEST);
        let damaged = |what: String| FileError::Damaged {
            path: path.clone(),
            what,
        };
        let manifest: Manifest = unseal(text, FORMATS).map_err(|error| match error {
            SealError::Format(found) => TableError::Format {
                path: path.clone(),
                found,
                known: *FORMATS.end(),
            },
            SealError::Damaged(what) => damaged(what).into(),
        })?;
        let format = match manifest.shard {
            Some(_) => SHARD_FORMAT,
            None => manifest.content.format(),
        };
        if manifest.format != format {
            let what = format!("format {} instead of {format}", manifest.format);
            return Err(damaged(what).into());
        }
        Ok(manifest)
    }

    /// The variant.
    pub fn variant(&self, dir: &Path) -> Result<Variant, TableError> {
        self.variant
            .parse()
            .map_err(|_| self.invalid(dir, "variant", &self.variant))
    }

    /// The objective.
    pub fn objective(&self, dir: &Path) -> Result<Objective, TableError> {
        Objective::from_name(&self.objective, self.discount)
            .ok_or_else(|| self.invalid(dir, "objective", &self.objective))
    }

    fn invalid(&self, dir: &Path, what: &str, text: &str) -> TableError {
        TableError::File(FileError::Damaged {
            path: dir.join(MANIFEST),
            what: format!("unknown {what} '{text}'"),
        })
    }

    /// The game and the objective in words, and which shard it is.
    pub fn title(&self) -> String {
        self.title_of(self.shard)
    }

    /// The title of a shard of the same table, or of the whole one.
    pub(crate) fn title_of(&self, shard: Option<Shard>) -> String {
        let discount = self
            .discount
            .map_or(String::new(), |d| format!(", discount {d}"));
        let moves = match self.content {
            Content::Values => "",
            Content::Moves => ", moves only",
            Content::Rounded => ", rounded values",
            Content::BestPlay => ", best play only",
        };
        let from = match &self.from[..] {
            [] => String::new(),
            [one] => format!(" from {one}"),
            [first, others @ ..] => format!(" from {first} and {} others", others.len()),
        };
        let shard = shard.map_or(String::new(), |shard| format!(", {shard}"));
        format!(
            "{} ({}{discount}{moves}{from}){shard}",
            self.variant, self.objective
        )
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

    /// Sizes of the sections of all layers' files.
    pub fn sections(&self) -> LayerBytes {
        let sections = self.layers.iter().map(|layer| layer.sections);
        sections.fold(LayerBytes::default(), LayerBytes::together)
    }
}
