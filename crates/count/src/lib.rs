//! Every reachable state of a game, layer by layer.

//mod bounds;
mod buffer;
mod census;
//mod figure;
mod half;
mod layer;
mod pass;
mod row;
mod slide;
mod space;
mod spawn;

//pub use bounds::{Bounds, bounds, largest_exponent};
//pub use figure::{Column, layers_svg};
pub use pass::{LayerCount, count};
pub use space::Space;
