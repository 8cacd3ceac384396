//! `tilebase advise`: what to do in a position.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use tilebase_expectimax::{Advice, SearchLimit};
use tilebase_game::{Grid, Shape, Spawn, Variant};
use tilebase_play::{EvaluationKind, Expectimax};
use tilebase_schema::SearchSettings;
use tilebase_table::{Probe as Truth, Status, Table};

use super::search_options::SearchOptions;
use super::{batch, probe};
use crate::failure::Failure;
use crate::output::{self, grouped, notation};
use crate::picture;

/// Positions that are enough for one piece of advice: some tenths of a second.
const ENOUGH: u64 = 1_000_000;

/// Say what to do in a position, and what the four moves are worth
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase advise --board 1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2
  tilebase advise --board 0x112000003 --table tables/3x3-512   exact where the table covers it
  tilebase advise --board 0xa962075400430011 --depth 5 --json
  tilebase advise 4x4 < boards.txt      one board a line, one JSON object a line

A table that knows the position gives the truth. Otherwise the moves are searched, and the
values are points: the expected score still to come with evaluation network, or the units of smooth.")]
pub struct Advise {
    /// The position: 0x0132 or .,2/8,4; without it, one position for each line of stdin
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,

    /// Rows and columns; needed for hex boards that are not square
    shape: Option<Shape>,

    /// A table made by 'tilebase solve'; may be given several times, the first that knows
    /// the position answers
    #[arg(long, value_name = "DIR")]
    table: Vec<PathBuf>,

    /// How new tiles fall, for the search
    #[arg(long, value_name = "RULE", default_value_t = Spawn::STANDARD)]
    spawn: Spawn,

    #[command(flatten)]
    looking: SearchOptions,
}

#[derive(Serialize)]
struct Answer {
    board: String,
    tiles: String,
    /// `table` or `search`; unknown where there is no move.
    source: Option<&'static str>,
    exact: bool,
    table: Option<PathBuf>,
    game: Option<String>,
    objective: Option<String>,
    search: Option<SearchSettings>,
    depth: Option<u8>,
    positions: Option<u64>,
    /// The board with halved tiles that was searched in place of one too large to pack: its
    /// values are lower.
    searched_as: Option<String>,
    lost: bool,
    best: Option<&'static str>,
    value: Option<f64>,
    moves: Vec<MoveAnswer>,
}

#[derive(Serialize)]
struct MoveAnswer {
    #[serde(rename = "move")]
    name: &'static str,
    value: Option<f64>,
    loss: Option<f64>,
    score: u128,
    afterstate: String,
}

/// A search that is made ready when the first position needs it.
type Searcher = (Shape, Expectimax, SearchSettings);

impl Advise {
    /// Prints advice.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let tables = self.table.iter().map(|dir| probe::open(dir));
        let tables = tables.collect::<Result<Vec<Table>, Failure>>()?;
        let mut searcher = None;
        match &self.board {
            Some(text) => {
                let answer = self.answer(&tables, &mut searcher, text)?;
                output::print(json, &answer, Answer::text)
            }
            None => batch::answer_lines(|line| self.answer(&tables, &mut searcher, line)),
        }
    }

    fn answer(
        &self,
        tables: &[Table],
        searcher: &mut Option<Searcher>,
        text: &str,
    ) -> Result<Answer, Failure> {
        let grid = Grid::parse(text, self.shape).map_err(Failure::request)?;
        if grid.is_lost() {
            return Ok(Answer::lost(&grid));
        }
        for (dir, table) in self.table.iter().zip(tables) {
            let board = grid.pack();
            if let Some(board) = board.filter(|_| table.variant().shape() == grid.shape()) {
                let truth = table.probe(board).map_err(probe::failure)?;
                if truth.status == Status::Live && truth.value.is_some() {
                    let mut answer = Answer::of_table(&grid, table, &truth);
                    answer.table = Some(dir.clone());
                    return Ok(answer);
                }
            }
        }
        self.search(searcher, &grid)
    }

    fn search(&self, searcher: &mut Option<Searcher>, grid: &Grid) -> Result<Answer, Failure> {
        let shape = grid.shape();
        let (_, expectimax, looking) = match searcher {
            Some(ready) if ready.0 == shape => ready,
            other => {
                let variant = Variant::new(shape, None, self.spawn, 1).map_err(Failure::request)?;
                let usual = |_: EvaluationKind| SearchLimit::Positions {
                    min_depth: 1,
                    positions: ENOUGH,
                };
                let (expectimax, looking) = self.looking.expectimax(variant, usual)?;
                other.insert((shape, expectimax, looking))
            }
        };
        let board = grid.pack_halved().ok_or_else(|| {
            Failure::request("the board has tiles too large to be searched: use smaller tiles")
        })?;
        let advice = expectimax.searcher().advise(board);
        Ok(advice.map_or_else(
            || Answer::lost(grid),
            |advice| {
                let mut answer = Answer::of_search(grid, &advice, looking.clone());
                let searched = board.unpack(shape);
                answer.searched_as = (searched != *grid).then(|| notation(&searched));
                answer
            },
        ))
    }
}

