use std::io::{self, Write};

use tilebase_game::{Grid, Move, Rng, Variant};
use tilebase_util::progress::{Silent, StopAfter};

use super::*;
use crate::{Ending, Game, PlayerKind, Series, Summary, play_series, play_timed};

fn series(name: &str, games: u64, seed: u64) -> Series {
    Series {
        variant: name.parse().unwrap(),
        start: None,
        games,
        seed,
    }
}

/// A file of a series played by random.
fn recorded(series: &Series, threads: usize) -> Vec<u8> {
    let header = RecordHeader::of_series(series, "random");
    let recorder = Recorder::new(Vec::new(), &header).unwrap();
    play_timed(
        series,
        &PlayerKind::Random,
        threads,
        &Silent,
        Some(&recorder),
    );
    let (file, games) = recorder.finish().unwrap();
    assert_eq!(games, series.games);
    file
}

/// The content of a file, with every game checked.
fn replayed(file: &[u8]) -> Result<(RecordHeader, Summary), RecordError> {
    let mut reader = RecordReader::new(file)?;
    let mut summary = Summary::default();
    while let Some(game) = reader.next_game()? {
        let checked = game.check(reader.header());
        let (result, spawns) = checked.map_err(|error| RecordError::Illegal {
            game: game.index + 1,
            error,
        })?;
        assert_eq!(spawns, SpawnCheck::MatchesSeed);
        summary.add(&result);
    }
    assert_eq!(reader.bytes(), file.len() as u64);
    Ok((reader.header().clone(), summary))
}

#[test]
fn games_come_back_as_they_were_played() {
    for (name, games) in [
        ("1x2", 20),
        ("2x2", 50),
        ("3x3-to-512", 50),
        ("4x4", 50),
        ("4x4-spawn-2:0.5,4:0.5-start-5", 30),
        ("4x4-spawn-4:1", 20),
        ("5x5", 10),
        ("4x8-spawn-2:1", 3),
        ("6x6", 2),
        ("32x32-to-64-start-100", 2),
    ] {
        let series = series(name, games, 3);
        let one = recorded(&series, 1);
        assert_eq!(one, recorded(&series, 2), "{name}");
        let (header, summary) = replayed(&one).unwrap();
        assert_eq!(header, RecordHeader::of_series(&series, "random"));
        assert_eq!(
            summary,
            play_series(&series, &PlayerKind::Random, 1, &Silent)
        );
    }
}

#[test]
fn a_move_takes_about_a_byte() {
    for (name, games, most) in [("4x4", 300, 1.3), ("5x5", 30, 1.1), ("6x6", 3, 2.1)] {
        let file = recorded(&series(name, games, 1), 2);
        let moves = replayed(&file).unwrap().1.moves();
        let bytes = file.len() as f64 / moves as f64;
        assert!((1.0..most).contains(&bytes), "{name}: {bytes} bytes a move");
    }
}

/// The example of docs/records.md, byte by byte: files are kept, so the format stays.
#[test]
fn the_format_is_the_documented_one() {
    let page = include_str!("../../../../docs/records.md");
    let dump = page.split("```text\n").nth(1).unwrap();
    let dump = dump.split("```").next().unwrap();
    let bytes = dump.lines().flat_map(|line| line[..40].split_whitespace());
    let bytes: Vec<u8> = bytes.map(|b| u8::from_str_radix(b, 16).unwrap()).collect();
    assert_eq!(recorded(&series("2x2", 1, 2), 1), bytes);
}

/// No bit can change and no byte can be missing without notice, and the games before the
/// damage are still read.
#[test]
fn all_damage_is_found() {
    let whole = recorded(&series("2x2-to-16", 3, 8), 1);
    let games_before = |file: &[u8]| -> Option<u64> {
        let mut reader = RecordReader::new(file).ok()?;
        let mut games = 0;
        while reader.next_game().ok()?.is_some() {
            games += 1;
        }
        Some(games)
    };
    assert_eq!(games_before(&whole), Some(3));
    for at in 0..whole.len() {
        assert_eq!(games_before(&whole[..at]), None, "cut at {at}");
        for bit in 0..8 {
            let mut file = whole.clone();
            file[at] ^= 1 << bit;
            assert_eq!(games_before(&file), None, "bit {bit} of byte {at}");
        }
    }
    let mut longer = whole.clone();
    longer.push(0);
    assert_eq!(games_before(&longer), None);

    let mut damaged = whole.clone();
    let place = whole.len() - 40;
    damaged[place] ^= 1;
    let mut reader = RecordReader::new(damaged.as_slice()).unwrap();
    let first = reader.next_game().unwrap().unwrap();
    assert_eq!(first.index, 0);
    while let Ok(Some(_)) = reader.next_game() {}
    assert!(
        matches!(reader.next_game(), Ok(None)),
        "nothing more after damage"
    );
}

/// A game of 2x2 that can be spoilt.
fn small_game() -> (RecordHeader, GameLog) {
    let series = series("2x2-to-64", 1, 5);
    let mut reader_file = recorded(&series, 1);
    let mut reader = RecordReader::new(reader_file.as_mut_slice() as &[u8]).unwrap();
    let game = reader.next_game().unwrap().unwrap();
    (reader.header().clone(), game)
}

