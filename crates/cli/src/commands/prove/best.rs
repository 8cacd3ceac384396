//! `prove --best`: the largest tile that Slider can force.

use std::time::Instant;

use tilebase_game::{MAX_PACKED_EXPONENT, Shape, tile_value};
use tilebase_prove::{Contest, Winner};
use tilebase_schema as schema;
use tilebase_schema::EvidenceSource;

use super::search::search;
use super::{Engine, Prove, winner};
use crate::failure::Failure;
use crate::output::{self, grouped};

/// Who wins a target, why this is known, and the positions visited.
type Verdict = (Winner, EvidenceSource, u64);

/// Tries the targets from the smallest up until Dropper wins.
pub fn run(prove: &Prove, shape: Shape, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    // The first drop is a tile on the board, even if it is the smaller one.
    let first = prove.drops.exponents()[0];
    let mut answer = schema::ProveBestAnswer {
        shape: shape.to_string(),
        drops: prove.drops.to_string(),
        engine: Engine::Search.into(),
        best: tile_value(first),
        settled: false,
        evidence: vec![evidence(
            first,
            (Winner::Slider, EvidenceSource::Drop, 0),
            0.0,
        )],
        seconds: 0.0,
    };
    for target in first + 1..=prove.to.unwrap_or(MAX_PACKED_EXPONENT) {
        let since = Instant::now();
        let verdict = verdict(prove, shape, target)?;
        let seconds = since.elapsed().as_secs_f64();
        answer.evidence.push(evidence(target, verdict, seconds));
        match verdict.0 {
            Winner::Slider => answer.best = tile_value(target),
            Winner::Dropper => {
                answer.settled = true;
                break;
            }
        }
    }
    answer.seconds = start.elapsed().as_secs_f64();
    output::print(json, &answer, text)
}

fn verdict(prove: &Prove, shape: Shape, target: u8) -> Result<Verdict, Failure> {
    let drops = prove.drops;
    // A contest needs a target above every drop. With drops of 2 and 4 that leaves out the 4.
    let asked = target.max(drops.largest() + 1);
    let contest = Contest::new(shape, asked, drops).map_err(Failure::request)?;
    if target < asked {
        return Ok(forced_merge(shape));
    }
    if target > contest.largest_exponent() {
        return Ok((Winner::Dropper, EvidenceSource::Cells, 0));
    }
    let search = search(prove, &contest)?;
    Ok((search.winner(), EvidenceSource::Search, search.visited()))
}

/// Whether Slider gets a 4 where both 2s and 4s may be dropped. A single cell only ever holds
/// the first tile; on two cells a 4 is dropped or two 2s merge.
fn forced_merge(shape: Shape) -> Verdict {
    match shape.cells() {
        1 => (Winner::Dropper, EvidenceSource::Cells, 0),
        _ => (Winner::Slider, EvidenceSource::Drop, 0),
    }
}

fn evidence(target: u8, (who, by, visited): Verdict, seconds: f64) -> schema::ProveEvidence {
    schema::ProveEvidence {
        to: tile_value(target),
        winner: winner(who),
        by,
        visited,
        seconds,
    }
}

fn text(answer: &schema::ProveBestAnswer) -> String {
    let known = match answer.settled {
        true => format!("the largest tile that Slider can force is {}", answer.best),
        false => format!(
            "Slider can force {}; larger tiles were not tried",
            answer.best
        ),
    };
    let mut text = format!("{}, drops of {}: {known}\n", answer.shape, answer.drops);
    for evidence in &answer.evidence {
        let by = match evidence.by {
            EvidenceSource::Drop => "it is dropped, or made of two that are".to_owned(),
            EvidenceSource::Cells => "the board has too few cells for it".to_owned(),
            EvidenceSource::Search => format!(
                "{} positions, {:.2} s",
                grouped(evidence.visited.into()),
                evidence.seconds
            ),
        };
        text += &format!("  {:>6}  {:<8}  {by}\n", evidence.to, evidence.winner);
    }
    text + &format!("  {:.2} s\n", answer.seconds)
}
