"""What the games of a run say: means and shares, with intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Standard errors of a 95 % interval.
Z = 1.959963984540054

#: Tiles whose shares are reported.
TILES = tuple(1 << exponent for exponent in range(8, 16))


def summary(score: NDArray[np.int64], moves: NDArray[np.int64], largest: NDArray[np.int64]) -> dict[str, Any]:
    """The results of games: an array has an entry a game."""
    return {
        "score": {**mean(score), "median": float(np.median(score)), "largest": int(score.max())},
        "moves": {"mean": float(moves.mean()), "total": int(moves.sum())},
        "tiles": {str(tile): share(largest >= tile.bit_length() - 1) for tile in TILES},
    }


def mean(values: NDArray[np.int64]) -> dict[str, Any]:
    """The mean, its standard error, and the 95 % interval of the normal distribution."""
    middle = float(values.mean())
    if len(values) < 2:
        return {"mean": middle, "standard_error": None, "interval": None}
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return {
        "mean": middle,
        "standard_error": error,
        "interval": [middle - Z * error, middle + Z * error],
    }


def share(reached: NDArray[np.bool_]) -> dict[str, Any]:
    """How many, and the 95 % interval by Wilson."""
    count, trials = int(reached.sum()), len(reached)
    return {"games": count, "rate": count / trials, "interval": list(wilson(count, trials))}


def wilson(successes: int, trials: int, z: float = Z) -> tuple[float, float]:
    """Wilson's interval for a probability.

    >>> [round(bound, 4) for bound in wilson(0, 100)]
    [0.0, 0.037]
    """
    rate = successes / trials
    scale = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / scale
    half = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)
