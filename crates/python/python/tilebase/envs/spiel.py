"""The game as states with chance nodes, in the manner of OpenSpiel, which is not needed."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from tilebase import _native

from . import render
from .orders import from_order
from .shared import Board

__all__ = ["SpielState"]

CHANCE, PLAYER, TERMINAL = -1, 0, -4


class SpielState:
    """A state of the game with chance nodes, as OpenSpiel has them.

    The first node is a chance node that deals the start, all its tiles at once. Chance outcomes
    are numbered, after a slide in the order of `Env2048.chance_outcomes`.

    >>> state = SpielState("2x2")
    >>> state.is_chance_node(), len(state.chance_outcomes())
    (True, 24)
    >>> state.apply_action(0)
    >>> state.current_player(), state.legal_actions()
    (0, [0, 1, 3])
    >>> child = state.child(3)
    >>> child.is_chance_node(), state.is_chance_node()
    (True, False)
    """

    def __init__(self, variant: str = "4x4", order: str = "tilebase") -> None:
        self._rules = _native.Rules(variant)
        # Our action for each number.
        self._order = from_order(range(4), order)
        self._board: Board | None = None
        self._boards, self._probabilities = self._rules.start_states()
        self._chance = True
        self._mask = np.zeros(4, dtype=np.bool_)
        self._score = self._reward = 0.0
        self._history: tuple[int, ...] = ()

    def current_player(self) -> int:
        """0 for the player, -1 for chance, -4 at the end."""
        if self._chance:
            return CHANCE
        return PLAYER if self._mask.any() else TERMINAL

    def is_chance_node(self) -> bool:
        """Whether a tile must fall."""
        return self._chance

    def is_terminal(self) -> bool:
        """Whether the game is won or lost."""
        return self.current_player() == TERMINAL

    def legal_actions(self) -> list[int]:
        """The numbers that `apply_action` takes here: of slides, or of chance outcomes."""
        if self._chance:
            return list(range(len(self._probabilities)))
        return [int(action) for action in np.flatnonzero(self._mask[self._order])]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of a chance node with their probabilities."""
        if not self._chance:
            raise ValueError("this is no chance node: use legal_actions()")
        return list(enumerate(self._probabilities.tolist()))

    def apply_action(self, action: int) -> None:
        """Slides, or lets a tile fall."""
        try:
            number = operator.index(action)
        except TypeError:
            raise TypeError(f"action must be an integer, not {action!r}") from None
        if number not in self.legal_actions():
            legal = ", ".join(map(str, self.legal_actions()))
            raise ValueError(f"action {number} is not legal here: use one of {legal}")
        if self._chance:
            self._fall(self._boards[number])
        else:
            self._slide(self._order[number])
        self._history += (number,)

    def child(self, action: int) -> SpielState:
        """The state after an action; this one stays as it is."""
        child = self.clone()
        child.apply_action(action)
        return child

    def clone(self) -> SpielState:
        """A state of its own. Arrays are shared: none is ever written to."""
        clone = SpielState.__new__(SpielState)
        clone.__dict__.update(self.__dict__)
        return clone

    def rewards(self) -> list[float]:
        """The reward of the last action, for the one player."""
        return [self._reward]

    def returns(self) -> list[float]:
        """The score."""
        return [self._score]

    def history(self) -> list[int]:
        """All actions so far, those of chance too."""
        return list(self._history)

    def board(self) -> Board:
        """The exponents; all empty before the start."""
        if self._board is None:
            return np.zeros((self._rules.rows, self._rules.cols), dtype=np.uint8)
        return self._board.copy()

    def __str__(self) -> str:
        return render.text(self.board(), walls=self._rules.walls > 0)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_rules": self._rules.variant}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"_rules": _native.Rules(state["_rules"])})

    def _fall(self, board: Board) -> None:
        self._board, self._chance, self._reward = board, False, 0.0
        one = board[np.newaxis]
        live = self._rules.status(one)[0] == 0
        self._mask = self._rules.legal(one)[0] & live

    def _slide(self, action: np.int64) -> None:
        if self._board is None:
            raise ValueError("the start has not been dealt")
        actions = np.array([action], dtype=np.uint8)
        boards, rewards, _ = self._rules.slide(self._board[np.newaxis], actions)
        self._board, self._chance, self._reward = boards[0], True, float(rewards[0])
        self._score += self._reward
        self._boards, self._probabilities, _ = self._rules.chance(boards)
