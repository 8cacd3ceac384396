//! The search itself.

use tilebase_game::{Board, Move, Rules, Spawn};

use crate::evaluation::Evaluation;
use crate::options::{ExpectimaxOptions, MAX_DEPTH, SearchLimit};
use crate::transposition::TranspositionTable;

/// Slides between two checks of the stop condition.
const SLIDES_BETWEEN_CHECKS: u64 = 1 << 12;

/// A move and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredMove {
    /// The move.
    pub m: Move,
    /// The points of the slide plus the value of the afterstate.
    pub value: f64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The legal moves, best first; equal ones in the order of [`Move::ALL`].
    pub moves: Vec<ScoredMove>,
    /// Depth of the last finished search, in slides.
    pub depth: u8,
    /// Positions that this search saw.
    pub positions: u64,
}

/// An expectimax search with an evaluation. It can be reused; answers do not depend on earlier
/// searches.
pub struct ExpectimaxSearch<'a, E: Evaluation + ?Sized> {
    rules: Rules,
    /// The exponents that can spawn, with their probabilities.
    tiles: Vec<(u8, f64)>,
    evaluation: &'a E,
    cutoff: f64,
    pruning_margin: f64,
    extend_above: u8,
    table: TranspositionTable,
    positions: u64,
    slides: u64,
    stop: Option<Box<dyn Fn() -> bool + 'a>>,
    abandon: Option<Box<dyn Fn() -> bool + 'a>>,
    stopped: bool,
}

