//! Recorded games: written, checked, shown.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::common::{self, fails, json, number, path, run, temporary, text, tilebase};
use serde_json::Value;
use tilebase_game::Move;
use tilebase_play::{
    GameLog, GameReplay, PlayerKind, RecordHeader, RecordReader, Recorder, Series, play_game,
};

/// Plays, records, and returns the answer.
fn record(arguments: &str, file: &str) -> Value {
    json(&format!("play {arguments} --record {file}"))
}

#[test]
fn a_record_shows_what_was_played() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    for (arguments, variant) in [
        ("2x2 --player random --games 40", "2x2"),
        ("3x3 --to 512 --player greedy --games 40", "3x3-to-512"),
        ("4x4 --player corner --games 30", "4x4"),
        ("5x5 --player greedy --games 2", "5x5"),
        ("7x6 --to 32 --player random --games 2", "7x6-to-32"),
        (
            "4x4 --spawn 2:0.5,4:0.5 --start-tiles 3 --player random --games 20",
            "4x4-spawn-2:0.5,4:0.5-start-3",
        ),
    ] {
        // Each record takes the place of the one before.
        let played = record(&format!("{arguments} --seed 4"), &file);
        assert_eq!(played["record"], file.as_str());
        assert_eq!(
            played["record_bytes"],
            fs::metadata(&file).unwrap().len(),
            "{variant}"
        );
        let found = json(&format!("replay {file}"));
        assert_eq!(found["ok"], true, "{variant}");
        assert_eq!(found["broken"], Value::Null);
        assert_eq!(found["spawns_match_seed"], true, "{variant}");
        assert_eq!(found["variant"], variant);
        assert_eq!(found["bytes"], played["record_bytes"]);
        for field in [
            "player",
            "seed",
            "games",
            "won",
            "mean_score",
            "min_score",
            "max_score",
            "mean_moves",
            "max_tile",
            "score_deviation",
            "score_quantiles",
            "reached",
            "moves_to_2048",
        ] {
            assert_eq!(found[field], played[field], "{variant}: {field}");
        }
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn the_number_of_threads_does_not_change_a_record() {
    let dir = temporary();
    let files = ["1", "2"].map(|threads| {
        let file = path(&dir, threads);
        record(
            &format!("4x4 --player random --games 200 --seed 1 --threads {threads}"),
            &file,
        );
        fs::read(file).unwrap()
    });
    assert_eq!(files[0], files[1]);
}

/// Figures of `play` against the plain scores of the same games.
#[test]
fn the_spread_is_that_of_the_scores() {
    let answer = json("play 3x3 --player random --games 150 --seed 6");
    let series = Series {
        start: None,
        variant: "3x3".parse().unwrap(),
        games: 150,
        seed: 6,
    };
    let games: Vec<_> = (0..150)
        .map(|index| play_game(&series, &PlayerKind::Random, index))
        .collect();
    let mut scores: Vec<u128> = games.iter().map(|game| game.score).collect();
    scores.sort_unstable();
    for (name, rank) in [
        ("min", 1),
        ("p5", 8),
        ("p25", 38),
        ("p50", 75),
        ("p75", 113),
        ("p95", 143),
        ("max", 150),
    ] {
        let expected = u64::try_from(scores[rank - 1]).unwrap();
        assert_eq!(answer["score_quantiles"][name], expected, "{name}");
    }
    let mean = scores.iter().sum::<u128>() as f64 / 150.0;
    let squares: f64 = scores.iter().map(|&s| (s as f64 - mean).powi(2)).sum();
    let deviation = (squares / 149.0).sqrt();
    assert!((number(&answer["score_deviation"]) / deviation - 1.0).abs() < 1e-12);
    let half = (number(&answer["mean_score_high"]) - number(&answer["mean_score_low"])) / 2.0;
    assert!((half / (1.959964 * deviation / 150f64.sqrt()) - 1.0).abs() < 1e-6);
    for tile in answer["reached"].as_array().unwrap() {
        let value = number(&tile["tile"]) as u128;
        let reached = games.iter().filter(|game| 1 << game.largest >= value);
        let reached = reached.count() as u64;
        assert_eq!(tile["games"], reached);
        assert_eq!(number(&tile["share"]), reached as f64 / 150.0);
        assert!(number(&tile["low"]) <= number(&tile["share"]));
        assert!(number(&tile["high"]) >= number(&tile["share"]));
    }
    let shown = text("play 3x3 --player random --games 150 --seed 6");
    for line in [
        "  reached at least (95 % interval):",
        "  scores ",
        "  mean score between ",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
}

/// A target that no game reaches is listed too: how rare it may be is known.
#[test]
fn a_target_out_of_reach_is_reported() {
    let answer = json("play 2x2 --to 64 --player random --games 100 --seed 1");
    let last = answer["reached"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["tile"], &last["games"]), (&64.into(), &0.into()));
    assert!((number(&last["high"]) - 0.036994).abs() < 1e-6);
    assert_eq!(answer["moves_to_2048"], Value::Null);
    assert_eq!(answer["seconds_to_2048"], Value::Null);
}

#[test]
fn the_time_to_2048_is_reported() {
    let arguments = "play 8x8 --player random --games 3 --seed 1 --to 4096";
    let answer = json(arguments);
    // 2048 takes at least 2048/4 moves but for the start, and far from all of the game.
    let moves = number(&answer["moves_to_2048"]);
    assert!((500.0..2000.0).contains(&moves), "{moves}");
    let seconds = number(&answer["seconds_to_2048"]);
    assert!(seconds > 0.0 && seconds < number(&answer["seconds"]));
    assert!(text(arguments).contains("  first 2048 after "));
}

#[test]
fn a_damaged_record_gets_one_line() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    record("3x3 --player random --games 5 --seed 2", &file);
    let whole = fs::read(&file).unwrap();
    let damaged = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        let line = fails(&format!("replay {file}"), 1);
        let output = run(&format!("replay {file} --json"));
        assert_eq!(output.status.code(), Some(1));
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["ok"], false);
        let broken = answer["broken"].as_str().unwrap();
        assert_eq!(line, format!("tilebase: {file} {broken}\n"));
        (broken.to_owned(), answer)
    };
    let mut flipped = whole.clone();
    let last_game = whole.len() - 21 - 20;
    flipped[last_game] ^= 4;
    let (broken, answer) = damaged(&flipped);
    assert_eq!(broken, "is damaged in game 5");
    assert_eq!((&answer["games"], &answer["seed"]), (&4.into(), &2.into()));
    // The games before the damage can be shown.
    assert!(text(&format!("replay {file} --game 4 --last")).contains("lost after "));
    assert!(fails(&format!("replay {file} --game 5"), 1).contains("is damaged in game 5"));

    let (broken, _) = damaged(&whole[..whole.len() - 21]);
    assert_eq!(broken, "is cut off after 5 whole games");
    let (broken, answer) = damaged(&whole[..20]);
    assert_eq!(broken, "is damaged before its first game");
    assert_eq!(
        (&answer["variant"], &answer["spawns_match_seed"]),
        (&Value::Null, &Value::Null)
    );
    assert!(damaged(b"").0.starts_with("is not a record of games"));
    let mut later = whole.clone();
    later[7] = 9;
    assert!(damaged(&later).0.starts_with("has format 9"));
    assert_eq!(
        damaged(&[whole.as_slice(), b"x"].concat()).0,
        "is damaged at its end"
    );
}

