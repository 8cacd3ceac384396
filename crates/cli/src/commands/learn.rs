//! `tilebase learn`: weights for the evaluation tuples, by self-play.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use serde::Serialize;
use tilebase_expectimax::Tuples;
use tilebase_expectimax::patterns::STAGE;
use tilebase_files::NewFile;
use tilebase_game::{Rules, Shape};
use tilebase_learn::{Course, CudaLearner, Learn as Learning, Learner, Plan};
use tilebase_progress::{Progress, Unit};

use crate::arguments::whole;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{self, grouped};
use crate::progress::ProgressLine;

/// Steps between two looks at the clock and the keyboard.
const AT_ONCE: u64 = 100;
/// How often the course is told, as a share of all steps.
const REPORTS: u64 = 20;

/// Learn what positions of 4x4 are worth, by playing
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase learn --out my.tuples --games 256 --steps 100000
  tilebase learn --out my.tuples --device cuda --games 16384 --steps 4000000 --split 600000
  tilebase learn --out small.tuples --from my.tuples --steps 50000
  tilebase play 4x4 --player expectimax --weights my.tuples --depth 2 --games 100 --seed 1

In a step every game makes one move. The same seed, games and steps give the same weights, bit
by bit, on any processor and card. Ctrl-C ends learning and keeps what was learned. It takes
1.9 GiB of memory, or as much of the card's.")]
pub struct Learn {
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

    /// After this many steps boards with a 16384 get weights of their own
    #[arg(long, value_name = "N", value_parser = whole::<0>, conflicts_with = "from")]
    split: Option<u64>,

    /// What a board is taken to be worth of which nothing is known yet
    #[arg(
        long,
        value_name = "POINTS",
        default_value_t = 0.0,
        conflicts_with = "from"
    )]
    hope: f32,

    /// Take weights that were never met for the mean of a board's others
    #[arg(long, conflicts_with = "hope")]
    neutral: bool,

    /// Go on from these weights; those that are 0 stay 0
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Keep this many weights of each stage, those that were corrected most; all if not given
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    keep: Option<u64>,

    /// Where to compute
    #[arg(long, value_enum, default_value_t = Device::Cpu)]
    device: Device,
}

/// The devices that can learn.
#[derive(Clone, Copy, ValueEnum)]
enum Device {
    /// One core of this machine
    Cpu,
    /// The first CUDA card
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
    /// Weights that are not 0.
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

impl Learn {
    /// Learns, and writes the weights.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if !self.hope.is_finite() {
            return Err(Failure::request(
                "--hope must be a number of points, such as 320000",
            ));
        }
        let start = Instant::now();
        let from = self.from.as_ref().map(|file| -> Result<Tuples, Failure> {
            let named = |error: String| Failure::Work(format!("{}: {error}", file.display()));
            let bytes = std::fs::read(file).map_err(|error| named(error.to_string()))?;
            Tuples::from_bytes(&bytes).map_err(|error| named(error.to_string()))
        });
        let from = from.transpose()?;
        // A place that cannot be written is told before the work, not after it.
        let file = NewFile::create(&self.out).map_err(|e| Failure::Work(e.to_string()))?;
        let mut learner = self.learner()?;
        if let Some(tuples) = from {
            let weights: Vec<f32> = tuples.weights().collect();
            learner.take(&weights).map_err(Failure::Work)?;
        }
        let (steps, course) = self.learn(learner.as_mut())?;
        let tuples = self.kept(learner.as_mut())?;
        let bytes = tuples
            .to_bytes()
            .map_err(|error| Failure::work("packing the weights", error))?;
        let mut file = file;
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
            weights: tuples.weights().filter(|&weight| weight != 0.0).count() as u64,
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

    fn learner(&self) -> Result<Box<dyn Learning>, Failure> {
        let shape = Shape::new(4, 4).ok_or_else(|| Failure::request("4x4 is no shape"))?;
        let rules = Rules::new(shape).map_err(Failure::request)?;
        let plan = Plan {
            seed: self.seed,
            games: self.games,
            hope: self.hope,
            neutral: self.neutral,
        };
        Ok(match self.device {
            Device::Cpu => Box::new(
                Learner::new(rules, plan)
                    .map_err(|error| Failure::work("taking memory for the weights", error))?,
            ),
            Device::Cuda => Box::new(CudaLearner::new(rules, plan).map_err(Failure::Work)?),
        })
    }

    /// Takes the steps; tells how many they were and how it went.
    fn learn(&self, learner: &mut dyn Learning) -> Result<(u64, Vec<CourseAnswer>), Failure> {
        let progress = ProgressLine::new();
        progress.begin(Unit::Moves, Some(self.steps * u64::from(self.games)));
        let mut told = Vec::new();
        let mut steps = 0;
        while steps < self.steps && !progress.interrupted() {
            if self.split == Some(steps) {
                learner.split().map_err(Failure::Work)?;
            }
            let report =
                (steps / (self.steps / REPORTS).max(1) + 1) * (self.steps / REPORTS).max(1);
            let stops = [
                self.steps,
                report,
                self.split.filter(|&s| s > steps).unwrap_or(u64::MAX),
            ];
            let next = stops.into_iter().fold(steps + AT_ONCE, u64::min);
            learner.step(next - steps).map_err(Failure::Work)?;
            progress.advance((next - steps) * u64::from(self.games));
            steps = next;
            if steps == report || steps == self.steps {
                let course = learner.course().map_err(Failure::Work)?;
                told.push(CourseAnswer::new(steps, &course));
            }
        }
        progress.finish();
        Ok((steps, told))
    }

    /// The weights to be written.
    fn kept(&self, learner: &mut dyn Learning) -> Result<Tuples, Failure> {
        let (weights, sizes) = learner.weights().map_err(Failure::Work)?;
        let least: Vec<f32> = sizes
            .chunks(STAGE)
            .map(|sizes| least_kept(sizes, self.keep))
            .collect();
        let weights = weights.iter().zip(&sizes).enumerate();
        let kept = weights.map(|(place, (&weight, &size))| {
            if size >= least[place / STAGE] {
                weight
            } else {
                0.0
            }
        });
        Tuples::from_weights(kept, self.neutral).map_err(|error| Failure::Work(error.to_string()))
    }
}

/// The size of the errors of the last weight that is kept.
fn least_kept(sizes: &[f32], keep: Option<u64>) -> f32 {
    let mut met: Vec<f32> = sizes
        .iter()
        .copied()
        .filter(|&size| size > 0.0 && size.is_finite())
        .collect();
    let keep = keep.map_or(usize::MAX, |keep| keep.try_into().unwrap_or(usize::MAX));
    match met.len().checked_sub(keep) {
        None | Some(0) => 0.0,
        Some(dropped) => *met.select_nth_unstable_by(dropped, f32::total_cmp).1,
    }
}

impl Answer {
    fn text(&self) -> String {
        let mut text =
            String::from("       steps    games  mean score   2048   8192  16384  32768\n");
        for part in &self.course {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{:>12} {:>8} {:>11.0} {:>5.1}% {:>5.1}% {:>5.1}% {:>5.1}%",
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
