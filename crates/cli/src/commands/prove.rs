//! `tilebase prove`: who wins, Slider or Dropper.

mod bdd;
mod best;
mod check;
mod layers;
mod search;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tilebase_game::{Shape, parse_tile, tile_value};
use tilebase_prove::bdd::{CellEncoding, CellOrder, Sweep, WinningSide};
use tilebase_prove::{Contest, DropTiles, Winner};
use tilebase_schema as schema;
use tilebase_util::Device;

use crate::arguments::{FormationOptions, MachineOptions};
use crate::cluster::ClusterOptions;
use crate::failure::Failure;
use crate::output::game_text;

/// Decide whether a tile can be forced against an adversary who drops the new tiles
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase prove 3x3 --to 512                               Slider forces it
  tilebase prove 3x3 --to 64 --drops 2,4                    Dropper prevents it
  tilebase prove 3x3 --best --drops 2,4                     the largest tile that can be forced
  tilebase prove 3x3 --to 512 --strategy 512.txt            the winner's moves, written down
  tilebase prove --check 512.txt                            whether they win
  tilebase prove 3x3 --to 64 --engine layers                every position that can arise
  tilebase prove 4x4 --to 32 --engine layers --processes 2  two processes share the work
  tilebase prove 4x4 --to 16 --engine bdd --strong          every position there is
  tilebase prove 4x4 --formation L3 --to 16 --drops 2,4     with the walls of a formation
  tilebase prove 3x3 --to 32 --engine bdd --sweep largest --iterations-svg i.svg

From the empty board Dropper drops a tile on any empty cell, then Slider slides, and so on.
Slider wins when the target is made, Dropper when no slide is legal. With the walls of a
formation, Slider must win from every placement of the walls that it allows.")]
pub struct Prove {
    /// Rows and columns, up to 4x4
    #[arg(required_unless_present = "check")]
    shape: Option<Shape>,

    /// The tile that Slider must make, a power of two up to 32768
    #[arg(long, value_name = "TILE", value_parser = tile)]
    to: Option<u8>,

    /// The tiles that Dropper may drop: 2, 4 or 2,4
    #[arg(long, value_name = "TILES", default_value_t = DropTiles::Twos)]
    drops: DropTiles,

    /// How to decide it [default: search; layers with walls]
    #[arg(long, value_enum)]
    engine: Option<Engine>,

    /// Find the largest tile that Slider can force, up to --to if given
    #[arg(long, conflicts_with_all = ["strategy", "check"])]
    best: bool,

    /// Write the winner's strategy to a file (search)
    #[arg(long, value_name = "FILE")]
    strategy: Option<PathBuf>,

    /// Check a written strategy against every reply; - is stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "to", "strategy"])]
    check: Option<PathBuf>,

    /// First family of strategies: how far the sum of small tiles may grow (search)
    #[arg(long, value_name = "SUM")]
    slack: Option<u32>,

    /// First family of strategies: tiles from this one up form a chain from a corner (search)
    #[arg(long, value_name = "TILE", value_parser = tile)]
    chain: Option<u8>,

    /// Store the layers of large games in this directory, and resume from it (layers)
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// Encoding of the tiles: binary, one-hot or zero-suppressed (bdd)
    #[arg(long, value_name = "NAME", default_value_t = CellEncoding::Binary)]
    encoding: CellEncoding,

    /// The order of the cells: rows, columns, snake or diagonals (bdd)
    #[arg(long, value_name = "NAME", default_value_t = CellOrder::Rows)]
    order: CellOrder,

    /// How boards are divided into sweep lines: sum, largest or none (bdd)
    #[arg(long, value_name = "NAME", default_value_t = Sweep::Sum)]
    sweep: Sweep,

    /// Whose winning boards are computed: dropper or slider (bdd)
    #[arg(long, value_name = "PLAYER", default_value_t = WinningSide::Dropper)]
    side: WinningSide,

    /// Leave out boards with too few small tiles to be reached (bdd)
    #[arg(long)]
    constrain: bool,

    /// Solve all boards, also those that no game can reach (bdd)
    #[arg(long)]
    strong: bool,

    /// Draw the iterations of each sweep line (bdd)
    #[arg(long, value_name = "FILE")]
    iterations_svg: Option<PathBuf>,

    /// Draw the seconds of each sweep line (bdd)
    #[arg(long, value_name = "FILE")]
    seconds_svg: Option<PathBuf>,

    #[command(flatten)]
    formation: FormationOptions,

    #[command(flatten)]
    machine: MachineOptions,

    #[command(flatten)]
    together: ClusterOptions,
}

/// The engines that decide a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// Depth first, with a table of proven positions
    Search,
    /// Backward through every position that can arise, layer by layer
    Layers,
    /// Backward through sets of positions, kept as decision diagrams
    Bdd,
}

