"""The vector environment: every step of many games against single environments."""

from __future__ import annotations

import copy
import gc
import os
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

import tilebase
from tilebase.envs import Env2048, VectorActionOrder, VectorEnv2048, VectorOneHot

MODES = list(AutoresetMode)
VARIANTS = [f"{rows}x{cols}" for rows in (2, 3, 4) for cols in (2, 3, 4)]
VARIANTS += ["3x3-to-32", "2x2-to-8", "1x4", "2x2-start-4", "4x4-to-64-formation-L3"]
VARIANTS += ["3x3-spawn-2:0.5,4:0.5-start-1", "4x4-to-16-formation-442"]


def singles(variant: str, number: int, mode: AutoresetMode, **parameters: Any) -> SyncVectorEnv:
    """Single environments side by side, by Gymnasium."""
    one: Callable[[], gymnasium.Env[Any, Any]] = lambda: Env2048(variant, **parameters)
    return SyncVectorEnv([one] * number, autoreset_mode=mode)


def choose(masks: NDArray[np.int8], dice: np.random.Generator, wild: float) -> NDArray[np.int64]:
    """Legal actions at random, some of them any."""
    weights = dice.random(masks.shape) * masks
    actions = weights.argmax(axis=1)
    return np.where(dice.random(len(actions)) < wild, dice.integers(4, size=len(actions)), actions)


def same(first: Any, second: Any) -> None:
    assert data_equivalence(first, second, exact=True), (first, second)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("illegal", ["ignore", "terminate", "raise"])
def test_it_equals_single_environments(variant: str, mode: AutoresetMode, illegal: Any) -> None:
    number = 9
    ours = VectorEnv2048(number, variant, illegal=illegal, autoreset_mode=mode)
    theirs = singles(variant, number, mode, illegal=illegal)
    assert ours.observation_space == theirs.observation_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata == theirs.metadata
    dice = np.random.default_rng(1)
    result = ours.reset(seed=11)
    same(result, theirs.reset(seed=11))
    masks, ended = result[1]["action_mask"], 0
    for _ in range(150):
        actions = choose(masks, dice, 0.0 if illegal == "raise" else 0.05)
        step = ours.step(actions)
        same(step, theirs.step(actions))
        boards, _, terminated, truncated, infos = step
        assert boards in ours.observation_space
        assert not truncated.any()
        ended += int(terminated.sum())
        masks = infos["action_mask"].copy()
        if mode is AutoresetMode.DISABLED and terminated.any():
            result = ours.reset(options={"reset_mask": terminated})
            same(result, theirs.reset(options={"reset_mask": terminated}))
            masks[terminated] = result[1]["action_mask"][terminated]
    if variant not in ("4x4", "3x4", "4x3"):
        assert ended > 0


@pytest.mark.parametrize("mode", MODES)
def test_long_games(mode: AutoresetMode) -> None:
    number = 5
    ours, theirs = VectorEnv2048(number, autoreset_mode=mode), singles("4x4", number, mode)
    masks = ours.reset(seed=3)[1]["action_mask"]
    theirs.reset(seed=3)
    dice = np.random.default_rng(2)
    for _ in range(600):
        actions = choose(masks, dice, 0.02)
        step = ours.step(actions)
        same(step, theirs.step(actions))
        masks = step[4]["action_mask"].copy()
        if mode is AutoresetMode.DISABLED and step[2].any():
            options = {"reset_mask": step[2]}
            same(ours.reset(options=options), theirs.reset(options=dict(options)))


