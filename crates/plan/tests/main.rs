//! Plans and lower bounds. One binary, because linking many takes minutes.

mod heuristics;
mod lower_bound_methods;
mod lower_bound_published;
mod plans;
