"""The single environment: against Gymnasium's checker and a plain second implementation."""

from __future__ import annotations

import copy
import doctest
import importlib
import pickle
import random
import warnings
from typing import Any

import gymnasium
import naive_2048 as naive
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

import tilebase
from tilebase import _native
from tilebase.envs import ActionOrder, Env2048, OneHot, from_order, register, registered, to_order
from tilebase.envs.render import picture, text

SHAPES = [(rows, cols) for rows in (2, 3, 4) for cols in (2, 3, 4)]
MODULES = "batch orders planning render shared single spiel vector wrappers adapters".split()


@pytest.mark.parametrize("name", ["tilebase.envs", *(f"tilebase.envs.{name}" for name in MODULES)])
def test_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


# Gymnasium


@pytest.mark.parametrize(
    "name",
    ["2048", "2x2", "3x4", "3x3-to-512", "4x4-to-2048", "L3-to-512", "442-to-256", "free10-to-128"],
)
def test_gymnasium_checks(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(f"tilebase/{name}-v0").unwrapped)


def test_all_ids_can_be_made() -> None:
    register()
    assert tilebase.__name__ == "tilebase"
    for name, variant in registered():
        env: Any = gymnasium.make(name)
        board, info = env.reset(seed=3)
        assert board in env.observation_space, name
        assert info["action_mask"].any(), name
        assert env.unwrapped.variant == variant
        assert env.spec.id == name
    names = [name for name, _ in registered()]
    assert len(names) == len(set(names))


def test_ids_of_other_games() -> None:
    twos: Any = gymnasium.make("tilebase/2048-twos-v0")
    assert all(twos.reset(seed=seed)[0].max() == 1 for seed in range(100))
    fours: Any = gymnasium.make("tilebase/2048-fours-v0")
    assert fours.reset(seed=1)[0].max() == 2
    for name, tiles in [("one-start-tile", 1), ("three-start-tiles", 3)]:
        env: Any = gymnasium.make(f"tilebase/2048-{name}-v0")
        assert np.count_nonzero(env.reset(seed=1)[0]) == tiles
    for name in ("3x2-to-64", "4x2-to-128"):
        env = gymnasium.make(f"tilebase/{name}-v0")
        assert env.unwrapped.variant == name


def test_any_variant_can_be_made() -> None:
    for variant in ("2x2-to-32-spawn-2:1-start-1", "4x4-to-64-formation-L3", "1x4", "4x2"):
        env: Any = gymnasium.make("tilebase/2048-v0", variant=variant)
        assert env.unwrapped.variant == variant
        assert env.reset(seed=1)[0] in env.observation_space


def test_spaces() -> None:
    highest = {"4x4": 17, "4x4-spawn-2:1": 16, "2x3": 7, "4x4-to-512-formation-L3": 15}
    for variant, exponent in highest.items():
        space: Any = Env2048(variant).observation_space
        assert (space.low == 0).all() and (space.high == exponent).all()
        assert space.dtype == np.uint8
    env = Env2048()
    _, info = env.reset(seed=1)
    assert info["action_mask"].dtype == np.int8
    for _ in range(20):
        assert info["action_mask"][env.action_space.sample(info["action_mask"])]


# The rules


def test_known_lines() -> None:
    lines = naive.known_lines()
    assert len(lines) > 20
    for before, after, points in lines:
        assert naive.slide_line(before) == (after, points)
        if len(before) > 4:
            continue
        env = Env2048(f"1x{len(before)}-start-1")
        if np.array([before], dtype=np.uint8) not in env.observation_space:
            continue
        _, info = env.reset(seed=1, options={"board": [before]})
        assert bool(info["action_mask"][3]) == (before != after)
        if before != after:
            board, reward, legal = env.step_deterministic(3)
            assert (board.tolist(), reward, legal) == ([after], points, True)


