"""Tables: exact values against the command line and against plain value iteration."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tilebase
from tilebase import Rules, Status

PROGRAM = os.environ.get("TILEBASE")
needs_program = pytest.mark.skipif(not PROGRAM, reason="TILEBASE names no program")


def program(*arguments: str) -> dict:  # type: ignore[type-arg]
    done = subprocess.run([str(PROGRAM), *arguments, "--json"], capture_output=True, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def plain_value(rules: Rules) -> float:
    """The chance of the target from the random start, straight from the rules."""

    @cache
    def value(code: int) -> float:
        board = rules.unpack(code)
        status = rules.status(board)
        if status != Status.LIVE:
            return float(status == Status.WON)
        slides = rules.afterstates(board)
        return max(mean(slides.boards[a]) for a in range(4) if slides.legal[a])

    def mean(after: np.ndarray) -> float:
        if rules.status(after) == Status.WON:
            return 1.0
        outcomes = rules.chance(after)
        values = [value(int(code)) for code in rules.pack(outcomes.boards)]
        return float(np.dot(values, outcomes.probabilities))

    starts = rules.start_states()
    return float(np.dot([value(int(c)) for c in rules.pack(starts.boards)], starts.probabilities))


@pytest.mark.parametrize("variant", ["2x2-to-16", "2x2-to-32", "2x3-to-16", "3x2-to-16", "1x4-to-16"])
def test_start_values_are_those_of_plain_iteration(variant: str) -> None:
    assert tilebase.solve(variant).start_value == pytest.approx(plain_value(Rules(variant)), rel=1e-12)


@needs_program
@pytest.mark.parametrize("objective", ["win", "score", "moves"])
def test_probes_are_those_of_the_program(objective: str, tmp_path: Path) -> None:
    table = tilebase.solve("3x2", to=32, objective=objective, out=tmp_path / "t")
    rules = Rules(table.variant)
    boards = table.sample(60, seed=3)
    values, q = table.value(boards), table.q_values(boards)
    order = {"up": 0, "right": 1, "down": 2, "left": 3}
    for i, text in enumerate(rules.format(boards)):
        found = program("probe", str(tmp_path / "t"), "--board", text)
        assert values[i] == pytest.approx(found["value"], nan_ok=True) or found["value"] is None
        for move in found["moves"]:
            if move["value"] is not None:
                assert q[i, order[move["move"]]] == pytest.approx(move["value"])
        best = [order[m["move"]] for m in found["moves"] if m["is_best"]]
        assert sorted(best) == list(np.flatnonzero(table.best_actions(boards[i])))
        assert table.best_moves(boards[i]) in best


@needs_program
@pytest.mark.parametrize("player", ["random", "greedy"])
def test_evaluation_is_that_of_the_program(player: str, tmp_path: Path) -> None:
    table = tilebase.solve("2x3", to=32, out=tmp_path / "t")
    rules = Rules(table.variant)

    def policy(boards: np.ndarray) -> np.ndarray:
        slides = rules.afterstates(boards)
        if player == "random":
            return slides.legal / slides.legal.sum(axis=1, keepdims=True)
        # The first of the best in the program's order: left, right, up, down.
        order = [3, 1, 0, 2]
        reward = np.where(slides.legal, slides.rewards, -1)[:, order]
        return np.array(order)[reward.argmax(axis=1)]

    ours = table.evaluate(policy, batch=1000)
    theirs = program("evaluate", str(tmp_path / "t"), "--player", player)
    assert ours.value == pytest.approx(theirs["value"], rel=1e-12)
    assert ours.regret == pytest.approx(theirs["regret"], rel=1e-9)
    assert ours.regret == pytest.approx(ours.layers["regret"].sum())
    assert ours.won + ours.lost.sum() == pytest.approx(1)


def test_best_play_has_no_regret() -> None:
    table = tilebase.solve("2x3", to=64)
    ours = table.evaluate(table.best_moves)
    assert ours.regret == 0 and ours.optimal == table.start_value
    assert ours.value == pytest.approx(ours.optimal, rel=1e-12)
    turned = table.evaluate(table.best_moves, symmetric=True)
    assert turned.value == pytest.approx(ours.value)
    for options in ({"objective": "moves"}, {"objective": "survival"}, {"objective": "score"}, {"discount": 0.9}):
        other = tilebase.solve("2x2", to=16, **options)  # type: ignore[arg-type]
        assert other.evaluate(other.best_moves).value == pytest.approx(other.start_value), options


def test_a_policy_that_never_wins_has_the_value_0() -> None:
    """Not the rest of a difference of two large numbers."""
    table = tilebase.solve("3x3", to=256)
    rules = table.rules
    order = np.array([2, 3, 1, 0])
    hopeless = table.evaluate(lambda boards: order[rules.legal_actions(boards)[:, order].argmax(axis=1)])
    assert 0 <= hopeless.value < 1e-3 and hopeless.value == hopeless.won
    assert hopeless.regret == pytest.approx(table.start_value - hopeless.value)


def test_wrong_policies_are_refused() -> None:
    table = tilebase.solve("2x2", to=16)
    with pytest.raises(ValueError, match="illegal"):
        table.evaluate(lambda boards: np.zeros(len(boards), int))
    with pytest.raises(ValueError, match="shape"):
        table.evaluate(lambda boards: np.ones((len(boards), 3)) / 3)
    with pytest.raises(ValueError, match="add up to"):
        table.evaluate(lambda boards: Rules("2x2").legal_actions(boards) * 0.3)
    with pytest.raises(ZeroDivisionError):
        table.evaluate(lambda boards: 1 // 0)
    with pytest.raises(TypeError, match="not a function|callable"):
        table.evaluate(3)  # type: ignore[arg-type]


def test_q_values_regret_and_status_agree() -> None:
    table = tilebase.solve("3x3", to=64)
    boards = table.sample(20_000, seed=1)
    q, value = table.q_values(boards), table.value(boards)
    assert (table.status(boards) == Status.LIVE).all()
    assert np.allclose(np.nanmax(q, axis=1), value, rtol=1e-12)
    assert (np.isnan(q) == ~Rules(table.variant).legal_actions(boards)).all()
    best = table.best_moves(boards)
    assert (table.regret(boards, best) < 1e-12).all()
    for action in range(4):
        legal = ~np.isnan(q[:, action])
        regret = table.regret(boards, np.full(len(boards), action))
        assert np.allclose(regret[legal], (value - q[:, action])[legal], atol=1e-12)
        assert np.isnan(regret[~legal]).all()
    images = Rules(table.variant).images(boards[:100])
    assert np.allclose(table.value(images.reshape(-1, 3, 3)).reshape(100, 8), value[:100, None])
    assert table.status("2,4,2/4,2,4/2,4,2") == Status.LOST
    assert table.status("64,.,./.,.,./.,.,.") == Status.WON
    assert table.status("32,32,32/32,32,32/32,32,32") == Status.UNREACHABLE


def test_formations_have_tables() -> None:
    table = tilebase.solve("4x4-formation-L3", to=16)
    starts = Rules(table.variant).start_states()
    mean = float(np.dot(table.value(starts.boards), starts.probabilities))
    assert mean == pytest.approx(table.start_value)
    assert table.q_values(starts.boards).shape == (len(starts.boards), 4)


def test_columns_cover_the_game_and_become_data_frames(tmp_path: Path) -> None:
    table = tilebase.solve("2x3", to=32)
    columns = table.columns()
    assert {len(column) for column in columns.values()} == {table.states}
    boards = Rules(table.variant).unpack(columns["code"])
    assert np.array_equal(table.value(boards), columns["value"])
    q = np.stack([columns[name] for name in ("up", "right", "down", "left")], axis=1)
    assert np.array_equal(table.q_values(boards), q, equal_nan=True)
    best = (columns["best"][:, None] >> np.arange(4) & 1).astype(bool)
    assert np.array_equal(table.best_actions(boards), best)
    assert table.layers()["states"].sum() == table.states
    pyarrow = pytest.importorskip("pyarrow")
    arrow = table.to_arrow()
    assert arrow.num_rows == table.states
    column = arrow.column("value").chunk(0)
    assert column.type == pyarrow.float64() and column.null_count == 0
    assert hasattr(arrow, "__arrow_c_stream__")


def test_tables_are_written_opened_and_rounded(tmp_path: Path) -> None:
    solved = tilebase.solve("3x3", to=64, out=tmp_path / "a")
    opened = tilebase.open_table(tmp_path / "a")
    assert opened.start_value == solved.start_value and opened.source == "exact"
    rounded = tilebase.solve("3x3", to=64, rounded=True)
    assert rounded.source == "rounded" and rounded.relative_error > opened.relative_error
    boards = opened.sample(1000)
    assert np.allclose(rounded.value(boards), opened.value(boards), rtol=rounded.relative_error)
    with pytest.raises(OSError, match="no table"):
        tilebase.open_table(tmp_path / "b")
    with pytest.raises(ValueError, match="objective"):
        tilebase.solve("2x2", to=16, objective="luck")
    with pytest.raises(ValueError):
        tilebase.solve("2x2", objective="win")
    with pytest.raises(ValueError, match="already"):
        tilebase.solve("2x2-to-16", to=8)
    with pytest.raises(MemoryError):
        tilebase.solve("3x3", to=512, memory=1 << 20)
    with pytest.raises(ValueError, match="32768"):
        opened.value(np.full((3, 3), 16, np.uint8))


def test_other_threads_run_while_a_table_is_probed() -> None:
    table = tilebase.solve("3x3", to=128)
    boards = table.sample(200_000)
    counted, done = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    expected = table.value(boards)
    done.set()
    other.join()
    assert counted > 3
    results: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: results.append(table.value(boards, threads=1))) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(np.array_equal(result, expected) for result in results)


def test_ctrl_c_ends_a_long_solve_soon() -> None:
    code = (
        "import signal, threading, time, os, tilebase\n"
        # A test that runs in the background may have it ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "start = time.time()\n"
        "try:\n    tilebase.solve('3x4', to=64)\nexcept KeyboardInterrupt:\n    print(time.time() - start)\n"
    )
    import sys

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert 1.3 < float(done.stdout) < 5


def test_a_gpu_is_used_or_missed() -> None:
    """Where there is no GPU, one line says so."""
    boards = ["2,2/.,4"]
    try:
        found = tilebase.solve_on_gpu("2x2", boards, to=16)
    except (RuntimeError, ValueError) as error:
        assert "\n" not in str(error) and ("GPU" in str(error) or "CUDA" in str(error))
    else:
        table = tilebase.solve("2x2", to=16)
        assert found.start_value == pytest.approx(table.start_value)
        assert found.values[0] == pytest.approx(table.value(boards[0]))


def test_progress_is_told() -> None:
    heard: list[tuple[str, int, int | None]] = []
    tilebase.solve("3x3", to=512, progress=lambda *report: heard.append(report))
    assert heard and all("layer" in stage for stage, _, _ in heard)
    assert all(total is None or 0 <= done <= total for _, done, total in heard)
    with pytest.raises(ZeroDivisionError):
        tilebase.solve("3x3", to=512, progress=lambda *_: 1 // 0)
