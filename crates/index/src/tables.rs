//! What slides and spawns do to half boards, tabulated once for a game.

use rayon::prelude::*;
use tilebase_game::{Board, MAX_PACKED_EXPONENT, Move};

use crate::half::Halves;
use crate::space::Space;

/// No half: the slide makes a target tile.
pub const NONE: u32 = u32::MAX;

/// How a board with a slid top finds its folded row.
#[derive(Clone, Copy)]
pub struct Turn {
    /// The slide.
    pub slide: Move,
    /// Whether a mirror follows it.
    pub mirrored: bool,
}

/// Slides to the left and right, each with and without a mirror after it.
pub const TURNS: [Turn; 4] = [
    Turn {
        slide: Move::Left,
        mirrored: false,
    },
    Turn {
        slide: Move::Left,
        mirrored: true,
    },
    Turn {
        slide: Move::Right,
        mirrored: false,
    },
    Turn {
        slide: Move::Right,
        mirrored: true,
    },
];

/// What slides do to tops.
pub struct Tops {
    /// The tops and their ranks.
    pub halves: Halves,
    /// For each top and turn, the tops that slide to it: rank × 2, plus 1 where the top
    /// itself is not changed by the slide.
    pub sources: Vec<u32>,
    /// Where the sources of top i and turn j begin: at 4i + j.
    pub first_source: Vec<u32>,
}

/// What slides and spawns do to bottoms. Lists run parallel to the list of halves; bit sets are
/// by group, each in whole words.
pub struct Bottoms {
    /// The bottoms and their ranks.
    pub halves: Halves,
    /// Where the bit sets of a group begin.
    pub first_word: Vec<usize>,
    /// Rank of the mirror image.
    pub mirror: Vec<u32>,
    /// Rank after each turn, or [`NONE`].
    pub turned: [Vec<u32>; 4],
    /// Bottoms that a slide left, a slide right does not change.
    pub unmoved: [Vec<u64>; 2],
    /// Full bottoms without a pair of equal neighbours.
    pub stuck: Vec<u64>,
    /// Bottoms whose largest exponent is at most the index.
    pub up_to: Vec<Vec<u64>>,
    /// Ranks of the bottoms with one more tile of exponent 1, 2; see `first_drop`.
    pub drops: [Vec<u32>; 2],
    /// Where the drops of a bottom begin.
    pub first_drop: [Vec<u32>; 2],
}

impl Bottoms {
    pub(crate) fn empty(halves: Halves, largest: u8) -> Bottoms {
        Bottoms {
            halves,
            first_word: Vec::new(),
            mirror: Vec::new(),
            turned: Default::default(),
            unmoved: Default::default(),
            stuck: Vec::new(),
            up_to: vec![Vec::new(); usize::from(largest) + 1],
            drops: Default::default(),
            first_drop: Default::default(),
        }
    }

    /// Words that a set of the group's bottoms takes.
    #[inline]
    pub fn words(&self, units: usize) -> usize {
        self.halves.group(units).len().div_ceil(64)
    }

    /// A group's part of a bit set.
    #[inline]
    pub fn part<'a>(&self, set: &'a [u64], units: usize) -> &'a [u64] {
        let first = self.first_word[units];
        &set[first..first + self.words(units)]
    }
}

/// Groups of bottoms whose tables are made at once, by all threads.
const GROUPS_AT_ONCE: usize = 128;

/// The tables of the bottoms of one weight: as in [`Bottoms`], counted from their own beginning.
struct GroupOfBottoms {
    unmoved: [Vec<u64>; 2],
    stuck: Vec<u64>,
    up_to: Vec<Vec<u64>>,
    drops: [Vec<u32>; 2],
    first_drop: [Vec<u32>; 2],
}

/// Building the tables.
impl Space {
    /// A half after a slide of its rows, whose roles are `first` and the one after it; `None` if
    /// a row is not listed then.
    fn slid(&self, half: u32, first: usize, m: Move) -> Option<u32> {
        let a = self.rows[first].slid((half >> 16) as u16, m)?;
        let b = self.rows[first + 1].slid(half as u16, m)?;
        Some(u32::from(a) << 16 | u32::from(b))
    }

    /// A top after a slide to the left or right, if it is listed.
    pub fn slid_top(&self, top: u32, m: Move) -> Option<u32> {
        self.slid(top, 0, m)
    }

    fn turn(&self, half: u32, first: usize, turn: Turn) -> Option<u32> {
        let slid = self.slid(half, first, turn.slide)?;
        // Boards that are not folded have no use for mirror images.
        match (turn.mirrored, self.cut.folded) {
            (false, _) => Some(slid),
            (true, true) => Some(self.mirrored(slid)),
            (true, false) => None,
        }
    }