def boards(rows: int, cols: int, highest: int = 17) -> st.SearchStrategy[naive.Cells]:
    row = st.lists(st.integers(0, highest), min_size=cols, max_size=cols)
    return st.lists(row, min_size=rows, max_size=rows)


@settings(max_examples=300, deadline=None, database=None)
@given(board=boards(4, 4))
def test_slides_equal_the_plain_rules(board: naive.Cells) -> None:
    check_slides(board)


@pytest.mark.parametrize("shape", [*SHAPES, (1, 4), (4, 1), (1, 2)])
def test_slides_of_all_shapes(shape: tuple[int, int]) -> None:
    dice = random.Random(5)
    for _ in range(400):
        check_slides(naive.random_board(dice, *shape))


def check_slides(board: naive.Cells) -> None:
    rules = _native.Rules(f"{len(board)}x{len(board[0])}")
    array = np.array([board], dtype=np.uint8)
    after, rewards, legal = rules.slides(array)
    for action in range(4):
        expected, points = naive.slide(board, action)
        changed = expected != board
        assert after[0, action].tolist() == expected
        assert rewards[0, action] == points
        assert legal[0, action] == changed
    assert rules.legal(array)[0].tolist() == naive.legal(board)


@pytest.mark.parametrize("shape", SHAPES)
def test_games_equal_the_plain_rules_and_dice(shape: tuple[int, int]) -> None:
    rows, cols = shape
    env = Env2048(f"{rows}x{cols}")
    dice = random.Random(1)
    for seed in range(6):
        for number in range(3):
            board, info = env.reset(seed=seed if number == 0 else None)
            assert env.game == (seed, number)
            game = naive.Game(rows, cols, seed, number)
            follow(env, game, board, info, dice)


def test_games_to_a_target() -> None:
    env = Env2048("3x3-to-64")
    dice, won = random.Random(1), 0
    for seed in range(40):
        board, info = env.reset(seed=seed)
        won += follow(env, naive.Game(3, 3, seed, 0, target=6), board, info, dice)
    assert 0 < won < 40


def follow(
    env: Env2048, game: naive.Game, board: Any, info: dict[str, Any], dice: random.Random
) -> bool:
    """Plays a game at random beside the plain one. Whether it was won."""
    terminated = False
    while True:
        assert board.tolist() == game.board
        assert info["action_mask"].tolist() == [int(bit) for bit in game.mask()]
        assert info["score"] == game.score
        assert info["won"] == game.won()
        assert terminated == game.ended()
        assert board in env.observation_space
        if terminated:
            return game.won()
        action = dice.randrange(4)
        wrong = not game.mask()[action]
        board, reward, terminated, truncated, info = env.step(action)
        assert reward == game.step(action)
        assert isinstance(reward, float)
        assert info["illegal"] is wrong
        assert truncated is False


def test_large_tiles_have_no_cap() -> None:
    env = Env2048()
    env.reset(seed=1, options={"board": "32768,32768,.,./65536,.,.,./.,.,.,./.,.,.,."})
    board, reward, legal = env.step_deterministic(3)
    assert (board[0, 0], reward, legal) == (16, 65536.0, True)
    env.step_chance(0)
    board, reward, legal = env.step_deterministic(0)
    assert (board[0, 0], reward) == (17, 131072.0)
    assert board in env.observation_space
    _, _, info = env.step_chance()
    assert info["score"] == 65536 + 131072


FORMATIONS = [
    ("free10", [], "f" * 16),
    ("L3", ["fff0fff"], "f" * 16),
    ("442", ["ffffff"], "f000000"),
    ("t", ["f0fff0ff", "f000f0ff00ff", "f000f00000ff00ff"], "ff0f000f00"),
]


