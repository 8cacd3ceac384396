//! The game in a real terminal: keys go in, the screen is read back.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::{Read, Write};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pty_process::blocking::{Command, Pty, open};

/// The program in a terminal of a given size.
struct Sitting {
    pty: Arc<Pty>,
    screen: Arc<Mutex<vt100::Parser>>,
    child: std::process::Child,
}

impl Sitting {
    fn new(arguments: &str, rows: u16, cols: u16) -> Sitting {
        let (pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(rows, cols)).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_tilebase"))
            .args(arguments.split_whitespace())
            .env("TERM", "xterm-256color")
            .stdout(Stdio::piped())
            .spawn(pts)
            .unwrap();
        let pty = Arc::new(pty);
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, cols, 0)));
        let (from, to) = (pty.clone(), screen.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = (&*from).read(&mut bytes) {
                to.lock().unwrap().process(&bytes[..n]);
            }
        });
        Sitting { pty, screen, child }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn press(&self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until the screen shows a text.
    fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contains(text));
    }

    fn wait(&self, what: &str, reached: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !reached(&self.text()) {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "waited for {what}, saw\n{}",
                self.text()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The answer on stdout after quitting.
    fn finish(mut self) -> String {
        let mut answer = String::new();
        let mut stdout = self.child.stdout.take().unwrap();
        stdout.read_to_string(&mut answer).unwrap();
        assert!(self.child.wait().unwrap().success());
        // The reader may be a moment behind the program's last words.
        self.wait("the terminal to be given back", |_| {
            let parser = self.screen.lock().unwrap();
            !parser.screen().alternate_screen() && !parser.screen().hide_cursor()
        });
        answer
    }
}

#[test]
fn a_game_at_80x24() {
    let sitting = Sitting::new("play 4x4 --seed 3 --json", 24, 80);
    sitting.wait_for("tilebase 4x4-to-2048   seed 3");
    sitting.wait_for("moves 0");
    sitting.wait_for("arrows, WASD or hjkl: slide   u: undo   n: new game   q: quit");
    let start = sitting.text();
    // All kinds of keys slide: one of two opposite ways always does.
    sitting.press("\x1b[D\x1b[A");
    sitting.wait("a move", |screen| !screen.contains("moves 0"));
    sitting.press("asdwhjklASDW");
    sitting.wait("more moves", |screen| screen.contains("moves 1"));
    for _ in 0..20 {
        sitting.press("u");
    }
    sitting.wait("the start again", |screen| screen == start);
    sitting.press("\x1b[C\x1b[B");
    sitting.wait("a move", |screen| !screen.contains("moves 0"));
    sitting.press("n");
    sitting.wait("a new game", |screen| {
        screen.contains("moves 0") && screen != start
    });
    sitting.press("q");
    let answer: serde_json::Value = serde_json::from_str(&sitting.finish()).unwrap();
    assert_eq!(answer["player"], "human");
    assert_eq!(answer["games"], 2);
    assert_eq!(answer["seed"], 3);
}

#[test]
fn the_target_and_the_end_are_shown() {
    let sitting = Sitting::new("play 2x2 --to 8 --spawn 2:1 --board 4,4/16,2", 24, 80);
    // The board is won already: the largest tile is above the target.
    sitting.wait_for("You made it!");
    sitting.press("\x1b[D");
    sitting.wait_for("score 8   largest 16   moves 1");
    sitting.press("\x03");
    let answer = sitting.finish();
    assert!(answer.contains("reached 8 in 1 (100.0 %)"), "{answer}");

    let sitting = Sitting::new("play 1x2 --spawn 4:1 --board 2,.", 24, 80);
    sitting.press("l");
    sitting.wait_for("No move is left.");
    sitting.press("q");
    sitting.finish();
}

#[test]
fn a_small_window_says_what_it_needs() {
    let sitting = Sitting::new("play 8x8 --seed 1", 8, 60);
    sitting.wait_for("A 8x8 board needs 31 columns and 12 lines");
    // The reader first: the program draws anew as soon as it hears of the new size.
    sitting.screen.lock().unwrap().screen_mut().set_size(24, 80);
    sitting.pty.resize(pty_process::Size::new(24, 80)).unwrap();
    sitting.wait_for("moves 0");
    sitting.press("q");
    sitting.finish();
}

/// A request to terminate gives the terminal back too.
#[test]
fn a_terminated_game_gives_the_terminal_back() {
    let sitting = Sitting::new("play 4x4 --seed 1", 24, 80);
    sitting.wait_for("moves 0");
    let kill = std::process::Command::new("sh")
        .args(["-c", &format!("kill -TERM {}", sitting.child.id())])
        .status();
    assert!(kill.unwrap().success());
    assert!(sitting.finish().contains("human on 4x4: 1 game"));
}

/// A terminal that goes away takes the game with it.
#[test]
fn a_closed_terminal_ends_the_game() {
    let (pty, pts) = open().unwrap();
    pty.resize(pty_process::Size::new(24, 80)).unwrap();
    let command = Command::new(env!("CARGO_BIN_EXE_tilebase")).args(["play", "4x4"]);
    let mut child = command.stdout(Stdio::null()).spawn(pts).unwrap();
    // Something has been drawn, so it listens.
    (&pty).read_exact(&mut [0; 64]).unwrap();
    drop(pty);
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        let waited = start.elapsed();
        if waited > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("still running");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What a human played can be recorded, undone moves left out, and watched.
#[test]
fn a_humans_game_is_recorded_and_watched() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.tb");
    let file = file.to_str().unwrap();
    let sitting = Sitting::new(&format!("play 2x2 --seed 3 --record {file} --json"), 24, 80);
    sitting.wait_for("moves 0");
    for _ in 0..5 {
        sitting.press("\x1b[D\x1b[A\x1b[C\x1b[B");
    }
    sitting.wait("moves", |screen| !screen.contains("moves 0"));
    sitting.press("un");
    sitting.wait_for("moves 0");
    sitting.press("q");
    let answer: serde_json::Value = serde_json::from_str(&sitting.finish()).unwrap();
    assert_eq!(answer["record"], file);
    let replay = |more: &str| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tilebase"))
            .args(format!("replay {file} --json {more}").split_whitespace())
            .output();
        let object: serde_json::Value = serde_json::from_slice(&output.unwrap().stdout).unwrap();
        object
    };
    let found = replay("");
    assert_eq!(found["player"], "human");
    assert_eq!(
        (&found["ok"], &found["spawns_match_seed"]),
        (&true.into(), &true.into())
    );
    for field in ["games", "mean_score", "mean_moves", "max_tile", "reached"] {
        assert_eq!(found[field], answer[field], "{field}");
    }

    let sitting = Sitting::new(
        &format!("replay {file} --game 1 --watch --delay 100 --json"),
        24,
        80,
    );
    sitting.wait_for("game 1 of 2x2 by human, seed 3");
    sitting.wait_for("move 1: ");
    let shown: serde_json::Value = serde_json::from_str(&sitting.finish()).unwrap();
    assert_eq!(shown["positions"], replay("--game 1 --last")["positions"]);

    // From a given position, and whoever has seen enough stops.
    let command = format!("play 2x2 --board 4,4/.,. --seed 1 --record {file}");
    let sitting = Sitting::new(&command, 24, 80);
    sitting.press("\x1b[D");
    sitting.wait_for("score 8   largest 8   moves 1");
    sitting.press("q");
    sitting.finish();
    assert_eq!(replay("")["spawns_match_seed"], true);
    assert_eq!(replay("--game 1")["ending"], "given_up");
    let mut sitting = Sitting::new(
        &format!("replay {file} --game 1 --watch --delay 60000"),
        24,
        80,
    );
    sitting.wait_for("start");
    sitting.press("\x03");
    assert_eq!(sitting.child.wait().unwrap().code(), Some(130));
}

