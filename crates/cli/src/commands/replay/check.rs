//! All games of a record, checked and summed up.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use tilebase_play::{RecordError, RecordHeader, RecordReader, SpawnCheck, Summary};
use tilebase_schema::{ReplayAnswer, SpawnMismatch};
use tilebase_util::progress::{Progress, Unit};

use super::{Replay, problem};
use crate::commands::play::statistics::{largest_text, mean_text, spread_text, statistics};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;
use crate::standard;

/// The games before the end of a record, or before its first error.
#[derive(Default)]
struct CheckedGames {
    header: Option<RecordHeader>,
    summary: Summary,
    first_mismatch: Option<SpawnMismatch>,
    bytes: u64,
}

/// Reads and checks all games.
fn read(request: &Replay, found: &mut CheckedGames, progress: &dyn Progress) -> Result<(), Stop> {
    let reader = request.reader().map_err(Stop::Failed)?;
    let mut reader = RecordReader::new(reader)?;
    found.header = Some(reader.header().clone());
    progress.begin(Unit::Games, None);
    while let Some(log) = reader.next_game()? {
        if progress.interrupted() {
            return Err(Stop::Failed(Failure::Interrupted));
        }
        let game = log.index + 1;
        let checked = log.check(reader.header());
        let (result, spawns) = checked.map_err(|error| RecordError::Illegal { game, error })?;
        if let (SpawnCheck::DiffersFrom(ply), None) = (spawns, found.first_mismatch) {
            found.first_mismatch = Some(SpawnMismatch { game, ply });
        }
        found.summary.add(&result);
        found.bytes = reader.bytes();
        progress.advance(1);
    }
    found.bytes = reader.bytes();
    Ok(())
}

/// Checks all games, and prints the result. A broken record is a failure.
pub fn run(request: &Replay, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let mut found = CheckedGames::default();
    let progress = ProgressLine::new();
    let read = read(request, &mut found, &progress);
    progress.finish();
    let broken = match read {
        Ok(()) => None,
        Err(Stop::Broken(RecordError::Read(error))) => {
            return Err(request.failure(&RecordError::Read(error)));
        }
        Err(Stop::Broken(error)) => Some(error),
        Err(Stop::Failed(failure)) => return Err(failure),
    };
    let message = broken.as_ref().map(problem);
    let answer = answer(request.file.clone(), &found, message, start);
    // For a broken record people get one line; JSON also has the games before the error.
    if json || broken.is_none() {
        output::print(json, &answer, text)?;
    }
    match broken {
        Some(error) => Err(request.failure(&error)),
        None => Ok(()),
    }
}

/// Why not all games were read.
enum Stop {
    /// The record is broken.
    Broken(RecordError),
    /// The command ends without an answer.
    Failed(Failure),
}

impl From<RecordError> for Stop {
    fn from(error: RecordError) -> Stop {
        Stop::Broken(error)
    }
}

fn answer(
    file: PathBuf,
    found: &CheckedGames,
    broken: Option<String>,
    start: Instant,
) -> ReplayAnswer {
    let (header, summary) = (found.header.as_ref(), &found.summary);
    let target = header.and_then(|header| header.variant.target());
    let moves = summary.moves();
    ReplayAnswer {
        file,
        ok: broken.is_none(),
        broken,
        variant: header.map(|header| header.variant.to_string()),
        player: header.map(|header| header.player.clone()),
        seed: header.map(|header| header.seed),
        games: statistics(summary, target),
        moves,
        spawns_match_seed: header.map(|_| found.first_mismatch.is_none()),
        first_mismatch: found.first_mismatch,
        bytes: found.bytes,
        bytes_per_move: (moves > 0).then(|| found.bytes as f64 / moves as f64),
        seconds: start.elapsed().as_secs_f64(),
    }
}

fn text(answer: &ReplayAnswer) -> String {
    let games = &answer.games;
    let mut text = format!(
        "{}: {} {} of {} by {}, seed {}\n",
        standard::name(&answer.file),
        grouped(games.games.into()),
        if games.games == 1 { "game" } else { "games" },
        answer.variant.as_deref().unwrap_or_default(),
        answer.player.as_deref().unwrap_or_default(),
        answer.seed.unwrap_or(0)
    );
    text.push_str("  every move, score and ending follows the rules\n");
    text.push_str(&spawns_text(answer.first_mismatch));
    if let Some(mean) = mean_text(games) {
        text.push_str(&mean);
        text.push_str(&largest_text(&games.max_tile));
        text.push_str(&spread_text(games, None));
    }
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "  {} moves in {} bytes",
        grouped(answer.moves.into()),
        grouped(answer.bytes.into()),
    );
    if let Some(bytes) = answer.bytes_per_move {
        let _ = write!(text, ", {bytes:.2} bytes a move");
    }
    text.push('\n');
    text
}

fn spawns_text(mismatch: Option<SpawnMismatch>) -> String {
    match mismatch {
        None => "  all new tiles are those of the seed\n".to_owned(),
        Some(SpawnMismatch { game, ply: 0 }) => {
            format!(
                "  the new tiles are not those of the seed: first at the start of game {game}\n"
            )
        }
        Some(SpawnMismatch { game, ply }) => format!(
            "  the new tiles are not those of the seed: first in game {game}, after move {ply}\n"
        ),
    }
}
