//! The command line: one definition per argument, from which parsing, help and
//! completions all follow.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use tilebase_game::{Formation, MAX_EXPONENT, Shape, Spawn, Variant, parse_tile};
use tilebase_util::Device;

use crate::commands::{
    advise, calibrate, checkerboard, completions, count, evaluate, export, follow, lower_bound,
    moves, plan, play, probe, prove, prune, replay, selftest, serve, site, solve, table, train,
};
use crate::failure::Failure;
use crate::memory;

/// Exact answers about the game 2048 on boards of any shape: count its positions, solve it, play it,
/// prove what can be forced, and plan ahead
#[derive(Parser)]
#[command(
    name = "tilebase",
    version,
    arg_required_else_help = true,
    after_help = "Examples:
  tilebase serve                                  use everything in a browser
  tilebase advise --board 0xa962075400430011      the best move in a position
  tilebase solve 3x3 --to 512 --out tables/512    the best possible play, saved as a table
  tilebase probe tables/512 --start               values of positions and moves in a table
  tilebase export tables/512 --format csv         a table for other programs, or as a picture
  tilebase count 3x3 --to 1024                    the number of reachable positions
  tilebase prove 3x3 --to 512                     whether a tile can be forced against an adversary
  tilebase plan 4x4 --to 2048                     a short way to a tile when new tiles are known
  tilebase lower-bound --to 2048                  the fewest moves that a tile takes
  tilebase checkerboard 3x5                       whether 2s and 4s can fill a board in turns
  tilebase play 4x4                               play in the terminal
  tilebase play 4x4 --player random --games 1000  measure how well a player plays
  tilebase replay games.tb                        check recorded games, or show one
  tilebase moves --board .,2/8,4                  every outcome of every move

Boards: 0x0132 (one hex digit per cell, the exponent) or .,2/8,4 (tile values, rows from the top).
Exit status: 0 done, 1 the work failed, 2 the request was wrong, 130 interrupted."
)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,

    /// Print one JSON object on stdout
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Solve),
    Probe(probe::Probe),
    Table(table::TableCommand),
    Export(export::Export),
    Follow(follow::Follow),
    Evaluate(evaluate::Evaluate),
    Count(count::Count),
    LowerBound(lower_bound::LowerBound),
    Moves(moves::MovesCommand),
    Play(play::Play),
    Advise(advise::Advise),
    Train(train::Train),
    Prune(prune::Prune),
    Calibrate(calibrate::Calibrate),
    Replay(replay::Replay),
    Prove(prove::Prove),
    Checkerboard(checkerboard::Checkerboard),
    Plan(plan::Plan),
    Selftest(selftest::Selftest),
    Serve(serve::Serve),
    Site(site::Site),
    Completions(completions::Completions),
}

impl Arguments {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        match &self.command {
            Command::Solve(command) => command.run(self.json),
            Command::Probe(command) => command.run(self.json),
            Command::Table(command) => command.run(self.json),
            Command::Export(command) => command.run(self.json),
            Command::Follow(command) => command.run(self.json),
            Command::Evaluate(command) => command.run(self.json),
            Command::Count(command) => command.run(self.json),
            Command::LowerBound(command) => command.run(self.json),
            Command::Moves(command) => command.run(self.json),
            Command::Play(command) => command.run(self.json),
            Command::Advise(command) => command.run(self.json),
            Command::Train(command) => command.run(self.json),
            Command::Prune(command) => command.run(self.json),
            Command::Calibrate(command) => command.run(self.json),
            Command::Replay(command) => command.run(self.json),
            Command::Prove(command) => command.run(self.json),
            Command::Checkerboard(command) => command.run(self.json),
            Command::Plan(command) => command.run(self.json),
            Command::Selftest(command) => command.run(self.json),
            Command::Serve(command) => command.run(self.json),
            Command::Site(command) => command.run(self.json),
            Command::Completions(command) => command.run(self.json),
        }
    }
}

/// The options that turn a shape into a variant.
#[derive(Args)]
pub struct VariantOptions {
    /// Target tile, a power of two: 8, 16, ... 131072
    #[arg(long, value_name = "TILE", value_parser = target)]
    pub to: Option<u8>,

    /// Probabilities of new tiles
    #[arg(long, value_name = "RULE", default_value_t = Spawn::STANDARD)]
    pub spawn: Spawn,

    /// Tiles on the board at the start
    #[arg(long, value_name = "N", default_value_t = Variant::START_TILES, value_parser = tile_number)]
    pub start_tiles: u16,
}

impl VariantOptions {
    /// The variant on this shape.
    pub fn variant(&self, shape: Shape) -> Result<Variant, Failure> {
        Variant::new(shape, self.to, self.spawn, self.start_tiles).map_err(Failure::request)
    }
}

/// The options that put walls on the board.
#[derive(Args)]
#[command(next_help_heading = "Walls")]
pub struct FormationOptions {
    /// Walls of a formation: L3, 442, t, LL, 4431, 444, free10, ... (see docs/formations.md)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["walls", "keep", "goal_cells"])]
    formation: Option<String>,

    /// Number of walls of a formation of your own
    #[arg(long, value_name = "N")]
    walls: Option<u8>,

