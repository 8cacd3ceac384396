//! Players that search: `advise`, `play --player expectimax`, `train`, `prune`, and
//! their regret by a table.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::Write;
use std::process::Stdio;

use crate::common::{self, fails, json, number, path, temporary, text, tilebase};
use serde_json::Value;
use tilebase_game::{Grid, Rng, Shape, Spawn};

/// A table of a game in a directory.
fn table(dir: &tempfile::TempDir, game: &str) -> String {
    let table = path(dir, "table");
    text(&format!("solve {game} --out {table} --json"));
    table
}

/// The JSON lines that a command answers to lines on stdin.
fn batch(arguments: &str, lines: &str) -> Vec<Value> {
    let mut child = tilebase(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = lines.to_owned();
    // The program answers while it reads: neither side may wait for the other.
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{arguments}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn advice_is_searched_or_looked_up_and_says_which() {
    let dir = temporary();
    let table = table(&dir, "3x3 --to 64");

    let searched = json("advise --board 2,2,4/.,.,./.,.,8 --depth 2");
    assert_eq!(searched["source"], "estimate");
    assert_eq!(searched["exact"], false);
    assert_eq!(searched["search"]["depth"], 2);
    assert_eq!(searched["search"]["evaluation"], "smooth");
    assert_eq!(searched["moves"].as_array().unwrap().len(), 4);

    let board = "2,2,4/.,.,./.,.,8";
    let known = json(&format!("advise --board {board} --table {table}"));
    assert_eq!(known["source"], "table");
    assert_eq!(known["exact"], true);
    let truth = json(&format!("probe {table} --board {board}"));
    assert_eq!(known["value"], truth["value"]);
    assert_eq!(known["best"], truth["moves"][0]["move"]);
    // Best first, and what the others lose.
    let losses = known["moves"].as_array().unwrap();
    let losses: Vec<f64> = losses.iter().map(|m| number(&m["loss"])).collect();
    assert_eq!(losses[0], 0.0);
    assert!(losses.windows(2).all(|pair| pair[0] <= pair[1]));

    // A position that the table does not cover is searched.
    let large = json(&format!(
        "advise --board 128,64,2/4,.,./.,.,. --table {table}"
    ));
    assert_eq!(large["source"], "estimate");
    let lost = json("advise --board 2,4/4,2");
    assert_eq!(lost["status"], "lost");
    assert_eq!(lost["best"], Value::Null);
    assert_eq!(lost["source"], Value::Null);

    let real = json("advise --board 0xa962075400430011 --depth 2");
    assert_eq!(real["search"]["evaluation"], "network");
    assert_eq!(real["search"]["searched_as"], Value::Null);
    let late = json("advise --board 0xfd62075400430011 --depth 1");
    assert_eq!(late["search"]["searched_as"], Value::Null);
    // Tiles too large to be packed are searched halved, and the answer says so.
    let large = json("advise --board 65536,8192,64,4/.,128,32,16/.,.,16,8/.,.,2,2 --depth 1");
    assert_eq!(large["search"]["searched_as"], "0xfd62075400430011");

    let shown = text("advise --board 2,2,4/.,.,./.,.,8 --depth 2");
    assert!(shown.contains("searched 2 slides deep"), "{shown}");
    assert!(
        shown.contains("no unit") && !shown.contains("points"),
        "{shown}"
    );
    // A folder of tables does what the table does.
    let folder = dir.path().to_str().unwrap();
    let found = json(&format!("advise --board {board} --tables {folder}"));
    assert_eq!(found, known);
    let shown = text(&format!("advise --board {board} --tables {folder}"));
    assert!(shown.contains("exact") && shown.contains(" %"), "{shown}");
}

#[test]
fn estimates_have_chances_scores_and_errors() {
    let board = "1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2";
    let shown = text(&format!("advise --board {board} --depth 2"));
    for what in ["chance of 2048: ", "further score: ", " points ± ", "best"] {
        assert!(shown.contains(what), "{what}: {shown}");
    }
    let endless = json(&format!("advise --board {board} --depth 2"));
    assert_eq!(
        (&endless["variant"], &endless["unit"]),
        (&"4x4".into(), &"points".into())
    );
    assert_eq!(endless["value"], endless["further_score"]);
    let target = json(&format!("advise --board {board} --depth 2 --to 2048"));
    assert_eq!(
        (&target["objective"], &target["unit"]),
        (&"win".into(), &"probability".into())
    );
    assert_eq!(target["value"], target["chances"]["2048"]);
    let won = json(&format!("advise --board {board} --depth 2 --to 1024"));
    assert_eq!(won["status"], "won");
    assert_eq!(won["moves"], endless["moves"]);
}

#[test]
fn many_boards_come_by_stdin_and_wrong_ones_are_named() {
    let answers = batch("advise 2x2 --depth 3", "2,2/.,.\n\nnonsense\n0x1111\n");
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["source"], "estimate");
    assert_eq!(answers[1]["board"], "nonsense");
    assert!(answers[1]["error"].is_string());
    assert_eq!(answers[2]["board"], "0x1111");
}

#[test]
fn wrong_requests_get_one_line() {
    let wrong = [
        (
            "advise --board 2,2/.,. --evaluation network",
            "for 4x4, not 2x2",
        ),
        (
            "advise --board 2,2/.,. --evaluation best",
            "use smooth or network",
        ),
        ("advise --board 2,2/.,. --depth 0", "from 1 to 60"),
        ("advise --board 2,2/.,. --cutoff 1", "not including, 1"),
        (
            "advise --board 2,2/.,. --depth 2 --time 5",
            "cannot be used with",
        ),
        ("advise --board 2,2,2,2,2/.,.,.,.,. ", "up to 4x4"),
        (
            "play 2x2 --player random --depth 3 --seed 1",
            "does not search",
        ),
        ("play 5x5 --player expectimax --seed 1", "up to 4x4"),
        (
            "play 3x3 --player expectimax --network x --evaluation smooth",
            "has no network",
        ),
        ("train --out /tmp/never --steps 0", "from 1"),
        ("train --out /tmp/never --steps 1 --games 0", "from 1"),
    ];
    for (arguments, why) in wrong {
        let line = fails(arguments, 2);
        assert!(line.contains(why), "{arguments}: {line}");
    }
    let dir = temporary();
    let file = path(&dir, "weights");
    std::fs::write(&file, "TBTUPLES, but not really").unwrap();
    for (arguments, why) in [
        (format!("advise 4x4 --board 0x1 --network {file}"), "format"),
        (
            format!("advise 4x4 --board 0x1 --network {file}.not"),
            "reading the network",
        ),
        (format!("train --out {file}/x --steps 1"), "directory"),
    ] {
        let board = arguments.replace("0x1 ", "0x1000000000000000 ");
        let line = fails(&board, 1);
        assert!(line.contains(why), "{board}: {line}");
    }
}

/// Positions of 3x3 in which all moves but one lose for sure, and that one does not, by the
/// table; made by random play.
fn only_moves(table: &str, number_of: usize) -> Vec<(String, String)> {
    let shape: Shape = "3x3".parse().unwrap();
    let mut boards = String::new();
    for game in 0..4_000 {
        let mut rng = Rng::for_game(9, game);
        let mut grid = Grid::empty(shape);
        grid.spawn(Spawn::STANDARD, &mut rng);
        loop {
            grid.spawn(Spawn::STANDARD, &mut rng);
            let legal = grid.legal_moves();
            if legal.is_empty() || grid.reaches(6) {
                break;
            }
            if legal.len() > 1 && grid.empty_cells().count() <= 2 {
                boards.push_str(&format!("{grid}\n"));
            }
            let chosen = legal.iter().nth(rng.below(legal.len()) as usize).unwrap();
            grid.slide(chosen);
        }
    }
    let mut found = Vec::new();
    for answer in batch(&format!("probe {table}"), &boards) {
        let moves = answer["moves"].as_array().unwrap();
        let value = |at: usize| moves.get(at).and_then(|m| m["value"].as_f64());
        if let (Some(best), Some(second)) = (value(0), value(1))
            && best > 0.2
            && second == 0.0
        {
            let tiles = answer["tiles"].as_str().unwrap().to_owned();
            found.push((tiles, moves[0]["move"].as_str().unwrap().to_owned()));
        }
        if found.len() == number_of {
            break;
        }
    }
    found
}

#[test]
fn the_search_finds_the_only_move_that_survives() {
    let dir = temporary();
    let table = table(&dir, "3x3 --to 64");
    let positions = only_moves(&table, 40);
    assert!(positions.len() >= 20, "{} positions", positions.len());
    let lines: String = positions
        .iter()
        .map(|(board, _)| format!("{board}\n"))
        .collect();
    let answers = batch("advise 3x3 --depth 6", &lines);
    for ((board, only), answer) in positions.iter().zip(answers) {
        assert_eq!(answer["best"], only.as_str(), "{board}");
    }
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    for options in [
        "3x3 --evaluation smooth --positions 500",
        "2x4 --depth 2 --cutoff 0.01",
        "4x4 --to 256 --evaluation network --depth 1",
    ] {
        let play = |threads: u32| {
            let mut answer = json(&format!(
                "play {options} --player expectimax --games 12 --seed 4 --threads {threads}"
            ));
            let object = answer.as_object_mut().unwrap();
            object.retain(|key, _| !key.contains("second") && key != "threads");
            answer
        };
        assert_eq!(play(1), play(3), "{options}");
    }
}

#[test]
fn a_table_shows_what_a_players_moves_cost() {
    let dir = temporary();
    let table = table(&dir, "2x3 --to 32");
    // Played and computed regret agree: random's has a spread of at most 1 a game.
    for player in ["random", "one-ply", "expectimax --depth 1"] {
        let games = 3_000.0;
        let played = json(&format!(
            "play 2x3 --player {player} --table {table} --games {games} --seed 2"
        ));
        let exact = json(&format!("evaluate {table} --player {player}"));
        let (mean, regret) = (
            number(&played["regret"]["per_game"]),
            number(&exact["regret"]),
        );
        let spread = 4.0 / f64::sqrt(games);
        assert!((mean - regret).abs() < spread, "{player}: {mean}, {regret}");
    }
    let optimal = json(&format!(
        "play 2x3 --player optimal --table {table} --games 9 --seed 1"
    ));
    assert!(number(&optimal["won"]) > 4.0);
    assert!(fails(&format!("evaluate {table} --player optimal"), 2).contains("loses nothing"));
    let clock = format!("evaluate {table} --player expectimax --time 5");
    assert!(fails(&clock, 2).contains("a player with a time limit has no exact value"));
}

#[test]
fn a_trained_network_can_be_checkpointed_pruned_and_played() {
    let dir = temporary();
    let (first, second) = (path(&dir, "first"), path(&dir, "second"));
    let options =
        "--games 32 --initial-value 4000 --learning-rate 0.2 --tc-after 2000 --stage-after 1000";
    let answer = json(&format!("train --out {first} --steps 3000 {options}"));
    assert_eq!(answer["moves"], 96_000);
    assert_eq!(answer["device"], "cpu");
    assert!(number(&answer["weights"]) > 10_000.0);
    // Resumed from a checkpoint, training gives the same bytes.
    let kept = path(&dir, "kept");
    json(&format!(
        "train --out {second} --steps 1500 {options} --checkpoint {kept}"
    ));
    let bytes = |file: &str| std::fs::read(file).unwrap();
    assert!(bytes(&first) != bytes(&second));
    json(&format!(
        "train --out {second} --steps 3000 {options} --checkpoint {kept}"
    ));
    assert!(bytes(&first) == bytes(&second));
    // Other options do not resume from it, and damage is detected.
    let other = fails(
        &format!("train --out {second} --steps 4000 --games 32 --checkpoint {kept}"),
        2,
    );
    assert!(other.contains("other options"), "{other}");
    let half = std::fs::metadata(&kept).unwrap().len() / 2;
    let file = std::fs::File::options().write(true).open(&kept).unwrap();
    file.set_len(half).unwrap();
    let short = format!("train --out {second} --steps 4000 {options} --checkpoint {kept}");
    assert!(fails(&short, 1).contains("kept"));
    assert!(bytes(&first) == bytes(&second));

    // The pruned network plays about as well.
    let pruned = json(&format!(
        "prune {first} --out {second} --games 20 --quantum 2"
    ));
    assert!(
        number(&pruned["weights"]) <= number(&pruned["before"]),
        "{pruned}"
    );
    assert!(
        number(&pruned["bytes"]) < 0.8 * bytes(&first).len() as f64,
        "{pruned}"
    );
    let play = |player: &str| {
        let answer = json(&format!("play 4x4 --player {player} --games 20 --seed 1"));
        number(&answer["mean_score"])
    };
    let trained = play(&format!("expectimax --network {first} --depth 1"));
    assert!(trained > 1.5 * play("greedy"), "{trained}");
    let weaker = play(&format!("expectimax --network {second} --depth 1"));
    assert!(weaker > 0.6 * trained, "{weaker} {trained}");
    // Training can start from a network, with a checkpoint as well.
    let more = format!("--games 32 --initial-value 4000 --from {first}");
    let (third, fourth) = (path(&dir, "third"), path(&dir, "fourth"));
    json(&format!("train --out {third} --steps 600 {more}"));
    let kept = path(&dir, "kept-of-more");
    for steps in [200, 600] {
        json(&format!(
            "train --out {fourth} --steps {steps} {more} --checkpoint {kept}"
        ));
    }
    assert!(bytes(&third) == bytes(&fourth) && bytes(&third) != bytes(&first));
    let further = play(&format!("expectimax --network {third} --depth 1"));
    assert!(further > 1.5 * play("greedy"), "{further}");
    let none = path(&dir, "none");
    assert!(fails(&format!("train --out {third} --steps 1 --from {none}"), 1).contains("none"));

    // Without a GPU one line says why; with one the weights are the same.
    let output = common::run(&format!(
        "train --out {second} --steps 3000 {options} --device cuda"
    ));
    if output.status.success() {
        assert!(bytes(&first) == bytes(&second));
    } else {
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
        eprintln!("SKIPPED on a GPU");
    }
}
