//! What the value of a formation is a chance of, in words.

use tilebase_game::{CellSet, Formation, Shape, tile_value};

/// What the value of a position is a chance of, in a sentence that a player understands.
pub fn meaning(shape: Shape, formation: &Formation, target: u8) -> String {
    let tile = match tile_value(target) {
        8 => "an 8".to_owned(),
        tile => format!("a {tile}"),
    };
    let free = shape.cells().saturating_sub(formation.walls().into());
    let place = match formation.goal() == CellSet::all(shape) {
        true => format!("on the {} free cells", number(free.into())),
        false => "on one of the marked cells".to_owned(),
    };
    let walls = u32::from(formation.walls());
    let (all, tiles) = match walls {
        1 => ("the large tile".to_owned(), "stays as it is"),
        walls => (
            format!("the {} large tiles", number(walls)),
            "stay as they are",
        ),
    };
    let how = match formation.masks() {
        [] if walls == 1 => format!("while {all} only gets in the way"),
        [] => format!("while {all} only get in the way"),
        [mask] if mask.len() == walls => format!("while {all} {tiles}"),
        [mask] => format!("while {} of {all} stay as they are", number(mask.len())),
        _ => format!("while {all} stay in formation"),
    };
    format!("chance to make {tile} {place} {how}")
}

/// A small number in words.
fn number(number: u32) -> String {
    const WORDS: [&str; 16] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    ];
    let word = WORDS.get(number as usize).copied();
    word.map_or_else(|| number.to_string(), str::to_owned)
}
