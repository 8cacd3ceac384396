//! The rules, on boards as text.

use js_sys::Array;
use tilebase_game::{Board, BoardError, Move, Spawn, tile_value};
use wasm_bindgen::prelude::*;

use crate::boards::movable;
use crate::dice::Dice;
use crate::objects::object;

/// The rules of the games on one shape up to 4×4.
#[wasm_bindgen]
pub struct Rules {
    rules: tilebase_game::Rules,
    spawn: Spawn,
}

#[wasm_bindgen]
impl Rules {
    /// The rules on a shape such as `4x4`, with new tiles such as `2:0.9,4:0.1`, which is
    /// the standard.
    #[wasm_bindgen(constructor)]
    pub fn new(shape: &str, spawn: Option<String>) -> Result<Rules, JsError> {
        Ok(Rules {
            rules: tilebase_game::Rules::new(shape.parse()?)?,
            spawn: parse_spawn(spawn)?,
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

    /// A board in hex notation, from either notation.
    pub fn hex(&self, board: &str) -> Result<String, JsError> {
        Ok(self.text(self.parse(board)?))
    }

    /// The tiles row by row, 0 for an empty cell.
    pub fn tiles(&self, board: &str) -> Result<Vec<u32>, JsError> {
        let grid = self.parse(board)?.unpack(self.rules.shape());
        let tile = |&exponent: &u8| if exponent == 0 { 0 } else { 1 << exponent };
        Ok(grid.exponents().iter().map(tile).collect())
    }

    /// The board after a slide, the points of the slide, and whether it is legal.
    #[wasm_bindgen(unchecked_return_type = "Slide")]
    pub fn slide(
        &self,
        board: &str,
        #[wasm_bindgen(unchecked_param_type = "Move")] r#move: &str,
    ) -> Result<JsValue, JsError> {
        let (board, m) = (movable(board, &self.rules)?, r#move.parse::<Move>()?);
        let afterstate = self.rules.slide(board, m);
        Ok(object(&[
            ("afterstate", self.text(afterstate).into()),
            ("score", self.rules.score(board, m).into()),
            ("legal", (afterstate != board).into()),
        ]))
    }

    /// The moves that change the board.
    #[wasm_bindgen(js_name = legalMoves, unchecked_return_type = "Move[]")]
    pub fn legal_moves(&self, board: &str) -> Result<JsValue, JsError> {
        let moves = self.rules.legal_moves(movable(board, &self.rules)?);
        let names = moves.iter().map(|m| JsValue::from_str(m.name()));
        Ok(names.collect::<Array>().into())
    }

    /// Whether no slide changes the board.
    #[wasm_bindgen(js_name = isLost)]
    pub fn is_lost(&self, board: &str) -> Result<bool, JsError> {
        Ok(self.rules.is_lost(self.parse(board)?))
    }

    /// Everything that can spawn: cells row by row, in each the smaller tile first.
    #[wasm_bindgen(unchecked_return_type = "Outcome[]")]
    pub fn spawns(&self, board: &str) -> Result<JsValue, JsError> {
        let cols = self.rules.shape().cols();
        let outcomes = self.rules.spawns(self.parse(board)?, self.spawn);
        let outcomes = outcomes.map(|outcome| {
            object(&[
                ("cell", (outcome.row * cols + outcome.col).into()),
                // A 2 or a 4.
                ("tile", (tile_value(outcome.exponent) as f64).into()),
                ("probability", outcome.probability.into()),
                ("board", self.text(outcome.board).into()),
            ])
        });
        Ok(outcomes.collect::<Array>().into())
    }

    /// The board with a random tile; `undefined`, and nothing drawn, if the board is full.
    pub fn spawn(&self, board: &str, dice: &mut Dice) -> Result<Option<String>, JsError> {
        // A grid draws as whole games do, so that seeds give the same games.
        let mut grid = self.parse(board)?.unpack(self.rules.shape());
        let fell = grid.spawn(self.spawn, &mut dice.0);
        Ok(fell.and_then(|_| grid.hex()))
    }

    /// The start of a game: two random tiles, or another number.
    pub fn start(&self, dice: &mut Dice, tiles: Option<u16>) -> String {
        let mut grid = Board::EMPTY.unpack(self.rules.shape());
        for _ in 0..tiles.unwrap_or(tilebase_game::Variant::START_TILES) {
            grid.spawn(self.spawn, &mut dice.0);
        }
        grid.hex().unwrap_or_default()
    }

    fn parse(&self, board: &str) -> Result<Board, BoardError> {
        Board::parse(board, self.rules.shape())
    }

    fn text(&self, board: Board) -> String {
        board.hex(self.rules.shape())
    }
}

/// The standard spawn rule if none is given.
pub(crate) fn parse_spawn(text: Option<String>) -> Result<Spawn, tilebase_game::SpawnError> {
    text.map_or(Ok(Spawn::STANDARD), |text| text.parse())
}
