"""The record as JUnit XML, for the test views of CI systems.

Valid against the schema of the Jenkins xUnit plug-in (``junit-10.xsd``): one suite per
invariant, one test case per clause. Something is red here exactly when the exit code of a run is
not 0. The clauses of an invariant are judged on the same runs: each gets an equal share of the
time, so that a view that adds them up is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from xml.etree import ElementTree as ET

from ...invariants.vocabulary.verdict import Verdict
from ..record.model import ClauseResult, Incident, RunRecord
from ..record.verdict_words import coverage
from ..wording.clause_text import block, details, headline, seconds_spent, short
from ..wording.narrative import run_notes, run_problems, tell_incidents

RUN = "run"
"""Name of the suite and of the test case that tell what is wrong with the run as a whole."""

_COUNTED = {"tests": "testcase", "failures": "testcase/failure", "errors": "testcase/error"}


def junit_xml(record: RunRecord) -> str:
    """Return a record as JUnit XML; to be written as UTF-8."""
    return junit_text(junit_tree(record))


def junit_tree(record: RunRecord) -> ET.Element:
    """Return the root of the document; its first test cases are those of ``by_invariant``."""
    root = ET.Element("testsuites", name=short(f"fedcheck {record.header.kernel.kernel}"))
    groups = record.by_invariant()
    for invariant, results in groups.items():
        own = [incident for incident in record.incidents if incident.invariant == invariant]
        seconds = seconds_spent(results)
        cases = [_case(record, result, seconds / len(results)) for result in results]
        root.append(_suite(record, invariant, cases, own))
        root[-1].set("time", f"{seconds:.3f}")
    loose = [incident for incident in record.incidents if incident.invariant not in groups]
    problems = run_problems(record)
    if problems or loose:
        root.append(_suite(record, RUN, [_run_case(problems)], loose))
    for name in _COUNTED:
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    return root


def junit_text(root: ET.Element) -> str:
    """Return a document as text."""
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, "unicode")}\n'


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


def _case(record: RunRecord, result: ClauseResult, share: float) -> ET.Element:
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
