//! Games with walls, as a user meets them: tables, boards, proofs, and positions that fit.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use crate::common::{fails, json, number, path, temporary, text};

#[test]
fn every_command_knows_boards_with_walls() {
    let dir = temporary();
    let table = path(&dir, "free5");
    let solved = json(&format!(
        "solve 3x3 --formation free5 --to 32 --out {table}"
    ));
    assert_eq!(
        (&solved["formation"], &solved["walls"]),
        (&"free5".into(), &4.into())
    );
    assert_eq!(solved["keep"].as_array().unwrap().len(), 0);
    assert_eq!(solved["goal_cells"], "fffffffff");
    let start = number(&solved["start_value"]);

    let board = "#,#,2/#,#,./2,.,.";
    let probed = json(&format!("probe {table} --board {board}"));
    assert_eq!(probed["tiles"], board);
    assert_eq!(probed["board"], "0xff1ff0100");
    assert_eq!(probed["variant"], "3x3-to-32-formation-free5");
    assert_eq!(probed["moves"][0]["afterstate"], "0xff10ff001");
    let again = json(&format!("probe {table} --board 0xff1ff0100"));
    assert_eq!(probed["value"], again["value"]);
    let shown = text(&format!("probe {table} --board {board}"));
    assert!(
        shown.starts_with("    #  #  2\n    #  #  .\n    2  .  .\n"),
        "{shown}"
    );
    let advised = json(&format!("advise --board {board} --table {table}"));
    assert_eq!(advised["value"], probed["value"]);

    let followed = json(&format!("follow {table}"));
    assert!((number(&followed["won"]) - start).abs() < 1e-9);
    for player in ["random", "greedy", "corner", "one-ply"] {
        let played = json(&format!("evaluate {table} --player {player}"));
        let won = number(&played["won"]);
        assert!((won - number(&played["value"])).abs() < 1e-9, "{player}");
        let optimal = number(&played["optimal"]);
        assert!(won < start && (optimal - start).abs() < 1e-12, "{player}");
        let regret = number(&played["regret"]) - number(&played["regret_by_layers"]);
        assert!(regret.abs() < 1e-9, "{player}");
    }
    let info = json(&format!("table info {table}"));
    assert_eq!(
        (&info["formation"], &info["walls"]),
        (&"free5".into(), &4.into())
    );
    assert_eq!(json(&format!("table verify {table}"))["ok"], true);
    let slim = path(&dir, "slim");
    text(&format!("table strip {table} --out {slim}"));
    let best = json(&format!("probe {slim} --board {board}"));
    assert_eq!(best["best"], probed["best"]);

    let csv = text(&format!("export {table} --format csv"));
    assert_eq!(
        csv.lines().count() as u64,
        1 + solved["states"].as_u64().unwrap()
    );
    // The first layer: two 2s, and walls that count nothing.
    let first = csv.lines().nth(1).unwrap();
    let fields: Vec<&str> = first.split(',').collect();
    assert_eq!((fields[1], fields[2]), ("4", "2"), "{first}");
    let model = text(&format!("export {table} --format drn"));
    assert!(model.contains("//#,") || model.contains(",#"));
}

