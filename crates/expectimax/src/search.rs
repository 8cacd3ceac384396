//! The search itself.

use tilebase_game::{Board, Move, Rules, Spawn};

use crate::evaluation::Evaluation;
use crate::transposition::TranspositionTable;

/// The deepest a search goes: nothing real goes that far.
pub const DEEPEST: u8 = 60;
/// Slides between two looks at the clock.
const LOOK_EVERY: u64 = 1 << 12;

/// What a search may leave out. The memory changes no worth by more than the rounding of a
/// sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Lines that come about with a smaller probability are not looked at further; 0 looks
    /// at all.
    pub cutoff: f64,
    /// Slides that look worse than the best of their position by more than this, one slide
    /// deep, are not looked at further; infinite looks at all, none takes the evaluation's
    /// own. A learned evaluation knows the positions that come about when nearly the best is
    /// played, and no others: looking further at bad slides finds luck that is not there.
    pub margin: Option<f64>,
    /// Boards with more different tiles than this are searched one slide deeper than the
    /// asked depth for each that is more; none takes the evaluation's own. A long chain of
    /// tiles that has yet to merge leaves few cells, and what is lost there is lost for good;
    /// few cells also make deep searches cheap.
    pub crowd: Option<u8>,
    /// The memory for boards seen before has 2^this places; 0 for none.
    pub memory_bits: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cutoff: 0.0,
            margin: None,
            crowd: None,
            memory_bits: 15,
        }
    }
}

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// So many slides, and more on [crowded](Options::crowd) boards.
    Depth(u8),
    /// First so many slides, then always one more until so many positions were looked at
    /// in one search.
    Positions {
        /// Slides of the first search.
        from: u8,
        /// Positions that are enough.
        enough: u64,
    },
}

/// A move and its worth: the score it gains and the worth of what follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredMove {
    /// The move.
    pub m: Move,
    /// Its worth.
    pub worth: f64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The legal moves, best first; of equals the first in the order of [`Move::ALL`].
    pub moves: Vec<ScoredMove>,
    /// How many slides deep the search looked.
    pub depth: u8,
    /// Positions that the last search looked at.
    pub positions: u64,
}

/// A search with an evaluation. It may be asked again and again; answers do not depend on
/// what it was asked before.
pub struct Search<'a, E: Evaluation + ?Sized> {
    rules: Rules,
    /// The exponents that may fall, with their probabilities.
    tiles: Vec<(u8, f64)>,
    evaluation: &'a E,
    cutoff: f64,
    margin: f64,
    crowd: u8,
    memory: TranspositionTable,
    positions: u64,
    slides: u64,
    stop: Option<Box<dyn Fn() -> bool + 'a>>,
    stopped: bool,
}

