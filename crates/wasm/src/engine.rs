//! Expectimax search.

use std::cell::RefCell;
use std::sync::{Arc, Weak};
use std::time::Duration;

use tilebase_expectimax::{
    Advice, Evaluation, ExpectimaxOptions, ExpectimaxSearch, SearchLimit, Smooth,
};
use tilebase_game::{Board, Rules, Spawn};
use tilebase_network::NTupleNetwork;
use tilebase_util::files::checksum;
use tilebase_util::progress::Moment;
use wasm_bindgen::prelude::*;

use crate::boards::movable;
use crate::objects;
use crate::rules::parse_spawn;
use crate::search_config::SearchConfig;

#[allow(
    clippy::large_enum_variant,
    reason = "there is one, and it is not moved about"
)]
enum LoadedEvaluation {
    Smooth(Smooth),
    Network(Arc<NTupleNetwork>),
}

/// Looks ahead on one shape up to 4×4, with one spawn rule.
#[wasm_bindgen]
pub struct Engine {
    rules: Rules,
    spawn: Spawn,
    evaluation: LoadedEvaluation,
}

#[wasm_bindgen]
impl Engine {
    /// The engine for a shape such as `4x4`, with new tiles such as `2:0.9,4:0.1`, which is
    /// the standard. Its evaluation is `smooth`.
    #[wasm_bindgen(constructor)]
    pub fn new(shape: &str, spawn: Option<String>) -> Result<Engine, JsError> {
        let (rules, spawn) = (Rules::new(shape.parse()?)?, parse_spawn(spawn)?);
        Ok(Engine {
            rules,
            spawn,
            evaluation: LoadedEvaluation::Smooth(Smooth::new(rules, spawn)),
        })
    }

    /// The shape.
    #[wasm_bindgen(getter)]
    pub fn shape(&self) -> String {
        self.rules.shape().to_string()
    }

    /// How tiles spawn.
    #[wasm_bindgen(getter, js_name = spawnRule)]
    pub fn spawn_rule(&self) -> String {
        self.spawn.to_string()
    }

    /// The evaluation in use: `smooth`, or `network` once a network is loaded.
    #[wasm_bindgen(getter, unchecked_return_type = "\"smooth\" | \"network\"")]
    pub fn evaluation(&self) -> String {
        let name = match self.evaluation {
            LoadedEvaluation::Smooth(_) => "smooth",
            LoadedEvaluation::Network(_) => "network",
        };
        name.to_owned()
    }

    /// Loads an n-tuple network for 4x4 from the bytes of its file. It needs 256 MiB, once for all
    /// engines that load the same file. If the bytes are not right, the evaluation is `smooth`.
    #[wasm_bindgen(js_name = loadNetwork)]
    pub fn load_network(&mut self, bytes: &[u8]) -> Result<(), JsError> {
        let shape = self.rules.shape();
        if (shape.rows(), shape.cols()) != (4, 4) {
            return Err(JsError::new(&format!(
                "the n-tuple network is for 4x4, not {shape}: use smooth"
            )));
        }
        // The network before goes first: there may be no memory for both.
        self.forget_network();
        self.evaluation = LoadedEvaluation::Network(decoded(bytes)?);
        Ok(())
    }

    /// Goes back to the evaluation `smooth`.
    #[wasm_bindgen(js_name = forgetNetwork)]
    pub fn forget_network(&mut self) {
        if let LoadedEvaluation::Network(_) = self.evaluation {
            self.evaluation = LoadedEvaluation::Smooth(Smooth::new(self.rules, self.spawn));
        }
    }

