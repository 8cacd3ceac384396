//! The same question has the same fields on the command line and in the API.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{json, path, temporary};
use crate::serve::{get, serve};

/// The paths of all fields of an object, such as `moves[].value`.
fn fields(value: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    collect(value, "", &mut all);
    all
}

fn collect(value: &Value, place: &str, all: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, inner) in object {
                let place = format!("{place}.{name}");
                all.insert(place.clone());
                collect(inner, &place, all);
            }
        }
        Value::Array(items) => {
            for item in items {
                collect(item, &format!("{place}[]"), all);
            }
        }
        _ => {}
    }
}

/// An object without one of its fields.
fn without(mut value: Value, name: &str) -> Value {
    assert!(
        value.as_object_mut().unwrap().remove(name).is_some(),
        "{name}"
    );
    value
}

#[test]
fn shared_questions_have_the_same_fields() {
    let dir = temporary();
    let table = path(&dir, "tables/2x3-to-32");
    std::fs::create_dir(path(&dir, "tables")).unwrap();
    let solved = json(&format!("solve 2x3 --to 32 --out {table}"));
    let serving = serve(
        &format!("--tables {}", path(&dir, "tables")),
        &path(&dir, ""),
    );

    // A position of a table is the same object, to the last digit.
    for board in ["2,2,4/.,.,8", "0x112003", "2,4,2/4,2,4"] {
        let probed = json(&format!("probe {table} --board {board}"));
        let served = get(
            &serving,
            &format!("api/v1/position?variant=2x3-to-32&board={board}"),
        );
        assert_eq!(probed, served, "{board}");
        // Advice by the table is the same position.
        if probed["status"] == "live" {
            let advised = json(&format!("advise 2x3 --board {board} --table {table}"));
            assert_eq!(without(advised, "table"), served, "{board}");
        }
    }

    // Searches have the same fields; their limits differ.
    let advised = json("advise --board 2,2,4/.,.,./.,.,8 --depth 2");
    let advice = get(&serving, "api/v1/advice?board=2,2,4/.,.,./.,.,8&depth=2");
    assert_eq!(fields(&without(advised.clone(), "table")), fields(&advice));
    assert_eq!(advised["moves"], advice["moves"]);
    let position = get(
        &serving,
        "api/v1/position?variant=2x3-to-32&board=2,2,4/.,.,8",
    );
    assert_eq!(fields(&position["moves"]), fields(&advice["moves"]));

    // Moves and their outcomes.
    let moves = json("moves --board 2,2,4/.,.,8");
    let first = &moves["moves"][0];
    let bare = without(first.clone(), "outcomes");
    assert_eq!(fields(&bare), fields(&position["moves"][0]));
    let afterstate = first["afterstate"].as_str().unwrap();
    let spawns = get(
        &serving,
        &format!("api/v1/spawns?variant=2x3-to-32&afterstate={afterstate}"),
    );
    assert_eq!(fields(&first["outcomes"]), fields(&spawns["outcomes"]));

    // Lines and reviews play moves of the same kind.
    let line = get(&serving, "api/v1/line?variant=2x3-to-32&seed=1&plies=3");
    let own = ["ply", "board", "cell", "tile"];
    let played = own
        .iter()
        .fold(line["moves"][0].clone(), |m, name| without(m, name));
    assert_eq!(fields(&played), fields(&position["moves"][0]));

    // Plans.
    let planned = json("plan 3x3 --to 32 --replay");
    let plan = get(&serving, "api/v1/plan?shape=3x3&to=32");
    assert_eq!(fields(&planned), fields(&plan));
    assert_eq!(planned["moves"], plan["moves"]);

    // Contests.
    let proved = json("prove 2x2 --to 16 --drops 2,4");
    let strategy = get(&serving, "api/v1/strategy?shape=2x2&to=16&drops=2,4");
    for name in ["shape", "to", "drops", "winner"] {
        assert_eq!(proved[name], strategy[name], "{name}");
    }

    // Tables.
    let listed = get(&serving, "api/v1/variants")["variants"][0].clone();
    for name in [
        "shape",
        "to",
        "spawn",
        "start_tiles",
        "objective",
        "discount",
        "states",
        "start_value",
        "start_complement",
        "relative_error_bound",
    ] {
        assert_eq!(solved[name], listed[name], "{name}");
    }
}
