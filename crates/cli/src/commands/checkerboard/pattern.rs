//! Whether the patterns can be reached, and in how many ways.

use std::fmt::Write;
use std::time::Instant;

use tilebase_game::Shape;
use tilebase_prove::checkerboard::{
    CheckerboardError, Corner, DropPlacement, RetrogradeResult, Sequence, SequenceCount,
    construction, count_sequences, find_sequence, retrograde_search,
};
use tilebase_schema::{CheckerboardAnswer, CheckerboardMethod, PatternAnswer};

use super::example::Example;
use super::{Checkerboard, POSITION_BYTES, failure};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Limit of the boards in a layer of games taken back, unless the search is to be exhaustive:
/// some seconds of work.
const MOST_BOARDS: usize = 20_000;

impl Checkerboard {
    /// Prints which patterns can be reached.
    pub(super) fn print_patterns(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        if self.construction && !self.corners().any(|corner| self.built(corner).is_some()) {
            return Err(Failure::request(self.no_construction()));
        }
        let counted = if self.count || (self.deterministic && !self.is_settled()) {
            let most = (self.memory.bytes() / POSITION_BYTES) as usize;
            let found = count_sequences(self.shape, self.drops(), most, &ProgressLine::new());
            Some(found.map_err(failure)?)
        } else {
            None
        };
        let mut patterns = Vec::new();
        let mut shown = None;
        for corner in self.corners() {
            let (pattern, sequence) = self.pattern(corner, counted.as_ref())?;
            patterns.push(pattern);
            shown = shown.or(sequence);
        }
        let sum = |sum: u128, pattern: &PatternAnswer| sum.checked_add(pattern.sequences?);
        let example = shown
            .map(|sequence| Example::new(self.shape, &sequence, self.boards))
            .transpose()?;
        let answer = CheckerboardAnswer {
            shape: self.shape.to_string(),
            deterministic: self.deterministic,
            reachable: example.is_some(),
            sequences: patterns.iter().try_fold(0, sum),
            example: example.as_ref().map(|example| example.game.clone()),
            patterns,
            positions: counted.map(|counted| counted.positions),
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, |answer| text(answer, example.as_ref()))
    }

    /// The answer for one pattern, and a sequence to it if there is one.
    fn pattern(
        &self,
        corner: Corner,
        counted: Option<&SequenceCount>,
    ) -> Result<(PatternAnswer, Option<Sequence>), Failure> {
        let mut answer = PatternAnswer {
            corner: corner.tile(),
            reachable: true,
            method: CheckerboardMethod::Construction,
            sequences: counted
                .map(|counted| counted.of(corner))
                .filter(|_| self.count),
            positions: None,
            example: None,
        };
        let built = self.built(corner);
        if let Some(counted) = counted {
            answer.method = CheckerboardMethod::Search;
            answer.reachable = counted.of(corner) > 0;
        } else if built.is_none() {
            match self.taken_back(corner)? {
                Some(proof) => {
                    answer.method = CheckerboardMethod::Retrograde;
                    answer.reachable = proof.reachable;
                    answer.positions = Some(proof.positions);
                }
                None => {
                    answer.method = CheckerboardMethod::Theorem;
                    answer.reachable = false;
                }
            }
        }
        let sequence = match built {
            _ if !answer.reachable => None,
            None => find_sequence(self.shape, corner, self.drops(), &ProgressLine::new())
                .map_err(failure)?,
            built => built,
        };
        answer.example = sequence.as_ref().map(Sequence::to_string);
        Ok((answer, sequence))
    }

    fn built(&self, corner: Corner) -> Option<Sequence> {
        construction(self.shape, corner, self.drops())
    }

    /// Whether deterministic games need no search: a pattern that cannot be reached with drops
    /// anywhere cannot be reached with drops into the first cell.
    fn is_settled(&self) -> bool {
        self.corners()
            .all(|corner| self.built(corner).is_some() || is_excluded(self.shape, corner))
    }

    /// Takes back all games with drops anywhere; `None` if there are too many and the pattern
    /// is known to be out of reach.
    fn taken_back(&self, corner: Corner) -> Result<Option<RetrogradeResult>, Failure> {
        let most = if self.exhaustive || !is_excluded(self.shape, corner) {
            usize::MAX
        } else {
            MOST_BOARDS
        };
        match retrograde_search(self.shape, corner, most, &ProgressLine::new()) {
            Ok(proof) => Ok(Some(proof)),
            Err(CheckerboardError::TooManyPositions(_)) => Ok(None),
            Err(error) => Err(failure(error)),
        }
    }

    fn corners(&self) -> impl Iterator<Item = Corner> {
        let wanted = self.corner;
        let fits = move |&corner: &Corner| wanted.is_none_or(|wanted| wanted == corner);
        Corner::ALL.into_iter().filter(fits)
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
                DropPlacement::First => "",
                DropPlacement::Anywhere => ", or 3 and the other odd with a 2 in the corner",
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

fn text(answer: &CheckerboardAnswer, example: Option<&Example>) -> String {
    let game = if answer.deterministic {
        "deterministic"
    } else {
        "cooperative"
    };
    let mut text = format!("{} checkerboard, {game} game\n", answer.shape);
    for pattern in &answer.patterns {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {} in the upper left corner: {}",
            pattern.corner,
            pattern_text(pattern)
        );
    }
    if let (Some(sequences), 2) = (answer.sequences, answer.patterns.len()) {
        let _ = writeln!(text, "  together {} sequences", grouped(sequences));
    }
    if let Some(positions) = answer.positions {
        let positions = grouped(positions.into());
        let _ = writeln!(text, "  {positions} positions, {:.2} s", answer.seconds);
    }
    if let Some(example) = example {
        let _ = write!(
            text,
            "  for example, in {} drops\n{}",
            example.game.drops,
            example.text()
        );
    }
    text
}

fn pattern_text(pattern: &PatternAnswer) -> String {
    let method = match pattern.method {
        CheckerboardMethod::Construction => "by construction",
        CheckerboardMethod::Search => "by search of all games",
        CheckerboardMethod::Retrograde => "by taking back all games",
        CheckerboardMethod::Theorem => "by the theorem",
    };
    match (pattern.reachable, pattern.sequences) {
        (true, Some(sequences)) => format!("{} sequences", grouped(sequences)),
        (true, None) => format!("reachable, {method}"),
        (false, _) => match pattern.positions {
            Some(positions) => format!(
                "out of reach, {method}: {} boards",
                grouped(positions.into())
            ),
            None => format!("out of reach, {method}"),
        },
    }
}
