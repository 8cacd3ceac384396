//! Slider against Dropper by decision diagrams: whole sets of boards at a time, backwards
//! from the boards that are won.
//!
//! ```
//! use tilebase_util::progress::Silent;
//! use crate::{Contest, Drops, Winner};
//! use tilebase_prove::bdd::{Options, solve};
//!
//! let contest = Contest::new("2x2".parse()?, 4, Drops::Twos)?;
//! let report = solve(&contest, &Options::default(), &Silent)?;
//! assert_eq!(report.winner, Winner::Slider);
//! assert_eq!(report.sweep_lines.last().map(|line| line.line.as_str()), Some("sum 0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it is built
//! [`Options`] say how boards become bits and in which parts they are done. Inside, `layout`
//! places the cells among the variables, `line` and `relation` know what a slide does,
//! `preimage` and `drops` go back through moves, `cells` and `turn` turn boards over, and `sum`
//! and `largest` sweep the parts.
//! All is written once for both kinds of diagrams, those with complement edges and
//! zero-suppressed ones; `kind` is what differs.
//!
//! # Trade-offs
//! Every board of a sum is solved, whether it can arise or not: that is what makes the sets
//! regular. Where hardly any board can arise, a search from the empty board is faster.

mod cells;
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
mod turn;

use crate::Contest;
use oxidd::bcdd::BCDDFunction;
use oxidd::zbdd::ZBDDFunction;
use tilebase_util::progress::Progress;

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
