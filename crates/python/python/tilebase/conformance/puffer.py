"""PufferLib's g2048, from a checkout of PufferLib: the header is compiled as it is, without the rest.

Its releases on PyPI do not contain the game (3.0.0 is the last one), and its own way to build it needs far more
than the game. The game is one C header; a C compiler is all that is needed here.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from .protocol import Step

# Names of the drawing library that the header mentions. Nothing is drawn.
RAYLIB = """
typedef struct Color { unsigned char r, g, b, a; } Color;
#define KEY_ESCAPE 256
static inline void InitWindow(int w, int h, const char *t) { (void)w; (void)h; (void)t; }
static inline void SetTargetFPS(int f) { (void)f; }
static inline int IsKeyDown(int k) { (void)k; return 0; }
static inline int IsWindowReady(void) { return 0; }
static inline void CloseWindow(void) {}
static inline void BeginDrawing(void) {}
static inline void EndDrawing(void) {}
static inline void ClearBackground(Color c) { (void)c; }
static inline void DrawRectangle(int x, int y, int w, int h, Color c) {
    (void)x; (void)y; (void)w; (void)h; (void)c;
}
static inline void DrawText(const char *t, int x, int y, int s, Color c) {
    (void)t; (void)x; (void)y; (void)s; (void)c;
}
"""

SHIM = """
#include "g2048.h"
static Game game;
static unsigned char seen[1024];
static __typeof__(*game.actions) action[1];
static __typeof__(*game.rewards) reward[1];
static __typeof__(*game.terminals) terminal[1];

void shim_reset(unsigned int seed) {
    game.observations = seen;
    game.actions = action;
    game.rewards = reward;
    game.terminals = terminal;
    srand(seed);
#ifdef HAS_RNG
    game.rng = seed;
#endif
    c_reset(&game);
}
float shim_step(int which, int *over) {
    action[0] = which;
    c_step(&game);
    *over = terminal[0] != 0;
    return reward[0];
}
void shim_read(unsigned char *cells) { memcpy(cells, game.grid, 16); }
void shim_write(const unsigned char *cells) {
    memcpy(game.grid, cells, 16);
    game.empty_count = 0;
    for (int i = 0; i < 16; i++) game.empty_count += cells[i] == 0;
    game.grid_changed = true;
    game.game_over_cached = false;
    update_observations(&game);
}
"""


def build(source: str, folder: Path, more: str = "", compiler: str = "cc") -> Path:
    """Compiles the header of a checkout into a shared library, with `more` C code if there is any."""
    header = Path(source)
    if header.is_dir():
        header = header / "g2048.h"
    text = header.read_text(encoding="utf-8")
    (folder / "g2048.h").write_text(text, encoding="utf-8")
    (folder / "raylib.h").write_text(RAYLIB, encoding="utf-8")
    (folder / "shim.c").write_text(SHIM + more, encoding="utf-8")
    flags = ["-DHAS_RNG"] if re.search(r"\brng;", text) else []
    command = [compiler, "-O3", "-w", "-shared", "-fPIC", *flags, "-o", "shim.so", "shim.c", "-lm"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise ValueError(f"{header} does not compile: {built.stderr.strip().splitlines()[-1]}")
    return folder / "shim.so"


class PufferG2048:
    """One game of g2048. It starts the next game at once, so the last board of a game is not shown."""

    def __init__(self, source: str) -> None:
        self._directory = tempfile.TemporaryDirectory()
        self._library: Any = ctypes.CDLL(str(build(source, Path(self._directory.name))))
        self._library.shim_step.restype = ctypes.c_float
        self._cells = np.zeros(16, dtype=np.uint8)
        self._pointer = self._cells.ctypes.data_as(ctypes.c_void_p)
        self._over = ctypes.c_int()
        self.name = "PufferLib g2048"
        self.versions: dict[str, str] = {}

    def _board(self) -> Any:
        self._library.shim_read(self._pointer)
        return self._cells.reshape(4, 4).copy()

    def reset(self, seed: int) -> Any:
        self._library.shim_reset(ctypes.c_uint(seed))
        return self._board()

    def step(self, action: int) -> Step:
        reward = self._library.shim_step(action, ctypes.byref(self._over))
        over = bool(self._over.value)
        return Step(None if over else self._board(), float(reward), over)

    def set_board(self, board: Any) -> None:
        self._cells[:] = np.asarray(board, dtype=np.uint8).reshape(16)
        self._library.shim_write(self._pointer)
