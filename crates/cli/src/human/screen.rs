//! The board in colours, as large as the terminal allows.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};
use tilebase_game::{Grid, tile_value};

use super::keys;
use super::session::Session;
use crate::output::grouped;

/// Size of a tile on the screen, without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tiles {
    width: u16,
    height: u16,
    /// Empty lines between rows; between columns there is always one.
    gap: u16,
}

/// From large to small.
const SIZES: [Tiles; 6] = [
    Tiles {
        width: 8,
        height: 3,
        gap: 1,
    },
    Tiles {
        width: 7,
        height: 1,
        gap: 1,
    },
    Tiles {
        width: 6,
        height: 1,
        gap: 0,
    },
    Tiles {
        width: 5,
        height: 1,
        gap: 0,
    },
    Tiles {
        width: 4,
        height: 1,
        gap: 0,
    },
    Tiles {
        width: 3,
        height: 1,
        gap: 0,
    },
];

/// Lines above and below the board: title, score, message, keys.
const ABOVE: u16 = 2;
const BELOW: u16 = 2;

impl Tiles {
    /// Columns and lines that a grid takes.
    fn extent(self, grid: &Grid) -> (u16, u16) {
        let (rows, cols) = (
            u16::from(grid.shape().rows()),
            u16::from(grid.shape().cols()),
        );
        (
            cols * (self.width + 1) - 1,
            rows * (self.height + self.gap) - self.gap,
        )
    }

    /// The largest size that fits, if any does.
    fn fitting(grid: &Grid, area: Rect) -> Option<Tiles> {
        SIZES.into_iter().find(|size| {
            let (width, height) = size.extent(grid);
            width <= area.width && height + ABOVE + BELOW <= area.height
        })
    }
}

/// Draws the current game.
pub fn draw(frame: &mut Frame, session: &Session, colours: bool) {
    let area = frame.area();
    let grid = session.game().grid();
    let Some(tiles) = Tiles::fitting(grid, area) else {
        let (width, height) = SIZES[SIZES.len() - 1].extent(grid);
        let text = format!(
            "A {} board needs {} columns and {} lines; there are {} and {}. \
             Make the window larger, or press q to quit.",
            grid.shape(),
            width,
            height + ABOVE + BELOW,
            area.width,
            area.height
        );
        let text = Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true });
        frame.render_widget(text, area);
        return;
    };
    let (width, height) = tiles.extent(grid);
    // What is left over goes into one empty line above the board and one below.
    let spare = area.height - (height + ABOVE + BELOW);
    let top = area.y + ABOVE + u16::from(spare >= 2);
    let left = area.x + (area.width - width) / 2;
    let buffer = frame.buffer_mut();
    heading(session, area, buffer);
    draw_tiles(session, tiles, (left, top), colours, buffer);
    footing(session, area, top + height + u16::from(spare >= 3), buffer);
}

fn line_of(area: Rect, y: u16) -> Rect {
    Rect::new(area.x, y, area.width, 1)
}

fn heading(session: &Session, area: Rect, buffer: &mut Buffer) {
    let game = session.game();
    let mut title = format!("tilebase {}", game.variant());
    if usize::from(area.width) >= title.len() + 20 {
        title = format!("{title}   seed {}", session.seed());
    }
    let score = format!(
        "score {}   largest {}   moves {}",
        grouped(game.score()),
        tile_text(game.grid().max_exponent(), usize::MAX),
        game.moves()
    );
    let bold = Style::new().add_modifier(Modifier::BOLD);
    Line::from(title)
        .alignment(Alignment::Center)
        .render(line_of(area, area.y), buffer);
    Line::styled(score, bold)
        .alignment(Alignment::Center)
        .render(line_of(area, area.y + 1), buffer);
}

fn footing(session: &Session, area: Rect, y: u16, buffer: &mut Buffer) {
    let bold = Style::new().add_modifier(Modifier::BOLD);
    Line::styled(session.message(), bold)
        .alignment(Alignment::Center)
        .render(line_of(area, y), buffer);
    let fits = |help: &&&str| help.len() <= usize::from(area.width);
    if let Some(&help) = keys::HELP.iter().find(fits) {
        Line::from(help)
            .alignment(Alignment::Center)
            .render(line_of(area, y + 1), buffer);
    }
}

fn draw_tiles(
    session: &Session,
    tiles: Tiles,
    (left, top): (u16, u16),
    colours: bool,
    buffer: &mut Buffer,
) {
    let game = session.game();
    for (row, exponents) in (0u16..).zip(game.grid().rows()) {
        for (col, &exponent) in (0u16..).zip(exponents) {
            let area = Rect::new(
                left + col * (tiles.width + 1),
                top + row * (tiles.height + tiles.gap),
                tiles.width,
                tiles.height,
            );
            let newest = game.spawned().map(|(r, c)| (r.into(), c.into())) == Some((row, col));
            let mut style = if colours {
                tile_style(exponent)
            } else {
                Style::new()
            };
            if newest && game.moves() > 0 {
                style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
            }
            buffer.set_style(area, style.remove_modifier(Modifier::UNDERLINED));
            let text = tile_text(exponent, tiles.width.into());
            let middle = line_of(area, area.y + tiles.height / 2);
            Line::styled(text, style)
                .alignment(Alignment::Center)
                .render(middle, buffer);
        }
    }
}

