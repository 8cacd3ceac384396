//! Plans that hold against an adversary: the fewest slides within which a goal can be forced.
//!
//! The adversary lets the tiles fall, those at the start too. A slide adds to the tile sum, so no
//! position comes twice, and "the goal can be forced within k slides" is settled by trying all
//! slides and all replies, with a transposition table. First k is as large as any game is long,
//! which decides whether the goal can be forced at all; then k grows from the lower bound.

use tilebase_game::{Board, Move, Rules};
use tilebase_util::hash::FastMap;
use tilebase_util::progress::Progress;

use crate::bound;
use crate::packed_space::PackedSpace;
use crate::plan::{Plan, TileDrop};
use crate::planner::PlanOutcome;
use crate::search::{SearchEnd, SearchLimits, SearchRun};
use crate::state_space::StateSpace;
use crate::successor::roots;
use crate::task::PlanTask;
use crate::tile::Tile;

/// Room for slides and replies as deep as the longest game.
const STACK: usize = 256 << 20;

/// The fewest slides within which the goal can be forced, with a game against the most stubborn
/// adversary as the plan; `None` if the board does not fit a packed one.
///
/// ```
/// use tilebase_game::Spawn;
/// use tilebase_plan::{SearchLimits, SpawnRule, PlanStart, PlanTask, guarantee};
/// use tilebase_util::progress::Silent;
///
/// let task = |goal| PlanTask::new(
///     "2x2".parse().unwrap(), goal, PlanStart::Tiles(2), Spawn::TWOS, SpawnRule::Worst, 0);
/// let eight = guarantee(&task(3)?, SearchLimits::default(), &Silent).unwrap();
/// assert_eq!((eight.plan.steps(), eight.optimal), (5, true));
/// # Ok::<(), tilebase_plan::PlanTaskError>(())
/// ```
pub fn guarantee(
    task: &PlanTask,
    limits: SearchLimits,
    progress: &dyn Progress,
) -> Option<PlanOutcome> {
    let space = PackedSpace::new(task.shape(), task.goal())?;
    let rules = Rules::new(task.shape()).ok()?;
    let search = || {
        let mut duel = AdversarySearch {
            rules,
            space: &space,
            task,
            run: SearchRun::new(&space, task, limits, progress),
            known: FastMap::default(),
            tiles: Vec::new(),
        };
        let outcome = duel.settle();
        progress.finish();
        outcome
    };
    if cfg!(target_family = "wasm") {
        // There is one thread, with a stack of a size that was settled when it was built.
        return Some(search());
    }
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        builder.spawn_scoped(scope, search).ok()?.join().ok()
    })
}

/// What is known of a position: the goal can be forced within `enough` slides, and cannot within
/// `too_few`.
#[derive(Clone, Copy)]
struct ForcingBounds {
    too_few: u32,
    enough: u32,
}

struct AdversarySearch<'a> {
    rules: Rules,
    space: &'a PackedSpace,
    task: &'a PlanTask,
    run: SearchRun<'a, PackedSpace>,
    known: FastMap<Board, ForcingBounds>,
    tiles: Vec<Tile>,
}

