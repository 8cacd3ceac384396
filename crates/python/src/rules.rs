//! The rules on batches of boards.

use numpy::ndarray::{Array2, Array4};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray3};
use pyo3::prelude::*;
use tilebase_game::{
    Board, Grid, MAX_PACKED_EXPONENT, Move, Representative, Rules as PackedRules, Symmetry, Variant,
};

use crate::cells::{
    ACTIONS, Boards, BoardsEach, Cells, FourEach, Numbers, action_of, filled, moves,
};
use crate::error::{memory, request};

/// A variant, ready to be played.
#[derive(Clone)]
pub struct Setting {
    pub variant: Variant,
    pub rules: PackedRules,
    pub cells: Cells,
}

impl Setting {
    /// Reads a variant's id.
    pub fn new(variant: &str) -> PyResult<Setting> {
        let variant: Variant = variant.parse().map_err(request)?;
        let rules = PackedRules::of(&variant).map_err(request)?;
        Ok(Setting {
            variant,
            rules,
            cells: Cells::new(variant.shape()),
        })
    }

    /// The boards of an array, checked. With a formation each has all its walls and no tile above
    /// the wall's exponent.
    pub fn boards<'a>(&self, array: &'a PyReadonlyArray3<'_, u8>) -> PyResult<&'a [u8]> {
        let boards = self.cells.boards(array)?;
        self.check_walls(boards)?;
        Ok(boards)
    }

    /// Whether boards have their walls.
    pub fn check_walls(&self, boards: &[u8]) -> PyResult<()> {
        let walls = usize::from(self.rules.walls());
        if walls == 0 {
            return Ok(());
        }
        for board in boards.chunks(self.cells.len()) {
            let found = board.iter().filter(|&&e| e == MAX_PACKED_EXPONENT).count();
            if found != walls || board.iter().any(|&e| e > MAX_PACKED_EXPONENT) {
                return Err(request(format!(
                    "a board of {} has {walls} walls, of exponent 15, and no larger tile",
                    self.variant
                )));
            }
        }
        Ok(())
    }

    /// The packed form of a board, if its slides are exact.
    #[inline]
    pub fn exact(&self, cells: &[u8]) -> Option<Board> {
        let board = self.cells.pack(cells)?;
        self.is_exact(board).then_some(board)
    }

    /// Whether slides of a packed board are exact: no two tiles could make a 65536.
    #[inline]
    pub fn is_exact(&self, board: Board) -> bool {
        self.variant.formation().is_some() || board.slides_exactly()
    }

    /// Writes the board after a slide. The reward, if the slide is legal.
    fn slide(&self, from: &[u8], m: Move, to: &mut [u8]) -> PyResult<Option<i64>> {
        to.copy_from_slice(from);
        if let Some(board) = self.exact(from) {
            let after = self.rules.slide(board, m);
            self.cells.unpack(after, to);
            return Ok((after != board).then(|| self.rules.score(board, m).into()));
        }
        let after = self.cells.grid(from)?.after(m);
        Ok(after.map(|(after, score)| {
            to.copy_from_slice(after.exponents());
            score as i64
        }))
    }

    /// 0 if play goes on, 1 if the game is won, 2 if it is lost.
    pub fn status(&self, cells: &[u8]) -> PyResult<u8> {
        let (won, lost) = match self.exact(cells) {
            Some(board) => (self.variant.is_won(board), self.rules.is_lost(board)),
            None => {
                let grid = self.cells.grid(cells)?;
                let target = self.variant.target();
                (
                    target.is_some_and(|target| grid.reaches(target)),
                    grid.is_lost(),
                )
            }
        };
        Ok(match (won, lost) {
            (true, _) => 1,
            (false, lost) => 2 * u8::from(lost),
        })
    }

    /// Appends the boards after every spawn, and their probabilities.
    fn chance(&self, cells: &[u8], boards: &mut Vec<u8>, chances: &mut Vec<f64>) -> PyResult<()> {
        let spawn = self.variant.spawn();
        let most = 2 * cells.len();
        let room = boards
            .try_reserve(most * cells.len())
            .and(chances.try_reserve(most));
        room.map_err(|_| memory("the boards after all spawns"))?;
        for outcome in self.cells.grid(cells)?.spawns(spawn) {
            boards.extend_from_slice(outcome.board.exponents());
            chances.push(outcome.probability);
        }
        Ok(())
    }

    /// The symmetries of the game.
    fn symmetries(&self) -> Vec<Symmetry> {
        self.rules.symmetries().collect()
    }

