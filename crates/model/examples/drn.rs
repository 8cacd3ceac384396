//! Writes a game in Storm's explicit format: `cargo run --example drn -- 2x2-to-32`.

use std::error::Error;
use std::io;

use tilebase_game::Variant;
use tilebase_model::{Model, Reduction, write_drn};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or("2x2-to-32".to_owned());
    let variant: Variant = name.parse()?;
    let model = Model::build(&variant, Reduction::Actions, 1_000_000)?;
    write_drn(&model, &mut io::stdout().lock())?;
    Ok(())
}
