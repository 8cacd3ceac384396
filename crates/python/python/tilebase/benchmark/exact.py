"""The second part: the exact value of a policy in solved games."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

import tilebase
from tilebase.rules import Rules

from .policies import Boards, Player, PolicyFile, Weights

#: Solved in memory in seconds each: two small shapes, the 3x3 game with its usual target, and a formation.
EXACT_GAMES = ("2x3-to-64", "2x4-to-128", "3x3-to-512", "4x4-to-32-formation-L3")


def solved(variant: str) -> tilebase.Table:
    """The table of a game of the protocol: the probability of winning."""
    return tilebase.solve(variant, objective="win")


def evaluate(
    file: PolicyFile,
    variant: str,
    symmetric: bool,
    tell: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """What a policy is worth in a solved game, or that it does not play it."""
    player = file.player(Rules(variant))
    if player is None:
        return {"variant": variant, "supported": False}
    tell(f"{variant}: solving")
    table = solved(variant)
    began = time.perf_counter()
    result = table.evaluate(_reporting(player, variant, tell), symmetric=symmetric)
    layers = result.layers
    worst = int(np.argmax(layers["regret"]))
    return {
        "variant": variant,
        "supported": True,
        "objective": "win",
        "symmetric": symmetric,
        "states": table.states,
        "optimal": result.optimal,
        # Small probabilities keep their digits here; in the difference of two large ones they would not.
        "value": result.won,
        "regret": result.regret,
        "score": result.score,
        "moves": result.moves,
        "mistakes": float(layers["mistakes"].sum()),
        "worst_layer": {"sum": int(layers["sum"][worst]), "regret": float(layers["regret"][worst])},
        "asked": player.asked,
        "illegal": player.illegal,
        "seconds": round(time.perf_counter() - began, 3),
    }


def _reporting(
    player: Player, variant: str, tell: Callable[[str], None]
) -> Callable[[Boards], Weights]:
    def weights(boards: Boards) -> Weights:
        answer = player.weights(boards)
        tell(f"{variant}: {player.asked:,} boards")
        return answer

    return weights
