//! Players: who chooses the moves.

use std::fmt;
use std::str::FromStr;

use tilebase_game::{Grid, Move, Policy, Rng, Rules, Shape};

use crate::policy::{Corner, Greedy, OnePly, Random, corner, greedy};

/// Chooses moves. One player plays one game at a time.
pub trait Player {
    /// The move to make in a position, or `None` if no move is legal.
    fn choose(&mut self, grid: &Grid) -> Option<Move>;
}

/// The simple players, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    /// Every legal move with the same probability.
    Random,
    /// The move that scores most.
    Greedy,
    /// Down, else left, else right, else up.
    Corner,
    /// One ply of search, for empty cells and equal neighbours.
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

    /// A player of this kind. Its random numbers come from `rng`, apart from the game's, so that
    /// all players meet the same spawns for as long as they play alike.
    pub fn player(self, rng: Rng) -> Box<dyn Player> {
        match self {
            PlayerKind::Random => Box::new(RandomPlayer { rng }),
            PlayerKind::Greedy => Box::new(FnPlayer(|grid: &Grid| {
                let moves = grid.legal_moves();
                greedy(moves.iter().filter_map(|m| Some((m, grid.after(m)?.1))))
            })),
            PlayerKind::Corner => Box::new(FnPlayer(|grid: &Grid| corner(grid.legal_moves()))),
            PlayerKind::OnePly => Box::new(FnPlayer(|grid: &Grid| {
                let rules = Rules::new(grid.shape()).ok()?;
                let board = grid.pack().filter(|board| !rules.is_lost(*board))?;
                let probabilities = OnePly.probabilities(&rules, board);
                Move::ALL
                    .into_iter()
                    .find(|m| probabilities[m.index()] > 0.0)
            })),
        }
    }

    /// Whether it can play on a shape.
    pub fn plays_on(self, shape: Shape) -> bool {
        self != PlayerKind::OnePly || Rules::new(shape).is_ok()
    }

    /// The same player as a policy on packed boards, which can be evaluated exactly.
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
        write!(f, "unknown player '{}': use {names}", self.0)
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
pub trait PlayerFactory: Sync {
    /// A player for one game, with its own random numbers.
    fn make(&self, rng: Rng) -> Box<dyn Player + '_>;
}

impl PlayerFactory for PlayerKind {
    fn make(&self, rng: Rng) -> Box<dyn Player + '_> {
        self.player(rng)
    }
}

/// A player without random numbers or memory.
struct FnPlayer<F>(F);

impl<F: FnMut(&Grid) -> Option<Move>> Player for FnPlayer<F> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        (self.0)(grid)
    }
}

struct RandomPlayer {
    rng: Rng,
}

impl Player for RandomPlayer {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let legal = grid.legal_moves();
        let at = self.rng.below(legal.len());
        legal.iter().nth(at as usize)
    }
}
