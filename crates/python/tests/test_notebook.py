"""The notebook runs, learns, and says what its text says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

nbformat: Any = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient: Any = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")
pytest.importorskip("matplotlib", reason="matplotlib is not installed")
pytest.importorskip("gymnasium", reason="gymnasium is not installed")

NOTEBOOK = Path(__file__).parents[3] / "docs/notebooks/learning-3x3.ipynb"


def printed(notebook: Any) -> str:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return "".join(output.text for output in outputs if output.output_type == "stream")


def curve(text: str) -> list[tuple[float, float]]:
    """Score and regret at each checkpoint."""
    found = re.findall(r"steps: mean score +([\d.]+), .* regret ([\d.]+)", text)
    return [(float(score), float(regret)) for score, regret in found]


def test_learning_3x3() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    stored = curve(printed(notebook))
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    found = curve(printed(notebook))
    assert len(found) == len(stored) == 11
    # The same seeds: the same up to rounding, where another processor may add up in another order.
    assert [score for score, _ in found[:4]] == pytest.approx([score for score, _ in stored[:4]], rel=0.05)
    scores, regrets = zip(*found, strict=True)
    assert regrets[0] > 0.99 and regrets[-1] < 0.02
    # "98 % of what it will ever be", "one win in eleven".
    assert scores[6] > 0.97 * max(scores) and 0.06 < regrets[6] < 0.13
