//! The player that looks ahead.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;
use std::time::Duration;

use tilebase_expectimax::{Advice, Effort, Evaluation, Options, Search, Smooth};
use tilebase_game::{
    Board, Grid, Move, Policy, Rng, Rules, Shape, TooLarge, Variant, deterministic,
};
use tilebase_network::{NTupleNetwork, NetworkError, built_in};
use tilebase_util::progress::Moment;

use crate::counting::Counting;
use crate::player::{MakePlayer, Player};

/// The evaluations that can be asked for by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluationKind {
    /// Large tiles and small differences, as published.
    Smooth,
    /// Learned weights, for 4x4.
    NTupleNetwork,
}

impl EvaluationKind {
    /// All kinds.
    pub const ALL: [EvaluationKind; 2] = [EvaluationKind::Smooth, EvaluationKind::NTupleNetwork];

    /// The name on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            EvaluationKind::Smooth => "smooth",
            EvaluationKind::NTupleNetwork => "tuples",
        }
    }

    /// The best one for a shape.
    pub fn best_for(shape: Shape) -> EvaluationKind {
        if (shape.rows(), shape.cols()) == (4, 4) {
            EvaluationKind::NTupleNetwork
        } else {
            EvaluationKind::Smooth
        }
    }

    /// How far to look with it unless something else is asked for: as published, or so far
    /// that some thousand moves a second are made.
    pub const fn effort(self) -> Effort {
        match self {
            EvaluationKind::Smooth => Effort::Positions {
                from: 3,
                enough: 10_000,
            },
            EvaluationKind::NTupleNetwork => Effort::Depth(3),
        }
    }
}

impl fmt::Display for EvaluationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EvaluationKind {
    type Err = String;

    fn from_str(name: &str) -> Result<EvaluationKind, String> {
        let kinds = EvaluationKind::ALL;
        kinds
            .into_iter()
            .find(|kind| kind.name() == name)
            .ok_or_else(|| format!("there is no evaluation '{name}': use smooth or tuples"))
    }
}

/// How far an expectimax player looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchConfig {
    /// How far to look.
    pub effort: Effort,
    /// What the search may leave out.
    pub options: Options,
    /// Stop looking after this time; games then depend on the machine.
    pub time: Option<Duration>,
}

/// Why there is no such player.
#[derive(Debug)]
pub enum ExpectimaxError {
    /// The shape does not fit a packed board.
    TooLarge(TooLarge),
    /// The learned evaluation is of another shape.
    OnlyFourByFour(Shape),
    /// The program was built without a network, and none was given.
    NoNetwork,
    /// The weights cannot be used.
    Weights(NetworkError),
}

impl fmt::Display for ExpectimaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectimaxError::TooLarge(TooLarge(shape)) => write!(
                f,
                "player expectimax plays on shapes up to 4x4, not {shape}: take another one"
            ),
            ExpectimaxError::OnlyFourByFour(shape) => write!(
                f,
                "evaluation tuples was learned on 4x4, not {shape}: take --evaluation smooth"
            ),
            ExpectimaxError::NoNetwork => f.write_str(
                "this build has no n-tuple network: give it one, or use another evaluation",
            ),
            ExpectimaxError::Weights(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExpectimaxError {}

enum Worth {
    Smooth(Smooth),
    NTupleNetwork(NTupleNetwork),
    Counting(Counting),
}

/// Makes players that look ahead, and answers what the moves of a position are worth.
pub struct Expectimax {
    variant: Variant,
    rules: Rules,
    worth: Worth,
    looking: SearchConfig,
}

impl Expectimax {
    /// Players of a variant. `weights` replaces the learned weights of the program.
    pub fn new(
        variant: Variant,
        evaluation: EvaluationKind,
        weights: Option<&[u8]>,
        looking: SearchConfig,
    ) -> Result<Expectimax, ExpectimaxError> {
        let shape = variant.shape();
        let rules = Rules::new(shape).map_err(ExpectimaxError::TooLarge)?;
        let worth = match evaluation {
            EvaluationKind::Smooth => Worth::Smooth(Smooth::new(rules, variant.spawn())),
            EvaluationKind::NTupleNetwork => {
                if EvaluationKind::best_for(shape) != EvaluationKind::NTupleNetwork {
                    return Err(ExpectimaxError::OnlyFourByFour(shape));
                }
                let bytes = weights.or(built_in()).ok_or(ExpectimaxError::NoNetwork)?;
                Worth::NTupleNetwork(
                    NTupleNetwork::from_bytes(bytes).map_err(ExpectimaxError::Weights)?,
                )
            }
        };
        Ok(Expectimax {
            variant,
            rules,
            worth,
            looking,
        })
    }

    fn evaluation(&self) -> &dyn Evaluation {
        match &self.worth {
            Worth::Smooth(smooth) => smooth,
            Worth::NTupleNetwork(tuples) => tuples,
            Worth::Counting(counting) => counting,
        }
    }

    /// How much worse than the best a slide may look to be looked at further.
    pub fn margin(&self) -> f64 {
        let asked = self.looking.options.margin;
        asked.unwrap_or_else(|| self.evaluation().margin())
    }

    /// More different tiles than this make a search deeper.
    pub fn crowd(&self) -> u8 {
        let asked = self.looking.options.crowd;
        asked.unwrap_or_else(|| self.evaluation().crowd())
    }

    /// The same with learned weights, that counts what it looks up.
    pub fn counting(
        variant: Variant,
        tuples: NTupleNetwork,
        looking: SearchConfig,
    ) -> Result<Expectimax, ExpectimaxError> {
        let rules = Rules::new(variant.shape()).map_err(ExpectimaxError::TooLarge)?;
        Ok(Expectimax {
            variant,
            rules,
            worth: Worth::Counting(Counting::new(tuples)),
            looking,
        })
    }

    /// How often each learned weight was looked up so far, if that is counted.
    pub fn counted(self) -> Option<Vec<u32>> {
        match self.worth {
            Worth::Counting(counting) => Some(counting.into_counts()),
            Worth::Smooth(_) | Worth::NTupleNetwork(_) => None,
        }
    }

    /// One that looks ahead, for many positions one after the other.
    pub fn seeker(&self) -> Box<dyn Searcher + '_> {
        self.seeker_looking(self.looking)
    }

    /// One that looks in another way with the same evaluation, whose weights take a while to
    /// be read.
    pub fn seeker_looking(&self, looking: SearchConfig) -> Box<dyn Searcher + '_> {
        match &self.worth {
            Worth::Smooth(smooth) => Box::new(self.seek(smooth, looking)),
            Worth::NTupleNetwork(tuples) => Box::new(self.seek(tuples, looking)),
            Worth::Counting(counting) => Box::new(self.seek(counting, looking)),
        }
    }

    fn seek<'a, E: Evaluation>(
        &'a self,
        evaluation: &'a E,
        looking: SearchConfig,
    ) -> SearcherImpl<'a, E> {
        let spawn = self.variant.spawn();
        let mut search = Search::new(self.rules, spawn, evaluation, looking.options);
        let clock = looking.time.map(|time| {
            let deadline = Rc::new(Cell::new(Moment::now()));
            let own = Rc::clone(&deadline);
            search.stop_if(Box::new(move || Moment::now() >= own.get()));
            (time, deadline)
        });
        SearcherImpl {
            search,
            effort: looking.effort,
            clock,
        }
    }
}

