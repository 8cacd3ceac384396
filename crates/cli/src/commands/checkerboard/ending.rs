//! Boards filled with 2s and 4s, and games that are over soon.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;
use tilebase_game::Rules;
use tilebase_prove::checkerboard::{
    Corner, DropPlacement, Sequence, construction, end_from, fewest_imaginable, fill,
    shortest_dead_end,
};

use super::story::Story;
use super::{Checkerboard, POSITION_BYTES, failure};
use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;

/// How often a filling is tried before it is given up.
const ATTEMPTS: u32 = 60;

/// How many drops after the filling a dead end is looked for.
const DROPS_AFTER_FILLING: usize = 8;

#[derive(Serialize)]
struct Answer {
    shape: String,
    task: &'static str,
    seed: Option<u64>,
    drops: usize,
    fewest_imaginable: u32,
    minimal: bool,
    example: Story,
    seconds: f64,
}

impl Checkerboard {
    /// Prints a game that fills the board with 2s and 4s.
    pub(super) fn print_filling(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let (sequence, seed) = match self.checkerboard() {
            Some(sequence) => (sequence, None),
            None => (self.filling()?, Some(self.seed)),
        };
        self.print_ending(json, "fill", seed, &sequence, false, start)
    }

    /// Prints a game that is over after few drops.
    pub(super) fn print_dead_end(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        if let Some(sequence) = self.checkerboard() {
            return self.print_ending(json, "dead-end", None, &sequence, true, start);
        }
        if Rules::new(self.shape).is_ok() {
            let most = (self.memory.bytes() / POSITION_BYTES) as usize;
            let sequence = shortest_dead_end(self.shape, most, &ProgressLine::new());
            let sequence = sequence.map_err(failure)?;
            return self.print_ending(json, "dead-end", None, &sequence, true, start);
        }
        let filling = self.filling()?;
        let most = filling.drops.len() + DROPS_AFTER_FILLING;
        let sequence = end_from(self.shape, &filling, most, &ProgressLine::new())
            .map_err(failure)?
            .ok_or_else(|| {
                Failure::Work(format!(
                    "no dead end within {most} drops found: try another --seed"
                ))
            })?;
        self.print_ending(json, "dead-end", Some(self.seed), &sequence, false, start)
    }

    /// A game to a checkerboard, which no dead end can beat.
    fn checkerboard(&self) -> Option<Sequence> {
        let mut corners = Corner::ALL.into_iter();
        corners.find_map(|corner| construction(self.shape, corner, DropPlacement::Anywhere))
    }

    fn filling(&self) -> Result<Sequence, Failure> {
        if self.shape.rows() == 1 || self.shape.cols() == 1 {
            return Err(Failure::request(format!(
                "no way to fill a {} board is known: both sides must be 2 or more",
                self.shape
            )));
        }
        fill(self.shape, self.seed, ATTEMPTS, &ProgressLine::new())
            .map_err(failure)?
            .ok_or_else(|| {
                Failure::Work(format!(
                    "no filling of {} found in {ATTEMPTS} attempts: try another --seed",
                    self.shape
                ))
            })
    }

    fn print_ending(
        &self,
        json: bool,
        task: &'static str,
        seed: Option<u64>,
        sequence: &Sequence,
        minimal: bool,
        start: Instant,
    ) -> Result<(), Failure> {
        let answer = Answer {
            shape: self.shape.to_string(),
            task,
            seed,
            drops: sequence.drops.len(),
            fewest_imaginable: fewest_imaginable(self.shape),
            minimal,
            example: Story::new(self.shape, sequence, self.boards)?,
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, Answer::text)
    }
}

impl Answer {
    fn text(&self) -> String {
        let mut text = match (self.task, self.minimal) {
            ("fill", _) => format!(
                "{} filled with 2s and 4s in {} drops",
                self.shape, self.drops
            ),
            (_, true) => format!(
                "{} dead end in {} drops, the fewest possible",
                self.shape, self.drops
            ),
            _ => format!(
                "{} dead end in {} drops; fewer than {} are impossible",
                self.shape, self.drops, self.fewest_imaginable
            ),
        };
        // Writing to a string cannot fail.
        let _ = match self.seed {
            Some(seed) => writeln!(text, ", seed {seed}, {:.2} s", self.seconds),
            None => writeln!(text, ", {:.2} s", self.seconds),
        };
        text + &self.example.text()
    }
}
