"""python -m tilebase.conformance NAME"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from . import check
from .environments import NAMES, make


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tilebase.conformance",
        description="Checks whether an environment plays 2048 by the rules. Exit status 1 if a check failed.",
    )
    parser.add_argument("name", metavar="NAME", help=f"one of {', '.join(NAMES)}, gymnasium/ID, g2048/PATH")
    parser.add_argument("--steps", type=int, default=20_000, help="random legal slides (default 20000)")
    parser.add_argument("--games", type=int, default=2_000, help="starts (default 2000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    try:
        env = make(options.name)
    except ImportError as error:
        print(f"error: {options.name} cannot be imported here: {error}", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if min(options.steps, options.games) < 1:
        print("error: --steps and --games must be at least 1", file=sys.stderr)
        return 2

    def tell(text: str) -> None:
        if sys.stderr.isatty():
            print(f"{options.name}: {text}", file=sys.stderr)

    report = check(
        env,
        steps=options.steps,
        games=options.games,
        seed=options.seed,
        tell=tell,
    )
    print(json.dumps(report.to_dict(), indent=2) if options.json else report)
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
