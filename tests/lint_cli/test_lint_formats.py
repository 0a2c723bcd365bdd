"""The formats of findings: valid against their schemas, and harmless whatever the source holds."""

from __future__ import annotations

import html
import json
import os
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft4Validator, Draft202012Validator

from fedcheck.reports.lint.findings import (
    ChainStep,
    Edit,
    Finding,
    Fix,
    LintReport,
    RuleText,
    Severity,
    Span,
)
from fedcheck.reports.lint.formats import FORMATS, plain_lines, render_safely, renderer
from fedcheck.reports.lint.github import job_summary
from fedcheck.reports.lint.json_list import lint_schema
from fedcheck.reports.lint.sarif import FINGERPRINT

REPOSITORY = Path(__file__).resolve().parents[2]
HOSTILE = (
    "a,b:c%0A::error::x\n::error title=t::forged\r\n##[add-path]/x ##vso[task.x]y ]]> "
    "<script>alert(1)</script> & \" ' `x` |y| [z](http://evil) "
    "\x00 \x08 \x1b[31m \x7f \x85 \u2028 \u202e \ufffe \ud800 "
    "\udcff"
)
SOURCE = "import x\n日本 = ('\U0001f600', ctx.fact_ledger)\n"


def official_schema(name: str) -> Path:
    """Return an official schema; skip with the reason where it is absent, except in CI."""
    folder = os.environ.get("FEDCHECK_SCHEMAS") or str(REPOSITORY / "../shared/schemas")
    path = Path(folder) / name
    if path.is_file():
        return path
    reason = f"the official schema {name} is not in {folder}; name its folder in FEDCHECK_SCHEMAS"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def finding(path: str = "main.py", text: str = "message", **more: Any) -> Finding:
    """Return a finding of ``ctx.fact_ledger`` in ``SOURCE``."""
    values: dict[str, Any] = {
        "path": path,
        "span": Span(line=2, column=12, end_line=2, end_column=27),
        "code": "FED101",
        "rule": "nonexistent-fact-ledger",
        "severity": "error",
        "message": text,
        "invariant": "C-NO-EXTENSION-API",
        "fingerprint": "f" * 20,
        "sdk": "6.3.7",
    }
    return Finding(**(values | more))


def sample(text: str = "message", path: str = "main.py") -> LintReport:
    """Return a report with everything that a finding can have."""
    span = Span(line=1, column=1, end_line=1, end_column=7)
    edit = Edit(span=Span(line=2, column=12, end_line=2, end_column=27), replacement=text)
    step = ChainStep(path=f"app/{path}", span=span, note=text)
    rule = RuleText(code="FED101", name="x", summary=text, severity="error", markdown=text)
    severities: tuple[Severity, ...] = ("error", "warning", "info")
    return LintReport(
        version="0.1.0",
        sdk="6.3.7",
        findings=(
            *(finding(path, text, severity=severity, chain=(step,)) for severity in severities),
            finding(path, text, fix=Fix(title=text, safety="safe", edits=(edit,))),
            finding(path, text, code="FED102", suppressed="inline", justification=text),
            finding(path, text, suppressed="baseline", justification=text),
        ),
        notes=(text,),
        rules=(rule, RuleText(code="FED300", name="quiet", summary="s", severity="warning")),
        files=3,
        exit_code=1,
    )


def written(name: str, report: LintReport) -> str:
    """Return a report in a format; the format must not have failed."""
    text, problem = render_safely(renderer(name), report, {"main.py": SOURCE})
    assert "" == problem
    return text


def tree(name: str, report: LintReport) -> ET.Element:
    """Return a report in a format of XML, parsed."""
    return ET.fromstring(written(name, report))  # noqa: S314  it is our own


def errors(validator: Any, document: Any) -> list[str]:
    """Return what a schema has to say against a document."""
    return [f"{list(x.path)}: {x.message}" for x in validator.iter_errors(document)]


@pytest.fixture(scope="module")
def sarif_schema() -> Any:
    """Return the validator of SARIF 2.1.0."""
    return Draft4Validator(json.loads(official_schema("sarif-schema-2.1.0.json").read_text()))


@pytest.fixture(scope="module")
def rdjson_schema() -> Any:
    """Return the validator of reviewdog's format."""
    return Draft4Validator(json.loads(official_schema("reviewdog-rdjson.json").read_text()))


@pytest.fixture(scope="module")
def junit_schema() -> Any:
    """Return the schema of the Jenkins xUnit plug-in."""
    path = official_schema("junit-10.xsd")
    from lxml import etree

    return etree.XMLSchema(etree.parse(str(path)))


