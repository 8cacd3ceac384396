"""A fixed protocol for policies, with results that others can verify.

    python -m tilebase.benchmark policy.py --out result.json
    python -m tilebase.benchmark --verify result.json

The protocol has two parts. `games`: seeded games of 4x4, the same tiles for everyone, every move recorded.
`exact`: the value of the policy in solved games and what it loses against optimal play, without any chance.
docs/python.md describes the protocol, the policy file and the result file.
"""

from __future__ import annotations

from .exact import EXACT_GAMES
from .games import FIRST_SEED, GAMES, VARIANT
from .policies import PolicyError, PolicyFile
from .results import PROTOCOL, Result, ResultError, run
from .verifying import verify

__all__ = [
    "EXACT_GAMES",
    "FIRST_SEED",
    "GAMES",
    "PROTOCOL",
    "VARIANT",
    "PolicyError",
    "PolicyFile",
    "Result",
    "ResultError",
    "run",
    "verify",
]
