"""The rules and the dice of the game, written a second time: plain Python, made to be read.

Boards are lists of rows of exponents. Actions are 0 up, 1 right, 2 down, 3 left.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

Cells = list[list[int]]

WALL = 15
WORD = 2**64 - 1
LINES = Path(__file__).parents[3] / "tests" / "data" / "lines.csv"


def slide_line(line: list[int], walls: bool = False) -> tuple[list[int], int]:
    """A line after a slide towards its first cell, and the points."""
    tiles = [tile for tile in line if tile]
    after: list[int] = []
    points = 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile and not (walls and tile == WALL):
            tiles.pop(0)
            tile += 1
            points += 2**tile
        after.append(tile)
    return after + [0] * (len(line) - len(after)), points


def slide(board: Cells, action: int, walls: bool = False) -> tuple[Cells, int]:
    """A board after a slide, and the points, whether or not it changes."""
    columns = action in (0, 2)
    lines = [list(line) for line in zip(*board, strict=True)] if columns else board
    towards_end = action in (1, 2)
    slid = [slide_line(line[::-1] if towards_end else line, walls) for line in lines]
    after = [line[::-1] if towards_end else line for line, _ in slid]
    after = [list(line) for line in zip(*after, strict=True)] if columns else after
    return after, sum(points for _, points in slid)


def legal(board: Cells) -> list[bool]:
    """Which actions change a board."""
    return [slide(board, action)[0] != board for action in range(4)]


def covers(board: Cells, masks: list[str]) -> bool:
    """Whether walls cover one of the masks, written in hex digits as in docs/formations.md."""
    walls = [cell == WALL for row in board for cell in row]

    def covered(mask: str) -> bool:
        digits = mask.zfill(len(walls))
        return all(wall or digit == "0" for wall, digit in zip(walls, digits, strict=True))

    return not masks or any(map(covered, masks))


def legal_with_walls(board: Cells, masks: list[str], target: int) -> list[bool]:
    """Which actions change a board with walls, keep a mask covered and pass no target."""
    largest = max((cell for row in board for cell in row if cell != WALL), default=0)

    def allowed(action: int) -> bool:
        after, _ = slide(board, action, walls=True)
        made = max((cell for row in after for cell in row if cell != WALL), default=0)
        return after != board and covers(after, masks) and made <= max(target, largest)

    return [allowed(action) for action in range(4)]


def known_lines() -> list[tuple[list[int], list[int], int]]:
    """The lines that every implementation of the rules is tested with: before, after, points."""

    def exponents(text: str) -> list[int]:
        return [0 if tile == "." else exponent(tile) for tile in text.split()]

    rows = [row for row in LINES.read_text().splitlines() if row and row[0] != "#"]
    parts = [row.split(",") for row in rows]
    return [(exponents(part[0]), exponents(part[1]), int(part[2])) for part in parts]


def exponent(tile: str) -> int:
    """The exponent of a tile written as its value or as a power."""
    return int(tile[2:]) if tile.startswith("2^") else int(tile).bit_length() - 1


def random_board(dice: random.Random, rows: int, cols: int, highest: int = 17) -> Cells:
    """A board of any tiles: sometimes many of a kind, sometimes full."""
    kinds = [dice.randint(1, highest) for _ in range(dice.randint(1, 5))]
    empty = dice.choice([0.0, 0.1, 0.4, 0.8])

    def cell() -> int:
        return 0 if dice.random() < empty else dice.choice(kinds)

    return [[cell() for _ in range(cols)] for _ in range(rows)]


def scramble(state: int) -> tuple[int, int]:
    """SplitMix64: the next state, and a number."""
    state = (state + 0x9E3779B97F4A7C15) & WORD
    z = state
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return state, z ^ z >> 31


def rotate(word: int, by: int) -> int:
    """A word turned to the left."""
    return (word << by | word >> (64 - by)) & WORD


class Dice:
    """xoshiro256++, as docs/rules.md describes it."""

    def __init__(self, seed: int, stream: int) -> None:
        state = scramble(seed)[1] ^ rotate(scramble(stream)[1], 32)
        self.words: list[int] = []
        for _ in range(4):
            state, word = scramble(state)
            self.words.append(word)

    def next(self) -> int:
        """64 random bits."""
        a, b, c, d = self.words
        out = (rotate((a + d) & WORD, 23) + a) & WORD
        c, d = c ^ a, d ^ b
        self.words = [a ^ d, b ^ c, c ^ (b << 17 & WORD), rotate(d, 45)]
        return out

    def below(self, bound: int) -> int:
        """A number below a bound, all equally likely."""
        while True:
            product = (self.next() >> 32) * bound
            if product % 2**32 >= 2**32 % bound:
                return product >> 32


@dataclass
class Game:
    """A game without walls, with the standard spawn rule."""

    rows: int
    cols: int
    seed: int
    number: int = 0
    target: int | None = None
    board: Cells = field(init=False)
    score: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.dice = Dice(self.seed, 2 * self.number)
        self.board = [[0] * self.cols for _ in range(self.rows)]
        self.spawn()
        self.spawn()

    def spawn(self) -> None:
        """Lets a tile fall: first its cell is drawn, then its value."""
        cells = [(r, c) for r in range(self.rows) for c in range(self.cols) if not self.board[r][c]]
        row, col = cells[self.dice.below(len(cells))]
        self.board[row][col] = 1 if self.dice.below(10**9) < 9 * 10**8 else 2

    def won(self) -> bool:
        """Whether the target is on the board."""
        return self.target is not None and max(map(max, self.board)) >= self.target

    def mask(self) -> list[bool]:
        """Which actions are legal; none once the game is over."""
        return [False] * 4 if self.won() else legal(self.board)

    def ended(self) -> bool:
        """Whether the game is over."""
        return not any(self.mask())

    def step(self, action: int) -> int:
        """Slides and lets a tile fall, if the action is legal. The points."""
        if not self.mask()[action]:
            return 0
        self.board, points = slide(self.board, action)
        self.score += points
        self.spawn()
        return points
