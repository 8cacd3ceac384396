"""Plays an environment and writes down what it does."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np

from . import positions, rules
from .protocol import Environment, Masked, Settable, Step, step_of
from .rules import Board

Mask = tuple[bool, ...]


@dataclass(frozen=True)
class Transition:
    """One step. `after` is None where the step failed or the last board was not shown."""

    before: Board
    action: int
    after: Board | None
    reward: float
    terminated: bool
    truncated: bool
    error: str | None = None
    crafted: bool = False


@dataclass
class Record:
    """Everything seen of one environment."""

    explored: list[Transition] = field(default_factory=list)
    played: list[Transition] = field(default_factory=list)
    crafted: list[Transition] = field(default_factory=list)
    starts: list[Board] = field(default_factory=list)
    masks: list[tuple[Board, Mask]] = field(default_factory=list)
    order: tuple[int, ...] = (0, 1, 2, 3)
    agreement: float = 0.0
    runner_up: float = 0.0
    settable: bool = False
    set_error: str | None = None
    repeats: list[tuple[list[Board], list[Board]]] = field(default_factory=list)

    @cached_property
    def slides(self) -> list[Transition]:
        """All steps whose action is a legal slide."""
        steps = self.explored + self.played + self.crafted
        return [step for step in steps if rules.slide(step.before, self.order[step.action])[0] != step.before]

    @cached_property
    def idle(self) -> list[Transition]:
        """All steps whose action changes nothing by the rules."""
        steps = self.explored + self.crafted
        return [step for step in steps if rules.slide(step.before, self.order[step.action])[0] == step.before]


def mask_of(mask: Any) -> Mask | None:
    return None if mask is None else tuple(bool(entry) for entry in np.asarray(mask).reshape(-1))


def fits(before: Board, after: Board, direction: int) -> bool:
    """Is `after` what a legal slide leaves, apart from new tiles?"""
    slid, _ = rules.slide(before, direction)
    return slid != before and all(tile in (0, now) for tile, now in zip(slid, after))


def find_order(steps: list[Transition]) -> tuple[tuple[int, ...], float, float]:
    """Which of the 24 orders of actions explains most steps; the shares of the best and the next one."""
    hits = np.zeros((4, 4))
    for step in steps:
        if step.after is not None and step.after != step.before:
            for direction in range(4):
                hits[step.action, direction] += fits(step.before, step.after, direction)
    moved = sum(step.after is not None and step.after != step.before for step in steps)
    ranked = sorted(
        ((sum(hits[a, d] for a, d in enumerate(order)), order) for order in permutations(range(4))),
        reverse=True,
    )
    (best, order), (second, _) = ranked[:2]
    return order, best / max(moved, 1), second / max(moved, 1)


class Recorder:
    """Plays one environment with a fixed source of random actions."""

    def __init__(self, env: Environment, seed: int) -> None:
        self.env = env
        self.random = random.Random(seed)
        self.next_seed = seed
        self.record = Record(settable=isinstance(env, Settable))
        self.board: Board = (0,) * 16
        self.over = True

    def reset(self, seed: int | None = None) -> Board:
        if seed is None:
            seed = self.next_seed
            self.next_seed += 1
        self.board = rules.board_of(self.env.reset(seed))
        self.over = False
        self._note_mask()
        return self.board

    def _note_mask(self) -> None:
        if isinstance(self.env, Masked) and not self.over:
            mask = mask_of(self.env.mask())
            if mask is not None:
                self.record.masks.append((self.board, mask))

    def step(self, action: int, crafted: bool = False) -> Transition:
        before = self.board
        try:
            answer: Step = step_of(self.env.step(action))
            after = None if answer.board is None else rules.board_of(answer.board)
        except Exception as error:
            self.over = True
            text = f"{type(error).__name__}: {error}".splitlines()[0]
            return Transition(before, action, None, 0.0, False, False, text, crafted)
        self.over = bool(answer.terminated) or bool(answer.truncated) or after is None
        if after is not None:
            self.board = after
            mask = mask_of(answer.mask)
            if mask is not None and not self.over:
                self.record.masks.append((after, mask))
        reward = float(np.asarray(answer.reward).reshape(-1)[0])
        return Transition(
            before, action, after, reward, bool(answer.terminated), bool(answer.truncated), None, crafted
        )

    def explore(self, steps: int) -> None:
        """Any actions, legal or not; then the order of actions is known."""
        for _ in range(steps):
            if self.over or not any(rules.legal(self.board)):
                self.reset()
            self.record.explored.append(self.step(self.random.randrange(4)))
        found = find_order(self.record.explored)
        self.record.order, self.record.agreement, self.record.runner_up = found

    def play(self, steps: int) -> None:
        """Games of random legal slides, legal by the rules and not by the environment's word."""
        directions = self.record.order
        for _ in range(steps):
            allowed = [] if self.over else rules.legal(self.board)
            if not any(allowed):
                self.reset()
                allowed = rules.legal(self.board)
            actions = [action for action in range(4) if allowed[directions[action]]]
            if not actions:
                self.over = True
                continue
            self.record.played.append(self.step(self.random.choice(actions)))

    def start(self, games: int) -> None:
        for _ in range(games):
            self.record.starts.append(self.reset())

    def repeat(self, seeds: int, steps: int) -> None:
        """The same seeds and actions twice, with other games in between."""
        runs: list[list[list[Board]]] = []
        for _ in range(2):
            runs.append([])
            for seed in range(seeds):
                actions = random.Random(seed)
                boards = [self.reset(1000 + seed)]
                while len(boards) < steps and not self.over:
                    after = self.step(actions.randrange(4)).after
                    if after is not None:
                        boards.append(after)
                runs[-1].append(boards)
        self.record.repeats = list(zip(*runs))

    def put(self, board: Board) -> bool:
        """Puts the environment into a position. False if it does not take it."""
        if not isinstance(self.env, Settable) or not self.record.settable:
            return False
        self.reset()
        try:
            self.env.set_board(rules.array_of(board))
        except Exception as error:
            self.record.set_error = f"{type(error).__name__}: {error}".splitlines()[0]
            return False
        self.board = board
        self.over = False
        self._note_mask()
        return True

    def craft(self, repeats: int) -> None:
        """Slides from positions that random games do not show."""
        action = {direction: action for action, direction in enumerate(self.record.order)}
        for board, direction, times in positions.all_positions(repeats):
            for _ in range(times):
                if not self.put(board):
                    return
                self.record.crafted.append(self.step(action[direction], crafted=True))


def record(env: Environment, steps: int, games: int, seed: int, tell: Callable[[str], None]) -> Record:
    """Plays the environment in every way that the checks need."""
    recorder = Recorder(env, seed)
    tell(f"{min(steps, 2000):,} random actions")
    recorder.explore(min(steps, 2000))
    tell(f"{steps:,} random legal slides")
    recorder.play(steps)
    tell(f"{games:,} starts")
    recorder.start(games)
    recorder.repeat(seeds=8, steps=50)
    if recorder.record.settable:
        tell("positions set up")
        recorder.craft(repeats=max(8, steps // 1000))
    return recorder.record