    fn mirrored(&self, half: u32) -> u32 {
        let mirrored = |row: u32| u32::from(self.rows[0].mirrored(row as u16));
        mirrored(half >> 16) << 16 | mirrored(half & 0xffff)
    }

    /// Lists, for each top and turn, the tops that it comes from.
    pub(crate) fn list_sources(&mut self) {
        let (space, halves) = (&*self, &self.tops.halves);
        // The sources in a group of tops: where they lead, and their rank.
        let of_group = |units: usize| {
            let group = halves.group(units);
            let tops = halves.list()[group.clone()].iter().enumerate();
            tops.flat_map(move |(rank, &top)| {
                let turns = TURNS.iter().enumerate();
                turns.filter_map(move |(number, &turn)| {
                    let after = space.turn(top, 0, turn)?;
                    let (a, b) = space.top_infos(after);
                    if a.is_less() {
                        return None;
                    }
                    let to = group.start as u32 + space.top_rank(a, b, false);
                    let unmoved = u32::from(space.slid(top, 0, turn.slide) == Some(top));
                    Some((4 * to + number as u32, 2 * rank as u32 + unmoved))
                })
            })
        };
        let groups = (0..halves.max_units() + 1).into_par_iter();
        let mut pairs: Vec<(u32, u32)> = groups.flat_map_iter(of_group).collect();
        pairs.par_sort_unstable();
        let keys = 4 * halves.list().len() as u32;
        let mut at = 0;
        for key in 0..=keys {
            while at < pairs.len() && pairs[at].0 < key {
                at += 1;
            }
            self.tops.first_source.push(at as u32);
        }
        self.tops.sources = pairs.into_iter().map(|(_, source)| source).collect();
    }

    /// Fills the tables of bottoms.
    pub(crate) fn fill_bottoms(&mut self) {
        let halves = std::mem::take(&mut self.bottoms.halves);
        let mut tables = Bottoms::empty(Halves::default(), self.largest);
        let cells: Vec<u32> = (0..self.bottom_rows as u32)
            .flat_map(|r| {
                (0..u32::from(self.rules.shape().cols())).map(move |c| 28 - 16 * r - 4 * c)
            })
            .collect();
        self.bottoms.halves = halves;
        let list = self.bottoms.halves.list();
        let ranks = |change: &(dyn Fn(u32) -> Option<u32> + Sync)| -> Vec<u32> {
            let rank = |&half: &u32| change(half).map_or(NONE, |half| self.bottom_rank(half));
            list.par_iter().map(rank).collect()
        };
        let mirror = match self.cut.folded {
            true => ranks(&|half| Some(self.mirrored(half))),
            false => Vec::new(),
        };
        let turned = TURNS.map(|turn| match (turn.mirrored, self.cut.folded) {
            (true, false) => Vec::new(),
            _ => ranks(&|half| self.turn(half, 2, turn)),
        });
        (tables.mirror, tables.turned) = (mirror, turned);
        let groups: Vec<usize> = (0..=self.bottoms.halves.max_units()).collect();
        // Some groups at a time, which bounds the memory for what is not joined yet.
        for groups in groups.chunks(GROUPS_AT_ONCE) {
            let of_group = |&units: &usize| self.group_of_bottoms(units, &cells);
            let parts: Vec<GroupOfBottoms> = groups.par_iter().map(of_group).collect();
            for part in parts {
                tables.first_word.push(tables.stuck.len());
                tables.stuck.extend(part.stuck);
                for (all, own) in tables.unmoved.iter_mut().zip(part.unmoved) {
                    all.extend(own);
                }
                for (all, own) in tables.up_to.iter_mut().zip(part.up_to) {
                    all.extend(own);
                }
                let first = tables.first_drop.iter_mut().zip(part.first_drop);
                for ((first, own_first), (drops, own)) in
                    first.zip(tables.drops.iter_mut().zip(part.drops))
                {
                    let before = drops.len() as u32;
                    first.extend(own_first.into_iter().map(|at| before + at));
                    drops.extend(own);
                }
            }
        }
        for (first, drops) in tables.first_drop.iter_mut().zip(&tables.drops) {
            first.push(drops.len() as u32);
        }
        tables.halves = std::mem::take(&mut self.bottoms.halves);
        self.bottoms = tables;
    }

