//! Any position of any game: exact where a table or a solution covers it, searched otherwise.

use std::sync::Arc;

use tilebase_game::{Grid, Move, Rules, Status};
use tilebase_schema::{self as schema, Position};
use tilebase_solve::SolveError;

use crate::cache::{CachedTable, is_small, no_such_variant, too_large};
use crate::deadline::Deadline;
use crate::error::ApiError;
use crate::limits;
use crate::probed::best;
use crate::searchers::{Effort, GameSearch};
use crate::service::Service;
use crate::table_id::TableId;

/// A game whose positions are asked about.
pub struct Analysis<'a> {
    pub(crate) service: &'a Service,
    /// The game and the objective.
    pub id: TableId,
    /// The table, if there is one.
    pub table: Option<Arc<CachedTable>>,
}

impl Service {
    /// A game by its name. Its table is used if there is one; a small game is solved; otherwise
    /// positions are searched.
    pub(crate) fn analysis(&self, variant: &str) -> Result<Analysis<'_>, ApiError> {
        let (id, table) = self.known(variant)?;
        self.analysis_with(id, table)
    }

    /// A game whose positions are asked about, with a table of this service if there is one.
    pub fn analysis_of(&self, id: TableId) -> Result<Analysis<'_>, ApiError> {
        self.analysis_with(id, self.cache.get(&id.to_string())?)
    }

    fn analysis_with(
        &self,
        id: TableId,
        table: Option<Arc<CachedTable>>,
    ) -> Result<Analysis<'_>, ApiError> {
        let table = match table {
            Some(table) => Some(table),
            None if is_small(&id).unwrap_or(false) => self.solved(id)?,
            None => None,
        };
        Ok(Analysis {
            service: self,
            id,
            table,
        })
    }

    /// A game by its name, and its table if there is one already.
    pub(crate) fn known(
        &self,
        variant: &str,
    ) -> Result<(TableId, Option<Arc<CachedTable>>), ApiError> {
        let table = self.cache.get(variant)?;
        let id = table.as_ref().map(|table| table.id);
        let id = id.or_else(|| TableId::parse(variant));
        Ok((id.ok_or_else(|| no_such_variant(variant))?, table))
    }

    /// Solves a small game; `None` if that is not done in time.
    fn solved(&self, id: TableId) -> Result<Option<Arc<CachedTable>>, ApiError> {
        let deadline = Deadline::new(limits::ON_DEMAND_TIME, &self.stop);
        match self.cache.solve(id, &deadline) {
            Ok(table) => Ok(Some(table)),
            Err(SolveError::Interrupted) => Ok(None),
            Err(error) => Err(ApiError::from(error)),
        }
    }
}

impl Analysis<'_> {
    /// Reads a board of the game.
    pub fn grid(&self, board: &str) -> Result<Grid, ApiError> {
        self.id.variant.parse_grid(board).map_err(ApiError::request)
    }

    /// Slides a board of the game. Returns whether that is legal.
    pub fn slide(&self, grid: &mut Grid, m: Move) -> bool {
        let variant = &self.id.variant;
        if variant.formation().is_none() {
            return grid.slide(m).is_some();
        }
        let rules = Rules::of(variant).ok();
        let Some((rules, board)) = rules.zip(grid.pack()) else {
            return false;
        };
        let after = rules.slide(board, m);
        *grid = after.unpack(variant.shape());
        after != board
    }

    /// A position: looked up, or searched.
    pub fn position(&self, grid: Grid, effort: Effort) -> Result<Position, ApiError> {
        let (grid, is_reachable) = match self.look_up(grid)? {
            Found::Known(position) => return Ok(*position),
            Found::Unknown { grid, is_reachable } => (grid, is_reachable),
        };
        if self.id.variant.formation().is_some() {
            return self.position_with_walls(&grid);
        }
        let mut position = self.search(effort)?.position(&grid);
        if !is_reachable && position.status == schema::Status::Live {
            position.status = schema::Status::Unreachable;
        }
        Ok(position)
    }

    /// A position of a formation whose value is not known: what else its table says. Positions
    /// with walls are not searched.
    fn position_with_walls(&self, grid: &Grid) -> Result<Position, ApiError> {
        let table = self.table.as_ref().ok_or_else(|| too_large(&self.id))?;
        let board = grid.pack().ok_or_else(|| too_large(&self.id))?;
        let probe = table.table.probe(board)?;
        Ok(table.probed().position(grid, &probe))
    }

    /// A search of the game's positions.
    pub fn search(&self, effort: Effort) -> Result<GameSearch, ApiError> {
        if self.id.variant.formation().is_some() {
            return Err(too_large(&self.id));
        }
        let (variant, objective) = (&self.id.variant, Some(self.id.objective));
        self.service.searchers.search(variant, objective, effort)
    }

    /// Looks a position up.
    fn look_up(&self, grid: Grid) -> Result<Found, ApiError> {
        match &self.table {
            Some(table) => look_up(table, grid),
            None => Ok(Found::Unknown {
                grid,
                is_reachable: true,
            }),
        }
    }
}

/// What a table says of a position.
pub enum Found {
    /// Its value or a best move.
    Known(Box<Position>),
    /// Nothing.
    Unknown {
        /// The position.
        grid: Grid,
        /// Whether it can arise, as far as is known.
        is_reachable: bool,
    },
}

/// Looks a position up in a table, which knows nothing of play after the win.
pub fn look_up(cached: &CachedTable, grid: Grid) -> Result<Found, ApiError> {
    let mut is_reachable = true;
    let has_walls = cached.id.variant.formation().is_some();
    if let Some(board) = grid.pack().filter(|b| has_walls || b.slides_exactly()) {
        let probe = cached.table.probe(board)?;
        let is_known = match probe.status {
            Status::Lost => true,
            Status::Won => false,
            Status::Live | Status::Unreachable => best(&probe).next().is_some(),
        };
        if is_known {
            let position = cached.probed().position(&grid, &probe);
            return Ok(Found::Known(Box::new(position)));
        }
        is_reachable = probe.status != Status::Unreachable;
    }
    Ok(Found::Unknown { grid, is_reachable })
}
