//! Objectives that games can be solved for.

use schemars::JsonSchema;
use serde::Serialize;
use tilebase_game::Objective;

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
            larger_is_better: about.value_kind.larger_is_better(),
            needs_target: about.needs_target,
            takes_discount: about.takes_discount,
        }
    }
}
