"""Tables of solved games: exact optimal values, and what a policy loses against them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tilebase import _native
from tilebase._arrays import BoardsLike, as_actions, as_boards
from tilebase.rules import Rules, Status

if TYPE_CHECKING:
    import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]

#: A function that is called every tenth of a second with the stage, the units done, and those in all.
Progress = Callable[[str, int, "int | None"], Any]

#: A function of boards (n, rows, cols) that returns actions (n,) or probabilities of actions (n, 4).
Policy = Callable[[NDArray[np.uint8]], Any]


@dataclass(frozen=True)
class Evaluation:
    """The exact value of a policy in a table's game."""

    #: The value of the random start under the policy.
    value: float | None
    #: The same under optimal play.
    optimal: float | None
    #: What the policy's mistakes cost in all; ``None`` for the objective ``moves``, whose losses do not
    #: add up.
    regret: float | None
    #: The probability that the policy makes the target.
    won: float
    #: Its mean score.
    score: float
    #: Its mean number of moves.
    moves: float
    #: The probability of losing, by the exponent of the largest tile.
    lost: NDArray[np.float64]
    #: What the numbers are: sums over all positions, no samples.
    source: ClassVar[str] = "exact"
    #: Layer by layer, by the sum of the tiles: columns ``sum``, ``states``, ``visited``, ``won``, ``lost``,
    #: ``mistakes``, ``regret``.
    layers: dict[str, NDArray[Any]]


