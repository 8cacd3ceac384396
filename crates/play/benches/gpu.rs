//! How fast expectimax searches positions of real games on a GPU, kernel by kernel.
//! `cargo bench -p tilebase-play --bench gpu`

#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

use std::time::Instant;

use tilebase_expectimax::{ExpectimaxOptions, SearchLimit};
use tilebase_game::{Board, Rng, Rules, Variant};
use tilebase_network::{GpuSearch, shared};
use tilebase_play::{EvaluationKind, Expectimax, Game, SearchConfig};

/// Positions of games one slide deep, from all their parts.
fn positions(number: usize) -> Vec<Board> {
    let variant: Variant = "4x4".parse().unwrap();
    let config = SearchConfig {
        limit: SearchLimit::Depth(1),
        options: ExpectimaxOptions::default(),
        time: None,
    };
    let player = Expectimax::new(variant, EvaluationKind::Network, None, config).unwrap();
    let mut searcher = player.searcher();
    let mut boards = Vec::new();
    for game in 0.. {
        let mut game = Game::new(variant, Rng::for_game(99, game));
        while game.ending().is_none() {
            let board = game.grid().pack_halved().unwrap();
            if game.moves() % 64 == 63 {
                boards.push(board);
            }
            game.slide(searcher.best_move(board).unwrap());
        }
        if boards.len() >= number {
            break;
        }
    }
    boards.truncate(number);
    // Neighbours are of different games' parts, as in a series.
    let mut rng = Rng::new(1);
    for at in (1..boards.len()).rev() {
        boards.swap(at, rng.below(at as u32 + 1) as usize);
    }
    boards
}

fn main() {
    let start = Instant::now();
    let boards = positions(8192);
    let rules = Rules::new("4x4".parse().unwrap()).unwrap();
    let spawn = "4x4".parse::<Variant>().unwrap().spawn();
    println!("positions: {:.1} s", start.elapsed().as_secs_f64());
    for depth in [3, 1, 2, 4] {
        let start = Instant::now();
        let network = shared().unwrap().unwrap();
        let options = ExpectimaxOptions::default();
        let mut search = GpuSearch::new(network, rules, spawn, options, depth).unwrap();
        let opened = start.elapsed().as_secs_f64();
        println!(
            "\ndepth {depth} on {}, opened in {opened:.2} s",
            search.gpu_name().unwrap()
        );
        for size in [1, 16, 128, 512, 1024, 2048, 4096, 8192] {
            let (start, mut searched) = (Instant::now(), 0);
            'all: loop {
                for part in boards.chunks_exact(size) {
                    search.values(part).unwrap();
                    searched += part.len();
                    if start.elapsed().as_secs_f64() > 1.5 {
                        break 'all;
                    }
                }
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{size:>6} at once: {:>10.0} positions/s, {:>8.3} ms each time",
                searched as f64 / seconds,
                1e3 * seconds * size as f64 / searched as f64
            );
        }
        println!("kernels, 4096 at once:");
        for (kernel, time) in search.profile(&boards[..4096]).unwrap() {
            println!("{kernel:>14} {:>9.3} ms", 1e3 * time.as_secs_f64());
        }
    }
}
