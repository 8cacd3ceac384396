//! Many games at once: what the environments stand on.

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray3};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tilebase_game::Rng;

use crate::cells::{Boards, FourEach, MOST_EXPONENT, Numbers, wrong_action};
use crate::error::{memory, request};
use crate::game::{Game, Standing, Step};
use crate::rules::Setting;

/// The actions of each set of legal ones, and how many there are.
const LISTS: [([u8; 4], u8); 16] = lists();

const fn lists() -> [([u8; 4], u8); 16] {
    let mut lists = [([0; 4], 0); 16];
    let mut set = 0;
    while set < 16 {
        let mut action = 0;
        while action < 4 {
            if set >> action & 1 == 1 {
                lists[set].0[lists[set].1 as usize] = action as u8;
                lists[set].1 += 1;
            }
            action += 1;
        }
        set += 1;
    }
    lists
}

type Steps<'py> = (Numbers<'py, f64>, Numbers<'py, bool>, Numbers<'py, bool>);

/// All about a game after a step: board, reward, ended, illegal, legal actions, score, won.
type First<'py> = (
    FourEach<'py, u8>,
    f64,
    bool,
    bool,
    Numbers<'py, i8>,
    u64,
    bool,
);

/// Games in progress.
#[pyclass(module = "tilebase._native")]
pub struct Games {
    setting: Setting,
    games: Vec<Game>,
    /// The generator of random actions, apart from the games' dice.
    actions: Rng,
}

impl Games {
    /// The actions of all games, checked.
    fn actions<'a>(&self, actions: &'a PyReadonlyArray1<'_, i64>) -> PyResult<&'a [i64]> {
        let actions = actions.as_slice().map_err(request)?;
        self.fits(actions.len(), "actions")?;
        match actions.iter().find(|&&action| !(0..4).contains(&action)) {
            None => Ok(actions),
            Some(action) => Err(wrong_action(action)),
        }
    }

    fn fits(&self, len: usize, what: &str) -> PyResult<()> {
        let games = self.games.len();
        match len == games {
            true => Ok(()),
            false => Err(request(format!("{len} {what} for {games} games"))),
        }
    }

    fn all<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Game) -> T,
    ) -> Numbers<'py, T> {
        self.games
            .iter()
            .map(of)
            .collect::<Vec<T>>()
            .into_pyarray(py)
    }
}

#[pymethods]
impl Games {
    #[new]
    fn new(variant: &str, num_games: usize) -> PyResult<Games> {
        let setting = Setting::new(variant)?;
        if num_games == 0 {
            return Err(request("0 games: use at least 1"));
        }
        let mut games = Vec::new();
        let reserved = games.try_reserve_exact(num_games);
        reserved.map_err(|_| memory(format_args!("{num_games} games")))?;
        games.extend((0..num_games as u64).map(Game::new));
        Ok(Games {
            setting,
            games,
            actions: Rng::new(0),
        })
    }

    #[getter]
    fn num_games(&self) -> usize {
        self.games.len()
    }

    #[pyo3(signature = (which=None, seeds=None, boards=None))]
    fn reset(
        &mut self,
        which: Option<PyReadonlyArray1<'_, bool>>,
        seeds: Option<PyReadonlyArray1<'_, u64>>,
        boards: Option<PyReadonlyArray3<'_, u8>>,
    ) -> PyResult<()> {
        let which = which.as_ref().map(PyReadonlyArray1::as_array);
        let seeds = seeds.as_ref().map(PyReadonlyArray1::as_array);
        which.map_or(Ok(()), |which| self.fits(which.len(), "flags"))?;
        seeds.map_or(Ok(()), |seeds| self.fits(seeds.len(), "seeds"))?;
        let cells = self.setting.cells;
        let boards = boards.as_ref().map(|boards| self.setting.boards(boards));
        let boards = boards.transpose()?;
        boards.map_or(Ok(()), |b| self.fits(b.len() / cells.len(), "boards"))?;
        if let Some(&seed) = seeds.and_then(|seeds| seeds.first().copied()).as_ref() {
            // Never the dice of a game.
            self.actions = Rng::for_game(seed, u64::MAX);
        }
        for (i, game) in self.games.iter_mut().enumerate() {
            if which.is_some_and(|which| !which[i]) {
                continue;
            }
            let start = boards.map(|boards| &boards[i * cells.len()..][..cells.len()]);
            match seeds {
                Some(seeds) => game.begin(&self.setting, seeds[i], start),
                None => game.begin_next(&self.setting, start),
            }
        }
        Ok(())
    }

