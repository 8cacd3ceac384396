//! `tilebase evaluate`: how good a player is, exactly.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;
use tilebase_game::Policy;
use tilebase_play::EvaluationKind;
use tilebase_solve::{evaluate, follow};
use tilebase_table::{Value, ValueKind};

use super::follow::CourseAnswer;
use super::play::players::PlayerName;
use super::probe;
use super::search_options::{SearchOptions, kind_does_not_look};
use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;

/// Compute exactly how good a player is, and what its mistakes cost, layer by layer
#[derive(Args)]
#[command(after_help = "Examples:
  tilebase evaluate tables/3x3-512 --player greedy
  tilebase evaluate tables/3x3-512 --player random --layers
  tilebase evaluate tables/3x3-64 --player expectimax --depth 1
  tilebase evaluate tables/score --player one-ply --json

No game is played: the value is computed by the same backward pass as the optimal one, and
again by following the player forward. The regret of all layers adds up to what the player
loses against optimal play.")]
pub struct Evaluate {
    /// Directory of the table
    table: PathBuf,

    /// The player: expectimax, random, greedy, corner or one-ply
    #[arg(long, value_name = "NAME")]
    player: PlayerName,

    /// List the layers too (JSON always does)
    #[arg(long)]
    layers: bool,

    #[command(flatten)]
    looking: SearchOptions,
}

#[derive(Serialize)]
struct Answer {
    table: PathBuf,
    game: String,
    player: &'static str,
    objective: String,
    value: Option<f64>,
    optimal: Option<f64>,
    regret: Option<f64>,
    /// The regret as the sum over the layers, from the pass forward.
    regret_by_layers: Option<f64>,
    mistakes_per_game: f64,
    states: u64,
    #[serde(flatten)]
    course: CourseAnswer,
    seconds: f64,
    #[serde(skip)]
    list: bool,
}

impl Evaluate {
    /// Evaluates, and prints what was found.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let start = Instant::now();
        let table = probe::open(&self.table)?;
        let expectimax;
        let policy: &dyn Policy = match self.player {
            PlayerName::Kind(kind) if !self.looking.given() => kind.policy(),
            PlayerName::Expectimax if !self.looking.timed() => {
                let usual = EvaluationKind::effort;
                (expectimax, _) = self.looking.expectimax(*table.variant(), usual)?;
                &expectimax
            }
            PlayerName::Expectimax => {
                return Err(Failure::request(
                    "a player that looks at the clock cannot be computed: use --depth or --positions",
                ));
            }
            PlayerName::Optimal => {
                return Err(Failure::request(
                    "player optimal plays by the table itself and loses nothing: take another one",
                ));
            }
            PlayerName::Kind(kind) => return Err(kind_does_not_look(kind.name())),
        };
        let failure = super::solve::failure;
        let progress = ProgressLine::new();
        let found = evaluate(&table, policy, &progress, &mut |_, _| ()).map_err(failure)?;
        let course = follow(&table, Some(policy), &progress, &mut |_| ()).map_err(failure)?;
        // Winning first and soonest second is no sum of losses.
        let kind = table.objective().value_kind();
        let additive = kind.is_additive();
        let number = |value: Value| value.value;
        let regret = match (number(found.optimal), number(found.start)) {
            (Some(best), Some(own)) => Some(if kind == ValueKind::WinProbability {
                let chance = |value: Value| value.win;
                match (chance(found.start), chance(found.optimal)) {
                    (Some(own), Some(best)) => own.short_of(best),
                    _ => best - own,
                }
            } else {
                best - own
            }),
            _ => None,
        };
        let answer = Answer {
            table: self.table.clone(),
            game: table.manifest().title(),
            player: self.player.name(),
            objective: table.objective().to_string(),
            value: number(found.start),
            optimal: number(found.optimal),
            regret: regret.filter(|_| additive),
            regret_by_layers: additive.then(|| course.regret()),
            mistakes_per_game: course.layers.iter().map(|layer| layer.mistakes).sum(),
            states: found.states,
            course: CourseAnswer::new(&table, &course, additive),
            seconds: start.elapsed().as_secs_f64(),
            list: self.layers,
        };
        output::print(json, &answer, Answer::text)
    }
}

impl Answer {
    fn text(&self) -> String {
        let show = |value: Option<f64>| value.map_or("none".to_owned(), output::small);
        let mut text = format!("{} on {}\n", self.player, self.game);
        let _ = writeln!(
            text,
            "  value {}, optimal play {}, regret {}",
            show(self.value),
            show(self.optimal),
            show(self.regret)
        );
        let _ = writeln!(text, "  {:.3} mistakes a game", self.mistakes_per_game);
        text.push_str(&self.course.text(self.list));
        if let Some(worst) = self
            .course
            .worst_layer()
            .filter(|_| self.regret_by_layers.is_some())
        {
            let _ = writeln!(text, "  the most is lost at tile sum {worst}");
        }
        text
    }
}
