//! Positions, lines and reviews over HTTP, against tables that are asked directly.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::path::Path;

use crate::common::serve;
use serde_json::{Value, json};
use tilebase_game::{Grid, Move, Rng, Variant};
use tilebase_solve::{SolveOptions, solve};
use tilebase_table::{Objective, Table};
use tilebase_util::progress::Silent;

fn table(dir: &Path, name: &str, objective: Objective) -> Table {
    let variant: Variant = name.parse().unwrap();
    let own = dir.join(format!("{name}-{}", objective.name()));
    solve(&variant, objective, &own, &SolveOptions::default(), &Silent).unwrap();
    Table::open(&own).unwrap()
}

/// A number as it comes back from its text, which the reader of JSON may round otherwise:
/// equal to what was read if the texts are.
fn read(number: Option<f64>) -> Option<f64> {
    let text = serde_json::to_string(&number).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Boards of games by random moves, live ones.
fn boards(table: &Table) -> Vec<String> {
    let variant = table.variant();
    let mut boards = Vec::new();
    for game in 0..10 {
        let mut dice = Rng::for_game(1, game);
        let mut grid = Grid::empty(variant.shape());
        for _ in 0..variant.start_tiles() {
            grid.spawn(variant.spawn(), &mut dice);
        }
        while !grid.is_lost() && !grid.reaches(variant.target().unwrap()) {
            boards.push(grid.to_string());
            let moves: Vec<Move> = grid.legal_moves().iter().collect();
            grid.slide(moves[dice.below(moves.len() as u32) as usize]);
            grid.spawn(variant.spawn(), &mut dice);
        }
    }
    boards
}

#[test]
fn answers_are_those_of_the_table() {
    let dir = tempfile::tempdir().unwrap();
    for objective in [
        Objective::Win,
        Objective::Score,
        Objective::Moves,
        Objective::Survival,
    ] {
        table(dir.path(), "2x3-to-32", objective);
    }
    let server = serve(Some(dir.path()));
    let listed = server.get("/api/v1/variants");
    assert_eq!(listed["variants"].as_array().unwrap().len(), 4);
    for objective in ["win", "score", "moves", "survival"] {
        let id = format!("2x3-to-32-{objective}");
        let table = Table::open(&dir.path().join(&id)).unwrap();
        let boards = boards(&table);
        assert!(boards.len() > 20);
        let many = server.post(
            "/api/v1/positions",
            &json!({"variant": id, "boards": boards}),
        );
        let many = many.json();
        for (at, text) in boards.iter().enumerate() {
            let grid = Grid::parse(text, None).unwrap();
            let truth = table.probe(grid.pack().unwrap()).unwrap();
            let found = &many["positions"][at];
            let value = truth.value.unwrap();
            assert_eq!(found["value"].as_f64(), read(value.value), "{id} {text}");
            assert_eq!(
                found["complement"].as_f64(),
                read(value.win.map(|chance| chance.q()))
            );
            assert_eq!(
                (&found["source"], &found["exact"]),
                (&json!("table"), &json!(true))
            );
            let moves = found["moves"].as_array().unwrap();
            assert_eq!(moves.len(), truth.moves.len());
            for (answer, truth) in moves.iter().zip(&truth.moves) {
                assert_eq!(answer["move"], truth.direction.name());
                assert_eq!(answer["value"].as_f64(), read(truth.value.unwrap().value));
                assert_eq!(answer["loss"].as_f64(), read(truth.loss));
                assert_eq!(answer["score"], truth.score);
            }
        }
        // One by one, and in the other notation, it is the same.
        let hex = many["positions"][5]["board"].as_str().unwrap();
        let mut one = server.get(&format!("/api/v1/position?variant={id}&board={hex}"));
        one.as_object_mut().unwrap().remove("version");
        assert_eq!(one, many["positions"][5]);
    }
}

#[test]
fn small_games_are_solved_on_demand() {
    let server = serve(None);
    let found = server.get("/api/v1/position?variant=2x2-to-16&board=2,2/.,4");
    assert_eq!(
        (&found["source"], &found["variant"], &found["objective"]),
        (&json!("exact"), &json!("2x2-to-16"), &json!("win"))
    );
    let dir = tempfile::tempdir().unwrap();
    let table = table(dir.path(), "2x2-to-16", Objective::Win);
    let board = tilebase_game::Board::parse("2,2/.,4", table.variant().shape()).unwrap();
    let truth = table.probe(board).unwrap().value.unwrap();
    assert_eq!(found["value"].as_f64(), read(truth.value));
    let listed = server.get("/api/v1/variants");
    assert_eq!(listed["variants"][0]["id"], "2x2-to-16-win");
    assert_eq!(listed["variants"][0]["states"], table.manifest().states());
    for (board, category) in [("2,4/.,16", "won"), ("2,4/4,2", "lost")] {
        let path = format!("/api/v1/position?variant=2x2-to-16&board={board}");
        assert_eq!(server.get(&path)["category"], category);
    }
}

#[test]
fn spawns_have_all_outcomes_and_mean_the_value_of_the_move() {
    let server = serve(None);
    let position = server.get("/api/v1/position?variant=2x2-to-16&board=2,2/.,4");
    let best = &position["moves"][0];
    let afterstate = best["afterstate"].as_str().unwrap();
    let spawns = server.get(&format!(
        "/api/v1/spawns?variant=2x2-to-16&afterstate={afterstate}"
    ));
    let outcomes = spawns["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 4);
    let number = |outcome: &Value, name: &str| outcome[name].as_f64().unwrap();
    let total: f64 = outcomes.iter().map(|o| number(o, "probability")).sum();
    let mean: f64 = outcomes
        .iter()
        .map(|o| number(o, "probability") * number(o, "value"))
        .sum();
    assert!((total - 1.0).abs() < 1e-12);
    assert!((mean - number(best, "value")).abs() < 1e-12);
}

#[test]
fn lines_follow_best_play() {
    let server = serve(None);
    let line = |rule: &str| {
        server.get(&format!(
            "/api/v1/line?variant=2x2-to-16&board=2,2/.,.&spawn_rule={rule}&seed=3"
        ))
    };
    assert_eq!(line("random"), line("random"));
    assert_eq!(line("best")["end"], "won");
    assert_eq!(line("worst")["end"], "lost");
    // No step of the unluckiest line is better than the one before.
    let worst = line("worst");
    let values = worst["moves"].as_array().unwrap();
    let values: Vec<f64> = values
        .iter()
        .map(|played| played["value"].as_f64().unwrap())
        .collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let start = server.get("/api/v1/line?variant=2x2-to-16&plies=0&seed=9");
    assert_eq!(start["moves"], json!([]));
    assert_eq!(start["start"], start["board"]);
}

#[test]
fn lines_of_searched_games_are_games() {
    let server = serve(None);
    let line = server.get("/api/v1/line?variant=4x4&seed=5&plies=80");
    let moves = line["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &line["end"]), (80, &json!("plies")));
    let mut next = &line["start"];
    for (at, played) in moves.iter().enumerate() {
        assert_eq!(&played["board"], next, "move {at}");
        assert_eq!(played["source"], "estimate");
        let board = next.as_str().unwrap();
        let advice = server.get(&format!("/api/v1/advice?board={board}&depth=1"));
        assert_eq!(played["move"], advice["best"], "move {at}");
        let after = played["afterstate"].as_str().unwrap();
        let after: Grid = after.parse().unwrap();
        let cell = played["cell"].as_u64().unwrap() as u8;
        assert_eq!(after.get(cell / 4, cell % 4), 0);
        next = moves.get(at + 1).map_or(&line["board"], |m| &m["board"]);
        let reached: Grid = next.as_str().unwrap().parse().unwrap();
        let tile = 1 << reached.get(cell / 4, cell % 4);
        assert_eq!(played["tile"], tile);
    }
    let again = server.get("/api/v1/line?variant=4x4&seed=5&plies=80&depth=1");
    assert_eq!(again["moves"], line["moves"]);
    // The slide that makes the target is the last, and has no tile.
    let won = server.get("/api/v1/line?variant=4x4-to-2048&board=0xaa00000000000010");
    let last = won["moves"].as_array().unwrap().last().unwrap();
    assert_eq!((&won["end"], &last["tile"]), (&json!("won"), &Value::Null));
    server.fails("/api/v1/line?variant=4x4&spawn_rule=worst", 400);
}

#[test]
fn reviews_say_what_moves_lost() {
    let server = serve(None);
    let line = server.get("/api/v1/line?variant=2x2-to-16&board=2,2/.,4&seed=5");
    let moves = line["moves"].as_array().unwrap();
    let made =
        |step: &Value| json!({"move": step["move"], "cell": step["cell"], "tile": step["tile"]});
    let game =
        |moves: Vec<Value>| json!({"variant": "2x2-to-16", "start": "2,2/.,4", "moves": moves});
    let best = server.post("/api/v1/verdicts", &game(moves.iter().map(made).collect()));
    let best = best.json();
    assert_eq!(best["mistakes"], json!([]));
    assert_eq!(best["loss"], 0.0);
    // The move that the position calls worst loses what the position says.
    let position = server.get("/api/v1/position?variant=2x2-to-16&board=2,2/.,4");
    let worst = position["moves"].as_array().unwrap().last().unwrap();
    let bad = server.post(
        "/api/v1/verdicts",
        &game(vec![json!({"move": worst["move"]})]),
    );
    let bad = bad.json();
    assert_eq!(bad["mistakes"], json!([0]));
    assert_eq!(bad["moves"][0]["loss"], worst["loss"]);
    assert_eq!(bad["moves"][0]["next_mistake"], 0);
    assert_eq!(bad["moves"][0]["best_moves"], json!(["left", "right"]));
    for (moves, what) in [
        (json!([{"move": "sideways"}]), "moves[0]"),
        (json!([{"move": "left"}, {"move": "left"}]), "cell and tile"),
        (json!([{"move": "left", "cell": 0, "tile": 2}]), "not empty"),
        (json!([{"move": "left", "cell": 9, "tile": 2}]), "no cell 9"),
        (json!([{"move": "left", "cell": 1, "tile": 8}]), "tile 8"),
    ] {
        let answer = server.post("/api/v1/verdicts", &game(moves.as_array().unwrap().clone()));
        assert_eq!(answer.status, 400, "{}", answer.text);
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains(what), "{error}");
    }
}

/// A board that every strong player meets.
const BOARD: &str = "4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,.";

#[test]
fn where_no_table_is_a_search_answers() {
    let server = serve(None);
    for (variant, board, status, objective) in [
        ("4x4", BOARD, "live", json!("score")),
        ("4x4-score", BOARD, "live", json!("score")),
        ("4x4-to-2048", BOARD, "won", json!(null)),
        ("4x4-to-8192-win", BOARD, "live", json!("win")),
        ("4x4-to-8192-moves", BOARD, "live", json!(null)),
        ("4x4-survival", BOARD, "live", json!(null)),
        ("4x4-moves", BOARD, "live", json!(null)),
        ("4x4-to-8192-win-0.99", BOARD, "live", json!(null)),
        ("4x4-to-65536", BOARD, "live", json!("win")),
        // There is no forecast for these.
        ("4x4-to-131072", BOARD, "live", json!(null)),
        ("4x4-to-1048576", BOARD, "live", json!(null)),
        ("4x4-spawn-2:0.5,4:0.5", BOARD, "live", json!("score")),
        ("4x4-to-8192-spawn-2:1-start-1", BOARD, "live", json!(null)),
        // Tiles above 32768 are halved for the search.
        (
            "4x4",
            "65536,1024,8,2/4,.,.,./2,.,.,./.,.,.,.",
            "live",
            json!("score"),
        ),
        // Games without a table that have no unit.
        (
            "3x4-to-2048",
            "1024,2,4,8/2,.,.,./4,.,.,.",
            "live",
            json!(null),
        ),
        ("3x3", "512,256,64/2,4,8/.,2,.", "live", json!(null)),
        ("2x2-to-1024", "2,2/4,.", "live", json!(null)),
        // Solved games: after the win, and boards that cannot arise.
        ("2x2-to-16", "16,2/2,.", "won", json!(null)),
        ("2x2-to-16-moves", "32,2/2,.", "won", json!(null)),
        ("2x2-to-16", "65536,2/2,.", "won", json!(null)),
        ("2x2-to-32", "8,8/8,8", "unreachable", json!(null)),
    ] {
        let found = server.get(&format!(
            "/api/v1/position?variant={variant}&board={board}&depth=2"
        ));
        let what = format!("{variant} {board}: {found}");
        assert_eq!(found["status"], status, "{what}");
        assert_eq!(found["source"], "estimate", "{what}");
        assert_eq!(
            (&found["exact"], &found["objective"]),
            (&json!(false), &objective),
            "{what}"
        );
        assert_eq!(found["search"]["max_depth"], 2, "{what}");
        let legal = Grid::parse(board, None).unwrap().legal_moves();
        let moves = found["moves"].as_array().unwrap();
        assert_eq!(moves.len(), legal.iter().count(), "{what}");
        assert!(moves.iter().all(|m| m["value"].is_number()), "{what}");
        assert_eq!(
            (&moves[0]["loss"], &found["best"]),
            (&json!(0.0), &moves[0]["move"]),
            "{what}"
        );
    }
    // A slide that wins is best, and sure.
    let wins = "variant=4x4-to-2048&board=1024,1024,8,4/2,4,.,./.,.,.,./.,.,.,.";
    let wins = server.get(&format!("/api/v1/position?{wins}"));
    assert_eq!(
        (&wins["value"], &wins["unit"]),
        (&json!(1.0), &json!("probability"))
    );
    assert_eq!(wins["moves"][0]["wins_now"], true);
    let plain = server.get(&format!("/api/v1/position?variant=4x4&board={BOARD}"));
    let asked = server.get(&format!(
        "/api/v1/position?variant=4x4&board={BOARD}&search=true"
    ));
    assert_eq!(plain, asked);
    let advice = server.get("/api/v1/advice?board=0xa962075400430011&depth=2");
    assert_eq!(advice["search"]["max_depth"], 2);
    assert_eq!(advice["variant"], "4x4");
    assert!(
        server
            .fails("/api/v1/position?variant=5x5-to-64&board=0x1", 400)
            .contains("5x5")
    );
}

#[test]
fn a_bad_board_fails_alone() {
    let server = serve(None);
    for (variant, good) in [("2x2-to-16", "2,2/.,4"), ("4x4-to-2048", BOARD)] {
        let boards = json!([good, "nonsense", "2,3/4,.", good]);
        let body = json!({"variant": variant, "boards": boards});
        let answer = server.post("/api/v1/positions", &body).json();
        let positions = answer["positions"].as_array().unwrap();
        assert_eq!(positions.len(), 4);
        assert_eq!(positions[0], positions[3]);
        assert!(positions[0]["moves"][0]["value"].is_number());
        for (index, board) in [(1, "nonsense"), (2, "2,3/4,.")] {
            let wrong = &positions[index];
            assert_eq!(
                (&wrong["index"], &wrong["board"]),
                (&json!(index), &json!(board))
            );
            assert!(
                wrong["error"].is_string() && wrong["moves"].is_null(),
                "{wrong}"
            );
        }
    }
}

#[test]
fn many_boards_are_searched_in_seconds() {
    let server = serve(None);
    let body = json!({"variant": "4x4", "boards": vec![BOARD; 1000]});
    let begin = std::time::Instant::now();
    let answer = server.post("/api/v1/positions", &body).json();
    let seconds = begin.elapsed().as_secs_f64();
    let positions = answer["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 1000);
    assert!(positions.iter().all(|p| p["source"] == "estimate"));
    assert!(seconds < 60.0, "{seconds}");
    println!("{:.0} boards a second", 1000.0 / seconds);
}

#[test]
fn plans_strategies_and_diagrams() {
    let server = serve(None);
    let plan = server.get("/api/v1/plan?shape=4x4&to=64");
    assert_eq!(
        (&plan["steps"], &plan["optimal"]),
        (&json!(35), &json!(true))
    );
    assert_eq!(plan["boards"].as_array().unwrap().len(), 36);
    // Slider's proven moves against a Dropper who drops into the first empty cell.
    let mut grid = Grid::parse("2,.,./.,.,./.,.,.", None).unwrap();
    let mut slides = 0;
    while !grid.reaches(5) {
        let path = format!("/api/v1/strategy?shape=3x3&to=32&board={grid}");
        let answer = server.get(&path);
        assert_eq!(answer["winner"], "slider");
        let m: Move = answer["move"].as_str().unwrap().parse().unwrap();
        grid.slide(m).unwrap();
        if grid.reaches(5) {
            break;
        }
        let (row, col) = grid.empty_cells().next().unwrap();
        grid.set(row, col, 1);
        slides += 1;
        assert!(slides < 40);
    }
    let dropper = server.get("/api/v1/strategy?shape=2x2&to=16&drops=2,4");
    assert_eq!(dropper["winner"], "dropper");
    assert!(dropper["cell"].is_number() && dropper["tile"].is_number());
    let diagram = server.send("GET", "/api/v1/diagram?variant=2x2-to-8&policy=true", None);
    assert_eq!(
        (diagram.status, diagram.kind.as_str()),
        (200, "image/svg+xml")
    );
    assert!(diagram.text.starts_with("<svg"));
    let graph = server.send(
        "GET",
        "/api/v1/diagram?variant=2x2-to-8&policy=true&format=dot",
        None,
    );
    assert_eq!(
        (graph.status, graph.kind.as_str()),
        (200, "text/vnd.graphviz")
    );
    assert!(graph.text.starts_with("digraph \"2x2-to-8\" {"));
    assert!(
        server
            .fails("/api/v1/diagram?variant=3x3-to-8", 400)
            .contains("four cells")
    );
}

#[test]
fn positions_with_walls_are_looked_up_and_positions_that_fit_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let l3 = table(dir.path(), "4x4-to-16-formation-L3", Objective::Win);
    let server = serve(Some(dir.path()));
    let listed = server.get("/api/v1/variants");
    assert_eq!(listed["variants"][0]["formation"], "L3");
    assert_eq!(listed["variants"][0]["walls"], 6);

    let board = ".,.,4,./2,.,8,./4,%23,%23,%23/2,%23,%23,%23";
    let variant = "4x4-to-16-formation-L3";
    let found = server.get(&format!("/api/v1/position?variant={variant}&board={board}"));
    let own = l3.variant();
    let packed = own.parse_board(&board.replace("%23", "#")).unwrap();
    let truth = l3.probe(packed).unwrap();
    assert_eq!(found["value"].as_f64(), read(truth.value.unwrap().value));
    assert_eq!(found["tiles"], board.replace("%23", "#"));
    assert_eq!(found["goal_cells"], "ffffffffffffffff");
    assert!(found.get("formations").is_none());
    let afterstate = &found["moves"][0]["afterstate"].as_str().unwrap();
    let spawns = server.get(&format!(
        "/api/v1/spawns?variant={variant}&afterstate={afterstate}"
    ));
    assert!(!spawns["outcomes"].as_array().unwrap().is_empty());
    let line = server.get(&format!("/api/v1/line?variant={variant}&seed=3&plies=50"));
    assert!(line["start"].as_str().unwrap().contains('f'));
    assert!(!line["moves"].as_array().unwrap().is_empty());
    let review = server.post(
        "/api/v1/verdicts",
        &json!({"variant": variant, "start": board.replace("%23", "#"),
            "moves": [{"move": found["moves"][0]["move"]}]}),
    );
    assert_eq!(review.json()["mistakes"].as_array().unwrap().len(), 0);

    // The position of a real game, turned the other way.
    let real = "2048,1024,512,2/256,128,16,4/.,8,.,2/.,4,.,.";
    for address in [
        format!("/api/v1/position?variant=4x4&board={real}&depth=1"),
        format!("/api/v1/advice?board={real}&depth=1"),
    ] {
        let found = server.get(&address);
        let formation = &found["formations"][0];
        assert_eq!(formation["variant"], variant);
        assert_eq!(formation["source"], "table");
        assert_eq!(
            formation["value"].as_f64(),
            read(truth.value.unwrap().value)
        );
    }
    let batch = server.post(
        "/api/v1/positions",
        &json!({"variant": "4x4", "boards": [real, "2,2,4,8/.,.,.,./.,.,.,./.,.,.,."]}),
    );
    let batch = batch.json();
    assert_eq!(batch["positions"][0]["formations"][0]["formation"], "L3");
    assert!(batch["positions"][1].get("formations").is_none());

    // Walls in the wrong number, walls where there are none, a formation that is too large.
    let wrong = format!(
        "/api/v1/position?variant={variant}&board=.,.,4,./2,.,8,./4,8,%23,%23/2,%23,%23,%23"
    );
    assert!(server.fails(&wrong, 400).contains("5 walls"));
    let wrong = "/api/v1/position?variant=4x4&board=.,.,4,./2,.,8,./4,8,%23,%23/2,2,2,2";
    assert!(server.fails(wrong, 400).contains("this game has none"));
    let large = "/api/v1/position?variant=4x4-to-512-formation-free10&board=.,.,4,./2,.,8,./4,%23,%23,%23/2,%23,%23,%23";
    assert!(
        server
            .fails(large, 404)
            .contains("too large to be solved on demand")
    );
}
