//! Diagrams as finished pictures: items in columns, ordered and placed so that edges are short
//! and seldom cross.

mod edges;
mod graph;
mod label;
mod layout;
mod nodes;
mod order;
mod place;
mod route;
mod size;
mod svg;

pub use svg::write_svg;