    /// What is known of the bottoms of a weight, whose cells are at these bits.
    fn group_of_bottoms(&self, units: usize, cells: &[u32]) -> GroupOfBottoms {
        let halves = &self.bottoms.halves;
        let bottoms = &halves.list()[halves.group(units)];
        let empty = || vec![0u64; bottoms.len().div_ceil(64)];
        let mut part = GroupOfBottoms {
            stuck: empty(),
            unmoved: [empty(), empty()],
            up_to: (0..=self.largest).map(|_| empty()).collect(),
            drops: Default::default(),
            first_drop: Default::default(),
        };
        for (rank, &half) in bottoms.iter().enumerate() {
            let (word, bit) = (rank / 64, 1u64 << (rank % 64));
            for (number, m) in [Move::Left, Move::Right].into_iter().enumerate() {
                if self.slid(half, 2, m) == Some(half) {
                    part.unmoved[number][word] |= bit;
                }
            }
            if self.is_stuck(half) {
                part.stuck[word] |= bit;
            }
            let exponents = cells.iter().map(|&at| half >> at & 15);
            let tiles = exponents.filter(|&e| e <= u32::from(self.largest));
            let largest = tiles.max().unwrap_or(0);
            for set in &mut part.up_to[largest as usize..] {
                set[word] |= bit;
            }
            for (number, drops) in part.drops.iter_mut().enumerate() {
                part.first_drop[number].push(drops.len() as u32);
                let exponent = number as u32 + 1;
                if self.spawn.weight(exponent as u8) > 0 {
                    for &at in cells.iter().filter(|&&at| half >> at & 15 == 0) {
                        drops.push(self.bottom_rank(half | exponent << at));
                    }
                }
            }
        }
        part
    }

    /// Whether two tiles, given by their exponents, cannot merge.
    fn stay_apart(&self, a: u32, b: u32) -> bool {
        a != b || (self.cut.walls > 0 && a == u32::from(MAX_PACKED_EXPONENT))
    }

    /// Whether a bottom is full and has no two equal neighbours.
    fn is_stuck(&self, bottom: u32) -> bool {
        self.half_is_stuck(self.bottom_rows, bottom)
    }

    /// Whether a top is full and has no two equal neighbours.
    pub fn top_is_stuck(&self, top: u32) -> bool {
        self.half_is_stuck(self.top_rows, top)
    }

    fn half_is_stuck(&self, rows: usize, half: u32) -> bool {
        if !self.rules.allows_all() {
            // All slides of a board with empty cells may be forbidden.
            return true;
        }
        let width = 4 * u32::from(self.rules.shape().cols());
        let row_is_stuck = |row: u32| {
            let cells = |skip: u32| {
                (skip..width)
                    .step_by(4)
                    .map(move |at| row >> (12 - at) & 15)
            };
            cells(0).all(|e| e > 0) && cells(0).zip(cells(4)).all(|(a, b)| self.stay_apart(a, b))
        };
        let (a, b) = (half >> 16, half & 0xffff);
        let apart = |shift: u32| self.stay_apart(a >> shift & 15, b >> shift & 15);
        match rows {
            0 => true,
            1 => row_is_stuck(a),
            _ => {
                let mut columns = (0..width).step_by(4);
                row_is_stuck(a) && row_is_stuck(b) && columns.all(|at| apart(12 - at))
            }
        }
    }
}

/// The masks of a formation, where the rows of halves alone do not ensure that one is covered.
pub struct Masks {
    /// For each mask, the walls that a top must have, as a top with nothing else.
    pub tops: Vec<u32>,
    /// For each mask, the bottoms that cover their part of it: bit sets as in [`Bottoms`].
    pub bottoms: Vec<Vec<u64>>,
}

impl Masks {
    /// The masks of a game that must be checked for every afterstate.
    pub(crate) fn new(space: &Space) -> Option<Masks> {
        let masks = space.rules.masks();
        let exact = |mask: &u64| mask.count_ones() as usize == 4 * space.cut.walls;
        if masks.is_empty() || (!space.cut.folded && masks.len() == 1 && masks.iter().all(exact)) {
            // Without masks all is allowed; with all walls in one mask every row has only the
            // walls of its own part.
            return None;
        }
        let halves = &space.bottoms.halves;
        let keeps = |mask: u64| {
            let (_, part) = space.halves_of(Board::from_bits(mask));
            let mut set = vec![0u64; space.bottoms.stuck.len()];
            for units in 0..=halves.max_units() {
                let group = &halves.list()[halves.group(units)];
                for (rank, half) in group.iter().enumerate() {
                    let bit = u64::from(half & part == part) << (rank % 64);
                    set[space.bottoms.first_word[units] + rank / 64] |= bit;
                }
            }
            set
        };
        let top = |&mask: &u64| space.halves_of(Board::from_bits(mask)).0;
        Some(Masks {
            tops: masks.iter().map(top).collect(),
            bottoms: masks.iter().map(|&mask| keeps(mask)).collect(),
        })
    }
}
