//! How far the searches of other networks are from those of the program's own: prints, for each
//! file, the differences on boards of its games. `compare_networks FILE...`

use std::error::Error;

use tilebase_expectimax::{Advice, ExpectimaxOptions, ExpectimaxSearch, NO_EXTENSION, SearchLimit};
use tilebase_game::{Board, Rng, Rules, Spawn, Variant};
use tilebase_network::{NTupleNetwork, built_in};
use tilebase_play::Game;

/// Boards to compare, and moves between two of them.
const BOARDS: usize = 400;
const APART: u64 = 400;
const SEED: u64 = 77;
const DEPTH: SearchLimit = SearchLimit::Depth(2);

fn main() -> Result<(), Box<dyn Error>> {
    let variant: Variant = "4x4".parse()?;
    let rules = Rules::new(variant.shape())?;
    let network = NTupleNetwork::from_bytes(built_in().ok_or("no network is built in")?)?;
    let options = ExpectimaxOptions {
        extend_above: Some(NO_EXTENSION),
        ..ExpectimaxOptions::default()
    };
    let mut own_search = ExpectimaxSearch::new(rules, Spawn::STANDARD, &network, options);
    let boards = boards(variant, &mut own_search);
    let look = |network: &NTupleNetwork| -> Vec<Advice> {
        let mut search = ExpectimaxSearch::new(rules, Spawn::STANDARD, network, options);
        let advice = boards
            .iter()
            .filter_map(|&board| search.advise(board, DEPTH));
        advice.collect()
    };
    let own = look(&network);
    let value = |advice: &Advice| advice.moves.first().map_or(0.0, |best| best.value);
    println!("mean value {:.0}", mean(own.iter().map(value)));
    for file in std::env::args().skip(1) {
        let network = NTupleNetwork::from_bytes(&std::fs::read(&file)?)?;
        let other = look(&network);
        let pairs = || own.iter().zip(&other);
        let mut apart: Vec<f64> = pairs().map(|(a, b)| (value(a) - value(b)).abs()).collect();
        apart.sort_by(f64::total_cmp);
        // What the other network's move is worth to the program's own.
        let losses = pairs().filter_map(|(a, b)| {
            let chosen = b.moves.first()?.m;
            let at = a.moves.iter().find(|one| one.m == chosen)?;
            Some(value(a) - at.value)
        });
        println!(
            "{file}: values differ by {:.0} (median) and {:.0} (mean), moves lose {:.0}",
            apart[apart.len() / 2],
            mean(apart.iter().copied()),
            mean(losses)
        );
    }
    Ok(())
}

/// Boards of games that are searched one slide deep.
fn boards(variant: Variant, search: &mut ExpectimaxSearch<'_, NTupleNetwork>) -> Vec<Board> {
    let mut boards = Vec::new();
    for number in 0.. {
        let mut game = Game::new(variant, Rng::for_game(SEED, number));
        while let Some(board) = game.grid().pack()
            && let Some(best) = search.best_move(board, SearchLimit::Depth(1))
            && game.slide(best)
        {
            if game.moves().is_multiple_of(APART) {
                boards.extend(game.grid().pack());
            }
        }
        if boards.len() >= BOARDS {
            break;
        }
    }
    boards
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}