REPORTS = pytest.mark.parametrize(
    "report",
    [
        sample(),
        sample(HOSTILE, f"{HOSTILE}.py"),
        sample("", "::error::.py"),
        LintReport(version="0.1.0", sdk="6.3.7", findings=()),
    ],
    ids=["sample", "hostile", "empty texts", "nothing"],
)


@REPORTS
def test_sarif_is_valid(sarif_schema: Any, report: LintReport) -> None:
    """Against the schema of OASIS, which must be able to object."""
    document = json.loads(written("sarif", report))

    assert [] == errors(sarif_schema, document)
    document["runs"][0]["results"].append({"level": "error"})
    assert [] != errors(sarif_schema, document)


@REPORTS
def test_rdjson_is_valid(rdjson_schema: Any, report: LintReport) -> None:
    """Against the schema of reviewdog."""
    assert [] == errors(rdjson_schema, json.loads(written("rdjson", report)))


@REPORTS
def test_junit_is_valid(junit_schema: Any, report: LintReport) -> None:
    """Against the schema of the Jenkins xUnit plug-in."""
    from lxml import etree

    document = etree.fromstring(written("junit", report).encode())

    junit_schema.validate(document)
    assert [] == [str(error) for error in junit_schema.error_log]


@REPORTS
def test_json_fits_its_schema(report: LintReport) -> None:
    """The schema that ``fedcheck schema lint`` prints."""
    document = json.loads(written("json", report))

    assert [] == errors(Draft202012Validator(lint_schema()), document)
    assert len(report.findings) == len(document)
    if document:
        wanted = {"path", "line", "column", "code", "severity", "message"}
        assert wanted <= document[0].keys()
        del document[0]["path"]
        assert [] != errors(Draft202012Validator(lint_schema()), document)


def test_sarif_keeps_suppressions_chains_and_fixes() -> None:
    """With the rule's page, our own fingerprint, and the files of every step."""
    (run,) = json.loads(written("sarif", sample()))["runs"]
    results = run["results"]

    assert ["error", "warning", "note"] == [result["level"] for result in results[:3]]
    assert [("inSource", "message"), ("external", "message")] == [
        (result["suppressions"][0]["kind"], result["suppressions"][0]["justification"])
        for result in results[4:]
    ]
    assert all("suppressions" not in result for result in results[:4])
    flow = results[0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert ["app/main.py", "main.py"] == [
        step["location"]["physicalLocation"]["artifactLocation"]["uri"] for step in flow
    ]
    named = [artifact["location"]["uri"] for artifact in run["artifacts"]]
    assert ["app/main.py", "main.py"] == named
    replacement = results[3]["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert {"startLine": 2, "startColumn": 12, "endLine": 2, "endColumn": 27} == replacement[
        "deletedRegion"
    ]
    rules = run["tool"]["driver"]["rules"]
    assert ["FED101", "FED102", "FED300"] == [rule["id"] for rule in rules]
    assert {"FED101"} == {rules[results[n]["ruleIndex"]]["id"] for n in range(4)}
    assert "message" == rules[0]["help"]["markdown"]
    assert (1, False) == (run["invocations"][0]["exitCode"], not run["columnKind"])
    assert "message" == run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_sarif_fingerprints_hold_no_line() -> None:
    """A finding that moves keeps its history; GitHub's own key is left to GitHub."""
    moved = Span(line=40, column=1, end_line=40, end_column=16)
    reports = [
        LintReport(version="1", sdk="6", findings=(found,))
        for found in (finding(), finding(span=moved))
    ]

    prints = [
        json.loads(written("sarif", report))["runs"][0]["results"][0]["partialFingerprints"]
        for report in reports
    ]

    assert prints[0] == prints[1] == {FINGERPRINT: "f" * 20}


def test_rdjson_counts_bytes() -> None:
    """Columns are UTF-8 bytes there."""
    diagnostics = json.loads(written("rdjson", sample()))["diagnostics"]

    line = SOURCE.split("\n")[1].encode()
    span = diagnostics[0]["location"]["range"]
    marked = line[span["start"]["column"] - 1 : span["end"]["column"] - 1]
    assert b"ctx.fact_ledger" == marked
    assert "via app/main.py:1 message" in diagnostics[0]["message"]
    assert 4 == len(diagnostics)


def test_gitlab_is_unique_and_relative() -> None:
    """Equal findings have fingerprints of their own; suppressed ones are left out."""
    entries = json.loads(written("gitlab", sample(path="./main.py")))

    assert 4 == len(entries) == len({entry["fingerprint"] for entry in entries})
    assert {"main.py"} == {entry["location"]["path"] for entry in entries}
    assert ["major", "minor", "info", "major"] == [entry["severity"] for entry in entries]
    for entry in entries:
        assert {"description", "check_name", "fingerprint", "severity", "location"} == entry.keys()


def test_github_shows_the_worst_first() -> None:
    """Errors before the rest, because only ten of a level are shown; then what is not linted."""
    lines = written("github", sample()).splitlines()

    assert "::error title=not linted::message" == lines[-1]
    assert ["error", "error", "warning", "notice", "error"] == [
        re.match("::([a-z]+) ", line)[1] for line in lines
    ]
    assert (
        "::error file=main.py,line=2,endLine=2,title=FED101 nonexistent-fact-ledger,col=12,"
        "endColumn=27::message%0Avia app/main.py:1 message" == lines[0]
    )


def test_junit_is_red_where_the_run_is() -> None:
    """Suppressed findings are skipped with the reason; a quiet rule is a green case."""
    root = tree("junit", sample())
    suites = {suite.get("name"): suite for suite in root}

    assert ("3", "1") == (root.get("failures"), root.get("errors"))
    assert "3" == suites["FED101 x"].get("failures")
    skipped = suites["FED101 x"].findall("testcase/skipped")
    assert ["baseline: message"] == [case.get("message") for case in skipped]
    assert ["no findings"] == [case.get("name") for case in suites["FED300 quiet"]]
    cases = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(cases) == len(set(cases))
    never = msgspec.structs.replace(sample(), fail_on="never")
    assert "0" == tree("junit", never).get("failures")


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_hostile_names_and_source_are_harmless(name: str) -> None:
    """No terminal escape, no forged command, no character that could hide another."""
    path = f"{HOSTILE}.py"
    report = sample(HOSTILE, path)
    source = {path: f"x\n{HOSTILE.replace(chr(10), ' ').replace(chr(13), ' ')}\n"}
    text, problem = render_safely(renderer(name), report, source)

    assert "" == problem
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text) if name in {"text", "concise"} else text
    assert "\x1b" not in plain
    allowed = {"\n"} | set("…")
    assert set() == {c for c in plain if not c.isprintable()} - allowed
    commands = [line for line in plain.splitlines() if line.lstrip().startswith("::")]
    assert (name == "github") == bool(commands)
    assert all(re.match(r"::(error|warning|notice) (file=|title=not)", line) for line in commands)
    if name not in {"json", "sarif", "gitlab", "rdjson", "junit"}:  # those are never a build's log
        assert [] == re.findall(r"##\w*\[", plain.replace("%23", "#"))
    text.encode("utf-8")