/// Files with right checksums whose games are wrong.
#[test]
fn a_forged_record_is_found_out() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    record("2x2 --to 64 --player random --games 3 --seed 5", &file);
    let bytes = fs::read(&file).unwrap();
    let mut reader = RecordReader::new(bytes.as_slice()).unwrap();
    let header = reader.header().clone();
    let mut games = Vec::new();
    while let Some(game) = reader.next_game().unwrap() {
        games.push(game);
    }
    let forge = |header: &RecordHeader, games: &[GameLog]| {
        let recorder = Recorder::new(Vec::new(), header).unwrap();
        assert!(games.iter().all(|game| recorder.write(game)));
        fs::write(&file, recorder.finish().unwrap().0).unwrap();
    };
    let mut forged = games.clone();
    forged[1].score += 4;
    forge(&header, &forged);
    let moves = games[1].moves.len();
    assert!(fails(&format!("replay {file}"), 1).ends_with(&format!(
        "breaks the rules in game 2, after move {moves}: the score is wrong\n"
    )));
    // A move becomes one that changes nothing, at the first position that has such a move.
    let mut forged = games.clone();
    let mut replay = GameReplay::new(&header, &games[2]).unwrap();
    let illegal = loop {
        let legal = replay.grid().legal_moves();
        match Move::ALL.into_iter().find(|&m| !legal.contains(m)) {
            Some(m) => break m,
            None => replay.next_move().unwrap().unwrap(),
        };
    };
    let at = replay.moves();
    forged[2].moves[at as usize].m = illegal;
    forge(&header, &forged);
    let expected = format!("game 3, move {}: the slide is not legal\n", at + 1);
    let line = fails(&format!("replay {file}"), 1);
    assert!(line.ends_with(&expected), "{line}");
    // The games are right, but not of this seed.
    let other = RecordHeader { seed: 6, ..header };
    forge(&other, &games);
    let answer = json(&format!("replay {file}"));
    assert_eq!(
        (&answer["ok"], &answer["spawns_match_seed"]),
        (&true.into(), &false.into())
    );
    assert_eq!(answer["first_mismatch"]["game"], 1);
    assert!(
        text(&format!("replay {file}"))
            .contains("  the new tiles are not those of the seed: first ")
    );
}

