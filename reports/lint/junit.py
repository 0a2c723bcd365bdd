"""Findings as JUnit XML: one suite per rule, one test case per finding.

Valid against the schema of the Jenkins xUnit plug-in. Red is what makes the run fail;
suppressed findings are skipped cases with their reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from ..console.escape import inert, printable
from .findings import Finding, LintReport
from .shared import Sources, every_rule, fails, place, with_chain

_COUNTED = {
    "tests": "testcase",
    "failures": "testcase/failure",
    "errors": "testcase/error",
    "skipped": "testcase/skipped",
}


def render(report: LintReport, _sources: Sources) -> str:
    """Return a report as JUnit XML; to be written as UTF-8."""
    root = ET.Element("testsuites", name="fedcheck lint")
    for code, rule in every_rule(report).items():
        own = [finding for finding in report.findings if finding.code == code]
        root.append(_suite(f"{code} {rule.name}", _cases(report, code, own)))
    if report.notes:
        root.append(_suite("not linted", [_broken(n, note) for n, note in enumerate(report.notes)]))
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, "unicode")}\n'


def _suite(name: str, cases: Sequence[ET.Element]) -> ET.Element:
    suite = ET.Element("testsuite", name=_text(name))
    suite.extend(cases)
    for attribute, path in _COUNTED.items():
        suite.set(attribute, str(len(suite.findall(path))))
    return suite


def _cases(report: LintReport, code: str, findings: Sequence[Finding]) -> list[ET.Element]:
    if not findings:
        return [ET.Element("testcase", classname=_text(code), name="no findings")]
    names: dict[str, int] = {}
    return [_case(report, finding, names) for finding in findings]


def _case(report: LintReport, finding: Finding, names: dict[str, int]) -> ET.Element:
    name = place(finding.path, finding.span)
    names[name] = names.get(name, 0) + 1
    if names[name] > 1:  # a reader drops the second case of a name
        name = f"{name} #{names[name]}"
    case = ET.Element("testcase", classname=_text(finding.code), name=_text(name))
    told = "\n".join(inert(_text(line, limit=2000)) for line in with_chain(finding).split("\n"))
    if finding.suppressed:
        reason = f"{finding.suppressed}: {finding.justification}"
        ET.SubElement(case, "skipped", message=_text(reason)).text = told
    elif fails(finding.severity, report.fail_on):
        ET.SubElement(
            case, "failure", type=finding.severity, message=_text(finding.message)
        ).text = told
    else:
        ET.SubElement(case, "system-out").text = f"{finding.severity}: {told}"
    return case


def _broken(number: int, note: str) -> ET.Element:
    case = ET.Element("testcase", classname="not linted", name=f"note {number + 1}")
    ET.SubElement(case, "error", type="not linted", message=_text(note))
    return case


def _text(text: str, limit: int = 600) -> str:
    return printable(text, limit=limit)
