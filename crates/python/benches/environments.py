"""Steps per second of environments of 2048, side by side on one core.

    python environments.py
    python environments.py --python pgx=PATH/bin/python --python jumanji=PATH/bin/python --rounds 5
    python environments.py --g2048 PATH/ocean/g2048/g2048.h

What is not installed is left out. Each environment runs in a process of its own, with the interpreter given for it;
all are set up first and then take turns, so that they share whatever else the machine does. A step is one action of
one game, with its observation and its mask of legal actions if the environment has one. Actions are random: legal ones
where there is a mask, any where there is none.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

GAMES = 1024
SCAN = 32
"""Steps in one call of the JAX environments, compiled together with the random player."""

Run = Callable[[], int]
"""Takes some steps and tells how many."""


def tilebase_vector() -> Run:
    """Vector environment, random legal actions from its own sampler."""
    import_module("tilebase")
    env: Any = import_module("gymnasium").make_vec("tilebase/2048-v0", num_envs=GAMES)
    env.reset(seed=1)
    sample = env.unwrapped.sample_actions

    def run() -> int:
        for _ in range(20):
            env.step(sample())
        return 20 * GAMES

    return run


def tilebase_single() -> Run:
    """One game, `gymnasium.make`, random legal actions."""
    import_module("tilebase")
    env = import_module("gymnasium").make("tilebase/2048-v0")
    dice = random.Random(1)
    _, start = env.reset(seed=1)
    state = {"info": start}

    def run() -> int:
        info = state["info"]
        for _ in range(500):
            mask = info["action_mask"]
            _, _, terminated, _, info = env.step(dice.choice([a for a in range(4) if mask[a]]))
            if terminated:
                _, info = env.reset()
        state["info"] = info
        return 500

    return run


def gymnasium_2048() -> Run:
    """One game, `gymnasium.make`, any actions (there is no mask)."""
    import_module("gymnasium_2048")
    env = import_module("gymnasium").make("gymnasium_2048/TwentyFortyEight-v0", disable_env_checker=True)
    dice = random.Random(1)
    env.reset(seed=1)

    def run() -> int:
        for _ in range(500):
            if env.step(dice.randrange(4))[2]:
                env.reset()
        return 500

    return run


def gymnasium_2048_vector() -> Run:
    """64 games, Gymnasium's SyncVectorEnv, any actions."""
    import_module("gymnasium_2048")
    env = import_module("gymnasium").make_vec(
        "gymnasium_2048/TwentyFortyEight-v0", num_envs=64, vectorization_mode="sync"
    )
    env.reset(seed=1)
    env.action_space.seed(1)

    def run() -> int:
        for _ in range(10):
            env.step(env.action_space.sample())
        return 640

    return run


def gym_2048() -> Run:
    """One game, any actions."""
    env = import_module("gym_2048").Base2048Env()
    dice = random.Random(1)
    env.seed(1)
    env.reset()

    def run() -> int:
        for _ in range(500):
            if env.step(dice.randrange(4))[2]:
                env.reset()
        return 500

    return run


def pgx() -> Run:
    """1,024 games, jit, vmap and scan, new games at once, random legal actions."""
    jax: Any = import_module("jax")
    env = import_module("pgx").make("2048")
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def one(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choose, fall = jax.random.split(key, 3)
        scores = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(choose, scores)
        return (step(state, actions, jax.random.split(fall, GAMES)), key), None

    many = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=SCAN)[0])
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), GAMES))
    state = {"carry": (start, jax.random.PRNGKey(2))}

    def run() -> int:
        state["carry"] = jax.block_until_ready(many(state["carry"]))
        return SCAN * GAMES

    return run


