//! `prove --check`: whether a written strategy wins.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use tilebase_game::tile_value;
use tilebase_prove::{CheckedStrategy, StrategyError, check_strategy};

use super::sentence;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

#[derive(Serialize)]
struct Answer {
    ok: bool,
    file: PathBuf,
    shape: Option<String>,
    to: Option<u128>,
    drops: Option<String>,
    winner: Option<String>,
    positions: Option<u64>,
    used: Option<u64>,
    replies: Option<u64>,
    broken: Option<String>,
    seconds: f64,
    #[serde(skip)]
    sentence: String,
}

/// Checks, and prints what was found. A strategy that does not win is a failure.
pub fn run(file: &Path, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let name = file.display().to_string();
    let reader = BufReader::new(File::open(file).map_err(|error| Failure::work(&name, error))?);
    let found = check_strategy(reader, &ProgressLine::new());
    match &found {
        Err(StrategyError::Read(error)) => return Err(Failure::work(&name, error)),
        Err(StrategyError::Interrupted) => return Err(Failure::Interrupted),
        _ => (),
    }
    let of = |value: fn(&CheckedStrategy) -> u64| found.as_ref().ok().map(value);
    let contest = found.as_ref().ok().map(|checked| checked.contest);
    let broken = found.as_ref().err().map(|error| error.to_string());
    let answer = Answer {
        ok: found.is_ok(),
        file: file.to_owned(),
        shape: contest.map(|contest| contest.shape().to_string()),
        to: contest.map(|contest| tile_value(contest.target())),
        drops: contest.map(|contest| contest.drops().to_string()),
        winner: found
            .as_ref()
            .ok()
            .map(|checked| checked.winner.to_string()),
        positions: of(|checked| checked.positions),
        used: of(|checked| checked.used),
        replies: of(|checked| checked.replies),
        broken: broken.clone(),
        seconds: start.elapsed().as_secs_f64(),
        sentence: match &found {
            Ok(checked) => sentence(checked.winner, &checked.contest),
            Err(_) => String::new(),
        },
    };
    match broken {
        None => output::print(json, &answer, Answer::text),
        Some(broken) => {
            if json {
                output::print(json, &answer, Answer::text)?;
            }
            Err(Failure::Work(format!("{name} {broken}")))
        }
    }
}

impl Answer {
    fn text(&self) -> String {
        let number = |value: Option<u64>| grouped(value.unwrap_or(0).into());
        format!(
            "{}  {} wins whatever the other player does\n  \
             {} positions listed, {} arise, {} replies followed\n  {:.2} s\n",
            self.sentence,
            self.file.display(),
            number(self.positions),
            number(self.used),
            number(self.replies),
            self.seconds
        )
    }
}