impl Answer {
    fn lost(grid: &Grid) -> Answer {
        Answer {
            board: notation(grid),
            tiles: grid.to_string(),
            source: None,
            exact: false,
            table: None,
            game: None,
            objective: None,
            search: None,
            depth: None,
            positions: None,
            searched_as: None,
            lost: grid.is_lost(),
            best: None,
            value: None,
            moves: Vec::new(),
        }
    }

    fn of_table(grid: &Grid, table: &Table, truth: &Truth) -> Answer {
        let shape = grid.shape();
        let moves: Vec<MoveAnswer> = truth
            .moves
            .iter()
            .map(|m| MoveAnswer {
                name: m.direction.name(),
                value: m.value.and_then(|value| value.value),
                loss: m.loss,
                score: m.score.into(),
                afterstate: notation(&m.afterstate.unpack(shape)),
            })
            .collect();
        Answer {
            source: Some("table"),
            exact: true,
            game: Some(table.manifest().title()),
            objective: Some(table.objective().to_string()),
            best: moves.first().map(|m| m.name),
            value: truth.value.and_then(|value| value.value),
            moves,
            ..Answer::lost(grid)
        }
    }

    fn of_search(grid: &Grid, advice: &Advice, looking: SearchSettings) -> Answer {
        let best = advice.moves.first();
        let moves = advice.moves.iter().filter_map(|weighed| {
            let (after, score) = grid.after(weighed.m)?;
            Some(MoveAnswer {
                name: weighed.m.name(),
                value: Some(weighed.value),
                loss: best.map(|best| best.value - weighed.value),
                score,
                afterstate: notation(&after),
            })
        });
        Answer {
            source: Some("search"),
            search: Some(looking),
            depth: Some(advice.depth),
            positions: Some(advice.positions),
            best: best.map(|best| best.m.name()),
            value: best.map(|best| best.value),
            moves: moves.collect(),
            ..Answer::lost(grid)
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if let Ok(grid) = Grid::parse(&self.tiles, None) {
            text.push_str(&picture::board(&grid));
        }
        let Some(best) = self.best else {
            text.push_str("lost: no slide changes the board\n");
            return text;
        };
        // Writing to a string cannot fail.
        let _ = match &self.game {
            Some(game) => writeln!(text, "{best}: exact, by the table of {game}"),
            None => writeln!(
                text,
                "{best}: searched {} slides deep, {} positions, evaluation {}",
                self.depth.unwrap_or(0),
                grouped(self.positions.unwrap_or(0).into()),
                self.search
                    .as_ref()
                    .map_or("none", |search| search.evaluation.as_str()),
            ),
        };
        for m in &self.moves {
            let value = m.value.map_or("unknown".to_owned(), |value| {
                if self.exact {
                    format!("{value:.9}")
                } else {
                    format!("{value:.1}")
                }
            });
            let loss = match m.loss {
                Some(loss) if loss > 0.0 && self.exact => format!("loses {loss:.3e}"),
                Some(loss) if loss > 0.0 => format!("loses {loss:.1}"),
                _ => "best".to_owned(),
            };
            let _ = writeln!(text, "  {:<6}{value:<24}{loss}", m.name);
        }
        text
    }
}
