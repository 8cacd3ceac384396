//! `tilebase learn`: weights for the evaluation tuples, by self-play.

use std::fmt::Write;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tilebase_game::{Rules, Shape};
use tilebase_network::train::{Course, CudaLearner, Learn as Learning, Learner, Plan, State};
use tilebase_util::files::NewFile;
use tilebase_util::progress::{Progress, Unit};

use super::weights;
use crate::arguments::whole;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Steps between two looks at the clock and the keyboard.
const AT_ONCE: u64 = 100;
/// How often the course is told, as a share of all steps.
const REPORTS: u64 = 20;

/// Seconds between two checkpoints.
const CHECKPOINT_EVERY: u64 = 600;

/// Train what positions of 4x4 are worth, by playing
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase learn --out my.tuples --games 256 --steps 100000
  tilebase learn --out my.tuples --device cuda --games 16384 --steps 4000000 --hope 320000 \\
    --rate 0.1 --settle 3000000 --split 600000 --checkpoint my.learn
  tilebase play 4x4 --player expectimax --weights my.tuples --depth 2 --games 100 --seed 1

In a step every game makes one move. The same options give the same weights, bit by bit, on any
processor and GPU, broken off and gone on from a checkpoint or not. Ctrl-C ends learning and keeps
what was learned. It takes 2.5 GiB of memory, or as much of the GPU's.")]
pub struct Train {
    /// The file for the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Seed of the dice
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<0>)]
    seed: u64,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = games)]
    games: u32,

    /// Moves of each game
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    steps: u64,

    /// What a board is taken to be worth of which nothing is known yet
    #[arg(long, value_name = "POINTS", default_value_t = 0.0)]
    hope: f32,

    /// Correct boards by this share of their error; each weight by a rate of its own if not given
    #[arg(long, value_name = "R", default_value_t = 0.0)]
    rate: f32,

    /// After this many steps each weight gets a rate of its own
    #[arg(long, value_name = "N", value_parser = whole::<0>, requires = "rate")]
    settle: Option<u64>,

    /// Begin with these weights, and with boards with a 16384 split off
    #[arg(long, value_name = "FILE", conflicts_with = "split")]
    from: Option<PathBuf>,

    /// After this many steps boards with a 16384 get weights of their own
    #[arg(long, value_name = "N", value_parser = whole::<0>)]
    split: Option<u64>,

    /// Round the weights that are written to so many points
    #[arg(long, value_name = "POINTS", default_value_t = 1.0)]
    unit: f32,

    /// Keep all that was learned here, and go on from it if it is there (1.6 GB)
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Where to compute
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    device: Device,
}

/// The devices that can learn.
#[derive(Clone, Copy, ValueEnum)]
enum Device {
    /// One core of this machine
    Cpu,
    /// The first CUDA GPU
    Cuda,
}

fn games(text: &str) -> Result<u32, String> {
    // More would not fit the count of a weight's errors in one step.
    const MOST: u32 = 1 << 19;
    match text.parse() {
        Ok(games) if (1..=MOST).contains(&games) => Ok(games),
        _ => Err(format!("use a whole number from 1 to {MOST}")),
    }
}

#[derive(Serialize)]
struct Answer {
    file: PathBuf,
    bytes: u64,
    seed: u64,
    games: u32,
    steps: u64,
    moves: u64,
    device: &'static str,
    /// Weights that are listed in the file.
    weights: u64,
    course: Vec<CourseAnswer>,
    moves_per_second: f64,
    seconds: f64,
    interrupted: bool,
}

/// The games that ended up to a step and after the step told before.
#[derive(Serialize)]
struct CourseAnswer {
    steps: u64,
    games: u64,
    mean_score: Option<f64>,
    reached_2048: f64,
    reached_8192: f64,
    reached_16384: f64,
    reached_32768: f64,
}

