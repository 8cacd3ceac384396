"""Runs of the protocol, and their result files."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tilebase
from tilebase.rules import Rules

from . import exact, games, statistics
from .exact import EXACT_GAMES
from .games import FIRST_SEED, GAMES, VARIANT
from .policies import PolicyError, PolicyFile

PROTOCOL = "tilebase-benchmark-1"

Tell = Callable[[str], None]


class ResultError(Exception):
    """A result file that cannot be read, in one line."""


@dataclass(frozen=True)
class Result:
    """What a run found: the content of a result file."""

    content: dict[str, Any]

    @staticmethod
    def read(path: Path) -> Result:
        """Reads a result file of this protocol."""
        try:
            content = json.loads(path.read_text())
        except OSError as error:
            raise ResultError(f"{path} cannot be read: {error.strerror}") from None
        except ValueError:
            raise ResultError(f"{path} is no JSON") from None
        found = content.get("protocol") if isinstance(content, dict) else None
        if found != PROTOCOL:
            raise ResultError(f"{path} is no result of {PROTOCOL}: its protocol is {found!r}")
        return Result(content)

    def write(self, path: Path) -> None:
        """Writes the result file."""
        try:
            path.write_text(self.to_json() + "\n")
        except OSError as error:
            raise ResultError(f"{path} cannot be written: {error.strerror}") from None

    def to_json(self) -> str:
        """The content of the result file."""
        return json.dumps(self.content, indent=1)

    def __str__(self) -> str:
        content = self.content
        part = content["games"]
        score, tiles = part["score"], part["tiles"]
        lines = [
            f"{content['policy']['name']}, {PROTOCOL}" + ("" if content["complete"] else ", not complete"),
            f"{part['count']:,} games of {VARIANT}: mean score {score['mean']:,.1f}"
            + ("" if score["interval"] is None else " (95 % {:,.1f} to {:,.1f})".format(*score["interval"]))
            + f", median {score['median']:,.0f}",
            f"  {part['moves']['mean']:,.1f} moves a game, {content['timing']['moves_per_second']:,.0f} moves/s, "
            f"{part['illegal']:,} illegal",
        ]
        for tile, reached in tiles.items():
            low, high = reached["interval"]
            if reached["games"]:
                lines.append(f"  {tile:>6} {reached['rate']:7.2%} (95 % {low:.2%} to {high:.2%})")
        lines += map(_exact_line, content["exact"])
        return "\n".join(lines)


def _exact_line(game: dict[str, Any]) -> str:
    if not game["supported"]:
        return f"{game['variant']}: not supported"
    worst = game["worst_layer"]
    text = f"{game['variant']}: wins {game['value']:.6g}, optimal {game['optimal']:.6g}, regret {game['regret']:.6g}"
    if worst["regret"] > 0:
        text += f", worst layer: sum {worst['sum']} ({worst['regret']:.6g})"
    if game["symmetric"]:
        text += ", made symmetric"
    return text + (f", {game['illegal']:,} illegal" if game["illegal"] else "")


def is_complete(count: int, exact_games: Iterable[str]) -> bool:
    """Whether these are all games of the protocol, and no others.

    >>> is_complete(1000, EXACT_GAMES), is_complete(999, EXACT_GAMES), is_complete(1001, EXACT_GAMES)
    (True, False, False)
    >>> is_complete(1000, EXACT_GAMES[1:])
    False
    """
    return count == GAMES and set(exact_games) == set(EXACT_GAMES)


def run(
    policy: str | Path,
    *,
    count: int = GAMES,
    exact_games: Sequence[str] = EXACT_GAMES,
    symmetric: bool = False,
    tell: Tell = lambda text: None,
) -> Result:
    """Runs the protocol. `tell` hears what is going on.

    With another number of games, or without some of the exact games, the result is not complete. With `symmetric` the
    exact part asks about one board of each class of images, and turns the answer with the board.
    """
    for variant in exact_games:
        if variant not in EXACT_GAMES:
            raise ValueError(f"{variant!r} is no exact game of {PROTOCOL}: use {', '.join(EXACT_GAMES)}")
    if count < 1:
        raise ValueError(f"{count} games: use at least 1")
    file = PolicyFile(Path(policy))
    player = file.player(Rules(VARIANT))
    if player is None:
        raise PolicyError(f"the policy does not play {VARIANT}, which every policy of {PROTOCOL} must")
    began = time.perf_counter()
    played = games.play(
        player, count, lambda done, moves: tell(f"{VARIANT}: {done:,} of {count:,} games, {moves:,} moves")
    )
    seconds = time.perf_counter() - began
    found = [exact.evaluate(file, variant, symmetric, tell) for variant in exact_games]
    hashes = file.hashes()
    name = next(iter(hashes))
    return Result(
        {
            "protocol": PROTOCOL,
            "package": tilebase.__version__,
            "policy": {"name": name, "sha256": hashes[name], "files": {k: v for k, v in hashes.items() if k != name}},
            "complete": is_complete(count, exact_games),
            "games": {
                "variant": VARIANT,
                "first_seed": FIRST_SEED,
                "count": count,
                **statistics.summary(played.score, played.moves, played.largest),
                "illegal": player.illegal,
                "record": {
                    "score": played.score.tolist(),
                    "moves": played.moves.tolist(),
                    "largest": played.largest.tolist(),
                    "actions": games.pack(played.actions),
                },
            },
            "exact": found,
            "timing": {
                "games_seconds": round(seconds, 3),
                "moves_per_second": round(float(played.moves.sum()) / max(seconds, 1e-9), 1),
                "python": platform.python_version(),
                "numpy": np.__version__,
                "machine": platform.machine(),
            },
        }
    )
