//! Seeded series: the same everywhere, and played by the rules.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_expectimax::{ExpectimaxOptions, NO_EXTENSION, SearchLimit};
use tilebase_game::{Move, Rng, Spawn, Variant};
use tilebase_naive::{DIRECTIONS, Position};
use tilebase_play::{
    Ending, EvaluationKind, Expectimax, Game, PlayerKind, RecordHeader, RecordReader, Recorder,
    SearchConfig, Series, play_game, play_series, play_timed,
};
use tilebase_util::progress::{Silent, StopAfter};

fn series(name: &str, games: u64, seed: u64) -> Series {
    Series {
        variant: name.parse().unwrap(),
        start: None,
        games,
        seed,
    }
}

/// These numbers are promised: every machine and version must find the same.
#[test]
fn seeded_games_stay_the_same() {
    let summary = play_series(&series("4x4", 1000, 42), &PlayerKind::Random, 2, &Silent);
    assert_eq!(
        (summary.games(), summary.moves(), summary.score_range()),
        (1000, 115_673, Some((144, 4928)))
    );
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for name in [
        "4x4",
        "2x2-to-8",
        "3x4-to-64",
        "5x5-spawn-2:0.5,4:0.5-start-5",
        "1x2",
    ] {
        let series = series(name, 64, 7);
        let one = play_series(&series, &PlayerKind::Random, 1, &Silent);
        assert_eq!(one.games(), 64);
        for threads in [2, 3, 16] {
            assert_eq!(
                play_series(&series, &PlayerKind::Random, threads, &Silent),
                one,
                "{name}"
            );
        }
    }
}

/// Searches have transposition tables and extensions, which must not depend on the threads.
#[test]
fn the_number_of_threads_does_not_matter_to_searches() {
    let series = series("3x3", 24, 3);
    let players = |extend_above| {
        let config = SearchConfig {
            limit: SearchLimit::Depth(1),
            options: ExpectimaxOptions {
                extend_above: Some(extend_above),
                ..ExpectimaxOptions::default()
            },
            time: None,
        };
        Expectimax::new(series.variant, EvaluationKind::Smooth, None, config).unwrap()
    };
    let play =
        |extend_above, threads| play_series(&series, &players(extend_above), threads, &Silent);
    let one = play(4, 1);
    for threads in [2, 3, 16] {
        assert_eq!(play(4, threads), one);
    }
    // Extensions matter: without them the games differ.
    assert_ne!(play(NO_EXTENSION, 2), one);
}

/// Every step of a game is a naive slide and one new tile.
#[test]
fn games_follow_the_naive_rules() {
    for name in ["4x4", "3x3-to-64", "6x5-spawn-4:1", "2x4-spawn-2:1-start-3"] {
        let variant: Variant = name.parse().unwrap();
        let position = |game: &Game| {
            let shape = variant.shape();
            Position::new(
                shape.rows().into(),
                shape.cols().into(),
                game.grid().exponents(),
            )
        };
        for seed in 0..20 {
            let mut game = Game::new(variant, Rng::new(seed));
            let mut player = PlayerKind::Random.player(Rng::new(seed + 1000));
            let tiles = game.grid().exponents().iter().filter(|&&e| e > 0).count();
            assert_eq!(tiles, usize::from(variant.start_tiles()));
            let mut score = 0;
            while game.ending().is_none() {
                let before = position(&game);
                let m = player.choose(game.grid()).unwrap();
                let (after, points) = before.slide(DIRECTIONS[m.index()]);
                assert_ne!(after, before);
                assert!(game.slide(m));
                score += points;
                let possible = variant.spawn().exponents().flat_map(|e| after.drops(e));
                assert!(possible.into_iter().any(|next| next == position(&game)));
            }
            assert_eq!(game.score(), score);
            assert_eq!(
                player.choose(game.grid()).is_none(),
                position(&game).is_lost()
            );
            assert_eq!(
                game.ending() == Some(Ending::Lost),
                game.grid().is_lost() && !variant.target().is_some_and(|t| game.grid().reaches(t))
            );
        }
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let variant: Variant = "2x2-to-64".parse().unwrap();
    let mut game = Game::from_position(variant, "2,4/.,.".parse().unwrap(), Rng::new(1));
    assert!(!game.slide(Move::Up));
    assert_eq!((game.moves(), game.score()), (0, 0));
    assert_eq!(game.grid().to_string(), "2,4/.,.");
    assert!(game.slide(Move::Down));
}

/// Of a series that is interrupted the finished games are kept, and those that are not apart.
#[test]
fn an_interrupted_series_keeps_its_games() {
    for queries in [0, 1, 50, 2000] {
        let series = series("3x3", 1000, 5);
        let header = RecordHeader::of_series(&series, "random");
        let recorder = Recorder::new(Vec::new(), &header).unwrap();
        let stop = StopAfter::new(queries);
        let part = play_timed(&series, &PlayerKind::Random, 2, &stop, Some(&recorder));
        let (file, started) = recorder.finish().unwrap();
        assert_eq!(part.summary.games() + part.unfinished.games(), started);
        assert!(part.unfinished.games() <= 2);
        // Each game asks once before it starts and once with each move.
        let moves = part.summary.moves() + part.unfinished.moves();
        assert!(moves <= queries && moves + 3 * started + 2 >= queries);
        let mut reader = RecordReader::new(file.as_slice()).unwrap();
        while let Some(game) = reader.next_game().unwrap() {
            let (result, _) = game.check(&header).unwrap();
            let whole = play_game(&series, &PlayerKind::Random, game.index);
            assert_eq!(result == whole, game.ending.is_some());
        }
    }
}

/// Random play of 2x2 to 8, whose exact chance a chain over all states gives.
#[test]
fn random_play_wins_as_often_as_it_should() {
    let variant: Variant = "2x2-to-8".parse().unwrap();
    let expected = chance_of_random_play(variant);
    let games = 20_000;
    let won = play_series(
        &series("2x2-to-8", games, 3),
        &PlayerKind::Random,
        2,
        &Silent,
    )
    .won() as f64;
    let mean = expected * games as f64;
    let deviation = (mean * (1.0 - expected)).sqrt();
    assert!((won - mean).abs() < 5.0 * deviation, "{won} against {mean}");
}

/// The probability that random play wins, by recursion over the rules.
fn chance_of_random_play(variant: Variant) -> f64 {
    use std::collections::HashMap;
    use tilebase_game::{Board, Representative, Rules};
    fn chance(rules: &Rules, state: Board, target: u8, known: &mut HashMap<Board, f64>) -> f64 {
        if state.reaches(target) {
            return 1.0;
        }
        if let Some(&known) = known.get(&state) {
            return known;
        }
        let legal: Vec<Move> = rules.legal_moves(state).iter().collect();
        let mut total = 0.0;
        for &m in &legal {
            for outcome in rules.spawns(rules.slide(state, m), Spawn::STANDARD) {
                total += outcome.probability * chance(rules, outcome.board, target, known);
            }
        }
        let value = if legal.is_empty() {
            0.0
        } else {
            total / legal.len() as f64
        };
        known.insert(state, value);
        value
    }
    let rules = Rules::new(variant.shape()).unwrap();
    let mut known = HashMap::new();
    rules
        .start_states(
            variant.spawn(),
            variant.start_tiles(),
            Representative::Itself,
        )
        .into_iter()
        .map(|(state, p)| p * chance(&rules, state, variant.target().unwrap(), &mut known))
        .sum()
}
