//! One recorded game, its moves compared with the best ones.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tilebase_game::{Grid, Move};
use tilebase_play::{GameLog, GameReplay, RecordError, RecordHeader, ReplayError};
use tilebase_schema::{Grade, Outlook, Position, ReplayedReview, ReviewedMove, Unit as ValueUnit};
use tilebase_service::reviewing::Reviewing;
use tilebase_service::{ApiError, Effort, Service, TableId};
use tilebase_util::progress::{Progress, Unit};

use super::Replay;
use crate::commands::value_text;
use crate::failure::Failure;
use crate::output::{self, grouped, percent};
use crate::progress::ProgressLine;
use crate::standard;

/// Moves that are shown.
const WORST: usize = 5;

/// Reviews a game, counted from 1.
pub fn run(request: &Replay, game: u64, json: bool) -> Result<(), Failure> {
    let (header, log) = request.find(game)?;
    let (grids, moves) = positions(&header, &log)
        .map_err(|error| request.failure(&RecordError::Illegal { game, error }))?;
    let tables = request.tables.open(header.variant.spawn())?;
    let service = Service::default();
    let id = TableId::usual(header.variant);
    let analysis = service.analysis_of(id).map_err(failure)?;
    let effort = request.depth.map_or(Effort::Quick, Effort::Depth);
    let progress = ProgressLine::new();
    let analysed = analyse(&grids, &progress, |grid| match tables.position(grid)? {
        Some((position, _)) => Ok(position),
        None => analysis.position(grid.clone(), effort).map_err(failure),
    });
    progress.finish();
    let mut analysed = analysed?;
    let last = analysed.pop();
    let mut reviewing = Reviewing::new(&log.start);
    for (position, m) in analysed.into_iter().zip(moves) {
        if !reviewing.add(position, m.into()) {
            return Err(Failure::Work(format!("{m} is not legal in game {game}")));
        }
    }
    let review = reviewing.finish(grids.last().unwrap_or(&log.start), last);
    let mut grades = BTreeMap::new();
    for grade in review.moves.iter().filter_map(|m| m.played.grade) {
        *grades.entry(grade.name().to_owned()).or_insert(0) += 1;
    }
    let answer = ReplayedReview {
        file: request.file.clone(),
        player: header.player,
        seed: header.seed,
        game,
        score: log.score,
        grades,
        review,
    };
    output::print(json, &answer, text)
}

/// All positions of a game that follows the rules, and its moves.
fn positions(header: &RecordHeader, log: &GameLog) -> Result<(Vec<Grid>, Vec<Move>), ReplayError> {
    let mut replay = GameReplay::new(header, log)?;
    let (mut grids, mut moves) = (vec![replay.grid().clone()], Vec::new());
    while let Some(recorded) = replay.next_move() {
        moves.push(recorded?.m);
        grids.push(replay.grid().clone());
    }
    log.check(header)?;
    Ok((grids, moves))
}

/// Analyses positions on all cores.
fn analyse(
    grids: &[Grid],
    progress: &dyn Progress,
    position: impl Fn(&Grid) -> Result<Position, Failure> + Sync,
) -> Result<Vec<Position>, Failure> {
    progress.begin(Unit::Moves, Some(grids.len() as u64));
    let next = AtomicUsize::new(0);
    let found: Vec<OnceLock<Result<Position, Failure>>> =
        grids.iter().map(|_| OnceLock::new()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !progress.interrupted() {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(grid) = grids.get(at) else { break };
                    let result = position(grid);
                    if result.is_err() {
                        // The others stop too.
                        next.store(grids.len(), Ordering::Relaxed);
                    }
                    // Each place is written once.
                    let _ = found[at].set(result);
                    progress.advance(1);
                }
            });
        }
    });
    if progress.interrupted() {
        return Err(Failure::Interrupted);
    }
    found.into_iter().filter_map(OnceLock::into_inner).collect()
}

fn failure(error: ApiError) -> Failure {
    match error {
        ApiError::Request(text) => Failure::Request(text),
        error => Failure::Work(error.to_string()),
    }
}

