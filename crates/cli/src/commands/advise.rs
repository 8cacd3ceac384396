//! `tilebase advise`: the best move of any position.

use std::fmt::Write;

use clap::Args;
use tilebase_expectimax::SearchLimit;
use tilebase_game::{Grid, Shape, Spawn, Variant};
use tilebase_play::{EvaluationKind, Expectimax};
use tilebase_schema::{
    self as schema, Advice, FormationPosition, Grade, Move, SearchSettings, Unit,
};
use tilebase_service::formations::{Formations, Solving};
use tilebase_service::{Stop, searched};
use tilebase_table::Objective;
use tilebase_util::progress::Progress;

use super::search_options::SearchOptions;
use super::table_options::{OpenTables, TableOptions};
use super::{batch, value_text};
use crate::arguments::target;
use crate::failure::Failure;
use crate::output::{self, grouped};
use crate::picture;
use crate::progress::ProgressLine;

/// Positions of a search without a limit: some tenths of a second.
const DEFAULT_POSITIONS: u64 = 1_000_000;

/// Find the best move of a position, and the value of each move
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase advise --board 1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2
  tilebase advise --board 1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2 --to 4096
  tilebase advise --board 0x112000003 --table tables/3x3-512   exact where the table covers it
  tilebase advise --board 0x112000003 --tables tables          by the first table that covers it
  tilebase advise --board 0xa962075400430011 --depth 5 --json
  tilebase advise --board 2048,1024,512,2/256,128,64,16/.,8,.,4/.,4,.,.   also with large tiles as walls
  tilebase advise 4x4 < boards.txt      one board a line, one JSON object a line

Values are exact if a table has the position. Otherwise it is searched, and values are estimates with
their standard errors: on 4x4 the chances of the next large tiles and the expected further score, or
the chance of the target with --to. Moves that differ by less than the error are about equal. Values of
the evaluation smooth have no unit. Where the largest tiles of a 4x4 position stand as in a formation,
the exact chances with them as walls follow: by tables of formations, and small ones solved on the spot,
which takes some seconds.")]
pub struct Advise {
    /// The position: 0x0132 or .,2/8,4; without it, one position for each line of stdin
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    /// Rows and columns; needed for hex boards that are not square
    shape: Option<Shape>,

    /// The target tile, for the search; without it the game is played until it is lost
    #[arg(long, value_name = "TILE", value_parser = target)]
    to: Option<u8>,

    #[command(flatten)]
    tables: TableOptions,

    /// How new tiles spawn, for the search
    #[arg(long, value_name = "RULE", default_value_t = Spawn::STANDARD)]
    spawn: Spawn,

    /// Solve no formation on the spot: only ask tables
    #[arg(long)]
    no_solve: bool,

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
        let tables = self.tables.open(self.spawn)?;
        let mut search = None;
        let formations = Formations::default();
        let mut answer = |board: &str, solving: Solving| {
            let mut answer = self.answer(&tables, &mut search, board)?;
            if let Ok(grid) = Grid::parse(board, self.shape)
                && !grid.is_lost()
            {
                let mut found = tables.formations(&grid, self.spawn)?;
                formations.add(&mut found, &grid, self.spawn, solving, &Stop::default());
                answer.position.formations = found;
            }
            Ok(answer)
        };
        match &self.board {
            Some(board) => {
                let progress = ProgressLine::new();
                let solving = match self.no_solve {
                    false => Solving::Whole(&progress),
                    true => Solving::Before,
                };
                let answer = answer(board, solving)?;
                if progress.interrupted() {
                    return Err(Failure::Interrupted);
                }
                output::print(json, &answer, text)
            }
            None => batch::answer_lines(|line| answer(line, Solving::Before)),
        }
    }

    /// Answers from the first table that has the position, or by a search, which is made ready
    /// when it is first needed.
    fn answer(
        &self,
        tables: &OpenTables,
        search: &mut Option<ReadySearch>,
        text: &str,
    ) -> Result<Advice, Failure> {
        if text.contains('#') {
            let (position, table) = tables.position_with_walls(text)?;
            return Ok(Advice {
                position,
                table: Some(table.dir().display().to_string()),
            });
        }
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
        if let Some((position, table)) = tables.position(&grid)? {
            return Ok(Advice {
                position,
                table: Some(table.dir().display().to_string()),
            });
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
                self.to.map(|_| Objective::Win),
                self.search.forecast(self.spawn),
                &grid,
            ),
            table: None,
        })
    }

    /// The game on a shape.
    fn variant(&self, shape: Shape) -> Result<Variant, Failure> {
        let tiles = shape.cells().min(Variant::START_TILES);
        Variant::new(shape, self.to, self.spawn, tiles).map_err(Failure::request)
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
    let mut text = picture::tiles(&position.tiles);
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
            "{best}: estimate, searched {} slides deep, {} positions, evaluation {}{}",
            search.depth,
            grouped(search.visited.into()),
            search.settings.evaluation,
            if position.unit.is_none() {
                ", whose values have no unit"
            } else {
                ""
            },
        ),
        None => writeln!(
            text,
            "{best}: exact, by the table of {} ({})",
            position.game.variant,
            position.game.objective.as_deref().unwrap_or_default(),
        ),
    };
    text.push_str(&value_text::outlook(&position.outlook));
    for m in &position.moves {
        let _ = writeln!(text, "  {}", line(m, position.unit));
    }
    for formation in &position.formations {
        text.push_str(&formation_text(formation));
    }
    text
}

/// A formation that the position fits: its name, what its chances mean, those of the moves.
fn formation_text(formation: &FormationPosition) -> String {
    let walls = formation.formation.text().unwrap_or_default();
    let mut text = format!("{walls}: {}\n", formation.meaning);
    if formation.moves.is_empty() {
        text.push_str("  no slide is allowed\n");
    }
    for m in &formation.moves {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", line(m, Some(Unit::Probability)));
    }
    text
}

fn line(m: &Move, unit: Option<Unit>) -> String {
    let value = value_text::value(&m.value, unit);
    let loss = m.loss.filter(|&loss| loss > 0.0);
    let comparison = match (m.grade, loss) {
        // A table of best play knows the best move alone.
        (None, None) if m.value.value.is_none() && m.is_best != Some(true) => String::new(),
        (Some(Grade::Best), _) | (None, None) => "best".to_owned(),
        (Some(Grade::AboutEqual), _) => "about equal".to_owned(),
        (grade, Some(loss)) => {
            let grade = grade.map(|grade| format!(" ({})", value_text::grade(grade)));
            let loss = value_text::number(loss, unit);
            format!("loses {loss}{}", grade.unwrap_or_default())
        }
        (Some(grade), None) => value_text::grade(grade).to_owned(),
    };
    format!("{:<6}{value:<28}{comparison}", m.direction)
}
