//! The walls of a game; part of every answer that describes a game.

use schemars::JsonSchema;
use serde::Serialize;
use tilebase_game::{Formation, Shape, Variant};

/// The walls of a game. All fields are absent in a game without walls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Walls {
    /// Name of the formation, such as `L3`; absent if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formation: Option<String>,
    /// Number of walls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walls: Option<u8>,
    /// The masks, as hex digits: after a slide walls must cover all cells of one of them. Empty
    /// if every slide is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Vec<String>>,
    /// The cells on which the target counts, as hex digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal_cells: Option<String>,
}

impl Walls {
    /// The walls of a variant.
    pub fn of(variant: &Variant) -> Walls {
        Walls::new(variant.shape(), variant.formation())
    }

    /// The walls of a formation on a shape.
    pub fn new(shape: Shape, formation: Option<&Formation>) -> Walls {
        let Some(formation) = formation else {
            return Walls::default();
        };
        let masks = formation.masks().iter();
        Walls {
            formation: formation.name(shape),
            walls: Some(formation.walls()),
            keep: Some(masks.map(|mask| mask.hex(shape)).collect()),
            goal_cells: Some(formation.goal().hex(shape)),
        }
    }

    /// The walls in words, such as `formation L3`; none if there are none.
    pub fn text(&self) -> Option<String> {
        let walls = self.walls?;
        Some(match &self.formation {
            Some(name) => format!("formation {name}"),
            None => format!("{walls} walls"),
        })
    }
}
