//! What all sweeps share: steps of both players, figures of each part, and the answer.

use std::time::Instant;

use crate::{Contest, Winner};
use tilebase_util::progress::{Progress, Unit};

use crate::bdd::cells::Cells;
use crate::bdd::drops::Quantifier;
use crate::bdd::error::SymbolicError;
use crate::bdd::kind::Kind;
use crate::bdd::moves::{Moves, everything};
use crate::bdd::options::{Options, Order, Side, Sweep};
use crate::bdd::report::{Outcome, SweepLine};
use crate::bdd::space::Space;
use crate::bdd::states::states;
use crate::bdd::{largest, sum};

/// The boards that a player wins, of some part.
#[derive(Clone)]
pub(crate) struct Won<K> {
    /// With Slider to move.
    pub(crate) slide: K,
    /// With Dropper to move.
    pub(crate) drop: K,
}

/// A sweep that goes on.
pub(crate) struct Sweeper<'s, K: Kind> {
    pub(crate) space: &'s Space<'s, K>,
    pub(crate) contest: &'s Contest,
    pub(crate) options: &'s Options,
    pub(crate) moves: Moves<K>,
    /// The boards that are looked at.
    pub(crate) care: K,
    progress: &'s dyn Progress,
    begun: Instant,
    /// The part that is being done.
    reached: Option<String>,
    lines: Vec<SweepLine>,
    largest_nodes: u64,
    peak_nodes: u64,
    /// Nodes that were left when they were last collected.
    kept_nodes: u64,
}

/// Below so many nodes nothing is collected.
const FEW_NODES: u64 = 1 << 20;

impl<'s, K: Kind> Sweeper<'s, K> {
    pub(crate) fn new(
        space: &'s Space<'s, K>,
        contest: &'s Contest,
        options: &'s Options,
        progress: &'s dyn Progress,
    ) -> Result<Sweeper<'s, K>, SymbolicError> {
        let begun = Instant::now();
        let care = if options.constrain {
            crate::bdd::constraint::possible(space, contest)?
        } else {
            everything(space)?
        };
        Ok(Sweeper {
            space,
            contest,
            options,
            moves: Moves::new(space, contest.drops())?,
            care,
            progress,
            begun,
            reached: None,
            lines: Vec::new(),
            largest_nodes: 0,
            peak_nodes: 0,
            kept_nodes: 0,
        })
    }

    /// Sweeps all parts and tells the outcome.
    pub(crate) fn run(mut self) -> Result<Outcome, SymbolicError> {
        self.progress.begin(Unit::Boards, None);
        let holds_empty = match self.options.sweep {
            Sweep::Sum => sum::sweep(&mut self),
            Sweep::Largest => largest::sweep(&mut self),
            Sweep::None => largest::accumulate(&mut self),
        }
        .map_err(|error| error.at(self.reached.take()))?;
        self.progress.finish();
        let winner = match (self.options.side, holds_empty) {
            (Side::Slider, true) | (Side::Dropper, false) => Winner::Slider,
            (Side::Slider, false) | (Side::Dropper, true) => Winner::Dropper,
        };
        Ok(Outcome {
            winner,
            sweep_lines: self.lines,
            largest_nodes: self.largest_nodes,
            peak_nodes: self.peak_nodes,
            seconds: self.begun.elapsed().as_secs_f64(),
        })
    }

    /// Tells that a part begins.
    pub(crate) fn begin(&mut self, line: &str) -> Result<Instant, SymbolicError> {
        self.reached = Some(line.to_owned());
        self.progress.stage(line);
        self.space.check()?;
        Ok(Instant::now())
    }

    /// A part is done: takes its figures, and gives nodes back when there are many.
    pub(crate) fn done(&mut self, line: String, iterations: u64, begun: Instant, won: &Won<K>) {
        let seconds = begun.elapsed().as_secs_f64();
        let nodes = [&won.slide, &won.drop].map(|set| set.node_count() as u64);
        let states = states(self.space, &won.slide) + states(self.space, &won.drop);
        self.largest_nodes = self.largest_nodes.max(nodes[0]).max(nodes[1]);
        self.progress.advance(states.try_into().unwrap_or(u64::MAX));
        self.lines.push(SweepLine::new(
            line,
            iterations,
            seconds,
            nodes[0] + nodes[1],
            states,
        ));
        self.tidy();
    }

    /// Gives nodes back when there are many.
    pub(crate) fn tidy(&mut self) {
        let live = self.space.live_nodes();
        self.peak_nodes = self.peak_nodes.max(live);
        if live > FEW_NODES.max(4 * self.kept_nodes) {
            self.space.collect();
            self.kept_nodes = self.space.live_nodes();
        }
    }

    /// The boards of `part` that are won with Slider to move, when `drop` are those won with
    /// Dropper to move. `slid` are boards that slides lead into others won with Dropper to
    /// move: for each slide, or none.
    ///
    /// All sets are symmetric. So only one slide is followed back: what it leaves open is
    /// turned over for the others.
    pub(crate) fn slider_to_move(
        &self,
        part: &K,
        drop: &K,
        slid: &[K],
    ) -> Result<K, SymbolicError> {
        let (space, moves) = (self.space, &self.moves);
        let open = moves.won.imp_strict(part)?;
        let axes: &[usize] = match (&moves.transpose, self.options.order) {
            (None, _) => &[0, 1],
            (_, Order::Columns) => &[1],
            _ => &[0],
        };
        let mut left: Option<Cells> = None;
        for &axis in axes {
            let along = self.left_open(2 * axis, &open, drop, slid)?;
            let mut along = Cells::read(space, &along)?;
            for turn in [&moves.mirrors[axis], &moves.transpose]
                .into_iter()
                .flatten()
            {
                along = along.and(&turn.apply(space, &along)?);
            }
            left = Some(match left {
                Some(left) => left.and(&along),
                None => along,
            });
        }
        let open = left.map_or(Ok(open), |left| left.write(space))?;
        match self.options.side {
            Side::Slider => Ok(open.imp_strict(part)?),
            Side::Dropper => Ok(open),
        }
    }

    /// The boards of `open` that a slide does not decide for Slider.
    fn left_open(&self, slide: usize, open: &K, drop: &K, slid: &[K]) -> Result<K, SymbolicError> {
        let moves = &self.moves;
        let mut leading = moves.slide_preimage(self.space, slide, drop, open)?;
        if let Some(slid) = slid.get(slide) {
            leading = leading.or(&slid.and(open)?)?;
        }
        match self.options.side {
            Side::Slider => Ok(leading.imp_strict(open)?),
            // The slide must lead to a board that Dropper wins, or not be legal.
            Side::Dropper => Ok(leading.or(&moves.fixed(slide, open)?)?),
        }
    }

    /// The boards of `part` that are won with Dropper to move, when `after` gives the
    /// boards won with Slider to move after a drop.
    pub(crate) fn dropper_to_move(
        &self,
        part: &K,
        after: impl Fn(u8) -> K + Sync,
    ) -> Result<K, SymbolicError> {
        let quantifier = match self.options.side {
            Side::Slider => Quantifier::All,
            Side::Dropper => Quantifier::Some,
        };
        Ok(self
            .moves
            .drop_preimages(self.space, quantifier, after)?
            .and(part)?)
    }

    /// Whether a set holds the empty board.
    pub(crate) fn holds_empty(&self, set: &K) -> Result<bool, SymbolicError> {
        let empty = self
            .space
            .boards((), |(), _, value| (value == 0).then_some(()))?;
        Ok(set.and(&empty)?.satisfiable())
    }
}