impl Prove {
    /// Decides the contest and prints the answer.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        self.machine.check()?;
        self.refuse_gpu()?;
        let cuda = self.machine.device() == Device::Cuda;
        self.together.refuse("--device cuda", cuda)?;
        self.together.refuse("--check", self.check.is_some())?;
        if let Some(file) = &self.check {
            return check::run(file, json);
        }
        self.refuse_walls()?;
        self.refuse_other_engines()?;
        let shape = self.shape.unwrap_or(Shape::SINGLE);
        if self.best {
            return best::run(self, shape, json);
        }
        let target = self.to.ok_or_else(|| {
            Failure::request("no target given: say which tile, such as --to 512, or --best")
        })?;
        let contest = Contest::new(shape, target, self.drops).map_err(Failure::request)?;
        let contest = match self.formation.formation(shape)? {
            Some(formation) => contest
                .with_formation(formation)
                .map_err(Failure::request)?,
            None => contest,
        };
        match self.engine() {
            Engine::Search => search::run(self, &contest, json),
            Engine::Layers => layers::run(self, &contest, json),
            Engine::Bdd => bdd::run(self, &contest, json),
        }
    }

    /// The engine in use.
    fn engine(&self) -> Engine {
        let usual = match self.formation.is_given() {
            true => Engine::Layers,
            false => Engine::Search,
        };
        self.engine.unwrap_or(usual)
    }

    /// Refuses walls where they are not known.
    fn refuse_walls(&self) -> Result<(), Failure> {
        match self.formation.is_given() {
            true if self.best => Err(Failure::request(
                "--best does not know walls: ask for one target at a time, with --to",
            )),
            true if self.engine() != Engine::Layers => Err(Failure::request(
                "this engine does not know walls: use --engine layers",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses a GPU for work that only the processor can do.
    fn refuse_gpu(&self) -> Result<(), Failure> {
        match self.machine.device() {
            Device::Cpu => Ok(()),
            Device::Cuda if self.best || self.check.is_some() => Err(Failure::request(
                "--best and --check run on the processor only: use --device cpu",
            )),
            Device::Cuda if self.engine() != Engine::Layers => Err(Failure::request(
                "this engine runs on the processor only: add --engine layers, or use --device cpu",
            )),
            Device::Cuda => Ok(()),
        }
    }

    /// Refuses options of other engines, which would have no effect.
    fn refuse_other_engines(&self) -> Result<(), Failure> {
        let defaults = tilebase_prove::bdd::BddOptions::default();
        let options = [
            ("--strategy", self.strategy.is_some(), Engine::Search),
            ("--slack", self.slack.is_some(), Engine::Search),
            ("--chain", self.chain.is_some(), Engine::Search),
            ("--best", self.best, Engine::Search),
            ("--dir", self.dir.is_some(), Engine::Layers),
            (
                "--processes or --cluster",
                self.together.is_used(),
                Engine::Layers,
            ),
            (
                "--encoding",
                self.encoding != defaults.encoding,
                Engine::Bdd,
            ),
            ("--order", self.order != defaults.order, Engine::Bdd),
            ("--sweep", self.sweep != defaults.sweep, Engine::Bdd),
            ("--side", self.side != defaults.side, Engine::Bdd),
            ("--constrain", self.constrain, Engine::Bdd),
            ("--strong", self.strong, Engine::Bdd),
            (
                "--iterations-svg",
                self.iterations_svg.is_some(),
                Engine::Bdd,
            ),
            ("--seconds-svg", self.seconds_svg.is_some(), Engine::Bdd),
        ];
        for (option, given, engine) in options {
            if given && engine != self.engine() {
                let name = schema::ProveEngine::from(engine);
                return Err(Failure::Request(format!(
                    "{option} is for another engine: add --engine {name}, or leave it out"
                )));
            }
        }
        Ok(())
    }
}

impl From<Engine> for schema::ProveEngine {
    fn from(engine: Engine) -> schema::ProveEngine {
        match engine {
            Engine::Search => schema::ProveEngine::Search,
            Engine::Layers => schema::ProveEngine::Layers,
            Engine::Bdd => schema::ProveEngine::Bdd,
        }
    }
}

/// A tile's exponent. The contest checks it against the drops.
fn tile(text: &str) -> Result<u8, String> {
    match parse_tile(text) {
        Ok(exponent) if (1..=15).contains(&exponent) => Ok(exponent),
        _ => Err("use a power of two up to 32768".to_owned()),
    }
}

/// The winner as answers give it.
fn winner(winner: Winner) -> schema::Winner {
    match winner {
        Winner::Slider => schema::Winner::Slider,
        Winner::Dropper => schema::Winner::Dropper,
    }
}

/// The part of an answer that all engines share.
fn contest_answer(
    contest: &Contest,
    who: Winner,
    engine: Engine,
    visited: u128,
    seconds: f64,
) -> schema::ContestAnswer {
    schema::ContestAnswer {
        shape: contest.shape().to_string(),
        to: tile_value(contest.target()),
        walls: schema::Walls::new(contest.shape(), contest.formation()),
        drops: contest.drops().to_string(),
        winner: winner(who),
        engine: engine.into(),
        visited,
        seconds,
    }
}

/// Who wins, in one line.
fn contest_text(answer: &schema::ContestAnswer) -> String {
    let game = game_text(&answer.shape, Some(answer.to), &answer.walls);
    winner_text(&game, &answer.drops, answer.winner)
}

fn winner_text(game: &str, drops: &str, winner: schema::Winner) -> String {
    let verdict = match winner {
        schema::Winner::Slider => "Slider forces it",
        schema::Winner::Dropper => "Dropper prevents it",
    };
    format!("{game}, drops of {drops}: {verdict}\n")
}