#[test]
fn every_breach_of_the_rules_is_named() {
    let (header, game) = small_game();
    let moves = game.moves.len() as u64;
    assert!(moves > 3);
    let error = |spoil: &dyn Fn(&mut GameLog)| {
        let mut spoilt = game.clone();
        spoil(&mut spoilt);
        spoilt.check(&header).unwrap_err()
    };
    let illegal = |game: &mut GameLog| {
        let mut replay = GameReplay::new(&header, game).unwrap();
        replay.next_move().unwrap().unwrap();
        let legal = replay.grid().legal_moves();
        let illegal = Move::ALL.into_iter().find(|&m| !legal.contains(m));
        game.moves[1].m = illegal.unwrap();
    };
    assert_eq!(error(&illegal), ReplayError::Slide(2));
    assert_eq!(error(&|g| g.moves[2].place = 3), ReplayError::Place(3));
    assert_eq!(error(&|g| g.moves[0].exponent = 3), ReplayError::Tile(1));
    assert_eq!(error(&|g| g.score += 4), ReplayError::Score(moves));
    let won = |g: &mut GameLog| g.ending = Some(Ending::Won);
    assert_eq!(error(&won), ReplayError::Ending(moves));
    assert_eq!(error(&|g| g.start.set(0, 0, 3)), ReplayError::Start);
    let text = RecordError::Illegal {
        game: 1,
        error: error(&illegal),
    };
    assert_eq!(
        text.to_string(),
        "breaks the rules in game 1, move 2: the slide is not legal"
    );
}

#[test]
fn other_spawns_are_noticed() {
    let (header, game) = small_game();
    let other = RecordHeader {
        seed: header.seed + 1,
        ..header.clone()
    };
    assert!(matches!(
        game.check(&other),
        Ok((_, SpawnCheck::DiffersFrom(_)))
    ));
    let stopped = |moves: usize| {
        let mut short = game.clone();
        short.moves.truncate(moves);
        let mut replay = GameReplay::new(&header, &short).unwrap();
        while let Some(step) = replay.next_move() {
            step.unwrap();
        }
        short.score = replay.score();
        short.ending = None;
        short
    };
    // The other tile, where both can spawn.
    let mut swapped = stopped(3);
    swapped.moves[2].exponent = 3 - swapped.moves[2].exponent;
    let spawns = swapped.check(&header).map(|(_, spawns)| spawns);
    assert_eq!(spawns, Ok(SpawnCheck::DiffersFrom(3)));
}

#[test]
fn a_game_from_a_given_position_is_checked_too() {
    let variant: Variant = "2x2-to-2048".parse().unwrap();
    let start: Grid = "1024,1024/.,.".parse().unwrap();
    let mut game = Game::from_position(variant, start, Rng::for_game(9, 0));
    let mut log = GameLog::new(0, &game);
    assert!(game.slide(Move::Left));
    log.push(Move::Left, &game);
    log.close(&game);
    let header = RecordHeader {
        variant,
        player: "human".to_owned(),
        seed: 9,
        streams: 1,
        given_start: true,
    };
    let (result, spawns) = log.check(&header).unwrap();
    assert_eq!((result.score, result.moves_to_2048), (2048, Some(1)));
    assert_eq!(spawns, SpawnCheck::MatchesSeed);
    assert!(result.won);
    let recorder = Recorder::new(Vec::new(), &header).unwrap();
    assert!(recorder.write(&log));
    let (file, _) = recorder.finish().unwrap();
    let mut reader = RecordReader::new(file.as_slice()).unwrap();
    assert_eq!(reader.header(), &header);
    assert_eq!(reader.next_game().unwrap(), Some(log));
}

/// An interrupted series leaves all games that were started, and they can be read.
#[test]
fn an_interrupted_series_is_a_whole_file() {
    let series = series("3x3", 1000, 5);
    let recorder = Recorder::new(Vec::new(), &RecordHeader::of_series(&series, "random")).unwrap();
    let stop = StopAfter::new(20);
    let played = play_timed(&series, &PlayerKind::Random, 2, &stop, Some(&recorder));
    let (file, games) = recorder.finish().unwrap();
    assert!((1..1000).contains(&games), "{games}");
    let mut all = played.summary;
    all.merge(&played.unfinished);
    assert_eq!(replayed(&file).unwrap().1, all);
}

#[test]
fn games_wait_for_their_turn() {
    let (header, game) = small_game();
    let numbered = |index| GameLog {
        index,
        ..game.clone()
    };
    let recorder = Recorder::new(Vec::new(), &header).unwrap();
    for index in [2, 0, 3, 1] {
        assert!(recorder.write(&numbered(index)));
    }
    let (file, games) = recorder.finish().unwrap();
    assert_eq!(games, 4);
    let mut reader = RecordReader::new(file.as_slice()).unwrap();
    for index in 0..4 {
        assert_eq!(reader.next_game().unwrap().unwrap().index, index);
    }
    assert!(reader.next_game().unwrap().is_none());
}

/// A disk that fills up.
struct Small(usize);

impl Write for Small {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_stops_the_series() {
    let series = series("4x4", 100_000, 5);
    let header = RecordHeader::of_series(&series, "random");
    let recorder = Recorder::new(Small(2000), &header).unwrap();
    let played = play_timed(&series, &PlayerKind::Random, 2, &Silent, Some(&recorder));
    assert!(played.summary.games() < 100, "{}", played.summary.games());
    let error = recorder.finish().map(|(_, games)| games).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert!(Recorder::new(Small(3), &header).is_err());
}
