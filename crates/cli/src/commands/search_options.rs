//! How far the expectimax player looks, and with which evaluation: options of several
//! commands.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tilebase_expectimax::{DEEPEST, Effort, NO_CROWD, Options};
use tilebase_game::Variant;
use tilebase_play::{EvaluationKind, Expectimax, ExpectimaxError, SearchConfig};

use crate::arguments::whole;
use crate::failure::Failure;

/// The options of looking ahead.
#[derive(Args)]
#[command(next_help_heading = "Options of looking ahead (player expectimax)")]
pub struct SearchOptions {
    /// What positions at the end of a line are worth: smooth (as published) or tuples
    /// (learned, 4x4 only) [default: tuples on 4x4, smooth elsewhere]
    #[arg(long, value_name = "NAME")]
    evaluation: Option<EvaluationKind>,

    /// Look this many slides ahead [default: 3 with tuples]
    #[arg(long, value_name = "N", value_parser = depth, conflicts_with_all = ["positions", "time"])]
    depth: Option<u8>,

    /// Look one slide further until this many positions were seen [default: 10000 with smooth]
    #[arg(long, value_name = "N", value_parser = whole::<1>, conflicts_with = "time")]
    positions: Option<u64>,

    /// Look further for this many milliseconds a move; games then depend on the machine
    #[arg(long, value_name = "MS", value_parser = whole::<1>)]
    time: Option<u64>,

    /// Don't look further where the tiles come with less than this probability [default: 0]
    #[arg(long, value_name = "P", value_parser = probability)]
    cutoff: Option<f64>,

    /// Don't look further at slides that look worse than the best by more than this
    /// [default with tuples: 30000; all are looked at with smooth]
    #[arg(long, value_name = "POINTS", value_parser = points)]
    margin: Option<f64>,

    /// Look one slide further than --depth for each different tile that a board has above this
    /// number; 16 for never [default: 9 with tuples, never with smooth]
    #[arg(long, value_name = "N", value_parser = crowd, conflicts_with_all = ["positions", "time"])]
    crowd: Option<u8>,

    /// Learned weights to use with tuples, made by 'tilebase learn', instead of the built-in
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// How a search was made, for answers.
#[derive(Clone, Serialize)]
pub struct SearchAnswer {
    evaluation: &'static str,
    depth: Option<u8>,
    positions: Option<u64>,
    milliseconds: Option<u64>,
    cutoff: f64,
    /// None if all slides are looked at.
    margin: Option<f64>,
    /// None if crowded boards are looked at like others.
    crowd: Option<u8>,
}

fn depth(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(depth) if (1..=DEEPEST).contains(&depth) => Ok(depth),
        _ => Err(format!("use a whole number from 1 to {DEEPEST}")),
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(p) if (0.0..1.0).contains(&p) => Ok(p),
        _ => Err("use a number from 0 up to, not including, 1".to_owned()),
    }
}

fn points(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(points) if points >= 0.0 => Ok(points),
        _ => Err("use a number of points from 0, or inf for no margin".to_owned()),
    }
}

fn crowd(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(crowd) if crowd <= NO_CROWD => Ok(crowd),
        _ => Err(format!("use a whole number from 0 to {NO_CROWD}")),
    }
}

impl SearchAnswer {
    /// The evaluation's name.
    pub fn evaluation(&self) -> &'static str {
        self.evaluation
    }
}

/// What options of looking ahead are to a player that does not.
pub fn kind_does_not_look(player: &str) -> Failure {
    Failure::request(format!(
        "player {player} does not look ahead: leave the options of expectimax out"
    ))
}

impl SearchOptions {
    /// Whether it depends on the clock.
    pub fn timed(&self) -> bool {
        self.time.is_some()
    }

    /// Whether any of them was given.
    pub fn given(&self) -> bool {
        self.evaluation.is_some()
            || self.depth.is_some()
            || self.positions.is_some()
            || self.time.is_some()
            || self.cutoff.is_some()
            || self.margin.is_some()
            || self.crowd.is_some()
            || self.weights.is_some()
    }

    /// The player of a variant that looks so, or by `usual` if nothing was said of that.
    pub fn expectimax(
        &self,
        variant: Variant,
        usual: impl Fn(EvaluationKind) -> Effort,
    ) -> Result<(Expectimax, SearchAnswer), Failure> {
        let evaluation = match (self.evaluation, &self.weights) {
            (Some(kind), _) => kind,
            (None, Some(_)) => EvaluationKind::NTupleNetwork,
            (None, None) => EvaluationKind::best_for(variant.shape()),
        };
        if evaluation == EvaluationKind::Smooth && self.weights.is_some() {
            return Err(Failure::request(
                "evaluation smooth has no weights: leave --weights out, or take --evaluation tuples",
            ));
        }
        let from = match evaluation.effort() {
            Effort::Positions { from, .. } => from,
            Effort::Depth(_) => 1,
        };
        let effort = match (self.depth, self.positions, self.time) {
            (Some(depth), _, _) => Effort::Depth(depth),
            (_, Some(enough), _) => Effort::Positions { from, enough },
            (_, _, Some(_)) => Effort::Positions {
                from: 1,
                enough: u64::MAX,
            },
            _ => usual(evaluation),
        };
        let mut options = Options {
            margin: self.margin,
            crowd: self.crowd,
            ..Options::default()
        };
        options.cutoff = self.cutoff.unwrap_or(options.cutoff);
        let looking = SearchConfig {
            effort,
            options,
            time: self.time.map(Duration::from_millis),
        };
        let weights = match &self.weights {
            Some(file) => Some(std::fs::read(file).map_err(|error| {
                Failure::work(&format!("reading the weights {}", file.display()), error)
            })?),
            None => None,
        };
        let expectimax = Expectimax::new(variant, evaluation, weights.as_deref(), looking);
        let expectimax = expectimax.map_err(|error| match error {
            ExpectimaxError::Weights(error) => Failure::Work(match &self.weights {
                Some(file) => format!("{}: {error}", file.display()),
                None => error.to_string(),
            }),
            error => Failure::request(error),
        })?;
        let deepens = matches!(effort, Effort::Depth(_));
        let crowd = Some(expectimax.crowd()).filter(|&crowd| deepens && crowd < NO_CROWD);
        let answer = SearchAnswer {
            evaluation: evaluation.name(),
            depth: match effort {
                Effort::Depth(depth) => Some(depth),
                Effort::Positions { .. } => None,
            },
            positions: match effort {
                Effort::Positions { enough, .. } if self.time.is_none() => Some(enough),
                _ => None,
            },
            milliseconds: self.time,
            cutoff: options.cutoff,
            margin: Some(expectimax.margin()).filter(|margin| margin.is_finite()),
            crowd,
        };
        Ok((expectimax, answer))
    }
}
