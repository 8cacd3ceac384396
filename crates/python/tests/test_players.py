"""Search, network and series of games."""

from __future__ import annotations

import json
import os
import subprocess

import numpy as np
import pytest

import tilebase
from tilebase import Network, Rules, _native

PROGRAM = os.environ.get("TILEBASE")
needs_program = pytest.mark.skipif(not PROGRAM, reason="TILEBASE names no program")


@needs_program
@pytest.mark.parametrize("player", ["random", "corner"])
def test_series_are_those_of_the_program(player: str) -> None:
    ours = tilebase.play("4x4", player=player, games=50, seed=7)
    done = subprocess.run(
        [str(PROGRAM), "play", "4x4", "--player", player, "--games", "50", "--seed", "7", "--json"],
        capture_output=True,
        check=True,
    )
    theirs = json.loads(done.stdout)
    assert ours["score"].mean() == pytest.approx(theirs["mean_score"])
    assert ours["moves"].mean() == pytest.approx(theirs["mean_moves"])


def test_games_of_a_seed_are_those_of_a_series() -> None:
    """The corner player: down, else left, else right, else up."""
    series = tilebase.play("4x4", player="corner", games=6, seed=11)
    games = _native.Games("4x4", 1)
    order = [2, 3, 1, 0]
    games.reset(seeds=np.array([11], np.uint64))
    for number in range(6):
        if number:
            games.reset()
        while not games.ended()[0]:
            mask = games.action_masks()[0]
            games.step(np.array([next(a for a in order if mask[a])]))
        assert games.scores()[0] == series["score"][number]
        assert games.moves()[0] == series["moves"][number]


def test_advice_is_the_same_for_one_board_and_many() -> None:
    texts = ["1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,8"]
    many = tilebase.advise(texts, depth=2)
    assert many.source == "estimate" and many.values.shape == (2, 4)
    one = tilebase.advise(texts[0], depth=2)
    assert np.array_equal(one.values, many.values[0], equal_nan=True) and one.best == many.best[0]
    legal = Rules("4x4").legal_actions(texts[0])
    assert np.array_equal(np.isnan(one.values), ~legal)
    assert many.best[1] == -1
    three = tilebase.advise("16,8,2/8,4,./2,.,.", variant="3x3", depth=3)
    assert three.best in (0, 1, 2, 3)
    with pytest.raises(ValueError, match="depth"):
        tilebase.advise(texts[0], depth=0)
    with pytest.raises(ValueError, match="32768"):
        tilebase.advise("32768,32768,.,./.,.,.,./.,.,.,./.,.,.,2")


@needs_program
def test_advice_is_that_of_the_program() -> None:
    text = "1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2"
    done = subprocess.run(
        [str(PROGRAM), "advise", "--board", text, "--depth", "3", "--no-solve", "--json"],
        capture_output=True,
        check=True,
    )
    theirs = json.loads(done.stdout)
    ours = tilebase.advise(text, depth=3)
    assert theirs["best"] == tilebase.Action(ours.best).name.lower()
    for move in theirs["moves"]:
        action = tilebase.Action[move["move"].upper()]
        assert ours.values[action] == pytest.approx(move["search_value"], rel=1e-9)


def test_the_network_is_a_view() -> None:
    network = Network.built_in()
    quanta = network.quanta
    assert quanta.dtype == np.int16 and not quanta.flags.writeable
    assert np.shares_memory(quanta, network.quanta)
    board = Rules("4x4").parse("1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2")
    weights = quanta[network.lookups(board)] * network.quantum + network.default_weight
    assert network.evaluate(board) == pytest.approx(weights.sum(), rel=1e-5)
    del network
    assert len(quanta) > 0
    with pytest.raises(ValueError):
        _native.Network.load(b"not a network")


def test_questions_of_the_api() -> None:
    assert tilebase.ask("position", variant="2x2-to-16", board="2,2/.,4")["status"] == "live"
    real = tilebase.ask("advice", board="1024,512,64,2/.,128,32,4/.,.,16,8/.,.,2,2", depth=1)
    assert real["source"] == "estimate"
    with pytest.raises(ValueError):
        tilebase.ask("position", variant="2x2-to-16", board="2,2")
    with pytest.raises(ValueError):
        tilebase.ask("nothing")


def test_states_of_games_are_saved() -> None:
    games = _native.Games("4x4", 3)
    games.reset(seeds=np.arange(3, dtype=np.uint64))
    for _ in range(20):
        games.step(games.sample_actions())
    saved = games.state()
    other = _native.Games("4x4", 3)
    other.restore(saved)
    for _ in range(50):
        actions = games.sample_actions()
        assert np.array_equal(actions, other.sample_actions())
        games.step(actions)
        other.step(actions)
    assert np.array_equal(games.boards(), other.boards()) and np.array_equal(games.scores(), other.scores())
    with pytest.raises(ValueError, match="state"):
        games.restore(b"short")
