//! `prove --best`: the largest tile that Slider can force.

use std::time::Instant;

use serde::Serialize;
use tilebase_game::{MAX_PACKED_EXPONENT, Shape, tile_value};
use tilebase_prove::{Contest, Winner};

use super::Prove;
use super::search::search;
use crate::failure::Failure;
use crate::output::{self, grouped};

/// What is known of one target.
#[derive(Serialize)]
struct Evidence {
    to: u128,
    winner: String,
    /// `search`; `drop` where Dropper himself drops the tile; `cells` where so few cells
    /// never hold it.
    by: &'static str,
    visited: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    drops: String,
    engine: &'static str,
    /// The largest tile that Slider can force.
    best: u128,
    /// Whether the next one was found to be out of reach, rather than not asked.
    settled: bool,
    evidence: Vec<Evidence>,
    seconds: f64,
}

/// Goes through the targets from the smallest up until Dropper wins.
pub fn run(prove: &Prove, shape: Shape, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let drops = prove.drops;
    // The first drop is a tile that is there, even if it is the smaller one.
    let first = drops.exponents()[0];
    let mut answer = Answer {
        shape: shape.to_string(),
        drops: drops.to_string(),
        engine: "search",
        best: tile_value(first),
        settled: false,
        evidence: vec![Evidence {
            to: tile_value(first),
            winner: Winner::Slider.to_string(),
            by: "drop",
            visited: 0,
            seconds: 0.0,
        }],
        seconds: 0.0,
    };
    for target in first + 1..=prove.to.unwrap_or(MAX_PACKED_EXPONENT) {
        // A 4 that Dropper may drop can be asked for only where 4s are not dropped: with
        // drops of 2 and 4 he need not, and Slider merges two 2s, if there is room for two.
        let asked = target.max(drops.largest() + 1);
        let contest = Contest::new(shape, asked, drops).map_err(Failure::request)?;
        let since = Instant::now();
        let (winner, by, visited) = if target < asked {
            forced_merge(shape)
        } else if target > contest.largest_exponent() {
            (Winner::Dropper, "cells", 0)
        } else {
            let search = search(prove, &contest)?;
            (search.winner(), "search", search.visited())
        };
        answer.evidence.push(Evidence {
            to: tile_value(target),
            winner: winner.to_string(),
            by,
            visited,
            seconds: since.elapsed().as_secs_f64(),
        });
        match winner {
            Winner::Slider => answer.best = tile_value(target),
            Winner::Dropper => {
                answer.settled = true;
                break;
            }
        }
    }
    answer.seconds = start.elapsed().as_secs_f64();
    output::print(json, &answer, Answer::text)
}

/// Whether Slider gets a 4 where both 2s and 4s may be dropped: on a single cell the first
/// tile is all there ever is; on two cells a 4 is dropped or two 2s meet.
fn forced_merge(shape: Shape) -> (Winner, &'static str, u64) {
    match shape.cells() {
        1 => (Winner::Dropper, "cells", 0),
        _ => (Winner::Slider, "drop", 0),
    }
}

impl Answer {
    fn text(&self) -> String {
        let known = match self.settled {
            true => format!("the largest tile that Slider can force is {}", self.best),
            false => format!("Slider can force {}; more was not asked", self.best),
        };
        let mut text = format!("{}, drops of {}: {known}\n", self.shape, self.drops);
        for evidence in &self.evidence {
            let how = match evidence.by {
                "drop" => "it is dropped, or made of two that are".to_owned(),
                "cells" => "so few cells never hold it".to_owned(),
                _ => format!(
                    "{} positions, {:.2} s",
                    grouped(evidence.visited.into()),
                    evidence.seconds
                ),
            };
            text += &format!("  {:>6}  {:<8}  {how}\n", evidence.to, evidence.winner);
        }
        text + &format!("  {:.2} s\n", self.seconds)
    }
}
