//! Tables that can be asked.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_game::tile_value;
use tilebase_schema::{self as schema, ObjectiveInfo, Source, TableEntry, Variants};
use tilebase_table::{Content, Table};

use crate::error::ApiError;
use crate::formations;
use crate::probed::ProbedTable;
use crate::question::Question;
use crate::service::{Response, Service};
use crate::table_id::TableId;

/// Some of the games that are solved on demand.
const ON_DEMAND: [&str; 12] = [
    "2x2-to-8-win",
    "2x2-to-16-win",
    "2x2-to-32-win",
    "2x2-score",
    "2x3-to-64-win",
    "2x4-to-128-win",
    "2x4-to-256-win",
    "3x3-to-32-win",
    "3x3-to-64-win",
    "3x3-to-128-win",
    "3x3-to-256-win",
    "3x3-to-64-score",
];

/// `GET /api/v1/variants`
#[derive(Deserialize, JsonSchema)]
pub struct VariantsRequest {}

impl Question for VariantsRequest {
    const PATH: &str = "variants";
    const SUMMARY: &str = "The tables that can be asked";
    const EXAMPLE: &str = "";
    type Answer = Variants;

    fn is_long(&self, _: &Service) -> bool {
        false
    }

    fn answer(&self, service: &Service) -> Result<Response, ApiError> {
        let tables = service.cache.tables();
        let entries = tables
            .iter()
            .map(|cached| table_entry(&cached.table, cached.source));
        Response::json(Variants {
            variants: entries.collect(),
            damaged: service.cache.damaged().map(str::to_owned).collect(),
            on_demand: ON_DEMAND
                .map(str::to_owned)
                .into_iter()
                .chain(formations::on_demand())
                .collect(),
            objectives: ObjectiveInfo::all(),
        })
    }
}

/// A table as answers list it.
pub fn table_entry(table: &Table, source: Source) -> TableEntry {
    let id = TableId::of_table(table);
    let (variant, manifest) = (&id.variant, table.manifest());
    let start = manifest.start.as_ref();
    TableEntry {
        id: id.to_string(),
        game: ProbedTable { table, source }.game(),
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        spawn: variant.spawn().to_string(),
        start_tiles: variant.start_tiles(),
        states: manifest.states(),
        content: match manifest.content {
            Content::Values => schema::Content::Values,
            Content::Moves => schema::Content::Moves,
            Content::Rounded => schema::Content::Rounded,
            Content::BestPlay => schema::Content::BestPlay,
        },
        source,
        start_value: start.and_then(|start| start.value),
        start_complement: start.and_then(|start| start.win_complement),
        relative_error_bound: manifest.relative_error_bound,
    }
}
