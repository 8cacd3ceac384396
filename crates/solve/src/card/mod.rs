//! Solving on a graphics card.
//!
//! The steps from layer to layer are those of counting, the arithmetic is that of the
//! processor's backward pass. Layers that do not fit anywhere are made again from checkpoints
//! (see [`Checkpoints`](crate::Checkpoints)), so nothing is written to disk: what comes out is what the start and the
//! positions asked for are worth.

mod descent;
mod kernels;
mod places;
mod question;
mod ranked;

use std::time::Instant;

use bytemuck::Pod;
use tilebase_count::{CardSteps, Count, CountError, Device, Places, Plan};
use tilebase_game::{Board, Move, Representative, Rules, Variant};
use tilebase_progress::{Progress, Unit};
use tilebase_table::{Category, Objective, Start, Value, Worth, with_worth};

use crate::checkpoints::carry_out;
use crate::error::SolveError;
use crate::plan::precision;

use descent::{Descent, Pool};
use kernels::Kernels;
use question::{Question, Questions};
use ranked::line_words;

/// Sets of boards that lie on the card at a time: those of the two layers above and of this
/// one, and two or three on the way from the afterstates below.
const SETS: u64 = 5;
/// Layers of worths that lie on the card at a time.
const WORTHS: u64 = 2;
/// What the driver and small lists take.
const ASIDE: u64 = 1 << 30;

/// Bits of a worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// As the processor has them, bit by bit.
    Bits64,
    /// Half of the memory, and half of the digits.
    Bits32,
}

impl Width {
    /// Bytes of a worth.
    pub fn bytes(self) -> u64 {
        match self {
            Width::Bits64 => 8,
            Width::Bits32 => 4,
        }
    }

    /// The relative error of values after so many layers.
    fn bound(self, variant: &Variant, objective: Objective, layers: usize) -> f64 {
        let (bound, _) = precision(variant.shape(), layers);
        // Sums are made with 64 bits. Then a chance is rounded once, and a tagged number, which
        // gives up two bits, after every mean and after every move.
        let unit = f64::from(f32::EPSILON) / 2.0;
        let roundings = if objective == Objective::Win {
            1.0
        } else {
            14.0
        };
        match self {
            Width::Bits64 => bound,
            Width::Bits32 => bound + 1.001 * roundings * unit * layers as f64,
        }
    }

    /// The bits of a worth as the processor has them.
    fn widened(self, objective: Objective, bits: u64) -> u64 {
        let half = bits as u32;
        let wide = |half: u32| f64::from(f32::from_bits(half)).to_bits();
        match self {
            Width::Bits64 => bits,
            Width::Bits32 if objective != Objective::Win => wide(half & !3) | u64::from(half & 3),
            Width::Bits32 if half <= 0.5f32.to_bits() => wide(half),
            Width::Bits32 => !wide(!half),
        }
    }
}

/// How to solve on a card.
#[derive(Clone, Debug, Default)]
pub struct CardOptions {
    /// Bits of a worth; as many as fit if not given.
    pub width: Option<Width>,
    /// Bytes of this machine's memory for checkpoints that do not fit the card.
    pub memory: u64,
    /// Bytes of the card's memory that may be used; all that are free if not given.
    pub card_bytes: Option<u64>,
    /// Positions whose values are wanted.
    pub boards: Vec<Board>,
}

/// What was found of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardSolvedLayer {
    /// Tile sum.
    pub sum: u32,
    /// Live states.
    pub states: u64,
    /// Afterstates without the target.
    pub afterstates: u64,
    /// States that are sure wins.
    pub sure_wins: u64,
    /// States that are sure losses.
    pub sure_losses: u64,
    /// Afterstates that are sure wins.
    pub sure_afterstates: u64,
}

/// What a position is worth.
#[derive(Clone, Debug)]
pub struct CardAnswer {
    /// The position.
    pub board: Board,
    /// What it is worth; `None` if no game comes there.
    pub value: Option<Value>,
    /// The legal moves, best first, with the boards after them.
    pub moves: Vec<(Move, Board, Value)>,
}

/// A game that was solved on a card.
#[derive(Clone, Debug)]
pub struct CardSolution {
    /// Bits of a worth.
    pub width: Width,
    /// What the start is worth.
    pub start: Start,
    /// All layers with a live state, by tile sum.
    pub layers: Vec<CardSolvedLayer>,
    /// Lost states.
    pub lost: u64,
    /// The values asked for, in the order of the boards.
    pub answers: Vec<CardAnswer>,
    /// Values are precise to this fraction.
    pub relative_error_bound: f64,
    /// Seconds for counting the layers first.
    pub count_seconds: f64,
    /// Seconds for working backward.
    pub backward_seconds: f64,
    /// Bytes of checkpoints on the card and in this machine's memory.
    pub checkpoint_bytes: [u64; 2],
    /// How many checkpoints there were.
    pub checkpoints: usize,
    /// How often a layer was made once more on the way to those below a checkpoint, on average.
    pub passes: f64,
    /// Bytes that sets and worths take on the card.
    pub card_bytes: u64,
}

