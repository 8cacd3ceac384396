"""What the reward is: the sum of merged tiles, or else which law it follows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from . import rules
from .checks import describe, is_large
from .record import Record
from .report import Finding

LAWS: dict[str, Callable[[Sequence[int]], float]] = {
    "the sum of the merged tiles": lambda made: float(rules.score(made)),
    "the sum of the exponents of the merged tiles": lambda made: float(sum(made)),
    "the number of merges": lambda made: float(len(made)),
    "the base-2 logarithm of the sum of the merged tiles": lambda made: (
        math.log2(rules.score(made)) if made else 0.0
    ),
    "the logarithm of 1 + the sum of the merged tiles": lambda made: math.log1p(rules.score(made)),
    "the largest merged tile": lambda made: float(1 << max(made)) if made else 0.0,
    "1 for every slide": lambda made: 1.0,
}


def _factor(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """The factor that most rewards have to a law, and the share of rewards that fit it."""
    ratios: dict[float, int] = {}
    for reward, value in pairs:
        if value != 0:
            ratio = float(f"{reward / value:.5g}")
            ratios[ratio] = ratios.get(ratio, 0) + 1
    if not ratios:
        return 0.0, 0.0
    factor = max(ratios, key=ratios.__getitem__)
    fits = sum(math.isclose(reward, factor * value, rel_tol=1e-3, abs_tol=1e-6) for reward, value in pairs)
    return factor, fits / len(pairs)


def _per_tile(pairs: list[tuple[float, list[int]]]) -> dict[int, float] | None:
    """The reward of each merged tile, if every reward is the sum of such."""
    worth = {made[0]: reward for reward, made in pairs if len(made) == 1}
    for reward, made in pairs:
        if not all(tile in worth for tile in made):
            return None
        if not math.isclose(reward, sum(worth[tile] for tile in made), rel_tol=1e-3, abs_tol=1e-6):
            return None
    return worth


def rewards(record: Record) -> Finding:
    name = "reward"
    steps = [s for s in record.slides if s.error is None and not is_large(s)]
    if not steps:
        return Finding(name, "not tested", "no legal slide was seen")
    made = [rules.slide(step.before, record.order[step.action])[1] for step in steps]
    wrong = [step for step, merged in zip(steps, made) if step.reward != rules.score(merged)]
    total = f"{len(steps):,} legal slides"
    if not wrong:
        return Finding(name, "pass", f"the sum of the merged tiles in all of {total}")
    if all(step.reward == 0 for step in steps):
        return Finding(name, "differs", f"0 in all of {total}")
    ends = [step for step in steps if step.terminated]
    inner = [(step.reward, merged) for step, merged in zip(steps, made) if not step.terminated]
    best, factor, share = "", 0.0, 0.0
    for law, value in LAWS.items():
        found, fit = _factor([(reward, value(merged)) for reward, merged in inner])
        if fit > share and found != 0:
            best, factor, share = law, found, fit
    example = describe(record, wrong[0])
    last = ""
    if ends and {step.reward for step in ends} == {ends[0].reward}:
        last = f"; {ends[0].reward:g} at the end of a game"
    if share == 1:
        times = "" if factor == 1 else f"{factor:g} times "
        return Finding(name, "differs", f"{times}{best} in all of {total}{last}", example)
    worth = _per_tile(inner)
    if worth is not None:
        some = [tile for tile in (2, 6, 7, 9, 11, 15) if tile in worth]
        table = ", ".join(f"{1 << tile}: {worth[tile]:g}" for tile in some)
        return Finding(name, "differs", f"a reward for each merged tile in all of {total} ({table}){last}", example)
    evidence = f"not the sum of the merged tiles in {len(wrong):,} of {total}"
    if share > 0.5:
        evidence += f"; {factor:g} times {best} in {share:.1%}"
    return Finding(name, "fail", evidence + last, example)
