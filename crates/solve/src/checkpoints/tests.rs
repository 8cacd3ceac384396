//! Plans carried out: by a machine that only knows where it is, and by one that solves games.

use std::collections::BTreeSet;
use std::sync::Arc;

use tilebase_game::{Board, Representative, Variant};
use tilebase_index::BoardSet;
use tilebase_table::{Objective, Probability};
use tilebase_util::progress::Silent;

use super::*;
use crate::backward::{LayerSolver, Solved};
use crate::pass::{SolveOptions, solve_in_memory};

/// Knows where it is and what it has kept, and that it goes backward in order.
struct Simulated {
    at: Option<usize>,
    kept: Vec<Option<usize>>,
    /// The steps whose results are in the run.
    run: Vec<usize>,
    next: usize,
}

impl Backward for Simulated {
    type Error = String;

    fn begin(&mut self) -> Result<(), String> {
        self.at = Some(0);
        Ok(())
    }
    fn restore(&mut self, place: usize) -> Result<(), String> {
        self.at = self.kept[place];
        self.at.map(|_| ()).ok_or("nothing is kept".to_owned())
    }
    fn advance(&mut self, step: usize) -> Result<(), String> {
        if self.at != Some(step) {
            return Err(format!("at {:?}, not {step}", self.at));
        }
        self.at = Some(step + 1);
        Ok(())
    }
    fn keep(&mut self, place: usize) -> Result<(), String> {
        self.kept[place] = self.at;
        Ok(())
    }
    fn back(&mut self, step: usize) -> Result<(), String> {
        if self.at != Some(step) || self.next != step + 1 {
            return Err(format!("at {:?}, back {} to {step}", self.at, self.next));
        }
        self.at = None;
        self.next = step;
        Ok(())
    }
    fn run(&mut self) -> Result<(), String> {
        let at = self.at.ok_or("a run begins nowhere")?;
        self.run = (at.saturating_sub(2)..at).collect();
        Ok(())
    }
    fn hold(&mut self) -> Result<(), String> {
        let at = self.at.ok_or("nothing to hold")?;
        self.run.push(at - 1);
        Ok(())
    }
    fn back_in_run(&mut self, step: usize) -> Result<(), String> {
        let there: Vec<usize> = self.run.iter().rev().copied().take(3).collect();
        let needed: Vec<usize> = (step.saturating_sub(2)..=step).rev().collect();
        if there != needed || self.next != step + 1 {
            return Err(format!(
                "{there:?} in the run, back {} to {step}",
                self.next
            ));
        }
        self.run.pop();
        self.next = step;
        Ok(())
    }
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[test]
fn every_plan_goes_back_through_all_steps() {
    for steps in 0..30 {
        let costs: Vec<u64> = (0..steps).map(|i| 1 + i * (steps - i)).collect();
        let checkpoints = Checkpoints::new(&costs);
        let all = checkpoints.once();
        for (places, run) in (0..=6).flat_map(|places| [0, 1, 9, all / 5, all].map(|r| (places, r)))
        {
            let mut machine = Simulated {
                at: None,
                kept: vec![None; places],
                run: Vec::new(),
                next: steps as usize,
            };
            let plan = checkpoints.plan(places, run);
            carry_out(&plan, &mut machine).unwrap();
            assert_eq!(machine.next, 0);
            // Where all results fit, none is computed twice.
            let last = costs.last().copied().unwrap_or(0);
            assert!(run < all || checkpoints.cost(&plan) == all - last);
        }
    }
}

/// With c checkpoints and steps that cost the same, l steps with
/// (c+r-1 choose c) < l <= (c+r choose c) take at least r l - (c+r choose c+1) advances
/// (Griewank and Walther 2000).
#[test]
fn plans_cost_little_more_than_the_theory_says() {
    for steps in [1, 2, 3, 10, 47, 165, 325, 605u64] {
        let checkpoints = Checkpoints::new(&vec![1; steps as usize]);
        for places in [0, 1, 2, 3, 5, 8, 13, 21u64] {
            // The beginning is a checkpoint that needs no place.
            let c = places + 1;
            let mut r = 0;
            while choose(c + r, c) < steps {
                r += 1;
            }
            let least = r * steps - choose(c + r, c + 1);
            let cost = checkpoints.cost(&checkpoints.plan(places as usize, 0));
            let most = least + least / 50 + 1;
            assert!(
                least <= cost && cost <= most,
                "{steps} {places}: {cost} {least}"
            );
        }
    }
}

/// Runs of l steps and c checkpoints reach as far as single steps do, l times as far.
#[test]
fn runs_save_work() {
    let steps = 600;
    let checkpoints = Checkpoints::new(&vec![1; steps]);
    let cost = |places, run| checkpoints.cost(&checkpoints.plan(places, run));
    // Ten checkpoints and runs of 60: everything but the last run is computed twice.
    let most = 2 * steps as u64 - 50;
    assert!(cost(10, 62) <= most, "{}", cost(10, 62));
    assert!(cost(10, 0) > 3 * most / 2);
    let plan = checkpoints.plan(10, 62);
    assert!(checkpoints.at_hand(&plan) > 580);
}

/// Goes forward with plain sets of boards, keeps copies of them, and goes backward with the
/// processor's own steps.
struct OnProcessor {
    game: LayerSolver,
    /// The sum of the first step, in units of 2.
    first: u32,
    /// Afterstates one and two units below.
    below: [BTreeSet<Board>; 2],
    kept: Vec<[BTreeSet<Board>; 2]>,
    run: Vec<BTreeSet<Board>>,
    above: Vec<Solved<Probability>>,
    advances: usize,
}

impl OnProcessor {
    fn sum(&self, step: usize) -> u32 {
        2 * (self.first + step as u32)
    }