    /// The canonical image of a board.
    fn canonical(&self, cells: &[u8]) -> PyResult<Vec<u8>> {
        if let Some(board) = self.cells.pack(cells) {
            let mut out = vec![0; cells.len()];
            self.cells.unpack(self.rules.canonical(board), &mut out);
            return Ok(out);
        }
        Ok(self.cells.grid(cells)?.canonical().exponents().to_vec())
    }
}

type Slides<'py> = (BoardsEach<'py>, FourEach<'py, i64>, FourEach<'py, bool>);
type Slid<'py> = (Boards<'py>, Numbers<'py, i64>, Numbers<'py, bool>);
type Chances<'py> = (Boards<'py>, Numbers<'py, f64>, Numbers<'py, i64>);

/// The rules of one variant, on batches of boards.
#[pyclass(frozen, module = "tilebase._native")]
pub struct Rules(Setting);

#[pymethods]
impl Rules {
    #[new]
    fn new(variant: &str) -> PyResult<Rules> {
        Ok(Rules(Setting::new(variant)?))
    }

    #[getter]
    fn variant(&self) -> String {
        self.0.variant.to_string()
    }

    #[getter]
    fn rows(&self) -> usize {
        self.0.cells.sides().0
    }

    #[getter]
    fn cols(&self) -> usize {
        self.0.cells.sides().1
    }

    #[getter]
    fn target(&self) -> Option<u8> {
        self.0.variant.target()
    }

    #[getter]
    fn start_tiles(&self) -> u16 {
        self.0.variant.start_tiles()
    }

    #[getter]
    fn walls(&self) -> u8 {
        self.0.rules.walls()
    }

    #[getter]
    fn four_probability(&self) -> f64 {
        self.0.variant.spawn().probability(2)
    }

