//! Packed policies.

use tilebase_game::Rules;
use tilebase_table::policy::PackedPolicy;
use wasm_bindgen::prelude::*;

use crate::objects::object;

/// Best moves of the states that optimal play is likely to visit.
#[wasm_bindgen]
pub struct Policy(PackedPolicy);

#[wasm_bindgen]
impl Policy {
    /// Reads the bytes of a packed policy.
    pub fn load(bytes: &[u8]) -> Result<Policy, JsError> {
        let policy = PackedPolicy::from_bytes(bytes)?;
        Rules::new(policy.variant().shape())?;
        Ok(Policy(policy))
    }

    /// The game, such as `3x3-to-512`.
    #[wasm_bindgen(getter)]
    pub fn variant(&self) -> String {
        self.0.variant().to_string()
    }

    /// Name of the objective, such as `win`.
    #[wasm_bindgen(getter)]
    pub fn objective(&self) -> String {
        self.0.objective().to_owned()
    }

    /// Number of states.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// A best move on a board and its value; `undefined` if the board is not listed.
    #[wasm_bindgen(js_name = lookup, unchecked_return_type = "BestMove | undefined")]
    pub fn lookup(&self, board: &str) -> Result<JsValue, JsError> {
        let board = self.0.variant().parse_board(board)?;
        let found = self.0.look_up(board);
        Ok(found.map_or(JsValue::UNDEFINED, |(m, value)| {
            object(&[("move", m.name().into()), ("value", value.into())])
        }))
    }
}
