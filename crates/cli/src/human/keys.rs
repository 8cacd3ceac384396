//! What each key does.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tilebase_game::Move;

use super::session::Action;

/// The keys, for the line below the board.
pub const HELP: [&str; 2] = [
    "arrows, WASD or hjkl: slide   u: undo   n: new game   q: quit",
    "u: undo  n: new  q: quit",
];

/// The action of a key.
pub fn action(key: KeyEvent) -> Option<Action> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c' | 'd') => Some(Action::Quit),
            _ => None,
        };
    }
    match key.code {
        KeyCode::Left => Some(Action::Slide(Move::Left)),
        KeyCode::Right => Some(Action::Slide(Move::Right)),
        KeyCode::Up => Some(Action::Slide(Move::Up)),
        KeyCode::Down => Some(Action::Slide(Move::Down)),
        KeyCode::Backspace => Some(Action::Undo),
        KeyCode::Char(letter) => match letter.to_ascii_lowercase() {
            'a' | 'h' => Some(Action::Slide(Move::Left)),
            'd' | 'l' => Some(Action::Slide(Move::Right)),
            'w' | 'k' => Some(Action::Slide(Move::Up)),
            's' | 'j' => Some(Action::Slide(Move::Down)),
            'u' => Some(Action::Undo),
            'n' => Some(Action::New),
            'q' => Some(Action::Quit),
            _ => None,
        },
        _ => None,
    }
}
