//! A human at the keyboard: `tilebase play` without a player.

mod keys;
mod screen;
mod session;

use std::io::{IsTerminal, Stderr, stderr, stdin};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use tilebase_play::{Game, GameLog, GameResult};

use crate::failure::Failure;
use crate::interrupt;
use session::Session;

/// Lets the user play, starting with `game`; returns the games with their moves.
///
/// The screen is drawn on stderr: stdout is for the answer.
pub fn play(game: Game, seed: u64) -> Result<Vec<(GameResult, GameLog)>, Failure> {
    if !stdin().is_terminal() || !stderr().is_terminal() {
        return Err(Failure::request(
            "playing yourself needs a terminal: use one, or let a player play with --player random",
        ));
    }
    interrupt::listen_and_insist();
    let mut session = Session::new(game, seed);
    let mut screen =
        Screen::open().map_err(|error| Failure::work("opening the terminal", error))?;
    let outcome = screen.run(&mut session);
    drop(screen);
    outcome.map_err(|error| Failure::work("using the terminal", error))?;
    Ok(session.records())
}

/// The terminal in full-screen mode; dropping it restores the terminal.
struct Screen {
    terminal: Terminal<CrosstermBackend<Stderr>>,
}

impl Screen {
    fn open() -> std::io::Result<Screen> {
        enable_raw_mode()?;
        // From here on dropping restores the terminal, also when the next steps fail.
        let terminal = Terminal::new(CrosstermBackend::new(stderr())).inspect_err(|_| {
            let _ = disable_raw_mode();
        })?;
        let screen = Screen { terminal };
        execute!(stderr(), EnterAlternateScreen)?;
        Ok(screen)
    }

    /// Draws and handles keys until the user quits.
    fn run(&mut self, session: &mut Session) -> std::io::Result<()> {
        let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        loop {
            self.terminal
                .draw(|frame| screen::draw(frame, session, colours))?;
            // Wake up now and then to notice a request to terminate.
            while !event::poll(Duration::from_millis(200))? {
                if interrupt::asked() {
                    return Ok(());
                }
            }
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && let Some(action) = keys::action(key)
                && session.act(action).is_break()
            {
                return Ok(());
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that does not respond cannot be restored.
        let _ = execute!(stderr(), LeaveAlternateScreen);
        let _ = self.terminal.show_cursor();
        let _ = disable_raw_mode();
    }
}
