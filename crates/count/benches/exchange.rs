//! What processes that count a large game together would exchange, and how long they would take.
//!
//! `cargo bench -p tilebase-count --bench exchange` takes a minute or two. Boards are drawn at random from
//! layers of the real sizes, dealt out as `count_together` does, mirrored, and their positions packed as
//! they are for other processes. The bytes of these messages then run through rounds, in which nobody
//! gets more than a round ahead, on machines with cores and links of a given speed. Beside it stands a
//! model in a few lines of arithmetic. docs/cluster.md explains the figures.

use tilebase_count::{BlockSizes, round_words};
use tilebase_game::{Rng, Variant};
use tilebase_index::even_cuts;
use tilebase_index::positions::{encode_positions, sort_positions};
use tilebase_index::sparse::encode_words;

/// A game, its live states, its afterstates for each of them, and numbers of processes. The states of
/// the last two games are guessed (docs/cluster.md). About as many boards as there are afterstates
/// are mirrored in the diagonal.
const GAMES: [(&str, f64, f64, &[usize]); 5] = [
    ("4x4-to-32", 1.567e9, 0.28, &[2, 4, 8]),
    ("4x4-to-64", 40.65e9, 0.36, &[2, 4, 8]),
    ("4x4-to-256", 5.178e12, 0.47, &[8, 64]),
    ("4x4-to-512", 3.6e13, 0.5, &[8, 64, 512]),
    ("4x4-to-1024", 2.1e14, 0.5, &[8, 64, 512]),
];
/// Seconds of a core for a live state, and the part of them in which marks are made.
const STATE_SECONDS: f64 = 70e-9;
const MARKING: f64 = 0.5;
/// An ordinary machine: cores, bytes a second of its link, seconds that a message takes at least, and
/// seconds of the thread that handles a message.
const CORES: f64 = 16.0;
const LINK: f64 = 1.25e9;
const LATENCY: f64 = 100e-6;
const HANDLING: f64 = 10e-6;
/// Layers that are looked at, and processes of each.
const LAYERS: usize = 6;
const PROCESSES: usize = 4;

fn main() {
    println!(
        "| game | processes | memory of a process | largest share | bytes sent a state | by the model | hours | by the model |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (name, states, afterstates, processes) in GAMES {
        let Some(game) = Game::new(name, states, afterstates) else {
            println!("{name} has no layers");
            continue;
        };
        for &processes in processes {
            let found = game.simulate(processes);
            println!(
                "| {name} | {processes} | {:.1} GB | {:.2} | {:.2} | {:.2} | {:.3} | {:.3} |",
                found.memory / 1e9,
                found.unevenness,
                found.bytes / states,
                found.model_bytes / states,
                found.seconds / 3600.0,
                found.model_seconds / 3600.0,
            );
        }
    }
}

/// Four exponents.
type Row = [u8; 4];

/// Numbers of rows and halves of a 4x4 board by their sums, in units of 2.
struct Game {
    sizes: BlockSizes,
    /// Words of each layer.
    layers: Vec<u64>,
    /// Live states and afterstates for each word of a layer.
    density: f64,
    afterstates: f64,
    /// Rows by their sum: those that may be first, and all.
    rows: [Vec<Vec<Row>>; 2],
    /// The rank of each row among those with its sum, in the same two ways.
    ranks: [Vec<u64>; 2],
    /// Tops and bottoms with a sum whose first row has less than another sum.
    before: [Vec<Vec<u64>>; 2],
}

/// What a number of processes would take.
#[derive(Default)]
struct Found {
    memory: f64,
    unevenness: f64,
    bytes: f64,
    model_bytes: f64,
    seconds: f64,
    model_seconds: f64,
}

fn code(row: Row) -> usize {
    row.iter()
        .fold(0, |code, &exponent| code << 4 | usize::from(exponent))
}

fn units(row: Row) -> usize {
    row.iter().map(|&exponent| (1usize << exponent) / 2).sum()
}

fn mirror([a, b, c, d]: Row) -> Row {
    [d, c, b, a]
}

