//! Plain objects for answers, and their TypeScript types.

use js_sys::{Array, Object, Reflect};
use tilebase_expectimax::Advice;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The direction of a slide. */
export type Move = "left" | "right" | "up" | "down";
/** An answer of the API: its HTTP status, its media type and its body. */
export type Answer = { status: number; media: string; body: string };
/** A slide: the afterstate, which is the same board if the slide is not legal, and its points. */
export interface Slide { afterstate: string; score: number; legal: boolean }
/** A tile that can spawn; cells are numbered from 0 row by row. */
export interface Outcome { cell: number; tile: number; probability: number; board: string }
/** Settings of a search: a depth in slides, or a number of positions; what to prune, and where to extend. */
export interface SearchConfig { depth?: number; positions?: number; cutoff?: number; pruning_margin?: number; extend_above?: number }
/** The legal moves with their values, best first; the depth of the search, and the positions it visited. */
export interface Advice { moves: { move: Move; value: number }[]; depth: number; visited: number }
/** A best move and its value. */
export interface BestMove { move: Move; value: number }
"#;

/// A plain object.
pub(crate) fn object(properties: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // Setting a property fails only on frozen objects.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

/// The advice of a search.
pub(crate) fn advice(advice: &Advice) -> JsValue {
    let moves = advice
        .moves
        .iter()
        .map(|scored| {
            object(&[
                ("move", scored.m.name().into()),
                ("value", scored.value.into()),
            ])
        })
        .collect::<Array>();
    object(&[
        ("moves", moves.into()),
        ("depth", advice.depth.into()),
        // Exact up to 2^53, which no search in a page gets to.
        ("visited", (advice.positions as f64).into()),
    ])
}
