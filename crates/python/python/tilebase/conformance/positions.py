"""Positions to set up: those that random games seldom or never reach."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from . import rules
from .rules import Board, board_from_text

UP, RIGHT, DOWN, LEFT = range(4)

FULL = board_from_text("8,8,32,128/16,64,256,32/8,32,64,16/128,64,32,8")
"""Full, with one merge, in the first row. A slide to the left leaves another one, whatever spawns."""

MAKES_2048 = board_from_text("1024,1024,.,./4,8,.,./.,.,.,./.,.,.,.")
MAKES_32768 = board_from_text("16384,16384,.,./4,8,.,./.,.,.,./.,.,.,.")
MAKES_65536 = board_from_text("32768,32768,.,./4,8,.,./.,.,.,./.,.,.,.")
MAKES_131072 = board_from_text("65536,65536,.,./4,8,.,./.,.,.,./.,.,.,.")
HOLDS_2048 = board_from_text("2048,4,.,./4,8,.,./.,.,.,./.,.,.,.")
HOLDS_32768 = board_from_text("32768,4,.,./4,8,.,./.,.,.,./.,.,.,.")
HOLDS_65536 = board_from_text("65536,4,.,./4,8,.,./.,.,.,./.,.,.,.")
HOLDS_131072 = board_from_text("131072,4,.,./4,8,.,./.,.,.,./.,.,.,.")

MILESTONES: dict[int, tuple[Board, Board]] = {
    11: (MAKES_2048, HOLDS_2048),
    15: (MAKES_32768, HOLDS_32768),
    16: (MAKES_65536, HOLDS_65536),
    17: (MAKES_131072, HOLDS_131072),
}
"""For a large tile: a position where a slide to the left makes it, and one that holds it already."""

BECOMES_STUCK = board_from_text("32,32,128,512/16,256,1024,16/128,512,32,128/8,16,64,32")
"""Full, one merge to the left; stuck whatever spawns."""


def lines() -> Iterator[tuple[Board, int]]:
    """All 256 lines of empty, 2, 4 and 8, four to a board, slid in each direction."""
    every = list(product(range(4), repeat=4))
    for start in range(0, len(every), 4):
        rows = tuple(tile for line in every[start : start + 4] for tile in line)
        columns = tuple(rows[4 * c + r] for r in range(4) for c in range(4))
        for board, directions in ((rows, (LEFT, RIGHT)), (columns, (UP, DOWN))):
            for direction in directions:
                if any(board):
                    yield board, direction


def one_merge_left() -> Iterator[tuple[Board, int]]:
    """Slides after which the board is full and exactly one of the 24 neighbouring pairs is equal.

    An environment that overlooks that pair ends the game too early.
    """
    base = [3 + (cell // 4 + cell % 4) % 2 + 2 * (cell % 3) for cell in range(16)]
    for cell in range(12):
        board = list(base)
        board[cell] = board[cell + 4] = 10
        row = 0 if cell // 4 >= 2 else 3
        board[4 * row : 4 * row + 4] = [0, *board[4 * row : 4 * row + 3]]
        yield tuple(board), LEFT
        yield tuple(board[4 * c + r] for r in range(4) for c in range(4)), UP


def _turned(board: Board, direction: int) -> Board:
    """The board mirrored and flipped so that a slide to the left becomes one in this direction."""
    rows = [board[4 * r : 4 * r + 4] for r in range(4)]
    if direction in (RIGHT, DOWN):
        rows = [row[::-1] for row in rows]
    if direction in (UP, DOWN):
        rows = list(zip(*rows))
    return tuple(tile for row in rows for tile in row)


def all_positions(repeats: int) -> Iterator[tuple[Board, int, int]]:
    """Position, direction of the slide, and how often."""
    for board, direction in lines():
        yield board, direction, 1
    for direction in range(4):
        for board in (FULL, BECOMES_STUCK):
            turned = _turned(board, direction)
            if rules.slide(turned, direction)[0] == turned:
                raise AssertionError("a position was turned the wrong way")
            yield turned, direction, repeats
    for board, direction in one_merge_left():
        yield board, direction, 2
    for makes, holds in MILESTONES.values():
        yield makes, LEFT, 2
        yield holds, RIGHT, 2
        yield holds, DOWN, 2
