//! Solving on a graphics card.

use std::fmt::Write;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use tilebase_count::{bytes_text, card_memory};
use tilebase_game::{Board, Grid, Shape, Variant, tile_value};
use tilebase_solve::{
    CardAnswer, CardOptions, CardSolution, Width, estimate_on_card, solve_on_card,
};
use tilebase_table::{Objective, Value};

use super::{Solve, failure};
use crate::failure::Failure;
use crate::output::{self, game_text, grouped, notation, probability, time_text};
use crate::progress::ProgressLine;

#[derive(Serialize)]
struct Answer {
    shape: String,
    to: Option<u128>,
    spawn: String,
    start_tiles: u16,
    objective: &'static str,
    discount: f64,
    states: u64,
    lost: u64,
    afterstates: u64,
    sure_wins: u64,
    sure_losses: u64,
    start_value: Option<f64>,
    start_min: Option<f64>,
    start_max: Option<f64>,
    start_win: Option<f64>,
    start_complement: Option<f64>,
    category: &'static str,
    error_bound: Option<f64>,
    relative_error_bound: f64,
    bits: u64,
    /// There is none: what was asked for is in `positions`.
    table: Option<String>,
    positions: Vec<Position>,
    layers: Vec<Layer>,
    seconds: f64,
    count_seconds: f64,
    backward_seconds: f64,
    checkpoints: usize,
    checkpoint_card_bytes: u64,
    checkpoint_host_bytes: u64,
    passes: f64,
    card_bytes: u64,
    device: &'static str,
}

#[derive(Serialize)]
struct Layer {
    sum: u32,
    states: u64,
    afterstates: u64,
    sure_wins: u64,
    sure_losses: u64,
}

#[derive(Serialize)]
struct Position {
    board: String,
    tiles: String,
    value: Option<f64>,
    complement: Option<f64>,
    category: Option<&'static str>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    name: &'static str,
    value: Option<f64>,
    complement: Option<f64>,
    category: &'static str,
    afterstate: String,
}

impl Solve {
    /// Solves on the first card.
    pub(super) fn on_card(
        &self,
        variant: &Variant,
        objective: Objective,
        json: bool,
    ) -> Result<(), Failure> {
        if self.out.is_some() {
            return Err(Failure::request(
                "a card leaves no table: use --device cpu with --out, or ask for positions with --board",
            ));
        }
        let width = match self.bits {
            None => None,
            Some(64) => Some(Width::Bits64),
            Some(32) => Some(Width::Bits32),
            Some(bits) => {
                return Err(Failure::Request(format!(
                    "values of {bits} bits are not known: use --bits 64 or --bits 32"
                )));
            }
        };
        let options = CardOptions {
            width,
            memory: self.machine.memory.bytes(),
            card_bytes: self.card_memory,
            boards: self.positions(variant)?,
        };
        if self.dry_run {
            return dry_run(variant, objective, &options, json);
        }
        let start = Instant::now();
        let solution = solve_on_card(variant, objective, &options, &ProgressLine::new());
        let solution = solution.map_err(failure)?;
        let answer = Answer::new(variant, objective, &solution, start.elapsed().as_secs_f64());
        output::print(json, &answer, Answer::text)
    }

    /// Options for a card would have no effect without one.
    pub(super) fn no_card_options(&self) -> Result<(), Failure> {
        let given = [
            ("--board", !self.board.is_empty()),
            ("--boards", self.boards.is_some()),
            ("--bits", self.bits.is_some()),
            ("--card-memory", self.card_memory.is_some()),
        ];
        match given.into_iter().find(|&(_, given)| given) {
            None => Ok(()),
            Some((name @ ("--board" | "--boards"), _)) => Err(Failure::Request(format!(
                "{name} goes with --device cuda: on the processor, solve and then probe the table"
            ))),
            Some((name, _)) => Err(Failure::Request(format!(
                "{name} goes with --device cuda: leave it out"
            ))),
        }
    }

    /// The positions asked for.
    fn positions(&self, variant: &Variant) -> Result<Vec<Board>, Failure> {
        let mut texts = self.board.clone();
        if let Some(file) = &self.boards {
            let lines = read(file)?;
            let lines = lines.lines().map(str::trim).filter(|line| !line.is_empty());
            texts.extend(lines.map(str::to_owned));
        }
        texts.iter().map(|text| board(variant, text)).collect()
    }
}

