//! A game in the terminal, one position after the other.

use std::io::{self, BufWriter, IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use ratatui::crossterm::cursor::{Hide, MoveTo, Show};
use ratatui::crossterm::style::Print;
use ratatui::crossterm::terminal::{
    self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen,
};
use ratatui::crossterm::{execute, queue};

use crate::failure::Failure;
use crate::interrupt;

/// How often to look whether the user has had enough.
const GLANCE: Duration = Duration::from_millis(20);

/// Whether there is a terminal to show anything in.
pub fn is_possible() -> bool {
    stderr().is_terminal()
}

/// Shows the texts of positions with so many milliseconds between them.
///
/// They are drawn on stderr, so that stdout is left for the answer.
pub fn run(
    title: &str,
    positions: impl Iterator<Item = String>,
    delay: u64,
) -> Result<(), Failure> {
    interrupt::listen();
    let failed = |error| Failure::work("using the terminal", error);
    let _screen = Screen::open().map_err(failed)?;
    for position in positions {
        draw(&format!("{title}\n\n{position}\nCtrl-C: stop\n")).map_err(failed)?;
        if !wait(Duration::from_millis(delay)) {
            return Err(Failure::Interrupted);
        }
    }
    Ok(())
}

/// Replaces what the screen shows, as far as it fits. Lines are overwritten and their rests
/// cleared, which flickers less than a cleared screen.
fn draw(text: &str) -> io::Result<()> {
    let (columns, rows) = terminal::size()?;
    let mut out = BufWriter::new(stderr());
    for (row, line) in (0..rows).zip(text.lines()) {
        let line: String = line.chars().take(columns.into()).collect();
        queue!(
            out,
            MoveTo(0, row),
            Clear(ClearType::CurrentLine),
            Print(line)
        )?;
    }
    queue!(out, Clear(ClearType::FromCursorDown))?;
    out.flush()
}

/// Waits; `false` if the user asked to stop.
fn wait(time: Duration) -> bool {
    let start = Instant::now();
    while !interrupt::asked() {
        match time.saturating_sub(start.elapsed()) {
            Duration::ZERO => return true,
            left => std::thread::sleep(left.min(GLANCE)),
        }
    }
    false
}

/// The terminal in full-screen mode; dropping it gives the terminal back as it was.
struct Screen;

impl Screen {
    fn open() -> io::Result<Screen> {
        let screen = Screen;
        execute!(stderr(), EnterAlternateScreen, Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing better can be done with a terminal that does not answer any more.
        let _ = execute!(stderr(), Show, LeaveAlternateScreen);
    }
}
