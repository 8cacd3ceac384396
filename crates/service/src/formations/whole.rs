//! Formations that are solved as a whole on demand: all their positions, in seconds.

use tilebase_game::{Formation, Grid, Shape, Spawn, Variant, WalledPosition};
use tilebase_table::{Content, Objective};

use super::{game, is_of, targets};
use crate::service::Service;
use crate::table_id::TableId;

/// The formations that are solved as a whole, with the exponent of the largest target. On two cores the
/// largest of them take five seconds. A browser has one, and keeps tables in memory.
const WHOLE: [(&str, u8); 3] = if cfg!(target_family = "wasm") {
    [("L3", 6), ("442", 5), ("t", 5)]
} else {
    [("L3", 7), ("442", 7), ("t", 6)]
};

/// Exponent of the smallest target that is listed.
const LEAST_LISTED: u8 = 5;

/// Whether a game is a formation that is solved as a whole on demand.
pub fn is_solved_whole(id: &TableId) -> bool {
    let variant = &id.variant;
    let name = variant.formation().and_then(|f| f.name(variant.shape()));
    let most = WHOLE
        .iter()
        .find(|(whole, _)| name.as_deref() == Some(*whole));
    let usual = variant.spawn() == Spawn::STANDARD && variant.start_tiles() == Variant::START_TILES;
    let small = most.is_some_and(|&(_, most)| variant.target() <= Some(most));
    usual && small && id.objective == Objective::Win
}

/// The ids of formations that are solved on demand.
pub fn on_demand() -> Vec<String> {
    let Ok(shape) = "4x4".parse::<Shape>() else {
        return Vec::new();
    };
    let games = WHOLE.iter().flat_map(|&(name, most)| {
        let formation = Formation::named(name, shape).ok();
        let targets = LEAST_LISTED..=most;
        targets.filter_map(move |target| game(shape, formation.as_ref()?, target, Spawn::STANDARD))
    });
    games.map(|game| TableId::usual(game).to_string()).collect()
}

/// The formations that a position fits and that can be solved as a whole, each with the largest target
/// that makes sense for it.
pub fn whole_games(grid: &Grid, spawn: Spawn) -> Vec<Variant> {
    if (grid.shape().rows(), grid.shape().cols()) != (4, 4) || spawn != Spawn::STANDARD {
        return Vec::new();
    }
    let games = WHOLE.iter().filter_map(|&(name, most)| {
        let formation = Formation::named(name, grid.shape()).ok()?;
        let walled = WalledPosition::new(grid, formation.walls())?;
        walled.fits(&formation).into_iter().next()?;
        let target = targets(&walled, &formation, most).last()?;
        game(grid.shape(), &formation, target, spawn)
    });
    games.collect()
}

impl Service {
    /// The ids of formations that a position of a game fits, that are not solved, and that can be on
    /// demand.
    pub(crate) fn formations_on_demand(&self, grid: &Grid, variant: &Variant) -> Vec<String> {
        if variant.formation().is_some() || grid.is_lost() {
            return Vec::new();
        }
        let tables = self.cache.tables();
        let knows_all = |content| matches!(content, Content::Values | Content::Rounded);
        let known = tables.iter().filter(|cached| {
            let (content, id) = (cached.table.manifest().content, &cached.id);
            knows_all(content) && is_of(&id.variant, grid.shape(), variant.spawn())
        });
        let known: Vec<TableId> = known.map(|cached| cached.id).collect();
        let better = |game: &Variant| {
            known.iter().any(|id| {
                id.objective == Objective::Win
                    && id.variant.formation() == game.formation()
                    && id.variant.target() >= game.target()
            })
        };
        let games = whole_games(grid, variant.spawn()).into_iter();
        let unsolved = games.filter(|game| !better(game));
        unsolved
            .map(|game| TableId::usual(game).to_string())
            .collect()
    }
}
