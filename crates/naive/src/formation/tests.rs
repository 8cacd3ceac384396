//! The rules on boards so small that they can be followed by hand.

use super::*;
use crate::Direction::{Down, Left, Right, Up};

mod values;

fn cells(list: &[(usize, usize)]) -> Cells {
    list.iter().copied().collect()
}

/// A game without walls to a tile anywhere, from two tiles.
fn plain(rows: usize, cols: usize, target: u8) -> Formation {
    Formation {
        rows,
        cols,
        walls: 0,
        masks: Vec::new(),
        goals: Board::empty(rows, cols).all_cells().into_iter().collect(),
        target,
        twos: 0.9,
        start_tiles: 2,
    }
}

fn board(formation: &Formation, hex: &str) -> Board {
    Board::from_hex(formation.rows, formation.cols, hex).unwrap()
}

/// A slide as text: `-` if not allowed, `won` or the afterstate, and the score.
fn slide(formation: &Formation, state: &str, direction: Direction) -> String {
    match formation.slide(&board(formation, state), direction) {
        Slide::NotAllowed => String::from("-"),
        Slide::Won { score } => format!("won +{score}"),
        Slide::After { board, score } => format!("{} +{score}", board.hex()),
    }
}

fn hexes<'a>(boards: impl IntoIterator<Item = &'a Board>) -> BTreeSet<String> {
    boards.into_iter().map(Board::hex).collect()
}

fn set(list: &[&str]) -> BTreeSet<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}

#[track_caller]
fn near(found: f64, expected: f64) {
    let scale = expected.abs().max(f64::MIN_POSITIVE);
    let close = (found - expected).abs() <= 1e-12 * scale;
    assert!(close, "{found} instead of {expected}");
}

#[test]
fn walls_slide_and_never_merge() {
    let line = Formation {
        walls: 1,
        ..plain(1, 4, 11)
    };
    assert_eq!(slide(&line, "1f10", Left), "-");
    assert_eq!(slide(&line, "1f10", Right), "0x01f1 +0");
    assert_eq!(slide(&line, "f011", Left), "0xf200 +4");
    assert_eq!(slide(&line, "11f0", Right), "0x002f +4");
    assert_eq!(slide(&line, "ff00", Right), "0x00ff +0");
    assert_eq!(slide(&line, "ff00", Left), "-");
    assert_eq!(slide(&line, "1111", Left), "0x2200 +8");
    assert_eq!(slide(&line, "1110", Right), "0x0012 +4");
    let square = Formation {
        walls: 1,
        ..plain(3, 3, 11)
    };
    assert_eq!(slide(&square, "10030f130", Up), "0x13f300100 +0");
    // The merged 4 does not merge again with the 4 below.
    assert_eq!(slide(&square, "10010f230", Down), "0x00020023f +4");
}

#[test]
fn walls_are_worth_nothing() {
    let formation = plain(2, 2, 11);
    assert_eq!(board(&formation, "f12f").sum(), 6);
    assert_eq!(board(&formation, "ffff").sum(), 0);
    assert!(!formation.has_goal(&board(&formation, "f12f")));
}

#[test]
fn boards_are_read_as_they_are_written() {
    assert_eq!(Board::from_hex(1, 3, "0xf1e").unwrap().hex(), "0xf1e");
    assert_eq!(Board::from_hex(1, 3, "f1"), None);
    assert_eq!(Board::from_hex(1, 2, "g1"), None);
    let mut large = Board::empty(1, 2);
    large.set((0, 1), Cell::Tile(15));
    assert_eq!(large.hex(), "0x0?");
}