impl AdversarySearch<'_> {
    fn settle(&mut self) -> PlanOutcome {
        let (starts, all) = roots(self.space, self.task);
        let boards: Vec<Board> = starts.iter().map(|grid| self.space.state(grid)).collect();
        let least = self.task.lower_bound();
        let mut outcome = PlanOutcome {
            plan: Plan {
                start: starts[0].clone(),
                slides: Vec::new(),
                drops: Vec::new(),
            },
            reached: false,
            optimal: false,
            unreachable: false,
            lower_bound: least,
            end: SearchEnd::Exhausted,
            width: None,
            work: self.run.work,
        };
        let settled = if all {
            self.deepen(&boards, &mut outcome)
        } else {
            // The adversary may begin with a board that is not listed.
            Err(SearchEnd::Memory)
        };
        if let Err(end) = settled {
            outcome.end = end;
        }
        outcome.work = self.run.work;
        outcome
    }

    fn deepen(&mut self, boards: &[Board], outcome: &mut PlanOutcome) -> Result<(), SearchEnd> {
        let longest = self.longest();
        for &board in boards {
            if !self.within(board, longest)? {
                outcome.unreachable = true;
                outcome.plan.start = board.unpack(self.task.shape());
                return Ok(());
            }
        }
        let mut stubborn = boards[0];
        for slides in outcome.lower_bound as u32.. {
            outcome.lower_bound = slides.into();
            let mut all = true;
            for &board in boards {
                if !self.within(board, slides)? {
                    (all, stubborn) = (false, board);
                    break;
                }
            }
            if all {
                outcome.plan = self.line(stubborn, slides)?;
                outcome.reached = true;
                outcome.optimal = true;
                outcome.end = SearchEnd::Found;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Slides after which every game is over: each adds a 2 at least, and without the goal no
    /// cell holds more than half of it.
    fn longest(&self) -> u32 {
        u32::from(self.task.shape().cells()) << (self.task.goal() - 2)
    }

    /// Whether the goal can be forced within `slides` slides.
    fn within(&mut self, board: Board, slides: u32) -> Result<bool, SearchEnd> {
        if board.reaches(self.task.goal()) {
            return Ok(true);
        }
        let key = self.rules.canonical(board);
        if let Some(known) = self.known.get(&key) {
            if slides >= known.enough {
                return Ok(true);
            }
            if slides <= known.too_few {
                return Ok(false);
            }
        } else {
            self.space.tiles(&board, &mut self.tiles);
            let spawn = self.task.largest_spawn();
            let least = bound::merge_bound(&self.tiles, self.task.goal(), spawn);
            if u128::from(slides) < least {
                return Ok(false);
            }
        }
        self.run.expand().map_or(Ok(()), Err)?;
        let mut forced = false;
        for after in self.rules.slides(board) {
            if after != board && self.holds(after, slides)? {
                forced = true;
                break;
            }
        }
        let known = self.known.entry(key).or_insert(ForcingBounds {
            too_few: 0,
            enough: u32::MAX,
        });
        if forced {
            known.enough = known.enough.min(slides);
        } else {
            known.too_few = known.too_few.max(slides);
        }
        // The map's entries, with the room that it keeps free.
        let bytes = self.known.capacity() * (size_of::<(Board, ForcingBounds)>() + 1) * 8 / 7;
        self.run
            .store(self.known.len(), bytes)
            .map_or(Ok(forced), Err)
    }

    /// Whether the first of `slides` slides, which led to this board, forces the goal in time.
    fn holds(&mut self, after: Board, slides: u32) -> Result<bool, SearchEnd> {
        if after.reaches(self.task.goal()) {
            return Ok(true);
        }
        if slides == 1 {
            return Ok(false);
        }
        for exponent in self.task.spawn().exponents() {
            for board in self.rules.drops(after, exponent) {
                if !self.within(board, slides - 1)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// A game against the most stubborn adversary, if `slides` slides are just enough.
    fn line(&mut self, start: Board, mut slides: u32) -> Result<Plan, SearchEnd> {
        let shape = self.task.shape();
        let mut plan = Plan {
            start: start.unpack(shape),
            slides: Vec::new(),
            drops: Vec::new(),
        };
        let mut board = start;
        while !board.reaches(self.task.goal()) {
            let mut chosen = None;
            for m in Move::ALL {
                let after = self.rules.slide(board, m);
                if after != board && self.holds(after, slides)? {
                    chosen = Some((m, after));
                    break;
                }
            }
            let Some((m, after)) = chosen else { break };
            plan.slides.push(m);
            board = after;
            slides -= 1;
            if board.reaches(self.task.goal()) {
                break;
            }
            // The reply that leaves the goal just in time, or the first of all.
            let mut reply = None;
            for outcome in self.rules.spawns(after, self.task.spawn()) {
                let drop = TileDrop {
                    row: outcome.row,
                    col: outcome.col,
                    exponent: outcome.exponent,
                };
                if !self.within(outcome.board, slides - 1)? {
                    reply = Some((drop, outcome.board));
                    break;
                }
                reply = reply.or(Some((drop, outcome.board)));
            }
            let Some((drop, next)) = reply else { break };
            plan.drops.push(drop);
            board = next;
        }
        Ok(plan)
    }
}
