"""The rules against the naive ones, on all shapes, one board and many."""

from __future__ import annotations

import naive_2048
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilebase
from tilebase import Action, Rules, Status

SHAPES = [(rows, cols) for rows in range(1, 5) for cols in range(1, 5) if rows * cols > 1]


def boards_of(shape: tuple[int, int], largest: int) -> st.SearchStrategy[np.ndarray]:
    cells = shape[0] * shape[1]
    row = st.lists(st.integers(0, largest), min_size=cells, max_size=cells)
    return row.map(lambda cells: np.array(cells, np.uint8).reshape(shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_slides_are_the_naive_ones(shape: tuple[int, int]) -> None:
    rules = Rules(f"{shape[0]}x{shape[1]}")

    @settings(max_examples=60, deadline=None)
    @given(st.lists(boards_of(shape, 17), min_size=1, max_size=5))
    def check(boards: list[np.ndarray]) -> None:
        batch = np.stack(boards)
        after = rules.afterstates(batch)
        legal = rules.legal_actions(batch)
        assert (legal == after.legal).all()
        for i, board in enumerate(boards):
            status = rules.status(board)
            assert (status == Status.LOST) == (not any(naive_2048.legal(board.tolist())))
            for action in Action:
                slid, reward = naive_2048.slide(board.tolist(), action)
                expected = np.array(slid, np.uint8)
                assert (after.boards[i, action] == expected).all()
                assert after.rewards[i, action] == reward
                assert after.legal[i, action] == (expected != board).any()
                one = rules.slide(board, action)
                assert (one.boards == expected).all() and one.rewards == reward

    check()


def test_two_32768_make_a_65536_and_two_of_those_a_131072() -> None:
    rules = Rules("4x4")
    board = rules.parse("32768,32768,.,./65536,65536,.,./.,.,.,./2,.,.,.")
    after = rules.slide(board, Action.LEFT)
    assert rules.format(after.boards) == "65536,.,.,./131072,.,.,./.,.,.,./2,.,.,."
    assert after.rewards == 65536 + 131072


@pytest.mark.parametrize("shape", SHAPES)
def test_chances_add_up_and_fall_into_every_empty_cell(shape: tuple[int, int]) -> None:
    rules = Rules(f"{shape[0]}x{shape[1]}")
    rng = np.random.default_rng(1)
    boards = rng.integers(0, 3, (20, *shape)).astype(np.uint8)
    outcomes, offsets = rules.chances(boards)
    for i, board in enumerate(boards):
        part = slice(offsets[i], offsets[i + 1])
        empty = int((board == 0).sum())
        assert offsets[i + 1] - offsets[i] == 2 * empty
        changed = outcomes.boards[part] != board
        assert (changed.sum(axis=(1, 2)) == 1).all()
        new = outcomes.boards[part][changed]
        if empty:
            assert np.isclose(outcomes.probabilities[part].sum(), 1)
            assert np.allclose(outcomes.probabilities[part][new == 2], 0.1 / empty)
            assert len({tuple(np.argwhere(c)[0]) for c in changed}) == empty


def test_images_and_their_actions() -> None:
    for variant, count in [("4x4", 8), ("3x4", 4), ("4x4-to-64-formation-L3", 1)]:
        rules = Rules(variant)
        rng = np.random.default_rng(2)
        walls = 15 if rules.walls else 0
        if walls:
            boards = rules.start_states().boards[:10]
        else:
            boards = rng.integers(0, 6, (30, *rules.shape)).astype(np.uint8)
        images, actions = rules.images(boards), rules.image_actions()
        assert images.shape[1] == count == len(actions)
        for i in range(count):
            turned = rules.afterstates(images[:, i])
            plain = rules.images(rules.afterstates(boards).boards.reshape(-1, *rules.shape))
            plain = plain[:, i].reshape(len(boards), 4, *rules.shape)
            assert (turned.boards[:, actions[i]] == plain).all()
            assert (rules.canonical(images[:, i]) == rules.canonical(boards)).all()


def test_notation_goes_back_and_forth() -> None:
    rules = Rules("3x4")
    text = "2,4,8,16/32,64,.,2048/.,.,2,2"
    assert rules.format(rules.parse(text)) == text
    assert rules.format(rules.unpack(rules.pack(text))) == text
    assert rules.format([text, text]) == [text, text]


def test_variants() -> None:
    assert Rules("3x3-to-512").target == 512
    assert Rules("2x2-to-32-spawn-2:1-start-1").four_probability == 0
    assert Rules("2x2-to-32-spawn-2:1-start-1").start_tiles == 1
    assert Rules("4x4-to-512-formation-L3").walls == 6
    assert tilebase.__version__


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: Rules("5"), ValueError, "shape"),
        (lambda: Rules("9x9"), ValueError, "9x9"),
        (lambda: Rules("3x3-to-500"), ValueError, "500"),
        (lambda: Rules("3x3").slide(np.zeros((4, 4), np.uint8), 0), ValueError, r"\(3, 3\)"),
        (lambda: Rules("3x3").slide(np.zeros((3, 3)), 0), TypeError, "exponents"),
        (lambda: Rules("3x3").slide(np.zeros((3, 3), int) - 1, 0), ValueError, "below 0"),
        (lambda: Rules("3x3").slide(np.full((3, 3), 200), 0), ValueError, "200"),
        (lambda: Rules("3x3").slide(np.zeros((3, 3), int), 4), ValueError, "no action"),
        (lambda: Rules("3x3").slide(np.zeros((3, 3), int), -1), ValueError, "no action"),
        (lambda: Rules("3x3").slide(np.zeros((3, 3), int), 0.5), TypeError, "integers"),
        (lambda: Rules("3x3").slide(np.zeros((2, 3, 3), int), [0, 1, 2]), ValueError, "2 boards"),
        (lambda: Rules("3x3").parse("2,2"), ValueError, "3x3"),
        (lambda: Rules("3x3").parse("2,3,./.,.,./.,.,."), ValueError, "3"),
        (lambda: Rules("3x3").pack(np.full((3, 3), 16)), ValueError, "32768"),
        (lambda: Rules("3x3").unpack(1), ValueError, "0x1"),
        (lambda: Rules("3x3").chance(np.zeros((2, 3, 3), int)), ValueError, "one board"),
        (lambda: Rules("3x3").format(None), TypeError, "exponents"),
    ],
)
def test_errors_are_one_line(call, error, says) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=says) as caught:
        call()
    assert "\n" not in str(caught.value)