def test_plain_lines_are_harmless_too() -> None:
    """They are what is left when a format fails, and it may be a hostile text that made it fail."""
    text = plain_lines(sample(HOSTILE, f"::error::{HOSTILE}.py"))

    assert 4 == len(text.splitlines())
    assert [] == re.findall(r"##\w*\[", text)
    assert [] == [line for line in text.splitlines() if line.lstrip().startswith("::")]


def test_the_job_summary_is_a_table_of_text() -> None:
    """Nothing in a cell is Markdown or HTML."""
    text = job_summary(sample(HOSTILE, f"{HOSTILE}.py"))

    assert "<script>" not in text
    assert "](" not in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert 5 == len(rows)
    assert {5} == {row.count("|") for row in rows}
    assert 1 == len([line for line in text.splitlines() if line.startswith("- not linted: ")])
    empty = LintReport(version="1", sdk="6", findings=(), files=3)
    assert "No findings in 3 files." in job_summary(empty)


def test_a_cell_of_the_job_summary_shows_what_is_said() -> None:
    """Each mark is written once, so that a reader of Markdown sees the text as it was."""
    said = "ctx.skeleton_data() `*x*` [a](b) <i> #1 + {y} - !z | ~q~ me@b.c \\ &lt; &#95;"

    text = job_summary(sample(said, "main_page.py"))

    row = next(line for line in text.splitlines() if "skeleton" in line and line.startswith("|"))
    assert [said, "main_page.py:2:12"] == [
        html.unescape(row.split(" | ")[part].removesuffix(" |")) for part in (3, 2)
    ]


_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)


@given(path=_TEXT, text=_TEXT, source=_TEXT, line=st.integers(1, 4), column=st.integers(1, 30))
def test_no_format_fails(path: str, text: str, source: str, line: int, column: int) -> None:
    """Whatever a finding says and wherever it points."""
    span = Span(line=line, column=column, end_line=line, end_column=column + 3)
    found = finding(path, text, span=span, rule=text, code=text, fingerprint=text)
    report = LintReport(version="1", sdk=text, findings=(found, *sample(text, path).findings))
    for name in FORMATS:
        rendered, problem = render_safely(renderer(name), report, {path: source})
        assert "" == problem
        rendered.encode()
