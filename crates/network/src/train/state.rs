//! All that a learner knows.

use std::io::{self, Read, Write};

use crate::patterns::{LOOK_UPS, WEIGHTS};
use crate::{NTupleNetwork, NetworkError, Pages, STAGES};
use bytemuck::{Pod, Zeroable};
use tilebase_game::Rules;
use xxhash_rust::xxh3::Xxh3Default;

use crate::train::game::Game;

const MAGIC: [u8; 8] = *b"TBLEARN1";

/// How the errors of a weight went so far: their sum, and the sum of their sizes. As long
/// as all point one way the weight is far off and moves fast; when they cancel it is about
/// right and moves little (temporal coherence: Beal and Smith 1999, Jaśkowski 2016).
pub(crate) type Errors = [f32; 2];

/// The errors of a weight that begins as another's: as good as none, so it moves fast at first.
const BORROWED: Errors = [1e-3, 1e-3];

/// The errors of a weight that was learned before: as many as cancelled, so it moves slowly until
/// new ones outweigh them.
const LEARNED: Errors = [0.0, 10_000.0];

/// What decides, to the last bit, how learning begins and goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The seed of all dice.
    pub seed: u64,
    /// Games at a time.
    pub games: u32,
    /// What a board is taken to be worth of which nothing is known. Above what can be had,
    /// it makes the player curious; 0 makes it shy of the unknown.
    pub hope: f32,
    /// The share of its error that a board is corrected by until learning settles; with 0
    /// each weight has a rate of its own from the start.
    pub rate: f32,
}

impl Plan {
    /// What all weights begin as.
    fn first_weight(self) -> f32 {
        self.hope / LOOK_UPS as f32
    }
}

/// Where learning stands.
pub struct State {
    /// How it began.
    pub plan: Plan,
    /// Steps taken.
    pub steps: u64,
    /// Whether boards with a large tile have weights of their own.
    pub split: bool,
    /// Whether each weight has a rate of its own.
    pub settled: bool,
    pub(crate) games: Vec<Game>,
    pub(crate) weights: Pages<f32>,
    pub(crate) errors: Pages<Errors>,
}

impl State {
    /// A state that knows nothing.
    pub fn new(rules: &Rules, plan: Plan) -> io::Result<State> {
        let first = plan.first_weight();
        let mut weights = Pages::zeros(STAGES * WEIGHTS)?;
        // Pages of zeros that nobody touches take no memory.
        if first != 0.0 {
            weights.all_mut().fill(first);
        }
        Ok(State {
            plan,
            steps: 0,
            split: false,
            settled: plan.rate == 0.0,
            games: (0..u64::from(plan.games))
                .map(|place| Game::new(rules, plan.seed, place))
                .collect(),
            weights,
            errors: Pages::zeros(STAGES * WEIGHTS)?,
        })
    }

    /// Takes over the weights of both stages that were learned before. Of the others there is
    /// the hope of the plan.
    pub fn take_over(&mut self, tuples: &NTupleNetwork) {
        let own = self.weights.all_mut().iter_mut();
        let own = own.zip(self.errors.all_mut()).enumerate();
        for (place, (own, errors)) in own {
            let (weight, listed) = tuples.weight(place);
            if listed {
                (*own, *errors) = (weight, LEARNED);
            }
        }
        self.split = true;
    }

    /// The rate of all weights, or 0 if each has its own.
    pub(crate) fn rate(&self) -> f32 {
        if self.settled { 0.0 } else { self.plan.rate }
    }

    /// From now on boards with a 16384 have weights of their own, looked up by halved tiles,
    /// which begin as those of boards with these halved tiles.
    pub fn split(&mut self) {
        let (first, late) = self.weights.all_mut().split_at_mut(WEIGHTS);
        late.copy_from_slice(first);
        let (first, late) = self.errors.all_mut().split_at_mut(WEIGHTS);
        for (late, first) in late.iter_mut().zip(first) {
            *late = if is_met(first) { BORROWED } else { [0.0; 2] };
        }
        self.split = true;
    }

    /// From now on each weight has a rate of its own, by errors from now on.
    pub fn settle(&mut self) {
        self.errors.all_mut().fill([0.0; 2]);
        self.settled = true;
    }

    /// The evaluation that was learned, its weights rounded to a unit of so many points. As long
    /// as nothing is split off, boards with a 16384 are worth as much as those with halved tiles.
    pub fn tuples(&self, unit: f32) -> Result<NTupleNetwork, NetworkError> {
        let (first, late) = self.weights.all().split_at(WEIGHTS);
        let late = if self.split { late } else { first };
        let weights = first.iter().chain(late).copied();
        NTupleNetwork::from_weights(weights, self.plan.first_weight(), unit)
    }

    /// Writes all of it, with a checksum at the end.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut hash = Xxh3Default::new();
        let mut put = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes)
        };
        put(&MAGIC)?;
        put(bytemuck::bytes_of(&Head::of(self)))?;
        put(bytemuck::cast_slice(&self.games))?;
        put(bytemuck::cast_slice(self.weights.all()))?;
        put(bytemuck::cast_slice(self.errors.all()))?;
        let sum = hash.digest();
        out.write_all(&sum.to_le_bytes())
    }

    /// Reads what [`State::write`] wrote.
    pub fn read(from: &mut dyn Read) -> io::Result<State> {
        let mut hash = Xxh3Default::new();
        let mut take = |bytes: &mut [u8]| {
            from.read_exact(bytes)?;
            hash.update(bytes);
            io::Result::Ok(())
        };
        let mut magic = MAGIC;
        take(&mut magic)?;
        if magic != MAGIC {
            return Err(damaged("it does not begin with TBLEARN1"));
        }
        let mut head = Head::zeroed();
        take(bytemuck::bytes_of_mut(&mut head))?;
        // Not more than is taken when learning begins, whatever the file says.
        if head.games > 1 << 19 {
            return Err(damaged("it has more games than can be"));
        }
        let mut games = vec![Game::default(); head.games as usize];
        let mut weights = Pages::zeros(STAGES * WEIGHTS)?;
        let mut errors = Pages::zeros(STAGES * WEIGHTS)?;
        take(bytemuck::cast_slice_mut(&mut games))?;
        take(bytemuck::cast_slice_mut(weights.all_mut()))?;
        take(bytemuck::cast_slice_mut(errors.all_mut()))?;
        let sum = hash.digest();
        let mut noted = [0; 8];
        from.read_exact(&mut noted)?;
        if sum != u64::from_le_bytes(noted) {
            return Err(damaged("its checksum is wrong"));
        }
        Ok(State {
            plan: Plan {
                seed: head.seed,
                games: head.games,
                hope: head.hope,
                rate: head.rate,
            },
            steps: head.steps,
            split: head.split != 0,
            settled: head.settled != 0,
            games,
            weights,
            errors,
        })
    }
}

/// The first bytes of a written state, as they lie in memory (lowest byte first on all
/// machines that this is built for).
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Head {
    seed: u64,
    steps: u64,
    games: u32,
    hope: f32,
    rate: f32,
    split: u32,
    settled: u32,
    unused: u32,
}

impl Head {
    fn of(state: &State) -> Head {
        Head {
            seed: state.plan.seed,
            steps: state.steps,
            games: state.plan.games,
            hope: state.plan.hope,
            rate: state.plan.rate,
            split: state.split.into(),
            settled: state.settled.into(),
            unused: 0,
        }
    }
}

fn damaged(how: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("this is no whole checkpoint of learn: {how}"),
    )
}

/// Whether a weight was corrected.
fn is_met(errors: &Errors) -> bool {
    errors[1] > 0.0
}
