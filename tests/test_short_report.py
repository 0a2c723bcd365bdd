"""What a run says in few words: one line for each failure, or only what it comes to."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from rich.console import Console

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.text import render_short
from fedcheck.reports.record.reader import read_record
from fedcheck.reports.record.sample import sample_clause, sample_record

Fedcheck = Callable[..., subprocess.CompletedProcess[str]]


def test_each_failure_is_one_line() -> None:
    """With its kind, what was expected and got; a clause that was not judged tells why."""
    output = StringIO()
    render_short(sample_record(), Console(file=output, width=80, color_system=None))
    lines = output.getvalue().splitlines()
    (failure,) = (line for line in lines if line.startswith("FAIL "))

    assert "C-SAMPLE/fail: unsafe key stored: expected the key is refused, got accepted" in failure
    assert any(line.startswith("CRASH C-SAMPLE/crash: ") for line in lines)
    assert not any("pass" in line for line in lines[:-2])


def test_few_words_on_the_command_line(fedcheck: Fedcheck, tmp_path: Path) -> None:
    """They are no settings of the run: the record is read as one that nobody changed."""
    words = (
        "--kernel",
        "mutant:key-unchecked",
        "--select",
        "I-CACHE-KEY-SAFETY",
        "--examples",
        "0",
    )
    record = tmp_path / "r.ndjson"
    quiet = fedcheck("run", "-xq", *words, "--record", str(record), cwd=tmp_path)
    short = fedcheck("run", "--short", *words, cwd=tmp_path)

    assert (1, "") == (quiet.returncode, quiet.stderr)
    assert "not conformant (exit code 1)" in quiet.stdout
    assert any(line.startswith("FAIL I-CACHE-KEY-SAFETY/") for line in quiet.stdout.splitlines())
    assert "seen to fail: I-CACHE-KEY-SAFETY/" in short.stderr
    assert any(line.startswith("FAIL I-CACHE-KEY-SAFETY/") for line in short.stdout.splitlines())
    assert True is read_record(record).header.configuration["fail_fast"].value
    assert "failures" == read_record(record).summary.ended


def test_a_reason_that_many_clauses_have_is_one_line() -> None:
    """A run that ended at its first failure leaves most of the catalog untried."""
    reason = "the run was stopped before its scenarios were done"
    clauses = [
        sample_clause(Verdict.NOT_EXERCISED, clause=f"C-SAMPLE/{n}", reason=reason)
        for n in range(40)
    ]
    output = StringIO()
    render_short(sample_record(clauses), Console(file=output, width=80, color_system=None))

    assert f"NOT EXERCISED 40 clauses: {reason}" in output.getvalue().splitlines()