/// A plan is shown board by board, and stays on the screen as text.
#[test]
fn a_plan_is_shown() {
    let sitting = Sitting::new("plan 2x2 --to 8 --replay --delay 300", 24, 80);
    sitting.wait_for("2x2 to 8, tiles fall into the first empty cell");
    sitting.wait_for(", 2 in row 1, column ");
    let shown = sitting.finish();
    assert!(shown.contains("4 slides, the fewest possible"), "{shown}");
    let mut sitting = Sitting::new("plan 2x2 --to 8 --replay --delay 60000", 24, 80);
    sitting.wait_for("start");
    sitting.press("\x03");
    assert_eq!(sitting.child.wait().unwrap().code(), Some(130));
}

/// Long work shows a line of progress in a terminal.
#[test]
fn long_work_shows_progress() {
    let sitting = Sitting::new(
        "play 4x4 --player random --games 100000000 --seed 1",
        24,
        80,
    );
    sitting.wait("progress", |screen| {
        screen.contains("/100,000,000 games (") && screen.contains(" left")
    });
    sitting.press("\x03");
    let mut sitting = sitting;
    let mut answer = String::new();
    sitting
        .child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut answer)
        .unwrap();
    assert_eq!(sitting.child.wait().unwrap().code(), Some(130));
    assert!(answer.starts_with("random on 4x4: "), "{answer}");
}

