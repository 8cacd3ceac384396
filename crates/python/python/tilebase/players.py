"""Search, the n-tuple network, and series of games."""

from __future__ import annotations

import importlib.resources
from collections.abc import Callable
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilebase import _native
from tilebase._arrays import BoardsLike, as_boards
from tilebase.rules import Action


class Network:
    """An n-tuple network for 4x4: an estimate of the score still to come after an afterstate.

    >>> network = Network.built_in()
    >>> network.evaluate("2,2,.,./.,.,.,./.,.,.,./.,.,.,.") > 0
    True
    """

    def __init__(self, native: _native.Network, path: Path | None = None) -> None:
        self._native = native
        self._path = path

    @staticmethod
    def load(path: str | PathLike[str]) -> Network:
        """Reads a file that ``tilebase train`` or ``tilebase prune`` wrote."""
        return Network(_native.Network.load(Path(path).read_bytes()), Path(path).absolute())

    @staticmethod
    @cache
    def built_in() -> Network:
        """The network that comes with the package."""
        return Network(_native.Network.load(_built_in_bytes()))

    @staticmethod
    @cache
    def lend_to_service() -> None:
        """Gives the built-in network to `tilebase.ask`."""
        _native.load_network(_built_in_bytes())

    def __reduce__(self) -> tuple[Callable[..., Network], tuple[Any, ...]]:
        return (Network.built_in, ()) if self._path is None else (Network.load, (self._path,))

    def __copy__(self) -> Network:
        return self

    def __deepcopy__(self, _: Any) -> Network:
        return self

    def evaluate(self, boards: BoardsLike) -> Any:
        """Estimates of the score still to come from afterstates: one number, or an array."""
        array, single = as_boards(boards, _rules("4x4"))
        values = self._native.evaluate(array)
        return float(values[0]) if single else values

    def lookups(self, boards: BoardsLike) -> NDArray[np.uint32]:
        """The indices of the weights that are added up for each board: (32,) or (n, 32)."""
        array, single = as_boards(boards, _rules("4x4"))
        found = self._native.lookups(array)
        return found[0] if single else found

    @property
    def quanta(self) -> NDArray[np.int16]:
        """All weights, read-only and without a copy: ``quanta * quantum + default_weight``."""
        return self._native.quanta()

    @property
    def quantum(self) -> float:
        """The unit of `quanta`."""
        return self._native.quantum

    @property
    def default_weight(self) -> float:
        """The weight of quanta 0."""
        return self._native.default_weight


class Advice:
    """What a search found. All values are estimates: see `source`."""

    #: What the numbers are.
    source = "estimate"

    def __init__(self, values: NDArray[np.float64], depth: Any) -> None:
        #: The value of each action, NaN if it is illegal: points of the slide plus the estimate of those
        #: still to come. On shapes other than 4x4 the unit is the evaluation's own.
        self.values = values
        #: The depth of the search, in slides.
        self.depth = depth

    @property
    def best(self) -> Any:
        """The best action, or an array of them; -1 where none is legal."""
        stuck = np.isnan(self.values).all(axis=-1)
        best = np.where(stuck, -1, np.argmax(np.nan_to_num(self.values, nan=-np.inf), axis=-1))
        return best if best.ndim else int(best)

    def __repr__(self) -> str:
        if self.values.ndim == 1:
            action = "stuck" if self.best < 0 else Action(self.best).name.lower()
            return f"Advice({action}, estimate, depth {self.depth})"
        return f"Advice({len(self.values)} boards, estimates)"


def advise(
    boards: BoardsLike,
    *,
    variant: str = "4x4",
    depth: int | None = None,
    seconds: float | None = None,
    network: Network | None = None,
    threads: int = 0,
) -> Advice:
    """Searches boards by expectimax, all cores at work. The values are estimates; those of a `Table`
    are exact. ``depth`` in slides, or ``seconds`` for each board.

    >>> advise("1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2", depth=2).best in (0, 1, 2, 3)
    True
    """
    rules = _rules(variant)
    array, single = as_boards(boards, rules)
    if network is None and (rules.rows, rules.cols) == (4, 4):
        network = Network.built_in()
    native = None if network is None else network._native
    if depth is not None and not 1 <= depth <= 60:
        raise ValueError(f"depth {depth}: use 1 to 60")
    search = _native.Search(variant, depth, seconds, native)
    values, depths = search.advise(array, threads)
    return Advice(values[0], int(depths[0])) if single else Advice(values, depths)


def play(
    variant: str = "4x4",
    *,
    player: str = "expectimax",
    games: int = 1,
    seed: int = 0,
    depth: int | None = None,
    network: Network | None = None,
    threads: int = 0,
    progress: Callable[[str, int, int | None], Any] | None = None,
) -> dict[str, NDArray[Any]]:
    """Plays games, the same as ``tilebase play`` with this seed: scores, moves, largest exponents,
    and whether the target was made, an entry a game.

    >>> games = play("4x4", player="random", games=100, seed=1)
    >>> sorted(games), len(games["score"])
    (['largest', 'moves', 'score', 'won'], 100)
    """
    rules = _rules(variant)
    if games < 1 or not 0 <= seed < 2**64:
        raise ValueError(f"{games} games of seed {seed}: use at least 1, and a seed from 0 to 2**64 - 1")
    if network is None and player == "expectimax" and (rules.rows, rules.cols) == (4, 4):
        network = Network.built_in()
    native = None if network is None else network._native
    return _native.play(variant, player, games, seed, threads, depth, native, progress)


@cache
def _rules(variant: str) -> _native.Rules:
    return _native.Rules(variant)


def _built_in_bytes() -> bytes:
    return importlib.resources.files("tilebase").joinpath("4x4.network").read_bytes()