fn text(answer: &ReplayedReview) -> String {
    let review = &answer.review;
    let mut text = format!(
        "{}: game {} of {} by {}, {} moves, score {}\n",
        standard::name(&answer.file),
        answer.game,
        review.game.variant,
        answer.player,
        grouped(review.moves.len() as u128),
        grouped(answer.score),
    );
    let Some(accuracy) = review.accuracy else {
        text.push_str("no move can be judged\n");
        return text;
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "accuracy {}", percent(accuracy / 100.0));
    for &grade in Grade::ALL {
        if let Some(&count) = answer.grades.get(grade.name()) {
            let count = grouped(count as u128);
            let _ = writeln!(text, "  {:<12}{count:>8}", value_text::grade(grade));
        }
    }
    let worst = worst(&review.moves);
    if worst.is_empty() {
        text.push_str("no move lost anything that matters\n");
        return text;
    }
    text.push_str("worst moves:\n");
    let head = [
        "move",
        "played",
        "best",
        "grade",
        "loss",
        "before and after",
        "board",
    ];
    let rows = worst.into_iter().map(row);
    text.push_str(&aligned([head.map(str::to_owned)].into_iter().chain(rows)));
    text
}

/// The worst moves, the worst first.
fn worst(moves: &[ReviewedMove]) -> Vec<&ReviewedMove> {
    let severity = |m: &ReviewedMove| {
        let grade = m
            .played
            .grade
            .filter(|grade| !matches!(grade, Grade::Best | Grade::AboutEqual));
        Grade::ALL.iter().position(|&other| Some(other) == grade)
    };
    let share = |m: &ReviewedMove| match (m.played.loss, m.unit, m.before.value) {
        (Some(loss), Some(ValueUnit::Probability), _) => loss,
        (Some(loss), _, Some(value)) => loss / value.abs().max(1e-9),
        _ => 0.0,
    };
    let mut worst: Vec<_> = moves.iter().filter(|m| severity(m).is_some()).collect();
    worst.sort_by(|a, b| {
        let by_share = share(b).total_cmp(&share(a));
        severity(b).cmp(&severity(a)).then(by_share)
    });
    worst.truncate(WORST);
    worst
}

fn row(m: &ReviewedMove) -> [String; 7] {
    let loss = m.played.loss.map(|loss| value_text::number(loss, m.unit));
    [
        // Moves are counted from 1.
        (m.ply + 1).to_string(),
        m.played.direction.to_string(),
        m.best.map_or(String::new(), |best| best.to_string()),
        m.played.grade.map_or("", value_text::grade).to_owned(),
        loss.unwrap_or_default(),
        before_and_after(m),
        m.board.clone(),
    ]
}

/// The number that a move changed most: the chance of a tile, or the value.
fn before_and_after(m: &ReviewedMove) -> String {
    let chance = |outlook: &Outlook, tile| outlook.chances.as_ref()?.get(&tile).copied();
    let chances = m.outlook_before.chances.iter().flatten();
    let drops = chances.filter_map(|(&tile, &before)| {
        let after = chance(&m.played.outlook, tile)?;
        Some((tile, before, after))
    });
    let largest = drops.max_by(|a, b| (a.1 - a.2).total_cmp(&(b.1 - b.2)));
    match (largest, m.before.value, m.played.value.value) {
        (Some((tile, before, after)), _, _) => {
            format!("{tile}: {} → {}", percent(before), percent(after))
        }
        (None, Some(before), Some(after)) => format!(
            "{} → {}",
            value_text::number(before, m.unit),
            value_text::number(after, m.unit)
        ),
        _ => String::new(),
    }
}

/// Rows with aligned columns.
fn aligned<const N: usize>(rows: impl Iterator<Item = [String; N]>) -> String {
    let rows: Vec<[String; N]> = rows.collect();
    let widths: [usize; N] = std::array::from_fn(|at| {
        let lengths = rows.iter().map(|row| row[at].chars().count());
        lengths.max().unwrap_or(0)
    });
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(widths);
        let cells: Vec<String> = cells
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        format!("  {}\n", cells.join("  ").trim_end())
    });
    lines.collect()
}
