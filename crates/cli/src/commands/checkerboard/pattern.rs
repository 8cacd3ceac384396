//! Whether and in how many ways the pattern can be reached.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;
use tilebase_checkerboard::{Corner, Count, Drops, Sequence, construction, count, example};
use tilebase_game::Shape;

use super::story::Story;
use super::{Checkerboard, failure};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Cooperative games on boards up to this size are searched in about a second.
const SEARCHED_CELLS: u16 = 18;

/// Bytes that a position takes, with its place in the next layer and the tables' spare room.
const POSITION_BYTES: u64 = 128;

/// How it is known.
#[derive(Clone, Copy, Serialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// A sequence known in closed form was replayed.
    Construction,
    /// All games were gone through.
    Search,
    /// Proven for boards of every such size; not searched here.
    Theorem,
}

#[derive(Serialize)]
struct PatternAnswer {
    corner: u8,
    reachable: bool,
    method: Method,
    sequences: Option<u128>,
    example: Option<String>,
}

#[derive(Serialize)]
struct Answer {
    shape: String,
    deterministic: bool,
    reachable: bool,
    sequences: Option<u128>,
    example: Option<Story>,
    patterns: Vec<PatternAnswer>,
    positions: Option<u64>,
    seconds: f64,
}

impl Checkerboard {
    /// Prints which patterns can be reached.
    pub(super) fn print_patterns(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let found = self.search()?;
        let mut patterns = Vec::new();
        let mut shown = None;
        for corner in self.corners() {
            let sequence = self.sequence(corner, found.as_ref())?;
            let searched = found.as_ref().map(|found| found.of(corner));
            patterns.push(PatternAnswer {
                corner: corner.tile(),
                reachable: sequence.is_some(),
                method: match searched {
                    Some(_) => Method::Search,
                    None if sequence.is_some() => Method::Construction,
                    None => Method::Theorem,
                },
                sequences: searched.filter(|_| self.count),
                example: sequence.as_ref().map(Sequence::to_string),
            });
            shown = shown.or(sequence);
        }
        let sum = |sum: u128, pattern: &PatternAnswer| sum.checked_add(pattern.sequences?);
        let answer = Answer {
            shape: self.shape.to_string(),
            deterministic: self.deterministic,
            reachable: shown.is_some(),
            sequences: patterns.iter().try_fold(0, sum),
            example: shown
                .map(|sequence| Story::new(self.shape, &sequence, self.boards))
                .transpose()?,
            patterns,
            positions: found.map(|found| found.positions),
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, Answer::text)
    }

    fn corners(&self) -> impl Iterator<Item = Corner> {
        let wanted = self.corner;
        let fits = move |&corner: &Corner| wanted.is_none_or(|wanted| wanted == corner);
        Corner::ALL.into_iter().filter(fits)
    }

    /// All games, where they are needed to know the answer and can be gone through.
    fn search(&self) -> Result<Option<Count>, Failure> {
        let built = |corner| construction(self.shape, corner, self.drops()).is_some();
        if self.construction {
            return match self.corners().any(built) {
                true => Ok(None),
                false => Err(Failure::request(self.no_construction())),
            };
        }
        let settled = |corner| built(corner) || is_excluded(self.shape, corner);
        let small = match self.drops() {
            Drops::Anywhere => self.shape.cells() <= SEARCHED_CELLS,
            Drops::First => false,
        };
        if !self.count && !small && self.corners().all(settled) {
            return Ok(None);
        }
        let most = self.memory.bytes() / POSITION_BYTES;
        let found = count(
            self.shape,
            self.drops(),
            most as usize,
            &ProgressLine::new(),
        );
        found.map(Some).map_err(failure)
    }

    /// A sequence to the pattern, if it can be reached.
    fn sequence(&self, corner: Corner, found: Option<&Count>) -> Result<Option<Sequence>, Failure> {
        let built = construction(self.shape, corner, self.drops());
        match found {
            Some(found) if found.of(corner) == 0 => Ok(None),
            Some(_) if built.is_none() => {
                example(self.shape, corner, self.drops(), &ProgressLine::new()).map_err(failure)
            }
            _ => Ok(built),
        }
    }

    fn no_construction(&self) -> String {
        format!(
            "no construction is known for {}{}: one side must be 2{}",
            self.shape,
            match self.corner {
                Some(corner) => format!(" with a {corner} in the corner"),
                None => String::new(),
            },
            match self.drops() {
                Drops::First => "",
                Drops::Anywhere => ", or 3 and the other odd with a 2 in the corner",
            },
        )
    }
}

/// Whether the pattern is proven to be out of reach: on a single line of more than three
/// cells; on boards with both sides from 3 up unless one is 3 and both are odd, and there
/// with a 4 in the corner (docs/checkerboards.md).
fn is_excluded(shape: Shape, corner: Corner) -> bool {
    let (short, long) = (
        shape.rows().min(shape.cols()),
        shape.rows().max(shape.cols()),
    );
    match short {
        1 => long > 3,
        2 => false,
        3 => long % 2 == 0 || corner == Corner::Four,
        _ => true,
    }
}

impl Answer {
    fn text(&self) -> String {
        let game = if self.deterministic {
            "deterministic"
        } else {
            "cooperative"
        };
        let mut text = format!("{} checkerboard, {game} game\n", self.shape);
        for pattern in &self.patterns {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  {} in the upper left corner: {}",
                pattern.corner,
                pattern.text()
            );
        }
        if let (Some(sequences), 2) = (self.sequences, self.patterns.len()) {
            let _ = writeln!(text, "  together {} sequences", grouped(sequences));
        }
        if let Some(positions) = self.positions {
            let positions = grouped(positions.into());
            let _ = writeln!(text, "  {positions} positions, {:.2} s", self.seconds);
        }
        if let Some(story) = &self.example {
            let _ = write!(
                text,
                "  for example, in {} drops\n{}",
                story.drops(),
                story.text()
            );
        }
        text
    }
}

impl PatternAnswer {
    fn text(&self) -> String {
        let method = match self.method {
            Method::Construction => "by construction",
            Method::Search => "by search of all games",
            Method::Theorem => "by the theorem",
        };
        match (self.reachable, self.sequences) {
            (true, Some(sequences)) => format!("{} sequences", grouped(sequences)),
            (true, None) => format!("reachable, {method}"),
            (false, _) => format!("out of reach, {method}"),
        }
    }
}
