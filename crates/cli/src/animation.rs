//! Playback of a game in the terminal.

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

/// Time between two checks for an interrupt.
const CHECK_EVERY: Duration = Duration::from_millis(20);

/// Whether there is a terminal to draw in.
pub fn is_possible() -> bool {
    stderr().is_terminal()
}

/// Shows the texts of positions, `delay` milliseconds apart.
///
/// They are drawn on stderr: stdout is for the answer.
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

/// Replaces the text on the screen, as far as it fits. Overwriting lines flickers less than
/// clearing the screen.
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
            left => std::thread::sleep(left.min(CHECK_EVERY)),
        }
    }
    false
}

/// The terminal in full-screen mode; dropping it restores the terminal.
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
        // A terminal that does not respond cannot be restored.
        let _ = execute!(stderr(), Show, LeaveAlternateScreen);
    }
}
