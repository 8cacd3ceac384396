//! The rules, the notation and their properties. One binary, because linking many takes minutes.

mod engines;
mod known_values;
mod notation;
mod properties;
mod rules;
