//! Games of 2s and 4s taken back: from which boards a board can come.
//!
//! An *afterstate* is what a slide leaves. Taking back a turn leads from an afterstate A to
//! the afterstates B such that a 2 dropped on B and a slide give A. Most boards are no
//! afterstates at all ([`is_plausible`]), which is what keeps such searches small:
//!
//! - after a slide all tiles lie against one wall;
//! - along the slide no two 2s are neighbours: they would have merged, and a slide makes no 2;
//! - along the slide two neighbouring 4s are not both old (they would have made an 8), so one
//!   was made by this slide and its line has an empty cell for it.

use tilebase_game::{Move, Rng, Shape};

use crate::checkerboard::slide_view::SlideView;

/// Whether a board may be what a slide leaves, or is empty.
pub fn is_plausible(shape: Shape, cells: &[u8]) -> bool {
    cells.iter().all(|&tile| tile == 0)
        || Move::ALL
            .into_iter()
            .any(|m| leaves(&SlideView::new(shape, m, false), cells))
}

/// Whether a slide in the direction of a view may leave the board.
fn leaves(view: &SlideView, cells: &[u8]) -> bool {
    let mut moved = false;
    for line in 0..view.lines {
        // The tiles so far, the last of them, and the 4s that this slide must have made.
        let (mut tiles, mut last, mut made) = (0, 0, 0);
        let mut last_made = false;
        for cell in 0..view.length {
            let tile = cells[view.at(line, cell)];
            if tile == 0 {
                continue;
            }
            // A tile away from the others, or a 2 that should have merged.
            if tiles != cell || (tile == 1 && last == 1) {
                return false;
            }
            last_made = tile == 2 && last == 2 && !last_made;
            made += usize::from(last_made);
            tiles += 1;
            last = tile;
        }
        if made > view.length - tiles {
            return false;
        }
        moved |= (1..view.length).contains(&tiles);
    }
    moved
}

/// Takes back one turn: calls `found` with each afterstate before it, some more than once.
/// Where it returns `false`, the search goes on with the next of the eight ways to look at
/// the board. With dice the order is random.
pub fn take_back(
    shape: Shape,
    cells: &[u8],
    dice: Option<&mut Rng>,
    found: &mut dyn FnMut(&[u8]) -> bool,
) {
    let mut views: Vec<(Move, bool)> = Move::ALL
        .into_iter()
        .flat_map(|m| [(m, false), (m, true)])
        .collect();
    let mut dice = dice;
    if let Some(dice) = dice.as_deref_mut() {
        shuffle(&mut views, dice);
    }
    for (m, turned) in views {
        let view = SlideView::new(shape, m, turned);
        let lines: Option<Vec<Vec<u8>>> = (0..view.lines)
            .map(|line| view.packed(cells, line))
            .collect();
        let Some(lines) = lines else {
            continue;
        };
        if lines
            .iter()
            .any(|line| line.windows(2).any(|pair| pair == [1, 1]))
        {
            continue;
        }
        let mut search = TakeBack {
            shape,
            view,
            longest_after: (1..=lines.len())
                .map(|next| lines[next..].iter().map(Vec::len).max().unwrap_or(0))
                .collect(),
            lines: &lines,
            before: vec![0; cells.len()],
            found,
            dice: dice.as_deref_mut(),
        };
        let _ = search.along(turned) && search.cell(Cursor::default());
    }
}

/// Puts a slice into random order.
pub fn shuffle<T>(items: &mut [T], dice: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, dice.below(i as u32 + 1) as usize);
    }
}

/// One slide being taken back.
struct TakeBack<'a> {
    shape: Shape,
    view: SlideView,
    /// The tiles after the slide, line by line from the wall.
    lines: &'a [Vec<u8>],
    /// The most tiles that a line after each has.
    longest_after: Vec<usize>,
    /// The afterstate before the drop, being made.
    before: Vec<u8>,
    found: &'a mut dyn FnMut(&[u8]) -> bool,
    dice: Option<&'a mut Rng>,
}

/// How far the making of a board is.
#[derive(Clone, Copy, Default)]
struct Cursor {
    line: usize,
    cell: usize,
    /// The tile of the line that is to be placed next.
    tile: usize,
    /// Whether half of that tile has been placed: it is a 4 made of two 2s.
    half: bool,
    /// Whether the tile before it was placed whole.
    last_whole: bool,
    dropped: bool,
    changed: bool,
}