/// Solves a game on the first card: what the start and some positions are worth, and how many
/// wins are sure. Nothing is written.
pub fn solve_on_card(
    variant: &Variant,
    objective: Objective,
    options: &CardOptions,
    progress: &dyn Progress,
) -> Result<CardSolution, SolveError> {
    if objective.needs_target() && variant.target().is_none() {
        return Err(SolveError::Target(objective.name()));
    }
    if objective == Objective::Moves {
        return Err(SolveError::OnProcessor(objective.name()));
    }
    let began = Instant::now();
    let count_options = tilebase_count::Options {
        device: Device::Cuda,
        by_largest: false,
        ..tilebase_count::Options::default()
    };
    let count = tilebase_count::count(variant, &count_options, None, progress)?;
    let count_seconds = began.elapsed().as_secs_f64();
    let steps = CardSteps::open(variant)?;
    let sizes = Sizes::new(&steps, &count);
    let free = steps.memory().free;
    let room = options.card_bytes.map_or(free, |bytes| bytes.min(free));
    let width = options
        .width
        .unwrap_or(if sizes.bytes(Width::Bits64) <= room {
            Width::Bits64
        } else {
            Width::Bits32
        });
    let needed = sizes.bytes(width);
    let Some(room) = room.checked_sub(needed) else {
        return Err(SolveError::Count(CountError::CardMemory {
            needed,
            free: room,
            name: steps.memory().name.clone(),
        }));
    };
    let chosen = places::choose(&sizes.words, room, options.memory);
    let spawn = variant.spawn();
    let probabilities = [spawn.probability(1), spawn.probability(2)];
    let kernels = Kernels::new(&steps, objective, width, probabilities)?;
    let places = steps.places();
    let rules = Rules::new(variant.shape()).map_err(CountError::Shape)?;
    let starts = rules.start_states(spawn, variant.start_tiles(), Representative::Canonical);
    let boards = starts.iter().map(|&(board, _)| board);
    let question = |board| Question::new(variant, &rules, &places, board);
    let questions = boards.chain(options.boards.iter().copied()).map(question);
    let mut descent = Descent {
        steps: &steps,
        kernels,
        variant,
        width,
        first: sizes.first,
        places: chosen.places,
        sets: Pool::new(sizes.set_words(width)),
        worths: Pool::new(sizes.worth_words(width)),
        below: [None, None],
        above: [None, None],
        questions: Questions::new(questions.collect(), objective),
        layers: Vec::new(),
        progress,
    };
    progress.begin(Unit::States, Some(count.states()));
    carry_out(&chosen.plan, &mut descent)?;
    progress.finish();
    let bytes = descent.places.iter().map(places::Place::bytes);
    let checkpoint_bytes = sum(bytes);
    let (start, answers) = with_worth!(objective, W => {
        answers::<W>(&rules, variant, objective, &starts, &descent.questions.all)
    });
    let mut layers = descent.layers;
    layers.reverse();
    Ok(CardSolution {
        width,
        start,
        layers,
        lost: count.lost(),
        answers,
        relative_error_bound: width.bound(variant, objective, count.layers.len()),
        count_seconds,
        backward_seconds: began.elapsed().as_secs_f64() - count_seconds,
        checkpoint_bytes,
        checkpoints: descent.places.len(),
        passes: chosen.passes,
        card_bytes: needed,
    })
}

/// What solving on a card will take.
#[derive(Clone, Copy, Debug)]
pub struct CardEstimate {
    /// Bits of a worth.
    pub width: Width,
    /// Bytes of the card's memory for sets and worths.
    pub card_bytes: u64,
    /// Bytes of checkpoints on the card and in this machine's memory.
    pub checkpoint_bytes: [u64; 2],
    /// How many checkpoints.
    pub checkpoints: usize,
    /// How often a layer is made once more.
    pub passes: f64,
    /// Time on an H200, roughly.
    pub seconds: f64,
}

/// A rough guess, for a card with so many bytes free and so many of this machine's.
pub fn estimate_on_card(
    variant: &Variant,
    card: u64,
    memory: u64,
) -> Result<CardEstimate, SolveError> {
    let plan = Plan::sizes(variant, u64::MAX)?;
    let places = Places::new(variant)?;
    let words = |units: u64| (places.layer(2 * units as u32).positions() / 64) as usize;
    let all: Vec<usize> = (0..plan.layers).map(words).collect();
    let most = all.iter().copied().max().unwrap_or(0) as u64;
    // In the largest layers about a bit in twelve is a state, and one in thirty an afterstate.
    let sizes = Sizes {
        first: 0,
        words: all,
        states: 64 * most / 12,
        afterstates: 64 * most / 30,
    };
    let width = sizes.width(card);
    let needed = sizes.bytes(width);
    let chosen = places::choose(&sizes.words, card.saturating_sub(needed), memory);
    let bytes = chosen.places.iter().map(places::Place::bytes);
    Ok(CardEstimate {
        width,
        card_bytes: needed,
        checkpoint_bytes: sum(bytes),
        checkpoints: chosen.places.len(),
        passes: chosen.passes,
        // Every layer is made once to be counted and once to be worked through.
        seconds: plan.card_seconds() * (2.0 + chosen.passes)
            + 8.0 * plan.total_bytes as f64 * SECONDS_A_BIT,
    })
}

