"""Boards as the compiled module wants them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilebase import _native

#: What can be given for boards: an array of exponents, a text, or a sequence of texts.
BoardsLike = Any


def as_boards(boards: BoardsLike, rules: _native.Rules) -> tuple[NDArray[np.uint8], bool]:
    """Boards as a contiguous array (n, rows, cols), and whether a single one was given."""
    if isinstance(boards, str):
        return rules.parse(boards), True
    if isinstance(boards, (list, tuple)) and boards and all(isinstance(b, str) for b in boards):
        return np.concatenate([rules.parse(text) for text in boards]), False
    array = np.asarray(boards)
    if array.dtype == object or not (array.size == 0 or np.issubdtype(array.dtype, np.integer)):
        raise TypeError(f"boards are arrays of exponents (integers) or texts, not {array.dtype}")
    single = array.ndim == 2
    if array.ndim not in (2, 3) or array.shape[-2:] != (rules.rows, rules.cols):
        raise ValueError(
            f"boards of shape {array.shape}: use ({rules.rows}, {rules.cols}) for one board, "
            f"(n, {rules.rows}, {rules.cols}) for many"
        )
    if array.dtype != np.uint8:
        if array.size and (array.min() < 0 or array.max() > 255):
            raise ValueError("exponents below 0 or above 255: use 0 for an empty cell, 1 for a 2, 11 for a 2048")
        array = array.astype(np.uint8)
    return np.ascontiguousarray(array[None] if single else array), single


def as_actions(actions: Any, boards: int) -> NDArray[np.uint8]:
    """Actions as an array of bytes, one for each board."""
    array = np.atleast_1d(np.asarray(actions))
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"actions are integers (0 up, 1 right, 2 down, 3 left), not {array.dtype}")
    if array.shape != (boards,):
        raise ValueError(f"actions of shape {array.shape} for {boards} boards: use ({boards},)")
    if array.size and (array.min() < 0 or array.max() > 3):
        wrong = array[(array < 0) | (array > 3)][0]
        raise ValueError(f"{wrong} is no action: use 0 up, 1 right, 2 down, 3 left")
    return array.astype(np.uint8)
