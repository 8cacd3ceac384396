"""Published environments of 2048. Each package is imported when its adapter is made."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any

import numpy as np

from .adapter import GymnasiumAdapter, decode, values_to_exponents
from .protocol import Environment, Step
from .puffer import PufferG2048


def versions(*packages: str) -> dict[str, str]:
    """The installed versions of packages."""
    return {package: metadata.version(package) for package in packages}


def gymnasium_2048(**options: Any) -> Environment:
    """gymnasium-2048: Gymnasium, one-hot observations."""
    gymnasium: Any = import_module("gymnasium")
    import_module("gymnasium_2048")

    def set_board(env: Any, board: Any) -> None:
        env.board = np.array(board, dtype=env.board.dtype)

    return GymnasiumAdapter(
        gymnasium.make("gymnasium_2048/TwentyFortyEight-v0", disable_env_checker=True, **options),
        encoding="one-hot",
        set_board=set_board,
        name=f"gymnasium-2048{''.join(f' {key}={value}' for key, value in options.items())}",
        versions=versions("gymnasium-2048", "gymnasium", "numpy"),
    )


def tilebase(**options: Any) -> Environment:
    """Our environment, one game."""
    gymnasium: Any = import_module("gymnasium")
    own: Any = import_module("tilebase")

    def set_board(env: Any, board: Any) -> None:
        env.reset(options={"board": np.asarray(board, dtype=np.uint8)})

    return GymnasiumAdapter(
        gymnasium.make("tilebase/2048-v0", **options),
        encoding="exponents",
        set_board=set_board,
        versions={"tilebase": own.__version__, **versions("gymnasium", "numpy")},
    )


class TilebaseVector:
    """Our vector environment: the second of three games, the others play along."""

    def __init__(self) -> None:
        gymnasium: Any = import_module("gymnasium")
        own: Any = import_module("tilebase")
        mode = import_module("gymnasium.vector").AutoresetMode.SAME_STEP
        self.env = gymnasium.make_vec("tilebase/2048-v0", num_envs=3, autoreset_mode=mode)
        self.name = "tilebase/2048-v0, vector"
        self.versions = {"tilebase": own.__version__, **versions("gymnasium", "numpy")}
        self._mask: Any = None

    def reset(self, seed: int) -> Any:
        boards, infos = self.env.reset(seed=[seed + 10**6, seed, seed + 2 * 10**6])
        self._mask = infos["action_mask"][1].copy()
        return boards[1].copy()

    def mask(self) -> Any:
        return self._mask

    def step(self, action: int) -> Step:
        actions = self.env.unwrapped.sample_actions()
        actions[1] = action
        boards, rewards, terminated, truncated, infos = self.env.step(actions)
        over = bool(terminated[1])
        board = infos["final_obs"][1] if over else boards[1].copy()
        self._mask = infos["action_mask"][1].copy()
        return Step(board, float(rewards[1]), over, self._mask, bool(truncated[1]))

    def set_board(self, board: Any) -> None:
        cells = np.broadcast_to(np.asarray(board, dtype=np.uint8), (3, 4, 4))
        _, infos = self.env.reset(options={"board": cells})
        self._mask = infos["action_mask"][1].copy()


class Gym2048:
    """gym-2048: the interface of the old gym, boards of tile values."""

    def __init__(self) -> None:
        module: Any = import_module("gym_2048")
        self.env = module.Base2048Env()
        self.name = "gym-2048"
        self.versions = versions("gym-2048", "gym", "numpy")

    def reset(self, seed: int) -> Any:
        self.env.seed(seed)
        return decode(self.env.reset(), "values")

    def step(self, action: int) -> Step:
        board, reward, done, _ = self.env.step(action)
        return Step(decode(board, "values"), float(reward), bool(done))

    def set_board(self, board: Any) -> None:
        self.env.board = np.where(board > 0, 2 ** np.asarray(board, dtype=np.int64), 0)


class Jumanji:
    """Jumanji's Game2048: JAX, exponents, a mask."""

    def __init__(self) -> None:
        self.jax: Any = import_module("jax")
        jumanji: Any = import_module("jumanji")
        self.env = jumanji.make("Game2048-v1")
        self._reset = self.jax.jit(self.env.reset)
        self._step = self.jax.jit(self.env.step)
        self._allowed = self.jax.jit(self.env._get_action_mask)
        self.name = "jumanji Game2048-v1"
        self.versions = versions("jumanji", "jax", "numpy")
        self.documented = {"two start tiles": "its documentation describes one random start tile"}
        self.state: Any = None

    def reset(self, seed: int) -> Any:
        self.state, timestep = self._reset(self.jax.random.PRNGKey(seed))
        return np.array(timestep.observation.board)

    def mask(self) -> Any:
        return np.array(self.state.action_mask)

    def step(self, action: int) -> Step:
        self.state, timestep = self._step(self.state, action)
        seen = timestep.observation
        return Step(
            np.array(seen.board), float(timestep.reward), bool(timestep.last()), np.array(seen.action_mask)
        )

    def set_board(self, board: Any) -> None:
        cells = self.jax.numpy.asarray(board, dtype=self.state.board.dtype)
        self.state = self.state.replace(board=cells, action_mask=self._allowed(cells))


