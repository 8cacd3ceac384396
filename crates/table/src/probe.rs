//! The truth about a position.

use std::cmp::Ordering;

use tilebase_game::{Board, Move, MoveSet};

use crate::error::TableError;
use crate::layer::LayerFile;
use crate::manifest::Content;
use crate::table::Table;
use crate::value::{StoredValue, Value};
use crate::with_value_type;

/// Where a board stands in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It can arise, and there is something to do.
    Live,
    /// The target is on the board.
    Won,
    /// No slide changes the board.
    Lost,
    /// It cannot arise in the game.
    Unreachable,
}

impl Status {
    /// The name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Status::Live => "live",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Unreachable => "unreachable",
        }
    }
}

/// A legal move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbedMove {
    /// The move.
    pub m: Move,
    /// The board after the slide.
    pub afterstate: Board,
    /// Points of the slide.
    pub gain: u32,
    /// Whether it wins at once.
    pub wins: bool,
    /// What it is worth; `None` if the table does not know.
    pub value: Option<Value>,
    /// How much less that is than the best move; for moves to a win, how many more.
    pub loss: Option<f64>,
    /// Whether it is a best move, but for rounding.
    pub best: bool,
    /// An earlier move that leads to the same position up to symmetry.
    pub same_as: Option<Move>,
}

/// What a table knows of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// The board that was asked for.
    pub board: Board,
    /// Where it stands.
    pub standing: Status,
    /// What it is worth; `None` if the table does not know.
    pub value: Option<Value>,
    /// The legal moves, best first.
    pub moves: Vec<ProbedMove>,
}

impl Probe {
    /// All best moves.
    pub fn best(&self) -> MoveSet {
        let best = self.moves.iter().filter(|answer| answer.best);
        best.map(|answer| answer.m).collect()
    }
}

impl Table {
    /// What the table knows of a board.
    pub fn probe(&self, board: Board) -> Result<Probe, TableError> {
        with_value_type!(self.objective(), W => self.probe_as::<W>(board))
    }

    fn probe_as<W: StoredValue>(&self, board: Board) -> Result<Probe, TableError> {
        let largest = self.places().largest();
        let mut answer = Probe {
            board,
            standing: Status::Live,
            value: None,
            moves: Vec::new(),
        };
        if self
            .variant()
            .target()
            .is_some_and(|target| board.reaches(target))
        {
            // Nothing more is to be had after the win.
            answer.standing = Status::Won;
            answer.value = Some(W::won(&self.objective()).value());
            return Ok(answer);
        }
        if self.rules().is_lost(board) {
            answer.standing = Status::Lost;
            answer.value = Some(W::LOST.value());
            return Ok(answer);
        }
        let file = match board.reaches(largest + 1) {
            true => None,
            false => self.file(board.sum())?,
        };
        let rank = match file {
            Some(file) => rank_in(file, file.states, self.places().canonical(board))?,
            None => None,
        };
        if rank.is_none() {
            answer.standing = Status::Unreachable;
        }
        match self.manifest().content {
            Content::Values => self.add_values::<W>(&mut answer, file)?,
            Content::Moves => self.add_move(&mut answer, file, rank)?,
        }
        Ok(answer)
    }

    fn add_values<W: StoredValue>(
        &self,
        answer: &mut Probe,
        file: Option<&LayerFile>,
    ) -> Result<(), TableError> {
        let tolerance = self.manifest().tie_tolerance;
        let mut worths = Vec::new();
        for mut line in self.lines(answer.board) {
            let worth = self.move_worth::<W>(&line, file)?;
            line.value = worth.map(W::value);
            worths.push(worth);
            answer.moves.push(line);
        }
        let known: Vec<W> = worths.iter().copied().flatten().collect();
        if known.is_empty() || known.len() < worths.len() {
            // A board that cannot arise may have moves that nothing is known of.
            return Ok(());
        }
        let state = W::of_state(known.iter().copied(), tolerance);
        answer.value = Some(state.value());
        for (line, worth) in answer.moves.iter_mut().zip(&known) {
            line.best = worth.is_best(state, tolerance);
            line.loss = Some(worth.loss(state));
        }
        // Best first; of the equally good ones, in the order of the moves.
        let mut order: Vec<usize> = (0..known.len()).collect();
        order.sort_by(
            |&a, &b| match (answer.moves[a].best, answer.moves[b].best) {
                (true, true) => Ordering::Equal,
                (false, false) => known[b].compare(known[a]),
                (a, b) => b.cmp(&a),
            },
        );
        answer.moves = order.into_iter().map(|i| answer.moves[i]).collect();
        Ok(())
    }

    /// What a move is worth, if the table knows.
    fn move_worth<W: StoredValue>(
        &self,
        line: &ProbedMove,
        file: Option<&LayerFile>,
    ) -> Result<Option<W>, TableError> {
        let objective = self.objective();
        let after = match file {
            _ if line.wins => W::won(&objective),
            Some(file) if !line.afterstate.reaches(self.places().largest() + 1) => {
                let canonical = self.places().canonical(line.afterstate);
                match rank_in(file, file.afterstates, canonical)? {
                    Some(rank) => file.worth::<W>(rank)?,
                    None => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        Ok(Some(W::of_move(&objective, after, line.gain)))
    }

    /// What a state that can arise is worth, lost ones included.
    pub fn state_worth<W: StoredValue>(&self, board: Board) -> Result<W, TableError> {
        let file = self.file(board.sum())?;
        let mut worths = Vec::new();
        for line in self.lines(board) {
            worths.extend(self.move_worth::<W>(&line, file)?);
        }
        if worths.is_empty() {
            return Ok(W::LOST);
        }
        Ok(W::of_state(
            worths.into_iter(),
            self.manifest().tie_tolerance,
        ))
    }

    /// Of a table with moves only, the one best move that it has.
    fn add_move(
        &self,
        answer: &mut Probe,
        file: Option<&LayerFile>,
        rank: Option<u64>,
    ) -> Result<(), TableError> {
        let mut lines: Vec<ProbedMove> = self.lines(answer.board).collect();
        if let (Some(file), Some(rank)) = (file, rank) {
            let canonical = self.places().canonical(answer.board);
            let best = self
                .places()
                .rules()
                .slide(canonical, file.best_move(rank)?);
            let best = self.places().rules().canonical(best);
            // The same move on the board as it is: the one that leads to the same position.
            for line in &mut lines {
                line.best = self.places().canonical(line.afterstate) == best;
            }
            lines.sort_by_key(|line| !line.best);
        }
        answer.moves = lines;
        Ok(())
    }

    /// The legal moves of a board, with nothing known of their worth.
    fn lines(&self, board: Board) -> impl Iterator<Item = ProbedMove> {
        let rules = *self.rules();
        let target = self.variant().target();
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
                    m,
                    afterstate,
                    gain: rules.gain(board, m),
                    wins: target.is_some_and(|target| afterstate.reaches(target)),
                    value: None,
                    loss: None,
                    best: false,
                    same_as,
                }
            })
    }
}

/// The rank of a canonical upright board in a set of a layer's file.
fn rank_in(
    file: &LayerFile,
    keys: crate::layer::Keys,
    canonical: Board,
) -> Result<Option<u64>, TableError> {
    match file.places().position(canonical) {
        Some(position) => Ok(file.find(keys, position)?),
        None => Ok(None),
    }
}
