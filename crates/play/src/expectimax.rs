//! The player that searches.

use std::fmt;
use std::sync::Arc;

use tilebase_expectimax::{Evaluation, ExpectimaxOptions, Smooth};
use tilebase_game::{
    Board, Grid, Move, Policy, Rng, Rules, Shape, TooLarge, Variant, deterministic,
};
use tilebase_network::{NTupleNetwork, NetworkError, shared};

use crate::evaluation::EvaluationKind;
use crate::lookup_counter::LookupCounter;
use crate::player::{Player, PlayerFactory};
use crate::searcher::{ConfiguredSearch, SearchConfig, Searcher};

/// Why there is no such player.
#[derive(Debug)]
pub enum ExpectimaxError {
    /// The shape does not fit a packed board.
    TooLarge(TooLarge),
    /// The game has walls, which evaluations do not know.
    Walls(Box<Variant>),
    /// The network is for 4x4, and this is another shape.
    NetworkShape(Shape),
    /// No network was given, and the program was built without one.
    NoNetwork,
    /// The network cannot be loaded.
    Network(NetworkError),
}

impl fmt::Display for ExpectimaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectimaxError::TooLarge(TooLarge(shape)) => {
                write!(f, "expectimax plays on shapes up to 4x4, not {shape}")
            }
            ExpectimaxError::Walls(variant) => {
                write!(
                    f,
                    "expectimax does not know walls, so it cannot play {variant}"
                )
            }
            ExpectimaxError::NetworkShape(shape) => {
                write!(f, "the evaluation network is for 4x4, not {shape}")
            }
            ExpectimaxError::NoNetwork => f.write_str("this build has no n-tuple network"),
            ExpectimaxError::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExpectimaxError {}

/// An evaluation, ready to be searched with.
#[allow(
    clippy::large_enum_variant,
    reason = "there is one, and it is not moved about"
)]
enum LoadedEvaluation {
    Smooth(Smooth),
    Network(Arc<NTupleNetwork>),
    Counter(LookupCounter),
}

/// Makes expectimax players, and searches single positions.
pub struct Expectimax {
    variant: Variant,
    rules: Rules,
    evaluation: LoadedEvaluation,
    config: SearchConfig,
    abandon: Option<Abandon>,
}

/// A condition under which searches are given up.
pub(crate) type Abandon = Arc<dyn Fn() -> bool + Send + Sync>;

impl Expectimax {
    /// Players of a variant. `network` is a network to use instead of the built-in one. Either
    /// is shared, not copied.
    pub fn new(
        variant: Variant,
        evaluation: EvaluationKind,
        network: Option<Arc<NTupleNetwork>>,
        config: SearchConfig,
    ) -> Result<Expectimax, ExpectimaxError> {
        let shape = variant.shape();
        let rules = Rules::new(shape).map_err(ExpectimaxError::TooLarge)?;
        if variant.formation().is_some() {
            return Err(ExpectimaxError::Walls(Box::new(variant)));
        }
        let evaluation = match evaluation {
            EvaluationKind::Smooth => LoadedEvaluation::Smooth(Smooth::new(rules, variant.spawn())),
            EvaluationKind::Network => {
                if EvaluationKind::best_for(shape) != EvaluationKind::Network {
                    return Err(ExpectimaxError::NetworkShape(shape));
                }
                let network = match network {
                    Some(network) => Some(network),
                    None => shared().map_err(ExpectimaxError::Network)?,
                };
                LoadedEvaluation::Network(network.ok_or(ExpectimaxError::NoNetwork)?)
            }
        };
        Ok(Expectimax {
            variant,
            rules,
            evaluation,
            config,
            abandon: None,
        })
    }

    /// Gives running searches up under a condition, such as Ctrl-C. Moves that are chosen then
    /// mean nothing.
    #[must_use]
    pub fn abandon_if(mut self, abandon: Abandon) -> Expectimax {
        self.abandon = Some(abandon);
        self
    }

    /// Players with this network that count its lookups.
    pub fn counting_lookups(
        variant: Variant,
        network: NTupleNetwork,
        config: SearchConfig,
    ) -> Result<Expectimax, ExpectimaxError> {
        let rules = Rules::new(variant.shape()).map_err(ExpectimaxError::TooLarge)?;
        Ok(Expectimax {
            variant,
            rules,
            evaluation: LoadedEvaluation::Counter(LookupCounter::new(network)),
            config,
            abandon: None,
        })
    }