@pytest.mark.parametrize(("name", "masks", "goal"), FORMATIONS)
def test_games_with_walls_equal_the_plain_rules(name: str, masks: list[str], goal: str) -> None:
    env = Env2048(f"4x4-to-16-formation-{name}", render_mode="ansi")
    goals = np.array([digit != "0" for digit in goal.zfill(16)]).reshape(4, 4)
    dice, won = random.Random(3), 0
    for seed in range(60):
        board, info = env.reset(seed=seed)
        while True:
            assert int((board == 15).sum()) == 6
            assert board in env.observation_space
            cells = board.tolist()
            assert naive.covers(cells, masks)
            made = bool(((board >= 4) & (board != 15) & goals).any())
            assert info["won"] == made
            legal = [False] * 4 if made else naive.legal_with_walls(cells, masks, 4)
            assert info["action_mask"].tolist() == [int(bit) for bit in legal]
            if not any(legal):
                won += made
                break
            action = dice.choice(env.legal_actions().tolist())
            expected, points = naive.slide(cells, action, walls=True)
            board, reward, _ = env.step_deterministic(action)
            assert (board.tolist(), reward) == (expected, points)
            board, terminated, info = env.step_chance()
            assert terminated == (not info["action_mask"].any())
    assert 0 < won < 60
    shown = env.render()
    assert isinstance(shown, str) and shown.count("#") == 6


@pytest.mark.parametrize("variant", ["2x2", "3x3", "4x4", "3x4-to-64"])
def test_games_are_those_of_the_command_line(variant: str) -> None:
    scores = tilebase.play(variant, player="random", games=4, seed=12)["score"]
    env = Env2048(variant)
    for number, score in enumerate(scores):
        _, info = env.reset(seed=12 if number == 0 else None)
        # The player's own dice choose among left, right, up, down.
        dice, terminated = naive.Dice(12, 2 * number + 1), False
        while not terminated:
            legal = [action for action in (3, 1, 0, 2) if info["action_mask"][action]]
            _, _, terminated, _, info = env.step(legal[dice.below(len(legal))])
        assert info["score"] == score


# Resets


def test_seeds() -> None:
    first, second = Env2048(), Env2048()
    one, _ = first.reset(seed=5)
    two, _ = second.reset(seed=np.int64(5))  # type: ignore[arg-type]
    assert (one == two).all()
    assert (first.reset()[0] == second.reset()[0]).all()
    assert first.game == (5, 1)
    starts = {first.reset(seed=seed)[0].tobytes() for seed in range(50)}
    assert len(starts) > 40
    first.reset(seed=2**64 - 1)


def test_without_a_seed_games_differ() -> None:
    seeds = set()
    for _ in range(5):
        env = Env2048()
        env.reset()
        seeds.add(env.game[0])
        env.reset()
        assert env.game[1] == 1
    assert len(seeds) == 5
    one, two = Env2048(), Env2048()
    one.np_random = np.random.default_rng(3)
    two.np_random = np.random.default_rng(3)
    assert (one.reset()[0] == two.reset()[0]).all()


def test_a_start_that_is_over() -> None:
    env = Env2048("2x2")
    _, info = env.reset(seed=1, options={"board": "2,4/4,2"})
    assert not info["action_mask"].any()
    assert env.legal_actions().tolist() == []
    board, reward, terminated, _, info = env.step(0)
    assert (board.tolist(), reward, terminated) == ([[1, 2], [2, 1]], 0.0, True)
    assert info["illegal"] is False
    assert env.step_deterministic(0)[2] is False
    _, info = Env2048("2x2-to-8").reset(seed=1, options={"board": "8,./.,2"})
    assert info["won"] and not info["action_mask"].any()


