"""Any Gymnasium environment of 2048, whatever its observations look like."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from .protocol import Step

Encoding = Literal["exponents", "values", "one-hot"]

BOARD_KEYS = ("board", "observation", "obs", "grid")
MASK_KEYS = ("action_mask", "action_masks", "legal_actions", "valid_mask")


def values_to_exponents(values: Any) -> Any:
    """Tile values to exponents: 0 to 0, 2 to 1, 2048 to 11."""
    array = np.asarray(values, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return np.where(array > 0, np.log2(np.where(array > 0, array, 1)), 0).round().astype(np.int64)


def decode(observation: Any, encoding: Encoding) -> Any:
    """The exponents of a board, of shape (4, 4)."""
    array = np.asarray(observation)
    if encoding == "one-hot":
        if array.ndim == 3 and array.shape[0] != 4:
            array = np.moveaxis(array, 0, -1)
        levels = array.reshape(16, -1)
        if not (levels.sum(axis=1) == 1).all():
            raise ValueError("a one-hot observation must have exactly one entry per cell")
        array = levels.argmax(axis=1)
    elif encoding == "values":
        array = values_to_exponents(array)
    return np.array(array, dtype=np.int64).reshape(4, 4)


def guess(observations: list[Any]) -> Encoding:
    """The encoding of some observations from the first moves of games."""
    arrays = [np.asarray(observation) for observation in observations]
    if arrays[0].size > 16:
        return "one-hot"
    tiles = {int(tile) for array in arrays for tile in array.reshape(-1)} - {0}
    return "exponents" if 1 in tiles else "values"


class GymnasiumAdapter:
    """Lets the checks play a Gymnasium environment.

    `set_board` gets the unwrapped environment and exponents of shape (4, 4), and puts it into that position.
    Observations may be dictionaries; a mask is taken from them, from `info`, or from `action_masks()`.
    """

    def __init__(
        self,
        env: Any,
        *,
        encoding: Encoding | None = None,
        set_board: Callable[[Any, Any], None] | None = None,
        name: str | None = None,
        versions: Mapping[str, str] | None = None,
        documented: Mapping[str, str] | None = None,
    ) -> None:
        self.env = env
        spec = getattr(env, "spec", None)
        self.name = name or getattr(spec, "id", None) or type(env).__name__
        self.versions = dict(versions or {})
        self.documented = dict(documented or {})
        self._mask: Any = None
        if set_board is not None:
            self.set_board = self._setter(set_board)
        self.encoding: Encoding = encoding or self._guess()

    def _guess(self) -> Encoding:
        seen = []
        for seed in range(20):
            observation, _ = self.env.reset(seed=seed)
            seen.append(self._board(observation))
        return guess(seen)

    def _setter(self, set_board: Callable[[Any, Any], None]) -> Callable[[Any], None]:
        def put(board: Any) -> None:
            set_board(self.env.unwrapped, board)
            self._mask = self._asked_mask()

        return put

    @staticmethod
    def _board(observation: Any) -> Any:
        if isinstance(observation, Mapping):
            for key in BOARD_KEYS:
                if key in observation:
                    return np.array(observation[key])
            raise KeyError(f"no board in an observation with {', '.join(map(str, observation))}")
        return np.array(observation)

    def _asked_mask(self) -> Any:
        for key in ("action_masks", "valid_actions"):
            ask = getattr(self.env.unwrapped, key, None)
            if callable(ask):
                return np.array(ask())
        return None

    def _find_mask(self, observation: Any, info: Any) -> Any:
        for place in (observation, info):
            if isinstance(place, Mapping):
                for key in MASK_KEYS:
                    if key in place:
                        return np.array(place[key])
        return self._asked_mask()

    def reset(self, seed: int) -> Any:
        observation, info = self.env.reset(seed=seed)
        self._mask = self._find_mask(observation, info)
        return decode(self._board(observation), self.encoding)

    def mask(self) -> Any:
        return self._mask

    def step(self, action: int) -> Step:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._mask = self._find_mask(observation, info)
        board = decode(self._board(observation), self.encoding)
        return Step(board, float(reward), bool(terminated), self._mask, bool(truncated))