    /// How often each weight was looked up, if that was counted.
    pub fn into_lookup_counts(self) -> Option<Vec<u32>> {
        match self.evaluation {
            LoadedEvaluation::Counter(counter) => Some(counter.into_counts()),
            LoadedEvaluation::Smooth(_) | LoadedEvaluation::Network(_) => None,
        }
    }

    fn evaluation(&self) -> &dyn Evaluation {
        match &self.evaluation {
            LoadedEvaluation::Smooth(smooth) => smooth,
            LoadedEvaluation::Network(network) => &**network,
            LoadedEvaluation::Counter(counter) => counter,
        }
    }

    /// The network at the leaves, if there is one and its lookups are not counted.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn network(&self) -> Option<Arc<NTupleNetwork>> {
        match &self.evaluation {
            LoadedEvaluation::Network(network) => Some(Arc::clone(network)),
            LoadedEvaluation::Smooth(_) | LoadedEvaluation::Counter(_) => None,
        }
    }

    /// The condition under which searches are given up, if there is one.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn abandon(&self) -> Option<Abandon> {
        self.abandon.clone()
    }

    /// The rules that its searches follow.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    /// The variant that it plays.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The configuration of its searches.
    pub fn config(&self) -> SearchConfig {
        self.config
    }

    /// The pruning margin in use: the configured one, or the evaluation's own.
    pub fn pruning_margin(&self) -> f64 {
        let configured = self.config.options.pruning_margin;
        configured.unwrap_or_else(|| self.evaluation().pruning_margin())
    }

    /// The number of distinct tiles above which searches are extended: the configured one, or
    /// the evaluation's own.
    pub fn extend_above(&self) -> u8 {
        let configured = self.config.options.extend_above;
        configured.unwrap_or_else(|| self.evaluation().extend_above())
    }

    /// A searcher, for many positions one after the other.
    pub fn searcher(&self) -> Box<dyn Searcher + '_> {
        self.searcher_with(self.config)
    }

    /// A searcher with another configuration and the same evaluation. Loading a network takes
    /// a while, so it is shared.
    pub fn searcher_with(&self, config: SearchConfig) -> Box<dyn Searcher + '_> {
        match &self.evaluation {
            LoadedEvaluation::Smooth(smooth) => Box::new(self.configured(smooth, config)),
            LoadedEvaluation::Network(network) => Box::new(self.configured(&**network, config)),
            LoadedEvaluation::Counter(counter) => Box::new(self.configured(counter, config)),
        }
    }

    fn configured<'a, E: Evaluation>(
        &self,
        evaluation: &'a E,
        config: SearchConfig,
    ) -> ConfiguredSearch<'a, E> {
        let spawn = self.variant.spawn();
        let mut search = ConfiguredSearch::new(self.rules, spawn, evaluation, config);
        if let Some(abandon) = &self.abandon {
            let abandon = Arc::clone(abandon);
            search.abandon_if(Box::new(move || abandon()));
        }
        search
    }
}

/// Plays the best move of a search.
struct ExpectimaxPlayer<'a> {
    searcher: Box<dyn Searcher + 'a>,
}

impl Player for ExpectimaxPlayer<'_> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let board = grid.pack_halved();
        let best = board.and_then(|board| self.searcher.best_move(board));
        best.or_else(|| grid.legal_moves().iter().next())
    }
}

impl PlayerFactory for Expectimax {
    fn make(&self, _: Rng) -> Box<dyn Player + '_> {
        Box::new(ExpectimaxPlayer {
            searcher: self.searcher(),
        })
    }
}

impl Policy for Expectimax {
    fn probabilities(&self, _: &Rules, board: Board) -> [f64; 4] {
        // A transposition table would be made anew for every board, and changes no value.
        let options = ExpectimaxOptions {
            table_bits: 0,
            ..self.config.options
        };
        let config = SearchConfig {
            options,
            ..self.config
        };
        let best = self.searcher_with(config).best_move(board);
        best.map_or([0.0; 4], deterministic)
    }
}