/// Answers what the moves of a position are worth.
pub trait Searcher {
    /// The legal moves with their worths; `None` if there are none.
    fn advise(&mut self, board: Board) -> Option<Advice>;

    /// How many slides were tried so far.
    fn slides(&self) -> u64;
}

struct SearcherImpl<'a, E: Evaluation> {
    search: Search<'a, E>,
    effort: Effort,
    clock: Option<(Duration, Rc<Cell<Moment>>)>,
}

impl<E: Evaluation> Searcher for SearcherImpl<'_, E> {
    fn advise(&mut self, board: Board) -> Option<Advice> {
        if let Some((time, deadline)) = &self.clock {
            deadline.set(Moment::now().after(*time));
        }
        self.search.advise(board, self.effort)
    }

    fn slides(&self) -> u64 {
        self.search.slides()
    }
}

/// Looks ahead in games.
struct ExpectimaxPlayer<'a> {
    seeker: Box<dyn Searcher + 'a>,
}

impl Player for ExpectimaxPlayer<'_> {
    fn choose(&mut self, grid: &Grid) -> Option<Move> {
        let advised = packed(grid).and_then(|board| self.seeker.advise(board));
        let best = advised.and_then(|advice| Some(advice.moves.first()?.m));
        best.or_else(|| grid.legal_moves().iter().next())
    }
}

impl MakePlayer for Expectimax {
    fn make(&self, _: Rng) -> Box<dyn Player + '_> {
        Box::new(ExpectimaxPlayer {
            seeker: self.seeker(),
        })
    }
}

impl Policy for Expectimax {
    fn probabilities(&self, _: &Rules, board: Board) -> [f64; 4] {
        // A memory would have to be made anew for every board, and changes no worth.
        let options = Options {
            memory_bits: 0,
            ..self.looking.options
        };
        let looking = SearchConfig {
            options,
            ..self.looking
        };
        let advice = self.seeker_looking(looking).advise(board);
        let best = advice.and_then(|advice| advice.moves.first().copied());
        best.map_or([0.0; 4], |best| deterministic(best.m))
    }
}

/// A grid as a packed board whose slides are exact. Where tiles are too large for that, all
/// tiles above the largest exponent that no tile has count as half: what merges with what,
/// and the order of sizes, stay the same.
///
/// `None` if that does not help.
pub fn packed(grid: &Grid) -> Option<Board> {
    let mut grid = grid.clone();
    loop {
        let fits = grid.pack().filter(|board| board.slides_exactly());
        if fits.is_some() {
            return fits;
        }
        let mut below = (1..grid.max_exponent()).rev();
        let missing = below.find(|e| !grid.exponents().contains(e))?;
        let halve = |&e: &u8| if e > missing { e - 1 } else { e };
        let halved: Vec<u8> = grid.exponents().iter().map(halve).collect();
        grid = Grid::from_exponents(grid.shape(), &halved)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_tiles_are_halved_without_changing_what_merges() {
        let shape: Shape = "4x4".parse().unwrap();
        let cases = [
            // Nothing to do.
            ("0x1234000000000000", "0x1234000000000000"),
            // Two 32768 could merge into a tile that has no packed form. Tiles below the
            // largest gap stay.
            ("0xffd0100000000000", "0xeed0100000000000"),
        ];
        for (from, to) in cases {
            let grid = Grid::parse(from, Some(shape)).unwrap();
            let board = packed(&grid).unwrap();
            assert_eq!(board.hex(shape), to, "{from}");
            let rules = Rules::new(shape).unwrap();
            assert_eq!(rules.legal_moves(board), grid.legal_moves(), "{from}");
        }
        // A 65536 fits no packed board as it is.
        let mut exponents = [0; 16];
        exponents[0] = 16;
        exponents[5] = 15;
        let grid = Grid::from_exponents(shape, &exponents).unwrap();
        assert_eq!(packed(&grid).unwrap().hex(shape), "0xf0000e0000000000");
    }
}