@pytest.mark.parametrize(
    ("board", "error", "words"),
    [
        ("2,4", ValueError, "row"),
        ("2,4/3,2", ValueError, "3"),
        ([[1, 2, 3]], ValueError, "shape"),
        ([[1.0, 2.0], [0.0, 0.0]], TypeError, "exponents"),
        ([[6, 0], [0, 0]], ValueError, "use 0 to 5"),
        ([[-1, 0], [0, 0]], ValueError, "use 0 to 5"),
    ],
)
def test_wrong_boards(board: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        Env2048("2x2").reset(seed=1, options={"board": board})
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("options", [{"boards": "2,./.,."}, {"board": "2,./.,.", "size": 4}])
def test_unknown_options(options: dict[str, Any]) -> None:
    env = Env2048("2x2")
    with pytest.raises(ValueError, match="^options has an unknown key '(boards|size)': use board$"):
        env.reset(seed=1, options=options)
    env.reset(seed=1, options={})


def test_boards_need_their_walls() -> None:
    env = Env2048("4x4-to-512-formation-L3")
    with pytest.raises(ValueError, match="walls"):
        env.reset(seed=1, options={"board": np.zeros((4, 4), dtype=np.uint8)})
    board, _ = env.reset(seed=1, options={"board": ".,.,4,2/.,.,2,./2,#,#,#/8,#,#,#"})
    assert int((board == 15).sum()) == 6


# Actions


def test_illegal_actions_are_ignored() -> None:
    env = Env2048("2x2")
    start, _ = env.reset(seed=1, options={"board": "2,./4,."})
    board, reward, terminated, truncated, info = env.step(3)
    assert (board == start).all()
    assert (reward, terminated, truncated, info["illegal"]) == (0.0, False, False, True)
    assert env.step(1)[4]["illegal"] is False


def test_illegal_actions_terminate() -> None:
    env = Env2048("2x2", illegal="terminate")
    start, _ = env.reset(seed=1, options={"board": "2,./4,."})
    for illegal in (True, False):
        board, reward, terminated, _, info = env.step(3)
        assert (board == start).all()
        assert (reward, terminated, info["illegal"]) == (0.0, True, illegal)
        assert info["action_mask"].tolist() == env.action_masks().tolist() == [0, 0, 0, 0]
        assert info["action_mask"].dtype == np.int8
    assert env.legal_actions().tolist() == []
    assert not env.action_masks().any()
    assert env.step_deterministic(1)[2] is False
    env.reset()
    assert len(env.legal_actions()) > 0


MODES = ["ignore", "terminate", "raise"]
ENDS = [("2x2", "4,2/8,.", 1, mode) for mode in MODES]
ENDS += [("2x2-to-8", "4,4/.,.", 3, mode) for mode in MODES]
ENDS += [("2x2", "2,./4,.", 3, "terminate")]


@pytest.mark.parametrize(("variant", "start", "action", "illegal"), ENDS)
def test_steps_after_the_end_are_all_alike(
    variant: str, start: str, action: int, illegal: Any
) -> None:
    """Stuck, won, or ended by an illegal action."""
    env = Env2048(variant, illegal=illegal)
    # Of some seed the new tile leaves no slide.
    for seed in range(50):
        env.reset(seed=seed, options={"board": start})
        board, _, terminated, _, info = env.step(action)
        if terminated:
            break
    assert terminated
    for after in (0, 1, 2, 3):
        same, reward, terminated, truncated, info = env.step(after)
        assert (same == board).all()
        assert (reward, terminated, truncated) == (0.0, True, False)
        assert info["illegal"] is False
        assert info["action_mask"].tolist() == [0, 0, 0, 0]
        assert not env.action_masks().any()


def test_illegal_actions_raise() -> None:
    env = Env2048("2x2", illegal="raise")
    start, _ = env.reset(seed=1, options={"board": "2,./4,."})
    with pytest.raises(ValueError, match="action 3 is not legal here: use one of 1"):
        env.step(3)
    assert env.step(1)[2] is False
    env.reset(options={"board": "2,4/4,2"})
    assert env.step(0)[2] is True


@pytest.mark.parametrize("action", [4, -1, 2**40])
def test_actions_out_of_range(action: int) -> None:
    env = Env2048()
    env.reset(seed=1)
    for method in (env.step, env.step_deterministic):
        with pytest.raises(ValueError, match="is out of range: use 0 up"):
            method(action)


@pytest.mark.parametrize("action", ["up", 1.0, None, np.array([1, 2]), np.float32(1)])
def test_actions_of_the_wrong_type(action: Any) -> None:
    env = Env2048()
    env.reset(seed=1)
    with pytest.raises(TypeError, match="action must be an integer from 0 to 3") as raised:
        env.step(action)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.int64, np.array])