def jumanji() -> Run:
    """1,024 games, jit, vmap and scan, new games at once, random legal actions."""
    jax: Any = import_module("jax")
    wrappers: Any = import_module("jumanji.wrappers")
    env = wrappers.VmapWrapper(wrappers.AutoResetWrapper(import_module("jumanji").make("Game2048-v1")))

    def one(carry: Any, _: Any) -> Any:
        state, seen, key = carry
        key, choose = jax.random.split(key)
        scores = jax.numpy.where(seen.observation.action_mask, 0.0, -jax.numpy.inf)
        state, seen = env.step(state, jax.random.categorical(choose, scores))
        return (state, seen, key), None

    many = jax.jit(lambda carry: jax.lax.scan(one, carry, None, length=SCAN)[0])
    start, seen = jax.jit(env.reset)(jax.random.split(jax.random.PRNGKey(1), GAMES))
    # One step first: what a step returns has other types than what a reset does.
    start, seen = jax.jit(env.step)(start, jax.numpy.zeros(GAMES, dtype=jax.numpy.int32))
    state = {"carry": (start, seen, jax.random.PRNGKey(2))}

    def run() -> int:
        state["carry"] = jax.block_until_ready(many(state["carry"]))
        return SCAN * GAMES

    return run


def open_spiel() -> Run:
    """One game, random legal actions, chance drawn as its nodes say."""
    game = import_module("pyspiel").load_game("2048", {"max_tile": 262144})
    dice = random.Random(1)
    state = {"now": game.new_initial_state()}

    def run() -> int:
        now = state["now"]
        steps = 0
        while steps < 500:
            if now.is_terminal():
                now = game.new_initial_state()
            elif now.is_chance_node():
                outcomes, chances = zip(*now.chance_outcomes())
                now.apply_action(dice.choices(outcomes, chances)[0])
            else:
                now.observation_tensor(0)
                now.apply_action(dice.choice(now.legal_actions()))
                steps += 1
        state["now"] = now
        return steps

    return run


def g2048(header: str) -> Run:
    """PufferLib's C code: 1,024 games in a C loop as its binding has it, any actions."""
    import ctypes
    import tempfile

    puffer: Any = import_module("tilebase.conformance.puffer")
    loop = """
static Game games[1024];
static unsigned char all_seen[1024][512];
static __typeof__(*game.actions) all_actions[1024];
static __typeof__(*game.rewards) all_rewards[1024];
static __typeof__(*game.terminals) all_terminals[1024];
void bench_reset(void) {
    for (int i = 0; i < 1024; i++) {
        games[i].observations = all_seen[i];
        games[i].actions = &all_actions[i];
        games[i].rewards = &all_rewards[i];
        games[i].terminals = &all_terminals[i];
#ifdef HAS_RNG
        games[i].rng = i + 1;
#endif
        c_reset(&games[i]);
    }
}
void bench_step(const unsigned char *chosen) {
    for (int i = 0; i < 1024; i++) {
        all_actions[i] = chosen[i];
        c_step(&games[i]);
    }
}
"""
    np: Any = import_module("numpy")
    folder = tempfile.TemporaryDirectory()
    library: Any = ctypes.CDLL(str(puffer.build(header, Path(folder.name), loop)))
    library.bench_reset()
    dice = np.random.default_rng(1)

    def run() -> int:
        for _ in range(20):
            actions = dice.integers(4, size=GAMES, dtype=np.uint8)
            library.bench_step(actions.ctypes.data_as(ctypes.c_void_p))
        return 20 * GAMES

    return run


@dataclass(frozen=True)
class Subject:
    """One environment: how it is set up, and the package whose version counts."""

    make: Callable[[], Run]
    package: str
    games: int


SUBJECTS: dict[str, Subject] = {
    "tilebase-vector": Subject(tilebase_vector, "tilebase", GAMES),
    "tilebase": Subject(tilebase_single, "tilebase", 1),
    "pgx": Subject(pgx, "pgx", GAMES),
    "jumanji": Subject(jumanji, "jumanji", GAMES),
    "gymnasium-2048": Subject(gymnasium_2048, "gymnasium-2048", 1),
    "gymnasium-2048-vector": Subject(gymnasium_2048_vector, "gymnasium-2048", 64),
    "gym-2048": Subject(gym_2048, "gym-2048", 1),
    "open_spiel": Subject(open_spiel, "open_spiel", 1),
}