#[test]
fn requests_that_make_no_sense_are_refused_in_a_line() {
    let dir = temporary();
    let table = path(&dir, "l3");
    text(&format!("solve 4x4 --formation L3 --to 8 --out {table}"));
    for (arguments, part) in [
        (
            format!("probe {table} --board .,.,.,2/.,.,.,2/.,#,#,#/.,#,#,."),
            "has 5 walls: the formation has 6",
        ),
        (
            format!("probe {table} --board .,.,.,2/.,.,.,32768/.,#,#,#/.,#,#,#"),
            "above 16384",
        ),
        (
            format!("evaluate {table} --player expectimax"),
            "does not know walls",
        ),
        (
            format!("play 4x4 --player optimal --table {table}"),
            "games with walls are not played",
        ),
        (
            "moves --board #,2/2,.".to_owned(),
            "is a wall, '#', and this game has none",
        ),
        (
            "advise --board #,2/2,.".to_owned(),
            "needs a table of its formation",
        ),
        (
            "prove 4x4 --formation L3 --to 16 --engine search".to_owned(),
            "use --engine layers",
        ),
        (
            "prove 4x4 --formation L3 --to 16 --engine bdd".to_owned(),
            "use --engine layers",
        ),
        (
            "prove 4x4 --formation L3 --best".to_owned(),
            "--best does not know walls",
        ),
        (
            "prove 4x4 --formation L9 --to 16".to_owned(),
            "there is no formation 'L9'",
        ),
        (
            "prove 4x4 --formation L3 --to 32768".to_owned(),
            "out of range",
        ),
    ] {
        let error = fails(&arguments, 2);
        assert!(error.contains(part), "{arguments}: {error}");
    }
    // Walls that cannot stand there are a position that cannot arise.
    let probed = json(&format!(
        "probe {table} --board .,.,.,2/#,#,#,2/.,.,.,./#,#,#,."
    ));
    assert_eq!(probed["status"], "unreachable");
    assert_eq!(probed["exact"], false);
}

#[test]
fn what_is_proved_is_solved() {
    for (game, target) in [
        ("3x3 --formation free6", 8),
        ("3x3 --walls 2 --keep ff", 16),
        ("4x4 --formation L3", 8),
    ] {
        let dir = temporary();
        let table = path(&dir, "table");
        let solved = json(&format!(
            "solve {game} --to {target} --start-tiles 1 --out {table}"
        ));
        let proved = json(&format!("prove {game} --to {target} --drops 2,4"));
        assert_eq!(proved["engine"], "layers");
        assert_eq!(
            proved["winner"] == "slider",
            solved["category"] == "sure_win",
            "{game}"
        );
        assert_eq!(proved["winning"], solved["sure_wins"], "{game}");
        assert_eq!(proved["walls"], solved["walls"], "{game}");
    }
    let shown = text("prove 4x4 --formation L3 --to 8 --drops 2,4");
    assert!(
        shown.starts_with("4x4 to 8, formation L3, drops of 2,4: "),
        "{shown}"
    );
}

#[test]
fn positions_that_fit_get_exact_chances() {
    let dir = temporary();
    let table = path(&dir, "l3");
    text(&format!("solve 4x4 --formation L3 --to 16 --out {table}"));
    let board = "2048,1024,512,2/256,128,16,4/.,8,.,2/.,4,.,.";
    let tables = dir.path().display();
    let advised = json(&format!(
        "advise --board {board} --depth 1 --tables {tables}"
    ));
    assert_eq!(advised["source"], "estimate");
    let formations = advised["formations"].as_array().unwrap();
    let l3 = formations.iter().find(|f| f["formation"] == "L3").unwrap();
    assert_eq!(l3["source"], "table");
    assert_eq!(l3["variant"], "4x4-to-16-formation-L3");
    assert_eq!(l3["to"], 16);
    assert_eq!(
        l3["meaning"],
        "chance to make a 16 on the ten free cells while the six large tiles stay as they are"
    );
    let turned = l3["tiles"].as_str().unwrap();
    assert_eq!(turned, ".,.,4,./2,.,8,./4,#,#,#/2,#,#,#");
    let probed = json(&format!("probe {table} --board {turned}"));
    assert_eq!(l3["value"], probed["value"]);
    // Half a turn: left is right.
    let moves = l3["moves"].as_array().unwrap();
    assert_eq!(moves.len(), probed["moves"].as_array().unwrap().len());
    let other = |m: &str| match m {
        "left" => "right",
        "right" => "left",
        "up" => "down",
        _ => "up",
    };
    for (m, truth) in moves.iter().zip(probed["moves"].as_array().unwrap()) {
        assert_eq!(m["move"], other(truth["move"].as_str().unwrap()));
        assert_eq!(m["value"], truth["value"]);
    }

    // Without the table it is solved on the spot, to the same values.
    let spot = json(&format!("advise --board {board} --depth 1"));
    let formations = spot["formations"].as_array().unwrap();
    let l3 = formations.iter().find(|f| f["formation"] == "L3").unwrap();
    assert_eq!(l3["source"], "exact");
    assert!((number(&l3["value"]) - number(&probed["value"])).abs() < 1e-12);
    let shown = text(&format!("advise --board {board} --depth 1"));
    assert!(
        shown.contains("formation L3: chance to make a 16"),
        "{shown}"
    );

    // Nothing fits.
    let plain = json("advise --board 1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2 --depth 1");
    assert!(plain.get("formations").is_none());
}