impl CourseAnswer {
    fn new(steps: u64, course: &Course) -> CourseAnswer {
        CourseAnswer {
            steps,
            games: course.games,
            mean_score: course.mean(),
            reached_2048: course.reached(11),
            reached_8192: course.reached(13),
            reached_16384: course.reached(14),
            reached_32768: course.reached(15),
        }
    }
}

impl Train {
    /// Learns, and writes the weights.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        self.check()?;
        let start = Instant::now();
        // A place that cannot be written is told before the work, not after it.
        let mut file = NewFile::create(&self.out).map_err(|e| Failure::Work(e.to_string()))?;
        let mut learner = self.learner()?;
        let (steps, course) = self.learn(learner.as_mut())?;
        let mut tuples = None;
        let mut finish = |state: &mut State| tuples = Some(state.tuples(self.unit));
        learner.visit(&mut finish).map_err(Failure::Work)?;
        let tuples = tuples
            .transpose()
            .map_err(|error| Failure::Work(error.to_string()))?
            .ok_or_else(|| Failure::Work("nothing was learned".to_owned()))?;
        let bytes = tuples
            .to_bytes()
            .map_err(|error| Failure::work("packing the weights", error))?;
        std::io::Write::write_all(&mut file, &bytes)
            .map_err(|error| Failure::work(&self.out.display().to_string(), error))?;
        let bytes = file.keep().map_err(|e| Failure::Work(e.to_string()))?;
        let seconds = start.elapsed().as_secs_f64();
        let moves = steps * u64::from(self.games);
        let answer = Answer {
            file: self.out.clone(),
            bytes,
            seed: self.seed,
            games: self.games,
            steps,
            moves,
            device: match self.device {
                Device::Cpu => "cpu",
                Device::Cuda => "cuda",
            },
            weights: tuples.listed(),
            course,
            moves_per_second: moves as f64 / seconds,
            seconds,
            interrupted: interrupt::asked(),
        };
        output::print(json, &answer, Answer::text)?;
        match answer.interrupted {
            true => Err(Failure::Interrupted),
            false => Ok(()),
        }
    }

    fn check(&self) -> Result<(), Failure> {
        let wrong = |what: &str| Err(Failure::request(what));
        if !self.hope.is_finite() {
            return wrong("--hope must be a number of points, such as 150000");
        }
        if !(0.0..=1.0).contains(&self.rate) {
            return wrong("--rate must be from 0 to 1, such as 0.1");
        }
        if !(self.unit.is_finite() && self.unit >= 0.01) {
            return wrong("--unit must be at least 0.01 points");
        }
        Ok(())
    }

    fn learner(&self) -> Result<Box<dyn Learning>, Failure> {
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("4x4 is no shape"))?;
        let rules = Rules::new(shape).map_err(Failure::request)?;
        let memory = |error| Failure::work("taking memory for the weights", error);
        let state = match self.kept_state()? {
            Some(state) => state,
            None => {
                let mut state = State::new(&rules, self.plan()).map_err(memory)?;
                if let Some(path) = &self.from {
                    state.take_over(&weights::read(path)?);
                }
                state
            }
        };
        Ok(match self.device {
            Device::Cpu => Box::new(Learner::new(rules, state).map_err(memory)?),
            Device::Cuda => Box::new(CudaLearner::new(rules, state).map_err(Failure::Work)?),
        })
    }

    fn plan(&self) -> Plan {
        Plan {
            seed: self.seed,
            games: self.games,
            hope: self.hope,
            rate: self.rate,
        }
    }

    /// What a checkpoint holds, if there is one.
    fn kept_state(&self) -> Result<Option<State>, Failure> {
        let Some(path) = self.checkpoint.as_ref().filter(|path| path.exists()) else {
            return Ok(None);
        };
        let named = |error| Failure::work(&path.display().to_string(), error);
        let file = File::open(path).map_err(named)?;
        let state = State::read(&mut BufReader::with_capacity(1 << 20, file)).map_err(named)?;
        let done = |at: Option<u64>| at.is_some_and(|at| at < state.steps);
        let same = state.plan == self.plan()
            && state.split == (self.from.is_some() || done(self.split))
            && state.settled == (self.rate == 0.0 || done(self.settle));
        match same {
            true => Ok(Some(state)),
            false => Err(Failure::request(format!(
                "the {1} steps in {0} were made with other options: give the same, or another file",
                path.display(),
                grouped(state.steps.into())
            ))),
        }
    }

    fn keep_state(&self, learner: &mut dyn Learning) -> Result<(), Failure> {
        let Some(path) = &self.checkpoint else {
            return Ok(());
        };
        let mut done = Ok(());
        let mut write = |state: &mut State| {
            done = NewFile::create(path)
                .map_err(|error| Failure::Work(error.to_string()))
                .and_then(|mut file| {
                    state
                        .write(&mut file)
                        .map_err(|error| Failure::work(&path.display().to_string(), error))?;
                    file.keep()
                        .map_err(|error| Failure::Work(error.to_string()))?;
                    Ok(())
                });
        };
        learner.visit(&mut write).map_err(Failure::Work)?;
        done
    }

    /// Changes of course that are due after so many steps.
    fn turn(&self, steps: u64, learner: &mut dyn Learning) -> Result<(), Failure> {
        let due = |at: Option<u64>| at == Some(steps);
        if !(due(self.split) || due(self.settle)) {
            return Ok(());
        }
        let mut turn = |state: &mut State| {
            if due(self.split) {
                state.split();
            }
            if due(self.settle) {
                state.settle();
            }
        };
        learner.visit(&mut turn).map_err(Failure::Work)
    }

    /// Takes the steps; tells how many there are now and how it went.
    fn learn(&self, learner: &mut dyn Learning) -> Result<(u64, Vec<CourseAnswer>), Failure> {
        let mut steps = 0;
        learner
            .visit(&mut |state| steps = state.steps)
            .map_err(Failure::Work)?;
        let progress = ProgressLine::new();
        let left = self.steps.saturating_sub(steps) * u64::from(self.games);
        progress.begin(Unit::Moves, Some(left));
        let between = (self.steps / REPORTS).max(1);
        let mut told = Vec::new();
        let mut kept = Instant::now();
        while steps < self.steps && !progress.interrupted() {
            self.turn(steps, learner)?;
            let report = (steps / between + 1) * between;
            let turns = [self.split, self.settle].into_iter().flatten();
            let stops = turns.filter(|&at| at > steps).chain([self.steps, report]);
            let next = stops.fold(steps + AT_ONCE, u64::min);
            learner.step(next - steps).map_err(Failure::Work)?;
            progress.advance((next - steps) * u64::from(self.games));
            steps = next;
            if steps == report || steps == self.steps {
                let course = learner.course().map_err(Failure::Work)?;
                told.push(CourseAnswer::new(steps, &course));
            }
            if kept.elapsed().as_secs() >= CHECKPOINT_EVERY {
                self.keep_state(learner)?;
                kept = Instant::now();
            }
        }
        progress.finish();
        self.keep_state(learner)?;
        Ok((steps, told))
    }
}

impl Answer {
    fn text(&self) -> String {
        let mut text =
            String::from("       steps    games  mean score   2048   8192  16384    32768\n");
        for part in &self.course {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{:>12} {:>8} {:>11.0} {:>5.1}% {:>5.1}% {:>5.1}% {:>7.3}%",
                grouped(part.steps.into()),
                grouped(part.games.into()),
                part.mean_score.unwrap_or(0.0),
                100.0 * part.reached_2048,
                100.0 * part.reached_8192,
                100.0 * part.reached_16384,
                100.0 * part.reached_32768,
            );
        }
        let _ = writeln!(
            text,
            "{} weights in {}, {} bytes; {} moves, {} a second, {:.1} s",
            grouped(self.weights.into()),
            self.file.display(),
            grouped(self.bytes.into()),
            grouped(self.moves.into()),
            grouped(self.moves_per_second as u128),
            self.seconds
        );
        text
    }
}
