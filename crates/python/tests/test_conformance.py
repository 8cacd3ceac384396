"""The conformance checks pass a correct environment and catch wrong ones, each by the check meant for it."""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

SOURCE = Path(__file__).parent.parent / "python" / "tilebase" / "conformance"


def load() -> Any:
    """The checks of the installed package, or without it those of the source: they need NumPy alone."""
    try:
        return importlib.import_module("tilebase.conformance")
    except ImportError:
        spec = importlib.util.spec_from_file_location(
            "conformance", SOURCE / "__init__.py", submodule_search_locations=[str(SOURCE)]
        )
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["conformance"] = module
        spec.loader.exec_module(module)
        return module


conformance = load()
rules = importlib.import_module(f"{conformance.__name__}.rules")
statistics = importlib.import_module(f"{conformance.__name__}.statistics")
environments = importlib.import_module(f"{conformance.__name__}.environments")
main = importlib.import_module(f"{conformance.__name__}.__main__").main

Grid = list[list[int]]
Answer = tuple[Any, float, bool, Any]


def line_left(line: list[int]) -> tuple[list[int], int]:
    """Another way to slide than that of the checks: tiles go one by one, the last one may be taken."""
    out: list[int] = []
    open_to_merge = False
    points = 0
    for tile in line:
        if tile and open_to_merge and out[-1] == tile:
            out[-1] += 1
            points += 2 ** out[-1]
            open_to_merge = False
        elif tile:
            out.append(tile)
            open_to_merge = True
    return out + [0] * (4 - len(out)), points


def turned(grid: Grid) -> Grid:
    """A quarter turn, against the clock."""
    return [list(column) for column in zip(*grid)][::-1]


class Correct:
    """2048 by the rules, on lists. Wrong environments change one method each."""

    name = "plain"
    turns = (1, 2, 3, 0)
    """Quarter turns that bring up, right, down, left to the left."""

    def __init__(self) -> None:
        self.grid: Grid = [[0] * 4 for _ in range(4)]
        self.dice = random.Random()

    def line(self, line: list[int]) -> tuple[list[int], int]:
        return line_left(line)

    def slid(self, action: int) -> tuple[Grid, float]:
        grid = self.grid
        for _ in range(self.turns[action]):
            grid = turned(grid)
        lines = [self.line(row) for row in grid]
        grid = [row for row, _ in lines]
        for _ in range(-self.turns[action] % 4):
            grid = turned(grid)
        return grid, float(sum(points for _, points in lines))

    def empty(self) -> list[tuple[int, int]]:
        return [(r, c) for r in range(4) for c in range(4) if self.grid[r][c] == 0]

    def cell(self, cells: list[tuple[int, int]]) -> tuple[int, int]:
        return self.dice.choice(cells)

    def value(self) -> int:
        return 2 if self.dice.random() < 0.1 else 1

    def spawn(self) -> None:
        row, column = self.cell(self.empty())
        self.grid[row][column] = self.value()

    def start(self) -> None:
        self.spawn()
        self.spawn()

    def over(self) -> bool:
        return all(self.slid(action)[0] == self.grid for action in range(4))

    def mask(self) -> Any:
        return np.array([self.slid(action)[0] != self.grid for action in range(4)])

    def seed(self, seed: int) -> None:
        self.dice.seed(seed)

    def reward(self, points: float) -> float:
        return points

    def reset(self, seed: int) -> Any:
        self.seed(seed)
        self.grid = [[0] * 4 for _ in range(4)]
        self.start()
        return np.array(self.grid)

    def step(self, action: int) -> Answer:
        after, points = self.slid(action)
        if after == self.grid:
            return self.unchanged()
        self.grid = after
        self.after_slide()
        return np.array(self.grid), self.reward(points), self.over(), self.mask()

    def unchanged(self) -> Answer:
        return np.array(self.grid), 0.0, self.over(), self.mask()

    def after_slide(self) -> None:
        self.spawn()

    def set_board(self, board: Any) -> None:
        self.grid = [[int(tile) for tile in row] for row in board]


