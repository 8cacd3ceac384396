//! Slider against Dropper by decision diagrams: whole sets of boards at a time, backwards
//! from the boards that are won.
//!
//! ```
//! use tilebase_util::progress::Silent;
//! use tilebase_prove::{Contest, DropTiles, Winner};
//! use tilebase_prove::bdd::{BddOptions, solve};
//!
//! let contest = Contest::new("2x2".parse()?, 4, DropTiles::Twos)?;
//! let report = solve(&contest, &BddOptions::default(), &Silent)?;
//! assert_eq!(report.winner, Winner::Slider);
//! assert_eq!(report.sweep_lines.last().map(|line| line.line.as_str()), Some("sum 0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it is built
//! [`BddOptions`] say how boards become bits and in which parts they are done. Inside, `layout`
//! places the cells among the variables, `line` and `relation` know what a slide does,
//! `preimage` and `drops` go back through moves, `cells` and `permutation` turn boards over, and `sum`
//! and `largest` sweep the parts.
//! All is written once for both kinds of diagrams, those with complement edges and
//! zero-suppressed ones; `kind` is what differs.
//!
//! # Trade-offs
//! Every board of a sum is solved, whether it can arise or not: that is what makes the sets
//! regular. Where hardly any board can arise, a search from the empty board is faster.

mod cells;
mod charts;
mod constraint;
mod diagrams;
mod drops;
mod error;
mod kind;
mod largest;
mod layout;
mod list_memo;
mod moves;
mod options;
mod pass_memo;
mod permutation;
mod preimage;
mod relation;
mod report;
mod slide_line;
mod states;
mod sum;
mod sweep;

use crate::Contest;
use oxidd::bcdd::BCDDFunction;
use oxidd::zbdd::ZBDDFunction;
use tilebase_util::progress::Progress;

pub use charts::{iterations_svg, seconds_svg};
pub use error::BddError;
pub use options::{BddOptions, CellEncoding, CellOrder, Sweep, UnknownName, WinningSide};
pub use report::{BddReport, SweepLine};

/// Decides a contest.
pub fn solve(
    contest: &Contest,
    options: &BddOptions,
    progress: &dyn Progress,
) -> Result<BddReport, BddError> {
    match options.encoding {
        CellEncoding::Binary | CellEncoding::OneHot => {
            run::<BCDDFunction>(contest, options, progress)
        }
        CellEncoding::ZeroSuppressed => run::<ZBDDFunction>(contest, options, progress),
    }
}

fn run<K: kind::DiagramKind>(
    contest: &Contest,
    options: &BddOptions,
    progress: &dyn Progress,
) -> Result<BddReport, BddError> {
    let layout = layout::VariableLayout::new(
        contest.shape(),
        contest.target(),
        options.encoding,
        options.order,
    );
    let variables = layout.variables();
    let diagrams =
        diagrams::Diagrams::<K>::new(layout, options.memory, options.threads.max(1), progress);
    let outcome = sweep::Sweeper::new(&diagrams, contest, options, progress)?.run()?;
    Ok(BddReport::new(contest, options, variables, outcome))
}
