//! Optimal values by backward recursion over everything that is reachable.

use std::collections::{BTreeMap, HashMap};

use super::{Board, Formation, Layer, Slide};

/// What a player can try to achieve; the names are those of the project's objectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The largest probability of success.
    Win,
    /// The largest expected score until success or loss.
    Score,
    /// Success as likely as possible, and then the smallest expected number of slides to it.
    Moves,
    /// The largest expected number of slides until success or loss.
    Survival,
}

/// What is certain about success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Success can be forced whatever spawns.
    SureWin,
    /// No moves and spawns lead to success.
    SureLoss,
    /// Neither.
    Open,
}

/// The values of a position under all objectives, each for a player with that objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The largest probability of success.
    pub win: f64,
    /// The smallest probability of loss. It is 1 - win, but computed on its own, so that it is
    /// precise where success is nearly certain.
    pub loss: f64,
    /// The largest expected score to come.
    pub score: f64,
    /// The largest expected number of slides to come.
    pub survival: f64,
    /// The smallest expected number of slides, where a lost game counts 0, among the ways to
    /// play that succeed with the largest probability.
    pub moves_if_won: f64,
    /// What is certain.
    pub category: Category,
}

/// How far rounding may set probabilities apart that are equal, relative to their size.
const TIE: f64 = 1e-11;

impl Value {
    /// The value after the slide that wins: the game is over.
    pub const WON: Value = Value {
        win: 1.0,
        loss: 0.0,
        score: 0.0,
        survival: 0.0,
        moves_if_won: 0.0,
        category: Category::SureWin,
    };

    /// The value of a lost state.
    pub const LOST: Value = Value {
        win: 0.0,
        loss: 1.0,
        score: 0.0,
        survival: 0.0,
        moves_if_won: 0.0,
        category: Category::SureLoss,
    };

    /// The number of an objective; `None` for the number of slides to an impossible success.
    pub fn number(&self, objective: Objective) -> Option<f64> {
        match objective {
            Objective::Win => Some(self.win),
            Objective::Score => Some(self.score),
            Objective::Moves if self.win > 0.0 => Some(self.moves_if_won / self.win),
            Objective::Moves => None,
            Objective::Survival => Some(self.survival),
        }
    }

    /// The mean over what chance does.
    fn mean(outcomes: &[(f64, Value)]) -> Value {
        let mean = |of: fn(&Value) -> f64| outcomes.iter().map(|(p, v)| p * of(v)).sum();
        let all = |category| outcomes.iter().all(|(_, v)| v.category == category);
        Value {
            win: mean(|v| v.win),
            loss: mean(|v| v.loss),
            score: mean(|v| v.score),
            survival: mean(|v| v.survival),
            moves_if_won: mean(|v| v.moves_if_won),
            category: if all(Category::SureWin) {
                Category::SureWin
            } else if all(Category::SureLoss) {
                Category::SureLoss
            } else {
                Category::Open
            },
        }
    }

    /// The value of a slide that scores and leads to this.
    fn after_slide(self, score: u64) -> Value {
        Value {
            score: score as f64 + self.score,
            survival: 1.0 + self.survival,
            // One more slide in every game that will be won.
            moves_if_won: self.win + self.moves_if_won,
            ..self
        }
    }

    /// The value of a state with these slides: each objective takes its own best one.
    fn best(slides: &[Value]) -> Value {
        let Some(first) = slides.first() else {
            return Value::LOST;
        };
        let mut best = *first;
        for slide in slides {
            best.win = best.win.max(slide.win);
            best.loss = best.loss.min(slide.loss);
            best.score = best.score.max(slide.score);
            best.survival = best.survival.max(slide.survival);
            best.category = match (best.category, slide.category) {
                (Category::SureWin, _) | (_, Category::SureWin) => Category::SureWin,
                (Category::SureLoss, Category::SureLoss) => Category::SureLoss,
                _ => Category::Open,
            };
        }
        let near = |a: f64, b: f64| (a - b).abs() <= TIE * a.max(b);
        best.moves_if_won = f64::INFINITY;
        for slide in slides {
            if near(slide.win, best.win) && near(slide.loss, best.loss) {
                best.moves_if_won = best.moves_if_won.min(slide.moves_if_won);
            }
        }
        best
    }
}

/// The values of all that is reachable.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Live and lost states.
    pub states: HashMap<Board, Value>,
    /// Afterstates that are not won.
    pub afterstates: HashMap<Board, Value>,
    /// The start states with their probabilities.
    pub starts: BTreeMap<Board, f64>,
}

/// The value of the random start under an objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The mean over the start states; of moves, the mean over the games that succeed.
    pub mean: f64,
    /// The smallest over the start states that have a value.
    pub min: f64,
    /// The largest over the start states that have a value.
    pub max: f64,
}

impl Solution {
    /// The mean of the values of the start states; `None` if there are none.
    pub fn start_value(&self) -> Option<Value> {
        let with_value = |(state, &likely)| (likely, self.states[state]);
        let values: Vec<(f64, Value)> = self.starts.iter().map(with_value).collect();
        (!values.is_empty()).then(|| Value::mean(&values))
    }

    /// The value of the random start; `None` if there is no start state, or none that can
    /// succeed under [`Objective::Moves`].
    pub fn start(&self, objective: Objective) -> Option<Start> {
        let mut start = Start {
            mean: self.start_value()?.number(objective)?,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
        };
        for state in self.starts.keys() {
            if let Some(number) = self.states[state].number(objective) {
                start.min = start.min.min(number);
                start.max = start.max.max(number);
            }
        }
        Some(start)
    }
}

impl Formation {
    /// The values of all states and afterstates of [`Formation::reachable`].
    pub fn solve(&self, layers: &BTreeMap<u64, Layer>) -> Solution {
        let mut states: HashMap<Board, Value> = HashMap::new();
        let mut afterstates: HashMap<Board, Value> = HashMap::new();
        // A spawn leads to a higher layer, so those come first.
        for layer in layers.values().rev() {
            for after in &layer.afterstates {
                let spawns = self.spawns(after).into_iter();
                let outcomes: Vec<(f64, Value)> = spawns.map(|(p, s)| (p, states[&s])).collect();
                afterstates.insert(after.clone(), Value::mean(&outcomes));
            }
            for state in layer.live.iter().chain(&layer.lost) {
                let mut slides = Vec::new();
                for slide in self.slides(state) {
                    match slide {
                        Slide::NotAllowed => {}
                        Slide::Won { score } => slides.push(Value::WON.after_slide(score)),
                        Slide::After { board, score } => {
                            slides.push(afterstates[&board].after_slide(score));
                        }
                    }
                }
                states.insert(state.clone(), Value::best(&slides));
            }
        }
        Solution {
            states,
            afterstates,
            starts: self.starts(),
        }
    }
}
