"""What the environments share: spaces, and checks of what users pass in."""

from __future__ import annotations

import operator
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import ArrayLike, NDArray

from tilebase import _native

__all__ = ["WALL", "Board", "IllegalActions", "highest_exponent"]

Board: TypeAlias = NDArray[np.uint8]
"""A board, or many: exponents, 0 for an empty cell."""

IllegalActions = Literal["ignore", "terminate", "raise"]
"""What an environment does about an action that would change nothing."""

WALL = 15
"""The exponent that marks a wall, in variants that have walls."""

# The compiled module takes no larger one; no game gets that far.
MAX_EXPONENT = 30

RENDER_MODES = ("ansi", "rgb_array")


def highest_exponent(rules: _native.Rules) -> int:
    """The largest exponent on any board that play can reach.

    On k cells that is k, and k + 1 if 4s spawn. In variants with walls, the mark of a wall.

    >>> from tilebase import _native
    >>> highest_exponent(_native.Rules("4x4"))
    17
    >>> highest_exponent(_native.Rules("3x3-to-512"))
    10
    """
    if rules.walls:
        return WALL
    fours = int(rules.four_probability > 0)
    return min(rules.rows * rules.cols + fours, MAX_EXPONENT)


def observation_space(rules: _native.Rules) -> Box[np.uint8]:
    """The space of a single board."""
    shape = (rules.rows, rules.cols)
    return Box(0, highest_exponent(rules), shape, np.uint8)


def action_space() -> Discrete[np.int64]:
    """The space of a single action: 0 up, 1 right, 2 down, 3 left."""
    return Discrete(4)


def check_options(options: dict[str, Any] | None, *known: str) -> dict[str, Any]:
    """The options of a reset, or an exception if one is unknown."""
    options = options or {}
    for key in options:
        if key not in known:
            raise ValueError(f"options has an unknown key {key!r}: use {' or '.join(known)}")
    return options


def check_illegal(illegal: str) -> IllegalActions:
    """The parameter `illegal`, or an exception."""
    known = get_args(IllegalActions)
    if illegal not in known:
        raise ValueError(f"illegal={illegal!r} is unknown: use one of {', '.join(known)}")
    return cast(IllegalActions, illegal)


def check_render_mode(render_mode: str | None) -> str | None:
    """The parameter `render_mode`, or an exception."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        known = ", ".join(RENDER_MODES)
        raise ValueError(f"render_mode={render_mode!r} is unknown: use None or one of {known}")
    return render_mode


def check_seed(seed: object) -> int:
    """A seed, or an exception."""
    try:
        number = operator.index(cast(Any, seed))
    except TypeError:
        raise TypeError(f"seed must be an integer, not {seed!r}") from None
    if not 0 <= number < 2**64:
        raise ValueError(f"seed {number} is out of range: use 0 to 2^64 - 1")
    return number


def check_action(action: object) -> int:
    """An action of a single environment, or an exception."""
    try:
        number = operator.index(cast(Any, action))
    except TypeError:
        raise TypeError(f"action must be an integer from 0 to 3, not {action!r}") from None
    if not 0 <= number < 4:
        raise ValueError(f"action {number} is out of range: use 0 up, 1 right, 2 down, 3 left")
    return number


def check_board(rules: _native.Rules, board: ArrayLike | str) -> Board:
    """A board given as text or exponents, or an exception."""
    shape = (rules.rows, rules.cols)
    if isinstance(board, str):
        return check_exponents(rules, rules.parse(board).reshape(shape))
    array = np.asarray(board)
    if array.shape != shape:
        raise ValueError(f"the board has shape {array.shape}: use {shape}")
    return check_exponents(rules, array)


def check_exponents(rules: _native.Rules, array: NDArray[Any]) -> Board:
    """Boards of the right shape as exponents that fit the observation space, or an exception."""
    if array.dtype.kind not in "iu":
        raise TypeError(f"the board is of type {array.dtype}: use integers, the exponents")
    high = highest_exponent(rules)
    if array.min() < 0 or array.max() > high:
        wrong = int(array[(array < 0) | (array > high)][0])
        raise ValueError(
            f"exponent {wrong} is out of range on {rules.rows}x{rules.cols}: use 0 to {high}"
        )
    if rules.walls:
        walls = np.count_nonzero(array == WALL, axis=(-2, -1))
        if np.any(walls != rules.walls):
            found = int(np.ravel(walls)[np.ravel(walls) != rules.walls][0])
            raise ValueError(f"the board has {found} walls: use {rules.walls}, exponent {WALL}")
    return np.ascontiguousarray(array, dtype=np.uint8)
