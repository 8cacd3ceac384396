//! Objectives that games can be solved for.

use schemars::JsonSchema;
use serde::Serialize;
use tilebase_game::{Objective, ValueKind};

/// An objective, as a menu or a legend shows it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ObjectiveInfo {
    /// The name in requests and answers.
    pub name: &'static str,
    /// A short title.
    pub title: &'static str,
    /// What is optimized.
    pub summary: &'static str,
    /// What the value of a position means.
    pub meaning: &'static str,
    /// The unit of values; empty for probabilities.
    pub unit: &'static str,
    /// Whether values are probabilities.
    pub is_probability: bool,
    /// Whether answers have the probability of winning.
    pub has_win: bool,
    /// Whether a larger value is better.
    pub larger_is_better: bool,
    /// Whether the objective needs a target tile.
    pub needs_target: bool,
    /// Whether a discount can be given.
    pub takes_discount: bool,
}

impl ObjectiveInfo {
    /// Every objective.
    pub fn all() -> Vec<ObjectiveInfo> {
        Objective::ALL.map(ObjectiveInfo::from).to_vec()
    }
}

impl From<Objective> for ObjectiveInfo {
    fn from(objective: Objective) -> ObjectiveInfo {
        let about = objective.descriptor();
        ObjectiveInfo {
            name: about.name,
            title: about.title,
            summary: about.summary,
            meaning: about.meaning,
            unit: about.unit,
            is_probability: about.unit.is_empty(),
            has_win: about.value_kind != ValueKind::ExpectedReturn,
            larger_is_better: about.value_kind.larger_is_better(),
            needs_target: about.needs_target,
            takes_discount: about.takes_discount,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page works without a server, so it has a copy of the list.
    #[test]
    fn the_page_has_the_same_list() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/objectives.js");
        let list = serde_json::to_string_pretty(&ObjectiveInfo::all()).unwrap();
        let expected = format!(
            "// The objectives that games are solved for: the list of crates/game/src/objective.rs, \
             which a test compares.\n\
             export const OBJECTIVES = {list};\n"
        );
        let found = std::fs::read_to_string(path).unwrap();
        assert!(found == expected, "web/objectives.js must be:\n{expected}");
    }
}