/// Draws docs/images/play.svg anew:
/// `cargo test -p tilebase --test terminal -- --ignored picture`.
#[test]
#[ignore = "writes a picture for the docs"]
fn picture() {
    let board = "2048,512,64,4/256,128,32,8/16,8,4,2/2,.,.,2";
    let sitting = Sitting::new(&format!("play 4x4 --seed 5 --board {board}"), 24, 80);
    sitting.wait_for("moves 0");
    sitting.press("l");
    sitting.wait_for("moves 1");
    let svg = svg(sitting.screen.lock().unwrap().screen());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/images/play.svg");
    std::fs::write(path, svg).unwrap();
    sitting.press("q");
    sitting.finish();
}

/// A terminal's screen as SVG.
fn svg(screen: &vt100::Screen) -> String {
    use std::fmt::Write as _;
    const CELL: (u16, u16) = (9, 19);
    let (rows, cols) = screen.size();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" \
         font-family=\"monospace\" font-size=\"15\">\n\
         <rect width=\"{0}\" height=\"{1}\" rx=\"8\" fill=\"#1b1b1f\"/>\n",
        cols * CELL.0,
        rows * CELL.1
    );
    for row in 0..rows {
        for col in 0..cols {
            let cell = screen.cell(row, col).unwrap();
            let (x, y) = (col * CELL.0, row * CELL.1);
            if let vt100::Color::Idx(index) = cell.bgcolor() {
                let (width, height) = CELL;
                let fill = rgb(index);
                // A hair wider than the cell, so that no seams show.
                writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}.3\" height=\"{height}.3\" fill=\"{fill}\"/>").unwrap();
            }
            if cell.has_contents() && cell.contents() != " " {
                let fill = match cell.fgcolor() {
                    vt100::Color::Idx(index) => rgb(index),
                    _ => "#e6e6e6".to_owned(),
                };
                let weight = if cell.bold() {
                    " font-weight=\"bold\""
                } else {
                    ""
                };
                let (y, text) = (y + 14, cell.contents());
                writeln!(
                    svg,
                    "<text x=\"{x}\" y=\"{y}\" fill=\"{fill}\"{weight}>{text}</text>"
                )
                .unwrap();
            }
        }
    }
    svg + "</svg>\n"
}

/// A colour of the 256-colour palette: a cube of 6×6×6 from 16, then greys from 232.
fn rgb(index: u8) -> String {
    let level = |n: u8| if n == 0 { 0 } else { 55 + 40 * n };
    let [r, g, b] = match index {
        232.. => [8 + 10 * (index - 232); 3],
        16.. => {
            let i = index - 16;
            [level(i / 36), level(i / 6 % 6), level(i % 6)]
        }
        _ => [0; 3],
    };
    format!("#{r:02x}{g:02x}{b:02x}")
}
