"""The package as a whole: examples in docstrings, types, what it carries."""

from __future__ import annotations

import doctest
import importlib
import importlib.metadata
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import tilebase

MODULES = [
    module.name
    for module in pkgutil.walk_packages(tilebase.__path__, "tilebase.")
    if "_native" not in module.name and "__main__" not in module.name
]


@pytest.mark.parametrize("name", ["tilebase", *MODULES])
def test_examples_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


@pytest.mark.parametrize(
    "check",
    [["mypy", "--strict", "--no-error-summary", "-p", "tilebase"], ["mypy.stubtest", "tilebase._native"]],
)
def test_types_are_strict_and_the_stubs_are_true(check: list[str], tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", *check], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_public_names_have_docs() -> None:
    for name in tilebase.__all__:
        if not name.startswith("__"):
            assert (getattr(tilebase, name).__doc__ or "").strip(), name


def test_version_is_that_of_the_wheel() -> None:
    try:
        assert tilebase.__version__ == importlib.metadata.version("tilebase")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("not installed as a wheel")
