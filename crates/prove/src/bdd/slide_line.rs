//! What a slide does to one line of cells: align, merge, align.

/// A relation between lines of equal length: what may become what.
pub(crate) type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// All lines of `cells` cells with `values` values, each with what a slide towards its
/// first cell makes of it. Lines in which the tile number `values` arises are left out.
pub(crate) fn slide_relation(cells: usize, values: u8) -> Pairs {
    let lines = all_lines(cells, values);
    let align: Pairs = lines
        .iter()
        .map(|line| (line.clone(), aligned(line)))
        .collect();
    // Compositions of functions stay functions, so one lookup a line composes them.
    let composed = align
        .into_iter()
        .map(|(from, to)| (from, aligned(&merged(&to))));
    composed
        .filter(|(_, to)| to.iter().all(|&value| value < values))
        .collect()
}

/// All lines of cells below `values`.
pub(crate) fn all_lines(cells: usize, values: u8) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    for _ in 0..cells {
        lines = lines
            .into_iter()
            .flat_map(|line| (0..values).map(move |value| [line.as_slice(), &[value]].concat()))
            .collect();
    }
    lines
}

/// The line after a slide towards its first cell.
pub(crate) fn slid(line: &[u8]) -> Vec<u8> {
    aligned(&merged(&aligned(line)))
}

/// The tiles moved to the front.
fn aligned(line: &[u8]) -> Vec<u8> {
    let mut tiles: Vec<u8> = line.iter().copied().filter(|&value| value > 0).collect();
    tiles.resize(line.len(), 0);
    tiles
}

/// Neighbours that are equal merged from the front, into the first of the two. A cell
/// that was emptied keeps the merged tile from merging again.
fn merged(line: &[u8]) -> Vec<u8> {
    let mut line = line.to_vec();
    for at in 1..line.len() {
        if line[at] > 0 && line[at] == line[at - 1] {
            line[at - 1] += 1;
            line[at] = 0;
        }
    }
    line
}