    /// The values of the legal moves; `undefined` if there are none. Searches `depth` slides
    /// deep, or deeper until `positions` were visited; without either as the player
    /// `expectimax` does: 10,000 positions with `smooth`, depth 3 with `network`.
    #[wasm_bindgen(unchecked_return_type = "Advice | undefined")]
    pub fn advise(
        &self,
        board: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "SearchConfig")] options: JsValue,
    ) -> Result<JsValue, JsError> {
        let looking = read(&options)?;
        let (from, usual) = self.usual();
        let effort = looking.effort(from).map_err(error)?.unwrap_or(usual);
        self.answer(board, effort, looking.options().map_err(error)?, None)
    }

    /// The values of the legal moves, searched one slide deeper until the time in milliseconds
    /// is up. The last depth that was finished counts, at least 1.
    #[wasm_bindgen(js_name = adviseUntil, unchecked_return_type = "Advice | undefined")]
    pub fn advise_until(
        &self,
        board: &str,
        milliseconds: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "SearchConfig")] options: JsValue,
    ) -> Result<JsValue, JsError> {
        let begin = Moment::now();
        if milliseconds.is_nan() || milliseconds < 0.0 {
            return Err(JsError::new("the time is no number of milliseconds from 0"));
        }
        let looking = read(&options)?;
        let further = SearchLimit::Positions {
            min_depth: 1,
            positions: u64::MAX,
        };
        let effort = looking.effort(1).map_err(error)?.unwrap_or(further);
        let options = looking.options().map_err(error)?;
        let time = Duration::try_from_secs_f64(milliseconds / 1e3).unwrap_or(Duration::MAX);
        self.answer(board, effort, options, Some((begin, time)))
    }

    /// Where searches for a number of positions begin, and how far to look unless asked.
    fn usual(&self) -> (u8, SearchLimit) {
        match self.evaluation {
            LoadedEvaluation::Smooth(_) => {
                let (min_depth, positions) = (3, 10_000);
                let limit = SearchLimit::Positions {
                    min_depth,
                    positions,
                };
                (min_depth, limit)
            }
            LoadedEvaluation::Network(_) => (1, SearchLimit::Depth(3)),
        }
    }

    fn answer(
        &self,
        board: &str,
        effort: SearchLimit,
        options: ExpectimaxOptions,
        deadline: Option<(Moment, Duration)>,
    ) -> Result<JsValue, JsError> {
        let board = movable(board, &self.rules)?;
        let advice = match &self.evaluation {
            LoadedEvaluation::Smooth(smooth) => self.look(smooth, board, effort, options, deadline),
            LoadedEvaluation::Network(network) => {
                self.look(&**network, board, effort, options, deadline)
            }
        };
        Ok(advice.map_or(JsValue::UNDEFINED, |advice| objects::advice(&advice)))
    }

    fn look<E: Evaluation>(
        &self,
        evaluation: &E,
        board: Board,
        effort: SearchLimit,
        options: ExpectimaxOptions,
        deadline: Option<(Moment, Duration)>,
    ) -> Option<Advice> {
        let mut search = ExpectimaxSearch::new(self.rules, self.spawn, evaluation, options);
        if let Some((begin, time)) = deadline {
            search.stop_if(Box::new(move || begin.elapsed() >= time));
        }
        search.advise(board, effort)
    }
}

thread_local! {
    /// The network that was decoded last, by the checksum of its file.
    static DECODED: RefCell<(String, Weak<NTupleNetwork>)> =
        const { RefCell::new((String::new(), Weak::new())) };
}

/// The network of a file, shared with the engines that have it already.
fn decoded(bytes: &[u8]) -> Result<Arc<NTupleNetwork>, JsError> {
    let sum = checksum(bytes);
    DECODED.with_borrow_mut(|decoded| {
        if let Some(network) = decoded.1.upgrade().filter(|_| decoded.0 == sum) {
            return Ok(network);
        }
        let network = Arc::new(NTupleNetwork::from_bytes(bytes)?);
        *decoded = (sum, Arc::downgrade(&network));
        Ok(network)
    })
}

fn read(options: &JsValue) -> Result<SearchConfig, JsError> {
    SearchConfig::read(options).map_err(error)
}

fn error(text: String) -> JsError {
    JsError::new(&text)
}
