//! Comparing the games and the searches of a GPU with those of the processor.

use std::time::Instant;

use tilebase_expectimax::{ExpectimaxOptions, ExpectimaxSearch, SearchLimit};
use tilebase_game::{Board, Rules, Variant};
use tilebase_network::{GpuSearch, SlideValues, shared};
use tilebase_play::{
    EvaluationKind, Expectimax, ExpectimaxError, GameReplay, RecordHeader, RecordReader, Recorder,
    SearchConfig, Series, play_in_lockstep, play_timed,
};
use tilebase_schema::SelftestPlay;

use crate::commands::play::players::gpu_failure;
use crate::failure::Failure;
use crate::output::grouped;
use crate::progress::ProgressLine;

/// Games that are played to their end, one slide deep with extensions.
const GAMES: u64 = 24;
/// One in this many of their positions is searched deeper.
const SAMPLE: u64 = 400;
/// How deep.
const DEPTH: u8 = 3;

/// Plays games and searches positions on both.
pub fn compare() -> Result<SelftestPlay, Failure> {
    let variant: Variant = "4x4".parse().map_err(Failure::request)?;
    let network = shared().map_err(|error| Failure::Work(error.to_string()))?;
    let network = network.ok_or_else(|| Failure::request(ExpectimaxError::NoNetwork))?;
    let config = SearchConfig {
        limit: SearchLimit::Depth(1),
        options: ExpectimaxOptions::default(),
        time: None,
    };
    let player = Expectimax::new(variant, EvaluationKind::Network, None, config);
    let player = player.map_err(Failure::request)?;
    let series = Series {
        variant,
        start: None,
        games: GAMES,
        seed: 1,
    };
    let header = RecordHeader::of_series(&series, "expectimax");
    let recorder = || Recorder::new(Vec::new(), &header).map_err(|e| Failure::work("recording", e));
    let finished = |recorder: Recorder<Vec<u8>>| {
        let file = recorder.finish();
        file.map_err(|error| Failure::work("recording", error))
    };

    let (sink, start) = (recorder()?, Instant::now());
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let expected = play_timed(&series, &player, threads, &ProgressLine::new(), Some(&sink));
    let mut reference_seconds = start.elapsed().as_secs_f64();
    let expected_games = finished(sink)?.0;

    let (sink, start) = (recorder()?, Instant::now());
    let mut on_gpu = player.on_gpu().map_err(gpu_failure)?;
    play_in_lockstep(
        &series,
        0..GAMES,
        &mut on_gpu,
        threads,
        &ProgressLine::new(),
        Some(&sink),
    )?;
    drop(on_gpu);
    let mut seconds = start.elapsed().as_secs_f64();
    let same_games = finished(sink)?.0 == expected_games;

    let boards = positions(&expected_games)?;
    let rules = Rules::new(variant.shape()).map_err(Failure::request)?;
    let (spawn, options) = (variant.spawn(), ExpectimaxOptions::default());
    let start = Instant::now();
    let mut search = ExpectimaxSearch::new(rules, spawn, &*network, options);
    let values = boards.iter().map(|&board| {
        let mut values: SlideValues = [f64::NEG_INFINITY; 4];
        let advice = search.advise_pruned(board, SearchLimit::Depth(DEPTH));
        for scored in advice.into_iter().flat_map(|advice| advice.moves) {
            values[scored.m.index()] = scored.value;
        }
        values.map(f64::to_bits)
    });
    let values: Vec<_> = values.collect();
    reference_seconds += start.elapsed().as_secs_f64();
    let start = Instant::now();
    let mut search = GpuSearch::new(network.clone(), rules, spawn, options, DEPTH)?;
    let found = search.values(&boards)?;
    seconds += start.elapsed().as_secs_f64();
    let pairs = values.iter().zip(&found);
    let different = pairs.filter(|(a, b)| **a != b.map(f64::to_bits)).count();
    Ok(SelftestPlay {
        games: GAMES,
        moves: expected.summary.moves(),
        positions: boards.len(),
        different,
        same: same_games && different == 0 && found.len() == boards.len(),
        reference_seconds,
        seconds,
    })
}

/// Some positions of recorded games.
fn positions(file: &[u8]) -> Result<Vec<Board>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::work("reading the games", error);
    let mut reader = RecordReader::new(file).map_err(|error| failed(&error))?;
    let mut boards = Vec::new();
    while let Some(game) = reader.next_game().map_err(|error| failed(&error))? {
        let header = reader.header();
        let mut replay = GameReplay::new(header, &game).map_err(|error| failed(&error))?;
        while let Some(made) = replay.next_move() {
            made.map_err(|error| failed(&error))?;
            if replay.moves() % SAMPLE == 0 {
                boards.extend(replay.grid().pack_halved());
            }
        }
    }
    Ok(boards)
}

/// The line about the games.
pub fn text(play: &SelftestPlay) -> String {
    let verdict = match play.same {
        true => "the same moves and values".to_owned(),
        false if play.different > 0 => format!("DIFFERENT in {} positions", play.different),
        false => "DIFFERENT games".to_owned(),
    };
    format!(
        "  {} games of 4x4 with {} moves, {} positions searched: {verdict}; {:.2} s and {:.2} s\n",
        play.games,
        grouped(play.moves.into()),
        grouped(play.positions as u128),
        play.reference_seconds,
        play.seconds
    )
}
