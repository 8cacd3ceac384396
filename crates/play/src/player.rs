//! Those who choose the moves.

use std::fmt;
use std::str::FromStr;

use tilebase_game::{Grid, Move, Policy, Rng, Rules, Shape};

use crate::policy::{Corner, Greedy, OnePly, Random, corner, greedy};

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
    /// The most points at once.
    Greedy,
    /// Down, else left, else right, else up.
    Corner,
    /// One move ahead, for empty cells and equal neighbours.
    OnePly,
}

impl PlayerKind {
    /// All kinds.
    pub const ALL: [PlayerKind; 4] = [
        PlayerKind::Random,
        PlayerKind::Greedy,
        PlayerKind::Corner,
        PlayerKind::OnePly,
    ];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            PlayerKind::Random => "random",
            PlayerKind::Greedy => "greedy",
            PlayerKind::Corner => "corner",
            PlayerKind::OnePly => "one-ply",
        }
    }

    /// A player of this kind. Its own dice come from `rng`, apart from the game's, so that
    /// all players meet the same new tiles for as long as they play alike.
    pub fn player(self, rng: Rng) -> Box<dyn Player> {
        match self {
            PlayerKind::Random => Box::new(Dice { rng }),
            PlayerKind::Greedy => Box::new(Chooser(|grid: &Grid| {
                let moves = grid.legal_moves();
                greedy(moves.iter().filter_map(|m| Some((m, grid.after(m)?.1))))
            })),
            PlayerKind::Corner => Box::new(Chooser(|grid: &Grid| corner(grid.legal_moves()))),
            PlayerKind::OnePly => Box::new(Chooser(|grid: &Grid| {
                let rules = Rules::new(grid.shape()).ok()?;
                let board = grid.pack().filter(|board| !rules.is_lost(*board))?;
                let weights = OnePly.probabilities(&rules, board);
                Move::ALL.into_iter().find(|m| weights[m.index()] > 0.0)
            })),
        }
    }

    /// Whether it can play on a shape.
    pub fn plays_on(self, shape: Shape) -> bool {
        self != PlayerKind::OnePly || Rules::new(shape).is_ok()
    }

    /// The same player on packed boards, to be judged exactly.
    pub fn policy(self) -> &'static dyn Policy {
        match self {
            PlayerKind::Random => &Random,
            PlayerKind::Greedy => &Greedy,
            PlayerKind::Corner => &Corner,
            PlayerKind::OnePly => &OnePly,
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

/// Makes the players of a series of games.
pub trait MakePlayer: Sync {
    /// A player for one game, with dice of its own.
    fn make(&self, rng: Rng) -> Box<dyn Player + '_>;
}

impl MakePlayer for PlayerKind {
    fn make(&self, rng: Rng) -> Box<dyn Player + '_> {
        self.player(rng)
    }
}

/// A player without dice or memory.
struct Chooser<F>(F);

impl<F: FnMut(&Grid) -> Option<Move>> Player for Chooser<F> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        (self.0)(grid)
    }
}

struct Dice {
    rng: Rng,
}

impl Player for Dice {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let legal = grid.legal_moves();
        let at = self.rng.below(legal.len());
        legal.iter().nth(at as usize)
    }
}
