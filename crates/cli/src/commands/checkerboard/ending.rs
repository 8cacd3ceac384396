//! `checkerboard --fill` and `--dead-end`: full boards after few drops.

use std::fmt::Write;
use std::time::Instant;

use tilebase_game::Rules;
use tilebase_prove::checkerboard::{
    Corner, DropPlacement, Sequence, construction, end_from, fewest_imaginable, fill,
    shortest_dead_end,
};
use tilebase_schema::{EndingAnswer, EndingTask};

use super::example::Example;
use super::{Checkerboard, POSITION_BYTES, failure};
use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;

/// Attempts at a filling before the search gives up.
const ATTEMPTS: u32 = 60;

/// A dead end is searched for within this many drops after the filling.
const DROPS_AFTER_FILLING: usize = 8;

impl Checkerboard {
    /// Prints a game that fills the board with 2s and 4s.
    pub(super) fn print_filling(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let (sequence, seed) = match self.checkerboard() {
            Some(sequence) => (sequence, None),
            None => (self.filling()?, Some(self.seed)),
        };
        self.print_ending(json, EndingTask::Fill, seed, &sequence, false, start)
    }

    /// Prints a short game to a dead end.
    pub(super) fn print_dead_end(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        if let Some(sequence) = self.checkerboard() {
            return self.print_ending(json, EndingTask::DeadEnd, None, &sequence, true, start);
        }
        if Rules::new(self.shape).is_ok() {
            let most = (self.memory.bytes() / POSITION_BYTES) as usize;
            let sequence = shortest_dead_end(self.shape, most, &ProgressLine::new());
            let sequence = sequence.map_err(failure)?;
            return self.print_ending(json, EndingTask::DeadEnd, None, &sequence, true, start);
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
        self.print_ending(
            json,
            EndingTask::DeadEnd,
            Some(self.seed),
            &sequence,
            false,
            start,
        )
    }

    /// A game to a checkerboard: no dead end takes fewer drops.
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
        task: EndingTask,
        seed: Option<u64>,
        sequence: &Sequence,
        minimal: bool,
        start: Instant,
    ) -> Result<(), Failure> {
        let example = Example::new(self.shape, sequence, self.boards)?;
        let answer = EndingAnswer {
            shape: self.shape.to_string(),
            task,
            seed,
            drops: sequence.drops.len(),
            fewest_imaginable: fewest_imaginable(self.shape),
            minimal,
            example: example.game.clone(),
            seconds: start.elapsed().as_secs_f64(),
        };
        output::print(json, &answer, |answer| text(answer) + &example.text())
    }
}

fn text(answer: &EndingAnswer) -> String {
    let (shape, drops) = (&answer.shape, answer.drops);
    let mut text = match (answer.task, answer.minimal) {
        (EndingTask::Fill, _) => format!("{shape} filled with 2s and 4s in {drops} drops"),
        (EndingTask::DeadEnd, true) => {
            format!("{shape} dead end in {drops} drops, the fewest possible")
        }
        (EndingTask::DeadEnd, false) => format!(
            "{shape} dead end in {drops} drops; fewer than {} are impossible",
            answer.fewest_imaginable
        ),
    };
    // Writing to a string cannot fail.
    let _ = match answer.seed {
        Some(seed) => writeln!(text, ", seed {seed}, {:.2} s", answer.seconds),
        None => writeln!(text, ", {:.2} s", answer.seconds),
    };
    text
}