class OneStartTile(Correct):
    def start(self) -> None:
        self.spawn()


class StartTilesMayCoincide(Correct):
    def start(self) -> None:
        for _ in range(2):
            self.grid[self.dice.randrange(4)][self.dice.randrange(4)] = self.value()


class StartsInTheTopRows(Correct):
    def start(self) -> None:
        for place in self.dice.sample(range(12), 2):
            self.grid[place // 4][place % 4] = self.value()


class StartsWithTwosOnly(Correct):
    def start(self) -> None:
        super().start()
        self.grid = [[min(tile, 1) for tile in row] for row in self.grid]


class NoSpawnOnAFullBoard(Correct):
    def step(self, action: int) -> Answer:
        self.was_full = not self.empty()
        return super().step(action)

    def after_slide(self) -> None:
        if not self.was_full:
            self.spawn()


class SpawnCountIsStale(Correct):
    """Draws among as many empty cells as there were before the slide."""

    def step(self, action: int) -> Answer:
        self.before = len(self.empty())
        return super().step(action)

    def after_slide(self) -> None:
        cells = self.empty()[: max(1, self.before)]
        row, column = self.dice.choice(cells)
        self.grid[row][column] = self.value()


class TwoSpawns(Correct):
    def after_slide(self) -> None:
        self.spawn()
        if self.empty():
            self.spawn()


class SpawnsAnEight(Correct):
    def value(self) -> int:
        return 3 if self.dice.random() < 0.01 else super().value()


class CornersAreLikelier(Correct):
    def cell(self, cells: list[tuple[int, int]]) -> tuple[int, int]:
        return self.dice.choice(cells + [cell for cell in cells if cell in ((0, 0), (3, 3))])


class TooManyFours(Correct):
    def value(self) -> int:
        return 2 if self.dice.random() < 0.2 else 1


class MergesTwice(Correct):
    def line(self, line: list[int]) -> tuple[list[int], int]:
        out: list[int] = []
        points = 0
        for tile in filter(None, line):
            out.append(tile)
            while len(out) > 1 and out[-1] == out[-2]:
                out[-2:] = [out[-1] + 1]
                points += 2 ** out[-1]
        return out + [0] * (4 - len(out)), points


class MergesFromTheFarSide(Correct):
    def line(self, line: list[int]) -> tuple[list[int], int]:
        out, points = line_left(line[::-1])
        tiles = [tile for tile in out[::-1] if tile]
        return tiles + [0] * (4 - len(tiles)), points


class OnlyNeighboursMerge(Correct):
    def line(self, line: list[int]) -> tuple[list[int], int]:
        line = list(line)
        points = 0
        for at in range(3):
            if line[at] and line[at] == line[at + 1]:
                line[at : at + 2] = [line[at] + 1, 0]
                points += 2 ** line[at]
        tiles = [tile for tile in line if tile]
        return tiles + [0] * (4 - len(tiles)), points


class RewardCountsTheMove(Correct):
    def reward(self, points: float) -> float:
        return points + 1


class RewardIsTheLargestTile(Correct):
    def reward(self, points: float) -> float:
        return 2.0 ** max(max(row) for row in self.grid)


class EndsAt2048(Correct):
    def over(self) -> bool:
        return super().over() or any(11 in row for row in self.grid)


class CapsAt32768(Correct):
    def line(self, line: list[int]) -> tuple[list[int], int]:
        out, points = line_left(line)
        return [min(tile, 15) for tile in out], points


class EndsWhenFull(Correct):
    def over(self) -> bool:
        return not self.empty()


class OverlooksTheLastColumn(Correct):
    def over(self) -> bool:
        pairs = [((r, c), (r + 1, c)) for r in range(3) for c in range(3)]
        pairs += [((r, c), (r, c + 1)) for r in range(4) for c in range(3)]
        return not self.empty() and all(self.grid[a][b] != self.grid[c][d] for (a, b), (c, d) in pairs)


class NeverEnds(Correct):
    def over(self) -> bool:
        return False


class SpawnsAfterAnIllegalAction(Correct):
    def unchanged(self) -> Answer:
        if self.empty():
            self.spawn()
        return super().unchanged()


class MaskForbidsMerges(Correct):
    def mask(self) -> Any:
        return np.array(
            [self.slid(action)[0] != self.grid and self.slid(action)[1] == 0 for action in range(4)]
        )


class MaskAllowsAll(Correct):
    def mask(self) -> Any:
        return np.ones(4, dtype=bool)


class IgnoresSeeds(Correct):
    def seed(self, seed: int) -> None:
        pass


class OneSeedForAll(Correct):
    def seed(self, seed: int) -> None:
        self.dice.seed(7)


MUTANTS: list[tuple[type[Correct], str]] = [
    (OneStartTile, "two start tiles"),
    (StartTilesMayCoincide, "two start tiles"),
    (StartsInTheTopRows, "start cells are uniform"),
    (StartsWithTwosOnly, "start values are 0.9/0.1"),
    (NoSpawnOnAFullBoard, "spawn after a merge on a full board"),
    (SpawnCountIsStale, "spawn cells are uniform"),
    (TwoSpawns, "spawn after a slide"),
    (SpawnsAnEight, "spawn after a slide"),
    (CornersAreLikelier, "spawn cells are uniform"),
    (TooManyFours, "spawn values are 0.9/0.1"),
    (MergesTwice, "slides and merges"),
    (MergesFromTheFarSide, "slides and merges"),
    (OnlyNeighboursMerge, "slides and merges"),
    (RewardCountsTheMove, "reward"),
    (RewardIsTheLargestTile, "reward"),
    (EndsAt2048, "2048 is made and the game goes on"),
    (CapsAt32768, "65536 is made and the game goes on"),
    (EndsWhenFull, "goes on until stuck"),
    (OverlooksTheLastColumn, "goes on until stuck"),
    (NeverEnds, "ends when stuck"),
    (SpawnsAfterAnIllegalAction, "illegal actions"),
    (MaskForbidsMerges, "action mask"),
    (MaskAllowsAll, "action mask"),
    (IgnoresSeeds, "same seed, same game"),
    (OneSeedForAll, "same seed, same game"),
]


ALONE = {OneStartTile, EndsAt2048, IgnoresSeeds, MaskAllowsAll, RewardCountsTheMove, NeverEnds}
"""These faults touch nothing else, so no other check may fail."""


def checked(env: Any) -> Any:
    return conformance.check(env, steps=2_500, games=400)


def test_a_correct_environment_passes() -> None:
    report = checked(Correct())
    assert report.ok and report.same, str(report)
    assert {finding.verdict for finding in report.findings} == {"pass"}
    assert report.order == ("up", "right", "down", "left")


def test_other_randomness_passes_too() -> None:
    for seed in (100, 10_000):
        assert conformance.check(Correct(), steps=1_000, games=200, seed=seed).same


@pytest.mark.parametrize(("mutant", "name"), MUTANTS, ids=[mutant.__name__ for mutant, _ in MUTANTS])
def test_a_wrong_environment_fails(mutant: type[Correct], name: str) -> None:
    report = checked(mutant())
    assert not report.ok
    assert report[name].verdict == "fail", str(report)
    if mutant in ALONE:
        assert [finding.name for finding in report.findings if finding.verdict == "fail"] == [name], str(report)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 0, 2, 1), (1, 3, 0, 2), (2, 1, 0, 3)])
