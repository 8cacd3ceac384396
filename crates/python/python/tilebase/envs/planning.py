"""A game in two halves, slides and new tiles, and states to go back to: for methods that plan."""

from __future__ import annotations

import struct
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from tilebase import _native

from . import shared
from .shared import Board

__all__ = ["PlanningEnv"]

# The variant and a zero come first, then flags, seed and number of the game, then the native
# state, which ends with the board.
HEADER = struct.Struct("<BQQ")
PENDING, STOPPED = 1, 2
NO_STATE = "this is not a state: use what get_state() returned"


class PlanningEnv(gymnasium.Env[Board, np.int64]):
    """What `Env2048` offers beside Gymnasium's own methods: use that."""

    def __init__(self, variant: str) -> None:
        self._rules = _native.Rules(variant)
        self._games = _native.Games(variant, 1)
        self.variant = self._rules.variant
        self._action = np.zeros(1, dtype=np.int64)
        # Seed and number of the game, None before the first.
        self._game: tuple[int, int] | None = None
        # Whether a slide waits for its new tile, and whether an illegal action ended the episode.
        self._pending = False
        self._stopped = False
        self._outcomes: tuple[Board, NDArray[np.float64]] | None = None

    def step_deterministic(self, action: np.int64 | int) -> tuple[Board, float, bool]:
        """Slides, and waits: the board before the new tile, the reward, whether it was legal.

        An illegal slide changes nothing, whatever `illegal` is. After a legal one, `step_chance`
        comes next.

        >>> from tilebase.envs import Env2048
        >>> env = Env2048("2x2")
        >>> _ = env.reset(seed=7, options={"board": "2,2/.,8"})
        >>> board, reward, legal = env.step_deterministic(3)
        >>> board.tolist(), reward, legal
        ([[2, 0], [3, 0]], 4.0, True)
        """
        self._check_turn(pending=False)
        number = shared.check_action(action)
        if self._stopped or not self._games.action_masks()[0, number]:
            return self._observation(), 0.0, False
        self._action[0] = number
        rewards, _ = self._games.slide_only(self._action)
        self._pending = True
        return self._observation(), float(rewards[0]), True

    def chance_outcomes(self) -> tuple[Board, NDArray[np.float64]]:
        """All boards that the new tile can make, and their probabilities.

        They are in the order of the cells, row by row; a 2 comes before a 4.

        >>> from tilebase.envs import Env2048
        >>> env = Env2048("2x2")
        >>> _ = env.reset(seed=7, options={"board": "2,2/4,8"})
        >>> _ = env.step_deterministic(3)
        >>> boards, probabilities = env.chance_outcomes()
        >>> boards.tolist(), probabilities.tolist()
        ([[[2, 1], [2, 3]], [[2, 2], [2, 3]]], [0.9, 0.1])
        """
        self._check_turn(pending=True)
        if self._outcomes is None:
            boards, probabilities, _ = self._rules.chance(self._games.boards())
            self._outcomes = boards, probabilities
        boards, probabilities = self._outcomes
        return boards.copy(), probabilities.copy()

    def step_chance(self, index: int | None = None) -> tuple[Board, bool, dict[str, Any]]:
        """Lets the new tile fall: the board, whether the episode terminated, and the info.

        With an index, the tile of that outcome; without, the tile that the seed has next.

        >>> from tilebase.envs import Env2048
        >>> env = Env2048("2x2")
        >>> _ = env.reset(seed=7, options={"board": "2,2/4,8"})
        >>> _ = env.step_deterministic(3)
        >>> board, terminated, info = env.step_chance(1)
        >>> board.tolist(), terminated
        ([[2, 2], [2, 3]], False)
        """
        self._check_turn(pending=True)
        if index is None:
            self._games.spawn_only()
        else:
            boards, _ = self._outcomes or self.chance_outcomes()
            if not 0 <= index < len(boards):
                raise ValueError(f"outcome {index} is out of range: use 0 to {len(boards) - 1}")
            self._games.set_boards(boards[index : index + 1])
        self._leave_node(stopped=False)
        return self._observation(), bool(self._games.ended()[0]), self._info(False)

    def legal_actions(self) -> NDArray[np.int64]:
        """The legal actions, in their order; none once the episode has terminated.

        >>> from tilebase.envs import Env2048
        >>> env = Env2048("2x2")
        >>> _ = env.reset(seed=7, options={"board": "2,./4,."})
        >>> env.legal_actions().tolist()
        [1]
        """
        return np.flatnonzero(self.action_masks()).astype(np.int64)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as bools: what MaskablePPO of sb3-contrib asks for.

        >>> from tilebase.envs import Env2048
        >>> env = Env2048("2x2")
        >>> _ = env.reset(seed=7, options={"board": "2,./4,."})
        >>> env.action_masks().tolist()
        [False, True, False, False]
        """
        self._check_turn(pending=False)
        if self._stopped:
            return np.zeros(4, dtype=np.bool_)
        mask: NDArray[np.bool_] = self._games.action_masks()[0]
        return mask

    @property
    def game(self) -> tuple[int, int]:
        """Seed and number of this game: `tilebase play --seed` has it, too.

        >>> from tilebase.envs import Env2048
        >>> env = Env2048()
        >>> _ = env.reset(seed=7)
        >>> _ = env.reset()
        >>> env.game
        (7, 1)
        """
        return self._check_begun()

    def get_state(self) -> bytes:
        """Everything that `step` depends on: board, score, and the tiles to come.

        >>> from tilebase.envs import Env2048
        >>> env = Env2048()
        >>> board, _ = env.reset(seed=7)
        >>> state = env.get_state()
        >>> first = env.step(0)[0]
        >>> env.set_state(state)
        >>> bool((env.step(0)[0] == first).all())
        True
        """
        flags = PENDING * self._pending | STOPPED * self._stopped
        header = HEADER.pack(flags, *self.game)
        return self.variant.encode() + b"\0" + header + self._games.state()

    def set_state(self, state: bytes) -> None:
        """Goes back to a state of `get_state`, of this or of another environment of the variant."""
        rest = self._check_variant(state)
        cells = self._rules.rows * self._rules.cols
        if len(rest) <= HEADER.size + cells:
            raise ValueError(NO_STATE)
        flags, seed, number = HEADER.unpack_from(rest)
        highest = shared.WALL if self._rules.walls else shared.MAX_EXPONENT
        if flags > PENDING | STOPPED:
            raise ValueError(NO_STATE)
        if max(rest[-cells:]) > highest:
            raise ValueError(
                f"the state is damaged: exponent {max(rest[-cells:])} is out of range: "
                f"use 0 to {highest}"
            )
        self._games.restore(rest[HEADER.size :])
        self._game = (seed, number)
        self._leave_node(stopped=bool(flags & STOPPED))
        self._pending = bool(flags & PENDING)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__ | {"_games": self._games.state()}
        del state["_rules"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._rules = _native.Rules(self.variant)
        self._games = _native.Games(self.variant, 1)
        self._games.restore(state["_games"])

    def _check_variant(self, state: object) -> bytes:
        """What follows the variant in a state, or an exception if that is another one."""
        name, zero, rest = state.partition(b"\0") if isinstance(state, bytes) else (b"", b"", b"")
        if not zero:
            raise ValueError(NO_STATE)
        if name != self.variant.encode():
            try:
                theirs = _native.Rules(name.decode()).variant
            except ValueError:
                raise ValueError(NO_STATE) from None
            raise ValueError(f"a state of {theirs}, not of {self.variant}")
        return rest

    def _check_begun(self) -> tuple[int, int]:
        if self._game is None:
            raise ResetNeeded("no game has begun: call reset() first")
        return self._game

    def _check_turn(self, *, pending: bool) -> None:
        self._check_begun()
        if pending != self._pending:
            raise ValueError(
                "no slide waits for a new tile: call step_deterministic() first"
                if pending
                else "a slide waits for its new tile: call step_chance() first"
            )

    def _leave_node(self, *, stopped: bool) -> None:
        self._pending, self._stopped, self._outcomes = False, stopped, None

    def _observation(self) -> Board:
        board: Board = self._games.boards()[0]
        return board

    def _info(self, illegal: bool) -> dict[str, Any]:
        games = self._games
        return {
            "action_mask": self.action_masks().view(np.int8),
            "score": int(games.scores()[0]),
            "won": bool(games.won()[0]),
            "illegal": illegal,
        }