class Pgx:
    """pgx's 2048: JAX, booleans of shape (4, 4, 31), a mask."""

    def __init__(self) -> None:
        self.jax: Any = import_module("jax")
        pgx: Any = import_module("pgx")
        self.env = pgx.make("2048")
        self._init = self.jax.jit(self.env.init)
        self._step = self.jax.jit(self.env.step)
        self._allowed = self.jax.jit(import_module("pgx.play2048")._legal_action_mask)
        self._split = self.jax.jit(self.jax.random.split)
        self.name = "pgx 2048"
        self.versions = versions("pgx", "jax", "numpy")
        self.state: Any = None
        self.key: Any = None

    def reset(self, seed: int) -> Any:
        self.key, key = self._split(self.jax.random.PRNGKey(seed))
        self.state = self._init(key)
        return decode(self.state.observation, "one-hot")

    def mask(self) -> Any:
        return np.array(self.state.legal_action_mask)

    def step(self, action: int) -> Step:
        self.key, key = self._split(self.key)
        self.state = self._step(self.state, action, key)
        board = decode(self.state.observation, "one-hot")
        return Step(board, float(self.state.rewards[0]), bool(self.state.terminated), self.mask())

    def set_board(self, board: Any) -> None:
        cells = self.jax.numpy.asarray(board, dtype=self.state._board.dtype)
        mask = self._allowed(cells)
        self.state = self.state.replace(_board=cells.ravel(), legal_action_mask=mask)


class OpenSpiel:
    """OpenSpiel's 2048: tile values, explicit chance nodes, which the adapter draws from as they say."""

    def __init__(self, max_tile: int | None = None) -> None:
        pyspiel: Any = import_module("pyspiel")
        self.game = pyspiel.load_game("2048", {} if max_tile is None else {"max_tile": max_tile})
        self.name = "OpenSpiel 2048" + ("" if max_tile is None else f" max_tile={max_tile}")
        self.versions = versions("open_spiel", "numpy")
        self.random = random.Random(0)
        self.state: Any = None

    def _settle(self) -> None:
        """Draws at chance nodes until the player is to move."""
        while not self.state.is_terminal() and self.state.is_chance_node():
            outcomes, chances = zip(*self.state.chance_outcomes())
            self.state.apply_action(self.random.choices(outcomes, chances)[0])

    def _board(self) -> Any:
        return values_to_exponents(self.state.observation_tensor(0)).reshape(4, 4)

    def reset(self, seed: int) -> Any:
        self.random.seed(seed)
        self.state = self.game.new_initial_state()
        self._settle()
        return self._board()

    def mask(self) -> Any:
        allowed = self.state.legal_actions()
        return np.array([action in allowed for action in range(4)])

    def step(self, action: int) -> Step:
        self.state.apply_action(action)
        reward = self.state.rewards()[0]
        self._settle()
        over = self.state.is_terminal()
        return Step(self._board(), float(reward), over, None if over else self.mask())


def registered(identifier: str) -> Environment:
    """Any environment registered with Gymnasium; "package:id" imports the package first."""
    gymnasium: Any = import_module("gymnasium")
    return GymnasiumAdapter(gymnasium.make(identifier), versions=versions("gymnasium", "numpy"))


NAMES: dict[str, Callable[[], Environment]] = {
    "tilebase": tilebase,
    "tilebase-vector": TilebaseVector,
    "gymnasium-2048": gymnasium_2048,
    "gymnasium-2048-18": lambda: gymnasium_2048(max_pow=18),
    "gym-2048": Gym2048,
    "jumanji": Jumanji,
    "pgx": Pgx,
    "open_spiel": OpenSpiel,
    "open_spiel-on": lambda: OpenSpiel(262144),
}


def make(name: str) -> Environment:
    """The adapter of a named environment, of `gymnasium/ID` or of `g2048/PATH`, a checkout of PufferLib's g2048."""
    kind, _, rest = name.partition("/")
    if kind == "gymnasium" and rest:
        return registered(rest)
    if kind == "g2048" and rest:
        return PufferG2048(rest)
    if name not in NAMES:
        raise ValueError(f"no environment is called {name}; there are {', '.join(NAMES)}, gymnasium/ID, g2048/PATH")
    return NAMES[name]()
