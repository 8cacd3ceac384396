"""Every legal action with the same probability. Plays every game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilebase import Rules


def policy(boards: NDArray[np.uint8], rules: Rules) -> NDArray[np.float64]:
    legal = rules.legal_actions(boards)
    return np.asarray(legal / legal.sum(axis=1, keepdims=True))