def test_the_order_of_actions_is_found(order: tuple[int, ...]) -> None:
    class Reordered(Correct):
        turns = tuple(Correct.turns[direction] for direction in order)  # type: ignore[assignment]

    report = conformance.check(Reordered(), steps=1_000, games=100)
    assert report.same, str(report)
    assert report.order == tuple(rules.DIRECTIONS[direction] for direction in order)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        (lambda points: 0.0, "0 in all"),
        (lambda points: points / 2048, "0.00048828 times the sum of the merged tiles"),
        (lambda points: np.log2(points) if points else 0.0, "the base-2 logarithm"),
        (lambda points: np.log1p(points), "the logarithm of 1 +"),
        (lambda points: 1.0, "1 for every slide"),
    ],
)
def test_other_rewards_are_named(law: Any, words: str) -> None:
    class Other(Correct):
        def reward(self, points: float) -> float:
            return float(law(points))

    report = conformance.check(Other(), steps=1_000, games=100)
    assert report.ok and not report.same
    assert report["reward"].verdict == "differs"
    assert report["reward"].evidence.startswith(words), report["reward"].evidence


def test_illegal_actions_may_end_the_game_or_be_refused() -> None:
    class Ends(Correct):
        def unchanged(self) -> Answer:
            return np.array(self.grid), -1.0, True, self.mask()

    class Refuses(Correct):
        def unchanged(self) -> Answer:
            raise ValueError("this slide changes nothing")

    class Punishes(Correct):
        def unchanged(self) -> Answer:
            return np.array(self.grid), -5.0, self.over(), self.mask()

    for env, words in ((Ends, "ended the game, reward -1"), (Refuses, "refused with"), (Punishes, "reward -5")):
        report = conformance.check(env(), steps=1_000, games=100)
        assert report.ok, str(report)
        assert report["illegal actions"].verdict == "differs"
        assert words in report["illegal actions"].evidence


