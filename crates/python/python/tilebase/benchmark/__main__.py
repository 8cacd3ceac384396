"""python -m tilebase.benchmark policy.py"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from . import EXACT_GAMES, GAMES, PROTOCOL, PolicyError, Result, ResultError, run, verify


class Parser(argparse.ArgumentParser):
    """Errors in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {message}\n")


class Progress:
    """A line on a terminal that is written over, four times a second."""

    def __init__(self) -> None:
        self._shown = 0.0
        self._on = sys.stderr.isatty()

    def __call__(self, text: str) -> None:
        now = time.monotonic()
        if self._on and now - self._shown >= 0.25:
            self._shown = now
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Takes the line away."""
        if self._on and self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def parser() -> Parser:
    """The options of the command."""
    parser = Parser(
        prog="python -m tilebase.benchmark",
        description=f"Measures a policy by the protocol {PROTOCOL}, or verifies a result.",
        epilog="Exit status: 1 if a result is not what it claims, 2 for a wrong request or policy.",
    )
    parser.add_argument("policy", nargs="?", type=Path, metavar="POLICY.PY",
                        help="defines policy(boards) or policy(boards, rules), or make_policy(rules)")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help=f"games of 4x4 (default {GAMES:,})")
    parser.add_argument("--exact", default=",".join(EXACT_GAMES), metavar="GAMES",
                        help="exact games, separated by commas, or none (default: all, %(default)s)")
    parser.add_argument("--symmetric", action="store_true",
                        help="exact part: ask about one board of each class of images, faster")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the result file")
    parser.add_argument("--json", action="store_true", help="print JSON: the result file, or the verdict")
    parser.add_argument("--verify", type=Path, metavar="RESULT.JSON",
                        help="check a result: replay its games, and with a policy play them again")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns its exit status."""
    options = parser().parse_args(arguments)
    progress = Progress()
    try:
        return _work(options, progress)
    except (PolicyError, ResultError, ValueError, MemoryError) as error:
        progress.clear()
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        progress.clear()
        print("interrupted", file=sys.stderr)
        return 130


def _work(options: argparse.Namespace, progress: Progress) -> int:
    if options.verify is not None:
        verdict = verify(Result.read(options.verify), options.policy, progress)
        progress.clear()
        answer = {"ok": verdict.ok, "checked": verdict.checked, "wrong": verdict.wrong}
        print(json.dumps(answer, indent=1) if options.json else verdict)
        return 0 if verdict.ok else 1
    if options.policy is None:
        raise ValueError("no policy: give a Python file, or --verify with a result")
    if options.out is not None and not options.out.resolve().parent.is_dir():
        raise ValueError(f"there is no directory {options.out.parent}")
    names = [] if options.exact == "none" else options.exact.split(",")
    result = run(options.policy, count=options.games, exact_games=names, symmetric=options.symmetric, tell=progress)
    progress.clear()
    print(result.to_json() if options.json else result)
    if options.out is not None:
        result.write(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