impl Game {
    fn new(name: &str, states: f64, afterstates: f64) -> Option<Game> {
        let variant: Variant = name.parse().ok()?;
        let sizes = BlockSizes::new(&variant).ok()?;
        let exponents = variant.target()?;
        let most = 4 << exponents.checked_sub(2)?;
        let mut rows = [vec![Vec::new(); most + 1], vec![Vec::new(); most + 1]];
        let mut ranks = [vec![0; 1 << 16], vec![0; 1 << 16]];
        for number in 0..u32::from(exponents).pow(4) {
            let digit =
                |place: u32| (number / u32::from(exponents).pow(place)) % u32::from(exponents);
            let row = [3, 2, 1, 0].map(|place| digit(place) as u8);
            for (kind, is_one) in [row >= mirror(row), true].into_iter().enumerate() {
                if is_one {
                    let list = &mut rows[kind][units(row)];
                    ranks[kind][code(row)] = list.len() as u64;
                    list.push(row);
                }
            }
        }
        let before = [0, 1].map(|kind| {
            let half = |sum: usize| {
                let with = |first: usize| {
                    let second = sum.checked_sub(first).and_then(|rest| rows[1].get(rest));
                    rows[kind][first].len() as u64 * second.map_or(0, |rows| rows.len() as u64)
                };
                let mut total = 0;
                let firsts = (0..=most.min(sum)).map(|first| {
                    total += with(first);
                    total - with(first)
                });
                let mut before: Vec<u64> = firsts.collect();
                before.push(total);
                before
            };
            (0..=2 * most).map(half).collect()
        });
        let layers: Vec<u64> = (0..=4 * most)
            .map(|units| sizes.words(units).iter().sum())
            .collect();
        let words: u64 = layers.iter().sum();
        let game = Game {
            sizes,
            layers,
            density: states / words as f64,
            afterstates: afterstates * states / words as f64,
            rows,
            ranks,
            before,
        };
        Some(game)
    }

    /// How many halves of a kind, 0 for tops and 1 for bottoms, have a sum.
    fn halves(&self, kind: usize, sum: usize) -> u64 {
        let before = self.before[kind].get(sum);
        before
            .and_then(|before| before.last())
            .map_or(0, |&all| all)
    }

    /// The half with a rank.
    fn half(&self, kind: usize, sum: usize, rank: u64) -> [Row; 2] {
        let before = &self.before[kind][sum];
        let first = before[..before.len() - 1].partition_point(|&before| before <= rank) - 1;
        let seconds = &self.rows[1][sum - first];
        let inside = (rank - before[first]) as usize;
        [
            self.rows[kind][first][inside / seconds.len()],
            seconds[inside % seconds.len()],
        ]
    }

    fn rank(&self, kind: usize, [first, second]: [Row; 2]) -> u64 {
        let (a, b) = (units(first), units(second));
        let seconds = self.rows[1][b].len() as u64;
        self.before[kind][a + b][a]
            + self.ranks[kind][code(first)] * seconds
            + self.ranks[1][code(second)]
    }

    /// The layers whose words stand for all: each for as many.
    fn sample(&self) -> Vec<usize> {
        let total: u64 = self.layers.iter().sum();
        let at = |number: usize| {
            let middle = total / LAYERS as u64 * number as u64 + total / LAYERS as u64 / 2;
            let mut so_far = 0;
            let found = self.layers.iter().position(|words| {
                so_far += words;
                so_far > middle
            });
            found.unwrap_or(0)
        };
        (0..LAYERS).map(at).collect()
    }

    fn simulate(&self, processes: usize) -> Found {
        let mut found = Found::default();
        let total: u64 = self.layers.iter().sum();
        let sample = self.sample();
        for &units in &sample {
            let layer = DealtLayer::new(self, units, processes);
            // How many layers of this size there would be.
            let weight = total as f64 / LAYERS as f64 / self.layers[units] as f64;
            layer.add_to(&mut found, weight);
        }
        let largest = (0..self.layers.len()).max_by_key(|&units| self.layers[units]);
        let largest = DealtLayer::new(self, largest.unwrap_or(0), processes);
        let halves = |kind: usize| (0..self.before[kind].len()).map(move |sum| (kind, sum));
        let halves: u64 = halves(0)
            .chain(halves(1))
            .map(|(kind, sum)| self.halves(kind, sum))
            .sum();
        let most = largest.words.iter().max().map_or(0, |&words| words);
        let block = largest
            .blocks
            .windows(2)
            .map(|ends| ends[1] - ends[0])
            .max();
        // As `share_bytes` has it, without the messages.
        let around = (3 * block.unwrap_or(0)).saturating_sub(most);
        found.memory = 48.0 * halves as f64 + 8.0 * (3 * most + around) as f64;
        found.unevenness = most as f64 * processes as f64 / self.layers[largest.units] as f64;
        found
    }
}

/// A layer dealt out to processes.
struct DealtLayer<'a> {
    game: &'a Game,
    units: usize,
    processes: usize,
    /// The sum of the first block's tops, and the first word of each block.
    first: usize,
    blocks: Vec<u64>,
    /// The first block of each process, and the end of the last.
    cuts: Vec<usize>,
    /// Words of each process.
    words: Vec<u64>,
}

/// The messages of a round.
struct Round {
    /// Marks made, and bytes sent to others.
    marks: u64,
    bytes: u64,
}

