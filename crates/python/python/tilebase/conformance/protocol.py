"""What the checks need of an environment: a few lines for whoever wants theirs checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable


class Step(NamedTuple):
    """What a step shows. Boards are exponents, of shape (4, 4): 0 empty, 1 for a 2, 11 for a 2048."""

    board: Any
    """None where the environment starts the next game at once and does not show the last board."""
    reward: float
    terminated: bool
    mask: Any = None
    """Legal actions of the new position in the environment's own order, if it offers them."""
    truncated: bool = False
    """Cut off, by a limit of steps for instance. Says nothing about the rules."""


@runtime_checkable
class Environment(Protocol):
    """An environment to check. Two methods are needed; a plain tuple will do for `Step`.

    Optional, and found by name:

    - `set_board(board)`: goes on from this position; without it some checks are not made;
    - `mask()`: the legal actions of the present position;
    - `name`, `versions`: for the report;
    - `documented`: names of checks, and what the environment's documentation says about them: such a check differs
      instead of failing.
    """

    def reset(self, seed: int) -> Any: ...

    def step(self, action: int) -> Any: ...


@runtime_checkable
class Settable(Protocol):
    """An environment that can be put into a position."""

    def set_board(self, board: Any) -> None: ...


@runtime_checkable
class Masked(Protocol):
    """An environment that names the legal actions of the present position."""

    def mask(self) -> Any: ...


def name_of(env: object) -> str:
    name = getattr(env, "name", None)
    return name if isinstance(name, str) else type(env).__name__


def versions_of(env: object) -> dict[str, str]:
    versions = getattr(env, "versions", None)
    return {str(k): str(v) for k, v in versions.items()} if isinstance(versions, Mapping) else {}


def documented_by(env: object) -> dict[str, str]:
    documented = getattr(env, "documented", None)
    return {str(k): str(v) for k, v in documented.items()} if isinstance(documented, Mapping) else {}


def step_of(answer: Any) -> Step:
    """A `Step` from one or from a tuple of its first three to five fields."""
    if isinstance(answer, Step):
        return answer
    if not isinstance(answer, tuple) or not 3 <= len(answer) <= 5:
        raise TypeError("step must return (board, reward, terminated), and the mask if there is one")
    return Step(*answer)
