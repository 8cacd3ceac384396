//! All games of a file, checked and summed up.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;
use tilebase_play::{Dice, Reader, RecordError, RecordHeader, Summary};
use tilebase_util::progress::{Progress, Unit};

use super::Replay;
use crate::commands::play::statistics::{Statistics, largest_text, largest_tiles};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

#[derive(Serialize)]
struct Answer {
    file: PathBuf,
    ok: bool,
    broken: Option<String>,
    variant: Option<String>,
    player: Option<String>,
    seed: Option<u64>,
    games: u64,
    moves: u64,
    mean_score: Option<f64>,
    min_score: Option<u128>,
    max_score: Option<u128>,
    mean_moves: Option<f64>,
    max_tile: BTreeMap<u128, u64>,
    won: u64,
    #[serde(flatten)]
    statistics: Statistics,
    dice_match: Option<bool>,
    dice_differ: Option<Differ>,
    bytes: u64,
    bytes_per_move: Option<f64>,
    seconds: f64,
}

/// The first tile that is not the seed's: after this move, or at the start after move 0.
#[derive(Clone, Copy, Serialize)]
struct Differ {
    game: u64,
    #[serde(rename = "move")]
    number: u64,
}

/// What was found before the end of a file, or before the first fault in it.
#[derive(Default)]
struct Found {
    header: Option<RecordHeader>,
    summary: Summary,
    dice_differ: Option<Differ>,
    bytes: u64,
}

/// Goes through all games.
fn read(request: &Replay, found: &mut Found, progress: &dyn Progress) -> Result<(), Stop> {
    let reader = request.reader().map_err(Stop::Failed)?;
    let mut reader = Reader::new(reader)?;
    found.header = Some(reader.header().clone());
    progress.begin(Unit::Games, None);
    while let Some(log) = reader.next_game()? {
        if progress.interrupted() {
            return Err(Stop::Failed(Failure::Interrupted));
        }
        let game = log.index + 1;
        let checked = log.check(reader.header());
        let (record, dice) = checked.map_err(|fault| RecordError::Broken { game, fault })?;
        if let (Dice::OthersFrom(number), None) = (dice, found.dice_differ) {
            found.dice_differ = Some(Differ { game, number });
        }
        found.summary.add(&record);
        found.bytes = reader.bytes();
        progress.advance(1);
    }
    found.bytes = reader.bytes();
    Ok(())
}

/// Checks all games, and prints what was found. A file that is not right is a failure.
pub fn run(request: &Replay, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let mut found = Found::default();
    let progress = ProgressLine::new();
    let read = read(request, &mut found, &progress);
    progress.finish();
    let broken = match read {
        Ok(()) => None,
        Err(Stop::Broken(RecordError::Read(error))) => {
            return Err(request.failure(RecordError::Read(error)));
        }
        Err(Stop::Broken(error)) => Some(error),
        Err(Stop::Failed(failure)) => return Err(failure),
    };
    let text = broken.as_ref().map(|error| error.to_string());
    let answer = Answer::new(request.file.clone(), &found, text, start);
    // Of a broken file one line is told, and the games before it only to programs.
    if json || broken.is_none() {
        output::print(json, &answer, Answer::text)?;
    }
    match broken {
        Some(error) => Err(request.failure(error)),
        None => Ok(()),
    }
}

/// Why not all games were read.
enum Stop {
    /// The file is not what it should be.
    Broken(RecordError),
    /// The command ends without an answer.
    Failed(Failure),
}

impl From<RecordError> for Stop {
    fn from(error: RecordError) -> Stop {
        Stop::Broken(error)
    }
}

impl Answer {
    fn new(file: PathBuf, found: &Found, broken: Option<String>, start: Instant) -> Answer {
        let (header, summary) = (found.header.as_ref(), &found.summary);
        let range = summary.score_range();
        let target = header.and_then(|header| header.variant.target());
        Answer {
            file,
            ok: broken.is_none(),
            broken,
            variant: header.map(|header| header.variant.to_string()),
            player: header.map(|header| header.player.clone()),
            seed: header.map(|header| header.seed),
            games: summary.games(),
            moves: summary.moves(),
            mean_score: summary.mean_score(),
            min_score: range.map(|(low, _)| low),
            max_score: range.map(|(_, high)| high),
            mean_moves: summary.mean_moves(),
            max_tile: largest_tiles(summary),
            won: summary.won(),
            statistics: Statistics::new(summary, target),
            dice_match: header.map(|_| found.dice_differ.is_none()),
            dice_differ: found.dice_differ,
            bytes: found.bytes,
            bytes_per_move: (summary.moves() > 0)
                .then(|| found.bytes as f64 / summary.moves() as f64),
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    fn text(&self) -> String {
        let unknown = String::new();
        let games = if self.games == 1 { "game" } else { "games" };
        let mut text = format!(
            "{}: {} {games} of {} by {}, seed {}\n",
            self.file.display(),
            grouped(self.games.into()),
            self.variant.as_ref().unwrap_or(&unknown),
            self.player.as_ref().unwrap_or(&unknown),
            self.seed.unwrap_or(0)
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  every move, score and ending follows the rules");
        let _ = match self.dice_differ {
            None => writeln!(text, "  all tiles fell as the seed's dice let them fall"),
            Some(Differ { game, number: 0 }) => writeln!(
                text,
                "  the dice are not the seed's: first at the start of game {game}"
            ),
            Some(Differ { game, number }) => writeln!(
                text,
                "  the dice are not the seed's: first in game {game}, after move {number}"
            ),
        };
        if let (Some(score), Some(moves)) = (self.mean_score, self.mean_moves) {
            let _ = writeln!(
                text,
                "  mean score {score:.1} (lowest {}, highest {}), {moves:.1} moves a game",
                grouped(self.min_score.unwrap_or(0)),
                grouped(self.max_score.unwrap_or(0)),
            );
            text.push_str(&largest_text(&self.max_tile));
            text.push_str(&self.statistics.text(None));
        }
        let _ = write!(
            text,
            "  {} moves in {} bytes",
            grouped(self.moves.into()),
            grouped(self.bytes.into()),
        );
        if let Some(bytes) = self.bytes_per_move {
            let _ = write!(text, ", {bytes:.2} bytes a move");
        }
        text.push('\n');
        text
    }
}