def test_actions_of_all_integer_types(kind: Any) -> None:
    env = Env2048("2x2")
    env.reset(seed=1, options={"board": "2,./4,."})
    assert env.step(kind(1))[4]["illegal"] is False


def test_wrong_parameters() -> None:
    wrong: list[dict[str, Any]] = [
        {"variant": "4by4"},
        {"variant": "4x4-to-513"},
        {"variant": "5x5"},
        {"variant": "4x4-to-512-formation-nonsense"},
        {"illegal": "explode"},
        {"render_mode": "human"},
    ]
    for parameters in wrong:
        with pytest.raises(ValueError) as raised:
            Env2048(**parameters)
        assert "\n" not in str(raised.value)
    seeds: list[tuple[Any, type[Exception]]] = [
        (-1, ValueError),
        (2**64, ValueError),
        (1.5, TypeError),
        ("1", TypeError),
    ]
    for seed, error in seeds:
        with pytest.raises(error, match="seed"):
            Env2048().reset(seed=seed)


def test_a_reset_comes_first() -> None:
    env = Env2048(render_mode="ansi")
    for method in (env.render, env.get_state, env.legal_actions, env.chance_outcomes):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
            method()
    with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
        env.step(0)


# Planning


def test_slides_and_tiles_apart_equal_whole_steps() -> None:
    whole, halves = Env2048("3x3"), Env2048("3x3")
    whole.reset(seed=9)
    _, info = halves.reset(seed=9)
    terminated = False
    while not terminated:
        action = int(np.flatnonzero(info["action_mask"])[0])
        board, reward, terminated, _, info = whole.step(action)
        _, half_reward, legal = halves.step_deterministic(action)
        outcomes, _ = halves.chance_outcomes()
        half_board, half_terminated, half_info = halves.step_chance()
        assert legal and reward == half_reward
        assert (board == half_board).all()
        assert any((half_board == outcome).all() for outcome in outcomes)
        assert terminated == half_terminated
        assert all(np.array_equal(info[key], half_info[key]) for key in info)


def test_chance_outcomes() -> None:
    env = Env2048("2x3")
    env.reset(seed=1, options={"board": "2,2,./8,.,."})
    afterstate, _, _ = env.step_deterministic(1)
    boards, probabilities = env.chance_outcomes()
    assert len(boards) == 2 * int((afterstate == 0).sum()) == 8
    assert probabilities.sum() == pytest.approx(1)
    assert probabilities.tolist() == pytest.approx([0.9 / 4, 0.1 / 4] * 4)
    state = env.get_state()
    for index, outcome in enumerate(boards):
        env.set_state(state)
        board, _, info = env.step_chance(index)
        assert (board == outcome).all()
        assert info["score"] == 4
        assert info["action_mask"].tolist() == [int(bit) for bit in naive.legal(board.tolist())]
    env.set_state(state)
    expected, chances = env.chance_outcomes()[0][5].copy(), env.chance_outcomes()[1]
    env.chance_outcomes()[0][:] = 0
    chances[:] = 0
    assert (env.step_chance(5)[0] == expected).all()
    env.set_state(state)
    with pytest.raises(ValueError, match="outcome 8 is out of range: use 0 to 7"):
        env.step_chance(8)
    with pytest.raises(ValueError, match="call step_chance"):
        env.step(0)
    env.step_chance(7)
    with pytest.raises(ValueError, match="call step_deterministic"):
        env.step_chance()


