//! `tilebase plan` as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Command, Stdio};

use crate::common;
use serde_json::Value;
use tilebase_game::{Grid, Shape};
use tilebase_naive::{Direction, Position};

fn json(arguments: &str) -> Value {
    common::json(&format!("plan {arguments}"))
}

fn text(arguments: &str) -> String {
    common::text(&format!("plan {arguments}"))
}

/// Replays moves with the naive rules, tiles of 2 falling into the first empty cell or where the
/// answer says; returns the largest exponent before and after the last slide.
fn replay(answer: &Value) -> (u8, u8) {
    let shape: Shape = answer["shape"].as_str().unwrap().parse().unwrap();
    let start = Grid::parse(answer["start"].as_str().unwrap(), Some(shape)).unwrap();
    let (rows, cols): (usize, usize) = (shape.rows().into(), shape.cols().into());
    let mut board = Position::new(rows, cols, start.exponents());
    let moves = answer["moves"].as_str().unwrap();
    let mut before = board.max_exponent();
    for (at, letter) in moves.chars().enumerate() {
        before = board.max_exponent();
        let direction = match letter {
            'L' => Direction::Left,
            'R' => Direction::Right,
            'U' => Direction::Up,
            _ => Direction::Down,
        };
        let after = board.slide(direction).0;
        assert_ne!(after, board, "slide {at}");
        board = after;
        if at + 1 == moves.len() && answer["reached"] == true {
            break;
        }
        match answer["spawns"].as_array() {
            Some(spawns) => {
                let number = |name: &str| spawns[at][name].as_u64().unwrap() as usize;
                let (row, col) = (number("cell") / cols, number("cell") % cols);
                assert_eq!(board.cells[row][col], 0, "tile {at}");
                board.cells[row][col] = number("tile").trailing_zeros() as u8;
            }
            None => board = board.drops(1).swap_remove(0),
        }
    }
    let last = Grid::parse(answer["board"].as_str().unwrap(), Some(shape)).unwrap();
    assert_eq!(board.exponents(), last.exponents());
    (before, board.max_exponent())
}

#[test]
fn the_goal_of_every_day_is_reached_in_the_fewest_slides() {
    for (shape, rule) in [
        ("4x4", "first"),
        ("32x32", "first"),
        ("5x3", "first"),
        ("4x4", "best"),
    ] {
        let answer = json(&format!("{shape} --to 2048 --spawn-rule {rule}"));
        assert_eq!(answer["steps"], 1032, "{shape} {rule}");
        assert_eq!(answer["lower_bound"], 1032);
        assert_eq!(answer["optimal"], true);
        assert_eq!(answer["heuristic"], "smoothness");
        assert!(answer["expanded"].as_u64().unwrap() > 1032);
        assert!(common::number(&answer["bytes_per_node"]) > 6.0);
        assert!(common::number(&answer["seconds"]) < 60.0);
        assert_eq!(replay(&answer), (10, 11), "{shape} {rule}");
    }
}

#[test]
fn every_search_finds_a_plan() {
    for options in [
        "--heuristic max-tile-weight",
        "--heuristic next-max --width 50",
        "--heuristic adjacent-propagation --corners twice",
        "--heuristic adjacent-line",
        "--search astar",
        "--search astar --heuristic sum",
        "--search astar --heuristic adjacent-line",
        "--search weighted --weight 1.5",
        "--search greedy --heuristic next-max",
        "--search breadth",
        "--optimal --width 1",
        "--spawn-rule best",
        "--spawn-rule worst",
        "--start-tiles 1",
    ] {
        let answer = json(&format!("3x3 --to 32 {options}"));
        assert_eq!(replay(&answer), (4, 5), "{options}");
        let steps = answer["steps"].as_u64().unwrap();
        assert!(
            answer["lower_bound"].as_u64().unwrap() <= steps,
            "{options}"
        );
        if answer["optimal"] == true && !options.contains("worst") {
            let fewest = if options.contains("start-tiles") {
                19
            } else {
                18
            };
            assert_eq!(steps, fewest, "{options}");
        }
    }
    let dice = ["1", "1", "2"].map(|seed| {
        let answer = json(&format!("3x3 --to 32 --spawn-rule random --seed {seed}"));
        assert_eq!(answer["reached"], true);
        answer["moves"].clone()
    });
    assert_eq!(dice[0], dice[1]);
    assert_ne!(dice[0], dice[2]);
}

#[test]
fn what_cannot_be_is_said() {
    // A position without a legal slide, and one from which 32 is out of reach.
    let stuck = json("--board 2,4/4,2 --to 8");
    assert_eq!(
        (&stuck["reached"], &stuck["reachable"]),
        (&false.into(), &false.into())
    );
    assert_eq!(stuck["moves"], "");
    assert!(stuck["steps"].is_null());
    assert!(text("--board 2,4/.,8 --to 32").contains("no plan makes it: nothing was left out"));
    // A single row that is stuck, and one that an adversary can make so.
    assert_eq!(json("--board 2,4,2,4 --to 16")["reachable"], false);
    assert_eq!(json("1x3 --to 8 --spawn-rule worst")["reachable"], false);
    assert!(text("2x2 --to 32 --spawn 2:0.9,4:0.1 --spawn-rule worst").contains("can prevent it"));
    // One position is not enough.
    let one = json("4x4 --to 2048 --nodes 1");
    assert_eq!(
        (&one["reached"], &one["end"]),
        (&false.into(), &"nodes".into())
    );
    assert!(one["reachable"].is_null() && one["expanded"] == 1);
    let said = text("4x4 --to 2048 --nodes 1");
    assert!(
        said.contains("stopped after 1 position, as --nodes says"),
        "{said}"
    );
    assert!(
        said.contains("the most promising line makes 4 in 1 slide\n"),
        "{said}"
    );
    assert!(text("4x4 --to 2048 --width 1").contains("the beam ran dry"));
    assert_eq!(json("4x4 --to 2048 --memory 1kB")["end"], "memory");
    assert_eq!(
        json("4x4 --to 8 --board 8,2,.,./.,.,.,./.,.,.,./.,.,.,.")["steps"],
        0
    );
}