#[test]
fn small_tables_answer_as_large_ones() {
    let dir = temporary();
    let (full, rounded, best) = (
        path(&dir, "full"),
        path(&dir, "rounded"),
        path(&dir, "best"),
    );
    let game = "solve 3x3 --walls 2 --keep ff --to 64";
    let whole = json(&format!("{game} --out {full}"));
    let small = json(&format!("{game} --bits 16 --out {rounded}"));
    let kept = json(&format!("{game} --best-play --out {best}"));
    let stripped = path(&dir, "stripped");
    let again = json(&format!("table strip {full} --out {stripped} --best-play"));
    assert_eq!(
        (&again["content"], &again["states"]),
        (&"best_play".into(), &kept["states"])
    );
    assert!((number(&small["start_value"]) - number(&whole["start_value"])).abs() < 1e-9);
    assert!(number(&small["bytes"]) * 3.0 < number(&whole["bytes"]));
    assert!(number(&kept["states"]) < number(&whole["states"]));
    assert_eq!(json(&format!("table info {rounded}"))["content"], "rounded");
    for table in [&rounded, &best] {
        assert_eq!(json(&format!("table verify {table}"))["ok"], true);
        for command in ["follow", "evaluate --player greedy", "export --format csv"] {
            let (verb, rest) = command.split_once(' ').unwrap_or((command, ""));
            let line = fails(&format!("{verb} {table} {rest}"), 1);
            assert!(
                line.contains("has rounded values: this needs a table with all values"),
                "{line}"
            );
        }
    }
    let board = "2,2,./.,.,./.,#,#";
    let exact = json(&format!("probe {full} --board {board}"));
    let near = json(&format!("probe {rounded} --board {board}"));
    let (value, error) = (
        number(&exact["value"]),
        number(&near["value"]) - number(&exact["value"]),
    );
    assert!(
        error.abs() <= (1.0 - value).min(value) / 4096.0 + 1.5e-8,
        "{error}"
    );
    // A finished table is not solved again, another one goes elsewhere.
    assert_eq!(
        json(&format!("{game} --best-play --out {best}"))["bytes"],
        kept["bytes"]
    );
    assert!(fails(&format!("{game} --out {best}"), 2).contains("best play only"));
    let from = path(&dir, "from");
    let one = json(&format!("{game} --best-play --board {board} --out {from}"));
    assert_eq!(one["start_value"], exact["value"]);
    assert!(fails(&format!("{game} --best-play --out {from}"), 2).contains("from 0x1100000ff"));
    for (wrong, expected) in [
        ("--bits 32", "--bits 32 needs --device cuda"),
        (
            "--bits 8",
            "invalid width of 8 bits: use --bits 64 or --bits 16",
        ),
        ("--bits 16 --objective moves", "cannot be rounded"),
        ("--best-play --board 2,2,2/2,2,2/2,2,2", "walls"),
        ("--best-play --objective moves", "cannot be rounded"),
        ("--best-play --bits 64", "stores values in 16 bits"),
        (
            "--best-play --board 2,4,2/4,2,4/2,#,#",
            "play cannot begin at",
        ),
    ] {
        let out = path(&dir, "wrong");
        let line = fails(&format!("{game} {wrong} --out {out}"), 2);
        assert!(line.contains(expected), "{line}");
        assert!(!std::path::Path::new(&out).exists(), "{wrong}");
    }
}
