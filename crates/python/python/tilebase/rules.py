"""The rules of 2048 and its relatives, on single boards and on batches.

A board is an array of exponents, one byte a cell: 0 is empty, 1 a 2, 11 a 2048. All functions take one
board (rows, cols), many boards (n, rows, cols), or texts such as ``"2,2,4/.,.,./.,.,8"``.
Actions are 0 up, 1 right, 2 down, 3 left.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilebase import _native
from tilebase._arrays import BoardsLike, as_actions, as_boards


class Action(IntEnum):
    """A slide, in the order that most environments use.

    >>> Action.LEFT
    <Action.LEFT: 3>
    """

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3


class Status(IntEnum):
    """Whether play goes on from a board."""

    LIVE = 0
    WON = 1
    LOST = 2
    #: In the game of a table: no sequence of moves leads to it.
    UNREACHABLE = 3


class Slides(NamedTuple):
    """What slides do: the boards after them, the points, and whether they are legal."""

    boards: NDArray[np.uint8]
    rewards: NDArray[np.int64]
    legal: NDArray[np.bool_]


class Chance(NamedTuple):
    """What can fall: the boards with the new tile, and their probabilities."""

    boards: NDArray[np.uint8]
    probabilities: NDArray[np.float64]


class Rules:
    """The rules of a variant, such as ``4x4``, ``3x3-to-512`` or ``4x4-to-512-formation-L3``.

    >>> rules = Rules("3x3-to-512")
    >>> rules.shape, rules.target
    ((3, 3), 512)
    >>> after = rules.slide("2,2,4/.,.,./.,.,8", Action.LEFT)
    >>> rules.format(after.boards), int(after.rewards)
    ('4,4,./.,.,./8,.,.', 4)
    """

    def __init__(self, variant: str = "4x4") -> None:
        self._native = _native.Rules(variant)

    @property
    def variant(self) -> str:
        """The full id of the variant."""
        return self._native.variant

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._native.rows, self._native.cols

    @property
    def target(self) -> int | None:
        """The tile that wins, such as 2048; ``None`` if play ends only when it is stuck."""
        exponent = self._native.target
        return None if exponent is None else 1 << exponent

    @property
    def target_exponent(self) -> int | None:
        """The exponent of the target, as boards have it.

        >>> Rules("3x3-to-512").target_exponent
        9
        """
        return self._native.target

    @property
    def start_tiles(self) -> int:
        """Tiles on the board at the start."""
        return self._native.start_tiles

    @property
    def walls(self) -> int:
        """Walls of the formation; 0 without one. A wall is the exponent 15."""
        return self._native.walls

    @property
    def four_probability(self) -> float:
        """The probability that a new tile is a 4.

        >>> Rules("4x4").four_probability
        0.1
        """
        return self._native.four_probability

    @property
    def max_exponent(self) -> int:
        """The largest exponent that play can reach.

        >>> Rules("4x4").max_exponent, Rules("3x3-to-512").max_exponent
        (17, 9)
        """
        cells = self._native.rows * self._native.cols - self.walls
        largest = cells + (1 if self.four_probability > 0 else 0)
        return largest if self._native.target is None else min(largest, self._native.target)

    def slide(self, boards: BoardsLike, actions: Any) -> Slides:
        """The boards after one slide each, before the new tile. An illegal slide changes nothing.

        >>> bool(Rules("2x2").slide("2,4/.,.", Action.UP).legal)
        False
        """
        array, single = as_boards(boards, self._native)
        actions = np.asarray(actions)
        if actions.ndim == 0:
            actions = np.full(len(array), actions)
        after, rewards, legal = self._native.slide(array, as_actions(actions, len(array)))
        return Slides(after[0], rewards[0], legal[0]) if single else Slides(after, rewards, legal)

    def afterstates(self, boards: BoardsLike) -> Slides:
        """The boards after all four slides: arrays with an axis of 4 actions.

        >>> Rules("4x4").afterstates(np.zeros((10, 4, 4), np.uint8)).boards.shape
        (10, 4, 4, 4)
        """
        array, single = as_boards(boards, self._native)
        after, rewards, legal = self._native.slides(array)
        return Slides(after[0], rewards[0], legal[0]) if single else Slides(after, rewards, legal)

    def legal_actions(self, boards: BoardsLike) -> NDArray[np.bool_]:
        """Which slides change the board: (4,) or (n, 4). Also on a board that is won, where an environment
        offers none.

        >>> Rules("2x2").legal_actions("2,4/.,.").tolist()
        [False, False, True, False]
        """
        array, single = as_boards(boards, self._native)
        legal = self._native.legal(array)
        return legal[0] if single else legal

    def status(self, boards: BoardsLike) -> Any:
        """Whether play goes on: a `Status`, or an array of them.

        >>> Rules("2x2").status("2,4/4,2")
        <Status.LOST: 2>
        """
        array, single = as_boards(boards, self._native)
        status = self._native.status(array)
        return Status(int(status[0])) if single else status

    def chance(self, board: BoardsLike) -> Chance:
        """All ways in which the next tile can fall on one board, usually an afterstate.

        >>> outcomes = Rules("2x2").chance("2,./.,.")
        >>> len(outcomes.boards), round(float(outcomes.probabilities[0]), 12)
        (6, 0.3)
        """
        array, single = as_boards(board, self._native)
        if not single:
            raise ValueError("chance takes one board; for many use chances")
        boards, probabilities, _ = self._native.chance(array)
        return Chance(boards, probabilities)

    def chances(self, boards: BoardsLike) -> tuple[Chance, NDArray[np.int64]]:
        """The outcomes of many boards, one after the other, and n + 1 offsets: those of board i are
        from ``offsets[i]`` to ``offsets[i + 1]``.

        >>> outcomes, offsets = Rules("2x2").chances(["2,./.,.", "2,2/2,."])
        >>> offsets.tolist()
        [0, 6, 8]
        """
        array, _ = as_boards(boards, self._native)
        after, probabilities, offsets = self._native.chance(array)
        return Chance(after, probabilities), offsets

    def start_states(self) -> Chance:
        """All boards that a game can start from, with their probabilities.

        >>> round(float(Rules("3x3").start_states().probabilities.sum()), 12)
        1.0
        """
        return Chance(*self._native.start_states())

    def canonical(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """The board that stands for all its images.

        >>> rules = Rules("2x2")
        >>> bool((rules.canonical("2,4/.,.") == rules.canonical(".,2/.,4")).all())
        True
        """
        array, single = as_boards(boards, self._native)
        found = self._native.canonical(array)
        return found[0] if single else found

    def images(self, boards: BoardsLike) -> NDArray[np.uint8]:
        """All images under turns and mirrors, the board itself first: an axis of 8, or 4 if the shape is
        not a square. `image_actions` has what becomes of actions.

        >>> Rules("3x4").images(np.zeros((3, 4), np.uint8)).shape
        (4, 3, 4)
        """
        array, single = as_boards(boards, self._native)
        found = self._native.images(array)
        return found[0] if single else found

    def image_actions(self) -> NDArray[np.uint8]:
        """For each image, what each action becomes.

        >>> Rules("4x4").image_actions()[0].tolist()
        [0, 1, 2, 3]
        """
        return self._native.image_actions()

    def parse(self, text: str) -> NDArray[np.uint8]:
        """Reads a board: tiles, such as ``2,./4,.``, or hex digits, such as ``0x1020``.

        >>> Rules("2x2").parse("2,./4,.").tolist()
        [[1, 0], [2, 0]]
        """
        boards = self._native.parse(text)
        return boards.reshape(self.shape)

    def format(self, boards: BoardsLike) -> Any:
        """Boards as texts.

        >>> Rules("2x2").format([[1, 0], [2, 11]])
        '2,./4,2048'
        """
        array, single = as_boards(boards, self._native)
        texts = self._native.format(array)
        return texts[0] if single else texts

    def pack(self, boards: BoardsLike) -> Any:
        """Boards as numbers of 64 bits, four bits a cell, for keys of dictionaries. Not for tiles above
        32768.

        >>> hex(Rules("2x2").pack([[1, 0], [2, 11]]))
        '0x10002b0000000000'
        """
        array, single = as_boards(boards, self._native)
        codes = self._native.pack(array)
        return int(codes[0]) if single else codes

    def unpack(self, codes: Any) -> NDArray[np.uint8]:
        """Boards from their numbers.

        >>> rules = Rules("3x3")
        >>> rules.format(rules.unpack(rules.pack("2,2,4/.,.,./.,.,8")))
        '2,2,4/.,.,./.,.,8'
        """
        given = np.asarray(codes)
        if given.ndim > 1 or (given.size and not np.issubdtype(given.dtype, np.integer)):
            raise ValueError("codes are whole numbers: one, or an array of one axis")
        array = given.astype(np.uint64)
        found = self._native.unpack(np.ascontiguousarray(np.atleast_1d(array)))
        return found[0] if array.ndim == 0 else found

    def __reduce__(self) -> tuple[type[Rules], tuple[str]]:
        return Rules, (self.variant,)

    def __repr__(self) -> str:
        return f"Rules({self.variant!r})"
