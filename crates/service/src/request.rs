//! Requests: one of several kinds, by their path.

use crate::advice::AdviceRequest;
use crate::diagram::DiagramRequest;
use crate::error::ApiError;
use crate::line::LineRequest;
use crate::openapi::Description;
use crate::plan::PlanRequest;
use crate::position::{PositionRequest, PositionsRequest};
use crate::question::{Method, Question};
use crate::review::ReviewRequest;
use crate::service::{Response, Service};
use crate::spawns::SpawnsRequest;
use crate::strategy::StrategyRequest;
use crate::variants::VariantsRequest;

/// Declares the kinds of requests, and everything that goes through all of them.
macro_rules! requests {
    ($($(#[$doc:meta])* $name:ident($request:ident),)+) => {
        /// A request.
        pub enum Request {
            $($(#[$doc])* $name($request),)+
        }

        impl Request {
            /// Reads a request: the last segment of its path, its query and its body.
            pub fn parse(
                method: Method,
                path: &str,
                query: &str,
                body: &[u8],
            ) -> Result<Request, ApiError> {
                match path {
                    $(<$request as Question>::PATH => {
                        $request::parse(method, query, body).map(Request::$name)
                    })+
                    _ => Err(ApiError::no_such_address()),
                }
            }

            /// The id of the table that the answer needs, if it needs one.
            pub fn table(&self) -> Option<&str> {
                match self {
                    $(Request::$name(request) => request.table(),)+
                }
            }

            pub(crate) fn is_long(&self, service: &Service) -> bool {
                match self {
                    $(Request::$name(request) => request.is_long(service),)+
                }
            }

            pub(crate) fn answer(&self, service: &Service) -> Result<Response, ApiError> {
                match self {
                    $(Request::$name(request) => request.answer(service),)+
                }
            }

            pub(crate) fn describe(description: &mut Description) {
                $(description.question::<$request>();)+
            }
        }
    };
}

requests! {
    /// The tables that can be asked.
    Variants(VariantsRequest),
    /// A position.
    Position(PositionRequest),
    /// Several positions.
    Positions(PositionsRequest),
    /// Everything that can spawn on an afterstate.
    Spawns(SpawnsRequest),
    /// A line of best play.
    Line(LineRequest),
    /// A game, reviewed.
    Review(ReviewRequest),
    /// A position, searched.
    Advice(AdviceRequest),
    /// A short sequence of slides to a tile.
    Plan(PlanRequest),
    /// A drawing of a small game.
    Diagram(DiagramRequest),
    /// The winner's strategy in a contest.
    Strategy(StrategyRequest),
}
