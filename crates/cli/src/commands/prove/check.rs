//! `prove --check`: whether a written strategy wins.

use std::path::Path;
use std::time::Instant;

use tilebase_game::tile_value;
use tilebase_prove::{CheckedStrategy, StrategyError, check_strategy};
use tilebase_schema as schema;

use super::{winner, winner_text};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;
use crate::standard;

/// Checks a strategy and prints the result. A strategy that does not win is failed work.
pub fn run(file: &Path, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let name = standard::name(file);
    let reader = standard::open(file).map_err(|error| Failure::work(&name, error))?;
    let found = check_strategy(reader, &ProgressLine::new());
    let seconds = start.elapsed().as_secs_f64();
    match found {
        Ok(checked) => output::print(json, &answer(file, Ok(&checked), seconds), text),
        Err(StrategyError::Read(error)) => Err(Failure::work(&name, error)),
        Err(StrategyError::Interrupted) => Err(Failure::Interrupted),
        Err(error) => {
            if json {
                output::print(json, &answer(file, Err(&error), seconds), text)?;
            }
            Err(Failure::Work(format!("{name} {error}")))
        }
    }
}

fn answer(
    file: &Path,
    found: Result<&CheckedStrategy, &StrategyError>,
    seconds: f64,
) -> schema::StrategyCheckAnswer {
    let checked = found.ok();
    schema::StrategyCheckAnswer {
        ok: checked.is_some(),
        file: file.to_owned(),
        shape: checked.map(|checked| checked.contest.shape().to_string()),
        to: checked.map(|checked| tile_value(checked.contest.target())),
        drops: checked.map(|checked| checked.contest.drops().to_string()),
        winner: checked.map(|checked| winner(checked.winner)),
        positions: checked.map(|checked| checked.positions),
        used: checked.map(|checked| checked.used),
        replies: checked.map(|checked| checked.replies),
        broken: found.err().map(StrategyError::to_string),
        seconds,
    }
}

fn text(answer: &schema::StrategyCheckAnswer) -> String {
    let number = |value: Option<u64>| grouped(value.unwrap_or(0).into());
    let mut text = String::new();
    if let (Some(shape), Some(to), Some(drops), Some(winner)) =
        (&answer.shape, answer.to, &answer.drops, answer.winner)
    {
        text = winner_text(&format!("{shape} to {to}"), drops, winner);
    }
    text + &format!(
        "  {} wins whatever the other player does\n  \
         {} positions listed, {} arise, {} replies followed\n  {:.2} s\n",
        standard::name(&answer.file),
        number(answer.positions),
        number(answer.used),
        number(answer.replies),
        answer.seconds
    )
}