    #[pyo3(signature = (actions, live=None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
        live: Option<PyReadonlyArray1<'py, bool>>,
    ) -> PyResult<Steps<'py>> {
        let actions = self.actions(&actions)?;
        let live = live.as_ref().map(PyReadonlyArray1::as_array);
        live.map_or(Ok(()), |live| self.fits(live.len(), "flags"))?;
        let n = self.games.len();
        let mut rewards = vec![0.0; n];
        let (mut ended, mut illegal) = (vec![false; n], vec![false; n]);
        let setting = &self.setting;
        for (i, (game, &action)) in self.games.iter_mut().zip(actions).enumerate() {
            if live.is_some_and(|live| !live[i]) {
                continue;
            }
            match game.slide(action as usize, setting) {
                Step::Slid(points) => {
                    rewards[i] = points as f64;
                    game.spawn(setting);
                    game.look(setting);
                }
                Step::Illegal => illegal[i] = true,
            }
            ended[i] = game.standing() != Standing::Live;
        }
        Ok((
            rewards.into_pyarray(py),
            ended.into_pyarray(py),
            illegal.into_pyarray(py),
        ))
    }

    /// Steps the first game: for environments of a single one, where calls are what takes time.
    fn step_first<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<First<'py>> {
        let number = usize::try_from(action).ok().filter(|&action| action < 4);
        let number = number.ok_or_else(|| wrong_action(action))?;
        let (setting, game) = (&self.setting, &mut self.games[0]);
        let step = game.slide(number, setting);
        if matches!(step, Step::Slid(_)) {
            game.spawn(setting);
            game.look(setting);
        }
        let (reward, illegal) = match step {
            Step::Slid(points) => (points as f64, false),
            Step::Illegal => (0.0, true),
        };
        let mut cells = vec![0; setting.cells.len()];
        game.write(setting, &mut cells);
        let board = Array2::from_shape_vec(setting.cells.sides(), cells).map_err(request)?;
        let mask = [0, 1, 2, 3].map(|action| (game.legal() >> action & 1) as i8);
        Ok((
            board.into_pyarray(py),
            reward,
            game.standing() != Standing::Live,
            illegal,
            mask.to_vec().into_pyarray(py),
            game.score(),
            game.standing() == Standing::Won,
        ))
    }

    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Boards<'py>> {
        let cells = self.setting.cells;
        let mut boards = vec![0; self.games.len() * cells.len()];
        for (to, game) in boards.chunks_exact_mut(cells.len()).zip(&self.games) {
            game.write(&self.setting, to);
        }
        cells.array(py, boards)
    }

    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<FourEach<'py, bool>> {
        let bits = |game: &Game| [0, 1, 2, 3].map(|action| game.legal() >> action & 1 == 1);
        let mut masks = Vec::with_capacity(4 * self.games.len());
        self.games.iter().for_each(|game| masks.extend(bits(game)));
        let masks = Array2::from_shape_vec((self.games.len(), 4), masks);
        Ok(masks.map_err(request)?.into_pyarray(py))
    }

    fn scores<'py>(&self, py: Python<'py>) -> Numbers<'py, i64> {
        self.all(py, |game| game.score() as i64)
    }

    fn moves<'py>(&self, py: Python<'py>) -> Numbers<'py, i64> {
        self.all(py, |game| game.moves() as i64)
    }

    fn won<'py>(&self, py: Python<'py>) -> Numbers<'py, bool> {
        self.all(py, |game| game.standing() == Standing::Won)
    }

    fn ended<'py>(&self, py: Python<'py>) -> Numbers<'py, bool> {
        self.all(py, |game| game.standing() != Standing::Live)
    }

    fn set_boards(&mut self, boards: PyReadonlyArray3<'_, u8>) -> PyResult<()> {
        let cells = self.setting.cells;
        let boards = self.setting.boards(&boards)?;
        self.fits(boards.len() / cells.len(), "boards")?;
        for (game, board) in self.games.iter_mut().zip(boards.chunks(cells.len())) {
            game.set(&self.setting, board);
        }
        Ok(())
    }

    fn slide_only<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
    ) -> PyResult<(Numbers<'py, f64>, Numbers<'py, bool>)> {
        let actions = self.actions(&actions)?;
        let mut rewards = vec![0.0; self.games.len()];
        let mut illegal = vec![false; self.games.len()];
        for (i, (game, &action)) in self.games.iter_mut().zip(actions).enumerate() {
            match game.slide(action as usize, &self.setting) {
                Step::Slid(points) => rewards[i] = points as f64,
                Step::Illegal => illegal[i] = true,
            }
        }
        Ok((rewards.into_pyarray(py), illegal.into_pyarray(py)))
    }

    fn spawn_only(&mut self) {
        for game in &mut self.games {
            game.spawn(&self.setting);
            game.look(&self.setting);
        }
    }

    fn sample_actions<'py>(&mut self, py: Python<'py>) -> Numbers<'py, i64> {
        let rng = &mut self.actions;
        let sample = |game: &Game| {
            let (list, len) = LISTS[usize::from(game.legal())];
            i64::from(list[rng.below(len.into()) as usize])
        };
        let actions: Vec<i64> = self.games.iter().map(sample).collect();
        actions.into_pyarray(py)
    }

    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut bytes = Vec::new();
        let mut cells = vec![0; self.setting.cells.len()];
        let mut put = |numbers: &[u64]| {
            numbers
                .iter()
                .for_each(|number| bytes.extend(number.to_le_bytes()));
        };
        put(&self.actions.state());
        for game in &self.games {
            let (seed, number, rng) = game.dice();
            put(&[seed, number, game.score(), game.moves()]);
            put(&rng.state());
        }
        for game in &self.games {
            game.write(&self.setting, &mut cells);
            bytes.extend(&cells);
        }
        PyBytes::new(py, &bytes)
    }

    fn restore(&mut self, state: &[u8]) -> PyResult<()> {
        let cells = self.setting.cells.len();
        let n = self.games.len();
        if state.len() != 32 + n * (64 + cells) {
            return Err(request("not a state of these games"));
        }
        let (numbers, boards) = state.split_at(32 + 64 * n);
        if boards.iter().any(|&exponent| exponent > MOST_EXPONENT) {
            return Err(request(
                "not a state of these games: it has a tile that is too large",
            ));
        }
        self.setting.check_walls(boards)?;
        let (numbers, _) = numbers.as_chunks::<8>();
        let numbers: Vec<u64> = numbers.iter().map(|&n| u64::from_le_bytes(n)).collect();
        let (numbers, _) = numbers.as_chunks::<4>();
        self.actions = Rng::from_state(numbers[0]);
        for (i, game) in self.games.iter_mut().enumerate() {
            let [[seed, number, score, moves], rng] = [numbers[1 + 2 * i], numbers[2 + 2 * i]];
            game.set(&self.setting, &boards[i * cells..][..cells]);
            game.restore((seed, number, Rng::from_state(rng)), score, moves);
        }
        Ok(())
    }
}
