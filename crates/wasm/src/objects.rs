//! Plain objects for answers, and their types.

use js_sys::{Array, Object, Reflect};
use tilebase_expectimax::Advice;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A slide of all tiles towards one wall. */
export type Move = "left" | "right" | "up" | "down";
/** What the API answers: an HTTP status, a media type and a text. */
export type Answer = { status: number; kind: string; body: string };
/** What a slide does; the same board if it is not legal. */
export interface Slide { board: string; gain: number; legal: boolean }
/** One way in which a new tile can fall; rows and columns from 0. */
export interface Outcome { board: string; row: number; col: number; tile: number; probability: number }
/** How far to look: so many slides, or further until so many positions were seen. */
export interface SearchConfig { depth?: number; positions?: number; cutoff?: number; pruning_margin?: number; extend_above?: number }
/** The legal moves best first, how many slides deep and at how many positions the search looked. */
export interface Advice { moves: { move: Move; worth: number }[]; depth: number; positions: number }
/** A best move and what it is worth. */
export interface Found { move: Move; value: number }
"#;

/// An object with these properties.
pub(crate) fn object(properties: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        // Setting a property fails on frozen objects alone, and this one is new.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object.into()
}

/// What a search found.
pub(crate) fn advice(advice: &Advice) -> JsValue {
    let weighed = advice
        .moves
        .iter()
        .map(|weighed| {
            object(&[
                ("move", weighed.m.name().into()),
                ("worth", weighed.value.into()),
            ])
        })
        .collect::<Array>();
    object(&[
        ("moves", weighed.into()),
        ("depth", advice.depth.into()),
        // Exact up to 2^53, which no search in a page gets to.
        ("positions", (advice.positions as f64).into()),
    ])
}
