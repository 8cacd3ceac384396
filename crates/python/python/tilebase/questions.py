"""The HTTP API without a server: the same questions, the same JSON."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

from tilebase import _native


def ask(path: str, body: Any = None, **parameters: Any) -> Any:
    """Answers a question of the API, such as ``GET /api/v1/position``. docs/api.md lists them all. Those
    that are POSTed take a `body`, which is sent as JSON.

    >>> answer = ask("position", variant="2x2-to-16", board="2,2/.,4")
    >>> answer["source"], answer["status"]
    ('exact', 'live')
    """
    from tilebase.players import Network

    if path in ("position", "positions", "advice", "line", "verdicts"):
        Network.lend_to_service()
    if body is not None:
        return json.loads(_native.send(path, json.dumps(body)))
    query = urlencode({name: value for name, value in parameters.items() if value is not None})
    return json.loads(_native.ask(path, query))
