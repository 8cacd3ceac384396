"""Other observations."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import DTypeLike, NDArray

from .orders import AnyVectorWrapper

__all__ = ["OneHot", "VectorOneHot"]

class _Planes:
    """Exponents to planes."""

    def __init__(self, space: gymnasium.Space[Any], depth: int | None, dtype: DTypeLike) -> None:
        if not isinstance(space, Box) or not np.issubdtype(space.dtype, np.integer):
            raise TypeError(f"OneHot needs boards of exponents, not {space}")
        if depth is not None and depth < 1:
            raise ValueError(f"depth={depth} is out of range: use at least 1")
        self.depth = int(space.high.max()) + 1 if depth is None else depth
        self.space = Box(0, 1, (*space.shape, self.depth), np.dtype(dtype).type)
        self.table = np.eye(self.depth, dtype=dtype)

    def __call__(self, boards: NDArray[np.uint8]) -> NDArray[Any]:
        return self.table.take(boards, axis=0, mode="clip")


class OneHot(
    gymnasium.ObservationWrapper[NDArray[Any], Any, NDArray[np.uint8]], RecordConstructorArgs
):
    """A plane for each exponent: observations of shape (rows, cols, depth).

    The depth is what the largest possible tile needs, 18 on 4x4. With less, larger tiles share
    the last plane.

    >>> from tilebase.envs import Env2048
    >>> env = OneHot(Env2048())
    >>> planes, info = env.reset(seed=7)
    >>> planes.shape, int(planes[..., 0].sum())
    ((4, 4, 18), 14)
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        depth: int | None = None,
        dtype: DTypeLike = np.uint8,
    ) -> None:
        RecordConstructorArgs.__init__(self, depth=depth, dtype=dtype)
        gymnasium.ObservationWrapper.__init__(self, env)
        self._planes = _Planes(env.observation_space, depth, dtype)
        self.observation_space = self._planes.space

    def observation(self, observation: NDArray[np.uint8]) -> NDArray[Any]:
        """The planes of a board."""
        return self._planes(observation)


class VectorOneHot(AnyVectorWrapper):
    """`OneHot` for vector environments, with any autoreset mode.

    >>> from tilebase.envs import VectorEnv2048
    >>> envs = VectorOneHot(VectorEnv2048(5, "3x3"))
    >>> envs.reset(seed=7)[0].shape
    (5, 3, 3, 11)
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        depth: int | None = None,
        dtype: DTypeLike = np.uint8,
    ) -> None:
        super().__init__(env)
        self._planes = _Planes(env.single_observation_space, depth, dtype)
        self.single_observation_space = self._planes.space
        self.observation_space = batch_space(self._planes.space, env.num_envs)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        boards, infos = self.env.reset(seed=seed, options=options)
        return self._planes(boards), infos

    def step(self, actions: Any) -> tuple[NDArray[Any], Any, Any, Any, dict[str, Any]]:
        boards, rewards, terminated, truncated, infos = self.env.step(actions)
        if "final_obs" in infos:
            final = infos["final_obs"]
            for index in np.flatnonzero(infos["_final_obs"]):
                final[index] = self._planes(final[index])
        return self._planes(boards), rewards, terminated, truncated, infos
