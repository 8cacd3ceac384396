"""2048 and its relatives for learning: rules, fast environments, exact values, search.

>>> import tilebase
>>> table = tilebase.solve("2x2", to=16)
>>> round(table.start_value, 6)
0.962511
>>> table.q_values("4,2/.,2").shape
(4,)

Environments are registered with Gymnasium if it is installed: ``gymnasium.make("tilebase/2048-v0")``.
docs/python.md is the guide.
"""

from __future__ import annotations

from typing import Any

from tilebase import _native
from tilebase.players import Advice, Network, advise, play
from tilebase.questions import ask
from tilebase.rules import Action, Chance, Rules, Slides, Status
from tilebase.tables import Evaluation, GpuSolution, Table, open_table, solve, solve_on_gpu

__version__: str = _native.version()

__all__ = [
    "Action",
    "Advice",
    "Chance",
    "Evaluation",
    "GpuSolution",
    "Network",
    "Rules",
    "Slides",
    "Status",
    "Table",
    "__version__",
    "advise",
    "ask",
    "open_table",
    "play",
    "solve",
    "solve_on_gpu",
]

try:
    from tilebase import envs
except ImportError as error:
    # Without Gymnasium, or with one that is too old, everything else works.
    _why = str(error)

    def __getattr__(name: str) -> Any:
        if name == "envs":
            raise ImportError(f"tilebase.envs needs gymnasium 1.1 or later: {_why}")
        raise AttributeError(f"module 'tilebase' has no attribute {name!r}")

else:
    envs.register()
    __all__.append("envs")