/// What solving on the card would need, and what is there.
#[derive(Serialize)]
struct DryAnswer {
    shape: String,
    to: Option<u128>,
    objective: &'static str,
    dry_run: bool,
    bits: u64,
    card_bytes: u64,
    card_name: Option<String>,
    card_free_bytes: Option<u64>,
    fits: bool,
    /// Why there is no card to be used.
    missing: Option<String>,
    checkpoints: usize,
    checkpoint_card_bytes: u64,
    checkpoint_host_bytes: u64,
    passes: f64,
    memory_bytes: u64,
    seconds_estimate: f64,
}

/// What an H200 has free, where there is no card to ask.
const H200_BYTES: u64 = 139 << 30;

fn dry_run(
    variant: &Variant,
    objective: Objective,
    options: &CardOptions,
    json: bool,
) -> Result<(), Failure> {
    let (card, missing) = match card_memory() {
        Ok(card) => (Some(card), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let free = card.as_ref().map(|card| card.free);
    let room = options.card_bytes.or(free).unwrap_or(H200_BYTES);
    let estimate = estimate_on_card(variant, room, options.memory).map_err(failure)?;
    let [checkpoint_card_bytes, checkpoint_host_bytes] = estimate.checkpoint_bytes;
    let answer = DryAnswer {
        shape: variant.shape().to_string(),
        to: variant.target().map(tile_value),
        objective: objective.name(),
        dry_run: true,
        bits: 8 * estimate.width.bytes(),
        card_bytes: estimate.card_bytes,
        card_name: card.map(|card| card.name),
        card_free_bytes: free,
        fits: free.is_some_and(|free| free.min(room) >= estimate.card_bytes),
        missing,
        checkpoints: estimate.checkpoints,
        checkpoint_card_bytes,
        checkpoint_host_bytes,
        passes: estimate.passes,
        memory_bytes: options.memory,
        seconds_estimate: estimate.seconds,
    };
    output::print(json, &answer, DryAnswer::text)
}

impl DryAnswer {
    fn text(&self) -> String {
        let there = match (&self.card_name, self.card_free_bytes, &self.missing) {
            (Some(name), Some(free), _) => format!(
                "{name} has {} free: {}",
                bytes_text(free),
                if self.fits { "enough" } else { "too little" }
            ),
            (_, _, Some(missing)) => missing.clone(),
            _ => String::new(),
        };
        format!(
            "{}, {}, on a card (roughly)\n  {} of its memory, values of {} bits; {there}\n  {} checkpoints: {} on the card, {} in this machine's memory; each layer made {:.2} times on the way\n  about {} on an H200\n",
            game_text(&self.shape, self.to),
            self.objective,
            bytes_text(self.card_bytes),
            self.bits,
            self.checkpoints,
            bytes_text(self.checkpoint_card_bytes),
            bytes_text(self.checkpoint_host_bytes),
            self.passes,
            time_text(self.seconds_estimate)
        )
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| Failure::work("reading stdin", error))?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
        .map_err(|error| Failure::Request(format!("{}: {error}", file.display())))
}

fn board(variant: &Variant, text: &str) -> Result<Board, Failure> {
    let grid = Grid::parse(text, Some(variant.shape())).map_err(Failure::request)?;
    let board = grid.pack().filter(|&board| {
        let target = variant.target();
        target.is_none_or(|target| !board.reaches(target))
    });
    board.ok_or_else(|| {
        let below = variant.target().map_or(1 << 16, tile_value);
        Failure::Request(format!(
            "{text} has a tile of the target or above it: use tiles below {below}"
        ))
    })
}

impl Answer {
    fn new(
        variant: &Variant,
        objective: Objective,
        solution: &CardSolution,
        seconds: f64,
    ) -> Answer {
        let start = solution.start;
        let sum =
            |of: fn(&tilebase_solve::CardSolvedLayer) -> u64| solution.layers.iter().map(of).sum();
        let scale = match objective {
            Objective::Win => start.win.zip(start.win_complement).map(|(p, q)| p.min(q)),
            _ => start.value,
        };
        let [checkpoint_card_bytes, checkpoint_host_bytes] = solution.checkpoint_bytes;
        let position = |answer: &CardAnswer| Position::new(variant.shape(), answer);
        let layers = solution.layers.iter().map(|layer| Layer {
            sum: layer.sum,
            states: layer.states,
            afterstates: layer.afterstates,
            sure_wins: layer.sure_wins,
            sure_losses: layer.sure_losses,
        });
        Answer {
            shape: variant.shape().to_string(),
            to: variant.target().map(tile_value),
            spawn: variant.spawn().to_string(),
            start_tiles: variant.start_tiles(),
            objective: objective.name(),
            discount: objective.discount(),
            states: sum(|layer| layer.states),
            lost: solution.lost,
            afterstates: sum(|layer| layer.afterstates),
            sure_wins: sum(|layer| layer.sure_wins),
            sure_losses: sum(|layer| layer.sure_losses),
            start_value: start.value,
            start_min: start.min,
            start_max: start.max,
            start_win: start.win,
            start_complement: start.win_complement,
            category: start.category().name(),
            error_bound: scale.map(|scale| scale * solution.relative_error_bound),
            relative_error_bound: solution.relative_error_bound,
            bits: 8 * solution.width.bytes(),
            table: None,
            positions: solution.answers.iter().map(position).collect(),
            layers: layers.collect(),
            seconds,
            count_seconds: solution.count_seconds,
            backward_seconds: solution.backward_seconds,
            checkpoints: solution.checkpoints,
            checkpoint_card_bytes,
            checkpoint_host_bytes,
            passes: solution.passes,
            card_bytes: solution.card_bytes,
            device: "cuda",
        }
    }

    fn text(&self) -> String {
        let value = self.start_value.unwrap_or(0.0);
        let verdict = match (self.objective, self.category) {
            ("win", _) if self.discount < 1.0 => format!(
                "a win is worth {value:.9}, discounted by {} a move",
                self.discount
            ),
            ("win", "sure-win") => "optimal play always wins".to_owned(),
            ("win", _) => format!(
                "optimal play wins with probability {}",
                probability(value, self.start_complement.unwrap_or(1.0 - value))
            ),
            ("score", _) => format!("optimal play scores {value:.6} on average"),
            _ => format!("optimal play lasts {value:.6} moves on average"),
        };
        let mut text = format!("{}: {verdict}\n", game_text(&self.shape, self.to));
        let _ = writeln!(
            text,
            "  values of {} bits, relative error below {:.0e}; the start is {}",
            self.bits,
            self.relative_error_bound,
            match self.category {
                "sure-win" => "a sure win",
                "sure-loss" => "a sure loss",
                _ => "no sure win",
            }
        );
        let _ = writeln!(
            text,
            "  {} live states ({} sure wins, {} sure losses), {} afterstates",
            grouped(self.states.into()),
            grouped(self.sure_wins.into()),
            grouped(self.sure_losses.into()),
            grouped(self.afterstates.into()),
        );
        let _ = writeln!(
            text,
            "  {:.2} s on the card: {:.2} s of counting, {:.2} s of going back over {} checkpoints, each layer made {:.2} times on the way",
            self.seconds, self.count_seconds, self.backward_seconds, self.checkpoints, self.passes
        );
        let _ = writeln!(
            text,
            "  {} of the card's memory, and {} there and {} in this machine's for checkpoints",
            bytes_text(self.card_bytes),
            bytes_text(self.checkpoint_card_bytes),
            bytes_text(self.checkpoint_host_bytes)
        );
        for position in &self.positions {
            let _ = writeln!(text, "{}", position.text());
        }
        text
    }
}

impl Position {
    fn new(shape: Shape, answer: &CardAnswer) -> Position {
        let grid = answer.board.unpack(shape);
        let complement = |value: Value| value.win.map(|chance| chance.q());
        let moves = answer.moves.iter().map(|&(m, after, value)| MoveAnswer {
            name: m.name(),
            value: value.value,
            complement: complement(value),
            category: value.category.name(),
            afterstate: notation(&after.unpack(shape)),
        });
        Position {
            board: notation(&grid),
            tiles: grid.to_string(),
            value: answer.value.and_then(|value| value.value),
            complement: answer.value.and_then(complement),
            category: answer.value.map(|value| value.category.name()),
            moves: moves.collect(),
        }
    }

    fn text(&self) -> String {
        let number = |value: Option<f64>, complement: Option<f64>| match (value, complement) {
            (Some(value), Some(complement)) => probability(value, complement),
            (Some(value), None) => format!("{value:.12}"),
            (None, _) => "none".to_owned(),
        };
        if self.category.is_none() {
            return format!("{}: no live position of the game", self.tiles);
        }
        let moves = self.moves.iter();
        let moves: Vec<String> = moves
            .map(|m| format!("{} {}", m.name, number(m.value, m.complement)))
            .collect();
        let value = number(self.value, self.complement);
        format!("{}: {value}; {}", self.tiles, moves.join(", "))
    }
}