def test_chance_is_as_likely_as_it_says() -> None:
    env = Env2048("2x2")
    seen = np.zeros(4, dtype=np.int64)
    for seed in range(4000):
        env.reset(seed=seed, options={"board": "2,2/8,."})
        env.step_deterministic(3)
        boards, probabilities = env.chance_outcomes()
        board, _, _ = env.step_chance()
        seen[[(board == one).all() for one in boards].index(True)] += 1
    deviation = np.sqrt(4000 * probabilities * (1 - probabilities))
    assert (abs(seen - 4000 * probabilities) < 5 * deviation).all()


def test_states_and_copies() -> None:
    env = Env2048("3x3", illegal="terminate", render_mode="ansi")
    env.reset(seed=4)
    env.step(int(env.legal_actions()[0]))
    state = env.get_state()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), Env2048("3x3")]
    copies[2].set_state(state)
    actions = [int(a) for a in np.random.default_rng(1).integers(4, size=30)]
    expected = play(env, actions)
    env.set_state(state)
    assert play(env, actions) == expected
    for other in copies:
        other.illegal = env.illegal
        assert other.game[0] == 4
        assert play(other, actions) == expected
    assert copies[0].render_mode == "ansi"
    made: Any = gymnasium.make("tilebase/3x3-v0")
    made.reset(seed=4)
    other_made = pickle.loads(pickle.dumps(copy.deepcopy(made)))
    assert (other_made.step(0)[0] == made.step(0)[0]).all()
    assert (copies[0].reset()[0] == env.reset()[0]).all()


def play(env: Env2048, actions: list[int]) -> list[Any]:
    steps = []
    for action in actions:
        board, reward, terminated, _, info = env.step(action)
        steps.append((board.tolist(), reward, terminated, info["score"], info["illegal"]))
    return steps


def test_wrong_states() -> None:
    env = Env2048()
    env.reset(seed=1)
    good = env.get_state()
    wrong = (b"", b"x" * 100, b"\xff\0" * 60, good[:9], good[:-1], good[1:])
    for state in (*wrong, bytearray(good), "text"):
        with pytest.raises(ValueError, match="state"):
            env.set_state(state)  # type: ignore[arg-type]
    flags = len("4x4") + 1
    with pytest.raises(ValueError, match="not a state"):
        env.set_state(good[:flags] + b"\x04" + good[flags + 1 :])
    assert env.get_state() == good


def test_states_of_other_variants() -> None:
    env, other = Env2048("3x3"), Env2048("3x3-to-64")
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="^a state of 3x3-to-64, not of 3x3$"):
        env.set_state(other.get_state())
    with pytest.raises(ValueError, match="^a state of 3x3, not of 3x3-to-64$"):
        other.set_state(env.get_state())


@pytest.mark.parametrize(
    ("variant", "highest"), [("2x2", 100), ("4x4", 100), ("4x4-to-512-formation-L3", 15)]
)
def test_states_with_impossible_tiles(variant: str, highest: int) -> None:
    env = Env2048(variant)
    env.reset(seed=1)
    good = env.get_state()
    for exponent in (highest + 1, 255):
        with pytest.raises(ValueError, match=f"exponent {exponent} is out of range: use 0 to"):
            env.set_state(good[:-1] + bytes([exponent]))
    assert env.get_state() == good


def test_states_beyond_the_observation_space() -> None:
    env = Env2048("2x2")
    env.reset(seed=1, options={"board": "32,32/.,2"})
    board = env.step(3)[0]
    assert board.max() == 6 and board not in env.observation_space
    other = Env2048("2x2")
    other.set_state(env.get_state())
    assert (other.step(1)[0] == env.step(1)[0]).all()


# Pictures


def test_text() -> None:
    board = np.array([[0, 1, 15], [17, 20, 3]], dtype=np.uint8)
    assert text(board) == "     .      2  32768\n131072   2^20      8"
    assert text(board, walls=True).split() == [".", "2", "#", "131072", "2^20", "8"]