def test_what_documentation_states_is_a_difference() -> None:
    class Documented(OneStartTile):
        documented = {"two start tiles": "its documentation says one"}

    report = conformance.check(Documented(), steps=1_000, games=100)
    assert report.ok and not report.same
    assert report["two start tiles"].evidence.endswith("its documentation says one")


def test_less_can_be_tested_without_positions_and_masks() -> None:
    class Bare:
        def __init__(self) -> None:
            self.game = Correct()

        def reset(self, seed: int) -> Any:
            return self.game.reset(seed).tolist()

        def step(self, action: int) -> tuple[Any, float, bool]:
            board, reward, over, _ = self.game.step(action)
            return board.tolist(), reward, over

    report = conformance.check(Bare(), steps=1_000, games=100)
    assert report.same, str(report)
    untested = {finding.name for finding in report.findings if finding.verdict == "not tested"}
    assert "action mask" in untested and "65536 is made and the game goes on" in untested


def test_hidden_last_boards_are_allowed() -> None:
    class StartsAgain(Correct):
        def step(self, action: int) -> Any:
            board, reward, over, mask = super().step(action)
            return (None, reward, True, None) if over else (board, reward, over, mask)

    report = checked(StartsAgain())
    assert report.same, str(report)
    assert report["ends when stuck"].verdict == "pass"


class Gymnasiumlike:
    """The interface of Gymnasium around the plain game, with any encoding."""

    def __init__(self, encode: Any) -> None:
        self.game = Correct()
        self.encode = encode
        self.unwrapped = self

    def reset(self, *, seed: int) -> tuple[Any, dict[str, Any]]:
        return self.encode(self.game.reset(seed)), {"action_mask": self.game.mask().astype(np.int8)}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        board, reward, over, mask = self.game.step(action)
        return self.encode(board), reward, over, False, {"action_mask": mask}


@pytest.mark.parametrize(
    "encode",
    [
        lambda board: board,
        lambda board: board.reshape(16),
        lambda board: np.where(board > 0, 2**board, 0),
        lambda board: np.where(board > 0, 2.0**board, 0).ravel(),
        lambda board: np.eye(18)[board],
        lambda board: np.moveaxis(np.eye(18)[board], -1, 0),
        lambda board: {"board": board, "action_mask": None},
    ],
    ids=["exponents", "flat", "values", "flat values", "one-hot", "one-hot first", "dictionary"],
)
def test_gymnasium_observations_are_understood(encode: Any) -> None:
    def observation(board: Any) -> Any:
        seen = encode(board)
        return {"board": seen["board"]} if isinstance(seen, dict) else seen

    env = conformance.GymnasiumAdapter(Gymnasiumlike(observation), name="encoded")
    report = conformance.check(env, steps=600, games=100)
    assert report.same, str(report)
    assert report["action mask"].verdict == "pass"


