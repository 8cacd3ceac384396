//! Formations that a position fits: exact chances with its largest tiles as walls.

mod meaning;
mod whole;

use std::sync::{Arc, Mutex};

use tilebase_game::{
    Fit, Formation, Grid, Rules, Shape, Spawn, Status, Variant, WalledPosition, tile_value,
};
use tilebase_schema::{Direction, FormationPosition, Move, Source, Walls};
use tilebase_solve::{Continuation, SolveOptions, solve_in_memory};
use tilebase_table::{Objective, Probe, Table, TableError};
use tilebase_util::progress::Progress;

use crate::cache::lock;
use crate::deadline::{Deadline, Stop};
use crate::error::ApiError;
use crate::limits;
use crate::probed::SolvedGame;
use crate::service::Service;
use meaning::meaning;
use whole::whole_games;
pub use whole::{is_solved_whole, on_demand};

/// The formations that are solved on the spot, with the exponent of the largest target. With
/// these, most positions take well under two seconds; larger ones need a table.
const ON_THE_SPOT: [(&str, u8); 6] = [
    ("L3", 5),
    ("442", 5),
    ("t", 5),
    ("free8", 6),
    ("free7", 7),
    ("free6", 8),
];

/// Exponent of the smallest target: an 8 is nearly always made.
const LEAST_TARGET: u8 = 4;

/// Whether formations without a table are solved while the user waits.
#[derive(Clone, Copy)]
pub enum Solving<'a> {
    /// Positions of small ones are.
    OnTheSpot,
    /// The small ones as a whole, which takes seconds; then positions.
    Whole(&'a dyn Progress),
    /// Only tables are asked, and what was solved before.
    Before,
}

/// Positions of formations that were solved on the spot.
#[derive(Default)]
pub struct Formations {
    /// The one used last at the end. A game that goes on finds its next positions here.
    solved: Mutex<Vec<Arc<Continuation>>>,
}

impl Service {
    /// The formations that a position of a game fits. A position of a formation fits no other.
    pub(crate) fn formations_of(
        &self,
        grid: &Grid,
        variant: &Variant,
        solving: Solving,
    ) -> Result<Vec<FormationPosition>, ApiError> {
        if variant.formation().is_some() || grid.is_lost() {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for cached in self.cache.tables() {
            if is_of(&cached.id.variant, grid.shape(), variant.spawn()) {
                found.extend(in_table(&cached.table, cached.source, grid)?);
            }
        }
        let stop = &self.stop;
        self.formations
            .add(&mut found, grid, variant.spawn(), solving, stop);
        Ok(found)
    }
}

/// Whether a game has walls and is played on a shape with some spawns.
pub fn is_of(variant: &Variant, shape: Shape, spawn: Spawn) -> bool {
    variant.formation().is_some() && variant.shape() == shape && variant.spawn() == spawn
}

/// A position by a table of a formation, in every way in which it fits and can arise. A table
/// for another objective than to win says nothing of chances.
pub fn in_table(
    table: &Table,
    source: Source,
    grid: &Grid,
) -> Result<Vec<FormationPosition>, TableError> {
    let solved = SolvedGame {
        variant: *table.variant(),
        objective: table.objective(),
        source,
    };
    let mut found = Vec::new();
    if solved.objective != Objective::Win || !table.manifest().content.has_values() {
        return Ok(found);
    }
    for fit in solved.variant.fits(grid) {
        let probe = table.probe(fit.board)?;
        if probe.status != Status::Unreachable && probe.value.is_some() {
            found.extend(position(&solved, fit, &probe));
        }
    }
    Ok(found)
}

impl Formations {
    /// Adds the formations that are solved on the spot and are not there yet.
    pub fn add(
        &self,
        found: &mut Vec<FormationPosition>,
        grid: &Grid,
        spawn: Spawn,
        solving: Solving,
        stop: &Stop,
    ) {
        if (grid.shape().rows(), grid.shape().cols()) != (4, 4) {
            return;
        }
        if let Solving::Whole(progress) = solving {
            for game in whole_games(grid, spawn) {
                let to = game.target().map(tile_value);
                let known = |other: &FormationPosition| {
                    other.formation == Walls::of(&game) && Some(other.to) >= to
                };
                if found.iter().any(known) {
                    continue;
                }
                let options = SolveOptions::default();
                let solved = solve_in_memory(&game, Objective::Win, &options, progress);
                let probed = solved
                    .ok()
                    .and_then(|t| in_table(&t, Source::Exact, grid).ok());
                found.extend(probed.into_iter().flatten());
            }
        }
        let deadline = Deadline::new(limits::FORMATION_TIME, stop);
        for (name, most) in ON_THE_SPOT {
            let Ok(formation) = Formation::named(name, grid.shape()) else {
                continue;
            };
            let known =
                |other: &FormationPosition| other.formation.formation.as_deref() == Some(name);
            let Some(walled) = WalledPosition::new(grid, formation.walls()) else {
                continue;
            };
            if found.iter().any(known) {
                continue;
            }
            for fit in walled.fits(&formation) {
                let targets = targets(&walled, &formation, most);
                let mut best = None;
                for target in targets {
                    let game = game(grid.shape(), &formation, target, spawn);
                    let probed = game.and_then(|game| self.probed(game, fit, solving, &deadline));
                    match probed {
                        Some(probed) => best = Some(probed),
                        None => break,
                    }
                }
                found.extend(best);
            }
        }
    }

