//! What `play --compare` answers.

use schemars::JsonSchema;
use serde::Serialize;

use crate::{Device, GameStatistics, SearchSettings};

words! {
    /// One of two players that are compared.
    Compared {
        /// The first.
        A = "a",
        /// The second.
        B = "b",
    }
}

/// Two players with the same dice.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CompareAnswer {
    /// Rows and columns.
    pub shape: String,
    /// The target tile; null if games are played until lost.
    pub to: Option<u128>,
    /// The spawn rule.
    pub spawn: String,
    /// Tiles on the board at the start.
    pub start_tiles: u16,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The most games that each player would have played.
    pub most_games: u64,
    /// Games that both have played and that count.
    pub pairs: u64,
    /// The first player.
    pub a: ComparedPlayer,
    /// The second player.
    pub b: ComparedPlayer,
    /// The mean of A's score less B's.
    pub mean_difference: Option<f64>,
    /// Lower end of its 95 % interval, which holds at every moment of the comparison; null below
    /// 30 pairs.
    pub mean_difference_low: Option<f64>,
    /// Upper end of that interval.
    pub mean_difference_high: Option<f64>,
    /// Which player scores more; null if that is not decided.
    pub better: Option<Compared>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Threads that played.
    pub threads: usize,
    /// Where the players searched.
    pub device: Device,
    /// Name of the GPU, if they searched on one.
    pub gpu: Option<String>,
    /// Whether the user stopped the comparison early.
    pub interrupted: bool,
}

/// One of the players that are compared.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparedPlayer {
    /// Its options, as they were given.
    pub options: String,
    /// Its name.
    pub player: String,
    /// How it searched, if it did.
    pub search: Option<SearchSettings>,
    /// Its games summed up.
    #[serde(flatten)]
    pub games: GameStatistics,
}