def version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return str(getattr(import_module(package), "__version__", "?"))


def worker(name: str, header: str | None, seconds: float) -> None:
    """Sets up one environment, then measures once for each line on the input."""
    try:
        if header is not None:
            run, number = g2048(header), "source"
        else:
            run, number = SUBJECTS[name].make(), version(SUBJECTS[name].package)
        for _ in range(3):
            run()
    except (ImportError, OSError, ValueError) as error:
        print(json.dumps({"missing": str(error)}), flush=True)
        return
    print(json.dumps({"version": number}), flush=True)
    for _ in sys.stdin:
        steps = 0
        began = time.perf_counter()
        while (spent := time.perf_counter() - began) < seconds:
            steps += run()
        print(json.dumps({"rate": steps / spent}), flush=True)


def begin(name: str, options: argparse.Namespace, interpreters: dict[str, str]) -> subprocess.Popen[str]:
    command = [interpreters.get(name, sys.executable), "-W", "ignore", __file__, "--worker", name]
    command += ["--seconds", str(options.seconds)]
    if name == "g2048":
        command += ["--g2048", options.g2048]
    environment = {
        **os.environ,
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
        "JAX_PLATFORMS": "cpu",
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    )


def answer(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        return {"missing": "the process ended"}
    found: dict[str, Any] = json.loads(line)
    return found


def measure(options: argparse.Namespace, interpreters: dict[str, str]) -> list[tuple[str, str, str, int, list[float]]]:
    """Name, version, description, games, and a rate for each round."""
    names = options.only or [*SUBJECTS, *(["g2048"] if options.g2048 else [])]
    running: dict[str, tuple[subprocess.Popen[str], str]] = {}
    for name in names:
        process = begin(name, options, interpreters)
        ready = answer(process)
        if "missing" in ready:
            print(f"{name}: left out ({ready['missing']})", file=sys.stderr)
            process.wait()
        else:
            running[name] = process, ready["version"]
    rates: dict[str, list[float]] = {name: [] for name in running}
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr)
        for name, (process, _) in running.items():
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
            rates[name].append(answer(process)["rate"])
    for process, _ in running.values():
        process.communicate()
    out = []
    for name, (_, number_of) in running.items():
        subject = SUBJECTS.get(name)
        text = (subject.make if subject else g2048).__doc__ or ""
        out.append((name, number_of, text.rstrip("."), subject.games if subject else GAMES, rates[name]))
    return out


def main() -> int:
    parser = argparse.ArgumentParser(description="Steps per second of environments of 2048 on one core.")
    parser.add_argument("--python", action="append", default=[], metavar="NAME=PATH", help="an interpreter for one")
    parser.add_argument("--only", nargs="+", choices=[*SUBJECTS, "g2048"], help="these environments")
    parser.add_argument("--g2048", metavar="PATH", help="g2048.h of a checkout of PufferLib")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of each measurement (default 2)")
    parser.add_argument("--cpu", type=int, help="the core to run on (default: the last one)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--worker", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.worker, options.g2048, options.seconds)
        return 0
    interpreters = dict(pair.partition("=")[::2] for pair in options.python)
    unknown = sorted(set(interpreters) - {*SUBJECTS, "g2048"})
    if unknown:
        parser.error(f"no environment is called {unknown[0]}: use one of {', '.join(SUBJECTS)}")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0)) if options.cpu is None else options.cpu})
    rows = measure(options, interpreters)
    if options.json:
        keys = ("name", "version", "how", "games", "rates")
        print(json.dumps([dict(zip(keys, row)) for row in rows], indent=2))
        return 0
    print("| environment | version | how | games | steps/s | lowest to highest |\n|---|---|---|---:|---:|---|")
    for name, number, text, games, rates in sorted(rows, key=lambda row: -statistics.median(row[4])):
        spread = f"{min(rates):,.0f} to {max(rates):,.0f}"
        print(f"| {name} | {number} | {text} | {games:,} | {statistics.median(rates):,.0f} | {spread} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
