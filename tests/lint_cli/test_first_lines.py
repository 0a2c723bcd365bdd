"""The first line of a finding, what stands below it, and findings that have one cause."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fedcheck.lint.engine.engine import Target, check
from fedcheck.lint.engine.findings import HEADLINE, headline
from fedcheck.lint.rule import PREAMBLE, Rule
from fedcheck.lint.rules import own_rules
from fedcheck.lint.sdk.releases import versions
from fedcheck.reports.lint.findings import Finding, Span
from fedcheck.reports.lint.shared import below, one_per_cause

PRIVATE = """
@ext.panel("p")
async def p(ctx):
    ctx.fact_ledger
    a = ext._secrets
    b = ext._secrets  # fedcheck: ignore[FED110] we know
    return a, b, ext._secrets
"""


@pytest.mark.parametrize("rule", own_rules(), ids=lambda rule: rule.code)
def test_a_first_line_is_short(tmp_path: Path, rule: Rule) -> None:
    """And whole: no rule relies on its being cut."""
    long: list[str] = []
    for number, example in enumerate(rule.bad):
        folder = tmp_path / str(number)
        own = "from imperal_sdk" in example.code
        text = example.code if own else PREAMBLE + example.code
        for name, content in {"main.py": text, **example.files}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, "utf-8")
        found = check(
            [folder], Target(sdk=example.sdk or versions()[-1]), codes=frozenset({rule.code})
        ).findings
        long += [it.message for it in found if len(it.message) > HEADLINE or it.message[-1] == "…"]
    assert [] == long


def test_what_is_cut_stands_below() -> None:
    """A long first line of somebody's rule ends between words."""
    text = "word " * 30
    assert headline(text) == f"{'word ' * 18}word…"
    assert headline(f"{text}: it raises") == f"{'word ' * 16}word…: it raises"
    assert headline("short\nmore") == "short"


def test_one_cause_is_one_finding(lint_here: Callable[..., Any], tmp_path: Path) -> None:
    """Its other lines are named; an ignored one is not among them, and errors come first."""
    (tmp_path / "main.py").write_text(PREAMBLE + PRIVATE)
    done = lint_here(str(tmp_path), "--select", "FED101,FED110", "--format", "json")
    first, second = json.loads(done.out)
    lines = (PREAMBLE + PRIVATE).split("\n")
    assert ["FED101", "FED110"] == [first["code"], second["code"]]
    assert [lines.index("    return a, b, ext._secrets") + 1] == [
        span["line"] for span in second["also"]
    ]
    told = lint_here(str(tmp_path), "--select", "FED101,FED110").out
    assert told.index("error FED101") < told.index("warning FED110")
    assert "The same in line" in told
    assert "2 findings have no automatic fix." in told


def test_the_worst_of_a_cause_is_told() -> None:
    """Findings of other files and other causes are left alone."""

    def found(line: int, severity: str, cause: str, path: str = "main.py") -> Finding:
        span = Span(line=line, column=1, end_line=line, end_column=2)
        return Finding(
            path=path,
            span=span,
            code="FED105",
            rule="r",
            severity=severity,
            message="m",
            cause=cause,
        )

    several = [
        found(1, "info", "a"), found(2, "error", "a"), found(3, "info", ""), found(4, "info", ""),
        found(5, "info", "a", "b.py"),
    ]  # fmt: skip
    left = one_per_cause(several)
    assert [2, 3, 4, 5] == [it.span.line for it in left]
    assert ["The same in line 1."] == below(left[0])