#[test]
fn boards_are_shown_where_asked_for() {
    let shown = text("2x2 --to 8 --replay");
    assert!(
        shown.contains("    0 start\n    2  2\n    .  .\n"),
        "{shown}"
    );
    let first = [
        "    1 left, 2 in row 1, column 2\n",
        "    1 right, 2 in row 1, column 1\n",
    ];
    assert!(first.iter().any(|line| shown.contains(line)), "{shown}");
    let boards = json("2x2 --to 8 --replay");
    assert_eq!(boards["boards"].as_array().unwrap().len(), 5);
    assert!(json("2x2 --to 8")["boards"].is_null());
}

#[test]
fn the_comparison_holds_the_published_figures() {
    let dir = common::temporary();
    let svg = common::path(&dir, "table.svg");
    let answer = json(&format!("--table --svg {svg}"));
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 12 * 7);
    let mut published = 0;
    for row in rows {
        if let Some(steps) = row["published_steps"].as_u64() {
            published += 1;
            assert!(row["steps"].as_u64().unwrap() <= steps, "{row}");
        }
        if row["heuristic"] == "smoothness" {
            let bound = common::number(&row["lower_bound"]);
            assert!(common::number(&row["steps"]) <= 1.02 * bound, "{row}");
        }
    }
    assert_eq!(published, 29);
    let table = text("--table --width 4");
    assert!(table.starts_with("Beams of width 4, "), "{table}");
    assert!(table.contains("\n| 4x4 | 2048 | next-max | "), "{table}");
}

/// Ctrl-C ends a long search soon, with the best so far.
#[cfg(unix)]
#[test]
fn it_can_be_interrupted() {
    for task in [
        "4x4 --to 512 --search breadth",
        "4x4 --to 512 --spawn-rule worst",
    ] {
        let child = common::tilebase(&format!("plan {task} --json"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(500));
        let kill = Command::new("sh")
            .args(["-c", &format!("kill -INT {}", child.id())])
            .status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{task}");
        assert_eq!(output.stderr, b"tilebase: interrupted\n");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["end"], "interrupted");
        assert_eq!(answer["reached"], false);
        replay(&answer);
    }
}

#[test]
fn wrong_requests_get_one_line_and_status_2() {
    for (arguments, expected) in [
        ("", "SHAPE"),
        ("4x4", "no goal given: say which tile, such as --to 2048"),
        ("4x4 --to 4", "use a power of two from 8"),
        ("4x4 --to 2047", "use a power of two from 8"),
        ("33x4 --to 8", "rows and columns go from 1 to 32"),
        (
            "2x2 --to 32",
            "32 cannot be made on a 2x2 board with these tiles: at most 16",
        ),
        ("1x1 --to 8", "2 start tiles do not fit a 1x1 board"),
        ("32x32 --to 2^40", "at most 134217728 here"),
        (
            "4x4 --to 8 --heuristic best",
            "'best' is not a heuristic: use one of max-tile-weight",
        ),
        (
            "4x4 --to 8 --search depth",
            "'depth' is not a search: use beam",
        ),
        (
            "4x4 --to 8 --spawn-rule last",
            "'last' is not a rule: use first",
        ),
        (
            "4x4 --to 8 --search astar --heuristic smoothness",
            "use --search beam with it",
        ),
        (
            "4x4 --to 8 --search breadth --heuristic sum",
            "leave out --heuristic",
        ),
        (
            "4x4 --to 8 --search astar --width 3",
            "--width is for beams",
        ),
        ("4x4 --to 8 --weight 3", "--weight is for weighted searches"),
        (
            "4x4 --to 8 --search weighted --weight 0.5",
            "use a number from 1 to 1000",
        ),
        ("4x4 --to 8 --corners twice", "--corners is for rings"),
        ("4x4 --to 8 --seed 1", "no dice are thrown here"),
        ("4x4 --to 8 --width 0", "use a whole number from 1"),
        ("4x4 --to 8 --nodes 0", "use a whole number from 1"),
        (
            "4x4 --to 8 --start-tiles 17",
            "17 start tiles do not fit a 4x4 board",
        ),
        ("4x4 --to 8 --board 2,2/.,.", "the board has 2 rows"),
        ("--to 8 --board .,./.,.", "the board has no tile"),
        (
            "--to 8 --board 2,2/.,. --start-tiles 2",
            "cannot be used with",
        ),
        ("5x5 --to 8 --spawn-rule worst", "for boards up to 4x4"),
        (
            "3x3 --to 8 --spawn-rule worst --width 3",
            "tries everything",
        ),
        ("4x4 --to 8 --svg x.svg", "--table"),
        ("4x4 --to 8 --delay 3", "--replay"),
        ("--table --to 8", "cannot be used with"),
        ("--table --optimal", "cannot be used with"),
    ] {
        for json in ["", " --json"] {
            let line = common::fails(&format!("plan {arguments}{json}"), 2);
            assert!(line.contains(expected), "{arguments}: {line}");
        }
    }
}

#[test]
fn help_has_examples() {
    assert!(text("--help").contains("Examples:\n  tilebase plan 4x4 --to 2048"));
}
