//! Files of samples: one JSON object a line.

use std::path::{Path, PathBuf};

use tilebase_expectimax::ScoredMove;
use tilebase_game::{Grid, Move, tile_value};
use tilebase_play::calibration::Sample;
use tilebase_schema::{CalibrationSample, Direction, SampledMove};

use crate::failure::Failure;

/// A sample as a line of a file.
pub fn line(sample: &Sample) -> CalibrationSample {
    let moves = |all: &[ScoredMove]| {
        let all = all.iter().map(|scored| SampledMove {
            direction: scored.m.into(),
            value: scored.value,
        });
        all.collect()
    };
    CalibrationSample {
        game: sample.game,
        tiles: sample.grid.to_string(),
        moves: moves(&sample.moves),
        deeper: moves(&sample.deeper),
        further_score: sample.further_score as u64,
        largest: tile_value(sample.largest) as u64,
    }
}

/// The samples of several files. Games of different files get different numbers.
pub fn read(files: &[PathBuf]) -> Result<Vec<Sample>, Failure> {
    let mut samples = Vec::new();
    for (number, file) in (0u64..).zip(files) {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure::work(&format!("reading {}", file.display()), error))?;
        for (at, text) in text.lines().enumerate() {
            let sample = parse(text).map_err(|what| damaged(file, at, &what))?;
            let game = sample.game | number << 32;
            samples.push(Sample { game, ..sample });
        }
    }
    if samples.is_empty() {
        return Err(Failure::request(
            "there are no samples: make some with 'tilebase calibrate sample'",
        ));
    }
    Ok(samples)
}

fn damaged(file: &Path, at: usize, what: &str) -> Failure {
    let (file, line) = (file.display(), at + 1);
    Failure::Work(format!("{file}, line {line}: no sample: {what}"))
}

fn parse(text: &str) -> Result<Sample, String> {
    let line: CalibrationSample = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let grid = Grid::parse(&line.tiles, None).map_err(|error| error.to_string())?;
    if line.moves.is_empty() || !line.largest.is_power_of_two() {
        return Err("it needs moves and a largest tile".to_owned());
    }
    let moves = |all: &[SampledMove]| {
        let all = all.iter().map(|sampled| ScoredMove {
            m: slide(sampled.direction),
            value: sampled.value,
        });
        all.collect()
    };
    Ok(Sample {
        game: line.game,
        grid,
        moves: moves(&line.moves),
        deeper: moves(&line.deeper),
        further_score: line.further_score.into(),
        largest: line.largest.trailing_zeros() as u8,
    })
}

fn slide(direction: Direction) -> Move {
    match direction {
        Direction::Left => Move::Left,
        Direction::Right => Move::Right,
        Direction::Up => Move::Up,
        Direction::Down => Move::Down,
    }
}
