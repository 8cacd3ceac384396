//! What can be asked about.

use serde::Serialize;
use tilebase_game::tile_value;
use tilebase_table::{Content, Table};

use crate::service::Service;
use crate::table_id::TableId;

/// Games that are solved when they are asked for: some of them, by name.
const ON_THE_SPOT: [&str; 12] = [
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

/// All tables.
#[derive(Serialize)]
pub struct Variants {
    variants: Vec<Entry>,
    /// Ids of tables that are damaged.
    damaged: Vec<String>,
    /// Ids of small games that are solved when they are asked for, among others.
    on_the_spot: [&'static str; 12],
}

/// A table.
#[derive(Serialize)]
pub struct Entry {
    id: String,
    variant: String,
    shape: String,
    to: Option<u128>,
    spawn: String,
    start_tiles: u16,
    objective: &'static str,
    discount: f64,
    states: u64,
    /// `values` or `moves`.
    content: &'static str,
    /// `table` or `solved`.
    how: &'static str,
    start_value: Option<f64>,
    start_complement: Option<f64>,
    relative_error_bound: f64,
}

impl Service {
    /// `GET /api/v1/variants`
    pub(crate) fn variants(&self) -> Variants {
        let tables = self.cache.tables();
        Variants {
            variants: tables
                .iter()
                .map(|cached| Entry::new(&cached.table, cached.how))
                .collect(),
            damaged: self.cache.damaged().map(str::to_owned).collect(),
            on_the_spot: ON_THE_SPOT,
        }
    }
}

impl Entry {
    /// The id by which the table is asked.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is said of a table.
    pub fn new(table: &Table, how: &'static str) -> Entry {
        let question = TableId::of_table(table);
        let (variant, manifest) = (&question.variant, table.manifest());
        let start = manifest.start.as_ref();
        Entry {
            id: question.to_string(),
            variant: variant.to_string(),
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            objective: question.objective.name(),
            discount: question.objective.discount(),
            states: manifest.states(),
            content: match manifest.content {
                Content::Values => "values",
                Content::Moves => "moves",
            },
            how,
            start_value: start.and_then(|start| start.value),
            start_complement: start.and_then(|start| start.win_complement),
            relative_error_bound: manifest.relative_error_bound,
        }
    }
}
