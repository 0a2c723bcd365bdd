"""Reports stay harmless and never cost a run, whatever a kernel says."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from fedcheck.invariants.vocabulary.scenario import Call, Environment, Probe, Scenario, Turn
from fedcheck.invariants.vocabulary.trace import (
    KernelDescription,
    ProbeOutcome,
    RaisedError,
    StepFailed,
    Trace,
)
from fedcheck.invariants.vocabulary.verdict import Verdict, Violation
from fedcheck.reports.console.escape import printable, printable_lines
from fedcheck.reports.console.safely import safely
from fedcheck.reports.formats import registry as formats
from fedcheck.reports.formats.text import render_summary, text_report
from fedcheck.reports.formats.writing import ReportRequest, write_reports
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import (
    KERNEL,
    failing_record,
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
)

from .console import on_console

HOSTILE = "\x1b]0;owned\x07 \x1b[2J [bold red]x[/] :boom: \u202e\u2066 \ud800 \x00\r\n\x85\u2028"
"""Terminal escapes, rich markup, emoji codes, bidirectional overrides, half a character."""


def hostile_record() -> RunRecord:
    """Return a record in which every text that is not ours is hostile."""
    scenario = Scenario(
        id=HOSTILE,
        title=HOSTILE,
        environment=Environment(flags={HOSTILE: HOSTILE}),
        steps=(
            Turn(
                message=HOSTILE,
                user=HOSTILE,
                session=HOSTILE,
                draft=HOSTILE,
                calls=(
                    Call(app=HOSTILE, function=HOSTILE, data_json=HOSTILE, summary=HOSTILE),
                    Call(status="error", error=HOSTILE),
                ),
            ),
            Probe(handler="tool", op="call", path=HOSTILE, args_json=HOSTILE),
        ),
    )
    error = RaisedError(name=HOSTILE, message=HOSTILE)
    events = (
        ProbeOutcome(step=1, outcome="raised", value_json=HOSTILE, error=error),
        StepFailed(step=1, message=HOSTILE),
    )
    example = msgspec.structs.replace(
        sample_counterexample("C-SAMPLE/fail"),
        kind=HOSTILE,
        violation=Violation(kind=HOSTILE, step=1, expected=HOSTILE, got=HOSTILE),
        scenario=scenario,
        trace=Trace(events=events, kernel=KERNEL),
        found_in=HOSTILE,
        command=HOSTILE,
    )
    texts = {"sentence": HOSTILE, "sources": (HOSTILE,), "reason": HOSTILE}
    return sample_record(
        [
            sample_clause(Verdict.FAIL, examples=[example], invariant=HOSTILE, **texts),
            sample_clause(Verdict.NOT_EXERCISED, missing_partitions=(HOSTILE,), **texts),
        ],
        examples=[example],
        incidents=[
            sample_incident(
                invariant=HOSTILE,
                scenario=scenario,
                message=HOSTILE,
                stderr_tail=HOSTILE * 3,
                command=HOSTILE,
            )
        ],
        kernel=KernelDescription(kernel=HOSTILE, version=HOSTILE),
        reference=HOSTILE,
        deviations={HOSTILE: (HOSTILE, HOSTILE)},
        excluded={HOSTILE: HOSTILE},
    )


def test_nothing_that_a_kernel_says_reaches_the_terminal_raw() -> None:
    """Escapes, controls and overrides are visible; markup and emoji codes stay text."""
    report = on_console(hostile_record(), width=100)
    raw = {character for character in report if not character.isprintable()} - {"\n"}
    assert set() == raw
    shown = "".join(report.split())
    for part in ("\\x1b]0;owned\\x07", "[boldred]x[/]", ":boom:", "\\u202e", "\\ud800", "\\x00"):
        assert part in shown


def test_hostile_text_gets_no_style() -> None:
    """On a terminal, rich markup in a kernel's text changes nothing but is shown."""
    report = on_console(hostile_record(), width=2000, force_terminal=True, color_system="standard")
    escapes = set(re.findall(r"\x1b[^m]*m", report))
    assert escapes == set(re.findall(r"\x1b\[[0-9;]*m", report))
    assert report.count("\x1b") == len(re.findall(r"\x1b\[[0-9;]*m", report))
    assert "[bold red]x[/]" in report