#[test]
fn a_slide_must_cover_a_mask() {
    let corner = Formation {
        walls: 1,
        masks: vec![cells(&[(0, 0)])],
        ..plain(2, 2, 11)
    };
    assert_eq!(slide(&corner, "f011", Left), "0xf020 +4");
    // The wall would leave the corner.
    assert_eq!(slide(&corner, "f011", Right), "-");
    assert_eq!(slide(&corner, "f011", Up), "0xf110 +0");
    assert_eq!(slide(&corner, "f011", Down), "-");
    // The wall cannot leave the corner.
    assert_eq!(slide(&corner, "f110", Right), "0xf101 +0");
    assert_eq!(slide(&corner, "f110", Down), "0xf011 +0");
    assert!(corner.is_lost(&board(&corner, "f123")));
    // A lost board can have empty cells: right, the only change, uncovers the corner.
    assert!(corner.is_lost(&board(&corner, "f010")));
    assert!(!corner.is_lost(&board(&corner, "f001")));

    let corners = Formation {
        walls: 1,
        masks: vec![cells(&[(0, 0)]), cells(&[(0, 2)])],
        ..plain(2, 3, 11)
    };
    // From one mask to the other.
    assert_eq!(slide(&corners, "f00110", Right), "0x00f002 +4");
    assert_eq!(slide(&corners, "f00011", Down), "-");
    assert_eq!(slide(&corners, "f10010", Right), "-");
    assert_eq!(slide(&corners, "f10010", Up), "0xf20000 +4");

    // A mask is covered by all of its cells.
    let row = Formation {
        walls: 2,
        masks: vec![cells(&[(0, 0), (0, 1)])],
        ..plain(2, 2, 11)
    };
    assert_eq!(slide(&row, "ff01", Left), "0xff10 +0");
    assert_eq!(slide(&row, "ff01", Down), "-");
    assert_eq!(row.placements().len(), 1);
}

#[test]
fn the_target_wins_on_goal_cells_only() {
    let corner = Formation {
        goals: cells(&[(0, 0)]),
        ..plain(2, 2, 3)
    };
    assert_eq!(slide(&corner, "0022", Left), "0x0030 +8");
    assert_eq!(slide(&corner, "0130", Up), "won +0");
    assert_eq!(slide(&corner, "0130", Left), "0x1030 +0");
    // No tile above the target may be made.
    assert_eq!(slide(&corner, "0033", Right), "-");
    assert_eq!(slide(&corner, "0303", Down), "-");
    // A slide that would uncover the mask does not win.
    let bound = Formation {
        walls: 1,
        masks: vec![cells(&[(1, 1)])],
        ..corner
    };
    assert_eq!(slide(&bound, "220f", Left), "-");
    assert_eq!(slide(&bound, "221f", Left), "won +8");
    assert_eq!(slide(&bound, "302f", Down), "-");
}

#[test]
fn starts_place_walls_then_tiles() {
    let formation = Formation {
        walls: 2,
        masks: vec![cells(&[(0, 0)]), cells(&[(1, 1)])],
        twos: 1.0,
        start_tiles: 1,
        ..plain(2, 2, 11)
    };
    // All but the other diagonal; the placement that covers both masks counts once.
    let placements = set(&["0xff00", "0xf0f0", "0xf00f", "0x0f0f", "0x00ff"]);
    assert_eq!(hexes(&formation.placements()), placements);
    assert_eq!(formation.starts().len(), 10);
    near(formation.starts()[&board(&formation, "f01f")], 0.1);

    let full = Formation {
        start_tiles: 3,
        ..formation.clone()
    };
    assert!(full.starts().is_empty() && full.reachable().is_empty());
    assert_eq!(full.solve(&full.reachable()).start(Objective::Win), None);

    // Of two tiles the second has one cell less; either may be the 4.
    let both = Formation {
        twos: 0.75,
        start_tiles: 2,
        masks: Vec::new(),
        ..formation
    };
    assert_eq!(both.placements().len(), 6);
    near(both.starts()[&board(&both, "f12f")], 0.75 * 0.25 / 6.0);
    near(both.starts().values().sum(), 1.0);
}

#[test]
fn symmetries_keep_masks_and_goals() {
    let count = |rows, cols, masks: &[&[(usize, usize)]], goals: &[(usize, usize)]| {
        let formation = Formation {
            masks: masks.iter().map(|mask| cells(mask)).collect(),
            goals: cells(goals),
            ..plain(rows, cols, 3)
        };
        formation.symmetries().len()
    };
    assert_eq!(plain(3, 3, 3).symmetries().len(), 8);
    assert_eq!(plain(2, 3, 3).symmetries().len(), 4);
    assert_eq!(plain(1, 3, 3).symmetries().len(), 2);
    assert_eq!(plain(1, 1, 3).symmetries().len(), 1);
    assert_eq!(count(2, 2, &[&[(0, 0)]], &[(0, 1), (1, 0)]), 2);
    assert_eq!(count(2, 2, &[&[(0, 0)]], &[(0, 1)]), 1);
    assert_eq!(count(2, 3, &[&[(0, 0)], &[(0, 2)]], &[(1, 1)]), 2);
    // A half turn exchanges these masks, though neither is kept.
    let (a, b) = ([(0, 0), (0, 1)], [(2, 1), (2, 2)]);
    assert_eq!(count(3, 3, &[&a, &b], &[(1, 1)]), 2);
}
