//! How fast and how strong expectimax plays 4x4, on one core. `cargo bench -p tilebase-play`;
//! `-- long` plays the games of the tables in docs/playing.md.

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::time::Instant;

use tilebase_expectimax::{Effort, Options};
use tilebase_game::{Rng, Variant};
use tilebase_play::{
    EvaluationKind, Expectimax, Game, Looking, Seek, Series, Summary, packed, play_series, wilson,
};
use tilebase_progress::Silent;

/// An evaluation, how far to look, the cut-off, and games to play: usually and if long.
type Case = (EvaluationKind, Effort, f64, [u64; 2]);

fn main() {
    let long = std::env::args().any(|argument| argument == "long");
    let published = EvaluationKind::Smooth.effort();
    let cases: [Case; 5] = [
        (EvaluationKind::Smooth, published, 0.0, [5, 1000]),
        (EvaluationKind::Tuples, Effort::Depth(1), 0.0, [50, 1000]),
        (EvaluationKind::Tuples, Effort::Depth(2), 0.0, [10, 1000]),
        (EvaluationKind::Tuples, Effort::Depth(3), 0.0, [1, 300]),
        (EvaluationKind::Tuples, Effort::Depth(4), 0.004, [1, 300]),
    ];
    println!("| evaluation | looks | cut-off | games | moves/s | slides tried, million/s |");
    println!("|---|---|---:|---:|---:|---:|");
    for case in &cases {
        speed(case);
    }
    if long {
        println!();
        println!("| evaluation | looks | games | mean score | 2048 | 8192 | 16384 | 32768 |");
        println!("|---|---|---:|---:|---:|---:|---:|---:|");
        for case in &cases {
            strength(case);
        }
    }
}

fn player(&(evaluation, effort, cutoff, _): &Case) -> (Variant, Expectimax) {
    let variant: Variant = "4x4".parse().unwrap();
    let looking = Looking {
        effort,
        options: Options {
            cutoff,
            ..Options::default()
        },
        time: None,
    };
    let player = Expectimax::new(variant, evaluation, None, looking);
    (variant, player.unwrap())
}

/// How far a case looks, in words.
fn looks(effort: Effort) -> String {
    match effort {
        Effort::Depth(depth) => format!("{depth} slides"),
        Effort::Positions { from, enough } => format!("{from} slides or more, {enough} positions"),
    }
}

fn speed(case: &Case) {
    let (variant, player) = player(case);
    let games = case.3[0];
    let mut seeker = player.seeker();
    let start = Instant::now();
    let mut moves = 0;
    for number in 0..games {
        moves += play(variant, seeker.as_mut(), number);
    }
    let seconds = start.elapsed().as_secs_f64();
    if games > 0 {
        println!(
            "| {} | {} | {} | {games} | {:.0} | {:.1} |",
            case.0,
            looks(case.1),
            case.2,
            moves as f64 / seconds,
            seeker.slides() as f64 / seconds / 1e6,
        );
    }
}

/// Plays a game; tells its moves.
fn play(variant: Variant, seeker: &mut dyn Seek, number: u64) -> u64 {
    let mut game = Game::new(variant, Rng::for_game(1, 2 * number));
    while let Some(advice) = packed(game.grid())
        .filter(|_| game.ending().is_none())
        .and_then(|board| seeker.advise(board))
    {
        game.slide(advice.moves[0].m);
    }
    game.moves()
}

fn strength(case: &Case) {
    let (variant, player) = player(case);
    let series = Series {
        variant,
        games: case.3[1],
        seed: 1,
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let summary = play_series(&series, &player, threads, &Silent);
    let share = |exponent| reached(&summary, exponent);
    println!(
        "| {} | {} | {} | {:.0} | {} | {} | {} | {} |",
        case.0,
        looks(case.1),
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
