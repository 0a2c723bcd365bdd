"""The record as JUnit XML, for the test views of CI systems.

Valid against the schema of the Jenkins xUnit plug-in (``junit-10.xsd``): one suite per
invariant, one test case per clause. Something is red here exactly when the exit code of a run is
not 0. The clauses of an invariant are judged on the same runs: each gets an equal share of the
time, so that a view that adds them up is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from xml.etree import ElementTree as ET

from ...invariants.vocabulary.verdict import Verdict
from ..record.model import ClauseResult, Incident, RunRecord
from ..record.verdict_words import coverage
from ..wording.clause_text import block, details, headline, seconds_spent, short
from ..wording.narrative import run_notes, run_problems, tell_incidents

RUN = "run"
"""Name of the suite and of the test case that tell what is wrong with the run as a whole."""

Case = Callable[[RunRecord, ClauseResult, float], ET.Element]

_COUNTED = {"tests": "testcase", "failures": "testcase/failure", "errors": "testcase/error"}


def junit_xml(record: RunRecord) -> Iterator[str]:
    """Yield a record as JUnit XML, suite by suite; to be written as UTF-8."""
    return junit_pieces(record, test_case)


def junit_pieces(record: RunRecord, case: Case) -> Iterator[str]:
    """Yield a record as JUnit XML, suite by suite.

    Args:
        record: what to render.
        case: makes the test case of a clause, with its share of the time.
    """
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    root = ET.tostring(_root(record), "unicode").removesuffix(" />")
    yield f"{root}>\n"
    for suite in _suites(record, case):
        ET.indent(suite, level=1)
        yield f"  {ET.tostring(suite, 'unicode')}\n"
    yield "</testsuites>\n"


def _root(record: RunRecord) -> ET.Element:
    """Return the outermost element, which counts what comes inside before it is there."""
    problems = run_problems(record)
    kinds = Counter(_element(x) for x in record.clauses if x.effective is not Verdict.PASS)
    whole = int(bool(problems or _loose(record)))
    return ET.Element(
        "testsuites",
        name=short(f"fedcheck {record.header.kernel.kernel}"),
        tests=str(len(record.clauses) + whole),
        failures=str(kinds["failure"]),
        errors=str(kinds["error"] + bool(problems)),
    )


def _suites(record: RunRecord, case: Case) -> Iterator[ET.Element]:
    troubled = record.incidents_by_invariant()
    for invariant, results in record.by_invariant().items():
        own = troubled.get(invariant, [])
        seconds = seconds_spent(results)
        cases = (case(record, result, seconds / len(results)) for result in results)
        suite = _suite(record, invariant, cases, own)
        suite.set("time", f"{seconds:.3f}")
        yield suite
    problems, loose = run_problems(record), _loose(record)
    if problems or loose:
        yield _suite(record, RUN, [_run_case(problems)], loose)


def _loose(record: RunRecord) -> list[Incident]:
    known = {result.invariant for result in record.clauses}
    return [incident for incident in record.incidents if incident.invariant not in known]


def _suite(
    record: RunRecord, name: str, cases: Iterable[ET.Element], incidents: Sequence[Incident]
) -> ET.Element:
    suite = ET.Element("testsuite", name=short(name), timestamp=record.header.started)
    suite.append(_properties(record))
    suite.extend(cases)
    if incidents:
        told = chain.from_iterable(tell_incidents(incidents))
        ET.SubElement(suite, "system-err").text = block(told)
    for attribute, path in (*_COUNTED.items(), ("skipped", "testcase/skipped")):
        suite.set(attribute, str(len(suite.findall(path))))
    return suite


def _properties(record: RunRecord) -> ET.Element:
    header = record.header
    values = {
        "kernel": header.kernel.kernel,
        "kernel version": header.kernel.version,
        "reference": header.reference,
        "requirement set": header.requirement_set.name,
        "suite version": header.suite.version,
        "profile": header.profile,
        "seed": str(header.seed),
        "run id": header.run_id,
        "coverage": coverage(record),
        "left out": "; ".join(run_notes(record)),
    }
    properties = ET.Element("properties")
    for name, value in values.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=short(value))
    return properties


def test_case(record: RunRecord, result: ClauseResult, share: float) -> ET.Element:
    """Return the test case of a clause, with its share of the time in seconds."""
    case = ET.Element(
        "testcase",
        classname=short(result.invariant),
        name=short(result.name),
        time=f"{share:.3f}",
    )
    if result.effective is not Verdict.PASS:
        told = ET.SubElement(case, _element(result), type=result.effective.value)
        told.set("message", headline(record, result))
        told.text = details(result, record.counterexamples_of(result))
    return case


def _element(result: ClauseResult) -> str:
    if not result.red:
        return "skipped"
    return "failure" if result.effective.broken else "error"


def _run_case(problems: Sequence[str]) -> ET.Element:
    case = ET.Element("testcase", classname=RUN, name=RUN)
    if problems:
        ET.SubElement(case, "error", type=RUN, message="; ".join(problems))
    return case
