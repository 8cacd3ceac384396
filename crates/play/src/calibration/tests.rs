#![allow(clippy::unwrap_used, reason = "a test may fail")]

use tilebase_expectimax::ScoredMove;
use tilebase_game::{Grid, Move, Rng, Shape, tile_value};
use tilebase_util::progress::Silent;

use super::{Sample, check_chances, check_losses, check_scores, fit_forecast, sample_recorded};
use crate::forecast::{Forecast, dot, sum_hats};
use crate::{
    EvaluationKind, Expectimax, GameLog, GameResult, GameSink, RecordHeader, Series, play_timed,
};

fn shape() -> Shape {
    Shape::new(4, 4).unwrap()
}

/// Random boards with large tiles, and search values: most of them typical, the others lower.
fn boards(forecast: &Forecast, number: u64, seed: u64) -> Vec<(Grid, f64)> {
    let mut rng = Rng::new(seed);
    let board = |_| {
        let largest = 8 + rng.below(7) as u8;
        let mut exponents: Vec<u8> = (0..16).map(|_| rng.below(5) as u8).collect();
        exponents[0] = largest;
        exponents[1] = largest - 1 - rng.below(3) as u8;
        let grid = Grid::from_exponents(shape(), &exponents).unwrap();
        let share = f64::from(rng.below(1000)) / 1000.0;
        let quality = match rng.below(5) {
            0 => share,
            _ => 0.98 + 0.04 * share,
        };
        let value = quality * dot(&sum_hats(&grid), &forecast.typical_values);
        (grid, value)
    };
    (0..number).map(board).collect()
}

/// Samples whose games end as a forecast says.
fn drawn(forecast: &Forecast, number: u64, seed: u64) -> Vec<Sample> {
    let mut rng = Rng::new(seed ^ 99);
    let sample = |(game, (grid, value)): (u64, (Grid, f64))| {
        let luck = f64::from(rng.below(1 << 30)) / f64::from(1u32 << 30);
        let chances = forecast.chances(&grid, value, value).into_iter();
        let made = chances.take_while(|tile| luck < tile.chance.value);
        let largest = made
            .last()
            .map_or(grid.max_exponent(), |tile| tile.exponent);
        Sample {
            game,
            moves: vec![ScoredMove {
                m: Move::Left,
                value,
            }],
            deeper: Vec::new(),
            further_score: forecast.further_score(&grid, value, value).value as u128,
            largest,
            grid,
        }
    };
    (0..)
        .zip(boards(forecast, number, seed))
        .map(sample)
        .collect()
}

#[test]
fn a_fit_finds_the_forecast_that_samples_were_drawn_from() {
    let forecast = Forecast::built_in().unwrap();
    let fitted = fit_forecast(&drawn(forecast, 20_000, 1), forecast);
    for (grid, value) in boards(forecast, 300, 2) {
        let wanted = forecast.chances(&grid, value, value);
        for (wanted, found) in wanted.iter().zip(fitted.chances(&grid, value, value)) {
            assert_eq!(wanted.exponent, found.exponent);
            let off = (wanted.chance.value - found.chance.value).abs();
            assert!(off < 0.08, "{grid} at {value}: {wanted:?} and {found:?}");
        }
        let [a, b] = [forecast, &fitted].map(|one| one.further_score(&grid, value, value).value);
        assert!(
            (a - b).abs() < 0.02 * a + 1.0,
            "{grid} at {value}: {a} and {b}"
        );
    }
}

#[test]
fn a_check_of_what_was_drawn_finds_it_reliable_and_of_what_was_not_does_not() {
    let forecast = Forecast::built_in().unwrap();
    let samples = drawn(forecast, 20_000, 3);
    for tile in check_chances(forecast, &samples) {
        let with_tile = |sample: &&Sample| tile_value(sample.grid.max_exponent()) < tile.tile;
        let counted: Vec<&Sample> = samples.iter().filter(with_tile).collect();
        assert_eq!(tile.samples, counted.len() as u64);
        assert!(tile.brier <= tile.brier_of_rate + 1e-3, "{tile:?}");
        assert_eq!(
            tile.bins.iter().map(|bin| bin.samples).sum::<u64>(),
            tile.samples
        );
        for bin in &tile.bins {
            let noise = (bin.forecast * (1.0 - bin.forecast) / bin.samples as f64).sqrt();
            let off = (bin.forecast - bin.observed).abs();
            assert!(off < 5.0 * noise + 1e-3, "{}: {bin:?}", tile.tile);
        }
    }
    for bin in check_scores(forecast, &samples) {
        assert!((bin.forecast - bin.observed).abs() < 1.0, "{bin:?}");
    }
    // All games lost at once: the same chances are far off.
    let lost: Vec<Sample> = samples
        .into_iter()
        .map(|sample| Sample {
            largest: sample.grid.max_exponent(),
            ..sample
        })
        .collect();
    let checked = check_chances(forecast, &lost);
    assert!(checked.iter().any(|tile| tile.brier > 0.3));
}

#[test]
fn losses_are_compared_with_deeper_ones() {
    let scored = |values: &[f64]| -> Vec<ScoredMove> {
        let all = Move::ALL.into_iter().zip(values);
        all.map(|(m, &value)| ScoredMove { m, value }).collect()
    };
    let sample = Sample {
        game: 0,
        grid: Grid::empty(shape()),
        moves: scored(&[1000.0, 995.0]),
        deeper: vec![
            ScoredMove {
                m: Move::ALL[1],
                value: 2000.0,
            },
            ScoredMove {
                m: Move::ALL[0],
                value: 1990.0,
            },
        ],
        further_score: 0,
        largest: 4,
    };
    let found = check_losses(&[sample]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].moves, found[0].became_best), (1, 1.0));
    assert!((found[0].change - 0.005).abs() < 1e-12, "{found:?}");
}

/// Keeps the games of a series.
struct Kept(std::sync::Mutex<Vec<GameLog>>);

impl GameSink for Kept {
    fn take(&self, game: &GameLog, _: &GameResult) -> bool {
        self.0.lock().unwrap().push(game.clone());
        true
    }
}

#[test]
fn samples_of_a_record_say_how_its_games_went_on() {
    let variant = "4x4".parse().unwrap();
    let series = Series {
        variant,
        start: None,
        games: 6,
        seed: 5,
    };
    let kept = Kept(Vec::new().into());
    play_timed(&series, &crate::PlayerKind::OnePly, 1, &Silent, Some(&kept));
    let header = RecordHeader::of_series(&series, "one-ply");
    let config = crate::SearchConfig {
        limit: tilebase_expectimax::SearchLimit::Depth(1),
        options: tilebase_expectimax::ExpectimaxOptions::default(),
        time: None,
    };
    let players = Expectimax::new(variant, EvaluationKind::Smooth, None, config).unwrap();
    let mut number = 0;
    for log in kept.0.into_inner().unwrap() {
        let samples = sample_recorded(&header, &log, &players, 1).unwrap();
        assert_eq!(
            samples,
            sample_recorded(&header, &log, &players, 1).unwrap()
        );
        for sample in &samples {
            assert!(sample.further_score <= log.score);
            assert!(sample.largest >= sample.grid.max_exponent());
            let legal = sample.grid.legal_moves().iter().count();
            assert_eq!(sample.moves.len(), legal, "{}", sample.grid);
        }
        let further = samples
            .windows(2)
            .all(|w| w[0].further_score >= w[1].further_score);
        assert!(further && samples.iter().all(|sample| sample.game == log.index));
        number += samples.len();
    }
    assert!(number > 3, "{number}");
}