def test_make_vec() -> None:
    assert tilebase.__name__ == "tilebase"
    envs: Any = gymnasium.make_vec("tilebase/2048-v0", num_envs=7)
    assert isinstance(envs, VectorEnv2048)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    boards, infos = envs.reset(seed=1)
    assert boards.shape == (7, 4, 4)
    assert infos["action_mask"].dtype == np.int8
    assert infos["_action_mask"].all()
    sync: Any = gymnasium.make_vec("tilebase/2048-v0", num_envs=7, vectorization_mode="sync")
    same(sync.reset(seed=1), (boards, infos))
    envs = gymnasium.make_vec(
        "tilebase/3x3-to-512-v0", 2, illegal="terminate", autoreset_mode=AutoresetMode.SAME_STEP
    )
    assert envs.variant == "3x3-to-512"
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    again: Any = gymnasium.make_vec(envs.spec)
    assert (again.num_envs, again.illegal) == (2, "terminate")
    other: Any = gymnasium.make_vec("tilebase/2048-v0", 2, variant="2x4")
    assert other.observation_space.shape == (2, 2, 4)


def test_gymnasium_wrappers() -> None:
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(VectorEnv2048(20, "2x2"))
    envs.reset(seed=1)
    finished = 0
    for _ in range(100):
        infos = envs.step(envs.env.sample_actions())[4]  # type: ignore[attr-defined]
        if "episode" in infos:
            which = infos["_episode"]
            finished += int(which.sum())
            assert (infos["episode"]["r"][which] == infos["score"][which]).all()
    assert finished > 20
    listed = gymnasium.wrappers.vector.DictInfoToList(VectorEnv2048(3, "2x2"))
    _, info = listed.reset(seed=1)
    assert [one["action_mask"].shape for one in info] == [(4,)] * 3


# Seeds


def test_seeds() -> None:
    envs = VectorEnv2048(4, "3x3")
    for seeds in (5, [5, 6, 7, 8], np.array([5, 6, 7, 8]), (5, 6, 7, 8)):
        boards, _ = envs.reset(seed=seeds)  # type: ignore[arg-type]
        for game in range(4):
            single, _ = Env2048("3x3").reset(seed=5 + game)
            assert (boards[game] == single).all()


def test_a_seed_for_some() -> None:
    envs, other = VectorEnv2048(3), VectorEnv2048(3)
    envs.reset(seed=5)
    boards, _ = envs.reset(seed=[None, 9, None])
    other.reset(seed=[5, 9, 7])
    later, _ = other.reset(seed=[None, 9, None])
    assert (boards == later).all()


def test_without_a_seed_games_differ() -> None:
    first, second = VectorEnv2048(50), VectorEnv2048(50)
    one, two = first.reset()[0], second.reset()[0]
    assert (one != two).any()
    assert len({board.tobytes() for board in one}) > 30
    first, second = VectorEnv2048(50), VectorEnv2048(50)
    first.np_random = np.random.default_rng(1)
    second.np_random = np.random.default_rng(1)
    assert (first.reset()[0] == second.reset()[0]).all()


def test_random_actions() -> None:
    envs = VectorEnv2048(200, "3x3")
    _, infos = envs.reset(seed=1)
    counts = np.zeros(4)
    for _ in range(300):
        actions = envs.sample_actions()
        assert actions.shape == (200,)
        assert actions.dtype == np.int64
        masks = infos["action_mask"]
        legal = masks[np.arange(200), actions] == 1
        assert (legal | ~masks.any(axis=1)).all()
        free = masks.all(axis=1)
        counts += np.bincount(actions[free], minlength=4)
        infos = envs.step(actions)[4]
    assert abs(counts / counts.sum() - 0.25).max() < 0.02
    first, second = VectorEnv2048(20), VectorEnv2048(20)
    first.reset(seed=4)
    second.reset(seed=4)
    assert (first.sample_actions() == second.sample_actions()).all()


# Resets


