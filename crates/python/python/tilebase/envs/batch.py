"""Checks of what users pass to a vector environment."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from tilebase import _native

from .shared import Board, check_action, check_board, check_exponents, check_seed

__all__ = ["Flags"]

Flags: TypeAlias = NDArray[np.bool_]
"""A bool a game."""


def check_num_envs(num_envs: object) -> int:
    """The parameter `num_envs`, or an exception."""
    try:
        number = operator.index(cast(Any, num_envs))
    except TypeError:
        raise TypeError(f"num_envs must be an integer, not {num_envs!r}") from None
    if number < 1:
        raise ValueError(f"num_envs={number} is out of range: use at least 1")
    return number


def check_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """The parameter `autoreset_mode`, or an exception."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(each.value for each in AutoresetMode)
        raise ValueError(f"autoreset_mode={mode!r} is unknown: use one of {known}") from None


def check_actions(actions: ArrayLike, num_envs: int) -> NDArray[np.int64]:
    """Actions as the native part takes them. It checks their range."""
    array = np.asarray(actions)
    if array.shape != (num_envs,):
        raise ValueError(f"actions have shape {array.shape}: use ({num_envs},), one a game")
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions are of type {array.dtype}: use integers from 0 to 3")
    if array.dtype == np.uint64 and array.max() > 3:
        # As int64 it might be another number.
        check_action(array[array > 3][0])
    return np.ascontiguousarray(array, dtype=np.int64)


def check_legal(actions: NDArray[np.int64], masks: Flags) -> None:
    """An exception if an action is not legal in a game that goes on."""
    for action in actions[(actions < 0) | (actions > 3)]:
        check_action(action)
    wrong = ~masks[np.arange(len(actions)), actions] & masks.any(axis=1)
    if wrong.any():
        game = int(np.argmax(wrong))
        legal = ", ".join(map(str, np.flatnonzero(masks[game])))
        raise ValueError(f"action {actions[game]} is not legal in game {game}: use one of {legal}")


def check_mask(mask: object, begun: Flags) -> Flags:
    """The games to reset, all without a mask, or an exception."""
    if mask is None:
        return np.ones(begun.shape, dtype=np.bool_)
    if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
        raise TypeError("options['reset_mask'] must be an array of bools, one a game")
    if mask.shape != begun.shape:
        raise ValueError(f"options['reset_mask'] has shape {mask.shape}: use {begun.shape}")
    if not mask.any():
        raise ValueError("options['reset_mask'] has no True: it must reset at least one game")
    if not (mask | begun).all():
        raise ValueError("options['reset_mask'] leaves out games: the first reset is for all")
    return np.ascontiguousarray(mask)


def check_boards(
    rules: _native.Rules, board: ArrayLike | str | None, num_envs: int
) -> Board | None:
    """The positions to start from, given one for all or one for each, or an exception."""
    if board is None:
        return None
    shape = (num_envs, rules.rows, rules.cols)
    if not isinstance(board, str) and np.shape(board) == shape:
        return check_exponents(rules, np.asarray(board))
    one = check_board(rules, board)
    return np.ascontiguousarray(np.broadcast_to(one, shape))


def check_seeds(
    seed: int | Sequence[int | None] | None, num_envs: int
) -> tuple[NDArray[np.uint64], Flags]:
    """The seeds, and which games are given one, or an exception."""
    seeds = np.zeros(num_envs, dtype=np.uint64)
    if seed is None:
        return seeds, np.zeros(num_envs, dtype=np.bool_)
    if isinstance(seed, (int, np.integer)):
        first = check_seed(seed)
        check_seed(first + num_envs - 1)
        seeds[:] = np.uint64(first) + np.arange(num_envs, dtype=np.uint64)
        return seeds, np.ones(num_envs, dtype=np.bool_)
    try:
        each = list(seed)
    except TypeError:
        raise TypeError(f"seed must be an integer or a list of them, not {seed!r}") from None
    if len(each) != num_envs:
        raise ValueError(f"{len(each)} seeds for {num_envs} games: use one for each")
    given = np.array([one is not None for one in each], dtype=np.bool_)
    seeds[given] = [check_seed(one) for one in each if one is not None]
    return seeds, given
