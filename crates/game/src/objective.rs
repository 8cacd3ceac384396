//! What optimal play is to achieve: every objective, and everything that is known about it.
//!
//! An objective is a variant of [`Objective`] and its [`ObjectiveDescriptor`]. The command line,
//! tables, GPU kernels, exports, the API and the page read the descriptor instead of listing
//! objectives, so that a new one is added here.

use std::fmt;

/// What a table's values are, and what its policy optimizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// The probability of reaching the target.
    Win,
    /// The mean of γ^n over all games, where n is the number of moves until the win; a lost game
    /// counts 0.
    Discounted(f64),
    /// The mean score until the target is reached or the game is lost.
    Score,
    /// The probability of winning first; among the best moves by that, the smallest mean number
    /// of moves to the win.
    Moves,
    /// The mean number of moves until the target is reached or the game is lost, as large as
    /// possible.
    Survival,
}

/// How the values of an objective are represented and compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A probability that is precise near 0 and near 1.
    WinProbability,
    /// An expected sum of rewards, possibly discounted; larger is better.
    ExpectedReturn,
    /// A probability of winning and, among equals, a mean number of moves; fewer is better.
    FastestWin,
}

impl ValueKind {
    /// Numbers of eight bytes in a value.
    pub const fn words(self) -> usize {
        match self {
            ValueKind::WinProbability | ValueKind::ExpectedReturn => 1,
            ValueKind::FastestWin => 2,
        }
    }

    /// Whether the value of a policy is the optimal value less the losses of its moves.
    pub const fn is_additive(self) -> bool {
        !matches!(self, ValueKind::FastestWin)
    }

    /// Whether larger values are better.
    pub const fn larger_is_better(self) -> bool {
        !matches!(self, ValueKind::FastestWin)
    }

    /// Whether the GPU has kernels for such values.
    pub const fn on_gpu(self) -> bool {
        self.words() == 1
    }
}

/// What a move pays at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// Nothing: only the end counts.
    Nothing,
    /// The points of the slide.
    Score,
    /// One for every move.
    Move,
}

/// Everything that is known about an objective.
#[derive(Debug, PartialEq)]
pub struct ObjectiveDescriptor {
    /// The name in options, files and answers.
    pub name: &'static str,
    /// A short title, as in a menu.
    pub title: &'static str,
    /// What is optimized, as in a help text.
    pub summary: &'static str,
    /// What a value of a position means.
    pub meaning: &'static str,
    /// The unit of values; empty for probabilities.
    pub unit: &'static str,
    /// The result of optimal play as a sentence, with `{win}`, `{value}` and `{discount}` to be
    /// filled in.
    pub result: &'static str,
    /// The representation of values.
    pub value_kind: ValueKind,
    /// What a move pays at once.
    pub reward: Reward,
    /// What reaching the target pays, where values are expected returns.
    pub win_reward: f64,
    /// Whether the objective makes no sense without a target tile.
    pub needs_target: bool,
    /// Whether a discount can be given.
    pub takes_discount: bool,
}

static WIN: ObjectiveDescriptor = ObjectiveDescriptor {
    name: "win",
    title: "winning",
    summary: "the probability of reaching the target; with a discount G, the mean of G to the \
              power of the number of moves until then",
    meaning: "probability of winning under best play",
    unit: "",
    result: "optimal play wins with probability {win}",
    value_kind: ValueKind::WinProbability,
    reward: Reward::Nothing,
    win_reward: 1.0,
    needs_target: true,
    takes_discount: true,
};

static DISCOUNTED: ObjectiveDescriptor = ObjectiveDescriptor {
    name: "win",
    title: "winning soon",
    summary: "the mean of G to the power of the number of moves until the target is reached",
    meaning: "discounted value of a win under best play",
    unit: "",
    result: "a win is worth {value}, discounted by {discount} a move",
    value_kind: ValueKind::ExpectedReturn,
    reward: Reward::Nothing,
    win_reward: 1.0,
    needs_target: true,
    takes_discount: true,
};

static SCORE: ObjectiveDescriptor = ObjectiveDescriptor {
    name: "score",
    title: "most points",
    summary: "the mean score until the target is reached or the game is lost",
    meaning: "points to come under best play",
    unit: "points",
    result: "optimal play scores {value} on average",
    value_kind: ValueKind::ExpectedReturn,
    reward: Reward::Score,
    win_reward: 0.0,
    needs_target: false,
    takes_discount: false,
};