def exponent(cell: str) -> int:
    if cell == ".":
        return 0
    return int(cell[2:]) if cell.startswith("2^") else int(cell).bit_length() - 1


def test_the_rules_agree_with_the_shared_cases() -> None:
    path = Path(__file__).parents[3] / "tests" / "data" / "lines.csv"
    rows = [row for row in path.read_text(encoding="utf-8").splitlines() if row[:1] not in ("", "#")]
    assert len(rows) > 30
    for row in rows:
        before, after, score, _ = row.split(",", 3)
        slid, made = rules.slide_line([exponent(cell) for cell in before.split()])
        assert slid == [exponent(cell) for cell in after.split()], row
        assert rules.score(made) == int(score), row


def test_binomial_p_values() -> None:
    assert statistics.binomial_p_value(5, 10, 0.5) == 1.0
    assert statistics.binomial_p_value(0, 10, 0.5) == pytest.approx(2 / 1024)
    assert statistics.binomial_p_value(9, 10, 0.5) == pytest.approx(22 / 1024)
    tail = sum(Fraction(math.comb(1000, k) * 9 ** (1000 - k), 10**1000) for k in range(130, 1001))
    assert statistics.binomial_p_value(130, 1000, 0.1) == pytest.approx(float(2 * tail), rel=1e-9)
    tail = sum(Fraction(math.comb(1000, k) * 9 ** (1000 - k), 10**1000) for k in range(21))
    assert statistics.binomial_p_value(20, 1000, 0.1) == pytest.approx(float(2 * tail), rel=1e-9)
    assert statistics.binomial_p_value(0, 0, 0.1) == 1.0
    with pytest.raises(ValueError, match="3 successes of 2 trials"):
        statistics.binomial_p_value(3, 2, 0.5)


def test_reports_are_text_and_json() -> None:
    report = conformance.check(OneStartTile(), steps=600, games=100)
    text = str(report)
    assert "FAIL" in text and "of 100 starts: 1 tile in 100" in text
    data = json.loads(json.dumps(report.to_dict()))
    assert data["ok"] is False and data["environment"] == "plain"
    assert {finding["verdict"] for finding in data["findings"]} <= {"pass", "fail", "differs", "not tested"}
    with pytest.raises(KeyError):
        report["no such check"]


def test_the_command_says_what_is_wrong_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: no environment is called nonsense; there are tilebase,")
    assert error.count("\n") == 1


def test_the_command_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(environments.NAMES, "plain", Correct)
    assert main(["plain", "--steps", "600", "--games", "100", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    monkeypatch.setitem(environments.NAMES, "wrong", OneStartTile)
    assert main(["wrong", "--steps", "600", "--games", "100"]) == 1
    assert "FAIL" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["tilebase", "tilebase-vector"])
def test_our_environments_pass(name: str) -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("tilebase", exc_type=ImportError)
    report = conformance.check(environments.make(name), steps=4_000, games=500)
    assert report.same, str(report)
    assert all(finding.verdict == "pass" for finding in report.findings), str(report)


def test_numpy_is_all_that_is_needed() -> None:
    code = f"""
import sys
import importlib.util as u
spec = u.spec_from_file_location("alone", {str(SOURCE / "__init__.py")!r}, submodule_search_locations=[{str(SOURCE)!r}])
module = u.module_from_spec(spec)
sys.modules["alone"] = module
spec.loader.exec_module(module)
import alone.__main__
extra = {{name.partition(".")[0] for name in sys.modules}} & {{"tilebase", "gymnasium", "jax", "scipy", "pyspiel"}}
sys.exit(f"imported {{extra}}" if extra else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
