//! Slider against Dropper by decision diagrams.

mod constraint;
mod drops;
mod error;
mod figure;
mod kind;
mod known;
mod largest;
mod layout;
mod line;
mod memo;
mod moves;
mod options;
mod preimage;
mod relation;
mod report;
mod space;
mod states;
mod sum;
mod sweep;

use oxidd::bcdd::BCDDFunction;
use oxidd::zbdd::ZBDDFunction;
use tilebase_progress::Progress;
use tilebase_prove::Contest;

pub use error::SymbolicError;
pub use figure::{iterations_svg, seconds_svg};
pub use options::{Encoding, Options, Order, Side, Sweep, UnknownWord};
pub use report::{Report, SweepLine};

/// Decides a contest.
pub fn solve(
    contest: &Contest,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Report, SymbolicError> {
    match options.encoding {
        Encoding::Binary | Encoding::OneHot => run::<BCDDFunction>(contest, options, progress),
        Encoding::ZeroSuppressed => run::<ZBDDFunction>(contest, options, progress),
    }
}

fn run<K: kind::Kind>(
    contest: &Contest,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Report, SymbolicError> {
    let layout = layout::Layout::new(
        contest.shape(),
        contest.target(),
        options.encoding,
        options.order,
    );
    let variables = layout.variables();
    let space = space::Space::<K>::new(layout, options.memory, options.threads.max(1), progress);
    let outcome = sweep::Sweeper::new(&space, contest, options, progress)?.run()?;
    Ok(Report::new(contest, options, variables, outcome))
}
