//! How fast and how strong expectimax plays 4x4, on one core. `cargo bench -p tilebase-play`;
//! `-- long` plays the games of the tables in docs/playing.md.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::time::Instant;

use tilebase_expectimax::{ExpectimaxOptions, NO_EXTENSION, SearchLimit};
use tilebase_game::{Rng, Variant};
use tilebase_play::{
    EvaluationKind, Expectimax, Game, SearchConfig, Searcher, Series, Summary, play_series, wilson,
};
use tilebase_util::progress::Silent;

/// An evaluation, the limit of the search, `extend_above` if not the default, and the number of
/// games: usually and if long.
type Case = (EvaluationKind, SearchLimit, Option<u8>, [u64; 2]);

fn main() {
    let long = std::env::args().any(|argument| argument == "long");
    let published = EvaluationKind::Smooth.default_limit();
    let network = |depth, extend_above, games| {
        (
            EvaluationKind::Network,
            SearchLimit::Depth(depth),
            extend_above,
            games,
        )
    };
    let cases: [Case; 7] = [
        (EvaluationKind::Smooth, published, None, [5, 1000]),
        network(1, Some(NO_EXTENSION), [50, 1000]),
        network(1, None, [50, 1000]),
        network(2, None, [10, 300]),
        network(3, Some(NO_EXTENSION), [10, 300]),
        network(3, None, [10, 300]),
        network(3, Some(8), [5, 100]),
    ];
    println!("| evaluation | search | games | moves/s | slides tried, million/s |");
    println!("|---|---|---:|---:|---:|");
    for case in &cases {
        speed(case);
    }
    if long {
        println!();
        println!("| evaluation | search | games | mean score | 2048 | 8192 | 16384 | 32768 |");
        println!("|---|---|---:|---:|---:|---:|---:|---:|");
        for case in &cases {
            strength(case);
        }
    }
}

fn player(&(evaluation, limit, extend_above, _): &Case) -> (Variant, Expectimax) {
    let variant: Variant = "4x4".parse().unwrap();
    let config = SearchConfig {
        limit,
        options: ExpectimaxOptions {
            extend_above,
            ..ExpectimaxOptions::default()
        },
        time: None,
    };
    let player = Expectimax::new(variant, evaluation, None, config);
    (variant, player.unwrap())
}

/// The limit of a case, in words.
fn limit(&(_, limit, extend_above, _): &Case) -> String {
    match limit {
        SearchLimit::Depth(depth) => match extend_above {
            Some(tiles) => format!("{depth} slides, extended above {tiles} tiles"),
            None => format!("{depth} slides"),
        },
        SearchLimit::Positions {
            min_depth,
            positions,
        } => format!("{min_depth} slides or more, {positions} positions"),
    }
}

fn speed(case: &Case) {
    let (variant, player) = player(case);
    let games = case.3[0];
    let mut searcher = player.searcher();
    let start = Instant::now();
    let mut moves = 0;
    for number in 0..games {
        moves += play(variant, searcher.as_mut(), number);
    }
    let seconds = start.elapsed().as_secs_f64();
    if games > 0 {
        println!(
            "| {} | {} | {games} | {:.0} | {:.1} |",
            case.0,
            limit(case),
            moves as f64 / seconds,
            searcher.slides() as f64 / seconds / 1e6,
        );
    }
}

/// Plays a game; returns its number of moves.
fn play(variant: Variant, searcher: &mut dyn Searcher, number: u64) -> u64 {
    let mut game = Game::new(variant, Rng::for_game(1, 2 * number));
    while let Some(advice) = game
        .grid()
        .pack_halved()
        .filter(|_| game.ending().is_none())
        .and_then(|board| searcher.advise(board))
    {
        game.slide(advice.moves[0].m);
    }
    game.moves()
}

fn strength(case: &Case) {
    let (variant, player) = player(case);
    let series = Series {
        variant,
        start: None,
        games: case.3[1],
        seed: 1,
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let summary = play_series(&series, &player, threads, &Silent);
    let share = |exponent| reached(&summary, exponent);
    println!(
        "| {} | {} | {} | {:.0} | {} | {} | {} | {} |",
        case.0,
        limit(case),
        series.games,
        summary.mean_score().unwrap(),
        share(11),
        share(13),
        share(14),
        share(15),
    );
}

/// The share of games that reached a tile, with its interval.
fn reached(summary: &Summary, exponent: u8) -> String {
    let games = summary.reached(exponent);
    let interval = wilson(games, summary.games());
    format!(
        "{:.1} % ({:.1} to {:.1})",
        100.0 * games as f64 / summary.games() as f64,
        100.0 * interval.low,
        100.0 * interval.high
    )
}
