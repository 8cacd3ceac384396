"""Chooses the compiled module that suits this processor.

A wheel has two: one for every x86-64 processor, and one for those with AVX2, which is faster. The
environment variable ``TILEBASE_BASELINE`` asks for the first.
"""

import os

from tilebase._baseline import _native as _module  # pyright: ignore[reportAttributeAccessIssue]

if _module.has_avx2() and not os.environ.get("TILEBASE_BASELINE"):
    try:
        from tilebase._avx2 import _native as _module  # type: ignore[no-redef,import-not-found]
    except ImportError:
        # Built for this machine alone: there is only one.
        pass

ask = _module.ask
has_avx2 = _module.has_avx2
load_network = _module.load_network
play = _module.play
send = _module.send
solve_gpu = _module.solve_gpu
version = _module.version
Games = _module.Games
Network = _module.Network
Rules = _module.Rules
Search = _module.Search
Table = _module.Table
#: Where the compiled module is.
path: str = _module.__file__