impl<'a, E: Evaluation + ?Sized> Search<'a, E> {
    /// A search of games with these rules and new tiles.
    pub fn new(rules: Rules, spawn: Spawn, evaluation: &'a E, options: Options) -> Search<'a, E> {
        let tiles = spawn.exponents().map(|e| (e, spawn.probability(e)));
        Search {
            rules,
            tiles: tiles.collect(),
            evaluation,
            cutoff: options.cutoff,
            margin: options.margin.unwrap_or_else(|| evaluation.margin()),
            crowd: options.crowd.unwrap_or_else(|| evaluation.crowd()),
            memory: TranspositionTable::new(options.memory_bits),
            positions: 0,
            slides: 0,
            stop: None,
            stopped: false,
        }
    }

    /// Asks this now and then, and ends the search under way if it says so: for a clock.
    /// [`Search::advise`] then answers with the last depth that was finished, at least 1.
    pub fn stop_if(&mut self, stop: Box<dyn Fn() -> bool + 'a>) {
        self.stop = Some(stop);
    }

    /// How many slides were tried in all searches so far, legal or not.
    pub fn slides(&self) -> u64 {
        self.slides
    }

    /// What the legal moves are worth; `None` if there are none.
    pub fn advise(&mut self, board: Board, effort: Effort) -> Option<Advice> {
        self.stopped = false;
        let (mut depth, enough, deepest) = match effort {
            Effort::Depth(depth) => {
                let further = different_tiles(board).saturating_sub(self.crowd);
                let depth = depth.saturating_add(further).clamp(1, DEEPEST);
                (depth, 0, depth)
            }
            Effort::Positions { from, enough } => (from.clamp(1, DEEPEST), enough, DEEPEST),
        };
        let mut found = self.look(board, depth)?;
        if self.stopped {
            // Not even the first depth was finished: look less deep, for as long as it takes.
            let stop = self.stop.take();
            self.stopped = false;
            found = self.look(board, 1)?;
            self.stop = stop;
            return Some(found);
        }
        while found.positions < enough && depth < deepest {
            depth += 1;
            let deeper = self.look(board, depth)?;
            if self.stopped {
                break;
            }
            // All lines have ended: there is nothing deeper.
            let all = deeper.positions == found.positions;
            found = deeper;
            if all {
                break;
            }
        }
        Some(found)
    }

    /// Looks to one depth.
    fn look(&mut self, board: Board, depth: u8) -> Option<Advice> {
        self.memory.clear();
        self.positions = 0;
        let worths = self.probabilities(board, depth, 1.0);
        let weighed = Move::ALL.into_iter().zip(worths);
        let legal = weighed.filter(|&(_, worth)| worth > f64::NEG_INFINITY);
        let mut moves: Vec<ScoredMove> = legal.map(|(m, worth)| ScoredMove { m, worth }).collect();
        moves.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        (!moves.is_empty()).then_some(Advice {
            moves,
            depth,
            positions: self.positions,
        })
    }

    /// The worth of a board before a tile falls, with so many slides to look at.
    fn before_tile(&mut self, after: Board, depth: u8, probability: f64) -> f64 {
        if depth == 0 || probability < self.cutoff {
            self.positions += self.evaluation.positions(after);
            return self.evaluation.worth(after);
        }
        // Images are worth the same. Finding the canonical one pays where much follows.
        let key = match depth {
            1 => after,
            _ => self.rules.canonical(after),
        };
        if let Some((worth, positions)) = self.memory.get(key, depth) {
            self.positions += positions;
            return worth;
        }
        let positions = self.positions;
        let mut empty = self.rules.empty_cells(after);
        let share = 1.0 / f64::from(empty.count_ones());
        let mut total = 0.0;
        while empty != 0 {
            let cell = empty & empty.wrapping_neg();
            empty ^= cell;
            for at in 0..self.tiles.len() {
                let (exponent, chance) = self.tiles[at];
                let board = Board::from_bits(after.bits() | (cell * u64::from(exponent)));
                total += chance * self.best_slide(board, depth, probability * chance * share);
            }
        }
        if self.stopped {
            return 0.0;
        }
        let worth = total * share;
        self.memory
            .put(key, depth, worth, self.positions - positions);
        worth
    }

    /// The worth of a state, with so many slides to look at.
    #[inline]
    fn best_slide(&mut self, board: Board, depth: u8, probability: f64) -> f64 {
        self.positions += 1;
        if self.slides & (LOOK_EVERY - 1) == 0 && !self.stopped {
            self.stopped = self.stop.as_ref().is_some_and(|stop| stop());
        }
        if self.stopped {
            return 0.0;
        }
        let worths = self.probabilities(board, depth, probability);
        let best = worths.into_iter().fold(f64::NEG_INFINITY, f64::max);
        if best == f64::NEG_INFINITY {
            return self.evaluation.lost();
        }
        best
    }

    /// The worths of the four slides, with so many slides to look at, this one among them;
    /// minus infinity for those that are not legal. Slides outside the margin are worth as
    /// much less than the best as they look one slide deep.
    #[inline]
    fn probabilities(&mut self, board: Board, depth: u8, probability: f64) -> [f64; 4] {
        self.slides += 4;
        let afters = self.rules.slides(board);
        let gains = [Move::Left, Move::Up].map(|m| f64::from(self.rules.gain(board, m)));
        let mut losses = [0.0; 4];
        if depth > 1 && self.margin < f64::INFINITY {
            let mut most = f64::NEG_INFINITY;
            for (i, &after) in afters.iter().enumerate() {
                if after != board {
                    let look = gains[i / 2] + self.before_tile(after, 0, probability);
                    most = most.max(look);
                    losses[i] = look;
                }
            }
            losses = losses.map(|look| most - look);
        }
        let mut worths = [f64::NEG_INFINITY; 4];
        for (i, &after) in afters.iter().enumerate() {
            if after != board && losses[i] <= self.margin {
                worths[i] = gains[i / 2] + self.before_tile(after, depth - 1, probability);
            }
        }
        let best = worths.into_iter().fold(f64::NEG_INFINITY, f64::max);
        for (i, &after) in afters.iter().enumerate() {
            if after != board && losses[i] > self.margin {
                worths[i] = best - losses[i];
            }
        }
        worths
    }
}

/// How many different tiles a board has.
fn different_tiles(board: Board) -> u8 {
    let cell = |at: u32| 1u16 << (board.bits() >> (4 * at) & 15);
    let present = (0..16).fold(0, |set, at| set | cell(at));
    // The lowest bit stands for empty cells.
    (present >> 1).count_ones() as u8
}
