"""What must not happen: panics, aborts, hangs, wrong answers to wrong questions."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import tilebase
from tilebase import Network, Rules, _native


def run(code: str, timeout: float = 60) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=timeout
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    printed = run(
        """
        import os, tilebase, warnings
        warnings.simplefilter("ignore")
        table = tilebase.solve("2x3", to=64)
        boards = table.sample(20_000)
        before = table.value(boards)
        network = tilebase.Network.built_in()
        child = os.fork()
        if child == 0:
            same = (table.value(boards) == before).all()
            solved = tilebase.solve("2x2", to=16).states
            network.evaluate(tilebase.Rules("4x4").start_states().boards)
            os._exit(0 if same and solved == 35 else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    )
    assert printed.strip() == "0"


@pytest.mark.parametrize(
    "code",
    [
        "tilebase.solve('2x2', to=16).sample(2**62)",
        "tilebase.solve('2x2', to=16).sample(10**10)",
        "_native.Games('4x4', 2**59)",
        "_native.Games('4x4', 10**9)",
        "tilebase.Rules('4x4').chances(np.zeros((2 * 10**7, 4, 4), np.uint8))",
    ],
)
def test_too_little_memory_is_an_exception(code: str) -> None:
    printed = run(
        f"""
        import resource, numpy as np, tilebase
        from tilebase import _native
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        try:
            {code}
        except MemoryError as error:
            print("memory:", error)
        """
    )
    assert printed.startswith("memory:") and printed.count("\n") == 1


def test_walls_are_checked() -> None:
    rules = Rules("4x4-to-32-formation-L3")
    board = rules.parse("8,16,4,./4,8,8,16/16,#,#,#/2,#,#,#")
    large, few = board.copy(), board.copy()
    large[0, 3], few[3, 3] = 16, 0
    table = tilebase.solve("4x4-formation-L3", to=16)
    for wrong in (large, few, np.zeros((4, 4), np.uint8)):
        for call in (rules.afterstates, rules.legal_actions, rules.status, rules.canonical, table.value):
            with pytest.raises(ValueError, match="6 walls"):
                call(wrong)
        games = _native.Games(rules.variant, 1)
        with pytest.raises(ValueError, match="6 walls"):
            games.set_boards(wrong[None])


def test_exponents_have_a_limit() -> None:
    assert Rules("2x2").slide([[30, 30], [0, 0]], 3).rewards == 2**31
    with pytest.raises(ValueError, match="up to 30"):
        Rules("2x2").slide([[31, 31], [0, 0]], 3)


def test_states_are_checked() -> None:
    games = _native.Games("2x2", 1)
    games.reset(seeds=np.zeros(1, np.uint64))
    state = bytearray(games.state())
    state[-1] = 200
    with pytest.raises(ValueError, match="too large"):
        games.restore(bytes(state))


def test_what_can_be_pickled(tmp_path: Path) -> None:
    rules = pickle.loads(pickle.dumps(Rules("3x3-to-64")))
    assert rules.variant == "3x3-to-64" and copy.deepcopy(rules).shape == (3, 3)
    table = tilebase.solve("2x2", to=16, out=tmp_path / "t")
    assert pickle.loads(pickle.dumps(table)).start_value == table.start_value
    assert copy.deepcopy(table) is table
    memory = tilebase.solve("2x2", to=16)
    assert copy.deepcopy(memory) is memory
    with pytest.raises(TypeError, match="out=DIR"):
        pickle.dumps(memory)
    network = Network.built_in()
    assert pickle.loads(pickle.dumps(network)).quantum == network.quantum


def test_without_gymnasium_the_rest_works() -> None:
    printed = run(
        """
        import sys
        sys.modules["gymnasium"] = None
        import tilebase
        print(tilebase.solve("2x2", to=16).states)
        try:
            tilebase.envs
        except ImportError as error:
            print(error)
        """
    )
    assert printed.startswith("35\ntilebase.envs needs gymnasium 1.1 or later")


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda t: t.value(t.sample(2000), threads=5000), ValueError, "1024"),
        (lambda t: t.evaluate(lambda boards: 3), ValueError, "shape"),
        (lambda t: t.rules.unpack([[1]]), ValueError, "one axis"),
        (lambda t: t.rules.unpack(1.5), ValueError, "whole"),
        (lambda t: tilebase.solve("3x3", to=32, rounded=True).evaluate(t.best_moves), ValueError, "rounded"),
        (lambda t: tilebase.advise("2,2,.,./.,.,.,./.,.,.,./.,.,.,.", depth=300), ValueError, "1 to 60"),
        (lambda t: tilebase.advise("2,2,.,./.,.,.,./.,.,.,./.,.,.,.", seconds=1e18), ValueError, "seconds"),
        (lambda t: tilebase.play(player="random", games=-1), ValueError, "at least 1"),
        (lambda t: tilebase.play(player="luck"), ValueError, "luck"),
        (lambda t: tilebase.solve("2x2", to=16, discount=0), ValueError, "above 0"),
        (lambda t: tilebase.Network.built_in().evaluate(np.full((4, 4), 16)), ValueError, "32768"),
    ],
)
def test_wrong_questions_get_one_line(call, error, says) -> None:  # type: ignore[no-untyped-def]
    table = tilebase.solve("2x2", to=16)
    with pytest.raises(error, match=says) as caught:
        call(table)
    assert "\n" not in str(caught.value)


def test_a_long_search_is_interrupted() -> None:
    printed = run(
        """
        import os, signal, threading, time, numpy as np, tilebase
        signal.signal(signal.SIGINT, signal.default_int_handler)
        boards = tilebase.Rules("4x4").start_states().boards[:400]
        network = tilebase.Network.built_in()
        threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        began = time.time()
        try:
            tilebase.advise(boards, seconds=0.2)
        except KeyboardInterrupt:
            print(time.time() - began)
        """
    )
    assert 0.9 < float(printed) < 5


def test_posted_questions_and_arrow() -> None:
    body = {"variant": "2x2-to-16", "boards": ["2,2/.,4", "2,4/4,2"]}
    answers = tilebase.ask("positions", body)
    assert "live" in str(answers) and "lost" in str(answers)
    table = tilebase.solve("2x2", to=16)
    pytest.importorskip("pyarrow")
    assert "arrow_array_stream" in str(table.__arrow_c_stream__())

