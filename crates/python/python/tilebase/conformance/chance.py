"""The checks of chance: start tiles, cells and values, by tests that share one level."""

from __future__ import annotations

from collections import Counter

from . import rules, statistics
from .checks import is_large, new_tiles
from .record import Record
from .report import Finding
from .statistics import Drift, Trial

FOUR = 0.1


def spawns(record: Record) -> list[tuple[int, list[int], int]]:
    """Cell, empty cells it was drawn from, and exponent of each new tile after a legal slide."""
    out = []
    for step in record.slides:
        cells = None if is_large(step) else new_tiles(record, step)
        if cells is not None and len(cells) == 1 and step.after is not None:
            slid, _ = rules.slide(step.before, record.order[step.action])
            out.append((cells[0], [c for c in range(16) if slid[c] == 0], step.after[cells[0]]))
    return out


def start_tiles(record: Record) -> Finding:
    name = "two start tiles"
    counts = Counter(sum(tile != 0 for tile in board) for board in record.starts)
    odd = [board for board in record.starts if any(tile > 2 for tile in board)]
    if odd:
        return Finding(name, "fail", f"{len(odd):,} starts have other tiles than 2 and 4", rules.text_of(odd[0]))
    if set(counts) == {2}:
        return Finding(name, "pass", f"two in all of {len(record.starts):,} starts")
    found = ", ".join(f"{number} tiles in {times:,}" for number, times in sorted(counts.items()))
    wrong = next(board for board in record.starts if sum(tile != 0 for tile in board) != 2)
    evidence = f"of {len(record.starts):,} starts: {found}".replace("1 tiles", "1 tile")
    return Finding(name, "fail", evidence, rules.text_of(wrong))


def trials(record: Record) -> dict[str, list[Trial | Drift]]:
    """All tests, by check."""
    regular = [board for board in record.starts if sum(tile != 0 for tile in board) == 2]
    if not regular:
        regular = record.starts
    tiles = sum(sum(tile != 0 for tile in board) for board in regular)
    number = tiles // max(len(regular), 1)
    starts: list[Trial | Drift] = [
        Trial(
            f"start tiles in row {c // 4 + 1}, column {c % 4 + 1}",
            sum(board[c] != 0 for board in regular),
            len(regular),
            number / 16,
        )
        for c in range(16)
        if 0 < number < 16
    ]
    fours = sum(tile == 2 for board in regular for tile in board)
    seen = spawns(record)
    by_rank: Counter[tuple[int, int]] = Counter()
    by_cell: Counter[tuple[int, int]] = Counter()
    rank_total: Counter[int] = Counter()
    cell_total: Counter[tuple[int, int]] = Counter()
    for cell, empty, _ in seen:
        k = len(empty)
        by_rank[k, empty.index(cell)] += 1
        rank_total[k] += 1
        by_cell[k, cell] += 1
        cell_total.update((k, other) for other in empty)
    cells: list[Trial | Drift] = [
        Trial(f"empty cell {rank + 1} of {k} in reading order", by_rank[k, rank], rank_total[k], 1 / k)
        for k in sorted(rank_total)
        if k > 1
        for rank in range(k)
    ]
    cells += [
        Trial(f"row {c // 4 + 1}, column {c % 4 + 1}, empty with {k - 1} others", by_cell[k, c], total, 1 / k)
        for (k, c), total in sorted(cell_total.items())
        if k > 1
    ]
    for c in range(16):
        chances = [(1 / k, total) for (k, cell), total in cell_total.items() if cell == c]
        cells.append(
            Drift(
                f"row {c // 4 + 1}, column {c % 4 + 1}, when empty",
                sum(times for (_, cell), times in by_cell.items() if cell == c),
                sum(total for _, total in chances),
                sum(total * p for p, total in chances),
                sum(total * p * (1 - p) for p, total in chances),
            )
        )
    return {
        "start cells are uniform": starts,
        "start values are 0.9/0.1": [Trial("fours among start tiles", fours, tiles, FOUR)] if tiles else [],
        "spawn cells are uniform": cells,
        "spawn values are 0.9/0.1": (
            [Trial("fours among new tiles", sum(v == 2 for *_, v in seen), len(seen), FOUR)] if seen else []
        ),
    }


def chance(record: Record) -> list[Finding]:
    """The four checks of chance."""
    tests = trials(record)
    level = statistics.SIGNIFICANCE / max(sum(len(group) for group in tests.values()), 1)
    out = []
    for name, group in tests.items():
        if not group:
            out.append(Finding(name, "not tested", "nothing to count"))
            continue
        test, p_value = statistics.worst(group)
        wrong = sum(trial.p_value < level for trial in group)
        if len(group) == 1:
            low, high = statistics.interval(test.successes, test.trials)
            evidence = f"{test.successes / max(test.trials, 1):.2%} fours of {test.trials:,} tiles, p-value "
            evidence += f"{p_value:.2g} (five standard errors: {low:.2%} to {high:.2%})"
        else:
            count = max(trial.trials for trial in group) if "start" in name else len(spawns(record))
            evidence = f"{len(group)} counts of {count:,} {'starts' if 'start' in name else 'spawns'}, smallest"
            evidence += f" p-value {p_value:.2g} (limit {level:.2g})"
        if wrong:
            if len(group) > 1:
                evidence += f", {wrong} below the limit"
            out.append(Finding(name, "fail", evidence, test.text))
        else:
            out.append(Finding(name, "pass", evidence))
    return out