impl<'a, E: Evaluation + ?Sized> ExpectimaxSearch<'a, E> {
    /// A search with these rules and spawns.
    pub fn new(
        rules: Rules,
        spawn: Spawn,
        evaluation: &'a E,
        options: ExpectimaxOptions,
    ) -> ExpectimaxSearch<'a, E> {
        let tiles = spawn.exponents().map(|e| (e, spawn.probability(e)));
        let (margin, extend_above) = (options.pruning_margin, options.extend_above);
        ExpectimaxSearch {
            rules,
            tiles: tiles.collect(),
            evaluation,
            cutoff: options.cutoff,
            pruning_margin: margin.unwrap_or_else(|| evaluation.pruning_margin()),
            extend_above: extend_above.unwrap_or_else(|| evaluation.extend_above()),
            table: TranspositionTable::new(options.table_bits),
            positions: 0,
            slides: 0,
            stop: None,
            abandon: None,
            stopped: false,
        }
    }

    /// Sets a condition, such as a clock, that ends a running search. It is checked now and
    /// then. Searches then go one slide deeper at a time, and return the last depth that they
    /// finished, at least 1.
    pub fn stop_if(&mut self, stop: Box<dyn Fn() -> bool + 'a>) {
        self.stop = Some(stop);
    }

    /// Sets a condition, such as Ctrl-C, under which a running search is given up. It is checked
    /// now and then. What is returned then means nothing.
    pub fn abandon_if(&mut self, abandon: Box<dyn Fn() -> bool + 'a>) {
        self.abandon = Some(abandon);
    }

    /// The number of slides tried in all searches so far, legal or not.
    pub fn slides(&self) -> u64 {
        self.slides
    }

    /// Searches a state and returns its legal moves with their values; `None` if it has no
    /// legal move. All moves are searched to the same depth: the pruning margin applies below
    /// the root only.
    pub fn advise(&mut self, board: Board, limit: SearchLimit) -> Option<Advice> {
        self.deepen(board, limit, f64::INFINITY)
    }

    /// Searches a state and returns its best move; `None` if it has no legal move. The pruning
    /// margin applies at the root too, so this is faster than [`ExpectimaxSearch::advise`].
    pub fn best_move(&mut self, board: Board, limit: SearchLimit) -> Option<Move> {
        let advice = self.advise_pruned(board, limit)?;
        advice.moves.first().map(|best| best.m)
    }

    /// Like [`ExpectimaxSearch::advise`], with the pruning margin at the root too: without the
    /// moves outside it.
    pub fn advise_pruned(&mut self, board: Board, limit: SearchLimit) -> Option<Advice> {
        self.deepen(board, limit, self.pruning_margin)
    }

    /// Searches to the depth of the limit, or deeper and deeper up to it.
    fn deepen(&mut self, board: Board, limit: SearchLimit, root_margin: f64) -> Option<Advice> {
        let (first, positions, last) = match limit {
            SearchLimit::Depth(depth) => {
                let depth = extended_depth(board, depth, self.extend_above);
                (depth, u64::MAX, depth)
            }
            SearchLimit::Positions {
                min_depth,
                positions,
            } => (min_depth.clamp(1, MAX_DEPTH), positions, MAX_DEPTH),
        };
        // With a clock a depth may not be finished, and the one before is the answer. The first
        // slide is searched without the clock, so that there always is one.
        let stop = self.stop.take();
        self.stopped = false;
        let first = if stop.is_some() { 1 } else { first };
        let found = self.search(board, first, root_margin);
        self.stop = stop;
        let mut found = found?;
        if self.stopped {
            return Some(found);
        }
        let is_over = |search: &Self| search.stop.as_ref().is_some_and(|stop| stop());
        while found.depth < last && found.positions < positions && !is_over(self) {
            let deeper = self.search(board, found.depth + 1, root_margin)?;
            if self.stopped {
                break;
            }
            // All lines have ended: there is nothing deeper.
            let exhausted = deeper.positions == found.positions;
            found = deeper;
            if exhausted {
                break;
            }
        }
        Some(found)
    }

    /// Searches to one depth.
    fn search(&mut self, board: Board, depth: u8, root_margin: f64) -> Option<Advice> {
        self.table.clear();
        self.positions = 0;
        let values = self.move_values(board, depth, 1.0, root_margin);
        let scored = Move::ALL.into_iter().zip(values);
        let searched = scored.filter(|&(_, value)| value > f64::NEG_INFINITY);
        let mut moves: Vec<ScoredMove> =
            searched.map(|(m, value)| ScoredMove { m, value }).collect();
        moves.sort_by(|a, b| b.value.total_cmp(&a.value));
        (!moves.is_empty()).then_some(Advice {
            moves,
            depth,
            positions: self.positions,
        })
    }

    /// The value of a chance node: an afterstate, searched `depth` slides deeper.
    fn chance_value(&mut self, afterstate: Board, depth: u8, probability: f64) -> f64 {
        if depth == 0 || probability < self.cutoff {
            self.positions += self.evaluation.positions(afterstate);
            return rounded(self.evaluation.value(afterstate));
        }
        // Images have the same value. Computing the canonical one pays off at higher nodes.
        let key = match depth {
            1 => afterstate,
            _ => self.rules.canonical(afterstate),
        };
        if let Some((value, positions)) = self.table.get(key, depth) {
            self.positions += positions;
            return value;
        }
        let positions = self.positions;
        let mut empty = self.rules.empty_cells(afterstate);
        let share = 1.0 / f64::from(empty.count_ones());
        // Sums of rounded values are exact, so the order of the cells does not matter.
        let mut sums = [0.0; 2];
        while empty != 0 {
            let cell = empty & empty.wrapping_neg();
            empty ^= cell;
            for (at, sum) in sums.iter_mut().enumerate().take(self.tiles.len()) {
                let (exponent, chance) = self.tiles[at];
                let board = Board::from_bits(afterstate.bits() | (cell * u64::from(exponent)));
                *sum += self.max_value(board, depth, probability * chance * share);
            }
        }
        if self.stopped {
            return 0.0;
        }
        let tiles = self.tiles.iter().zip(sums);
        let total = tiles.fold(0.0, |total, (&(_, chance), sum)| total + chance * sum);
        let value = rounded(total * share);
        self.table
            .put(key, depth, value, self.positions - positions);
        value
    }

    /// The value of a max node: a state, searched `depth` slides deep.
    #[inline]
    fn max_value(&mut self, board: Board, depth: u8, probability: f64) -> f64 {
        self.positions += 1;
        if self.slides & (SLIDES_BETWEEN_CHECKS - 1) == 0 && !self.stopped {
            let holds = |condition: &Option<Box<dyn Fn() -> bool + 'a>>| {
                condition.as_ref().is_some_and(|condition| condition())
            };
            self.stopped = holds(&self.stop) || holds(&self.abandon);
        }
        if self.stopped {
            return 0.0;
        }
        let values = self.move_values(board, depth, probability, self.pruning_margin);
        let best = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        if best == f64::NEG_INFINITY {
            return self.evaluation.lost();
        }
        best
    }

    /// The values of the four slides, searched `depth` slides deep counting this one; minus
    /// infinity for those that are illegal or outside the margin.
    #[inline]
    fn move_values(&mut self, board: Board, depth: u8, probability: f64, margin: f64) -> [f64; 4] {
        self.slides += 4;
        let afterstates = self.rules.slides(board);
        let scores = [Move::Left, Move::Up].map(|m| f64::from(self.rules.score(board, m)));
        let mut losses = [0.0; 4];
        if depth > 1 && margin < f64::INFINITY {
            let mut most = f64::NEG_INFINITY;
            for (i, &afterstate) in afterstates.iter().enumerate() {
                if afterstate != board {
                    let value = scores[i / 2] + self.chance_value(afterstate, 0, probability);
                    most = most.max(value);
                    losses[i] = value;
                }
            }
            losses = losses.map(|value| most - value);
        }
        let mut values = [f64::NEG_INFINITY; 4];
        for (i, &afterstate) in afterstates.iter().enumerate() {
            if afterstate != board && losses[i] <= margin {
                values[i] = scores[i / 2] + self.chance_value(afterstate, depth - 1, probability);
            }
        }
        values
    }
}

/// Values are rounded to multiples of this part of a point.
const UNITS_PER_POINT: f64 = (1 << 20) as f64;

/// A value as the search adds it up. Sums of up to sixteen of them are exact as long as values
/// are below 2^28 points. So a board, its images and the transposition table have the same
/// values to the last bit, in whatever order they are found.
#[inline]
fn rounded(value: f64) -> f64 {
    (value * UNITS_PER_POINT).round_ties_even() / UNITS_PER_POINT
}

/// How deep a board is searched where `depth` is asked for: one slide deeper for each distinct
/// tile above a number of them, see [`ExpectimaxOptions::extend_above`].
pub fn extended_depth(board: Board, depth: u8, extend_above: u8) -> u8 {
    let extension = distinct_tiles(board).saturating_sub(extend_above);
    depth.saturating_add(extension).clamp(1, MAX_DEPTH)
}

/// The number of distinct tiles on a board.
fn distinct_tiles(board: Board) -> u8 {
    let cell = |at: u32| 1u16 << (board.bits() >> (4 * at) & 15);
    let present = (0..16).fold(0, |set, at| set | cell(at));
    // The lowest bit stands for empty cells.
    (present >> 1).count_ones() as u8
}