    /// Cells that walls must keep covering, a hex digit for each cell, f for a cell that is
    /// meant, such as fff0fff; may be repeated, then one of them is enough
    #[arg(long, value_name = "MASK", requires = "walls")]
    keep: Vec<String>,

    /// Cells on which the target counts, such as f000000 [default: all]
    #[arg(long, value_name = "MASK", requires = "walls")]
    goal_cells: Option<String>,
}

impl FormationOptions {
    /// Whether walls are asked for.
    pub fn is_given(&self) -> bool {
        self.formation.is_some() || self.walls.is_some()
    }

    /// The formation that is asked for.
    pub fn formation(&self, shape: Shape) -> Result<Option<Formation>, Failure> {
        let formation = match (&self.formation, self.walls) {
            (Some(name), _) => Formation::named(name, shape),
            (None, Some(walls)) => {
                let goal = self.goal_cells.as_deref();
                Formation::parse(shape, walls, &self.keep, goal)
            }
            (None, None) => return Ok(None),
        };
        formation.map(Some).map_err(Failure::request)
    }

    /// The variant with the walls that are asked for.
    pub fn variant(&self, variant: Variant) -> Result<Variant, Failure> {
        match self.formation(variant.shape())? {
            Some(formation) => variant.with_formation(formation).map_err(Failure::request),
            None => Ok(variant),
        }
    }
}

/// Parses a whole number that is at least `LEAST`.
pub fn whole<const LEAST: u64>(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if number >= LEAST => Ok(number),
        _ => Err(format!("use a whole number from {LEAST} to {}", u64::MAX)),
    }
}

/// Parses a number of threads. A limit catches typing errors.
fn thread_number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number <= MAX_THREADS => Ok(number),
        _ => Err(format!("use a whole number from 0 to {MAX_THREADS}")),
    }
}

/// Parses a number of start tiles. The variant checks whether they fit the board.
pub fn tile_number(text: &str) -> Result<u16, String> {
    let most = Shape::MAX_SIDE as u16 * Shape::MAX_SIDE as u16;
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err("use a whole number from 1 to the number of cells".to_owned()),
    }
}

/// Parses a target tile and returns its exponent.
pub fn target(text: &str) -> Result<u8, String> {
    match parse_tile(text) {
        Ok(exponent) if exponent >= Variant::MIN_TARGET => Ok(exponent),
        _ => Err(format!("use a power of two from 8 to 2^{MAX_EXPONENT}")),
    }
}

const MAX_THREADS: usize = 1024;

/// The option of work that uses several cores.
#[derive(Args)]
pub struct ThreadOptions {
    /// Number of threads, 0 for all cores
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true,
          value_parser = thread_number)]
    threads: usize,
}

impl ThreadOptions {
    /// Whether the user has given a number.
    pub fn is_given(&self) -> bool {
        self.threads > 0
    }

    /// The number of threads to use.
    pub fn number(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, |n| n.get()),
            given => given,
        }
    }
}

/// The option of work that needs much memory.
#[derive(Args)]
pub struct MemoryOptions {
    /// Memory that may be used, such as 8GB or 512MiB [default: most of what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    memory: Option<u64>,
}

impl MemoryOptions {
    /// Whether the user has given a limit.
    pub fn is_given(&self) -> bool {
        self.memory.is_some()
    }

    /// Bytes that may be used.
    pub fn bytes(&self) -> u64 {
        self.memory.unwrap_or_else(memory::most_of_free)
    }
}

/// The options of work that uses the whole machine.
#[derive(Args)]
pub struct MachineOptions {
    #[command(flatten)]
    pub threads: ThreadOptions,

    #[command(flatten)]
    pub memory: MemoryOptions,

    #[command(flatten)]
    gpu: GpuOptions,
}

impl MachineOptions {
    /// Where to compute.
    pub fn device(&self) -> Device {
        self.gpu.device
    }

    /// Bytes of GPU memory that may be used, if limited.
    pub fn gpu_memory(&self) -> Option<u64> {
        self.gpu.gpu_memory
    }

    /// Refuses options for a GPU that have no effect without one.
    pub fn check(&self) -> Result<(), Failure> {
        match (self.device(), self.gpu_memory()) {
            (Device::Cpu, Some(_)) => Err(Failure::request("--gpu-memory needs --device cuda")),
            _ => Ok(()),
        }
    }
}

/// The options of work that a GPU can do.
#[derive(Args)]
struct GpuOptions {
    /// Where to compute
    #[arg(long, value_parser = device_parser(), default_value_t)]
    device: Device,

    /// GPU memory that may be used, such as 20GB [default: all that is free]
    #[arg(long, value_name = "SIZE", value_parser = memory::parse)]
    gpu_memory: Option<u64>,
}

/// Parses `--device`.
pub fn device_parser() -> impl TypedValueParser<Value = Device> {
    let values = Device::ALL.iter().map(|device| {
        PossibleValue::new(device.name()).help(match device {
            Device::Cpu => "The cores of this machine",
            Device::Cuda => {
                "The first CUDA GPU: for count, solve, prove --engine layers, play, train and selftest"
            }
        })
    });
    PossibleValuesParser::new(values).map(|name| {
        let device = Device::ALL.iter().find(|device| device.name() == name);
        device.copied().unwrap_or_default()
    })
}
