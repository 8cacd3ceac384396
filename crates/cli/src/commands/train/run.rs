//! The training run: steps, phases, progress and checkpoints.

use std::fs::File;
use std::io::BufReader;
use std::time::Instant;

use tilebase_game::{Rules, Shape};
use tilebase_network::train::{CpuTrainer, EpisodeStats, GpuTrainer, Trainer, TrainingState};
use tilebase_schema::TrainingProgress;
use tilebase_util::Device;
use tilebase_util::files::NewFile;
use tilebase_util::progress::{Progress, Unit};

use super::{Train, failure};
use crate::commands::network_file;
use crate::failure::Failure;
use crate::output::grouped;
use crate::progress::ProgressLine;

/// Steps between two checks for an interrupt.
const STEPS_AT_ONCE: u64 = 100;
/// Entries of the answer's progress.
const PROGRESS_ENTRIES: u64 = 20;
/// Seconds between two checkpoints.
const CHECKPOINT_SECONDS: u64 = 600;

impl Train {
    /// The trainer: resumed from the checkpoint, started from a network, or untrained.
    pub(super) fn trainer(&self) -> Result<Box<dyn Trainer>, Failure> {
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("invalid shape '4x4'"))?;
        let rules = Rules::new(shape).map_err(Failure::request)?;
        let state = match self.checkpointed_state()? {
            Some(state) => state,
            None => {
                let mut state = TrainingState::new(&rules, self.config())
                    .map_err(|error| Failure::work("allocating the weights", error))?;
                if let Some(path) = &self.from {
                    state.start_from(&network_file::read(path)?);
                }
                state
            }
        };
        Ok(match self.device {
            Device::Cpu => Box::new(CpuTrainer::new(rules, state).map_err(failure)?),
            Device::Cuda => Box::new(GpuTrainer::new(rules, state).map_err(failure)?),
        })
    }

    /// The state in the checkpoint, if there is one.
    fn checkpointed_state(&self) -> Result<Option<TrainingState>, Failure> {
        let Some(path) = self.checkpoint.as_ref().filter(|path| path.exists()) else {
            return Ok(None);
        };
        let named = |error| Failure::work(&path.display().to_string(), error);
        let file = File::open(path).map_err(named)?;
        let mut file = BufReader::with_capacity(1 << 20, file);
        let state = TrainingState::read(&mut file).map_err(named)?;
        let done = |at: Option<u64>| at.is_some_and(|at| at < state.steps);
        let same = state.config == self.config()
            && state.staged == (self.from.is_some() || done(self.stage_after))
            && state.tc == (self.learning_rate == 0.0 || done(self.tc_after));
        match same {
            true => Ok(Some(state)),
            false => Err(Failure::request(format!(
                "the {} steps in {} were trained with other options: use the same options, or another file",
                grouped(state.steps.into()),
                path.display(),
            ))),
        }
    }

    fn write_checkpoint(&self, trainer: &mut dyn Trainer) -> Result<(), Failure> {
        let Some(path) = &self.checkpoint else {
            return Ok(());
        };
        let write = |state: &TrainingState| -> Result<(), Failure> {
            let mut file = NewFile::create(path).map_err(|e| Failure::Work(e.to_string()))?;
            state
                .write(&mut file)
                .map_err(|error| Failure::work(&path.display().to_string(), error))?;
            file.keep().map_err(|e| Failure::Work(e.to_string()))?;
            Ok(())
        };
        let mut written = Ok(());
        trainer
            .visit_state(&mut |state| written = write(state))
            .map_err(failure)?;
        written
    }

    /// Starts the phases of training that are due after this many steps.
    fn start_phases(&self, steps: u64, trainer: &mut dyn Trainer) -> Result<(), Failure> {
        let due = |at: Option<u64>| at == Some(steps);
        if !(due(self.stage_after) || due(self.tc_after)) {
            return Ok(());
        }
        let mut start = |state: &mut TrainingState| {
            if due(self.stage_after) {
                state.add_stage();
            }
            if due(self.tc_after) {
                state.start_tc();
            }
        };
        trainer.visit_state(&mut start).map_err(failure)
    }

    /// Runs the steps; returns how many are done in all, and how play improved.
    pub(super) fn train(
        &self,
        trainer: &mut dyn Trainer,
    ) -> Result<(u64, Vec<TrainingProgress>), Failure> {
        let mut steps = 0;
        trainer
            .visit_state(&mut |state| steps = state.steps)
            .map_err(failure)?;
        let line = ProgressLine::new();
        let left = self.steps.saturating_sub(steps) * u64::from(self.games);
        line.begin(Unit::Moves, Some(left));
        let between = (self.steps / PROGRESS_ENTRIES).max(1);
        let mut entries = Vec::new();
        let mut checkpointed = Instant::now();
        while steps < self.steps && !line.interrupted() {
            self.start_phases(steps, trainer)?;
            let entry_at = (steps / between + 1) * between;
            let phases = [self.stage_after, self.tc_after].into_iter().flatten();
            let stops = phases
                .filter(|&at| at > steps)
                .chain([self.steps, entry_at]);
            let next = stops.fold(steps + STEPS_AT_ONCE, u64::min);
            trainer.step(next - steps).map_err(failure)?;
            line.advance((next - steps) * u64::from(self.games));
            steps = next;
            if steps == entry_at || steps == self.steps {
                let stats = trainer.take_stats().map_err(failure)?;
                entries.push(progress_entry(steps, &stats));
            }
            if checkpointed.elapsed().as_secs() >= CHECKPOINT_SECONDS {
                self.write_checkpoint(trainer)?;
                checkpointed = Instant::now();
            }
        }
        line.finish();
        self.write_checkpoint(trainer)?;
        Ok((steps, entries))
    }
}

fn progress_entry(steps: u64, stats: &EpisodeStats) -> TrainingProgress {
    TrainingProgress {
        steps,
        games: stats.games,
        mean_score: stats.mean_score(),
        reached_2048: stats.reached(11),
        reached_8192: stats.reached(13),
        reached_16384: stats.reached(14),
        reached_32768: stats.reached(15),
    }
}