    /// The live states of a step.
    fn states(&self, step: usize) -> BTreeSet<Board> {
        let rules = &self.game.rules;
        let variant = self.game.variant;
        let starts = rules.start_states(
            variant.spawn(),
            variant.start_tiles(),
            Representative::Canonical,
        );
        let starts = starts.into_iter().map(|(board, _)| board);
        let mut states: BTreeSet<Board> = starts.filter(|b| b.sum() == self.sum(step)).collect();
        for (below, exponent) in self.below.iter().zip([1, 2]) {
            for &after in below {
                let drops = rules.drops(after, exponent);
                states.extend(drops.map(|board| rules.canonical(board)));
            }
        }
        states.retain(|&board| !rules.is_lost(board));
        states
    }

    fn afterstates(&self, states: &BTreeSet<Board>) -> BTreeSet<Board> {
        let slides = states.iter().flat_map(|&board| {
            let slides = self.game.rules.slides(board).into_iter();
            slides.filter(move |&after| after != board)
        });
        slides
            .filter(|&after| !self.game.is_won(after))
            .map(|after| self.game.rules.canonical(after))
            .collect()
    }

    fn set(&self, step: usize, boards: &BTreeSet<Board>) -> BoardSet {
        let layer = self.game.index.layer(self.sum(step));
        let mut positions: Vec<u64> = boards.iter().filter_map(|&b| layer.position(b)).collect();
        positions.sort_unstable();
        assert_eq!(positions.len(), boards.len());
        BoardSet::at(layer, positions).unwrap()
    }
}

impl Backward for OnProcessor {
    type Error = std::convert::Infallible;

    fn begin(&mut self) -> Result<(), Self::Error> {
        self.below = Default::default();
        Ok(())
    }
    fn restore(&mut self, place: usize) -> Result<(), Self::Error> {
        self.below = self.kept[place].clone();
        Ok(())
    }
    fn advance(&mut self, step: usize) -> Result<(), Self::Error> {
        let after = self.afterstates(&self.states(step));
        self.below.swap(0, 1);
        self.below[0] = after;
        self.advances += 1;
        Ok(())
    }
    fn keep(&mut self, place: usize) -> Result<(), Self::Error> {
        self.kept[place] = self.below.clone();
        Ok(())
    }
    fn back(&mut self, step: usize) -> Result<(), Self::Error> {
        let boards = self.states(step);
        let afterstates = self.set(step, &self.afterstates(&boards));
        let states = Arc::new(self.set(step, &boards));
        let at = |steps: u32| {
            let sum = self.sum(step) + 2 * steps;
            let mut above = self.above.iter();
            above.find(|solved| solved.states.index().sum() == sum)
        };
        let after = self
            .game
            .afterstates::<Probability>(&afterstates, [at(1), at(2)]);
        let values = self.game.states(&states, &afterstates, &after);
        self.above.push(Solved { states, values });
        // What was used is gone, as on a GPU.
        self.below = Default::default();
        Ok(())
    }
    fn run(&mut self) -> Result<(), Self::Error> {
        self.run = self.below.iter().rev().cloned().collect();
        Ok(())
    }
    fn hold(&mut self) -> Result<(), Self::Error> {
        self.run.push(self.below[0].clone());
        Ok(())
    }
    fn back_in_run(&mut self, step: usize) -> Result<(), Self::Error> {
        let after = self.run.pop().unwrap_or_default();
        self.below = [1, 2].map(|i| self.run[self.run.len() - i].clone());
        assert_eq!(after, self.afterstates(&self.states(step)));
        self.back(step)
    }
}

#[test]
fn games_solved_over_checkpoints_have_the_same_values() {
    for (name, steps) in [("2x2-to-16", 14), ("2x3-to-32", 33), ("3x3-to-16", 38)] {
        let variant: Variant = name.parse().unwrap();
        let table =
            solve_in_memory(&variant, Objective::Win, &SolveOptions::default(), &Silent).unwrap();
        let mut advances = usize::MAX;
        for (places, run) in [(0, 0), (0, 6), (1, 8), (4, 8)] {
            let tolerance = table.manifest().tie_tolerance;
            let mut machine = OnProcessor {
                game: LayerSolver::new(&variant, Objective::Win, tolerance).unwrap(),
                first: 2,
                below: Default::default(),
                kept: vec![Default::default(); places],
                run: Vec::new(),
                above: Vec::new(),
                advances: 0,
            };
            let plan = Checkpoints::new(&vec![1; steps]).plan(places, run);
            carry_out(&plan, &mut machine).unwrap();
            assert!(machine.advances <= advances, "{name} {places} {run}");
            advances = machine.advances;
            let mut compared = 0;
            for solved in &machine.above {
                for (board, value) in solved.states.iter().zip(&solved.values) {
                    assert_eq!(table.state_value::<Probability>(board).unwrap(), *value);
                    compared += 1;
                }
            }
            assert_eq!(compared, table.manifest().states(), "{name}");
        }
    }
}
