"""What was found, as text and as JSON."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, field
from typing import Any, Literal

Verdict = Literal["pass", "fail", "differs", "not tested"]

MARKS: dict[Verdict, str] = {"pass": "ok", "fail": "FAIL", "differs": "differs", "not tested": "-"}


@dataclass(frozen=True)
class Finding:
    """One check: its verdict, one sentence of evidence, and the smallest example of what is wrong."""

    name: str
    verdict: Verdict
    evidence: str
    example: str | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"name": self.name, "verdict": self.verdict, "evidence": self.evidence}
        if self.example is not None:
            out["example"] = self.example
        return out


@dataclass
class Report:
    """All checks of one environment.

    A check fails where the rules of the game are broken. It differs where an environment makes a choice
    that can be named exactly, such as another scale of rewards, or that its documentation states.
    """

    environment: str
    versions: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    order: tuple[str, ...] | None = None
    transitions: int = 0
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """No check failed."""
        return all(finding.verdict != "fail" for finding in self.findings)

    @property
    def same(self) -> bool:
        """No check failed and none differs."""
        return all(finding.verdict in ("pass", "not tested") for finding in self.findings)

    def __getitem__(self, name: str) -> Finding:
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise KeyError(f"no check is called {name!r}")

    def count(self, verdict: Verdict) -> int:
        return sum(finding.verdict == verdict for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        return {
            "environment": self.environment,
            "versions": self.versions,
            "ok": self.ok,
            "same": self.same,
            "order": None if self.order is None else list(self.order),
            "transitions": self.transitions,
            "seconds": round(self.seconds, 2),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def __str__(self) -> str:
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        lines = [f"{self.environment} ({versions})" if versions else self.environment, ""]
        width = max((len(finding.name) for finding in self.findings), default=0)
        for finding in self.findings:
            head = f"{MARKS[finding.verdict]:8}{finding.name:{width}}  "
            indent = " " * len(head)
            lines += textwrap.wrap(finding.evidence, 110, initial_indent=head, subsequent_indent=indent)
            if finding.example is not None:
                lines.append(f"{indent}{finding.example}")
        counts = f"{self.count('pass')} passed, {self.count('fail')} failed, {self.count('differs')} differ, "
        counts += f"{self.count('not tested')} not tested; {self.transitions:,} slides in {self.seconds:.1f} s"
        return "\n".join([*lines, "", counts])
