//! Draws a game: `cargo run --example diagram -- 2x2-to-16 actions policy > picture.svg`.
//!
//! After the game: `none`, `states` or `actions` for the reduction, then any of `policy`,
//! `ties`, `groups` and `dot`.

use std::error::Error;
use std::io;

use tilebase_game::Variant;
use tilebase_model::{
    Drawing, Grouping, Model, Objective, Reduction, StateId, Ties, solve, write_dot, write_svg,
};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|other| other == word);
    let name = words.first().map_or("2x2-to-8", String::as_str);
    let variant: Variant = name.parse()?;
    let reduction = match (has("none"), has("states")) {
        (true, _) => Reduction::None,
        (_, true) => Reduction::States,
        _ => Reduction::Actions,
    };
    let model = Model::build(&variant, reduction, 5000)?;
    let lines = solve(&model, Objective::Win);
    let policy = |board| match model.find(board) {
        Some(StateId::Live(at)) => lines.get(at as usize).copied(),
        _ => None,
    };
    let drawing = Drawing {
        policy: if has("policy") { Some(&policy) } else { None },
        ties: if has("ties") { Ties::All } else { Ties::First },
        grouping: match has("groups") {
            true => Grouping::LayerAndLargest,
            false => Grouping::Layer,
        },
    };
    let mut out = io::stdout().lock();
    match has("dot") {
        true => write_dot(&model, &drawing, &mut out)?,
        false => write_svg(&model, &drawing, &mut out)?,
    }
    Ok(())
}
