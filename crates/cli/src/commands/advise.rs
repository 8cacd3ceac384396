//! `tilebase advise`: the best move of any position.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use tilebase_expectimax::SearchLimit;
use tilebase_game::{Grid, Shape, Spawn, Status, Variant};
use tilebase_play::{EvaluationKind, Expectimax};
use tilebase_schema::{self as schema, Advice, Move, SearchSettings};
use tilebase_service::searched;
use tilebase_table::Table;

use super::search_options::SearchOptions;
use super::{batch, probe};
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::picture;

/// Positions of a search without a limit: some tenths of a second.
const DEFAULT_POSITIONS: u64 = 1_000_000;

/// Find the best move of a position, and the value of each move
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase advise --board 1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2
  tilebase advise --board 0x112000003 --table tables/3x3-512   exact where the table covers it
  tilebase advise --board 0xa962075400430011 --depth 5 --json
  tilebase advise 4x4 < boards.txt      one board a line, one JSON object a line

Values are exact if a table has the position. Otherwise it is searched, and values are estimates in
points: the expected score still to come with evaluation network, or the units of smooth.")]
pub struct Advise {
    /// The position: 0x0132 or .,2/8,4; without it, one position for each line of stdin
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    /// Rows and columns; needed for hex boards that are not square
    shape: Option<Shape>,

    /// A table made by 'tilebase solve'; may be given several times, the first that has the
    /// position answers
    #[arg(long, value_name = "DIR")]
    table: Vec<PathBuf>,

    /// How new tiles spawn, for the search
    #[arg(long, value_name = "RULE", default_value_t = Spawn::STANDARD)]
    spawn: Spawn,

    #[command(flatten)]
    search: SearchOptions,
}

/// A search of positions of one shape.
struct ReadySearch {
    variant: Variant,
    expectimax: Expectimax,
    settings: SearchSettings,
}

impl Advise {
    /// Prints advice.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let tables = self.table.iter().map(|dir| probe::open(dir));
        let tables = tables.collect::<Result<Vec<Table>, Failure>>()?;
        let mut search = None;
        match &self.board {
            Some(board) => {
                let answer = self.answer(&tables, &mut search, board)?;
                output::print(json, &answer, text)
            }
            None => batch::answer_lines(|line| self.answer(&tables, &mut search, line)),
        }
    }

    /// Answers from the first table that has the position, or by a search, which is made ready
    /// when it is first needed.
    fn answer(
        &self,
        tables: &[Table],
        search: &mut Option<ReadySearch>,
        text: &str,
    ) -> Result<Advice, Failure> {
        let grid = Grid::parse(text, self.shape).map_err(Failure::request)?;
        if grid.is_lost() {
            return Ok(Advice {
                position: searched::ended(
                    &self.variant(grid.shape())?,
                    &grid,
                    schema::Status::Lost,
                ),
                table: None,
            });
        }
        for (dir, table) in self.table.iter().zip(tables) {
            let board = grid.pack();
            if let Some(board) = board.filter(|_| table.variant().shape() == grid.shape()) {
                let probe = table.probe(board)?;
                if probe.status == Status::Live && probe.value.is_some() {
                    return Ok(Advice {
                        position: probe::probed(table).position(&grid, &probe),
                        table: Some(dir.display().to_string()),
                    });
                }
            }
        }
        let search = match search {
            Some(ready) if ready.variant.shape() == grid.shape() => ready,
            other => other.insert(self.make_ready(grid.shape())?),
        };
        let mut searcher = search.expectimax.searcher();
        let (settings, variant) = (&search.settings, &search.variant);
        Ok(Advice {
            position: searched::position(
                &mut *searcher,
                settings,
                variant,
                None,
                self.search.forecast(self.spawn),
                &grid,
            ),
            table: None,
        })
    }

    /// The whole game on a shape.
    fn variant(&self, shape: Shape) -> Result<Variant, Failure> {
        let tiles = shape.cells().min(Variant::START_TILES);
        Variant::new(shape, None, self.spawn, tiles).map_err(Failure::request)
    }

    fn make_ready(&self, shape: Shape) -> Result<ReadySearch, Failure> {
        let variant = self.variant(shape)?;
        let default = |_: EvaluationKind| SearchLimit::Positions {
            min_depth: 1,
            positions: DEFAULT_POSITIONS,
        };
        let (expectimax, settings) = self.search.expectimax(variant, default)?;
        Ok(ReadySearch {
            variant,
            expectimax,
            settings,
        })
    }
}

fn text(advice: &Advice) -> String {
    let position = &advice.position;
    let mut text = String::new();
    if let Ok(grid) = Grid::parse(&position.tiles, None) {
        text.push_str(&picture::board(&grid));
    }
    let Some(best) = position.best else {
        text.push_str(match position.status {
            schema::Status::Lost => "lost: no slide changes the board\n",
            _ => "no move is known\n",
        });
        return text;
    };
    // Writing to a string cannot fail.
    let _ = match &position.search {
        Some(search) => writeln!(
            text,
            "{best}: searched {} slides deep, {} positions, evaluation {}",
            search.depth,
            grouped(search.visited.into()),
            search.settings.evaluation,
        ),
        None => writeln!(
            text,
            "{best}: exact, by the table of {} ({})",
            position.game.variant,
            position.game.objective.as_deref().unwrap_or_default(),
        ),
    };
    for m in &position.moves {
        let _ = writeln!(text, "  {}", line(m, position.exact));
    }
    text
}

fn line(m: &Move, exact: bool) -> String {
    let value = match m.value.value {
        Some(value) if exact => format!("{value:.9}"),
        Some(value) => format!("{value:.1}"),
        None => "unknown".to_owned(),
    };
    let comparison = match m.loss {
        Some(loss) if loss > 0.0 && exact => format!("loses {loss:.3e}"),
        Some(loss) if loss > 0.0 => format!("loses {loss:.1}"),
        _ => "best".to_owned(),
    };
    format!("{:<6}{value:<24}{comparison}", m.direction)
}