def test_boards_to_start_from() -> None:
    envs = VectorEnv2048(2, "2x2")
    boards, _ = envs.reset(seed=1, options={"board": "2,4/.,."})
    assert boards.tolist() == [[[1, 2], [0, 0]]] * 2
    each = np.array([[[1, 2], [0, 0]], [[3, 3], [1, 0]]])
    boards, _ = envs.reset(options={"board": each})
    assert (boards == each).all()
    mask = np.array([False, True])
    boards, infos = envs.reset(options={"board": "8,./.,.", "reset_mask": mask})
    assert boards.tolist() == [[[1, 2], [0, 0]], [[3, 0], [0, 0]]]
    assert infos["_score"].tolist() == [False, True]
    assert infos["action_mask"].tolist() == [[0, 0, 0, 0], [0, 1, 1, 0]]


def test_ended_games_stay_when_resets_are_disabled() -> None:
    envs = VectorEnv2048(2, "2x2", autoreset_mode="Disabled", illegal="terminate")
    start, _ = envs.reset(seed=1, options={"board": [[[1, 2], [2, 1]], [[1, 0], [2, 0]]]})
    # The first game is over before any action.
    for illegal in ([False, True], [False, False]):
        boards, rewards, terminated, _, infos = envs.step([0, 3])
        assert (boards == start).all()
        assert not rewards.any()
        assert terminated.all()
        assert infos["illegal"].tolist() == illegal
        assert not infos["action_mask"].any()


@pytest.mark.parametrize("mode", MODES)
def test_no_action_is_legal_after_an_illegal_one_ended_it(mode: AutoresetMode) -> None:
    envs = VectorEnv2048(2, "2x2", autoreset_mode=mode, illegal="terminate")
    start, infos = envs.reset(seed=1, options={"board": "2,./4,."})
    assert infos["action_mask"].tolist() == [[0, 1, 0, 0]] * 2
    boards, rewards, terminated, _, infos = envs.step([3, 1])
    assert (terminated.tolist(), rewards.tolist()) == ([True, False], [0.0, 0.0])
    last = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
    assert last["illegal"].tolist() == [True, False]
    assert last["action_mask"][0].tolist() == [0, 0, 0, 0]
    assert infos["action_mask"][1].any()
    if mode is AutoresetMode.SAME_STEP:
        assert infos["action_mask"][0].any() and not infos["illegal"].any()
        return
    assert {int(envs.sample_actions()[0]) for _ in range(9)} == {0}
    again = int(infos["action_mask"][1].argmax())
    boards, _, terminated, _, infos = envs.step([1, again])
    assert not infos["illegal"].any()
    ended = mode is AutoresetMode.DISABLED
    assert terminated[0] == ended
    assert infos["action_mask"][0].any() != ended
    assert (boards[0] == start[0]).all() == ended


def test_same_step_keeps_the_last_boards() -> None:
    envs = VectorEnv2048(3, "2x2-to-8", autoreset_mode=AutoresetMode.SAME_STEP)
    board = [[[2, 2], [0, 0]], [[1, 0], [0, 0]], [[2, 2], [1, 0]]]
    envs.reset(seed=1, options={"board": board})
    boards, rewards, terminated, _, infos = envs.step([3, 1, 3])
    assert terminated.tolist() == [True, False, True]
    assert rewards.tolist() == [8.0, 0.0, 8.0]
    assert infos["_final_obs"].tolist() == [True, False, True]
    assert infos["final_obs"][1] is None
    assert infos["final_obs"][0][0, 0] == 3
    assert infos["final_info"]["won"].tolist() == [True, False, True]
    assert infos["final_info"]["score"].tolist() == [8, 0, 8]
    assert infos["won"].tolist() == [False] * 3
    assert infos["score"].tolist() == [0, 0, 0]
    assert (boards[[0, 2]] > 0).sum(axis=(1, 2)).tolist() == [2, 2]


def test_results_belong_to_the_user() -> None:
    for mode in MODES:
        envs, other = (VectorEnv2048(30, "2x2", autoreset_mode=mode) for _ in range(2))
        spoil(envs.reset(seed=1))
        other.reset(seed=1)
        for _ in range(40):
            actions = other.sample_actions()
            expected, result = other.step(actions), envs.step(actions)
            same(result, expected)
            spoil(result)


