//! Series of games by the players of the command line.

use numpy::IntoPyArray;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use tilebase_game::Variant;
use tilebase_play::{GameResult, PlayerFactory, PlayerKind, Series, play_game};
use tilebase_util::progress::{Progress, Unit};

use crate::error::request;
use crate::network::Network;
use crate::pool::on_threads;
use crate::progress::watch;
use crate::search::expectimax;

/// Plays games, the same as `tilebase play` with this seed.
#[pyfunction]
#[pyo3(signature = (variant, player, games, seed, threads=0, depth=None, network=None, progress=None))]
#[allow(clippy::too_many_arguments, reason = "Python passes them by name")]
pub fn play<'py>(
    py: Python<'py>,
    variant: &str,
    player: &str,
    games: u64,
    seed: u64,
    threads: usize,
    depth: Option<u8>,
    network: Option<&Bound<'py, Network>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let variant: Variant = variant.parse().map_err(request)?;
    if variant.formation().is_some() {
        return Err(request(
            "players know no walls: use a variant without a formation",
        ));
    }
    let players: Box<dyn PlayerFactory> = match player {
        "expectimax" => {
            let network = network.map(|network| network.get());
            Box::new(expectimax(variant, depth, None, network)?)
        }
        name => {
            let kind: PlayerKind = name
                .parse()
                .map_err(|error| request(format!("{error} or expectimax")))?;
            if !kind.plays_on(variant.shape()) {
                return Err(request(format!(
                    "{kind} does not play on {}",
                    variant.shape()
                )));
            }
            Box::new(kind)
        }
    };
    let series = Series {
        variant,
        start: None,
        games,
        seed,
    };
    let results = watch(py, progress.as_ref(), |progress| {
        progress.begin(Unit::Games, Some(games));
        let one = |game| {
            if progress.interrupted() {
                return Err(PyKeyboardInterrupt::new_err("interrupted"));
            }
            let result = play_game(&series, &*players, game);
            progress.advance(1);
            Ok(result)
        };
        let all = || {
            (0..games)
                .into_par_iter()
                .map(one)
                .collect::<PyResult<Vec<GameResult>>>()
        };
        on_threads(threads, all)?
    })?;
    let results = results?;
    let column = |of: fn(&GameResult) -> i64| {
        results
            .iter()
            .map(of)
            .collect::<Vec<i64>>()
            .into_pyarray(py)
    };
    let dict = PyDict::new(py);
    dict.set_item("score", column(|game| game.score as i64))?;
    dict.set_item("moves", column(|game| game.moves as i64))?;
    dict.set_item("largest", column(|game| game.largest.into()))?;
    let won: Vec<bool> = results.iter().map(|game| game.won).collect();
    dict.set_item("won", won.into_pyarray(py))?;
    Ok(dict)
}