    fn slides<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<Slides<'py>> {
        let Setting { cells, .. } = self.0;
        let from = self.0.boards(&boards)?;
        let n = from.len() / cells.len();
        let mut after = filled(4 * from.len(), 0)?;
        let (mut rewards, mut legal) = (filled(4 * n, 0)?, filled(4 * n, false)?);
        py.detach(|| {
            for (i, to) in after.chunks_mut(cells.len()).enumerate() {
                let from = &from[i / 4 * cells.len()..][..cells.len()];
                if let Some(reward) = self.0.slide(from, ACTIONS[i % 4], to)? {
                    (rewards[i], legal[i]) = (reward, true);
                }
            }
            Ok::<(), PyErr>(())
        })?;
        let (rows, cols) = cells.sides();
        let after = Array4::from_shape_vec((n, 4, rows, cols), after).map_err(request)?;
        let rewards = Array2::from_shape_vec((n, 4), rewards).map_err(request)?;
        let legal = Array2::from_shape_vec((n, 4), legal).map_err(request)?;
        Ok((
            after.into_pyarray(py),
            rewards.into_pyarray(py),
            legal.into_pyarray(py),
        ))
    }

    fn slide<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
        actions: PyReadonlyArray1<'py, u8>,
    ) -> PyResult<Slid<'py>> {
        let Setting { cells, .. } = self.0;
        let from = self.0.boards(&boards)?;
        let n = from.len() / cells.len();
        let moves = moves(actions.as_array(), n)?;
        let mut after = vec![0; from.len()];
        let (mut rewards, mut legal) = (vec![0; n], vec![false; n]);
        py.detach(|| {
            let boards = from.chunks(cells.len()).zip(after.chunks_mut(cells.len()));
            for (i, ((from, to), &m)) in boards.zip(&moves).enumerate() {
                if let Some(reward) = self.0.slide(from, m, to)? {
                    (rewards[i], legal[i]) = (reward, true);
                }
            }
            Ok::<(), PyErr>(())
        })?;
        Ok((
            cells.array(py, after)?,
            rewards.into_pyarray(py),
            legal.into_pyarray(py),
        ))
    }

    fn legal<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<FourEach<'py, bool>> {
        let Setting { cells, .. } = self.0;
        let from = self.0.boards(&boards)?;
        let legal = py.detach(|| {
            let mut legal = Vec::with_capacity(4 * from.len() / cells.len());
            for board in from.chunks(cells.len()) {
                let moves = match self.0.exact(board) {
                    Some(board) => self.0.rules.legal_moves(board),
                    None => self.0.cells.grid(board)?.legal_moves(),
                };
                legal.extend(ACTIONS.map(|m| moves.contains(m)));
            }
            Ok::<_, PyErr>(legal)
        })?;
        let legal = Array2::from_shape_vec((legal.len() / 4, 4), legal);
        Ok(legal.map_err(request)?.into_pyarray(py))
    }

    fn status<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<Numbers<'py, u8>> {
        let from = self.0.boards(&boards)?;
        let status = from.chunks(self.0.cells.len()).map(|b| self.0.status(b));
        Ok(status.collect::<PyResult<Vec<u8>>>()?.into_pyarray(py))
    }

    fn chance<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<Chances<'py>> {
        let from = self.0.boards(&boards)?;
        let (mut after, mut chances, mut offsets) = (Vec::new(), Vec::new(), vec![0i64]);
        for board in from.chunks(self.0.cells.len()) {
            self.0.chance(board, &mut after, &mut chances)?;
            offsets.push(chances.len() as i64);
        }
        Ok((
            self.0.cells.array(py, after)?,
            chances.into_pyarray(py),
            offsets.into_pyarray(py),
        ))
    }

    fn start_states<'py>(&self, py: Python<'py>) -> PyResult<(Boards<'py>, Numbers<'py, f64>)> {
        let Setting {
            variant,
            rules,
            cells,
        } = &self.0;
        let of = Representative::Itself;
        let states = rules.start_states(variant.spawn(), variant.start_tiles(), of);
        let mut boards = vec![0; states.len() * cells.len()];
        for (to, (board, _)) in boards.chunks_mut(cells.len()).zip(&states) {
            cells.unpack(*board, to);
        }
        let chances: Vec<f64> = states.iter().map(|&(_, chance)| chance).collect();
        Ok((cells.array(py, boards)?, chances.into_pyarray(py)))
    }

    fn canonical<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<Boards<'py>> {
        let from = self.0.boards(&boards)?;
        let images = from.chunks(self.0.cells.len()).map(|b| self.0.canonical(b));
        let images: Vec<Vec<u8>> = images.collect::<PyResult<_>>()?;
        self.0.cells.array(py, images.concat())
    }

    fn images<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<BoardsEach<'py>> {
        let cells = self.0.cells;
        let from = self.0.boards(&boards)?;
        let symmetries = self.0.symmetries();
        let mut images = filled(from.len() * symmetries.len(), 0)?;
        images.clear();
        for board in from.chunks(cells.len()) {
            let grid: Grid = cells.grid(board)?;
            for &symmetry in &symmetries {
                images.extend_from_slice(grid.image(symmetry).exponents());
            }
        }
        let (rows, cols) = cells.sides();
        let shape = (from.len() / cells.len(), symmetries.len(), rows, cols);
        let images = Array4::from_shape_vec(shape, images).map_err(request)?;
        Ok(images.into_pyarray(py))
    }

    fn image_actions<'py>(&self, py: Python<'py>) -> PyResult<FourEach<'py, u8>> {
        let symmetries = self.0.symmetries();
        let image =
            |symmetry: &Symmetry| ACTIONS.map(|m| action_of(symmetry.apply_to_move(m)) as u8);
        let actions: Vec<u8> = symmetries.iter().flat_map(image).collect();
        let actions = Array2::from_shape_vec((symmetries.len(), 4), actions);
        Ok(actions.map_err(request)?.into_pyarray(py))
    }

    fn parse<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Boards<'py>> {
        let grid = self.0.variant.parse_grid(text).map_err(request)?;
        self.0.cells.array(py, grid.exponents().to_vec())
    }

    fn format(&self, boards: PyReadonlyArray3<'_, u8>) -> PyResult<Vec<String>> {
        let cells = self.0.cells;
        let from = self.0.boards(&boards)?;
        let text = |board: &[u8]| Ok(self.0.variant.tiles_text(&cells.grid(board)?));
        from.chunks(cells.len()).map(text).collect()
    }

    fn pack<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, u8>,
    ) -> PyResult<Numbers<'py, u64>> {
        let cells = self.0.cells;
        let from = self.0.boards(&boards)?.chunks(cells.len());
        let codes = from.map(|board| Ok(cells.packed(board)?.bits()));
        Ok(codes.collect::<PyResult<Vec<u64>>>()?.into_pyarray(py))
    }

    fn unpack<'py>(
        &self,
        py: Python<'py>,
        codes: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<Boards<'py>> {
        let cells = self.0.cells;
        let mut boards = vec![0; codes.as_array().len() * cells.len()];
        for (to, &code) in boards.chunks_mut(cells.len()).zip(codes.as_array()) {
            cells.unpack(Board::from_bits(code), to);
            if cells.pack(to) != Some(Board::from_bits(code)) {
                let shape = cells.shape;
                return Err(request(format!("{code:#x} is no packed board of {shape}")));
            }
        }
        cells.array(py, boards)
    }
}