impl Cursor {
    /// The cursor at the next cell of the line.
    fn after(self, way: CellBefore) -> Cursor {
        let mut next = self;
        next.cell += 1;
        match way {
            CellBefore::Empty => {}
            CellBefore::Whole | CellBefore::WholeDropped => {
                next.changed |= self.cell != self.tile;
                next.tile += 1;
                next.last_whole = true;
            }
            CellBefore::Half | CellBefore::HalfDropped => {
                next.changed = true;
                next.half = !self.half;
                next.last_whole = false;
                if self.half {
                    next.tile += 1;
                }
            }
        }
        next.dropped |= matches!(way, CellBefore::WholeDropped | CellBefore::HalfDropped);
        next
    }
}

/// What a cell was before the slide.
#[derive(Clone, Copy)]
enum CellBefore {
    Empty,
    /// The tile itself.
    Whole,
    /// A 2 that merged.
    Half,
    /// The tile itself, just dropped.
    WholeDropped,
    /// A 2 that merged, just dropped.
    HalfDropped,
}

impl TakeBack<'_> {
    /// The slide before was along the same lines: no two 2s are neighbours in a line, so at
    /// most one 4 was made, of the dropped 2, and all other lines are the same, against one
    /// wall or the other.
    fn along(&mut self, opposite: bool) -> bool {
        let length = self.view.length;
        let steady = |line: &[u8]| line.windows(2).all(|pair| pair[0] != pair[1]);
        let shifts = |line: &[u8]| !line.is_empty() && line.len() < length;
        for drop in 0..self.lines.len() {
            let others = || {
                self.lines
                    .iter()
                    .enumerate()
                    .filter(move |&(line, _)| line != drop)
            };
            if !others().all(|(_, line)| steady(line)) {
                continue;
            }
            let after = &self.lines[drop];
            let (Some(&first), Some(&last)) = (after.first(), after.last()) else {
                continue;
            };
            // The tile at the end where the drop came, and the line without it.
            let (end, rest) = if opposite {
                (first, &after[1..])
            } else {
                (last, &after[..after.len() - 1])
            };
            let mut line = rest.to_vec();
            let merged = end == 2;
            if merged {
                line.insert(if opposite { 0 } else { line.len() }, 1);
            }
            let moves = if opposite {
                merged || after.len() < length || others().any(|(_, line)| shifts(line))
            } else {
                // There must be room for the drop, and a way to go for it if it did not merge.
                after.len() < length
            };
            if line.len() == length || !steady(&line) || !moves {
                continue;
            }
            self.before.fill(0);
            for (number, other) in self.lines.iter().enumerate() {
                let tiles = if number == drop { &line } else { other };
                let gap = if opposite { length - tiles.len() } else { 0 };
                for (cell, &tile) in tiles.iter().enumerate() {
                    self.before[self.view.at(number, gap + cell)] = tile;
                }
            }
            if is_plausible(self.shape, &self.before) && !(self.found)(&self.before) {
                return false;
            }
        }
        self.before.fill(0);
        true
    }

    /// Takes back a slide that followed one across, towards the first line: where a line has an
    /// empty cell, so have the lines after it. Tries all ways to place the tiles before the
    /// slide, cell by cell.
    fn cell(&mut self, place: Cursor) -> bool {
        let line = &self.lines[place.line];
        if place.cell == self.view.length {
            return place.tile < line.len() || self.next_line(place);
        }
        if !self.has_room(&place) {
            return true;
        }
        let tile = line.get(place.tile).copied().unwrap_or(0);
        let (mut ways, number) = self.ways(&place);
        let ways = &mut ways[..number];
        if let Some(dice) = self.dice.as_deref_mut() {
            shuffle(ways, dice);
        }
        let at = self.view.at(place.line, place.cell);
        for &mut way in ways {
            self.before[at] = match way {
                CellBefore::Empty | CellBefore::WholeDropped | CellBefore::HalfDropped => 0,
                CellBefore::Whole => tile,
                CellBefore::Half => 1,
            };
            if !self.cell(place.after(way)) {
                return false;
            }
        }
        self.before[at] = 0;
        true
    }

    /// What the next cell can have been before the slide, in the first of the entries.
    fn ways(&self, place: &Cursor) -> ([CellBefore; 5], usize) {
        let line = &self.lines[place.line];
        let mut ways = [CellBefore::Empty; 5];
        let mut number = 1;
        let mut add = |way| {
            ways[number] = way;
            number += 1;
        };
        let above = match place.line {
            0 => 3,
            number => self.before[self.view.at(number - 1, place.cell)],
        };
        if let Some(&tile) = line.get(place.tile) {
            let before = place.tile.checked_sub(1).map(|before| line[before]);
            // Two old 4s would have made an 8, and an old 2 would have merged with a half.
            let eight = tile == 2 && before == Some(2) && place.last_whole;
            let whole = !place.half && !eight;
            let half = tile == 2 && (place.half || !(before == Some(1) && place.last_whole));
            let stands = |tile| above != 0 && !(above == 1 && tile == 1);
            if whole && stands(tile) {
                add(CellBefore::Whole);
            }
            if half && stands(1) {
                add(CellBefore::Half);
            }
            if whole && tile == 1 && !place.dropped {
                add(CellBefore::WholeDropped);
            }
            if half && !place.dropped {
                add(CellBefore::HalfDropped);
            }
        }
        (ways, number)
    }

    /// Whether the tiles that are left fit into the cells that are left, and those of the
    /// lines after them onto these.
    fn has_room(&self, place: &Cursor) -> bool {
        let tiles = self.lines[place.line].len() - place.tile;
        let free = match place.line {
            0 => self.view.length - place.cell,
            line => (place.cell..self.view.length)
                .filter(|&cell| self.before[self.view.at(line - 1, cell)] != 0)
                .count(),
        };
        let drop = usize::from(!place.dropped);
        let placed = (0..place.cell)
            .filter(|&cell| self.before[self.view.at(place.line, cell)] != 0)
            .count();
        tiles <= free + drop && self.longest_after[place.line] <= placed + free + drop
    }

    fn next_line(&mut self, place: Cursor) -> bool {
        let next = Cursor {
            line: place.line + 1,
            dropped: place.dropped,
            changed: place.changed,
            ..Cursor::default()
        };
        if next.line < self.lines.len() {
            return self.cell(next);
        }
        let complete = place.dropped && place.changed;
        !complete || !is_plausible(self.shape, &self.before) || (self.found)(&self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};
    use tilebase_game::Grid;

    /// The afterstates that a turn leads to, by the rules of grids.
    fn turns(before: &Grid) -> HashSet<Grid> {
        let mut after = HashSet::new();
        for (row, col) in before.empty_cells() {
            let mut dropped = before.clone();
            dropped.set(row, col, 1);
            after.extend(
                Move::ALL
                    .into_iter()
                    .filter_map(|m| dropped.after(m))
                    .map(|(grid, _)| grid)
                    .filter(|grid| !grid.reaches(3)),
            );
        }
        after
    }

    #[test]
    fn what_is_taken_back_is_what_was_done() {
        for shape in ["1x4", "2x2", "2x3", "4x2", "3x3"] {
            let shape: Shape = shape.parse().unwrap();
            let mut sources: HashMap<Grid, HashSet<Grid>> = HashMap::new();
            let mut layer = HashSet::from([Grid::empty(shape)]);
            while !layer.is_empty() {
                let mut next = HashSet::new();
                for before in &layer {
                    for after in turns(before) {
                        sources
                            .entry(after.clone())
                            .or_default()
                            .insert(before.clone());
                        next.insert(after);
                    }
                }
                layer = next;
            }
            for (after, sources) in sources {
                assert!(is_plausible(shape, after.exponents()), "{after}");
                let mut found = HashSet::new();
                take_back(shape, after.exponents(), None, &mut |cells| {
                    found.insert(Grid::from_exponents(shape, cells).unwrap());
                    true
                });
                assert!(
                    found.is_superset(&sources),
                    "{after}: {:?}",
                    sources
                        .difference(&found)
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                );
                // What is found and cannot be reached must still lead here.
                for before in &found {
                    assert!(turns(before).contains(&after), "{before} to {after}");
                }
            }
        }
    }
}
