//! Small games drawn.

use serde::Deserialize;
use tilebase_model::{
    Drawing, Grouping, Model, Objective, Reduction, StateId, Ties, solve, write_svg,
};

use crate::cache::unknown;
use crate::error::ApiError;
use crate::limits;
use crate::service::{Answer, Service};
use crate::table_id::TableId;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiagramRequest {
    variant: String,
    /// Whether best moves are shown.
    #[serde(default)]
    policy: bool,
}

impl Service {
    /// `GET /api/v1/diagram`
    pub(crate) fn diagram(&self, request: &DiagramRequest) -> Result<Answer, ApiError> {
        Ok(Answer {
            kind: "image/svg+xml",
            body: draw(request)?,
        })
    }
}

fn draw(request: &DiagramRequest) -> Result<Vec<u8>, ApiError> {
    let question = TableId::parse(&request.variant).ok_or_else(|| unknown(&request.variant))?;
    let variant = question.variant;
    if variant.shape().cells() > 4 {
        return Err(ApiError::request(
            "only games of up to four cells, such as 2x2, are drawn",
        ));
    }
    let model = Model::build(&variant, Reduction::Actions, limits::DRAWN);
    let model = model.map_err(ApiError::request)?;
    let lines = match request.policy {
        true => solve(&model, Objective::Win),
        false => Vec::new(),
    };
    let line = |board| match model.find(board) {
        Some(StateId::Live(at)) => lines.get(at as usize).copied(),
        _ => None,
    };
    let drawing = Drawing {
        policy: if request.policy { Some(&line) } else { None },
        ties: Ties::First,
        grouping: Grouping::Layer,
    };
    let mut svg = Vec::new();
    write_svg(&model, &drawing, &mut svg)
        .map_err(|error| ApiError::Work(format!("drawing: {error}")))?;
    Ok(svg)
}