static MOVES: ObjectiveDescriptor = ObjectiveDescriptor {
    name: "moves",
    title: "fewest moves",
    summary: "the probability of winning first, and then the mean number of moves to the win",
    meaning: "moves to the win under best play",
    unit: "moves",
    result: "optimal play wins with probability {win}, then in {value} moves on average",
    value_kind: ValueKind::FastestWin,
    reward: Reward::Move,
    win_reward: 0.0,
    needs_target: true,
    takes_discount: false,
};

static SURVIVAL: ObjectiveDescriptor = ObjectiveDescriptor {
    name: "survival",
    title: "longest game",
    summary: "the mean number of moves until the target is reached or the game is lost",
    meaning: "moves to come under best play",
    unit: "moves",
    result: "optimal play lasts {value} moves on average",
    value_kind: ValueKind::ExpectedReturn,
    reward: Reward::Move,
    win_reward: 0.0,
    needs_target: false,
    takes_discount: false,
};

impl Objective {
    /// The objectives that have a name of their own: those without a discount.
    ///
    /// ```
    /// use tilebase_game::Objective;
    ///
    /// let names = Objective::ALL.map(Objective::name);
    /// assert_eq!(names, ["win", "score", "moves", "survival"]);
    /// ```
    pub const ALL: [Objective; 4] = [
        Objective::Win,
        Objective::Score,
        Objective::Moves,
        Objective::Survival,
    ];

    /// Everything that is known about the objective.
    #[inline]
    pub fn descriptor(self) -> &'static ObjectiveDescriptor {
        match self {
            Objective::Win => &WIN,
            Objective::Discounted(_) => &DISCOUNTED,
            Objective::Score => &SCORE,
            Objective::Moves => &MOVES,
            Objective::Survival => &SURVIVAL,
        }
    }

    /// The objective with a name, and a discount above 0 and at most 1 if there is one.
    ///
    /// ```
    /// use tilebase_game::Objective;
    ///
    /// assert_eq!(Objective::from_name("win", Some(0.9)), Some(Objective::Discounted(0.9)));
    /// assert_eq!(Objective::from_name("win", Some(1.0)), Some(Objective::Win));
    /// assert_eq!(Objective::from_name("score", Some(0.9)), None);
    /// ```
    pub fn from_name(name: &str, discount: Option<f64>) -> Option<Objective> {
        let mut all = Objective::ALL.into_iter();
        let objective = all.find(|objective| objective.name() == name)?;
        match discount {
            None => Some(objective),
            Some(_) if !objective.descriptor().takes_discount => None,
            Some(1.0) => Some(objective),
            Some(discount) if discount > 0.0 && discount < 1.0 => {
                Some(Objective::Discounted(discount))
            }
            Some(_) => None,
        }
    }

    /// The name in options, files and answers.
    pub fn name(self) -> &'static str {
        self.descriptor().name
    }

    /// The discount; 1 if there is none.
    #[inline]
    pub fn discount(self) -> f64 {
        match self {
            Objective::Discounted(discount) => discount,
            _ => 1.0,
        }
    }

    /// The representation of values.
    #[inline]
    pub fn value_kind(self) -> ValueKind {
        self.descriptor().value_kind
    }

    /// What a move pays at once.
    #[inline]
    pub fn reward(self) -> Reward {
        self.descriptor().reward
    }

    /// Whether the objective makes no sense without a target tile.
    pub fn needs_target(self) -> bool {
        self.descriptor().needs_target
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Objective::Discounted(discount) => write!(f, "win, discounted by {discount}"),
            other => f.write_str(other.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_objectives() {
        for objective in Objective::ALL {
            assert_eq!(
                Objective::from_name(objective.name(), None),
                Some(objective)
            );
        }
        assert_eq!(Objective::from_name("speed", None), None);
        for discount in [0.0, -1.0, 1.5, f64::NAN] {
            assert_eq!(Objective::from_name("win", Some(discount)), None);
        }
    }

    #[test]
    fn descriptors_make_sense() {
        for objective in Objective::ALL
            .into_iter()
            .chain([Objective::Discounted(0.9)])
        {
            let about = objective.descriptor();
            // A probability of winning is nothing without a target.
            let wins = about.value_kind != ValueKind::ExpectedReturn || about.win_reward > 0.0;
            assert_eq!(about.needs_target, wins, "{objective}");
            assert!(about.result.contains("{win}") || about.result.contains("{value}"));
            for text in [about.title, about.summary, about.meaning] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
            }
        }
    }
}
