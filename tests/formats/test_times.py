"""The clauses of an invariant are judged on the same runs: no report counts their time twice."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree as ET

import pytest

from fedcheck.invariants.vocabulary.verdict import Verdict
from fedcheck.reports.formats.registry import render
from fedcheck.reports.record.model import RunRecord
from fedcheck.reports.record.sample import sample_clause, sample_record


@pytest.fixture
def record() -> RunRecord:
    """Return a record of two invariants: four clauses in 6 s, one in 2 s."""
    clauses = [
        sample_clause(Verdict.PASS, clause=f"C-ONE/{name}", invariant="C-ONE", seconds=6.0)
        for name in "abcd"
    ]
    other = sample_clause(Verdict.FAIL, clause="C-TWO/a", invariant="C-TWO", seconds=2.0)
    return sample_record([*clauses, other])


@pytest.mark.parametrize("name", ["junit", "junit-rich"])
def test_junit_adds_up(name: str, record: RunRecord) -> None:
    """Whether a view adds up suites or test cases."""
    root = ET.fromstring(render(name, record))  # noqa: S314  our own document

    assert ["6.000", "2.000"] == [suite.get("time") for suite in root.iter("testsuite")]
    assert ["1.500"] * 4 + ["2.000"] == [case.get("time") for case in root.iter("testcase")]


def test_ctrf_adds_up(record: RunRecord) -> None:
    """Its readers know tests only."""
    tests = json.loads(render("ctrf", record))["results"]["tests"]

    assert [1500] * 4 + [2000] == [test["duration"] for test in tests]


def test_html_tells_the_time_once(record: RunRecord) -> None:
    """Beside the invariant and its bar, and not beside each of its clauses."""
    page = render("html", record).decode()

    assert ["4 clauses, 6.00 s", "1 clause, 2.00 s"] == re.findall(r"\d clauses?, \d\.\d\d s", page)
    assert 4 == len(re.findall(r"[62]\.00 s", page))


def test_oscal_says_whose_time_it_is(record: RunRecord) -> None:
    """An observation is of a clause."""
    assert 5 == render("oscal", record).count(b'"name":"seconds-of-invariant"')
