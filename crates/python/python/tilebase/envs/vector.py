"""Many games at once as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from tilebase import _native

from . import batch, render, shared
from .batch import Flags
from .shared import Board, IllegalActions

__all__ = ["VectorEnv2048"]

Infos: TypeAlias = dict[str, Any]
Steps: TypeAlias = tuple[Board, NDArray[np.float64], Flags, Flags, Infos]


class VectorEnv2048(VectorEnv[Board, ArrayLike, NDArray[Any]]):
    """Games of one variant, side by side, stepped by native code.

    Each behaves as an `Env2048`, to the tile: with `reset(seed=s)`, game i is that of seed s + i.
    Observations have shape (num_envs, rows, cols), `infos["action_mask"]` has (num_envs, 4), and
    `infos["_action_mask"]` tells which games have one, as in every vector environment.

    `autoreset_mode` says what happens to games that have terminated. NEXT_STEP (the default): the
    next step begins a new game and ignores the action. SAME_STEP: a new game begins at once; the
    last board and info are in `infos["final_obs"]` and `infos["final_info"]`. DISABLED: nothing;
    they stay as they are, terminated and with reward 0, until
    `reset(options={"reset_mask": ...})`.

    The other parameters are those of `Env2048`.

    >>> envs = VectorEnv2048(1000, "3x3-to-64")
    >>> boards, infos = envs.reset(seed=1)
    >>> boards.shape, infos["action_mask"].shape
    ((1000, 3, 3), (1000, 4))
    >>> for _ in range(50):
    ...     boards, rewards, terminated, truncated, infos = envs.step(envs.sample_actions())
    >>> rewards.shape
    (1000,)
    """

    def __init__(
        self,
        num_envs: int = 1,
        variant: str = "4x4",
        *,
        illegal: IllegalActions = "ignore",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        num_envs = batch.check_num_envs(num_envs)
        self._rules = _native.Rules(variant)
        self._games = _native.Games(variant, num_envs)
        self.num_envs = num_envs
        self.variant = self._rules.variant
        self.illegal = shared.check_illegal(illegal)
        self.render_mode = shared.check_render_mode(render_mode)
        self._mode = batch.check_mode(autoreset_mode)
        self.metadata = {
            "render_modes": list(shared.RENDER_MODES),
            "render_fps": 8,
            "autoreset_mode": self._mode,
        }
        self.single_observation_space = shared.observation_space(self._rules)
        self.single_action_space = shared.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        # Games that have a seed, games that have terminated, and whether any has.
        self._seeded = np.zeros(num_envs, dtype=np.bool_)
        self._done = np.zeros(num_envs, dtype=np.bool_)
        self._any_done = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Board, Infos]:
        """Begins new games: all, or those of `options["reset_mask"]`.

        A seed s gives game i the seed s + i; a list gives each its own, None for the next game of
        the seed that it has. `options["board"]` is where games start: one position for all, or
        one for each.

        >>> envs = VectorEnv2048(2, "2x2")
        >>> boards, infos = envs.reset(seed=[7, 9], options={"board": "2,./.,8"})
        >>> boards[1].tolist()
        [[1, 0], [0, 3]]
        """
        options = shared.check_options(options, "board", "reset_mask")
        which = batch.check_mask(options.get("reset_mask"), self._seeded)
        boards = batch.check_boards(self._rules, options.get("board"), self.num_envs)
        seeds, given = batch.check_seeds(seed, self.num_envs)
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        missing = ~(given | self._seeded)
        if missing.any():
            drawn = self.np_random.integers(2**64, size=self.num_envs, dtype=np.uint64)
            seeds = np.where(missing, drawn, seeds)
            given = given | missing
        if (which & given).any():
            self._games.reset(which & given, seeds, boards)
        if (which & ~given).any():
            self._games.reset(which & ~given, None, boards)
        self._seeded |= which
        self._done &= ~which
        self._any_done = bool(self._done.any())
        return self._games.boards(), self._some_infos(np.zeros_like(which), which)

    def step(self, actions: ArrayLike) -> Steps:
        """Slides in every game, and lets new tiles fall.

        >>> envs = VectorEnv2048(2, "2x2")
        >>> _ = envs.reset(seed=7, options={"board": "2,2/.,8"})
        >>> boards, rewards, terminated, truncated, infos = envs.step([3, 2])
        >>> rewards.tolist(), infos["score"].tolist()
        ([4.0, 0.0], [4, 0])
        """
        if not self._seeded[0]:
            raise ResetNeeded("no game has begun: call reset() first")
        checked = batch.check_actions(actions, self.num_envs)
        games, done = self._games, self._done
        live = ~done if self._any_done else None
        if self.illegal == "raise":
            batch.check_legal(checked, games.action_masks())
        rewards, terminated, illegal = games.step(checked, live)
        # An illegal action ends no game by itself: these were over before.
        illegal &= ~terminated
        if live is not None and self._mode is AutoresetMode.NEXT_STEP:
            games.reset(done)
        if self.illegal == "terminate":
            terminated |= illegal
        if self._mode is AutoresetMode.SAME_STEP:
            infos = self._begin_again(terminated, illegal)
        else:
            if live is not None and self._mode is AutoresetMode.DISABLED:
                terminated |= done
            # A copy: what is returned belongs to the user.
            self._done = terminated.copy()
            self._any_done = bool(terminated.any())
            infos = self._infos(illegal)
            if self._any_done and self.illegal == "terminate":
                infos["action_mask"][terminated] = 0
        return games.boards(), rewards, terminated, np.zeros(self.num_envs, np.bool_), infos

    def sample_actions(self) -> NDArray[np.int64]:
        """A random legal action for each game; 0 where there is none.

        >>> envs = VectorEnv2048(3)
        >>> _, infos = envs.reset(seed=7)
        >>> actions = envs.sample_actions()
        >>> infos["action_mask"][range(3), actions].tolist()
        [1, 1, 1]
        """
        actions = self._games.sample_actions()
        if self._any_done:
            actions[self._done] = 0
        return actions

    def render(self) -> tuple[Any, ...] | None:
        """All boards as text or as pictures, by `render_mode`."""
        if not self._seeded[0]:
            raise ResetNeeded("no game has begun: call reset() first")
        if self.render_mode is None:
            return None
        draw = render.text if self.render_mode == "ansi" else render.picture
        walls = self._rules.walls > 0
        return tuple(draw(board, walls=walls) for board in self._games.boards())

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__ | {"_games": self._games.state()}
        del state["_rules"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._rules = _native.Rules(self.variant)
        self._games = _native.Games(self.variant, self.num_envs)
        self._games.restore(state["_games"])

    def _begin_again(self, terminated: Flags, illegal: Flags) -> Infos:
        """Same-step autoreset: what the last boards were, then new games."""
        if not terminated.any():
            return self._infos(illegal)
        ended = np.flatnonzero(terminated)
        final_obs = np.empty(self.num_envs, dtype=object)
        for index, board in zip(ended.tolist(), self._games.boards()[ended], strict=True):
            final_obs[index] = board
        final_info = self._some_infos(illegal, terminated)
        final_info["action_mask"][:] = 0
        self._games.reset(terminated)
        return {
            "final_obs": final_obs,
            "_final_obs": terminated.copy(),
            "final_info": final_info,
            "_final_info": terminated.copy(),
            **self._infos(illegal & ~terminated),
        }

    def _infos(self, illegal: Flags) -> Infos:
        """The infos of all games."""
        games = self._games
        has = np.ones(self.num_envs, dtype=np.bool_)
        return {
            "action_mask": games.action_masks().view(np.int8),
            "_action_mask": has,
            "score": games.scores(),
            "_score": has,
            "won": games.won(),
            "_won": has,
            "illegal": illegal,
            "_illegal": has,
        }

    def _some_infos(self, illegal: Flags, which: Flags) -> Infos:
        """The infos of some games, zeros for all others."""
        infos = self._infos(illegal)
        games = np.flatnonzero(which)
        for key in ("action_mask", "score", "won", "illegal"):
            some = np.zeros(infos[key].shape, infos[key].dtype)
            some[games] = infos[key][games]
            infos[key] = some
        infos["_action_mask"][:] = which
        return infos
