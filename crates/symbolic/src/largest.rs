//! The sweep by the largest tile and how many there are of it, and no sweep at all.

use crate::error::SymbolicError;
use crate::kind::Kind;
use crate::sweep::{Sweeper, Won};

pub(crate) fn sweep<K: Kind>(sweeper: &mut Sweeper<'_, K>) -> Result<bool, SymbolicError> {
    accumulate(sweeper)
}

/// One fixpoint of all boards. Tells whether the empty board is won.
pub(crate) fn accumulate<K: Kind>(sweeper: &mut Sweeper<'_, K>) -> Result<bool, SymbolicError> {
    let space = sweeper.space;
    let begun = sweeper.begin("all")?;
    let part = sweeper.care.clone();
    let mut won = Won { slide: space.empty(), drop: space.empty() };
    let mut iterations = 0;
    loop {
        iterations += 1;
        let slid = sweeper.moves.slide_preimages(space, &won.drop)?;
        let slide = sweeper.slider_to_move(&part, &slid)?;
        let drop = sweeper.dropper_to_move(&part, |_| slide.clone())?;
        let converged = drop == won.drop && slide == won.slide;
        won = Won { slide, drop };
        sweeper.tidy();
        if converged || !sweeper.options.strong && sweeper.holds_empty(&won.drop)? {
            break;
        }
    }
    sweeper.done("all".to_owned(), iterations, begun, &won);
    sweeper.holds_empty(&won.drop)
}