def spoil(result: Any) -> None:
    """Writes over all arrays."""
    if isinstance(result, np.ndarray):
        result[...] = 1
    elif isinstance(result, dict):
        for value in result.values():
            spoil(value)
    elif isinstance(result, tuple):
        for value in result:
            spoil(value)


# Mistakes


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        ([0, 1], ValueError, "shape"),
        ([[0, 1, 2]], ValueError, "shape"),
        (0, ValueError, "shape"),
        ([0.0, 1.0, 2.0], TypeError, "integers from 0 to 3"),
        (["up", "up", "up"], TypeError, "integers from 0 to 3"),
        ([0, 1, 4], ValueError, "4"),
        ([0, -1, 2], ValueError, "-1"),
        (np.array([0, 2**64 - 1, 2], np.uint64), ValueError, "action 18446744073709551615 is out"),
        (np.array([2**63 + 1] * 3, np.uint64), ValueError, "action 9223372036854775809 is out"),
    ],
)
@pytest.mark.parametrize("illegal", ["ignore", "raise"])
def test_wrong_actions(actions: Any, error: type[Exception], words: str, illegal: Any) -> None:
    envs = VectorEnv2048(3, illegal=illegal)
    before, _ = envs.reset(seed=1)
    with pytest.raises(error, match=words) as raised:
        envs.step(actions)
    assert "\n" not in str(raised.value)
    legal = envs.sample_actions()
    other = VectorEnv2048(3)
    other.reset(seed=1)
    same(envs.step(legal), other.step(legal))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
def test_actions_of_all_integer_types(kind: Any) -> None:
    envs, other = VectorEnv2048(3), VectorEnv2048(3)
    envs.reset(seed=1)
    other.reset(seed=1)
    spaced = np.zeros(6, dtype=kind)[::2]
    same(envs.step(spaced), other.step([0, 0, 0]))


def test_illegal_actions_raise() -> None:
    envs = VectorEnv2048(2, "2x2", illegal="raise")
    envs.reset(seed=1, options={"board": [[[1, 0], [0, 0]], [[1, 0], [2, 0]]]})
    with pytest.raises(ValueError, match="action 3 is not legal in game 1: use one of 1"):
        envs.step([1, 3])
    _, _, _, _, infos = envs.step([1, 1])
    assert infos["score"].tolist() == [0, 0]


def test_wrong_resets() -> None:
    envs = VectorEnv2048(3, "2x2")
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        envs.step([0, 0, 0])
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"seed": [1, 2]}, ValueError, "2 seeds for 3 games"),
        ({"seed": -1}, ValueError, "seed"),
        ({"seed": 2**64 - 2}, ValueError, "seed"),
        ({"seed": 1.5}, TypeError, "seed"),
        ({"seed": [1, 2, "3"]}, TypeError, "seed"),
        ({"options": {"reset_mask": [True] * 3}}, TypeError, "bools"),
        ({"options": {"reset_mask": np.ones(3)}}, TypeError, "bools"),
        ({"options": {"reset_mask": np.ones(2, dtype=np.bool_)}}, ValueError, "shape"),
        ({"options": {"reset_mask": np.zeros(3, dtype=np.bool_)}}, ValueError, "no True"),
        ({"options": {"reset_mask": np.array([True, False, True])}}, ValueError, "first reset"),
        ({"options": {"board": "2,2"}}, ValueError, "row"),
        ({"options": {"boards": "2,2"}}, ValueError, "'boards': use board or reset_mask"),
        ({"seed": 1, "options": {"board": None, 3: 1}}, ValueError, "unknown key 3: use"),
        ({"options": {"board": [[[0, 0], [0, 0]]]}}, ValueError, "shape"),
    ]
    for parameters, error, words in wrong:
        with pytest.raises(error, match=words) as raised:
            envs.reset(**parameters)
        assert "\n" not in str(raised.value)
    parameters_of: list[dict[str, Any]] = [
        {"num_envs": 0},
        {"variant": "nonsense"},
        {"illegal": "explode"},
        {"autoreset_mode": "never"},
        {"render_mode": "human"},
    ]
    for parameters in parameters_of:
        with pytest.raises(ValueError) as raised:
            VectorEnv2048(**parameters)
        assert "\n" not in str(raised.value)
    number: Any
    for number in ("3", 3.0, None, "3x3"):
        with pytest.raises(TypeError, match=f"^num_envs must be an integer, not {number!r}$"):
            VectorEnv2048(number)
    assert VectorEnv2048(np.int64(3)).num_envs == 3  # type: ignore[arg-type]


