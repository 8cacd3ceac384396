//! Drawings of small games.

use schemars::JsonSchema;
use serde::Deserialize;
use tilebase_model::{
    Drawing, Grouping, Model, Objective, Reduction, StateId, Ties, solve, write_dot, write_svg,
};

use crate::cache::no_such_variant;
use crate::error::ApiError;
use crate::limits;
use crate::question::{Question, text};
use crate::service::{Response, Service};
use crate::table_id::TableId;

/// `GET /api/v1/diagram`
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiagramRequest {
    #[schemars(with = "text::VariantId")]
    variant: String,
    /// Show only best moves.
    #[serde(default)]
    policy: bool,
    /// SVG without it; `dot` is for Graphviz.
    format: Option<DiagramFormat>,
}

/// A format of drawings.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum DiagramFormat {
    #[default]
    Svg,
    Dot,
}

impl Question for DiagramRequest {
    const PATH: &str = "diagram";
    const SUMMARY: &str = "A drawing of a game of up to four cells";
    const EXAMPLE: &str = "variant=2x2-to-16&policy=true";
    const MEDIA: &str = "image/svg+xml";
    const OTHER_MEDIA: &[&str] = &["text/vnd.graphviz"];
    type Answer = String;

    fn answer(&self, _: &Service) -> Result<Response, ApiError> {
        let format = self.format.unwrap_or_default();
        Ok(Response {
            media: match format {
                DiagramFormat::Svg => Self::MEDIA,
                DiagramFormat::Dot => Self::OTHER_MEDIA[0],
            },
            body: draw(self, format)?,
        })
    }
}

fn draw(request: &DiagramRequest, format: DiagramFormat) -> Result<Vec<u8>, ApiError> {
    let id = TableId::parse(&request.variant);
    let variant = id.ok_or_else(|| no_such_variant(&request.variant))?.variant;
    if variant.shape().cells() > 4 {
        return Err(ApiError::request(
            "the game is too large to draw: use one of up to four cells, such as variant=2x2-to-16",
        ));
    }
    let model = Model::build(&variant, Reduction::Actions, limits::DRAWN_STATES);
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
    let write = match format {
        DiagramFormat::Svg => write_svg,
        DiagramFormat::Dot => write_dot,
    };
    let mut text = Vec::new();
    write(&model, &drawing, &mut text)
        .map_err(|error| ApiError::Work(format!("drawing: {error}")))?;
    Ok(text)
}