/// A tile's value, or its power of two where the value is too long.
fn tile_text(exponent: u8, width: usize) -> String {
    let value = match exponent {
        0 => "·".to_owned(),
        tile => tile_value(tile).to_string(),
    };
    if value.chars().count() <= width {
        value
    } else if width >= 4 {
        format!("2^{exponent}")
    } else {
        format!("^{exponent}")
    }
}

/// Colours of the 256-colour palette, which works over ssh too: light to red, then
/// yellows, greens and blues.
fn tile_style(exponent: u8) -> Style {
    const BACKGROUND: [u8; 18] = [
        236, 255, 230, 222, 215, 209, 203, 229, 228, 227, 220, 214, 120, 84, 80, 75, 105, 171,
    ];
    let at = match usize::from(exponent) {
        e if e < BACKGROUND.len() => e,
        // Beyond 131072 the strong colours come round again.
        e => 12 + e % 6,
    };
    let foreground = if exponent == 0 { 242 } else { 16 };
    Style::new()
        .bg(Color::Indexed(BACKGROUND[at]))
        .fg(Color::Indexed(foreground))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use tilebase_game::{Move, Rng};
    use tilebase_play::Game;

    use crate::human::session::Action;

    fn shown(board: &str, variant: &str, width: u16, height: u16) -> String {
        let variant = variant.parse().expect("a variant");
        let grid = board.parse().expect("a board");
        let session = Session::new(Game::from_position(variant, grid, Rng::new(1)), 42);
        rendered(&session, width, height)
    }

    fn rendered(session: &Session, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen");
        terminal
            .draw(|frame| draw(frame, session, true))
            .expect("drawn");
        let buffer = terminal.backend().buffer();
        let cells: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        let lines = cells.chunks(width.into());
        lines.map(|line| line.concat() + "\n").collect()
    }

    #[test]
    fn an_80x24_terminal_shows_everything() {
        let screen = shown(
            "2,4,8,16/.,.,.,./.,.,131072,./2,.,.,.",
            "4x4-to-2048",
            80,
            24,
        );
        for text in [
            "tilebase 4x4-to-2048   seed 42",
            "score 0   largest 131072   moves 0",
            "131072",
            "You made it!",
            "arrows, WASD or hjkl: slide",
        ] {
            assert!(screen.contains(text), "{text} is missing in\n{screen}");
        }
        assert_eq!(screen.lines().count(), 24);
    }

    #[test]
    fn larger_boards_get_smaller_tiles() {
        let area = Rect::new(0, 0, 80, 24);
        for (side, size) in [
            (4, 0),
            (5, 0),
            (6, 1),
            (10, 1),
            (11, 2),
            (13, 3),
            (16, 4),
            (20, 5),
        ] {
            let shape = tilebase_game::Shape::new(side, side).expect("a shape");
            let found = Tiles::fitting(&Grid::empty(shape), area);
            assert_eq!(found, Some(SIZES[size]), "{shape}");
        }
    }

    #[test]
    fn a_window_that_is_too_small_says_so() {
        let screen = shown("2,4/.,.", "2x2", 30, 3);
        assert!(screen.contains("A 2x2 board needs 7 columns"), "{screen}");
        for (width, height) in [(1, 1), (7, 6), (10, 2), (200, 100)] {
            let _ = shown("2,4/.,.", "2x2", width, height);
        }
    }

    #[test]
    fn the_end_of_a_game_is_shown() {
        assert!(shown("2,4/4,2", "2x2", 80, 24).contains("No move is left."));
        assert!(!shown("2,4/4,4", "2x2", 80, 24).contains("No move is left."));
    }

    #[test]
    fn a_slide_is_shown() {
        let grid = "2,2/.,.".parse().expect("a board");
        let variant = "2x2".parse().expect("a variant");
        let mut session = Session::new(Game::from_position(variant, grid, Rng::new(1)), 1);
        assert!(session.act(Action::Slide(Move::Left)).is_continue());
        let screen = rendered(&session, 80, 24);
        assert!(screen.contains("score 4   largest 4   moves 1"), "{screen}");
    }

    #[test]
    fn long_tiles_become_powers() {
        assert_eq!(tile_text(10, 4), "1024");
        assert_eq!(tile_text(17, 5), "2^17");
        assert_eq!(tile_text(17, 3), "^17");
        assert_eq!(tile_text(0, 3), "·");
    }
}
