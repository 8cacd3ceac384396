//! Reviews over HTTP, against positions that are asked one by one and against plain formulas.

use serde_json::{Value, json};
use tilebase_game::{Grid, Move, Rng, Spawn};

use crate::common::{Running, serve};

/// A game by random moves: the boards before them, and the moves as requests give them.
fn random_game(start: &str, plies: usize, seed: u64) -> (Vec<String>, Vec<Value>) {
    let mut dice = Rng::new(seed);
    let mut grid = Grid::parse(start, None).unwrap();
    let cols = u16::from(grid.shape().cols());
    let (mut boards, mut moves) = (Vec::new(), Vec::new());
    while moves.len() < plies && !grid.is_lost() {
        boards.push(grid.to_string());
        let legal: Vec<Move> = grid.legal_moves().iter().collect();
        let m = legal[dice.below(legal.len() as u32) as usize];
        grid.slide(m);
        let (row, col) = grid.spawn(Spawn::STANDARD, &mut dice).unwrap();
        moves.push(json!({
            "move": m.name(),
            "cell": u16::from(row) * cols + u16::from(col),
            "tile": 1 << grid.get(row, col),
        }));
    }
    boards.push(grid.to_string());
    (boards, moves)
}

fn review(server: &Running, variant: &str, start: &str, moves: &[Value]) -> Value {
    let body = json!({"variant": variant, "start": start, "moves": moves});
    let answer = server.post("/api/v1/verdicts", &body);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

fn is_mistake(grade: &Value) -> bool {
    !(grade.is_null() || grade == "best" || grade == "about_equal")
}

/// The accuracy of a move, by the formula in the description of the API.
fn accuracy(position: &Value, played: &Value) -> f64 {
    let number = |value: &Value| value.as_f64().unwrap();
    let share = if !is_mistake(&played["grade"]) {
        0.0
    } else if position["unit"] == "probability" {
        number(&played["loss"])
    } else {
        number(&played["loss"]) / number(&position["value"]).abs()
    };
    100.0 * (-25.0 * share.clamp(0.0, 1.0)).exp()
}

/// Compares a review with the positions of the game, asked at once.
fn check(server: &Running, variant: &str, start: &str, plies: usize) -> (Value, Vec<Value>) {
    let (boards, moves) = random_game(start, plies, 7);
    let review = review(server, variant, start, &moves);
    let body = json!({"variant": variant, "boards": boards});
    let positions = server.post("/api/v1/positions", &body).json()["positions"].clone();
    let positions = positions.as_array().unwrap().clone();
    let reviewed = review["moves"].as_array().unwrap();
    assert_eq!(reviewed.len(), moves.len());
    let (mut mistakes, mut loss, mut total) = (Vec::new(), 0.0, 0.0);
    for (ply, (found, position)) in reviewed.iter().zip(&positions).enumerate() {
        let listed = position["moves"].as_array().unwrap();
        let played = listed.iter().find(|m| m["move"] == moves[ply]["move"]);
        let played = played.unwrap();
        for (name, value) in played.as_object().unwrap() {
            assert_eq!(&found[name], value, "{variant} {ply}: {name}");
        }
        for name in ["board", "unit", "best"] {
            assert_eq!(found[name], position[name], "{variant} {ply}: {name}");
        }
        for name in [
            "value",
            "complement",
            "win",
            "category",
            "source",
            "uncertainty",
        ] {
            assert_eq!(found["before"][name], position[name], "{ply}: {name}");
        }
        for name in ["chances", "chances_uncertainty", "further_score"] {
            assert_eq!(
                found["outlook_before"][name], position[name],
                "{ply}: {name}"
            );
        }
        let best = listed.iter().filter(|m| m["is_best"] == true);
        let best: Vec<Value> = best.map(|m| m["move"].clone()).collect();
        assert_eq!(found["best_moves"], json!(best));
        if is_mistake(&played["grade"]) {
            mistakes.push(ply);
            if position["unit"] == positions[0]["unit"] {
                loss += played["loss"].as_f64().unwrap();
            }
        }
        total += accuracy(position, played);
    }
    for found in reviewed {
        let next = mistakes
            .iter()
            .find(|&&ply| found["ply"].as_u64() <= Some(ply as u64));
        assert_eq!(found["next_mistake"], json!(next));
    }
    assert_eq!(review["mistakes"], json!(mistakes));
    let close = |name: &str, expected: f64| {
        let found = review[name].as_f64().unwrap();
        assert!(
            (found - expected).abs() <= 1e-9 * expected.abs(),
            "{name}: {found}"
        );
    };
    close("loss", loss);
    close("accuracy", total / moves.len() as f64);
    let last = positions.last().unwrap();
    for name in ["board", "value", "further_score", "chances", "category"] {
        assert_eq!(review[name], last[name], "{variant}: {name}");
    }
    (review, positions)
}

#[test]
fn reviews_are_made_of_positions_and_plain_formulas() {
    let server = serve(None);
    let early = "2,.,.,./.,.,.,./.,.,4,./.,.,.,.";
    let late = "4096,1024,128,8/2,16,64,4/4,2,8,2/.,.,2,.";
    for (variant, start, plies) in [
        ("4x4", late, 30),
        ("4x4-to-2048", early, 60),
        ("4x4-to-8192-moves", late, 10),
        ("4x4-spawn-2:0.9,4:0.1", late, 5),
        ("3x3", "2,.,./.,.,./.,4,.", 40),
        ("3x3-to-64", "2,.,./.,.,./.,4,.", 40),
        ("3x3-to-64-score", "2,.,./.,.,./.,4,.", 40),
        ("2x3-to-32-moves", "2,.,./.,4,.", 20),
    ] {
        let (review, positions) = check(&server, variant, start, plies);
        assert_eq!(review["objective"], positions[0]["objective"], "{variant}");
        // Random moves are bad enough to tell.
        let accuracy = review["accuracy"].as_f64().unwrap();
        assert!(accuracy > 0.0 && accuracy < 100.0, "{variant}: {accuracy}");
    }
}

#[test]
fn games_are_reviewed_across_the_target() {
    let server = serve(None);
    let start = "1024,1024,8,4/2,4,.,./.,.,.,./.,.,.,.";
    let moves = [
        json!({"move": "left", "cell": 15, "tile": 2}),
        json!({"move": "up", "cell": 15, "tile": 2}),
    ];
    let found = review(&server, "4x4-to-2048", start, &moves);
    assert_eq!(found["moves"][0]["wins_now"], true);
    assert_eq!(found["moves"][1]["before"]["category"], "won");
    assert_eq!(found["category"], "won");
    // A game of a table goes on by search.
    let moves = [
        json!({"move": "left", "cell": 3, "tile": 2}),
        json!({"move": "up", "cell": 3, "tile": 2}),
    ];
    let solved = review(&server, "2x2-to-16", "8,8/2,.", &moves);
    let sources = ["exact", "estimate"];
    for (at, source) in sources.into_iter().enumerate() {
        assert_eq!(solved["moves"][at]["before"]["source"], source);
    }
    assert_eq!(solved["unit"], "probability");
}

#[test]
fn long_games_are_sent_in_parts() {
    let server = serve(None);
    let moves = vec![json!({"move": "left", "cell": 3, "tile": 2}); 2001];
    let body =
        json!({"variant": "4x4", "start": "2,2,.,./.,.,.,./.,.,.,./.,.,.,.", "moves": moves});
    let answer = server.post("/api/v1/verdicts", &body);
    assert_eq!(answer.status, 400);
    let error = answer.json()["error"].as_str().unwrap().to_owned();
    assert!(
        error.contains("at most 2000") && error.contains("in parts"),
        "{error}"
    );
    let none = review(&server, "4x4", "2,2,.,./.,.,.,./.,.,.,./.,.,.,.", &[]);
    assert_eq!(
        (&none["accuracy"], &none["variant"]),
        (&Value::Null, &json!("4x4"))
    );
}
