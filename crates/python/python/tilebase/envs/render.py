"""Boards as text and as pictures, without a graphics library."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .shared import WALL, Board

__all__ = ["picture", "text"]

CELL = 64
GAP = 8

# Rows of three pixels, from the top, a digit of 0 to 7 a row.
GLYPHS = {
    "0": "75557",
    "1": "26227",
    "2": "71747",
    "3": "71317",
    "4": "55711",
    "5": "74717",
    "6": "74757",
    "7": "71122",
    "8": "75757",
    "9": "75717",
    "^": "25000",
}

BACKGROUND = 0xE7EAEE
EMPTY = 0xDFE3E8
WALL_COLOUR = 0x3A4049
DARK, LIGHT = 0x0D1A27, 0xFFFFFF
# The tiles from 2 to 131072: the larger, the darker; amber from 2048 on.
TILES = (
    *(0xEDF3F8, 0xCFDFED, 0xA9C9E4, 0x82B1D8, 0x5C98C8),
    *(0x2F72A8, 0x225F93, 0x194D7D, 0x133D68, 0x0F2E53),
    *(0xF5CF6B, 0xEFB943, 0xE3A025, 0xC97F12, 0x8F4F0B, 0x6D3508, 0x4D2306),
)


def label(exponent: int) -> str:
    """What a tile is written as.

    >>> [label(exponent) for exponent in (0, 1, 17, 20)]
    ['', '2', '131072', '2^20']
    """
    if exponent == 0:
        return ""
    return str(2**exponent) if exponent < 20 else f"2^{exponent}"


def text(board: Board, *, walls: bool = False) -> str:
    """A board as lines of tile values, `.` for an empty cell and `#` for a wall.

    >>> print(text(np.array([[0, 1], [11, 2]], dtype=np.uint8)))
       .    2
    2048    4
    """

    def cell(exponent: int) -> str:
        return "#" if walls and exponent == WALL else label(exponent) or "."

    rows = [[cell(exponent) for exponent in row] for row in board.tolist()]
    width = max(len(value) for row in rows for value in row)
    return "\n".join(" ".join(value.rjust(width) for value in row) for row in rows)


def picture(board: Board, *, walls: bool = False) -> NDArray[np.uint8]:
    """A board as an image, uint8 of shape (height, width, 3).

    >>> picture(np.array([[0, 1], [11, 2]], dtype=np.uint8)).shape
    (152, 152, 3)
    """
    rows, cols = board.shape
    pitch = CELL + GAP
    image = np.empty((rows * pitch + GAP, cols * pitch + GAP, 3), dtype=np.uint8)
    image[:] = colour(BACKGROUND)
    for row, exponents in enumerate(board.tolist()):
        for col, exponent in enumerate(exponents):
            top, left = GAP + row * pitch, GAP + col * pitch
            wall = walls and exponent == WALL
            image[top : top + CELL, left : left + CELL] = tile(exponent, wall)
    return image


def colour(number: int) -> tuple[int, int, int]:
    """Red, green and blue of a number written like #rrggbb."""
    return number >> 16, number >> 8 & 255, number & 255


@lru_cache(maxsize=256)
def tile(exponent: int, wall: bool) -> NDArray[np.uint8]:
    """The image of one cell. Kept, so not to be written to."""
    image = np.empty((CELL, CELL, 3), dtype=np.uint8)
    if wall:
        image[:] = colour(WALL_COLOUR)
        return image
    image[:] = colour(TILES[min(exponent, len(TILES)) - 1] if exponent else EMPTY)
    writing = label(exponent)
    if writing:
        dark = exponent < 6 or 11 <= exponent <= 14
        pixels = letters(writing)
        scale = min((CELL - 16) // pixels.shape[1], 5)
        pixels = pixels.repeat(scale, axis=0).repeat(scale, axis=1)
        height, width = pixels.shape
        top, left = (CELL - height) // 2, (CELL - width) // 2
        image[top : top + height, left : left + width][pixels] = colour(DARK if dark else LIGHT)
    return image


def letters(writing: str) -> NDArray[np.bool_]:
    """The pixels of a text, five rows high."""
    pixels = np.zeros((5, 4 * len(writing) - 1), dtype=np.bool_)
    for place, letter in enumerate(writing):
        for row, bits in enumerate(GLYPHS[letter]):
            for col in range(3):
                pixels[row, 4 * place + col] = int(bits) >> (2 - col) & 1
    return pixels
