//! What all sweeps share: steps of both players, figures of each part, and the answer.

use std::time::Instant;

use crate::{Contest, Winner};
use tilebase_util::progress::{Progress, Unit};

use crate::bdd::cells::CellDiagram;
use crate::bdd::diagrams::Diagrams;
use crate::bdd::drops::Quantifier;
use crate::bdd::error::BddError;
use crate::bdd::kind::DiagramKind;
use crate::bdd::moves::{SymbolicMoves, everything};
use crate::bdd::options::{BddOptions, CellOrder, Sweep, WinningSide};
use crate::bdd::report::{SweepLine, SweepOutcome};
use crate::bdd::states::states;
use crate::bdd::{largest, sum};

/// The boards that a player wins, of some part.
#[derive(Clone)]
pub(crate) struct WinningSets<K> {
    /// With Slider to move.
    pub(crate) slide: K,
    /// With Dropper to move.
    pub(crate) drop: K,
}

/// A sweep that goes on.
pub(crate) struct Sweeper<'s, K: DiagramKind> {
    pub(crate) diagrams: &'s Diagrams<'s, K>,
    pub(crate) contest: &'s Contest,
    pub(crate) options: &'s BddOptions,
    pub(crate) moves: SymbolicMoves<K>,
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

/// Below this number of nodes nothing is collected.
const FEW_NODES: u64 = 1 << 20;

impl<'s, K: DiagramKind> Sweeper<'s, K> {
    pub(crate) fn new(
        diagrams: &'s Diagrams<'s, K>,
        contest: &'s Contest,
        options: &'s BddOptions,
        progress: &'s dyn Progress,
    ) -> Result<Sweeper<'s, K>, BddError> {
        let begun = Instant::now();
        let care = if options.constrain {
            crate::bdd::constraint::possible(diagrams, contest)?
        } else {
            everything(diagrams)?
        };
        Ok(Sweeper {
            diagrams,
            contest,
            options,
            moves: SymbolicMoves::new(diagrams, contest.drops())?,
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

    /// Sweeps all lines and returns the outcome.
    pub(crate) fn run(mut self) -> Result<SweepOutcome, BddError> {
        self.progress.begin(Unit::Boards, None);
        let holds_empty = match self.options.sweep {
            Sweep::Sum => sum::sweep(&mut self),
            Sweep::Largest => largest::sweep(&mut self),
            Sweep::None => largest::accumulate(&mut self),
        }
        .map_err(|error| error.at(self.reached.take()))?;
        self.progress.finish();
        let winner = match (self.options.side, holds_empty) {
            (WinningSide::Slider, true) | (WinningSide::Dropper, false) => Winner::Slider,
            (WinningSide::Slider, false) | (WinningSide::Dropper, true) => Winner::Dropper,
        };
        Ok(SweepOutcome {
            winner,
            sweep_lines: self.lines,
            largest_nodes: self.largest_nodes,
            peak_nodes: self.peak_nodes,
            seconds: self.begun.elapsed().as_secs_f64(),
        })
    }

    /// Reports that a sweep line begins.
    pub(crate) fn begin(&mut self, line: &str) -> Result<Instant, BddError> {
        self.reached = Some(line.to_owned());
        self.progress.stage(line);
        self.diagrams.check()?;
        Ok(Instant::now())
    }

    /// A part is done: takes its figures, and gives nodes back when there are many.
    pub(crate) fn done(
        &mut self,
        line: String,
        iterations: u64,
        begun: Instant,
        won: &WinningSets<K>,
    ) {
        let seconds = begun.elapsed().as_secs_f64();
        let nodes = [&won.slide, &won.drop].map(|set| set.node_count() as u64);
        let states = states(self.diagrams, &won.slide) + states(self.diagrams, &won.drop);
        self.largest_nodes = self.largest_nodes.max(nodes[0]).max(nodes[1]);
        self.progress.advance(states.try_into().unwrap_or(u64::MAX));
        self.lines.push(SweepLine::new(
            line,
            iterations,
            seconds,
            nodes[0] + nodes[1],
            states,
        ));
        self.collect_garbage();
    }

    /// Gives nodes back when there are many.
    pub(crate) fn collect_garbage(&mut self) {
        let live = self.diagrams.live_nodes();
        self.peak_nodes = self.peak_nodes.max(live);
        if live > FEW_NODES.max(4 * self.kept_nodes) {
            self.diagrams.collect();
            self.kept_nodes = self.diagrams.live_nodes();
        }
    }

    /// The boards of `part` that are won with Slider to move, when `drop` are those won with
    /// Dropper to move. `slid` are boards that slides lead into others won with Dropper to
    /// move: for each slide, or none.
    ///
    /// All sets are symmetric. So only one slide is followed back: what it leaves open is
    /// turned over for the others.
    pub(crate) fn slider_to_move(&self, part: &K, drop: &K, slid: &[K]) -> Result<K, BddError> {
        let (diagrams, moves) = (self.diagrams, &self.moves);
        let open = moves.won.imp_strict(part)?;
        let axes: &[usize] = match (&moves.transpose, self.options.order) {
            (None, _) => &[0, 1],
            (_, CellOrder::Columns) => &[1],
            _ => &[0],
        };
        let mut left: Option<CellDiagram> = None;
        for &axis in axes {
            let along = self.left_open(2 * axis, &open, drop, slid)?;
            let mut along = CellDiagram::read(diagrams, &along)?;
            for permutation in [&moves.mirrors[axis], &moves.transpose]
                .into_iter()
                .flatten()
            {
                along = along.and(&permutation.apply(diagrams, &along)?);
            }
            left = Some(match left {
                Some(left) => left.and(&along),
                None => along,
            });
        }
        let open = left.map_or(Ok(open), |left| left.write(diagrams))?;
        match self.options.side {
            WinningSide::Slider => Ok(open.imp_strict(part)?),
            WinningSide::Dropper => Ok(open),
        }
    }

    /// The boards of `open` that a slide does not decide for Slider.
    fn left_open(&self, slide: usize, open: &K, drop: &K, slid: &[K]) -> Result<K, BddError> {
        let moves = &self.moves;
        let mut leading = moves.slide_preimage(self.diagrams, slide, drop, open)?;
        if let Some(slid) = slid.get(slide) {
            leading = leading.or(&slid.and(open)?)?;
        }
        match self.options.side {
            WinningSide::Slider => Ok(leading.imp_strict(open)?),
            // The slide must lead to a board that Dropper wins, or not be legal.
            WinningSide::Dropper => Ok(leading.or(&moves.fixed(slide, open)?)?),
        }
    }

    /// The boards of `part` that are won with Dropper to move, when `after` gives the
    /// boards won with Slider to move after a drop.
    pub(crate) fn dropper_to_move(
        &self,
        part: &K,
        after: impl Fn(u8) -> K + Sync,
    ) -> Result<K, BddError> {
        let quantifier = match self.options.side {
            WinningSide::Slider => Quantifier::All,
            WinningSide::Dropper => Quantifier::Some,
        };
        Ok(self
            .moves
            .drop_preimages(self.diagrams, quantifier, after)?
            .and(part)?)
    }

    /// Whether a set holds the empty board.
    pub(crate) fn holds_empty(&self, set: &K) -> Result<bool, BddError> {
        let empty = self
            .diagrams
            .boards((), |(), _, value| (value == 0).then_some(()))?;
        Ok(set.and(&empty)?.satisfiable())
    }
}
