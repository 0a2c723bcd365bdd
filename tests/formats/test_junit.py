"""JUnit XML: valid against the official schema, red exactly when the run is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedcheck.invariants.vocabulary.verdict import Verdict, Violation
from fedcheck.reports.formats.junit import junit_xml
from fedcheck.reports.formats.junit_rich import junit_rich_xml
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import (
    sample_clause,
    sample_counterexample,
    sample_incident,
    sample_record,
)

from .records import RECORDS, hostile_record
from .schemas import official_schema, unavailable


@pytest.fixture(scope="module")
def xsd() -> Any:
    """Return the schema of the Jenkins xUnit plug-in, ready to validate."""
    path = official_schema("junit-10.xsd")
    try:
        from lxml import etree
    except ImportError:
        unavailable("lxml is not installed: pip install 'fedcheck[test]'")
    return etree.XMLSchema(etree.parse(str(path)))


def errors(xsd: Any, text: str) -> list[str]:
    """Return what the schema has to say against a document."""
    from lxml import etree

    xsd.validate(etree.fromstring(text.encode()))
    return [f"{error.line}: {error.message}" for error in xsd.error_log]


def parsed(record: RunRecord) -> ET.Element:
    """Return the report as a reader sees it, from its bytes."""
    return ET.fromstring("".join(junit_xml(record)).encode("utf-8"))  # noqa: S314  our own document


def outcomes(record: RunRecord) -> dict[str, str]:
    """Return what each test case shows: the name of its element, or ``passed``."""
    cases = parsed(record).iter("testcase")
    return {
        f"{case.get('classname')}/{case.get('name')}": case[0].tag if len(case) else "passed"
        for case in cases
    }


@pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
def test_the_official_schema_accepts_every_record(xsd: Any, record: RunRecord) -> None:
    """Whatever the record holds, Jenkins can read it."""
    assert [] == errors(xsd, "".join(junit_xml(record)))


def test_the_official_schema_is_really_asked(xsd: Any) -> None:
    """A document with an attribute that the schema does not know is refused."""
    text = "".join(junit_xml(sample_record())).replace("<testcase ", '<testcase file="x" ', 1)
    assert 1 == len(errors(xsd, text))


def test_every_verdict_has_its_place() -> None:
    """Broken is a failure, not judged an error, not claimed and waived are skipped."""
    expected = {
        "C-SAMPLE/pass": "passed",
        "C-SAMPLE/fail": "failure",
        "C-SAMPLE/flaky": "failure",
        "C-SAMPLE/timeout": "error",
        "C-SAMPLE/crash": "error",
        "C-SAMPLE/error": "error",
        "C-SAMPLE/not-exercised": "error",
        "C-SAMPLE/not-claimed": "skipped",
        "C-SAMPLE/waived": "skipped",
    }
    assert expected == outcomes(sample_record())


def test_a_suite_for_each_invariant_with_right_counts() -> None:
    """The numbers at suites and at the root are those of the cases below."""
    other = sample_clause(Verdict.FAIL, clause="C-OTHER/one", invariant="C-OTHER")
    record = sample_record([*sample_record().clauses, other])
    root = parsed(record)
    assert ["C-SAMPLE", "C-OTHER"] == [suite.get("name") for suite in root]
    for element in (root, *root):
        found = Counter(child.tag for case in element.iter("testcase") for child in case)
        assert str(len(list(element.iter("testcase")))) == element.get("tests")
        assert str(found["failure"]) == element.get("failures")
        assert str(found["error"]) == element.get("errors")


def test_a_failure_tells_the_difference_and_how_to_see_it_again() -> None:
    """The message is one line; the text has the conversation and the exact command."""
    root = parsed(sample_record())
    failure = next(root.iter("failure"))
    assert "fail: expected the key is refused, got accepted" == failure.get("message")
    text = failure.text or ""
    for part in (
        "Source: sample page, Limits",
        '> 1  u1/s1  cache.set "a\\n"',
        "Got:      accepted",
    ):
        assert part in text
    assert text.endswith("\n    fedcheck run --kernel sample --select C-SAMPLE/fail --seed 7")


def test_a_skipped_clause_gives_its_reason() -> None:
    """Not claimed and waived are never silent."""
    skipped = [e.get("message") for e in parsed(sample_record()).iter("skipped")]
    expected = ["not claimed: the kernel does not claim clock", "waived: W-7, until 2030-01-01"]
    assert expected == skipped


def test_a_broken_should_is_not_red_and_keeps_its_counterexample() -> None:
    """An advisory failure is shown as skipped, with what was seen."""
    example = sample_counterexample("C-SAMPLE/fail")
    advisory = sample_clause(Verdict.FAIL, examples=[example], level="SHOULD")
    record = sample_record([advisory, sample_clause(Verdict.PASS)], examples=[example])
    skipped = next(parsed(record).iter("skipped"))
    message = "advisory, SHOULD: fail: expected the key is refused, got accepted"
    assert message == skipped.get("message")
    assert "Got:      accepted" in (skipped.text or "")


def test_incidents_stand_beside_their_invariant() -> None:
    """What the kernel last said is in the suite; an incident of the whole run in its own."""
    incidents = [sample_incident(), sample_incident(invariant="", message="it did not start")]
    root = parsed(sample_record([sample_clause(Verdict.CRASH)], incidents=incidents))
    own, run = (suite.findtext("system-err") or "" for suite in root)
    assert own.startswith("CRASH while judging C-SAMPLE: the kernel's process ended")
    assert "\n    | Segmentation fault\n" in own
    assert run.startswith("CRASH: it did not start")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (
            sample_record([sample_clause(Verdict.PASS)], deviations={"window": (5, 20)}),
            "the kernel declares window = 20, the documents say 5",
        ),
        (
            sample_record([sample_clause(Verdict.PASS)], interrupted=True),
            "the run was interrupted before its end",
        ),
        (sample_record([]), "no required clause was exercised: the kernel was not judged"),
    ],
    ids=["deviation", "interrupted", "nothing"],
)
def test_what_is_wrong_with_the_whole_run_is_red(record: RunRecord, message: str) -> None:
    """A run that is red for no single clause has a test case of its own."""
    case = parsed(record).find("testsuite[@name='run']/testcase")
    assert case is not None
    assert [("error", message)] == [(child.tag, child.get("message")) for child in case]


@given(
    st.lists(st.tuples(st.sampled_from(Verdict), st.booleans(), st.booleans()), max_size=6),
    st.booleans(),
)
def test_red_exactly_when_the_exit_code_is_not_zero(
    drawn: list[tuple[Verdict, bool, bool]], deviates: bool
) -> None:
    """A gate on the JUnit file and a gate on the exit code agree."""
    clauses = [
        sample_clause(
            verdict,
            clause=f"C-SAMPLE/{number}",
            required=required,
            level="MUST" if must else "SHOULD",
        )
        for number, (verdict, required, must) in enumerate(drawn)
    ]
    record = sample_record(clauses, deviations={"window": (5, 20)} if deviates else {})
    root = parsed(record)
    red = int(root.get("failures", "")) + int(root.get("errors", ""))
    assert (record.summary.exit_code != 0) == (red > 0)


@given(st.text(st.characters()))
def test_any_text_survives_as_well_formed_xml(got: str) -> None:
    """No text of a kernel can break the document."""
    example = msgspec.structs.replace(
        sample_counterexample("C-SAMPLE/fail"),
        violation=Violation(kind="k", step=0, expected=got, got=got),
    )
    clause = sample_clause(Verdict.FAIL, examples=[example], reason=got)
    root = parsed(sample_record([clause], examples=[example]))
    assert 1 == len(list(root.iter("failure")))


def test_hostile_text_is_shown_as_text() -> None:
    """Markup is data, control characters are visible, nothing is lost."""
    root = parsed(hostile_record())
    assert [] == list(root.iter("script"))
    message = next(root.iter("failure")).get("message") or ""
    for part in (
        "]]> <script>alert(1)</script> & \" '",
        "\\x00",
        "\\x1b[31m",
        "\\ufffe",
        "\\ud800",
    ):
        assert part in message


@pytest.mark.parametrize("writer", [junit_xml, junit_rich_xml])
def test_other_readers_count_the_same(
    writer: Callable[[RunRecord], Iterator[str]], tmp_path: Path
) -> None:
    """A reader that is not ours sees the same numbers."""
    junitparser = pytest.importorskip("junitparser")
    path = tmp_path / "junit.xml"
    path.write_text("".join(writer(sample_record())), encoding="utf-8", newline="\n")
    read = junitparser.JUnitXml.fromfile(str(path))
    assert (9, 2, 4) == (read.tests, read.failures, read.errors)
