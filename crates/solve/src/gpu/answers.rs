//! The values of the start and of the positions of a request, from what the pass found.

use bytemuck::Pod;
use tilebase_game::{Board, Move, Rules, Variant};
use tilebase_table::{Objective, Start, StoredValue, with_value_type};

use super::GpuAnswer;
use super::queries::Query;

/// The game that queries are about.
pub(super) struct Answers<'a> {
    pub variant: &'a Variant,
    pub rules: &'a Rules,
    pub objective: Objective,
    /// The start states with their probabilities.
    pub starts: &'a [(Board, f64)],
}

impl Answers<'_> {
    /// The value of the start, and the answers to queries. The first queries are those for the
    /// start states.
    pub fn all(&self, queries: &[Query]) -> (Start, Vec<GpuAnswer>) {
        with_value_type!(self.objective, W => self.of_type::<W>(queries))
    }

    fn of_type<W: StoredValue + Pod>(&self, queries: &[Query]) -> (Start, Vec<GpuAnswer>) {
        let (starting, others) = queries.split_at(self.starts.len());
        let values: Vec<(f64, W)> = self
            .starts
            .iter()
            .zip(starting)
            .map(|(&(_, probability), query)| (probability, query.state.map_or(W::LOST, decode)))
            .collect();
        let answers = others.iter().map(|query| self.answer::<W>(query));
        (Start::of(&values), answers.collect())
    }

    fn answer<W: StoredValue + Pod>(&self, query: &Query) -> GpuAnswer {
        let mut moves: Vec<(Move, Board, W)> = Vec::new();
        for &(m, after, bits) in &query.moves {
            let won = self.variant.is_won(after);
            let value = match bits {
                _ if won => W::won(&self.objective),
                Some(bits) => decode(bits),
                None => continue,
            };
            let score = self.rules.score(query.board, m);
            moves.push((m, after, W::of_move(&self.objective, value, score)));
        }
        moves.sort_by(|a, b| b.2.compare(a.2));
        GpuAnswer {
            board: query.board,
            value: match query.state {
                None if self.rules.is_lost(query.board) => Some(W::LOST.to_value()),
                state => state.map(|bits| decode::<W>(bits).to_value()),
            },
            moves: moves
                .into_iter()
                .map(|(m, after, value)| (m, after, value.to_value()))
                .filter(|_| query.state.is_some())
                .collect(),
        }
    }
}

/// A value from its bits. Objectives with values of more than 64 bits are not solved on a GPU.
pub(super) fn decode<W: StoredValue + Pod>(bits: u64) -> W {
    let mut value = W::LOST;
    let bytes = bytemuck::bytes_of_mut(&mut value);
    let taken = bytes.len().min(8);
    bytes[..taken].copy_from_slice(&bits.to_ne_bytes()[..taken]);
    value
}
