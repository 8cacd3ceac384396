//! `tilebase plan`: a short way to a tile when new tiles are known or chosen.

mod answer;
mod table;

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use tilebase_game::{Grid, Shape, Spawn, Variant};
use tilebase_plan::{
    COMPARISON_WIDTH, Heuristic, PlanOptions, PlanStart, PlanTask, RingCorners, SearchEnd,
    SearchLimits, SearchMethod, SpawnRule, guarantee, plan,
};

use crate::animation;
use crate::arguments::{MemoryOptions, target, tile_number, whole};
use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;
use answer::PlanAnswer;

/// Find a short sequence of slides to a tile when new tiles are known or chosen
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase plan 4x4 --to 2048                              1,032 slides, the fewest possible
  tilebase plan 32x32 --to 2048 --heuristic adjacent-line  by a published heuristic
  tilebase plan 4x4 --to 2048 --spawn-rule random --seed 7 where tiles fall is known in advance
  tilebase plan 4x4 --to 2048 --spawn-rule best            the planner says where tiles fall
  tilebase plan 3x3 --to 64 --spawn-rule worst             an adversary does
  tilebase plan 4x4 --to 64 --search astar --heuristic merge
  tilebase plan --board 2,4/.,8 --to 32 --optimal          from a position
  tilebase plan 4x4 --to 256 --replay                      watch it
  tilebase plan --table --svg table.svg                    all heuristics beside published figures

Heuristics: max-tile-weight, next-max, adjacent-propagation, adjacent-line (published); sum, merge
(admissible: they prove plans optimal); smoothness (for beams, the default).")]
pub struct Plan {
    /// Rows and columns, such as 4x4, up to 32x32
    #[arg(required_unless_present_any = ["board", "table"])]
    shape: Option<Shape>,

    /// The tile to make, a power of two from 8
    #[arg(long, value_name = "TILE", value_parser = target)]
    to: Option<u8>,

    /// How far positions look from the goal: smoothness with beams, else merge, if not given
    #[arg(long, value_name = "NAME")]
    heuristic: Option<Heuristic>,

    /// How to search: beam (the default), astar, weighted, greedy or breadth
    #[arg(long, value_name = "NAME")]
    search: Option<SearchMethod>,

    /// Positions that a beam keeps at each step; widened as long as it may help if not given
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    width: Option<u64>,

    /// How much the heuristic counts in a weighted search, from 1 to 1000; 2 if not given
    #[arg(long, value_name = "W", value_parser = weight)]
    weight: Option<u32>,

    /// How often adjacent-propagation counts the corners of a ring
    #[arg(long, value_enum, default_value_t = CornersOption::Once)]
    corners: CornersOption,

    /// Who says where new tiles fall: first (topmost, then leftmost empty cell), random, best or
    /// worst
    #[arg(long, value_name = "RULE", default_value_t = SpawnRule::First)]
    spawn_rule: SpawnRule,

    /// Which tiles fall
    #[arg(long, value_name = "TILES", default_value_t = Spawn::TWOS)]
    spawn: Spawn,

    /// Seed of --spawn-rule random, and of the tiles if both 2s and 4s fall; 0 if not given
    #[arg(long, value_name = "N", value_parser = whole::<0>)]
    seed: Option<u64>,

    /// Tiles that fall before the first slide
    #[arg(long, value_name = "N", default_value_t = Variant::START_TILES,
          value_parser = tile_number, conflicts_with = "board")]
    start_tiles: u16,

    /// Plan from this position, with the next slide to be made
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    /// Search until the plan is proven to be a shortest one
    #[arg(long)]
    optimal: bool,

    /// Expand at most N positions
    #[arg(long, value_name = "N", value_parser = whole::<1>)]
    nodes: Option<u64>,

    #[command(flatten)]
    memory: MemoryOptions,

    /// Show the plan board by board, as an animation in a terminal
    #[arg(long)]
    replay: bool,

    /// Milliseconds between the boards of an animation
    #[arg(long, value_name = "MS", requires = "replay", value_parser = whole::<0>,
          default_value_t = 100)]
    delay: u64,

    /// Compare all heuristics with the published figures
    #[arg(long, conflicts_with_all = ["shape", "to", "heuristic", "search", "weight", "corners",
          "spawn_rule", "spawn", "seed", "start_tiles", "board", "optimal", "nodes", "memory",
          "replay"])]
    table: bool,

    /// Draw the comparison
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// How rings are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CornersOption {
    /// As the report's text has it
    Once,
    /// As the report's code has it
    Twice,
}

/// A weight in hundredths.
fn weight(text: &str) -> Result<u32, String> {
    match text.parse::<f64>() {
        Ok(weight) if (1.0..=1000.0).contains(&weight) => Ok((weight * 100.0).round() as u32),
        _ => Err("use a number from 1 to 1000, such as 1.5".to_owned()),
    }
}