impl<'a> DealtLayer<'a> {
    fn new(game: &'a Game, units: usize, processes: usize) -> DealtLayer<'a> {
        let sizes = game.sizes.words(units);
        let most_half = game.before[1].len() - 1;
        let first = units.saturating_sub(most_half);
        let mut blocks = vec![0];
        for (at, &words) in sizes.iter().enumerate() {
            let (top, bottom) = (first + at, units - first - at);
            let expected = match top >= bottom {
                true => game.halves(0, top) * game.halves(1, bottom).div_ceil(64),
                false => 0,
            };
            assert_eq!(
                words,
                expected,
                "the block of tops with a sum of {}",
                2 * top
            );
            blocks.push(blocks[at] + words);
        }
        let mut cuts = vec![0];
        cuts.extend(even_cuts(
            sizes.iter().map(|&words| words as usize),
            processes,
        ));
        cuts.push(sizes.len());
        let words = cuts
            .windows(2)
            .map(|cut| blocks[cut[1]] - blocks[cut[0]])
            .collect();
        DealtLayer {
            game,
            units,
            processes,
            first,
            blocks,
            cuts,
            words,
        }
    }

    fn owner(&self, block: usize) -> usize {
        self.cuts[1..]
            .partition_point(|&end| end <= block)
            .min(self.processes - 1)
    }

    /// Words of the blocks of afterstates that a process fetches: tops that are lighter by a 2 in the
    /// layer below, by up to a 4 in the one below that.
    fn halo_words(&self, process: usize) -> u64 {
        let size = |block: usize| self.blocks[block + 1] - self.blocks[block];
        let first = self.cuts[process];
        match self.words[process] {
            0 => 0,
            _ => [1, 2]
                .into_iter()
                .map(|tile: usize| -> u64 { (first.saturating_sub(tile)..first).map(size).sum() })
                .sum(),
        }
    }

    /// The messages of a round of a process, with boards drawn at random.
    fn round(&self, process: usize, rng: &mut Rng) -> Round {
        let game = self.game;
        let mut lists = vec![Vec::new(); self.processes];
        let mut round = Round { marks: 0, bytes: 0 };
        let mut left = round_words(self.processes) as u64;
        let at = self.blocks[self.cuts[process]] + self.words[process] / 2;
        let mut block = self.blocks.partition_point(|&first| first <= at) - 1;
        let density = game.afterstates / 64.0;
        let mut skip = || {
            (f64::from(rng.below(u32::MAX)).max(1.0) / f64::from(u32::MAX)).ln()
                / (1.0 - density).ln()
        };
        let mut next = skip();
        let mut row = None;
        while block < self.cuts[process + 1] && left > 0 {
            let (top_sum, bottom_sum) = (self.first + block, self.units - self.first - block);
            let (tops, bottoms) = (game.halves(0, top_sum), game.halves(1, bottom_sum));
            let stride = bottoms.div_ceil(64);
            let from = row.unwrap_or_else(|| (at - self.blocks[block]) / stride.max(1));
            for top in from..tops {
                if left < stride {
                    left = 0;
                    break;
                }
                left -= stride;
                let half = game.half(0, top_sum, top);
                while next < bottoms as f64 {
                    let bottom = game.half(1, bottom_sum, next as u64);
                    round.marks += 1;
                    let (owner, position) = self.mirrored(half, bottom);
                    lists[owner].push(position);
                    next += 1.0 + skip();
                }
                next -= bottoms as f64;
            }
            row = Some(0);
            block += 1;
        }
        for (owner, list) in lists
            .iter_mut()
            .enumerate()
            .filter(|&(owner, _)| owner != process)
        {
            let mut bytes = Vec::new();
            sort_positions(list, 64 * self.words[owner]);
            encode_positions(list, &mut bytes);
            round.bytes += bytes.len() as u64 + 1;
        }
        round
    }

    /// Who has the mirror image of a board in the diagonal, and at which position.
    fn mirrored(&self, top: [Row; 2], bottom: [Row; 2]) -> (usize, u64) {
        let board = [top[0], top[1], bottom[0], bottom[1]];
        let mut board = [0, 1, 2, 3].map(|column| board.map(|row| row[column]));
        let sum = |board: &[Row; 4], first: usize| units(board[first]) + units(board[first + 1]);
        if sum(&board, 0) < sum(&board, 2) {
            board.reverse();
        }
        if board[0] < mirror(board[0]) {
            board = board.map(mirror);
        }
        let block = sum(&board, 0) - self.first;
        let stride = self.game.halves(1, sum(&board, 2)).div_ceil(64);
        let owner = self.owner(block);
        let word = self.blocks[block] - self.blocks[self.cuts[owner]]
            + self.game.rank(0, [board[0], board[1]]) * stride;
        (owner, 64 * word + self.game.rank(1, [board[2], board[3]]))
    }

    /// Adds what this layer takes, so many times.
    fn add_to(&self, found: &mut Found, weight: f64) {
        let n = self.processes;
        let all = self.game.layers[self.units] as f64;
        let mut rng = Rng::new(self.units as u64);
        let with_words: Vec<usize> = (0..n).filter(|&process| self.words[process] > 0).collect();
        let step = with_words.len().div_ceil(PROCESSES);
        let rounds: Vec<Round> = with_words
            .iter()
            .skip(step / 2)
            .step_by(step)
            .map(|&process| self.round(process, &mut rng))
            .collect();
        let sum = |of: fn(&Round) -> u64| rounds.iter().map(of).sum::<u64>() as f64;
        let of_mark = sum(|round| round.bytes) / sum(|round| round.marks).max(1.0);
        let marks = self.game.afterstates;
        let packed = packed_word(2.0 * self.game.afterstates / 64.0);
        let halo = |process: usize| packed * self.halo_words(process) as f64;
        let halos = (0..n).map(halo).sum::<f64>();
        found.bytes += weight * (marks * of_mark * all + halos);
        found.seconds += weight * self.seconds(of_mark * marks, &halo);

        // The model: gaps are those of random positions, and the most loaded process sets the pace.
        let most = self.words.iter().max().map_or(0.0, |&words| words as f64);
        let round_marks = (marks * round_words(n) as f64).min(marks * most);
        let gap = 64.0 * all / round_marks.max(1.0);
        let to_others = 1.0 - 1.0 / n as f64;
        let sent = marks * to_others * gap_bytes(gap);
        let block = self.blocks.windows(2).map(|ends| ends[1] - ends[0]).max();
        let halo = 3.0 * packed * block.unwrap_or(0) as f64;
        found.model_bytes += weight * (sent * all + halos);
        let work = most * self.game.density * STATE_SECONDS / CORES;
        let turns = (most / round_words(n) as f64).ceil().max(1.0);
        let turn = (most / turns * sent / LINK).max(n as f64 * HANDLING) + LATENCY;
        let rest = (1.0 - MARKING) * work + (MARKING * work).max(turns * turn);
        found.model_seconds += weight * (halo / LINK + rest);
    }

    /// Seconds of the layer: the halo, states, and then rounds of which nobody is more than one ahead.
    fn seconds(&self, sent_by_word: f64, halo: &dyn Fn(usize) -> f64) -> f64 {
        let n = self.processes;
        let round = round_words(n) as f64;
        let work = |words: f64| words * self.game.density * STATE_SECONDS / CORES;
        let begin: Vec<f64> = (0..n)
            .map(|process| {
                halo(process) / LINK + LATENCY + (1.0 - MARKING) * work(self.words[process] as f64)
            })
            .collect();
        let mut ready = begin;
        let rounds = self
            .words
            .iter()
            .map(|&words| (words as f64 / round).ceil() as usize)
            .max()
            .unwrap_or(0);
        // When the messages of the round before have all come.
        let mut come = vec![0.0f64; n];
        for number in 0..rounds {
            let mut sent = vec![0.0f64; n];
            let mut bytes_in = 0.0;
            for (process, ready) in ready.iter_mut().enumerate() {
                let words = (self.words[process] as f64 - number as f64 * round).clamp(0.0, round);
                *ready += MARKING * work(words) + n as f64 * HANDLING / CORES;
                let bytes = words * sent_by_word;
                bytes_in += bytes;
                sent[process] = *ready + (bytes / LINK).max(n as f64 * HANDLING) + LATENCY;
            }
            let last = sent.iter().copied().fold(0.0, f64::max);
            for process in 0..n {
                // The next round is made while these messages travel.
                ready[process] = ready[process].max(come[process]);
                let share = self.words[process] as f64 / self.words.iter().sum::<u64>() as f64;
                come[process] = last.max(come[process] + bytes_in * share / LINK);
            }
        }
        come.into_iter().chain(ready).fold(0.0, f64::max) + 2.0 * LATENCY
    }
}

/// Bytes of a gap, of which the mean is given and which are those of random positions.
fn gap_bytes(mean: f64) -> f64 {
    // A byte has seven bits of it.
    (0..10)
        .map(|bytes| (-(128f64.powi(bytes)) / mean).exp().min(1.0))
        .skip(1)
        .sum::<f64>()
        + 1.0
}

/// Bytes of a packed word with bits of a density.
fn packed_word(density: f64) -> f64 {
    let mut rng = Rng::new(1);
    let set = (density * f64::from(u32::MAX)) as u32;
    let word = |rng: &mut Rng| {
        (0..64).fold(0u64, |word, _| {
            word << 1 | u64::from(rng.below(u32::MAX) < set)
        })
    };
    let words: Vec<u64> = (0..4096).map(|_| word(&mut rng)).collect();
    let mut bytes = Vec::new();
    encode_words(&words, &mut bytes);
    bytes.len() as f64 / words.len() as f64
}
