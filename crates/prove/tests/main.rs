//! Proofs: the engines, the strategies and the checkerboard. One binary, because linking many takes minutes.

mod bdd_agreement;
mod bdd_engines;
mod checkerboard_lemmas;
mod checkerboard_listing;
mod figures;
mod layers;
mod strategy;