    /// A position of a formation, if it was solved before or can be solved in time.
    fn probed(
        &self,
        variant: Variant,
        fit: Fit,
        solving: Solving,
        progress: &dyn Progress,
    ) -> Option<FormationPosition> {
        let probe = self.before(&variant, fit).or_else(|| {
            if matches!(solving, Solving::Before) || progress.interrupted() {
                return None;
            }
            let limit = limits::FORMATION_BOARDS;
            let solved = Continuation::solve(&variant, fit.board, limit, progress).ok()??;
            let probe = solved.probe(fit.board);
            self.keep(solved);
            probe
        })?;
        let solved = SolvedGame {
            variant,
            objective: Objective::Win,
            source: Source::Exact,
        };
        position(&solved, fit, &probe)
    }

    /// A position that follows from one that was solved before.
    fn before(&self, variant: &Variant, fit: Fit) -> Option<Probe> {
        let mut solved = lock(&self.solved);
        let (at, probe) = solved.iter().enumerate().rev().find_map(|(at, solved)| {
            let probe = (solved.variant() == variant).then(|| solved.probe(fit.board))?;
            Some((at, probe?))
        })?;
        let used = solved.remove(at);
        solved.push(used);
        Some(probe)
    }

    /// Keeps a solved position, and drops those not used for longest if there are too many.
    fn keep(&self, continuation: Continuation) {
        let mut solved = lock(&self.solved);
        solved.push(Arc::new(continuation));
        let boards = |solved: &[Arc<Continuation>]| -> usize {
            solved.iter().map(|continuation| continuation.len()).sum()
        };
        while solved.len() > 1 && boards(&solved) > limits::KEPT_FORMATION_BOARDS {
            solved.remove(0);
        }
    }
}

/// A game with a formation.
fn game(shape: Shape, formation: &Formation, target: u8, spawn: Spawn) -> Option<Variant> {
    let variant = Variant::new(shape, Some(target), spawn, Variant::START_TILES).ok()?;
    variant.with_formation(*formation).ok()
}

/// The targets that make sense for a position, smallest first: above its small tiles, and not
/// above its walls. Where walls may move freely, they only get in the way of a tile as large as
/// the smallest of them.
fn targets(
    walled: &WalledPosition,
    formation: &Formation,
    most: u8,
) -> impl Iterator<Item = u8> + use<> {
    let least = match formation.masks() {
        [] => walled.smallest_wall,
        _ => walled.largest_tile + 1,
    };
    let walled = *walled;
    (least.max(LEAST_TARGET)..=most).filter(move |&target| walled.allows(target))
}

/// A probed position of a formation as answers give it.
fn position(solved: &SolvedGame, fit: Fit, probe: &Probe) -> Option<FormationPosition> {
    let variant = &solved.variant;
    let shape = variant.shape();
    let formation = variant.formation()?;
    let target = variant.target()?;
    let rules = Rules::new(shape).ok()?;
    let back = fit.symmetry.inverse();
    let turned = |direction: tilebase_game::Move| Direction::from(back.apply_to_move(direction));
    let moves = probe.moves.iter().map(|m| Move {
        direction: turned(m.direction),
        afterstate: rules.image(m.afterstate, back).hex(shape),
        same_as: m.same_as.map(turned),
        ..solved.played(probe, m)
    });
    Some(FormationPosition {
        formation: Walls::of(variant),
        variant: variant.to_string(),
        to: tile_value(target),
        meaning: meaning(shape, formation, target),
        board: fit.board.hex(shape),
        tiles: fit.board.text_with_walls(shape),
        value: solved.position_value(probe),
        moves: moves.collect(),
    })
}

#[cfg(test)]
mod tests;