#[test]
fn a_game_is_shown() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    record("2x2 --player random --games 3 --seed 2", &file);
    let all = json(&format!("replay {file} --game 1"));
    let positions = all["positions"].as_array().unwrap();
    let moves = all["moves"].as_u64().unwrap();
    assert_eq!(positions.len() as u64, moves + 1);
    assert_eq!(positions[0]["move"], Value::Null);
    assert_eq!(all["ending"], "lost");
    let last = positions.last().unwrap();
    assert_eq!(last["score"], all["score"]);
    let numbers = |more: &str| -> Vec<u64> {
        let answer = json(&format!("replay {file} --game 1 {more}"));
        let positions = answer["positions"].as_array().unwrap().iter();
        positions.map(|p| p["ply"].as_u64().unwrap()).collect()
    };
    assert_eq!(moves, 10);
    assert_eq!(numbers("--last"), [10]);
    assert_eq!(numbers("--from 7"), [7, 8, 9, 10]);
    assert_eq!(numbers("--every 4"), [0, 4, 8, 10]);
    assert_eq!(numbers("--from 3 --every 3"), [3, 6, 9, 10]);
    assert_eq!(
        text(&format!("replay {file} --game 1 --from 9")),
        "game 1 of 2x2 by random, seed 2\n\n\
         move 9: left, a 2 in row 1, column 2, score 48\n     2   2\n     4  16\n\n\
         move 10: right, a 2 in row 1, column 1, score 52\n     2   4\n     4  16\n\n\
         lost after 10 moves, score 52\n"
    );
}

#[test]
fn wrong_requests_get_one_line() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    record("2x2 --player random --games 3 --seed 2", &file);
    for (arguments, line) in [
        ("--game 4", "there are 3 games in "),
        (
            "--game 1 --from 11",
            "game 1 has 10 moves: use --from 0 to 10",
        ),
        ("--game 0", "use a whole number from 1"),
        ("--last", "--game <K>"),
        ("--game 1 --last --every 2", "cannot be used with"),
        ("--game 1 --delay 5", "--watch"),
        ("--game 1 --watch", "watching needs a terminal"),
    ] {
        let found = fails(&format!("replay {file} {arguments}"), 2);
        assert!(found.contains(line), "{found}");
    }
    let missing = path(&dir, "nowhere/games.tb");
    for command in ["replay", "play 2x2 --player random --record"] {
        let found = fails(&format!("{command} {missing}"), 1);
        assert!(found.contains("nowhere/games.tb: "), "{found}");
    }
    // A game that a wrong request did not play is not recorded.
    let none = path(&dir, "none.tb");
    fails(&format!("play 5x5 --player one-ply --record {none}"), 2);
    fails(&format!("play 4x4 --record {none}"), 2);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Ctrl-C leaves a whole file with the games that were played.
#[cfg(unix)]
#[test]
fn an_interrupted_series_leaves_its_games() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    let child = tilebase("play 4x4 --player random --games 1000000000 --seed 1 --json")
        .args(["--record", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    assert!(!fs::exists(&file).unwrap(), "not before it is finished");
    let kill = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let played: Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = json(&format!("replay {file}"));
    assert_eq!(
        (&found["ok"], &found["spawns_match_seed"]),
        (&true.into(), &true.into())
    );
    // Games that were going on are in the record, too.
    let unfinished = &played["unfinished"];
    let total = |answer: &Value| match answer {
        Value::Null => (0, 0.0),
        answer => {
            let games = answer["games"].as_u64().unwrap();
            let mean = &answer["mean_score"];
            (games, mean.as_f64().map_or(0.0, |mean| mean * games as f64))
        }
    };
    let (played, unfinished, found) = (total(&played), total(unfinished), total(&found));
    assert_eq!(found.0, played.0 + unfinished.0);
    assert!((found.1 - played.1 - unfinished.1).abs() < 1e-6 * found.1);
    assert!(played.0 > 0);
}

/// A full disk ends the series with one line, and nothing is left on it.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_leaves_nothing() {
    let Some(disk) = common::SmallDisk::new("100k") else {
        return;
    };
    let file = path(&disk.dir, "games.tb");
    let command = format!("play 4x4 --player random --games 100000 --seed 1 --record {file}");
    let line = fails(&command, 1);
    assert!(line.contains("games.tb: No space left"), "{line}");
    assert_eq!(fs::read_dir(disk.dir.path()).unwrap().count(), 0);
    disk.grow("10m");
    text(&command.replace("100000", "1000"));
    text(&format!("replay {file}"));
}

