//! The explicit format of the probabilistic model checker Storm.

use std::io::{self, BufWriter, Write};

use tilebase_game::Variant;

use crate::model::{Model, State, StateId};

/// Writes a model in Storm's DRN format.
///
/// State 0, labelled `init`, leads to the start states with their probabilities; the live
/// states follow in the order of [`Model::states`], then one state `win` and one state
/// `lose`, which loop forever. Actions are named by their moves. The reward models are `score`,
/// the points of each slide, and `moves`, 1 a slide. Probabilities are fractions, so that
/// Storm's exact mode gives exact results.
///
/// ```
/// use tilebase_model::{Model, Reduction, write_drn};
///
/// let model = Model::build(&"2x2-to-8".parse().unwrap(), Reduction::Actions, 100)?;
/// let mut text = Vec::new();
/// write_drn(&model, &mut text)?;
/// assert!(text.starts_with(b"// 2x2-to-8\n@type: MDP\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_drn(model: &Model, to: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(to);
    let live = model.states().len();
    // The first state and the two last ones have one action each.
    let states = live + 3;
    let choices = model.actions() + 3;
    writeln!(out, "// {}", model.variant())?;
    writeln!(
        out,
        "@type: MDP\n@parameters\n\n@reward_models\nscore moves"
    )?;
    writeln!(out, "@nr_states\n{states}\n@nr_choices\n{choices}\n@model")?;
    writeln!(out, "state 0 [0, 0] init\n\taction start [0, 0]")?;
    for (id, probability) in model.starts() {
        writeln!(out, "\t\t{} : {probability}", number(live, id))?;
    }
    for (state, at) in model.states().iter().zip(1..) {
        write_state(&mut out, model.variant(), live, at, state)?;
    }
    for (id, label) in [(StateId::Win, "win"), (StateId::Lose, "lose")] {
        let at = number(live, id);
        writeln!(
            out,
            "state {at} [0, 0] {label}\n\taction stay [0, 0]\n\t\t{at} : 1"
        )?;
    }
    out.flush()
}

fn write_state(
    out: &mut impl Write,
    variant: &Variant,
    live: usize,
    at: usize,
    state: &State,
) -> io::Result<()> {
    let board = variant.tiles_text(&state.board.unpack(variant.shape()));
    writeln!(out, "state {at} [0, 0]\n//{board}")?;
    for action in &state.actions {
        writeln!(out, "\taction {} [{}, 1]", action.moves, action.score)?;
        for &outcome in &action.outcomes {
            let target = number(live, outcome.to);
            writeln!(out, "\t\t{target} : {}", action.probability(outcome))?;
        }
    }
    Ok(())
}

/// A state's number in the file.
fn number(live: usize, id: StateId) -> usize {
    match id {
        StateId::Live(id) => id as usize + 1,
        StateId::Win => live + 1,
        StateId::Lose => live + 2,
    }
}
