"""Other orders of actions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from gymnasium.vector import VectorEnv, VectorWrapper
from numpy.typing import ArrayLike, NDArray

__all__ = ["ORDERS", "ActionOrder", "VectorActionOrder", "from_order", "to_order"]

if TYPE_CHECKING:
    AnyVectorWrapper = VectorWrapper[Any, Any, Any, Any, Any]
else:  # It takes no parameters in earlier versions.
    AnyVectorWrapper = VectorWrapper

OURS = ("up", "right", "down", "left")

ORDERS = {
    "tilebase": "up right down left",
    "gymnasium-2048": "up right down left",
    "jumanji": "up right down left",
    "open_spiel": "up right down left",
    "gym-2048": "left up right down",
    "pgx": "left up right down",
    "pufferlib": "up down left right",
    "command line": "left right up down",
}
"""The orders of actions in use, by who uses them."""


def _order(order: str) -> NDArray[np.int64]:
    """Our action for each number of an order."""
    names = ORDERS.get(order, order).split()
    if sorted(names) != sorted(OURS):
        known = ", ".join(repr(name) for name in ORDERS)
        raise ValueError(
            f"order {order!r} is unknown: use the four directions, such as 'left up right down', "
            f"or one of {known}"
        )
    return np.array([OURS.index(name) for name in names], dtype=np.int64)


def from_order(actions: ArrayLike, order: str) -> NDArray[np.int64]:
    """Actions numbered by another order as ours: 0 up, 1 right, 2 down, 3 left.

    The order is its four directions, or the name of who uses it, from `ORDERS`.

    >>> from_order([0, 1, 2, 3], "left up right down").tolist()
    [3, 0, 1, 2]
    >>> int(from_order(0, "pgx"))
    3
    """
    return _map(actions, _order(order))


def to_order(actions: ArrayLike, order: str) -> NDArray[np.int64]:
    """Our actions as another order numbers them: the inverse of `from_order`.

    >>> to_order([3, 0, 1, 2], "left up right down").tolist()
    [0, 1, 2, 3]
    """
    return _map(actions, np.argsort(_order(order)))


def _map(actions: ArrayLike, table: NDArray[np.int64]) -> NDArray[np.int64]:
    array = np.asarray(actions)
    if not np.issubdtype(array.dtype, np.integer):
        raise TypeError(f"actions are of type {array.dtype}: use integers from 0 to 3")
    if array.size and (array.min() < 0 or array.max() > 3):
        raise ValueError("an action is out of range: use 0 to 3")
    return np.asarray(table[array])


def _reorder(info: dict[str, Any], order: NDArray[np.int64]) -> dict[str, Any]:
    """An info with its masks in another order."""
    if "action_mask" in info:
        info["action_mask"] = info["action_mask"][..., order]
    if "final_info" in info:
        _reorder(info["final_info"], order)
    return info


class ActionOrder(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An environment with actions, and the action mask, in another order.

    >>> from tilebase.envs import Env2048
    >>> env = ActionOrder(Env2048("2x2"), "left up right down")
    >>> _, info = env.reset(seed=7, options={"board": "2,./4,."})
    >>> info["action_mask"].tolist()
    [0, 0, 1, 0]
    """

    def __init__(self, env: gymnasium.Env[Any, Any], order: str) -> None:
        RecordConstructorArgs.__init__(self, order=order)
        gymnasium.Wrapper.__init__(self, env)
        self._order = _order(order)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, _reorder(info, self._order)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(_map(action, self._order))
        return observation, reward, terminated, truncated, _reorder(info, self._order)


class VectorActionOrder(AnyVectorWrapper):
    """`ActionOrder` for vector environments.

    >>> from tilebase.envs import VectorEnv2048
    >>> envs = VectorActionOrder(VectorEnv2048(2, "2x2"), "left up right down")
    >>> _, infos = envs.reset(seed=7, options={"board": "2,./4,."})
    >>> infos["action_mask"].tolist()
    [[0, 0, 1, 0], [0, 0, 1, 0]]
    """

    def __init__(self, env: VectorEnv[Any, Any, Any], order: str) -> None:
        super().__init__(env)
        self._order = _order(order)

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        observations, infos = self.env.reset(seed=seed, options=options)
        return observations, _reorder(infos, self._order)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        observations, rewards, terminated, truncated, infos = self.env.step(
            _map(actions, self._order)
        )
        return observations, rewards, terminated, truncated, _reorder(infos, self._order)
