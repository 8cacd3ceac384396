//! The fields of all answers: those of the command line and those of the API have the same names
//! for the same things.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};
use tilebase_schema::*;

/// Types of each field, in all the answers of a list.
type Fields = BTreeMap<String, BTreeSet<String>>;

/// Names that both use, with more than one type.
const SEVERAL_MEANINGS: [&str; 9] = [
    // Moves with their values; letters of a sequence; a number of moves.
    "moves",
    // Positions that were asked for; a number of positions.
    "positions",
    // Layers; their number before they are counted.
    "layers",
    // The value of a position before a move; bytes before pruning.
    "before",
    // Tiles that may be dropped; a number of drops.
    "drops",
    // The best move; the best target that is proven.
    "best",
    // Whether a plan makes its target; tiles that games reached.
    "reached",
    // Mistakes of a game; their mean number.
    "mistakes",
    // Whether no plan is shorter; the value of optimal play.
    "optimal",
];

fn fields<T: JsonSchema>(fields: &mut Fields) {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let root = schema.as_value();
    walk(root, root, &mut BTreeSet::new(), fields);
}

/// Collects the properties of a schema and of those that it refers to.
fn walk(root: &Value, schema: &Value, seen: &mut BTreeSet<String>, fields: &mut Fields) {
    if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
        if seen.insert(path.to_owned()) {
            walk(root, resolve(root, path), seen, fields);
        }
        return;
    }
    for (name, field) in schema
        .get("properties")
        .and_then(Value::as_object)
        .unwrap_or(&Map::new())
    {
        let types = fields.entry(name.clone()).or_default();
        types.extend(kinds(root, field));
        walk(root, field, seen, fields);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get(key) {
            walk(root, inner, seen, fields);
        }
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for inner in schema
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            walk(root, inner, seen, fields);
        }
    }
}

fn resolve<'a>(root: &'a Value, path: &str) -> &'a Value {
    root.pointer(path.trim_start_matches('#')).unwrap()
}

/// The JSON types of a field, without null; whole numbers are numbers.
fn kinds(root: &Value, field: &Value) -> BTreeSet<String> {
    let kind = |name: &str| match name {
        "integer" => "number".to_owned(),
        name => name.to_owned(),
    };
    if let Some(path) = field.get("$ref").and_then(Value::as_str) {
        return kinds(root, resolve(root, path));
    }
    let mut found = BTreeSet::new();
    match field.get("type") {
        Some(Value::String(name)) => found.extend([kind(name)]),
        Some(Value::Array(names)) => found.extend(names.iter().filter_map(Value::as_str).map(kind)),
        _ => {}
    }
    if field.get("const").is_some_and(Value::is_string) {
        found.insert("string".to_owned());
    }
    for key in ["anyOf", "oneOf"] {
        for inner in field
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            found.extend(kinds(root, inner));
        }
    }
    found.remove("null");
    found
}

/// The fields of the command line's answers.
fn command_line() -> Fields {
    let mut all = Fields::new();
    macro_rules! add { ($($answer:ty),+ $(,)?) => { $(fields::<Versioned<$answer>>(&mut all);)+ }; }
    add!(
        Position,
        StartPositions,
        Advice,
        BoardErrorAnswer,
        Moves,
        Plan,
        PlanComparison,
        CountAnswer,
        CountDryRun,
        UncountableGame,
        SolveAnswer,
        SolveDryRun,
        TableAnswer,
        ExportAnswer,
        FollowAnswer,
        EvaluateAnswer,
        LowerBoundAnswer,
        PlayAnswer,
        ReplayAnswer,
        ReplayedGame,
        TrainAnswer,
        PruneAnswer,
        ProveSearchAnswer,
        ProveLayersAnswer,
        ProveBddAnswer,
        ProveBestAnswer,
        StrategyCheckAnswer,
        CheckerboardAnswer,
        EndingAnswer,
        SelftestAnswer,
        GpuSolveAnswer,
        GpuSolveDryRun,
        ServeAnswer,
        SiteAnswer,
    );
    all
}

/// The fields of the API's answers.
fn api() -> Fields {
    let mut all = Fields::new();
    macro_rules! add { ($($answer:ty),+ $(,)?) => { $(fields::<Versioned<$answer>>(&mut all);)+ }; }
    add!(
        Position,
        Positions,
        Spawns,
        Line,
        Review,
        Plan,
        Strategy,
        Variants,
        JobStatus,
        Jobs,
        JobLayers,
        JobProgress,
        ErrorAnswer,
    );
    all
}

#[test]
fn fields_of_both_have_one_type() {
    let (command_line, api) = (command_line(), api());
    let mut several = Vec::new();
    for (name, types) in &api {
        let Some(others) = command_line.get(name) else {
            continue;
        };
        let types: BTreeSet<&String> = types.union(others).collect();
        if types.len() > 1 && !SEVERAL_MEANINGS.contains(&name.as_str()) {
            several.push((name, types));
        }
    }
    assert!(several.is_empty(), "{several:?}");
    // The lists are not empty by accident.
    assert!(command_line.len() > 150, "{}", command_line.len());
    assert!(api.len() > 60, "{}", api.len());
}

#[test]
fn names_are_snake_case_and_old_ones_are_gone() {
    let mut all = command_line();
    all.extend(api());
    for name in all.keys() {
        let is_snake = name
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        assert!(is_snake, "{name}");
    }
    for old in [
        "gain", "after", "how", "standing", "worth", "rate", "verdict", "card",
    ] {
        assert!(!all.contains_key(old), "{old}");
    }
}

#[test]
fn a_move_has_the_fields_of_the_contract() {
    let mut found = Fields::new();
    fields::<Move>(&mut found);
    for name in [
        "move",
        "value",
        "loss",
        "score",
        "afterstate",
        "category",
        "source",
        "uncertainty",
    ] {
        assert!(found.contains_key(name), "{name}");
    }
    for answer in [command_line(), api()] {
        for name in found.keys() {
            assert!(answer.contains_key(name), "{name}");
        }
    }
}