def test_pictures() -> None:
    env = Env2048("2x3", render_mode="rgb_array")
    env.reset(seed=1)
    image = env.render()
    assert isinstance(image, np.ndarray)
    assert image.shape == (152, 224, 3)
    assert image.dtype == np.uint8
    tiles = [picture(np.array([[exponent]], dtype=np.uint8)) for exponent in range(20)]
    for first in range(20):
        for second in range(first):
            assert (tiles[first] != tiles[second]).any(), (first, second)
    # Every number has digits of one colour on a tile of another.
    for exponent, tile in enumerate(tiles):
        colours = np.unique(tile[10:62, 10:62].reshape(-1, 3), axis=0)
        assert len(colours) == (1 if exponent == 0 else 2)
    wall = picture(np.array([[15]], dtype=np.uint8), walls=True)
    assert (wall != tiles[15]).any()
    assert (picture(np.array([[100]], dtype=np.uint8)) != tiles[19]).any()


def test_lists_of_frames() -> None:
    env: Any = gymnasium.make("tilebase/2x2-v0", render_mode="rgb_array_list")
    _, info = env.reset(seed=1)
    env.step(env.action_space.sample(info["action_mask"]))
    assert len(env.render()) == 2


# Wrappers


def test_one_hot() -> None:
    env = OneHot(Env2048())
    planes, _ = env.reset(seed=1)
    assert planes.shape == (4, 4, 18)
    assert planes in env.observation_space
    for action in (0, 1, 2, 3) * 5:
        planes = env.step(np.int64(action))[0]
        board = env.unwrapped._observation()  # type: ignore[attr-defined]
        assert (planes.argmax(axis=-1) == board).all()
        assert (planes.sum(axis=-1) == 1).all()
    shallow = OneHot(Env2048("2x2"), depth=3, dtype=np.float32)
    planes, _ = shallow.reset(seed=1, options={"board": "2,16/.,4"})
    assert planes.dtype == np.float32
    assert planes.argmax(axis=-1).tolist() == [[1, 2], [0, 2]]
    assert planes in shallow.observation_space
    with pytest.raises(ValueError, match="depth"):
        OneHot(Env2048(), depth=0)
    with pytest.raises(TypeError, match="boards"):
        OneHot(OneHot(Env2048(), dtype=np.float32))


def test_wrappers_can_be_made_again() -> None:
    env = ActionOrder(OneHot(gymnasium.make("tilebase/3x3-v0"), depth=5), "pgx")
    assert env.spec is not None
    again: Any = gymnasium.make(env.spec)
    assert again.observation_space.shape == (3, 3, 5)


def test_orders() -> None:
    for order in ("left up right down", "up down left right", "left right up down", "tilebase"):
        assert to_order(from_order(range(4), order), order).tolist() == [0, 1, 2, 3]
    assert from_order(range(4), "pufferlib").tolist() == [0, 2, 3, 1]
    assert from_order(range(4), "command line").tolist() == [3, 1, 0, 2]
    assert from_order(range(4), "pgx").tolist() == [3, 0, 1, 2]
    for wrong in ("", "up down left", "up down left left", "nonsense"):
        with pytest.raises(ValueError, match="order"):
            from_order(0, wrong)
    with pytest.raises(ValueError, match="out of range"):
        to_order([4], "pgx")
    with pytest.raises(TypeError, match="integers"):
        to_order([1.0], "pgx")


def test_action_order() -> None:
    plain, ordered = Env2048(), ActionOrder(Env2048(), "pgx")
    board, info = plain.reset(seed=3)
    other, mask = ordered.reset(seed=3)
    for action in (0, 1, 2, 3) * 10:
        assert (board == other).all()
        assert (mask["action_mask"] == info["action_mask"][[3, 0, 1, 2]]).all()
        board, _, _, _, info = plain.step(action)
        other, _, _, _, mask = ordered.step(to_order(action, "pgx"))
