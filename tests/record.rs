//! Recorded games.
