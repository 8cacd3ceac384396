"""The first part: seeded games of 4x4, and their record."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilebase import _native

from .policies import Player, Weights

VARIANT = "4x4"

#: Games of a full run.
GAMES = 1000

#: Game k is game 0 of the seed FIRST_SEED + k, as in a vector environment with ``reset(seed=FIRST_SEED)``.
FIRST_SEED = 20_480_000

#: Games that are played side by side.
BATCH = 1000

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Played:
    """Games that were played: an entry each, and all actions one after the other."""

    score: Integers
    moves: Integers
    #: The exponent of the largest tile.
    largest: Integers
    actions: NDArray[np.uint8]


def play(player: Player, games: int, tell: Callable[[int, int], None] = lambda done, moves: None) -> Played:
    """Plays the first games of the protocol. `tell` hears of games that have ended, and of moves."""
    parts: list[Played] = []
    before = 0
    for first in range(0, games, BATCH):
        numbers = np.arange(first, min(first + BATCH, games))

        def hear(ended: int, moves: int, first: int = first, before: int = before) -> None:
            tell(first + ended, before + moves)

        parts.append(_play(player, numbers, hear))
        before += int(parts[-1].moves.sum())
    return _joined(parts)


def _joined(parts: list[Played]) -> Played:
    return Played(
        np.concatenate([part.score for part in parts]),
        np.concatenate([part.moves for part in parts]),
        np.concatenate([part.largest for part in parts]),
        np.concatenate([part.actions for part in parts]),
    )


def _play(player: Player, numbers: Integers, tell: Callable[[int, int], None]) -> Played:
    games = begin(numbers)
    live = ~games.ended()
    actions = np.zeros(len(numbers), dtype=np.int64)
    made: list[tuple[Integers, NDArray[np.uint8]]] = []
    moves = 0
    while live.any():
        which = np.flatnonzero(live)
        boards = games.boards()[which]
        actions[which] = choose(player.weights(boards), uniform(numbers[which], len(made)))
        games.step(actions, live)
        made.append((which, actions[which].astype(np.uint8)))
        live = ~games.ended()
        moves += len(which)
        tell(len(numbers) - int(live.sum()), moves)
    counts = games.moves()
    ordered = np.zeros(int(counts.sum()), dtype=np.uint8)
    offsets = np.cumsum(counts) - counts
    for step, (which, chosen) in enumerate(made):
        ordered[offsets[which] + step] = chosen
    return Played(games.scores(), counts, largest(games), ordered)


def begin(numbers: Integers) -> _native.Games:
    """The protocol's games of these numbers, at their start."""
    games = _native.Games(VARIANT, len(numbers))
    games.reset(seeds=(FIRST_SEED + numbers).astype(np.uint64))
    return games


def largest(games: _native.Games) -> Integers:
    """The exponents of the largest tiles."""
    return np.asarray(games.boards().max(axis=(1, 2)), dtype=np.int64)


def choose(weights: Weights, numbers: NDArray[np.float64]) -> Integers:
    """Actions by their probabilities, given uniform numbers."""
    sums = weights.cumsum(axis=1)
    found = (sums <= numbers[:, None] * sums[:, 3:]).sum(axis=1)
    # Rounding must not lead past the last action that has a probability.
    last = 3 - (weights[:, ::-1] > 0).argmax(axis=1)
    return np.asarray(np.minimum(found, last), dtype=np.int64)


def uniform(games: Integers, move: int) -> NDArray[np.float64]:
    """A number from 0 to 1 for one move of each game, by SplitMix64: the same everywhere, whatever games
    are played beside it.
    """
    mixed = _mix(_mix(games.astype(np.uint64) + np.uint64(FIRST_SEED)) + np.uint64(move))
    return np.asarray((mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53)


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = numbers + np.uint64(0x9E37_79B9_7F4A_7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def replay(moves: Integers, actions: NDArray[np.uint8]) -> tuple[Played, str | None]:
    """Plays recorded games again by the rules: what they come to, and what is wrong with the record."""
    parts: list[Played] = []
    start = 0
    for first in range(0, len(moves), BATCH):
        numbers = np.arange(first, min(first + BATCH, len(moves)))
        counts = moves[numbers]
        part, trouble = _replay(numbers, counts, actions[start : start + int(counts.sum())])
        parts.append(part)
        start += int(counts.sum())
        if trouble is not None:
            break
    else:
        trouble = None
    return _joined(parts), trouble


def _replay(numbers: Integers, counts: Integers, actions: NDArray[np.uint8]) -> tuple[Played, str | None]:
    games = begin(numbers)
    offsets = np.cumsum(counts) - counts
    chosen = np.zeros(len(numbers), dtype=np.int64)
    trouble = None
    for step in range(int(counts.max(initial=0))):
        live = counts > step
        chosen[live] = actions[offsets[live] + step]
        _, _, illegal = games.step(chosen, live)
        if illegal.any():
            trouble = f"move {step + 1} of game {numbers[illegal.argmax()]} is not legal"
            break
    if trouble is None and not games.ended().all():
        trouble = f"game {numbers[(~games.ended()).argmax()]} has not ended after its last move"
    return Played(games.scores(), games.moves(), largest(games), actions), trouble


def pack(actions: NDArray[np.uint8]) -> str:
    """Actions as text: two bits each, the first in the highest bits of a byte, then zlib and base64."""
    padded = np.zeros(-(-len(actions) // 4) * 4, dtype=np.uint8)
    padded[: len(actions)] = actions
    four = padded.reshape(-1, 4) << np.array([6, 4, 2, 0], dtype=np.uint8)
    data = np.bitwise_or.reduce(four, axis=1).astype(np.uint8).tobytes()
    return base64.b64encode(zlib.compress(data, 9)).decode()


def unpack(text: str, count: int) -> NDArray[np.uint8] | None:
    """What `pack` made; None if it cannot be."""
    size = -(-count // 4)
    try:
        inflate = zlib.decompressobj()
        # A byte more than there should be: a longer text is wrong, not read.
        data = inflate.decompress(base64.b64decode(text, validate=True), size + 1)
    except (binascii.Error, zlib.error, ValueError):
        return None
    if len(data) != size:
        return None
    four = np.frombuffer(data, dtype=np.uint8)[:, None] >> np.array([6, 4, 2, 0], dtype=np.uint8)
    return np.asarray((four & 3).reshape(-1)[:count], dtype=np.uint8)
