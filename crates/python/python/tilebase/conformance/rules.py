"""The rules of 2048 on 4x4 in plain Python: what other environments are compared with.

A board is a tuple of 16 exponents, row by row: 0 empty, 1 for a 2, 11 for a 2048. Written for reading, not for
speed, and on its own: nothing here calls the compiled part of the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Board = tuple[int, ...]
Line = tuple[int, int, int, int]

DIRECTIONS = ("up", "right", "down", "left")


def _lines(direction: int) -> list[Line]:
    """The cells of the four lines of a slide, each from the wall that it goes to."""
    rows: list[Line] = [(4 * r, 4 * r + 1, 4 * r + 2, 4 * r + 3) for r in range(4)]
    columns: list[Line] = [(c, c + 4, c + 8, c + 12) for c in range(4)]
    lines = columns if DIRECTIONS[direction] in ("up", "down") else rows
    if DIRECTIONS[direction] in ("down", "right"):
        lines = [(d, c, b, a) for a, b, c, d in lines]
    return lines


LINES = [_lines(direction) for direction in range(4)]


def slide_line(line: Sequence[int]) -> tuple[list[int], list[int]]:
    """A line after a slide to its first cell, and the exponents made by merging."""
    after, made = _slide_line(tuple(line))
    return list(after), list(made)


@lru_cache(maxsize=65536)
def _slide_line(line: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    tiles = [tile for tile in line if tile]
    out: list[int] = []
    made: list[int] = []
    while tiles:
        if len(tiles) > 1 and tiles[0] == tiles[1]:
            out.append(tiles[0] + 1)
            made.append(tiles[0] + 1)
            tiles = tiles[2:]
        else:
            out.append(tiles[0])
            tiles = tiles[1:]
    return tuple(out + [0] * (len(line) - len(out))), tuple(made)


def slide(board: Board, direction: int) -> tuple[Board, list[int]]:
    """The board after a slide, before the new tile, and the exponents made by merging."""
    after = list(board)
    made: list[int] = []
    for cells in LINES[direction]:
        line, merged = _slide_line((board[cells[0]], board[cells[1]], board[cells[2]], board[cells[3]]))
        made += merged
        for cell, tile in zip(cells, line):
            after[cell] = tile
    return tuple(after), made


def score(made: Sequence[int]) -> int:
    """The points of a slide: the sum of the tiles made by merging."""
    return sum(1 << exponent for exponent in made)


def legal(board: Board) -> list[bool]:
    """For each direction: does the slide change the board?"""
    return [slide(board, direction)[0] != board for direction in range(4)]


def stuck(board: Board) -> bool:
    """No slide changes the board."""
    if 0 in board:
        return not any(board)
    for cell in range(16):
        if cell % 4 < 3 and board[cell] == board[cell + 1]:
            return False
        if cell < 12 and board[cell] == board[cell + 4]:
            return False
    return True


def chance_of_stuck(afterstate: Board) -> tuple[bool, bool]:
    """Can one new tile make this position stuck, and must it?"""
    empty = [cell for cell in range(16) if afterstate[cell] == 0]
    if len(empty) > 1:
        return False, False
    if not empty:
        return stuck(afterstate), stuck(afterstate)
    (cell,) = empty
    ends = [stuck(afterstate[:cell] + (tile,) + afterstate[cell + 1 :]) for tile in (1, 2)]
    return any(ends), all(ends)


def board_of(cells: Any) -> Board:
    """A board from anything of 16 exponents, such as an array of shape (4, 4)."""
    array = np.asarray(cells)
    if array.size != 16:
        raise ValueError(f"a board has 16 cells, not an array of shape {array.shape}")
    return tuple(int(tile) for tile in array.reshape(16))


def array_of(board: Board) -> NDArray[np.int64]:
    """The board as an array of shape (4, 4)."""
    return np.array(board, dtype=np.int64).reshape(4, 4)


def text_of(board: Board) -> str:
    """The board as text: rows separated by /, cells by commas, . for empty."""
    cells = ["." if tile == 0 else str(1 << tile) for tile in board]
    return "/".join(",".join(cells[4 * r : 4 * r + 4]) for r in range(4))


def board_from_text(text: str) -> Board:
    """Reads what `text_of` writes."""
    cells = [cell for row in text.split("/") for cell in row.split(",")]
    board = tuple(0 if cell == "." else int(cell).bit_length() - 1 for cell in cells)
    if len(board) != 16:
        raise ValueError(f"a board has 16 cells, not {len(board)}: {text}")
    return board
