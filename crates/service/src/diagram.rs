//! Small games drawn.

use serde::Deserialize;
use tilebase_model::{
    Drawing, Grouping, Model, Objective, Reduction, StateId, Ties, solve, write_svg,
};

use crate::fault::Fault;
use crate::laboratory::{Answer, Laboratory};
use crate::limits;
use crate::question::Question;
use crate::shelf::unknown;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    variant: String,
    /// Whether best moves are shown.
    #[serde(default)]
    policy: bool,
}

impl Laboratory {
    /// `GET /api/v1/diagram`
    pub(crate) fn diagram(&self, asked: &Asked) -> Result<Answer, Fault> {
        Ok(Answer {
            kind: "image/svg+xml",
            body: draw(asked)?,
        })
    }
}

fn draw(asked: &Asked) -> Result<Vec<u8>, Fault> {
    let question = Question::parse(&asked.variant).ok_or_else(|| unknown(&asked.variant))?;
    let variant = question.variant;
    if variant.shape().cells() > 4 {
        return Err(Fault::request(
            "only games of up to four cells, such as 2x2, are drawn",
        ));
    }
    let model = Model::build(&variant, Reduction::Actions, limits::DRAWN);
    let model = model.map_err(Fault::request)?;
    let lines = match asked.policy {
        true => solve(&model, Objective::Win),
        false => Vec::new(),
    };
    let line = |board| match model.find(board) {
        Some(StateId::Live(at)) => lines.get(at as usize).copied(),
        _ => None,
    };
    let drawing = Drawing {
        policy: if asked.policy { Some(&line) } else { None },
        ties: Ties::First,
        grouping: Grouping::Layer,
    };
    let mut svg = Vec::new();
    write_svg(&model, &drawing, &mut svg)
        .map_err(|error| Fault::Work(format!("drawing: {error}")))?;
    Ok(svg)
}
