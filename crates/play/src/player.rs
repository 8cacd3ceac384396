//! Those who choose the moves.

use std::fmt;
use std::str::FromStr;

use tilebase_game::{Grid, Move, Rng};

/// Chooses moves. One player plays one game at a time.
pub trait Player {
    /// The move to make in a position, or `None` if no move is legal.
    fn choose(&mut self, grid: &Grid) -> Option<Move>;
}

/// The players that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// Every legal move with the same probability.
    Random,
}

impl PlayerKind {
    /// All kinds.
    pub const ALL: [PlayerKind; 1] = [PlayerKind::Random];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            PlayerKind::Random => "random",
        }
    }

    /// A player of this kind. Its own dice come from `rng`, apart from the game's, so that
    /// all players meet the same new tiles for as long as they play alike.
    pub fn player(self, rng: Rng) -> Box<dyn Player> {
        match self {
            PlayerKind::Random => Box::new(Random { rng }),
        }
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerError(pub String);

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = PlayerKind::ALL.map(PlayerKind::name).join(", ");
        write!(f, "there is no player '{}': use {names}", self.0)
    }
}

impl std::error::Error for PlayerError {}

impl FromStr for PlayerKind {
    type Err = PlayerError;

    fn from_str(name: &str) -> Result<PlayerKind, PlayerError> {
        PlayerKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| PlayerError(name.to_owned()))
    }
}

struct Random {
    rng: Rng,
}

impl Player for Random {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let legal = grid.legal_moves();
        let at = self.rng.below(legal.len());
        legal.iter().nth(at as usize)
    }
}
