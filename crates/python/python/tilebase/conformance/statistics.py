"""Exact binomial tests and a bound for sums of chances that vary, with a threshold shared by all tests.

All tests of one report together are wrong about a correct environment with probability at most
`SIGNIFICANCE`: each test has its equal share (Bonferroni). No p-value here is an approximation by a normal
distribution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

SIGNIFICANCE = 1e-6


def log_probability(successes: int, trials: int, p: float) -> float:
    """The logarithm of the binomial probability of exactly this many successes."""
    ways = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    return ways + successes * math.log(p) + (trials - successes) * math.log1p(-p)


def _tail(start: int, step: int, trials: int, p: float) -> float:
    """The sum of probabilities from `start` outwards, where they get smaller."""
    total = 0.0
    count = start
    while 0 <= count <= trials:
        term = math.exp(log_probability(count, trials, p))
        total += term
        beyond_mean = (count - trials * p) * step > 0
        if beyond_mean and term < total * 1e-12:
            break
        count += step
    return min(total, 1.0)


def binomial_p_value(successes: int, trials: int, p: float) -> float:
    """The two-sided p-value: twice the smaller tail, at most 1."""
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials")
    if trials == 0:
        return 1.0
    low = successes <= trials * p
    return min(1.0, 2 * _tail(successes, -1 if low else 1, trials, p))


@dataclass(frozen=True)
class Trial:
    """One test: how often something happened, and its probability by the rules."""

    what: str
    successes: int
    trials: int
    p: float

    @property
    def p_value(self) -> float:
        return binomial_p_value(self.successes, self.trials, self.p)

    @property
    def text(self) -> str:
        return f"{self.what}: {self.successes} of {self.trials}, expected {self.trials * self.p:.1f}"


@dataclass(frozen=True)
class Drift:
    """Many draws, each with its own probability, which may depend on earlier ones."""

    what: str
    successes: int
    trials: int
    expected: float
    variance: float

    @property
    def p_value(self) -> float:
        """Freedman's inequality: the p-value is at most this."""
        excess = abs(self.successes - self.expected)
        if excess == 0:
            return 1.0
        return min(1.0, 2 * math.exp(-excess * excess / (2 * (self.variance + excess / 3))))

    @property
    def text(self) -> str:
        return f"{self.what}: {self.successes} of {self.trials}, expected {self.expected:.1f}"


def worst(tests: Sequence[Trial | Drift]) -> tuple[Trial | Drift, float]:
    """The test with the smallest p-value, and that value."""
    values = [test.p_value for test in tests]
    at = min(range(len(tests)), key=values.__getitem__)
    return tests[at], values[at]


def interval(successes: int, trials: int, z: float = 5.0) -> tuple[float, float]:
    """Wilson's interval for a share, five standard errors wide on either side unless told otherwise."""
    if trials == 0:
        return 0.0, 1.0
    share = successes / trials
    scale = 1 + z * z / trials
    middle = (share + z * z / (2 * trials)) / scale
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)
