//! Enumerated values that several answers share.

pub use tilebase_util::Device;

/// Declares an enumeration whose values have the same names in JSON and in text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// All values.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// Name of the value in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

words! {
    /// A move.
    Direction {
        /// Tiles slide to the left.
        Left = "left",
        /// Tiles slide to the right.
        Right = "right",
        /// Tiles slide up.
        Up = "up",
        /// Tiles slide down.
        Down = "down",
    }
}

words! {
    /// Whether play goes on from a position.
    Status {
        /// It can arise, and there is a legal move.
        Live = "live",
        /// The target is on the board.
        Won = "won",
        /// No slide changes the board.
        Lost = "lost",
        /// It cannot arise in the game.
        Unreachable = "unreachable",
    }
}

words! {
    /// What is certain about a position or a move, whatever tiles spawn.
    Category {
        /// The target is on the board.
        Won = "won",
        /// No slide changes the board.
        Lost = "lost",
        /// Best play wins whatever spawns.
        SureWin = "sure_win",
        /// No luck will help.
        SureLoss = "sure_loss",
        /// Neither is certain.
        Open = "open",
    }
}

words! {
    /// Where a value comes from.
    Source {
        /// Solved for this answer, or known from the rules.
        Exact = "exact",
        /// Looked up in a table of a solved game.
        Table = "table",
        /// Estimated by a search.
        Estimate = "estimate",
    }
}

words! {
    /// The unit of values.
    Unit {
        /// A probability, from 0 to 1.
        Probability = "probability",
        /// Points of the score.
        Points = "points",
        /// Moves.
        Moves = "moves",
    }
}

words! {
    /// How good a move is, by what it loses against the best one: of a probability the
    /// difference, of other values its share of the best.
    Grade {
        /// No move is better.
        Best = "best",
        /// An estimated loss within its standard error.
        AboutEqual = "about_equal",
        /// At most 0.5 %.
        Slight = "slight",
        /// At most 2 %.
        Inaccuracy = "inaccuracy",
        /// At most 10 %.
        Mistake = "mistake",
        /// More than 10 %.
        Blunder = "blunder",
    }
}

words! {
    /// Who says what tile spawns, and where.
    SpawnRule {
        /// The topmost, then leftmost empty cell.
        First = "first",
        /// Seeded dice.
        Random = "random",
        /// What helps the player most.
        Best = "best",
        /// What hurts the player most.
        Worst = "worst",
    }
}

words! {
    /// Who wins a contest of Slider against Dropper.
    Winner {
        /// Slider makes the target tile, whatever Dropper does.
        Slider = "slider",
        /// Dropper keeps Slider from it, whatever Slider does.
        Dropper = "dropper",
    }
}

words! {
    /// What a table stores for each state.
    Content {
        /// The value and the best moves.
        Values = "values",
        /// One best move.
        Moves = "moves",
        /// The value and the best moves, from values that are rounded to 16 bits.
        Rounded = "rounded",
        /// One best move and the value, rounded to 16 bits, of the states that best play meets.
        BestPlay = "best_play",
    }
}

impl From<tilebase_game::Move> for Direction {
    fn from(m: tilebase_game::Move) -> Direction {
        match m {
            tilebase_game::Move::Left => Direction::Left,
            tilebase_game::Move::Right => Direction::Right,
            tilebase_game::Move::Up => Direction::Up,
            tilebase_game::Move::Down => Direction::Down,
        }
    }
}

impl From<tilebase_game::Status> for Status {
    fn from(status: tilebase_game::Status) -> Status {
        match status {
            tilebase_game::Status::Live => Status::Live,
            tilebase_game::Status::Won => Status::Won,
            tilebase_game::Status::Lost => Status::Lost,
            tilebase_game::Status::Unreachable => Status::Unreachable,
        }
    }
}

impl From<tilebase_game::Category> for Category {
    fn from(category: tilebase_game::Category) -> Category {
        match category {
            tilebase_game::Category::SureWin => Category::SureWin,
            tilebase_game::Category::Open => Category::Open,
            tilebase_game::Category::SureLoss => Category::SureLoss,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::*;

    #[test]
    fn names_are_the_words_of_the_json() {
        fn check<T: Copy + Serialize>(all: &[T], name: fn(T) -> &'static str) {
            for &word in all {
                let json = serde_json::to_value(word).unwrap();
                assert_eq!(json.as_str(), Some(name(word)));
            }
        }
        check(Direction::ALL, Direction::name);
        check(Status::ALL, Status::name);
        check(Category::ALL, Category::name);
        check(Source::ALL, Source::name);
        check(Unit::ALL, Unit::name);
        check(Grade::ALL, Grade::name);
        check(Device::ALL, Device::name);
        check(SpawnRule::ALL, SpawnRule::name);
        check(Winner::ALL, Winner::name);
        check(Content::ALL, Content::name);
        check(crate::GameEnding::ALL, crate::GameEnding::name);
        check(crate::Compared::ALL, crate::Compared::name);
    }
}