class Table:
    """Exact values of every position of a solved game.

    Values are those of optimal play, computed in 64-bit floating point: `relative_error` bounds their
    error. In tables with rounded values the bound is larger, and `source` says ``"rounded"``.

    >>> import tilebase
    >>> table = tilebase.solve("2x2", to=16)
    >>> table.source, table.states
    ('exact', 35)
    >>> round(table.value("2,2/.,4"), 6)
    0.972775
    """

    def __init__(self, native: _native.Table) -> None:
        self._native = native
        self._game = Rules(native.variant)
        self._rules = self._game._native
        self._info: dict[str, Any] = json.loads(native.info())

    @property
    def variant(self) -> str:
        """The game: its id."""
        return self._native.variant

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._game

    @property
    def discount(self) -> float:
        """What a win is worth less with each move; 1 if nothing."""
        return float(self._info.get("discount") or 1.0)

    @property
    def objective(self) -> str:
        """What optimal play aims at: ``win``, ``score``, ``moves`` or ``survival``."""
        return self._native.objective

    @property
    def states(self) -> int:
        """Live positions, one for each class of images."""
        return self._native.states

    @property
    def source(self) -> str:
        """What values are: ``exact``, or ``rounded`` to 16 bits. Either within `relative_error`."""
        return "exact" if self._info.get("content", "values") == "values" else "rounded"

    @property
    def relative_error(self) -> float:
        """A bound on the relative error of values."""
        return self._native.relative_error

    @property
    def start_value(self) -> float:
        """The value of the random start."""
        value = self._native.start_value
        return float("nan") if value is None else value

    @property
    def info(self) -> dict[str, Any]:
        """The manifest of the table, as docs/tables.md describes it."""
        return dict(self._info)

    def value(self, boards: BoardsLike, *, threads: int = 0) -> Any:
        """The value of each board under optimal play: a number or an array. NaN if the table does not
        know it, because no play leads there.
        """
        array, single = as_boards(boards, self._rules)
        values = self._native.probe(array, threads)[0]
        return float(values[0]) if single else values

    def q_values(self, boards: BoardsLike, *, threads: int = 0) -> NDArray[np.float64]:
        """The value of each action: (4,) or (n, 4). NaN if it is illegal or not known.

        >>> import tilebase
        >>> tilebase.solve("2x2", to=16).q_values("4,2/.,2").round(4).tolist()
        [0.9728, nan, 0.9728, 0.8546]
        """
        array, single = as_boards(boards, self._rules)
        values = self._native.probe(array, threads)[1]
        return values[0] if single else values

    def best_actions(self, boards: BoardsLike, *, threads: int = 0) -> NDArray[np.bool_]:
        """Which actions are best: (4,) or (n, 4). Several are, where their values are equal up to
        rounding.
        """
        array, single = as_boards(boards, self._rules)
        best = self._native.probe(array, threads)[2]
        return best[0] if single else best

    def best_moves(self, boards: BoardsLike, *, threads: int = 0) -> Any:
        """The first of the best actions of each board; -1 where the game has ended or the table knows
        nothing.

        >>> import tilebase
        >>> tilebase.solve("2x2", to=16).best_moves(["4,2/.,2", "2,4/4,2"]).tolist()
        [0, -1]
        """
        best = self.best_actions(boards, threads=threads)
        first = np.where(best.any(axis=-1), best.argmax(axis=-1), -1)
        return first if first.ndim else int(first)

    def status(self, boards: BoardsLike, *, threads: int = 0) -> Any:
        """Whether play goes on: a `tilebase.Status`, or an array of them."""
        array, single = as_boards(boards, self._rules)
        status = self._native.probe(array, threads)[3]
        return Status(int(status[0])) if single else status

    def regret(self, boards: BoardsLike, actions: Any, *, threads: int = 0) -> Any:
        """What each action loses against the best one. NaN if it is illegal or not known. One action
        may be given for many boards.

        >>> import tilebase
        >>> table = tilebase.solve("2x2", to=16)
        >>> table.regret(["4,2/.,2", "4,2/.,2"], [0, 3]).round(4).tolist()
        [0.0, 0.1182]
        """
        array, single = as_boards(boards, self._rules)
        given = np.asarray(actions)
        chosen = as_actions(np.full(len(array), given) if given.ndim == 0 else given, len(array))
        losses = self._native.probe(array, threads)[4]
        regret = losses[np.arange(len(array)), chosen]
        return float(regret[0]) if single else regret

    def sample(self, n: int, seed: int = 0) -> NDArray[np.uint8]:
        """Random positions of the game, each class as likely as any other, turned at random.

        >>> import tilebase
        >>> tilebase.solve("2x2", to=16).sample(5).shape
        (5, 2, 2)
        """
        return self._native.sample(n, seed)

    def evaluate(
        self,
        policy: Policy,
        *,
        symmetric: bool = False,
        batch: int = 1 << 16,
        progress: Progress | None = None,
    ) -> Evaluation:
        """The exact value of a policy, and its regret layer by layer: no games are played.

        The policy is called with arrays of at most `batch` boards. With `symmetric` it is asked
        about canonical boards alone and taken to turn and mirror with the board: on squares eight times as
        fast. Tables with rounded values or best moves only cannot evaluate.

        >>> import tilebase
        >>> table = tilebase.solve("2x2", to=16)
        >>> def random_player(boards):
        ...     legal = table.rules.legal_actions(boards)
        ...     return legal / legal.sum(axis=1, keepdims=True)
        >>> result = table.evaluate(random_player)
        >>> round(result.value, 4), round(result.regret, 4)
        (0.1218, 0.8408)
        """
        if batch < 1:
            raise ValueError(f"a batch of {batch} boards: use at least 1")

        def probabilities(boards: NDArray[np.uint8]) -> NDArray[np.float64]:
            answer = np.asarray(policy(boards))
            if answer.ndim not in (1, 2):
                raise ValueError(
                    f"the policy returned an array of shape {answer.shape}: use actions ({len(boards)},) "
                    f"or probabilities ({len(boards)}, 4)"
                )
            if answer.ndim == 1:
                weights = np.zeros((len(boards), 4))
                weights[np.arange(len(boards)), as_actions(answer, len(boards))] = 1.0
                return weights
            return np.ascontiguousarray(answer, dtype=np.float64)

        return Evaluation(**self._native.evaluate(probabilities, symmetric, batch, progress))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Every position, column by column: ``code`` (`tilebase.Rules.unpack` makes boards of them),
        ``sum``, ``largest`` (exponent), ``value``, ``win``, ``category`` (0 open, 1 sure win, 2 sure
        loss), ``best`` (bits of actions), and the values of ``up``, ``right``, ``down``, ``left``.
        """
        return self._native.columns()

    def layers(self) -> dict[str, NDArray[Any]]:
        """The layers by tile sum: ``states``, ``afterstates``, ``sure_wins``, ``sure_losses``."""
        return self._native.layers()

    def to_arrow(self) -> pyarrow.Table:
        """`columns` as an Arrow table, without a copy. Needs pyarrow. Polars, pandas and DuckDB read it
        through Arrow's C interface: ``polars.from_arrow(table.to_arrow())``.
        """
        import pyarrow

        return pyarrow.table({name: pyarrow.array(column) for name, column in self.columns().items()})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The table for whatever reads Arrow's C interface: ``polars.DataFrame(table)``. Needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __reduce__(self) -> tuple[Callable[[str], Table], tuple[str]]:
        if self._native.path is None:
            raise TypeError("a table in memory cannot be pickled: solve it with out=DIR")
        return open_table, (self._native.path,)

    def __copy__(self) -> Table:
        return self

    def __deepcopy__(self, _: Any) -> Table:
        return self

    def __repr__(self) -> str:
        return f"Table({self.variant!r}, {self.objective}, {self.states:,} states, {self.source})"


def solve(
    variant: str,
    *,
    to: int | None = None,
    objective: str = "win",
    discount: float | None = None,
    out: str | PathLike[str] | None = None,
    rounded: bool = False,
    threads: int = 0,
    memory: int | None = None,
    progress: Progress | None = None,
) -> Table:
    """Solves a game: optimal play in every position, by the layers of the game.

    `variant` is a shape or the id of a variant, `to` the target tile, `objective` what play aims at: ``win``
    (with a `discount` for each move, if one is given), ``score``, ``moves`` to the win, or ``survival``. Without `out` the table stays in
    memory; with it, it is written there, and a run that was killed goes on. `progress` is called
    every tenth of a second with the stage, the units done, and the units in all.

    >>> solve("2x2", to=16)
    Table('2x2-to-16', win, 35 states, exact)
    """
    variant = _with_target(variant, to)
    path = None if out is None else fspath(out)
    return Table(
        _native.Table.solve(variant, objective, discount, path, threads, memory, rounded, progress)
    )


@dataclass(frozen=True)
class GpuSolution:
    """A game that a GPU has solved: exact values of the start and of the boards asked for."""

    #: The value of the random start.
    start_value: float | None
    #: A bound on the relative error of values.
    relative_error: float
    #: Live positions of the game.
    states: int
    #: What the numbers are.
    source: ClassVar[str] = "exact"
    #: The value of each board; NaN if it is not a position of the game.
    values: NDArray[np.float64]
    #: The value of each action, (n, 4); NaN if it is illegal.
    q_values: NDArray[np.float64]


def solve_on_gpu(
    variant: str,
    boards: BoardsLike = (),
    *,
    to: int | None = None,
    objective: str = "win",
    discount: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
) -> GpuSolution:
    """Solves a game on the first CUDA GPU, for games whose tables no disk would hold, such as 4x4 to 128.
    Boards must be named beforehand, since no table remains.
    """
    variant = _with_target(variant, to)
    rules = _native.Rules(variant)
    if isinstance(boards, (list, tuple)) and not boards:
        boards = np.zeros((0, rules.rows, rules.cols), np.uint8)
    array, _ = as_boards(boards, rules)
    found = _native.solve_gpu(variant, objective, discount, array, memory, progress)
    return GpuSolution(**found)


def _with_target(variant: str, to: int | None) -> str:
    """The id of a variant with a target tile."""
    if to is None:
        return variant
    shape, separator, rest = variant.partition("-")
    if rest.startswith("to-"):
        raise ValueError(f"{variant} has a target already: leave out to={to}")
    return f"{shape}-to-{to}{separator}{rest}"


def open_table(path: str | PathLike[str]) -> Table:
    """Opens a table that ``tilebase solve --out`` or `solve` wrote. Values are read as they are needed."""
    return Table(_native.Table.open(fspath(path)))
