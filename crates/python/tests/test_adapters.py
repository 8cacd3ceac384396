"""The game in the manner of other packages."""

from __future__ import annotations

import copy
import pickle
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from tilebase.envs import Env2048, JumanjiStyle, PgxStyle, SpielState, from_order

# OpenSpiel


def test_a_game_with_chance_nodes() -> None:
    dice = random.Random(1)
    for variant in ("2x2", "3x3-to-32", "4x4", "4x4-to-64-formation-L3"):
        state = SpielState(variant)
        score, steps = 0.0, 0
        assert state.current_player() == -1
        assert not state.board().any()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                assert sum(probability for _, probability in outcomes) == pytest.approx(1)
                assert state.legal_actions() == [number for number, _ in outcomes]
                numbers, weights = zip(*outcomes, strict=True)
                state.apply_action(dice.choices(numbers, weights)[0])
                assert state.rewards() == [0.0]
            else:
                assert state.current_player() == 0
                state.apply_action(dice.choice(state.legal_actions()))
                score += state.rewards()[0]
                steps += 1
        assert state.current_player() == -4
        assert state.legal_actions() == []
        assert state.returns() == [score]
        assert len(state.history()) == 2 * steps + 1


def test_slides_are_those_of_the_environment() -> None:
    env = Env2048("3x3")
    state = SpielState("3x3")
    state.apply_action(0)
    env.reset(seed=1, options={"board": state.board()})
    while not state.is_terminal():
        assert state.legal_actions() == env.legal_actions().tolist()
        action = state.legal_actions()[0]
        state.apply_action(action)
        board, reward, _ = env.step_deterministic(action)
        assert (state.board() == board).all()
        assert state.rewards() == [reward]
        probabilities = env.chance_outcomes()[1].tolist()
        assert [chance for _, chance in state.chance_outcomes()] == probabilities
        outcome = len(probabilities) // 2
        state.apply_action(outcome)
        assert (env.step_chance(outcome)[0] == state.board()).all()
    assert str(state).count("\n") == 2


def test_a_target_ends_the_game() -> None:
    state = SpielState("2x2-to-8", order="tilebase")
    starts = [state.child(number) for number, _ in state.chance_outcomes()]
    pair = next(start for start in starts if start.board().tolist() == [[2, 2], [0, 0]])
    pair.apply_action(3)
    assert pair.is_chance_node() and pair.returns() == [8.0]
    pair.apply_action(0)
    assert pair.is_terminal() and pair.legal_actions() == []


def test_clones_are_apart() -> None:
    state = SpielState("2x2")
    state.apply_action(0)
    for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        board = state.board()
        action = other.legal_actions()[0]
        other.apply_action(action)
        assert (state.board() == board).all()
        assert not state.is_chance_node()
        assert (state.child(action).board() == other.board()).all()
    state.board()[:] = 9
    assert (state.board() == board).all()


def test_wrong_actions_of_a_state() -> None:
    state = SpielState("2x2")
    with pytest.raises(ValueError, match="not legal"):
        state.apply_action(1000)
    state.apply_action(0)
    with pytest.raises(ValueError, match="not legal"):
        state.apply_action(4)
    with pytest.raises(ValueError, match="no chance node"):
        state.chance_outcomes()
    before = state.history()
    action: Any
    for action in (1.0, "1", None, np.float32(1)):
        for one in (state, SpielState("2x2")):
            with pytest.raises(TypeError, match="^action must be an integer, not ") as raised:
                one.apply_action(action)
            assert "\n" not in str(raised.value)
    assert state.history() == before
    state.apply_action(np.int64(state.legal_actions()[0]))  # type: ignore[arg-type]
    assert type(state.history()[-1]) is int


def test_the_order_of_a_state() -> None:
    plain, ordered = SpielState("3x3"), SpielState("3x3", order="pgx")
    plain.apply_action(0)
    ordered.apply_action(0)
    order = from_order(range(4), "pgx")
    assert sorted(order[ordered.legal_actions()]) == plain.legal_actions()
    for action in ordered.legal_actions():
        ours = plain.child(int(order[action]))
        assert (ordered.child(action).board() == ours.board()).all()


