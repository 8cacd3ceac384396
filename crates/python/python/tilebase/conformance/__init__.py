"""Does an environment play 2048 by the rules?

    from tilebase import conformance
    report = conformance.check(my_environment)
    print(report)

`my_environment` has `reset(seed)` and `step(action)`, see `Environment`. Adapters for published packages are in
`conformance.environments`; `python -m tilebase.conformance NAME` runs one of them. Needs NumPy only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from . import chance, checks, rewards
from .adapter import GymnasiumAdapter
from .protocol import Environment, Step, documented_by, name_of, versions_of
from .record import record
from .report import Finding, Report
from .rules import DIRECTIONS

__all__ = ["Environment", "Finding", "GymnasiumAdapter", "Report", "Step", "check"]


def check(
    env: Environment,
    *,
    steps: int = 20_000,
    games: int = 2_000,
    seed: int = 0,
    tell: Callable[[str], None] = lambda text: None,
) -> Report:
    """Plays the environment and compares it with the rules.

    `steps` random legal slides and `games` starts are the samples of the tests of chance. With the defaults a
    share of fours beyond 10% +- 2 points is found almost surely. A correct environment is blamed with probability
    at most 1e-6, all tests of chance together. `tell` is told what is going on.
    """
    began = time.perf_counter()
    seen = record(env, steps, games, seed, tell)
    found = [
        checks.order(seen),
        chance.start_tiles(seen),
        checks.slides(seen),
        checks.spawn(seen),
        checks.spawn_full(seen),
        *chance.chance(seen),
        rewards.rewards(seen),
        checks.illegal(seen),
        checks.mask(seen),
        checks.stuck(seen),
        checks.goes_on(seen),
        *(checks.large(seen, exponent) for exponent in (11, 15, 16, 17)),
        checks.seeds(seen),
    ]
    documented = documented_by(env)
    for index, finding in enumerate(found):
        if finding.verdict == "fail" and finding.name in documented:
            evidence = f"{finding.evidence}; {documented[finding.name]}"
            found[index] = replace(finding, verdict="differs", evidence=evidence)
    return Report(
        environment=name_of(env),
        versions=versions_of(env),
        findings=found,
        order=tuple(DIRECTIONS[direction] for direction in seen.order),
        transitions=len(seen.explored) + len(seen.played) + len(seen.crafted),
        seconds=time.perf_counter() - began,
    )
