"""The HTTP API without a server: the same questions, the same JSON."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from tilebase import _native


def ask(path: str, **parameters: Any) -> dict[str, Any]:
    """Answers a question of the API, such as ``GET /api/v1/position``. docs/api.md lists them all.

    >>> answer = ask("position", variant="2x2-to-16", board="2,2/.,4")
    >>> answer["source"], answer["status"]
    ('exact', 'live')
    """
    from tilebase.players import Network

    if path in ("position", "advice", "line", "review"):
        Network.lend_to_service()
    query = urlencode({name: value for name, value in parameters.items() if value is not None})
    answer: dict[str, Any] = json.loads(_native.ask(path, query))
    return answer