/// The accuracy of exact moves by a plain formula: of a probability the loss itself counts.
fn accuracy(moves: &[Value]) -> f64 {
    let lost = moves.iter().map(|m| match m["grade"].as_str().unwrap() {
        "best" | "about_equal" => 0.0,
        _ => number(&m["loss"]),
    });
    let sum: f64 = lost.map(|lost| 100.0 * (-25.0 * lost).exp()).sum();
    sum / moves.len() as f64
}

#[test]
fn games_are_reviewed_exactly_or_by_search() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    record("3x3 --to 64 --player greedy --games 2 --seed 4", &file);
    let table = path(&dir, "tables/3x3-64");
    fs::create_dir(path(&dir, "tables")).unwrap();
    text(&format!("solve 3x3 --to 64 --out {table} --json"));
    let tables = path(&dir, "tables");
    // Small games are solved, others are looked up in tables.
    for (more, source) in [
        (String::new(), "exact"),
        (format!("--table {table}"), "table"),
        (format!("--tables {tables}"), "table"),
    ] {
        let review = json(&format!("replay {file} --game 2 --review {more}"));
        let shown = json(&format!("replay {file} --game 2"));
        let moves = review["moves"].as_array().unwrap();
        assert_eq!(moves.len() as u64, shown["moves"].as_u64().unwrap());
        assert_eq!(
            (&review["game"], &review["score"]),
            (&Value::from(2), &shown["score"])
        );
        for (ply, m) in moves.iter().enumerate() {
            assert_eq!(m["source"], source);
            assert_eq!(m["board"], shown["positions"][ply]["board"]);
            assert_eq!(m["move"], shown["positions"][ply + 1]["move"]);
            let probe = json(&format!(
                "probe {table} --board {}",
                m["board"].as_str().unwrap()
            ));
            assert_eq!(m["best"], probe["best"]);
            let same = probe["moves"].as_array().unwrap().iter();
            let same = same
                .clone()
                .find(|other| other["move"] == m["move"])
                .unwrap();
            assert_eq!(m["loss"], same["loss"], "{ply}");
        }
        assert!((number(&review["accuracy"]) - accuracy(moves)).abs() < 1e-9);
        assert!(number(&review["accuracy"]) < 100.0);
        let counted = review["grades"].as_object().unwrap().values();
        assert_eq!(
            counted.map(|n| n.as_u64().unwrap()).sum::<u64>(),
            moves.len() as u64
        );
    }
    let shown = text(&format!("replay {file} --game 2 --review"));
    for what in ["accuracy ", "worst moves:", "played", "blunder", " → "] {
        assert!(shown.contains(what), "{shown}");
    }
    record("4x4 --player corner --games 1 --seed 4", &file);
    let review = json(&format!("replay {file} --review"));
    assert_eq!(review["moves"][0]["source"], "estimate");
    assert_eq!(
        (&review["unit"], &review["game"]),
        (&Value::from("points"), &Value::from(1))
    );
    let shown = text(&format!("replay {file} --review --depth 2"));
    assert!(
        shown.contains(" points") && shown.contains("2048: "),
        "{shown}"
    );
    record("5x5 --to 32 --player greedy --games 1 --seed 4", &file);
    let why = fails(&format!("replay {file} --review"), 2);
    assert!(why.contains("up to 4x4"), "{why}");
    fails(&format!("replay {file} --depth 3"), 2);
}

#[test]
fn a_review_can_be_interrupted() {
    let dir = temporary();
    let file = path(&dir, "games.tb");
    record(
        "4x4 --player expectimax --depth 1 --games 1 --seed 4",
        &file,
    );
    let child = tilebase(&format!("replay {file} --review --depth 8"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(4));
    let kill = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(output.stderr, b"tilebase: interrupted\n");
}
