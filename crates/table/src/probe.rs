//! Probing: the value and the moves of a position.

use std::cmp::Ordering;

use tilebase_game::{Board, Move, MoveSet, Rules, Status};

use crate::error::TableError;
use crate::layer::List;
use crate::layer_files::Found;
use crate::manifest::Content;
use crate::table::Table;
use crate::value::{StoredValue, Value};
use crate::with_value_type;

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbedMove {
    /// Where the tiles slide.
    pub direction: Move,
    /// The board after the slide, before the new tile.
    pub afterstate: Board,
    /// Points of the slide itself.
    pub score: u32,
    /// Whether it makes the target tile.
    pub wins_now: bool,
    /// Its value; `None` if the table does not know it.
    pub value: Option<Value>,
    /// How much worse it is than the best move, in the objective's unit.
    pub loss: Option<f64>,
    /// Whether it is a best move, up to rounding.
    pub best: bool,
    /// An earlier move that leads to the same position up to symmetry.
    pub same_as: Option<Move>,
}

/// What a table knows about a board.
///
/// ```
/// use tilebase_game::{Board, Move, Variant};
/// use tilebase_solve::{SolveOptions, solve_in_memory};
/// use tilebase_table::Objective;
/// use tilebase_util::progress::Silent;
///
/// let variant: Variant = "2x2-to-16".parse().unwrap();
/// let options = SolveOptions::default();
/// let table = solve_in_memory(&variant, Objective::Win, &options, &Silent).unwrap();
/// let probe = table.probe(Board::parse("4,2/.,2", variant.shape()).unwrap()).unwrap();
/// assert_eq!(probe.moves[0].direction, Move::Up);
/// assert_eq!(probe.moves[0].score, 4);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The board.
    pub board: Board,
    /// Whether play goes on from it.
    pub status: Status,
    /// Its value; `None` if the table does not know it.
    pub value: Option<Value>,
    /// The legal moves, best first.
    pub moves: Vec<ProbedMove>,
}

impl Probe {
    /// All best moves.
    pub fn best(&self) -> MoveSet {
        let best = self.moves.iter().filter(|m| m.best);
        best.map(|m| m.direction).collect()
    }
}

impl Table {
    /// Looks a board up.
    pub fn probe(&self, board: Board) -> Result<Probe, TableError> {
        with_value_type!(self.objective(), V => self.probe_as::<V>(board))
    }

    fn probe_as<V: StoredValue>(&self, board: Board) -> Result<Probe, TableError> {
        let mut probe = Probe {
            board,
            status: Status::Live,
            value: None,
            moves: Vec::new(),
        };
        if !self.rules().keeps(board) {
            // Walls never leave all masks.
            probe.status = Status::Unreachable;
            probe.moves = self.legal_moves(board).collect();
            return Ok(probe);
        }
        if self.variant().is_won(board) {
            // Play ends with the win.
            probe.status = Status::Won;
            probe.value = Some(V::won(&self.objective()).to_value());
            return Ok(probe);
        }
        if self.rules().is_lost(board) {
            probe.status = Status::Lost;
            probe.value = Some(V::LOST.to_value());
            return Ok(probe);
        }
        let file = match self.index().has_room_for(board) {
            false => None,
            true => self.file(self.rules().sum(board))?,
        };
        let found = match file {
            Some(file) => file.find(List::States, self.index().canonical(board))?,
            None => None,
        };
        let content = self.manifest().content;
        if found.is_none() && matches!(content, Content::Values | Content::Moves) {
            probe.status = Status::Unreachable;
        }
        match content {
            Content::Values | Content::Rounded => self.add_values::<V>(&mut probe)?,
            Content::Moves | Content::BestPlay => self.add_move(&mut probe, found)?,
        }
        if content == Content::BestPlay
            && let Some(value) = self.met_value::<V>(self.index().canonical(board))?
        {
            add_state_value(&mut probe, value);
        }
        if content == Content::Rounded && probe.value.is_none() {
            probe.status = Status::Unreachable;
        }
        Ok(probe)
    }

    fn add_values<V: StoredValue>(&self, probe: &mut Probe) -> Result<(), TableError> {
        let tolerance = self.manifest().tie_tolerance;
        let mut values = Vec::new();
        for mut m in self.legal_moves(probe.board) {
            let value = self.move_value::<V>(&m)?;
            m.value = value.map(V::to_value);
            values.push(value);
            probe.moves.push(m);
        }
        let known: Vec<V> = values.iter().copied().flatten().collect();
        if known.is_empty() || known.len() < values.len() {
            // A board that cannot arise may have moves to unknown afterstates.
            return Ok(());
        }
        let state = V::of_state(known.iter().copied(), tolerance);
        probe.value = Some(state.to_value());
        for (m, value) in probe.moves.iter_mut().zip(&known) {
            m.best = value.is_best(state, tolerance);
            m.loss = Some(value.loss(state));
        }
        // Best first, ties in the order of the moves.
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by(|&a, &b| match (probe.moves[a].best, probe.moves[b].best) {
            (true, true) => Ordering::Equal,
            (false, false) => known[b].compare(known[a]),
            (a, b) => b.cmp(&a),
        });
        probe.moves = order.into_iter().map(|i| probe.moves[i]).collect();
        Ok(())
    }

    /// The value of a move, if the table knows it.
    fn move_value<V: StoredValue>(&self, m: &ProbedMove) -> Result<Option<V>, TableError> {
        let objective = self.objective();
        let after = match m.wins_now {
            true => Some(V::won(&objective)),
            false => self.afterstate_value::<V>(m.afterstate)?,
        };
        Ok(after.map(|after| V::of_move(&objective, after, m.score)))
    }

