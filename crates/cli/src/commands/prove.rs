//! `tilebase prove`: who wins, Slider or Dropper.

mod bdd;
mod best;
mod check;
mod layers;
mod search;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tilebase_game::{Shape, parse_tile};
use tilebase_prove::bdd::{CellEncoding, CellOrder, Sweep, WinningSide};
use tilebase_prove::{Contest, DropTiles, Winner};
use tilebase_util::Device;

use crate::arguments::MachineOptions;
use crate::failure::Failure;

/// Tell whether a tile can be forced against an adversary who drops the new tiles
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase prove 3x3 --to 512                               Slider forces it
  tilebase prove 3x3 --to 64 --drops 2,4                    Dropper prevents it
  tilebase prove 3x3 --best --drops 2,4                     the largest tile that can be forced
  tilebase prove 3x3 --to 512 --strategy 512.txt            the winner's moves, written down
  tilebase prove --check 512.txt                            whether they win
  tilebase prove 3x3 --to 64 --engine layers                every position that can arise
  tilebase prove 4x4 --to 16 --engine bdd --strong          every position there is
  tilebase prove 3x3 --to 32 --engine bdd --sweep largest --iterations-svg i.svg

From the empty board Dropper drops a tile on any empty cell, then Slider slides, and so on.
Slider wins when the target is made, Dropper when no slide is legal.")]
pub struct Prove {
    /// Rows and columns, up to 4x4
    #[arg(required_unless_present = "check")]
    shape: Option<Shape>,

    /// The tile that Slider wants, a power of two up to 32768
    #[arg(long, value_name = "TILE", value_parser = tile)]
    to: Option<u8>,

    /// The tiles that Dropper may drop: 2, 4 or 2,4
    #[arg(long, value_name = "TILES", default_value_t = DropTiles::Twos)]
    drops: DropTiles,

    /// How to find out
    #[arg(long, value_enum, default_value_t = Engine::ProofSearch)]
    engine: Engine,

    /// The largest tile that Slider can force, up to the one of --to if given
    #[arg(long, conflicts_with_all = ["strategy", "check"])]
    best: bool,

    /// Write the winner's move in every position that can arise to a file (search)
    #[arg(long, value_name = "FILE")]
    strategy: Option<PathBuf>,

    /// Check a written strategy against everything that the other player can do
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "to", "strategy"])]
    check: Option<PathBuf>,

    /// How far small tiles may pile up at first (search)
    #[arg(long, value_name = "SUM")]
    slack: Option<u32>,

    /// Tiles from this one on stand in a chain from a corner at first (search)
    #[arg(long, value_name = "TILE", value_parser = tile)]
    chain: Option<u8>,

    /// Keep the states of large games in this directory, and go on with what is there (layers)
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// How tiles become bits: binary, one-hot or zero-suppressed (bdd)
    #[arg(long, value_name = "NAME", default_value_t = CellEncoding::Binary)]
    encoding: CellEncoding,

    /// The order of the cells: rows, columns, snake or diagonals (bdd)
    #[arg(long, value_name = "NAME", default_value_t = CellOrder::Rows)]
    order: CellOrder,

    /// How boards are cut into sweep lines: sum, largest or none (bdd)
    #[arg(long, value_name = "NAME", default_value_t = Sweep::Sum)]
    sweep: Sweep,

    /// Whose winning boards are computed: dropper or slider (bdd)
    #[arg(long, value_name = "PLAYER", default_value_t = WinningSide::Dropper)]
    side: WinningSide,

    /// Leave out boards that no game can reach by the number of small tiles (bdd)
    #[arg(long)]
    constrain: bool,

    /// Solve all boards, also those that cannot arise (bdd)
    #[arg(long)]
    strong: bool,

    /// Draw the iterations of each sweep line (bdd)
    #[arg(long, value_name = "FILE")]
    iterations_svg: Option<PathBuf>,

    /// Draw the seconds of each sweep line (bdd)
    #[arg(long, value_name = "FILE")]
    seconds_svg: Option<PathBuf>,

    #[command(flatten)]
    machine: MachineOptions,
}

/// The ways to find out who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// Depth first, with a table of settled positions
    ProofSearch,
    /// Backward through all positions that can arise, layer by layer
    Layers,
    /// Backward through sets of positions as decision diagrams
    Bdd,
}

impl Prove {
    /// Answers, and prints the answer.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        if let Device::Cuda = self.machine.device {
            if self.best || self.check.is_some() {
                return Err(Failure::request(
                    "--best and --check run on the processor only: use --device cpu",
                ));
            }
            if self.engine != Engine::Layers {
                return Err(Failure::request(
                    "this engine runs on the processor only: add --engine layers, or use --device cpu",
                ));
            }
        }
        if let Some(file) = &self.check {
            return check::run(file, json);
        }
        self.refuse_strangers()?;
        let shape = self.shape.unwrap_or(Shape::SINGLE);
        if self.best {
            return best::run(self, shape, json);
        }
        let target = self.to.ok_or_else(|| {
            Failure::request("no target given: say which tile, such as --to 512, or --best")
        })?;
        let contest = Contest::new(shape, target, self.drops).map_err(Failure::request)?;
        match self.engine {
            Engine::ProofSearch => search::run(self, &contest, json),
            Engine::Layers => layers::run(self, &contest, json),
            Engine::Bdd => bdd::run(self, &contest, json),
        }
    }

    /// Options of another engine would have no effect: that is told rather than passed over.
    fn refuse_strangers(&self) -> Result<(), Failure> {
        let defaults = tilebase_prove::bdd::BddOptions::default();
        let strangers = [
            ("--strategy", self.strategy.is_some(), Engine::ProofSearch),
            ("--slack", self.slack.is_some(), Engine::ProofSearch),
            ("--chain", self.chain.is_some(), Engine::ProofSearch),
            ("--best", self.best, Engine::ProofSearch),
            ("--dir", self.dir.is_some(), Engine::Layers),
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
        for (option, given, engine) in strangers {
            if given && engine != self.engine {
                let name = format!("{engine:?}").to_lowercase();
                return Err(Failure::Request(format!(
                    "{option} is for another engine: add --engine {name}, or leave it out"
                )));
            }
        }
        Ok(())
    }
}

/// A tile's exponent; whether it suits the drops is for the contest to say.
fn tile(text: &str) -> Result<u8, String> {
    match parse_tile(text) {
        Ok(exponent) if (1..=15).contains(&exponent) => Ok(exponent),
        _ => Err("use a power of two up to 32768".to_owned()),
    }
}

/// The winner in a sentence.
fn sentence(winner: Winner, contest: &Contest) -> String {
    let tile = tilebase_game::tile_value(contest.target());
    let (shape, drops) = (contest.shape(), contest.drops());
    match winner {
        Winner::Slider => format!("{shape} to {tile}, drops of {drops}: Slider forces it\n"),
        Winner::Dropper => format!("{shape} to {tile}, drops of {drops}: Dropper prevents it\n"),
    }
}
