"""One game as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import render, shared
from .planning import PlanningEnv
from .shared import Board, IllegalActions

__all__ = ["Env2048"]


class Env2048(PlanningEnv):
    """2048 on any board, with any target, spawn rule and formation.

    An observation is a uint8 array of exponents, 0 for an empty cell and 11 for a 2048. There is
    no cap on tiles. Actions are 0 up, 1 right, 2 down, 3 left. The reward is the sum of the tiles
    made by merging, so rewards add up to the score. An episode terminates when no slide is legal,
    or when the target is made if the variant has one; it is never truncated. A step after its end
    changes nothing: reward 0, terminated, no action legal, and none counts as illegal.

    `info` has `action_mask` (int8, 1 for a legal action, as `action_space.sample` takes it),
    `score`, `won`, and `illegal`: whether the last action was not legal.

    The tiles are those of the command line: `reset(seed=s)` begins game 0 of
    `tilebase play --seed s`, and every `reset()` after it the next game of that seed. Tiles are
    drawn by xoshiro256++, the same on every machine.

    - variant: shape, target, formation, spawn rule and start tiles, such as `"3x3-to-512"`,
      `"4x4-to-512-formation-L3"` or `"2x2-to-32-spawn-2:1-start-1"`.
    - illegal: what an action does that would change nothing. `"ignore"`: nothing, with reward 0
      and no new tile. `"terminate"`: it ends the episode. `"raise"`: a ValueError.
    - render_mode: `"ansi"` for text, `"rgb_array"` for a picture.

    >>> env = Env2048("3x3")
    >>> board, info = env.reset(seed=1)
    >>> board.shape, int((board > 0).sum())
    ((3, 3), 2)
    >>> terminated = False
    >>> while not terminated:
    ...     action = env.action_space.sample(info["action_mask"])
    ...     board, reward, terminated, truncated, info = env.step(action)
    >>> info["action_mask"].tolist()
    [0, 0, 0, 0]
    """

    metadata: dict[str, Any] = {
        "render_modes": list(shared.RENDER_MODES),
        "render_fps": 8,
    }

    def __init__(
        self,
        variant: str = "4x4",
        *,
        illegal: IllegalActions = "ignore",
        render_mode: str | None = None,
    ) -> None:
        super().__init__(variant)
        self.illegal = shared.check_illegal(illegal)
        self.render_mode = shared.check_render_mode(render_mode)
        self.observation_space = shared.observation_space(self._rules)
        self.action_space = shared.action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Board, dict[str, Any]]:
        """Begins a game: game 0 of the seed, or the next one of the seed that it has.

        Without any seed yet, one is drawn from `np_random`. `options={"board": ...}` starts at a
        position, given as exponents or as text. If no game can reach that position, tiles may
        grow beyond the observation space.

        >>> env = Env2048("2x2")
        >>> board, info = env.reset(seed=7, options={"board": "2,./.,8"})
        >>> board.tolist()
        [[1, 0], [0, 3]]
        """
        number = None if seed is None else shared.check_seed(seed)
        board = shared.check_options(options, "board").get("board")
        boards = None if board is None else shared.check_board(self._rules, board)[np.newaxis]
        super().reset(seed=number)
        if number is None and self._game is None:
            number = int(self.np_random.integers(2**64, dtype=np.uint64))
        if number is not None:
            self._games.reset(seeds=np.array([number], dtype=np.uint64), boards=boards)
            self._game = (number, 0)
        elif self._game is not None:
            self._games.reset(boards=boards)
            self._game = (self._game[0], self._game[1] + 1)
        self._leave_node(stopped=False)
        return self._observation(), self._info(False)

    def step(self, action: np.int64 | int) -> tuple[Board, float, bool, bool, dict[str, Any]]:
        """Slides, and lets a new tile fall.

        >>> env = Env2048("2x2")
        >>> _ = env.reset(seed=7, options={"board": "2,2/.,8"})
        >>> board, reward, terminated, truncated, info = env.step(3)
        >>> reward, terminated, truncated, info["score"]
        (4.0, False, False, 4)
        """
        self._check_turn(pending=False)
        number = shared.check_action(action)
        if self._stopped:
            return self._observation(), 0.0, True, False, self._info(False)
        if self.illegal == "raise":
            self._check_legal(number)
        board, reward, ended, illegal, mask, score, won = self._games.step_first(number)
        # An illegal action ends no game by itself: this one was over before.
        illegal = illegal and not ended
        if illegal and self.illegal == "terminate":
            self._stopped = True
            mask[:] = 0
        info = {"action_mask": mask, "score": score, "won": won, "illegal": illegal}
        return board, reward, ended or self._stopped, False, info

    def render(self) -> str | NDArray[np.uint8] | None:
        """The board as text or as a picture, by `render_mode`.

        >>> env = Env2048("2x2", render_mode="ansi")
        >>> _ = env.reset(seed=7, options={"board": "2,./4,2"})
        >>> print(env.render())
        2 .
        4 2
        """
        self._check_begun()
        walls = self._rules.walls > 0
        if self.render_mode == "ansi":
            return render.text(self._observation(), walls=walls)
        if self.render_mode == "rgb_array":
            return render.picture(self._observation(), walls=walls)
        return None

    def _check_legal(self, action: int) -> None:
        mask = self._games.action_masks()[0]
        if mask.any() and not mask[action]:
            legal = ", ".join(map(str, np.flatnonzero(mask)))
            raise ValueError(f"action {action} is not legal here: use one of {legal}")
