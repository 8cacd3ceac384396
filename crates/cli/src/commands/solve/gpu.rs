//! Solving on a GPU.

mod answer;
mod dry_run;

use std::io::Read;
use std::num::NonZero;
use std::path::Path;
use std::thread;
use std::time::Instant;

use tilebase_game::{Board, Variant, tile_value};
use tilebase_schema::SolveAnswer;
use tilebase_solve::{GpuOptions, Width, solve_on_gpu, solve_to_table_on_gpu};
use tilebase_table::Objective;
use tilebase_util::Device;

use super::{Solve, failure, solved};
use crate::failure::Failure;
use crate::memory;
use crate::output;
use crate::progress::ProgressLine;
use crate::standard::is_standard;

impl Solve {
    /// Solves on the first GPU.
    pub(super) fn on_gpu(
        &self,
        variant: &Variant,
        objective: Objective,
        json: bool,
    ) -> Result<(), Failure> {
        if self.best_play {
            return Err(Failure::request(
                "a GPU writes rounded tables only: use --bits 16 instead of --best-play, or --device cpu",
            ));
        }
        let width = match self.bits {
            None | Some(16) => None,
            Some(64) => Some(Width::Bits64),
            Some(32) => Some(Width::Bits32),
            Some(bits) => {
                return Err(Failure::Request(format!(
                    "invalid width of {bits} bits: use --bits 64 or --bits 32, or --bits 16 for a table"
                )));
            }
        };
        let to_table = self.bits == Some(16);
        if self.out.is_some() && !to_table {
            return Err(Failure::request(
                "a GPU writes rounded tables only: add --bits 16, or use --device cpu",
            ));
        }
        if to_table && !(self.board.is_empty() && self.boards.is_none()) {
            return Err(Failure::request(
                "--board and --boards do not go with --bits 16 on a GPU: probe the table afterwards",
            ));
        }
        let options = GpuOptions {
            width,
            memory: self.machine.memory.bytes(),
            gpu_bytes: self.machine.gpu_memory(),
            boards: self.positions(variant)?,
            lists: to_table,
        };
        if self.dry_run {
            return dry_run::dry_run(variant, objective, &options, json);
        }
        if to_table {
            return self.table_on_gpu(variant, objective, &options, json);
        }
        let start = Instant::now();
        let solution = solve_on_gpu(variant, objective, &options, &ProgressLine::new());
        let solution = solution.map_err(failure)?;
        let seconds = start.elapsed().as_secs_f64();
        let answer = answer::answer(variant, objective, &solution, seconds);
        output::print(json, &answer, |answer| answer::text(answer, objective))
    }

    /// Solves on the first GPU, and writes a rounded table.
    fn table_on_gpu(
        &self,
        variant: &Variant,
        objective: Objective,
        options: &GpuOptions,
        json: bool,
    ) -> Result<(), Failure> {
        let (start, dir) = (Instant::now(), self.table_dir(variant, objective));
        let progress = ProgressLine::new();
        let manifest = solve_to_table_on_gpu(variant, objective, options, &dir, &progress)?;
        let answer = SolveAnswer {
            seconds: start.elapsed().as_secs_f64(),
            device: Device::Cuda,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            peak_memory_bytes: memory::peak(),
            ..solved(variant, objective, &manifest, &dir)
        };
        output::print(json, &answer, |answer| {
            super::text(answer, objective, false)
        })
    }

    /// Refuses options for a GPU, which have no effect without one.
    pub(super) fn no_gpu_options(&self) -> Result<(), Failure> {
        if let Some(bits) = self.bits.filter(|bits| ![16, 64].contains(bits)) {
            return Err(Failure::Request(match bits {
                32 => "--bits 32 needs --device cuda: on the processor use 64 or 16".to_owned(),
                bits => format!("invalid width of {bits} bits: use --bits 64 or --bits 16"),
            }));
        }
        let given = [
            ("--board", !self.board.is_empty()),
            ("--boards", self.boards.is_some()),
        ];
        match given.into_iter().find(|&(_, given)| given) {
            Some((name, _)) if !self.best_play => Err(Failure::Request(format!(
                "{name} needs --device cuda or --best-play: on the processor, solve and then probe \
                 the table"
            ))),
            _ => Ok(()),
        }
    }

    /// The positions of `--board` and `--boards`.
    pub(super) fn positions(&self, variant: &Variant) -> Result<Vec<Board>, Failure> {
        let given = self.board.iter().map(|text| board(variant, text));
        let mut boards = given.collect::<Result<Vec<_>, _>>()?;
        if let Some(file) = &self.boards {
            for (number, line) in (1..).zip(read(file)?.lines()) {
                if line.trim().is_empty() {
                    continue;
                }
                let board = board(variant, line.trim()).map_err(|failure| match failure {
                    Failure::Request(why) => {
                        Failure::Request(format!("{}, line {number}: {why}", file.display()))
                    }
                    failure => failure,
                });
                boards.push(board?);
            }
        }
        Ok(boards)
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    if is_standard(file) {
        let mut text = String::new();
        let read = std::io::stdin().read_to_string(&mut text);
        read.map_err(|error| Failure::work("reading stdin", error))?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
        .map_err(|error| Failure::Request(format!("{}: {error}", file.display())))
}

fn board(variant: &Variant, text: &str) -> Result<Board, Failure> {
    let board = variant.parse_board(text).map_err(Failure::request)?;
    match variant.target().filter(|_| variant.is_won(board)) {
        None => Ok(board),
        Some(target) => Err(Failure::Request(format!(
            "{text} is won already: use a board without the target tile {}",
            tile_value(target)
        ))),
    }
}
