//! What can be asked about.

use axum::extract::State;
use serde::Serialize;
use tilebase_game::tile_value;
use tilebase_table::Content;

use crate::laboratory::Lab;
use crate::reply::Reply;
use crate::shelf::Held;

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
struct Entry {
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

/// `GET /api/v1/variants`
pub async fn variants(State(lab): Lab) -> Reply<Variants> {
    let tables = lab.shelf.tables();
    Reply::new(Variants {
        variants: tables.iter().map(|held| entry(held)).collect(),
        damaged: lab.shelf.damaged().map(str::to_owned).collect(),
        on_the_spot: ON_THE_SPOT,
    })
}

fn entry(held: &Held) -> Entry {
    let (variant, manifest) = (&held.question.variant, held.table.manifest());
    let start = manifest.start.as_ref();
    Entry {
        id: held.question.to_string(),
        variant: variant.to_string(),
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        spawn: variant.spawn().to_string(),
        start_tiles: variant.start_tiles(),
        objective: held.question.objective.name(),
        discount: held.question.objective.discount(),
        states: manifest.states(),
        content: match manifest.content {
            Content::Values => "values",
            Content::Moves => "moves",
        },
        how: held.how(),
        start_value: start.and_then(|start| start.value),
        start_complement: start.and_then(|start| start.win_complement),
        relative_error_bound: manifest.relative_error_bound,
    }
}