def test_a_console_without_unicode_shows_escapes_instead_of_failing_record() -> None:
    """An ASCII terminal gets every letter that it can show, and the rest by number."""
    raw = BytesIO()
    record = failing_record(violation=Violation(kind="k", step=0, expected="ядро", got="日本"))
    with TextIOWrapper(raw, encoding="ascii") as output:
        render_summary(record, Console(file=output, width=80))
        output.flush()
        shown = raw.getvalue()
    assert b"Expected: \\u044f\\u0434\\u0440\\u043e" in shown
    assert b"Got:      \\u65e5\\u672c" in shown


@given(st.text(st.characters()), st.integers(3, 50))
def test_printable_text_is_printable_and_bounded(text: str, limit: int) -> None:
    """Whatever the text, the result is one safe line, and says how much it left out."""
    shown = printable(text, limit=limit)
    assert shown.isprintable()
    assert not {"Cc", "Cf", "Cs", "Zl", "Zp"} & {unicodedata.category(c) for c in shown}
    assert (f"({len(text) - limit:,} more characters)" in shown) == (len(text) > limit)


@given(st.text(st.characters(categories=["L", "N", "P", "S"], max_codepoint=0x1FFF)))
def test_letters_of_all_scripts_stay(text: str) -> None:
    """Text that is plain to see is not touched."""
    assert text == printable(text, limit=None)


def test_long_text_loses_its_middle() -> None:
    """Head and tail stay, the number of characters left out is exact."""
    text = "h" * 100 + "m" * 2_800 + "t" * 100
    shown = printable(text, limit=150)
    assert "h" * 100 + " ...(2,850 more characters)... " + "t" * 50 == shown


def test_a_tail_of_lines_says_how_many_went_before() -> None:
    """Only the last lines of stderr are shown, carriage returns gone."""
    expected = ["...(2 more lines)...", "c", "d\\x1b"]
    assert expected == printable_lines("a\nb\r\nc\r\nd\x1b\n", lines=2)
    assert [] == printable_lines(" \n", lines=2)


def test_a_report_is_written_as_utf8(tmp_path: Path) -> None:
    """A writer that works returns no complaint."""
    path = tmp_path / "report.txt"
    assert [] == write_reports(failing_record(), [ReportRequest("text", path)])
    assert text_report(failing_record()) == path.read_text(encoding="utf-8")


def test_a_writer_that_fails_is_a_message_and_not_an_exception(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names file and cause; nothing half written is left, and the next is written."""
    working = formats.pieces

    def pieces(name: str, record: RunRecord, **others: Any) -> Iterator[bytes]:
        if name == "tap":
            raise RuntimeError(f"cannot render {record.header.run_id}\x1b[31m")
        return working(name, record, **others)

    monkeypatch.setattr(formats, "pieces", pieces)
    broken, good = tmp_path / "report.tap", tmp_path / "report.txt"
    wanted = [ReportRequest("tap", broken), ReportRequest("text", good)]
    (message,) = write_reports(failing_record(), wanted)
    assert (
        f"{broken} (tap) could not be written (RuntimeError: cannot render run-1\\x1b[31m)"
        in message
    )
    assert "the verdicts and the record are not affected" in message
    assert [good] == list(tmp_path.iterdir())


def test_a_folder_that_is_missing_is_a_message(tmp_path: Path) -> None:
    """So is anything else that the file system refuses."""
    path = tmp_path / "missing" / "r.txt"
    (message,) = write_reports(failing_record(), [ReportRequest("text", path)])
    assert "No such file or directory" in message


def test_ctrl_c_is_not_swallowed() -> None:
    """Only what a writer does wrong is caught."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        safely("the report", interrupted)