impl Plan {
    /// Plans, and prints the plan.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if self.table {
            let width = self.width.map_or(COMPARISON_WIDTH, |width| width as usize);
            return table::run(width, self.svg.as_deref(), json);
        }
        if self.svg.is_some() {
            return Err(Failure::request(
                "--svg draws the comparison: add --table, or leave it out",
            ));
        }
        let task = self.task()?;
        let options = self.options(&task)?;
        let start = Instant::now();
        let progress = ProgressLine::new();
        let outcome = if self.spawn_rule == SpawnRule::Worst {
            guarantee(&task, options.limits, &progress).ok_or_else(|| {
                Failure::request(
                    "--spawn-rule worst is for boards up to 4x4 and tiles up to 32768: \
                     use a smaller one, or another rule",
                )
            })?
        } else {
            plan(&task, &options, &progress)
        };
        let seconds = start.elapsed().as_secs_f64();
        let interrupted = outcome.end == SearchEnd::Interrupted;
        // The searches have rules of their own, so a plan is replayed by those of grids.
        let replayed = if outcome.reached {
            outcome.plan.replay(&task)
        } else {
            outcome.plan.walk(&task)
        };
        let boards = replayed.map_err(|error| Failure::work("replaying the plan", error))?;
        let animated = self.replay && !json && animation::is_possible();
        let shown = self.replay && !animated;
        let answer = PlanAnswer::new(&task, &options, outcome, boards, seconds, shown);
        if animated {
            animation::run(&answer.title(), answer.frames(), self.delay)?;
        }
        output::print(json, &answer.answer, |_| answer.text())?;
        if interrupted {
            return Err(Failure::Interrupted);
        }
        Ok(())
    }

    fn task(&self) -> Result<PlanTask, Failure> {
        let board = self.board.as_deref();
        let board = board.map(|text| Grid::parse(text, self.shape)).transpose();
        let board = board.map_err(Failure::request)?;
        let shape = match (&board, self.shape) {
            (Some(board), _) => board.shape(),
            (None, shape) => shape.unwrap_or(Shape::SINGLE),
        };
        let goal = self
            .to
            .ok_or_else(|| Failure::request("no goal given: say which tile, such as --to 2048"))?;
        let start = board.map_or(PlanStart::Tiles(self.start_tiles), PlanStart::Board);
        let seed = self.seed.unwrap_or(0);
        PlanTask::new(shape, goal, start, self.spawn, self.spawn_rule, seed)
            .map_err(Failure::request)
    }

    /// Why options do not go together, if they do not.
    fn conflict(
        &self,
        task: &PlanTask,
        method: SearchMethod,
        heuristic: Heuristic,
    ) -> Option<&'static str> {
        let worst = self.spawn_rule == SpawnRule::Worst;
        let dice = match self.spawn_rule {
            SpawnRule::First => task.spawn().exponents().count() > 1,
            SpawnRule::Random => true,
            SpawnRule::Best | SpawnRule::Worst => false,
        };
        let best_first = matches!(
            method,
            SearchMethod::AStar | SearchMethod::Weighted | SearchMethod::Greedy
        );
        let settings = self.search.is_some()
            || self.heuristic.is_some()
            || self.width.is_some()
            || self.weight.is_some()
            || self.optimal;
        let twice = self.corners == CornersOption::Twice;
        let conflicts = [
            (
                worst && settings,
                "--spawn-rule worst tries everything: leave out --search, --heuristic, --width, \
                 --weight and --optimal",
            ),
            (
                best_first && heuristic == Heuristic::Smoothness,
                "smoothness compares positions after equally many slides: use --search beam with it",
            ),
            (
                method == SearchMethod::Breadth && self.heuristic.is_some(),
                "--search breadth leaves nothing out: leave out --heuristic",
            ),
            (
                self.width.is_some() && method != SearchMethod::Beam,
                "--width is for beams: use --search beam, or leave it out",
            ),
            (
                self.weight.is_some() && method != SearchMethod::Weighted,
                "--weight is for weighted searches: use --search weighted, or leave it out",
            ),
            (
                twice && heuristic != Heuristic::AdjacentPropagation,
                "--corners is for rings: use --heuristic adjacent-propagation, or leave it out",
            ),
            (
                self.seed.is_some() && !dice,
                "no dice are thrown here: use --spawn-rule random, or leave out --seed",
            ),
        ];
        let found = conflicts.into_iter().find(|&(is_there, _)| is_there);
        found.map(|(_, text)| text)
    }

    /// Options of the search. Flags without effect are refused.
    fn options(&self, task: &PlanTask) -> Result<PlanOptions, Failure> {
        let method = self.search.unwrap_or_default();
        let heuristic = self.heuristic.unwrap_or(match method {
            SearchMethod::Beam => Heuristic::Smoothness,
            _ => Heuristic::Merge,
        });
        if let Some(conflict) = self.conflict(task, method, heuristic) {
            return Err(Failure::request(conflict));
        }
        let defaults = PlanOptions::default();
        Ok(PlanOptions {
            method,
            heuristic,
            corners: match self.corners {
                CornersOption::Once => RingCorners::Once,
                CornersOption::Twice => RingCorners::Twice,
            },
            width: self.width.map(|width| width as usize),
            weight: self.weight.unwrap_or(defaults.weight),
            optimal: self.optimal,
            limits: SearchLimits {
                nodes: self.nodes.unwrap_or(u64::MAX),
                memory: self.memory.bytes(),
            },
        })
    }
}
