//! `tilebase evaluate`: the exact value of a player.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use tilebase_game::Policy;
use tilebase_play::EvaluationKind;
use tilebase_schema::{EvaluateAnswer, PolicyLayer};
use tilebase_solve::{evaluate, follow};
use tilebase_table::Table;

use super::follow::{outcome, outcome_text};
use super::play::players::PlayerName;
use super::probe;
use super::search_options::{SearchOptions, does_not_search};
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
again by following the player forward. The regrets of all layers add up to the player's loss
against optimal play.")]
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

impl Evaluate {
    /// Evaluates the player, and prints its value and its regret.
    pub fn run(&self, json: bool) -> Result<(), Failure> {
        let table = probe::open(&self.table)?;
        let answer = match self.player {
            PlayerName::Kind(kind) if !self.looking.given() => self.answer(&table, kind.policy()),
            PlayerName::Expectimax if !self.looking.timed() => {
                let usual = EvaluationKind::default_limit;
                let (expectimax, _) = self.looking.expectimax(*table.variant(), usual)?;
                self.answer(&table, &expectimax)
            }
            PlayerName::Expectimax => Err(Failure::request(
                "a player with a time limit has no exact value: use --depth or --positions",
            )),
            PlayerName::Optimal => Err(Failure::request(
                "player optimal plays by the table itself and loses nothing: choose another one",
            )),
            PlayerName::Kind(kind) => Err(does_not_search(kind.name())),
        }?;
        output::print(json, &answer, |answer| text(answer, self.layers))
    }

    /// The value of a policy by the backward pass, and its regret by the forward pass.
    fn answer(&self, table: &Table, policy: &dyn Policy) -> Result<EvaluateAnswer, Failure> {
        let start = Instant::now();
        let progress = ProgressLine::new();
        let found = evaluate(table, policy, &progress, &mut |_, _| ())?;
        let flow = follow(table, Some(policy), &progress, &mut |_| ())?;
        let additive = table.objective().value_kind().is_additive();
        Ok(EvaluateAnswer {
            table: self.table.clone(),
            title: table.manifest().title(),
            player: self.player.name(),
            objective: table.objective().to_string(),
            value: found.start.value,
            optimal: found.optimal.value,
            regret: found.regret,
            regret_by_layers: additive.then(|| flow.regret()),
            mistakes_per_game: flow.layers.iter().map(|layer| layer.mistakes).sum(),
            states: found.states,
            outcome: outcome(table, &flow, additive),
            seconds: start.elapsed().as_secs_f64(),
        })
    }
}

/// The tile sum where most is lost, if regret is known.
fn worst_layer(layers: &[PolicyLayer]) -> Option<u32> {
    let regrets = layers
        .iter()
        .filter_map(|layer| Some((layer.regret?, layer.sum)));
    regrets
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, sum)| sum)
}

fn text(answer: &EvaluateAnswer, layers: bool) -> String {
    let show = |value: Option<f64>| value.map_or("none".to_owned(), output::small);
    let mut text = format!("{} on {}\n", answer.player, answer.title);
    let _ = writeln!(
        text,
        "  value {}, optimal play {}, regret {}",
        show(answer.value),
        show(answer.optimal),
        show(answer.regret)
    );
    let _ = writeln!(text, "  {:.3} mistakes a game", answer.mistakes_per_game);
    text.push_str(&outcome_text(&answer.outcome, layers));
    if let Some(worst) = worst_layer(&answer.outcome.layers) {
        let _ = writeln!(text, "  the most is lost at tile sum {worst}");
    }
    text
}
