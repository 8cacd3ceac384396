"""The benchmark: its protocol, its errors, and that a false result is found out."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tilebase
from tilebase import benchmark
from tilebase.benchmark import games, statistics
from tilebase.benchmark.__main__ import main
from tilebase.benchmark.policies import PolicyError, PolicyFile

EXAMPLES = Path(__file__).parents[1] / "examples"
GREEDY = EXAMPLES / "greedy_policy.py"
RANDOM = EXAMPLES / "random_policy.py"
SMALL = ("2x3-to-64",)


def policy_file(folder: Path, source: str) -> Path:
    path = folder / "policy.py"
    path.write_text("import numpy as np\n" + source)
    return path


@pytest.fixture(scope="module")
def result() -> benchmark.Result:
    return benchmark.run(GREEDY, count=50, exact_games=SMALL)


def test_games_are_those_of_the_seeds() -> None:
    player = PolicyFile(GREEDY).player(tilebase.Rules("4x4"))
    assert player is not None
    played = games.play(player, 3)
    module = PolicyFile(GREEDY)._module
    gymnasium = pytest.importorskip("gymnasium")
    rules = tilebase.Rules("4x4")
    for k in range(3):
        env = gymnasium.make("tilebase/2048-v0")
        board, _ = env.reset(seed=benchmark.FIRST_SEED + k)
        ended, score = False, 0.0
        while not ended:
            action = int(module.policy(board[None], rules)[0])
            board, reward, ended, _, _ = env.step(action)
            score += float(reward)
        assert score == played.score[k]
        assert board.max() == played.largest[k]


def test_a_game_does_not_depend_on_the_others() -> None:
    player = PolicyFile(RANDOM).player(tilebase.Rules("4x4"))
    assert player is not None
    few, many = games.play(player, 3), games.play(player, 20)
    assert (few.score == many.score[:3]).all()
    assert (few.actions == many.actions[: len(few.actions)]).all()


def test_more_games_than_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    player = PolicyFile(RANDOM).player(tilebase.Rules("4x4"))
    assert player is not None
    told: list[tuple[int, int]] = []
    whole = games.play(player, 25)
    monkeypatch.setattr(games, "BATCH", 10)
    parts = games.play(player, 25, lambda done, moves: told.append((done, moves)))
    assert (parts.actions == whole.actions).all() and (parts.moves == whole.moves).all()
    assert told[-1] == (25, int(whole.moves.sum())) and told == sorted(told)
    again, trouble = games.replay(parts.moves, parts.actions)
    assert trouble is None and (again.score == parts.score).all()


def test_the_random_numbers_are_fixed() -> None:
    # Other numbers would make other results: they need another protocol.
    def mixed(z: int) -> int:
        z = (z + 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    for game, move in ((0, 0), (1, 0), (999, 12_345)):
        expected = (mixed((mixed(benchmark.FIRST_SEED + game) + move) % 2**64) >> 11) / 2**53
        assert games.uniform(np.array([game]), move)[0] == expected


def test_actions_follow_their_probabilities() -> None:
    weights = np.tile([0.0, 0.25, 0.75, 0.0], (4000, 1))
    chosen = games.choose(weights, games.uniform(np.arange(4000), 7))
    assert set(chosen.tolist()) == {1, 2}
    assert abs((chosen == 1).mean() - 0.25) < 6 * (0.25 * 0.75 / 4000) ** 0.5
    edges = games.choose(np.array([[0.3, 0.7, 0, 0]] * 2), np.array([0.0, np.nextafter(1, 0)]))
    assert edges.tolist() == [0, 1]


def test_the_random_policy_samples_its_exact_value(tmp_path: Path) -> None:
    found = benchmark.run(RANDOM, count=2, exact_games=SMALL).content["exact"][0]
    player = tilebase.play("2x3-to-64", player="random", games=200_000, seed=3)
    rate = float(player["won"].mean())
    assert abs(rate - found["value"]) < 6 * (found["value"] / 200_000) ** 0.5
    assert found["regret"] == pytest.approx(found["optimal"] - found["value"], abs=1e-12)
    assert abs(float(player["score"].mean()) - found["score"]) < 1


def test_small_values_keep_their_digits() -> None:
    plain, turned = (
        benchmark.run(RANDOM, count=1, exact_games=["2x4-to-128"], symmetric=symmetric).content["exact"][0]
        for symmetric in (False, True)
    )
    assert plain["value"] == pytest.approx(turned["value"], rel=1e-12)
    assert plain["asked"] > 3 * turned["asked"]


def test_packing() -> None:
    for count in (0, 1, 3, 4, 5, 1001):
        actions = (np.arange(count) * 7 % 5 % 4).astype(np.uint8)
        text = games.pack(actions)
        unpacked = games.unpack(text, count)
        assert unpacked is not None and (unpacked == actions).all()
        assert games.unpack(text, count + 4) is None
    assert games.unpack("?", 1) is None
    assert games.unpack(base64.b64encode(b"no zlib").decode(), 1) is None
    bomb = base64.b64encode(zlib.compress(bytes(10**6))).decode()
    assert games.unpack(bomb, 4) is None


def test_statistics() -> None:
    values = np.array([2, 4, 6, 8])
    found = statistics.mean(values)
    assert found["mean"] == 5 and found["standard_error"] == pytest.approx(1.2909944)
    assert statistics.mean(values[:1])["interval"] is None
    # Wilson's interval of 3 in 10, as published tables have it.
    assert statistics.wilson(3, 10) == pytest.approx((0.10779, 0.60322), abs=1e-5)
    assert statistics.wilson(10, 10)[1] == pytest.approx(1)


def test_a_result_is_verified(result: benchmark.Result, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    result.write(path)
    again = benchmark.Result.read(path)
    assert again == result
    assert not again.content["complete"]
    verdict = benchmark.verify(again)
    assert verdict.ok and len(verdict.checked) == 2, verdict
    renamed = shutil.copy(GREEDY, tmp_path / "mine.py")
    verdict = benchmark.verify(again, renamed)
    assert verdict.ok and len(verdict.checked) == 5, verdict
    assert "is not the policy" in str(benchmark.verify(again, RANDOM))


def changed(result: benchmark.Result, change: Callable[[dict[str, Any]], object]) -> benchmark.Result:
    content = json.loads(result.to_json())
    change(content)
    return benchmark.Result(content)


def change_action(content: dict[str, Any], at: int, by: int) -> None:
    record = content["games"]["record"]
    actions = games.unpack(record["actions"], sum(record["moves"]))
    assert actions is not None
    actions[at] = (actions[at] + by) % 4
    record["actions"] = games.pack(actions)


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "score of game 7": lambda c: c["games"]["record"]["score"].__setitem__(7, 99_999),
    "largest of game 3": lambda c: c["games"]["record"]["largest"].__setitem__(3, 12),
    "score: ": lambda c: c["games"]["score"].__setitem__("mean", 9_999.5),
    "tiles: ": lambda c: c["games"]["tiles"]["1024"].__setitem__("games", 50),
    "complete": lambda c: c.__setitem__("complete", True),
    "number of games": lambda c: c["games"].__setitem__("count", 1000),
    "first seed": lambda c: c["games"].__setitem__("first_seed", 1),
    "does not have": lambda c: c["games"]["record"]["moves"].__setitem__(0, 100_000),
    "make no sense": lambda c: c["games"]["record"]["moves"].__setitem__(0, -1),
    "move 1 of game 0 is not legal": lambda c: change_action(c, 0, 3),
    # Many other changes lead to a legal game: few tiles soon meet again.
    "move 10 of game 0 is not legal": lambda c: change_action(c, 0, 2),
    "2x3-to-64: optimal": lambda c: c["exact"][0].__setitem__("optimal", 0.9),
    "2x3-to-64: regret": lambda c: c["exact"][0].__setitem__("regret", 0.0),
    "no exact game": lambda c: c["exact"][0].__setitem__("variant", "2x2-to-8"),
}


@pytest.mark.parametrize("message", CHANGES)
def test_a_false_result_is_found_out(result: benchmark.Result, message: str) -> None:
    false = changed(result, CHANGES[message])
    verdict = benchmark.verify(false)
    assert not verdict.ok
    assert message in str(verdict), verdict


def test_a_false_value_is_found_out_with_the_policy(result: benchmark.Result) -> None:
    def better(content: dict[str, Any]) -> None:
        game = content["exact"][0]
        game["value"], game["regret"] = game["optimal"], 0.0

    false = changed(result, better)
    assert benchmark.verify(false).ok
    assert "2x3-to-64: value" in str(benchmark.verify(false, GREEDY))
    unlike = changed(result, lambda content: content["games"].__setitem__("illegal", 3))
    assert "illegal: the file says 3" in str(benchmark.verify(unlike, GREEDY))


def test_damaged_results(result: benchmark.Result, tmp_path: Path) -> None:
    damages: list[Callable[[dict[str, Any]], object]] = [
        lambda content: content["games"].pop("record"),
        lambda content: content.pop("exact"),
        lambda content: content.__setitem__("exact", 3),
        lambda content: content["games"]["record"].__setitem__("moves", ["x"]),
    ]
    for change in damages:
        with pytest.raises(benchmark.ResultError, match="damaged"):
            benchmark.verify(changed(result, change))
    path = tmp_path / "result.json"
    for text, message in (("{", "no JSON"), ("[]", "protocol is None"), ('{"protocol": "x"}', "'x'")):
        path.write_text(text)
        with pytest.raises(benchmark.ResultError, match=message):
            benchmark.Result.read(path)


def test_illegal_actions_are_replaced_and_counted(tmp_path: Path) -> None:
    always_left = policy_file(tmp_path, "def policy(boards):\n    return np.full(len(boards), 3)\n")
    found = benchmark.run(always_left, count=20, exact_games=SMALL)
    first_legal = policy_file(
        tmp_path,
        "def policy(boards, rules):\n"
        "    legal = rules.legal_actions(boards)\n"
        "    return np.where(legal[:, 3], 3, legal.argmax(axis=1))\n",
    )
    same = benchmark.run(first_legal, count=20, exact_games=SMALL)
    assert found.content["games"]["record"] == same.content["games"]["record"]
    assert found.content["exact"][0]["value"] == same.content["exact"][0]["value"]
    assert found.content["games"]["illegal"] > 0 == same.content["games"]["illegal"]
    assert found.content["exact"][0]["illegal"] > 0


def test_probabilities_of_illegal_actions_are_shared_out(tmp_path: Path) -> None:
    even = policy_file(tmp_path, "def policy(boards):\n    return np.full((len(boards), 4), 0.25, np.float32)\n")
    found = benchmark.run(even, count=20, exact_games=SMALL).content
    expected = benchmark.run(RANDOM, count=20, exact_games=SMALL).content
    assert found["games"]["record"] == expected["games"]["record"]
    assert found["exact"][0]["value"] == pytest.approx(expected["exact"][0]["value"], rel=1e-12)
    assert found["games"]["illegal"] == 0


def test_what_a_policy_does_not_play(tmp_path: Path) -> None:
    plain = policy_file(tmp_path, "def policy(boards):\n    return np.zeros(len(boards), int)\n")
    formation = tilebase.Rules("4x4-to-32-formation-L3")
    assert PolicyFile(plain).player(formation) is None
    assert PolicyFile(GREEDY).player(formation) is not None
    assert PolicyFile(EXAMPLES / "network_policy.py").player(formation) is None
    only_small = policy_file(
        tmp_path,
        "def make_policy(rules):\n"
        "    if rules.shape == (4, 4): raise NotImplementedError\n"
        "    return lambda boards: np.zeros(len(boards), int)\n",
    )
    with pytest.raises(PolicyError, match="does not play 4x4"):
        benchmark.run(only_small)
    found = benchmark.run(EXAMPLES / "network_policy.py", count=1, exact_games=SMALL)
    assert found.content["exact"] == [{"variant": "2x3-to-64", "supported": False}]
    assert "not supported" in str(found)


def test_files_are_hashed(tmp_path: Path) -> None:
    (tmp_path / "weights.bin").write_bytes(b"1")
    source = "FILES = ['weights.bin']\ndef policy(boards):\n    return np.zeros(len(boards), int)\n"
    path = policy_file(tmp_path, source)
    found = benchmark.run(path, count=2, exact_games=())
    assert list(found.content["policy"]["files"]) == ["weights.bin"]
    assert benchmark.verify(found, path).ok
    (tmp_path / "weights.bin").write_bytes(b"2")
    assert not benchmark.verify(found, path).ok


ERRORS = {
    "def policy(boards): return np.zeros(3, int)": "shape (3,)",
    "def policy(boards): return np.full(len(boards), 4)": "the action 4",
    "def policy(boards): return np.full((len(boards), 4), 0.5)": "add up to 1",
    "def policy(boards): return np.full((len(boards), 4), np.nan)": "add up to 1",
    "def policy(boards): return None": "type object",
    "def policy(boards): return [[1], [1, 2]]": "ValueError",
    "\ndef policy(boards):\n    return boards[:, 9]": "failed on 4x4 in line 4: IndexError",
    "def make_policy(rules): return rules.shap": "AttributeError",
    "x = 1": "defines neither",
    "1 / 0": "cannot be imported in line 2: ZeroDivisionError",
    "def policy(": "SyntaxError",
    "FILES = ['no']\ndef policy(boards): return np.zeros(len(boards), int)": "cannot be read",
}


@pytest.mark.parametrize("source", ERRORS)
def test_errors_have_one_line(source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(policy_file(tmp_path, source)), "--games", "2", "--exact", "none"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1 and ERRORS[source] in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no policy"),
        (["no.py"], "there is no policy file no.py"),
        ([str(GREEDY), "--games", "0"], "0 games"),
        ([str(GREEDY), "--games", "x"], "invalid int"),
        ([str(GREEDY), "--exact", "5x5"], "'5x5' is no exact game"),
        ([str(GREEDY), "--out", "no/such/folder.json"], "no directory"),
        (["--verify", "no.json"], "cannot be read"),
        ([str(GREEDY), "--fast"], "unrecognized"),
    ],
)
def test_wrong_requests(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = stop.code  # type: ignore[assignment]
    error = capsys.readouterr().err
    assert status == 2 and message in error and error.count("\n") == 1


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "result.json"
    request = [str(GREEDY), "--games", "20", "--exact", "2x3-to-64", "--symmetric", "--out", str(out)]
    assert main(request) == 0
    text = capsys.readouterr()
    assert "20 games of 4x4: mean score" in text.out and "2x3-to-64: wins" in text.out and not text.err
    assert main(["--verify", str(out), str(GREEDY), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"]
    assert main([*request, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["exact"][0]["symmetric"]
    content = json.loads(out.read_text())
    content["games"]["record"]["score"][0] += 4
    out.write_text(json.dumps(content))
    assert main(["--verify", str(out)]) == 1
    assert "WRONG: score of game 0" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="signals are those of Unix")
def test_interrupts_end_it_promptly(tmp_path: Path) -> None:
    slow = policy_file(
        tmp_path,
        "import pathlib, time\n"
        "def policy(boards, rules):\n"
        "    time.sleep(0.05)\n"
        f"    pathlib.Path({str(tmp_path / 'begun')!r}).touch()\n"
        "    return rules.legal_actions(boards).argmax(axis=1)\n",
    )
    for request in (["--exact", "none"], ["--games", "1", "--exact", "3x3-to-512"]):
        (tmp_path / "begun").unlink(missing_ok=True)
        command = [sys.executable, "-m", "tilebase.benchmark", str(slow), *request]
        # A test that runs in the background may have the signal ignored.
        listen = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=listen)
        until = time.monotonic() + 60
        while not (tmp_path / "begun").exists() and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=60)[1]
        assert time.monotonic() - began < 10
        assert (process.returncode, error) == (130, "interrupted\n")
