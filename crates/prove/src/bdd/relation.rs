//! Relations between lines of a board as automata over the bits of both.
//!
//! An automaton reads the bits of a line before the slide and after it, one pair a level.
//! It is the decision diagram of the relation over a line's variables and their primed
//! copies, kept outside the manager: the diagrams of boards need no primed variables.

use std::collections::HashMap;

use oxidd_core::LevelNo;

use crate::bdd::layout::{CodeBit, VariableLayout};
use crate::bdd::slide_line::Pairs;

/// The number of a state.
pub(crate) type StateId = u32;

/// No pair of lines begins like this.
pub(crate) const REJECT: StateId = 0;
/// All lines have been read.
const ACCEPT: StateId = 1;

/// What follows once some bits have been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct AutomatonState {
    /// The level of the next pair of bits.
    level: LevelNo,
    /// The next state for the bits (before, after): 00, 01, 10, 11.
    next: [StateId; 4],
}

/// How many lines can slide at once.
const MOST_LINES: usize = 4;

/// Where the automata of all lines are; those that are not there accept.
pub(crate) type LineStates = [StateId; MOST_LINES];

/// A relation between boards: some lines slide, all other cells stay as they are.
#[derive(Clone, Debug)]
pub(crate) struct SlideRelation {
    states: Vec<AutomatonState>,
    start: LineStates,
}

impl SlideRelation {
    /// The relation in which each of some lines slides. A line is the places of its cells
    /// from its first cell on.
    pub(crate) fn new(
        layout: &VariableLayout,
        lines: &[Vec<usize>],
        pairs: &Pairs,
    ) -> SlideRelation {
        let unread = AutomatonState {
            level: LevelNo::MAX,
            next: [REJECT; 4],
        };
        let mut builder = Builder {
            states: vec![unread; 2],
            ids: HashMap::new(),
        };
        let mut start = [ACCEPT; MOST_LINES];
        for (line, start) in lines.iter().zip(&mut start) {
            // The cells in the order in which the diagram asks for them.
            let mut cells: Vec<usize> = (0..line.len()).collect();
            cells.sort_by_key(|&cell| line[cell]);
            let steps: Vec<(LevelNo, usize, usize)> = cells
                .iter()
                .flat_map(|&cell| {
                    (0..layout.bits()).map(move |bit| (layout.level(line[cell], bit), cell, bit))
                })
                .collect();
            let all: Vec<u32> = (0..pairs.len() as u32).collect();
            *start = builder.build(layout, pairs, &steps, &all);
        }
        SlideRelation {
            states: builder.states,
            start,
        }
    }

    pub(crate) fn start(&self) -> LineStates {
        self.start
    }

    /// The next level at which a line is read, and which line. At the end the level is
    /// below all variables.
    pub(crate) fn reads(&self, states: &LineStates) -> (LevelNo, usize) {
        let levels = states.iter().map(|&id| self.states[id as usize].level);
        levels.zip(0..).min().unwrap_or((LevelNo::MAX, 0))
    }

    /// The states of a line that follow one for the bits (before, after): 00, 01, 10, 11.
    pub(crate) fn next(&self, id: StateId) -> [StateId; 4] {
        self.states[id as usize].next
    }
}

/// Makes states, each only once.
struct Builder {
    states: Vec<AutomatonState>,
    ids: HashMap<AutomatonState, StateId>,
}

impl Builder {
    /// The state in which `left` of the pairs can still be meant.
    fn build(
        &mut self,
        layout: &VariableLayout,
        pairs: &Pairs,
        steps: &[(LevelNo, usize, usize)],
        left: &[u32],
    ) -> StateId {
        let Some((&(level, cell, bit), steps)) = steps.split_first() else {
            return if left.is_empty() { REJECT } else { ACCEPT };
        };
        if left.is_empty() {
            return REJECT;
        }
        let mut next = [REJECT; 4];
        for (at, next) in next.iter_mut().enumerate() {
            let (before, after) = (at / 2, at % 2);
            let fitting: Vec<u32> = left
                .iter()
                .copied()
                .filter(|&pair| {
                    let (x, y) = &pairs[pair as usize];
                    let x = layout.code(x[cell])[bit];
                    let y = layout.code(y[cell])[bit];
                    // What comes after a determined value does not matter, so one way will do.
                    fits(x, before)
                        && if y == CodeBit::Any {
                            after == 0
                        } else {
                            fits(y, after)
                        }
                })
                .collect();
            *next = self.build(layout, pairs, steps, &fitting);
        }
        if next == [REJECT; 4] {
            return REJECT;
        }
        let state = AutomatonState { level, next };
        *self.ids.entry(state).or_insert_with(|| {
            self.states.push(state);
            (self.states.len() - 1) as StateId
        })
    }
}

fn fits(bit: CodeBit, value: usize) -> bool {
    match bit {
        CodeBit::Zero => value == 0,
        CodeBit::One => value == 1,
        CodeBit::Any => true,
    }
}
