"""The game in the manner of other packages. None of them is needed.

`SpielState` has the methods of an OpenSpiel state, `PgxStyle` the functions of a pgx environment,
`JumanjiStyle` those of a jumanji environment. Actions are 0 up, 1 right, 2 down, 3 left, unless
another order is asked for: pgx itself has `order="pgx"`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilebase import _native

from . import shared
from .shared import Board
from .orders import from_order
from .spiel import SpielState

__all__ = ["JumanjiStyle", "Observation", "PgxState", "PgxStyle", "SpielState", "TimeStep"]

@dataclass(frozen=True, eq=False)
class PgxState:
    """A state of `PgxStyle`. It never changes; the random numbers to come are part of it."""

    observation: Board
    legal_action_mask: NDArray[np.bool_]
    rewards: NDArray[np.float32]
    terminated: np.bool_
    truncated: np.bool_
    current_player: np.int32
    score: int
    data: bytes = field(repr=False)


class PgxStyle:
    """The game as two functions without side effects, as pgx has them.

    An action that is not legal, and any action at the end, changes nothing and has reward 0.
    Threads may share it.

    >>> env = PgxStyle("2x2", order="pgx")
    >>> state = env.init(7)
    >>> while not state.terminated:
    ...     action = int(state.legal_action_mask.argmax())
    ...     state = env.step(state, action)
    >>> state.score > 0
    True
    """

    num_players = 1
    num_actions = 4

    def __init__(self, variant: str = "4x4", order: str = "tilebase") -> None:
        self._variant = _native.Rules(variant).variant
        # Our action for each number.
        self._order = from_order(range(4), order)

    def init(self, seed: int) -> PgxState:
        """The start of game 0 of a seed."""
        games = self._games()
        games.reset(seeds=np.array([shared.check_seed(seed)], dtype=np.uint64))
        return self._state(games, 0.0)

    def step(self, state: PgxState, action: int) -> PgxState:
        """The state after an action."""
        games = self._games()
        games.restore(state.data)
        actions = self._order[[shared.check_action(action)]]
        rewards, _, _ = games.step(actions)
        return self._state(games, float(rewards[0]))

    def _games(self) -> _native.Games:
        """A game for one call: threads share nothing. Making it takes a fraction of a call."""
        return _native.Games(self._variant, 1)

    def _state(self, games: _native.Games, reward: float) -> PgxState:
        return PgxState(
            observation=games.boards()[0],
            legal_action_mask=games.action_masks()[0][self._order],
            rewards=np.array([reward], dtype=np.float32),
            terminated=games.ended()[0],
            truncated=np.bool_(False),
            current_player=np.int32(0),
            score=int(games.scores()[0]),
            data=games.state(),
        )


class Observation(NamedTuple):
    """What `JumanjiStyle` shows of a state."""

    board: Board
    action_mask: NDArray[np.bool_]


class TimeStep(NamedTuple):
    """A step of `JumanjiStyle`. Its type is 0 for the first, 1 within a game, 2 for the last."""

    step_type: int
    reward: float
    discount: float
    observation: Observation
    extras: dict[str, int]

    def first(self) -> bool:
        """Whether a game begins."""
        return self.step_type == 0

    def last(self) -> bool:
        """Whether the game is over."""
        return self.step_type == 2


class JumanjiStyle:
    """The game as functions from states to states and time steps, as jumanji has them.

    >>> env = JumanjiStyle("2x2")
    >>> state, timestep = env.reset(7)
    >>> while not timestep.last():
    ...     action = int(timestep.observation.action_mask.argmax())
    ...     state, timestep = env.step(state, action)
    >>> timestep.discount, timestep.extras["score"] == state.score
    (0.0, True)
    """

    def __init__(self, variant: str = "4x4", order: str = "tilebase") -> None:
        self._env = PgxStyle(variant, order)

    def reset(self, seed: int) -> tuple[PgxState, TimeStep]:
        """The start of game 0 of a seed."""
        state = self._env.init(seed)
        return state, self._timestep(state, 0)

    def step(self, state: PgxState, action: int) -> tuple[PgxState, TimeStep]:
        """The state after an action, and what it shows."""
        after = self._env.step(state, action)
        return after, self._timestep(after, 2 if after.terminated else 1)

    def _timestep(self, state: PgxState, step_type: int) -> TimeStep:
        return TimeStep(
            step_type=step_type,
            reward=float(state.rewards[0]),
            discount=0.0 if step_type == 2 else 1.0,
            observation=Observation(state.observation, state.legal_action_mask),
            extras={"score": state.score, "highest_tile": 2 ** int(state.observation.max())},
        )