    /// The value of an afterstate that is not won, if the table knows it.
    fn afterstate_value<V: StoredValue>(&self, after: Board) -> Result<Option<V>, TableError> {
        if !self.index().has_room_for(after) {
            return Ok(None);
        }
        let sum = self.rules().sum(after);
        if self.manifest().content.leaves_out(sum) {
            return self.spawn_mean(after);
        }
        let Some(file) = self.file(sum)? else {
            return Ok(None);
        };
        let found = file.find(List::Afterstates, self.index().canonical(after))?;
        Ok(found.map(Found::value::<V>).transpose()?)
    }

    /// The value of an afterstate whose layer is left out: the mean over the states that spawns lead
    /// to, whose layers are not. `None` if one of those cannot arise.
    fn spawn_mean<V: StoredValue>(&self, after: Board) -> Result<Option<V>, TableError> {
        let tolerance = self.manifest().tie_tolerance;
        self.mean_over_spawns(self.rules(), after, |board| {
            let mut values = Vec::with_capacity(4);
            for m in self.legal_moves(board) {
                let Some(value) = self.move_value::<V>(&m)? else {
                    return Ok(None);
                };
                values.push(value);
            }
            Ok(Some(match values.is_empty() {
                true => V::LOST,
                false => V::of_state(values.into_iter(), tolerance),
            }))
        })
    }

    /// The mean over the states that spawns on an afterstate lead to, if all their values are known.
    fn mean_over_spawns<V: StoredValue>(
        &self,
        rules: &Rules,
        after: Board,
        value: impl Fn(Board) -> Result<Option<V>, TableError>,
    ) -> Result<Option<V>, TableError> {
        let spawn = self.variant().spawn();
        let mut sums = [V::Sum::default(); 2];
        for (sum, exponent) in sums.iter_mut().zip(1u8..) {
            if spawn.weight(exponent) == 0 {
                continue;
            }
            for board in rules.drops(after, exponent) {
                let Some(state) = value(board)? else {
                    return Ok(None);
                };
                V::add(sum, state);
            }
        }
        let cells = f64::from(rules.empty_cells(after).count_ones());
        let probabilities = [spawn.probability(1), spawn.probability(2)];
        Ok(Some(V::mean(sums[0], sums[1], probabilities, cells)))
    }

    /// The value of a state that can arise, lost ones included.
    pub fn state_value<V: StoredValue>(&self, board: Board) -> Result<V, TableError> {
        let mut values = Vec::new();
        for m in self.legal_moves(board) {
            values.extend(self.move_value::<V>(&m)?);
        }
        if values.is_empty() {
            return Ok(V::LOST);
        }
        Ok(V::of_state(
            values.into_iter(),
            self.manifest().tie_tolerance,
        ))
    }

    /// The value of an upright state by a table of best play, if that can meet it. In layers without
    /// values it follows from the states that the spawns after the best move lead to.
    fn met_value<V: StoredValue>(&self, board: Board) -> Result<Option<V>, TableError> {
        let rules = self.index().rules();
        if rules.is_lost(board) {
            return Ok(Some(V::LOST));
        }
        let sum = rules.sum(board);
        let Some(file) = self.file(sum)? else {
            return Ok(None);
        };
        let canonical = rules.canonical(board);
        let Some(found) = file.find(List::States, canonical)? else {
            return Ok(None);
        };
        if self.manifest().content.keeps_values(sum, V::KIND) {
            return Ok(Some(found.value::<V>()?));
        }
        let best = found.best_move()?;
        let after = rules.slide(canonical, best);
        let value = match self.variant().is_won(self.index().in_shape(after)) {
            true => Some(V::won(&self.objective())),
            false => self.mean_over_spawns(rules, after, |board| self.met_value::<V>(board))?,
        };
        let score = rules.score(canonical, best);
        Ok(value.map(|value| V::of_move(&self.objective(), value, score)))
    }

    /// Adds the best move of a table that stores moves.
    fn add_move(&self, probe: &mut Probe, found: Option<Found>) -> Result<(), TableError> {
        let mut moves: Vec<ProbedMove> = self.legal_moves(probe.board).collect();
        if let Some(found) = found {
            let canonical = self.index().canonical(probe.board);
            let best = self.index().rules().slide(canonical, found.best_move()?);
            let best = self.index().rules().canonical(best);
            // On the board as given, it is the move that leads to the same class.
            for m in &mut moves {
                m.best = self.index().canonical(m.afterstate) == best;
            }
            moves.sort_by_key(|m| !m.best);
        }
        probe.moves = moves;
        Ok(())
    }

    /// The legal moves of a board, without their values.
    fn legal_moves(&self, board: Board) -> impl Iterator<Item = ProbedMove> {
        let rules = *self.rules();
        let variant = *self.variant();
        let mut seen: Vec<(Move, Board)> = Vec::new();
        Move::ALL
            .into_iter()
            .zip(rules.slides(board))
            .filter(move |&(_, after)| after != board)
            .map(move |(m, afterstate)| {
                let canonical = rules.canonical(afterstate);
                let same_as = seen.iter().find(|&&(_, other)| other == canonical);
                let same_as = same_as.map(|&(m, _)| m);
                seen.push((m, canonical));
                ProbedMove {
                    direction: m,
                    afterstate,
                    score: rules.score(board, m),
                    wins_now: variant.is_won(afterstate),
                    value: None,
                    loss: None,
                    best: false,
                    same_as,
                }
            })
    }
}

/// Adds the value of a state to what is known of it and its best move.
fn add_state_value<V: StoredValue>(probe: &mut Probe, state: V) {
    let value = state.to_value();
    probe.value = Some(value);
    // The value of a move has its reward in it, so a state has the value of its best move.
    for m in probe.moves.iter_mut().filter(|m| m.best) {
        m.value = Some(value);
        m.loss = Some(0.0);
    }
}
