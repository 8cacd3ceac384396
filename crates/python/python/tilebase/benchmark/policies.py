"""Policy files: how they are loaded, asked, and corrected where they break the rules."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilebase.rules import Rules

Boards = NDArray[np.uint8]
Weights = NDArray[np.float64]

#: How far probabilities may be from adding up to 1.
TOLERANCE = 1e-3


class PolicyError(Exception):
    """A policy file that cannot be used, in one line."""


class PolicyFile:
    """A Python file with a function ``policy(boards)`` or ``policy(boards, rules)``, or with a function
    ``make_policy(rules)`` that returns a ``policy(boards)``.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._module = _load(path)
        self._make = getattr(self._module, "make_policy", None)
        self._policy = getattr(self._module, "policy", None)
        if not callable(self._make if self._make is not None else self._policy):
            raise PolicyError(f"{path} defines neither policy(boards) nor make_policy(rules)")

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of the file and of those that its list ``FILES`` names, such as weights."""
        names = [self.path.name, *map(str, getattr(self._module, "FILES", ()))]
        try:
            return {
                name: hashlib.sha256((self.path.parent / name).read_bytes()).hexdigest() for name in names
            }
        except OSError as error:
            raise PolicyError(f"{self.path} lists a file that cannot be read: {error}") from None

    def player(self, rules: Rules) -> Player | None:
        """The policy in one game; None if it does not play it. It says so by a NotImplementedError."""
        try:
            player = Player(self._bind(rules), rules, self.path)
            starts = rules.start_states().boards
            live = rules.legal_actions(starts).any(axis=1)
            player.weights(starts[live])
        except NotImplementedError:
            return None
        player.reset()
        return player

    def _bind(self, rules: Rules) -> Callable[[Boards], Any]:
        if self._make is not None:
            make = self._make
            made: Callable[[Boards], Any] = guarded(lambda: make(rules), rules, self.path)
            return made
        policy: Callable[..., Any] = self._policy  # type: ignore[assignment]
        if _takes_rules(policy):
            return lambda boards: policy(boards, rules)
        if rules.walls:
            raise NotImplementedError("a policy of boards alone cannot know walls")
        return policy


class Player:
    """A policy in one game. Its answers are checked, and illegal actions replaced and counted."""

    def __init__(self, policy: Callable[[Boards], Any], rules: Rules, path: Path) -> None:
        self._policy = policy
        self._path = path
        self.rules = rules
        self.reset()

    def reset(self) -> None:
        """Sets the counters to zero."""
        #: Boards that were asked about.
        self.asked = 0
        #: Boards where the policy put all its probability on illegal actions.
        self.illegal = 0

    def weights(self, boards: Boards) -> Weights:
        """The probabilities of actions (n, 4), all legal.

        What the policy gives to illegal actions is taken away and the rest scaled to 1. If nothing is left,
        the first legal action is made, in the order up, right, down, left: that counts as illegal.
        """
        legal = self.rules.legal_actions(boards)
        answer = guarded(lambda: np.asarray(self._policy(boards)), self.rules, self._path)
        weights = np.where(legal, self._checked(answer, len(boards)), 0.0)
        sums = weights.sum(axis=1, keepdims=True)
        stuck = sums[:, 0] <= 0
        if stuck.any():
            weights[stuck] = np.eye(4)[legal[stuck].argmax(axis=1)]
            sums[stuck] = 1.0
        self.asked += len(boards)
        self.illegal += int(stuck.sum())
        return np.asarray(weights / sums, dtype=np.float64)

    def _checked(self, answer: NDArray[Any], boards: int) -> Weights:
        """Actions or probabilities as probabilities."""
        if answer.shape == (boards,) and np.issubdtype(answer.dtype, np.integer):
            if boards and not (0 <= answer.min() and answer.max() <= 3):
                wrong = answer[(answer < 0) | (answer > 3)][0]
                raise self._wrong(f"returned the action {wrong}: use 0 up, 1 right, 2 down, 3 left")
            return np.asarray(np.eye(4)[answer.astype(np.int64)])
        if answer.shape != (boards, 4) or answer.dtype.kind not in "fiub":
            raise self._wrong(
                f"returned an array of shape {answer.shape} and type {answer.dtype} for {boards} boards: "
                f"use integers ({boards},) for actions, or floats ({boards}, 4) for probabilities"
            )
        weights = answer.astype(np.float64)
        if not (weights >= 0).all() or not (abs(weights.sum(axis=1) - 1) < TOLERANCE).all():
            raise self._wrong("returned probabilities that are negative or do not add up to 1")
        return np.asarray(weights)

    def _wrong(self, what: str) -> PolicyError:
        return PolicyError(f"the policy {what} (on {self.rules.variant})")


def guarded(work: Callable[[], Any], rules: Rules, path: Path) -> Any:
    """What the policy's own code returns. Its exceptions become one line, but for NotImplementedError."""
    try:
        return work()
    except NotImplementedError:
        raise
    except Exception as error:
        raise PolicyError(
            f"the policy failed on {rules.variant}{_place(error, path)}: {_line(error)}; "
            "a policy raises NotImplementedError for games that it does not play"
        ) from error


def _load(path: Path) -> ModuleType:
    if not path.is_file():
        raise PolicyError(f"there is no policy file {path}")
    spec = importlib.util.spec_from_file_location("tilebase_benchmark_policy", path)
    if spec is None or spec.loader is None:
        raise PolicyError(f"{path} is no Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    # As for `python policy.py`: modules beside it can be imported, and its classes pickled.
    sys.path.insert(0, str(path.resolve().parent))
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise PolicyError(f"{path} cannot be imported{_place(error, path)}: {_line(error)}") from error
    return module


def _takes_rules(policy: Callable[..., Any]) -> bool:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = inspect.signature(policy).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [p for p in parameters if p.kind in kinds and p.default is inspect.Parameter.empty]
    return len(needed) > 1 or any(p.name == "rules" for p in parameters)


def _place(error: BaseException, path: Path) -> str:
    """Where in the file it failed."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename) == path]
    return f" in line {lines[-1]}" if lines else ""


def _line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