# Copies, pictures, wrappers


@pytest.mark.parametrize("mode", MODES)
def test_copies(mode: AutoresetMode) -> None:
    envs = VectorEnv2048(20, "2x2", autoreset_mode=mode)
    envs.reset(seed=1)
    for _ in range(15):
        envs.step(envs.sample_actions())
    copies = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]
    for _ in range(30):
        actions = envs.sample_actions()
        expected = envs.step(actions)
        for other in copies:
            assert (other.sample_actions() == actions).all()
            same(other.step(actions), expected)


def test_pictures() -> None:
    envs = VectorEnv2048(2, "2x2", render_mode="ansi")
    envs.reset(seed=1, options={"board": "2,./.,4"})
    assert envs.render() == ("2 .\n. 4",) * 2
    envs = VectorEnv2048(2, "2x2", render_mode="rgb_array")
    envs.reset(seed=1)
    frames = envs.render()
    assert frames is not None and [frame.shape for frame in frames] == [(152, 152, 3)] * 2
    plain = VectorEnv2048(2)
    plain.reset(seed=1)
    assert plain.render() is None


@pytest.mark.parametrize("mode", MODES)
def test_wrappers(mode: AutoresetMode) -> None:
    plain = VectorEnv2048(20, "2x2", autoreset_mode=mode, illegal="terminate")
    inner = VectorEnv2048(20, "2x2", autoreset_mode=mode, illegal="terminate")
    envs = VectorActionOrder(VectorOneHot(inner), "pufferlib")
    boards, infos = plain.reset(seed=1)
    planes, others = envs.reset(seed=1)
    to_puffer = np.array([0, 3, 1, 2])
    finals = 0
    for _ in range(60):
        assert planes.shape == (20, 2, 2, 6)
        assert planes in envs.observation_space
        assert (planes.argmax(axis=-1) == boards).all()
        assert (others["action_mask"][:, to_puffer] == infos["action_mask"]).all()
        # Always down: games end by an illegal action, with others still legal.
        actions = np.full(20, 2)
        boards, _, _, _, infos = plain.step(actions)
        planes, _, _, _, others = envs.step(to_puffer[actions])
        for game in np.flatnonzero(infos.get("_final_obs", False)):
            finals += 1
            assert (others["final_obs"][game].argmax(axis=-1) == infos["final_obs"][game]).all()
            mask = others["final_info"]["action_mask"][game, to_puffer]
            assert (mask == infos["final_info"]["action_mask"][game]).all()
            assert not mask.any()
    assert (finals > 0) == (mode is AutoresetMode.SAME_STEP)


# Memory


def resident() -> int:
    """The memory of this process in bytes."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs Linux")
@pytest.mark.parametrize("mode", MODES)
def test_memory_does_not_grow(mode: AutoresetMode) -> None:
    envs = VectorEnv2048(256, "3x3", autoreset_mode=mode)
    envs.reset(seed=1)

    def run(steps: int) -> None:
        for _ in range(steps):
            terminated = envs.step(envs.sample_actions())[2]
            if mode is AutoresetMode.DISABLED and terminated.any():
                envs.reset(options={"reset_mask": terminated})

    run(500)
    before = resident()
    # More than a million steps of games.
    run(4000)
    assert resident() - before < 2 * 2**20
