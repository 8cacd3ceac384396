"""One slide deep with the built-in n-tuple network. Plays 4x4 only."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilebase import Network, Rules


def make_policy(rules: Rules) -> Callable[[NDArray[np.uint8]], NDArray[np.int64]]:
    if rules.variant != "4x4":
        raise NotImplementedError("the network knows 4x4 only")
    network = Network.built_in()

    def policy(boards: NDArray[np.uint8]) -> NDArray[np.int64]:
        after = rules.afterstates(boards)
        estimates = network.evaluate(after.boards.reshape(-1, 4, 4)).reshape(-1, 4)
        return np.asarray(np.where(after.legal, after.rewards + estimates, -np.inf).argmax(axis=1))

    return policy
