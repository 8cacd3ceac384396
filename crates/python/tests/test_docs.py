"""Every Python example of the guide runs, in order, and prints what it says."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ("README.md", "docs/python.md", "crates/python/README.md")
BLOCK = re.compile(r"^```(python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IMPORT = re.compile(r"^(?:import|from) (\w+)", re.MULTILINE)
#: What an example may need without the test failing where it is missing.
OPTIONAL = ("torch", "polars", "pandas")


def missing(source: str) -> list[str]:
    names = IMPORT.findall(source)
    return [name for name in names if name in OPTIONAL and importlib.util.find_spec(name) is None]


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str) -> None:
    pytest.importorskip("gymnasium", reason="gymnasium is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    text = (ROOT / page).read_text()
    namespace: dict[str, Any] = {"__name__": "example"}
    found = list(BLOCK.finditer(text))
    assert found
    for block in found:
        kind, source = block.groups()
        line = text.count("\n", 0, block.start()) + 1
        if missing(source):
            continue
        if kind == "python":
            exec(compile("\n" * line + source, page, "exec"), namespace)
        else:
            run_console(source, namespace, page, line)


def run_console(source: str, namespace: dict[str, Any], page: str, line: int) -> None:
    example = doctest.DocTestParser().get_doctest(source, namespace, page, page, line)
    printed: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    result = runner.run(example, out=printed.append, clear_globs=False)
    # The test works on a copy of the names.
    namespace.update(example.globs)
    assert result.failed == 0, "".join(printed)