# pgx and jumanji


@pytest.mark.parametrize("order", ["tilebase", "pgx", "pufferlib"])
def test_functions_equal_the_environment(order: str) -> None:
    dice = random.Random(1)
    numbers = from_order(range(4), order)
    env, pure = Env2048("3x3"), PgxStyle("3x3", order=order)
    for seed in range(5):
        board, info = env.reset(seed=seed)
        state = pure.init(seed)
        terminated = False
        while not terminated:
            assert (state.observation == board).all()
            assert (state.legal_action_mask == info["action_mask"][numbers]).all()
            assert not state.terminated and not state.truncated
            action = dice.randrange(4)
            board, reward, terminated, _, info = env.step(int(numbers[action]))
            state = pure.step(state, action)
            assert state.rewards.tolist() == [reward]
            assert state.score == info["score"]
        assert state.terminated
        assert (pure.step(state, 0).observation == state.observation).all()


def test_functions_have_no_side_effects() -> None:
    env = PgxStyle("3x3")
    state = env.init(5)
    board = state.observation.copy()
    action = int(state.legal_action_mask.argmax())
    first = env.step(state, action)
    env.step(env.init(9), 0)
    second = env.step(state, action)
    assert (first.observation == second.observation).all()
    assert (state.observation == board).all()
    assert (env.init(5).observation == board).all()
    with pytest.raises(ValueError, match="action 4"):
        env.step(state, 4)
    with pytest.raises(ValueError, match="seed"):
        env.init(-1)


def test_threads_share_an_environment() -> None:
    pure, steps = PgxStyle("3x3"), JumanjiStyle("3x3", order="pgx")

    def game(seed: int) -> tuple[Any, ...]:
        state, dice = pure.init(seed), random.Random(seed)
        while not state.terminated:
            state = pure.step(state, dice.randrange(4))
        other, timestep = steps.reset(seed)
        while not timestep.last():
            other, timestep = steps.step(other, dice.randrange(4))
        boards = state.observation.tolist(), other.observation.tolist()
        return *boards, state.score, timestep.extras["score"]

    seeds = range(60)
    expected = [game(seed) for seed in seeds]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(game, seeds)) == expected
    finally:
        sys.setswitchinterval(interval)


def test_environments_can_be_pickled() -> None:
    pure = PgxStyle("2x3-to-32", order="pgx")
    steps = JumanjiStyle("2x3-to-32", order="pgx")
    for again in (pickle.loads(pickle.dumps(pure)), copy.deepcopy(pure)):
        state = pickle.loads(pickle.dumps(pure.init(3)))
        assert (again.init(3).observation == state.observation).all()
        for action in (0, 1, 2, 3):
            first, second = pure.step(state, action), again.step(state, action)
            assert first.data == second.data
            assert (first.legal_action_mask == second.legal_action_mask).all()
    for other in (pickle.loads(pickle.dumps(steps)), copy.deepcopy(steps)):
        (one, _), (two, _) = steps.reset(3), other.reset(3)
        assert steps.step(one, 1)[0].data == other.step(two, 1)[0].data


def test_time_steps() -> None:
    env, pure = JumanjiStyle("2x2"), PgxStyle("2x2")
    state, timestep = env.reset(3)
    other = pure.init(3)
    assert timestep.first() and not timestep.last()
    assert (timestep.reward, timestep.discount) == (0.0, 1.0)
    while not timestep.last():
        mask = timestep.observation.action_mask
        assert (mask == other.legal_action_mask).all()
        action = int(np.flatnonzero(mask)[-1])
        state, timestep = env.step(state, action)
        other = pure.step(other, action)
        assert timestep.step_type == (2 if other.terminated else 1)
        assert timestep.reward == other.rewards[0]
        assert timestep.extras["highest_tile"] == 2 ** int(other.observation.max())
    assert timestep.discount == 0.0