/// Seconds of the backward pass for each bit of all layers, on an H200.
const SECONDS_A_BIT: f64 = 16e-12;

fn sum(bytes: impl Iterator<Item = [u64; 2]>) -> [u64; 2] {
    bytes.fold([0, 0], |sum, more| [sum[0] + more[0], sum[1] + more[1]])
}

/// How large the layers of a game are.
struct Sizes {
    /// The first sum, in units of 2.
    first: usize,
    /// Words of every layer from the first to the last.
    words: Vec<usize>,
    /// The most states and the most afterstates of a layer.
    states: u64,
    afterstates: u64,
}

impl Sizes {
    fn new(steps: &CardSteps, count: &Count) -> Sizes {
        let sums = || count.layers.iter().map(|layer| layer.sum as usize / 2);
        let (first, last) = (sums().min().unwrap_or(0), sums().max().unwrap_or(0));
        let most = |of: fn(&tilebase_count::LayerCount) -> u64| {
            count.layers.iter().map(of).max().unwrap_or(0)
        };
        Sizes {
            first,
            words: (first..=last).map(|units| steps.words(units)).collect(),
            states: most(|layer| layer.states.iter().sum()),
            afterstates: most(|layer| layer.afterstates),
        }
    }

    /// Words of a piece of memory for a set, which worths of afterstates must fit too.
    fn set_words(&self, width: Width) -> usize {
        let most = self.words.iter().copied().max().unwrap_or(0);
        line_words(most).max((self.afterstates * width.bytes()).div_ceil(8) as usize)
    }

    fn worth_words(&self, width: Width) -> usize {
        (self.states * width.bytes()).div_ceil(8) as usize
    }

    /// As many bits as fit.
    fn width(&self, room: u64) -> Width {
        if self.bytes(Width::Bits64) <= room {
            Width::Bits64
        } else {
            Width::Bits32
        }
    }

    /// Bytes that the card needs, checkpoints aside.
    fn bytes(&self, width: Width) -> u64 {
        let (sets, worths) = (self.set_words(width) as u64, self.worth_words(width) as u64);
        8 * (SETS * sets + WORTHS * worths) + ASIDE
    }
}

/// What the start and the boards asked for are worth.
fn answers<W: Worth + Pod>(
    rules: &Rules,
    variant: &Variant,
    objective: Objective,
    starts: &[(Board, f64)],
    questions: &[Question],
) -> (Start, Vec<CardAnswer>) {
    let worth = |bits: u64| {
        let mut worth = W::LOST;
        // Objectives with worths of more bytes are not solved here.
        let bytes = bytemuck::bytes_of_mut(&mut worth);
        let taken = bytes.len().min(8);
        bytes[..taken].copy_from_slice(&bits.to_ne_bytes()[..taken]);
        worth
    };
    let (starting, asked) = questions.split_at(starts.len());
    let worths: Vec<(f64, W)> = starts
        .iter()
        .zip(starting)
        .map(|(&(_, probability), question)| (probability, question.state.map_or(W::LOST, worth)))
        .collect();
    let value = W::mix(&worths).value();
    let values = || worths.iter().filter_map(|(_, worth)| worth.value().value);
    let start = Start {
        value: value.value,
        min: values().min_by(f64::total_cmp),
        max: values().max_by(f64::total_cmp),
        win: value.win.map(|chance| chance.p()),
        win_complement: value.win.map(|chance| chance.q()),
        sure_win: value.category == Category::SureWin,
        sure_loss: value.category == Category::SureLoss,
    };
    let answer = |question: &Question| {
        let mut moves: Vec<(Move, Board, W)> = Vec::new();
        for &(m, after, bits) in &question.moves {
            let won = variant.target().is_some_and(|target| after.reaches(target));
            let after_worth = match bits {
                _ if won => W::won(&objective),
                Some(bits) => worth(bits),
                None => continue,
            };
            let gain = match objective {
                Objective::Score => rules.gain(question.board, m),
                _ => 0,
            };
            moves.push((m, after, W::of_move(&objective, after_worth, gain)));
        }
        moves.sort_by(|a, b| b.2.compare(a.2));
        CardAnswer {
            board: question.board,
            value: question.state.map(|bits| worth(bits).value()),
            moves: moves
                .into_iter()
                .map(|(m, after, worth)| (m, after, worth.value()))
                .filter(|_| question.state.is_some())
                .collect(),
        }
    };
    (start, asked.iter().map(answer).collect())
}
