"""What stands in the log of a CI system is never a command to it."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from rich.console import Console

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.console.escape import inert, printable_lines
from fedcheck.reports.formats.text import render_summary
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import (
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
)

COMMAND = "::error file=x::y ##[error]z ##vso[task.complete] ##teamcity[x] "


def commanding_record() -> RunRecord:
    """Return a record in which everything says commands, at every place of a line."""
    name = COMMAND * 9
    example = sample_counterexample(name, expected=name, got="a " * 20 + name)
    clause = sample_clause(
        Verdict.FAIL, examples=[example], clause=name, invariant=name, sentence=name, reason=name
    )
    incident = sample_incident(
        stderr_tail=f"{COMMAND}\n::add-mask::x\n", message=name, command=COMMAND
    )
    return sample_record([clause], examples=[example], incidents=[incident], reference=name)


@pytest.mark.parametrize("width", [*range(20, 60), 80, 200])
def test_no_line_of_the_summary_is_a_command(width: int) -> None:
    """However the lines are wrapped."""
    output = StringIO()
    render_summary(commanding_record(), Console(file=output, width=width))
    lines = output.getvalue().splitlines()
    assert [] == [line for line in lines if line.lstrip().startswith("::")]
    assert [] == [line for line in lines if re.search(r"##\w*\[", line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("::error::x", "\\::error::x"),
        ("  ::error::x", "  \\::error::x"),
        ("a ::error::x", "a ::error::x"),
        ("a ##[error]x", "a # #[error]x"),
        ("##vso[x]", "# #vso[x]"),
        ("## Heading", "## Heading"),
        ("", ""),
    ],
)
def test_a_command_becomes_text(line: str, expected: str) -> None:
    """It stays readable, and doing it twice changes nothing."""
    assert expected == inert(line)
    assert expected == inert(inert(line))


def test_last_words_of_a_kernel_are_inert() -> None:
    """They are printed line by line, in many places."""
    expected = ["\\::error::x", "  \\::stop-commands::y", "# #[group]z"]
    assert expected == printable_lines("::error::x\n  ::stop-commands::y\n##[group]z\n", lines=9)
