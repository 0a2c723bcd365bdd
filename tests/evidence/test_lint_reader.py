"""What the linter wrote is read again, for the reports that show it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from fedcheck.__main__ import cli
from fedcheck.invariants.vocabulary.errors import DocumentError
from fedcheck.reports.lint import json_list as lint_json
from fedcheck.reports.lint import sarif as lint_sarif
from fedcheck.reports.lint.findings import ChainStep, Finding, LintReport, RuleText, Span
from fedcheck.reports.lint.reader import parse_lint, read_lint
from fedcheck.reports.record.writer import write_record

from .bundles import small_record

SPAN = Span(line=3, column=5, end_line=3, end_column=9)
RULE = RuleText(
    code="FED101",
    name="some-rule",
    summary="A rule.",
    severity="error",
    invariant="I-CACHE-KEY-SAFETY",
    markdown="A page.",
)
QUIET = RuleText(code="FED102", name="quiet", summary="Found nothing.", severity="info")
FINDING = Finding(
    path="a b/ä.py",
    span=SPAN,
    code="FED101",
    rule="some-rule",
    severity="error",
    message="the key is not safe",
    invariant="I-CACHE-KEY-SAFETY",
    chain=(ChainStep(path="main.py", span=SPAN, note="called here"),),
    fingerprint="ab12",
    suppressed="inline",
    justification="known",
    sdk="6.3.7",
)
REPORT = LintReport(
    version="0.1.0",
    sdk="6.3.7",
    findings=(FINDING,),
    notes=("x.py: cannot be read",),
    rules=(RULE, QUIET),
    files=2,
    exit_code=3,
)


def test_sarif_tells_rules_findings_and_suppressions() -> None:
    """All but the number of files and what fails the run, which SARIF does not hold."""
    read = parse_lint(lint_sarif.render(REPORT, {}).encode(), "lint.sarif")
    rules = (
        RULE,
        RuleText(**{x: getattr(QUIET, x) for x in ("code", "name", "summary", "severity")},
                 markdown="Found nothing."),
    )  # fmt: skip
    assert rules == read.rules
    assert (FINDING,) == read.findings
    assert (REPORT.notes, "6.3.7", "0.1.0", 3) == (
        read.notes,
        read.sdk,
        read.version,
        read.exit_code,
    )


def test_json_tells_the_findings() -> None:
    """The whole of each; the rules that found nothing are not in it."""
    read = parse_lint(lint_json.render(REPORT, {}).encode(), "lint.json")
    assert ((FINDING,), ()) == (read.findings, read.rules)


@pytest.mark.parametrize(
    ("name", "render"), [("lint.sarif", lint_sarif.render), ("lint.json", lint_json.render)]
)
def test_a_bundle_holds_it_and_the_html_report_shows_it(
    name: str, render: Callable[..., str], tmp_path: Path
) -> None:
    """As the linter wrote it, beside the kernel's verdicts."""
    record, lint, target = (tmp_path / x for x in ("r.ndjson", name, "e.zip"))
    write_record(record, small_record())
    lint.write_text(render(REPORT, {}), encoding="utf-8")
    arguments = ["bundle", record, "-o", target, "--lint", lint, "--format", "html"]
    result = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert 0 == result.exit_code, result.output
    with zipfile.ZipFile(target) as archive:
        assert lint.read_bytes() == archive.read(f"lint/{name}")
        page = archive.read("reports/html.html").decode()
    for told in ("FED101", "the key is not safe", "known"):
        assert told in page
    assert 0 == CliRunner().invoke(cli, ["verify", str(target)]).exit_code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '[{"path":1}]',
        '{"runs":[]}',
        '{"runs":[{"tool":{"driver":{"name":"another"}}}]}',
        '{"runs":[{"tool":{"driver":{"name":"fedcheck","rules":[{}]}}}]}',
        "null",
        '"x"',
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    """The message names the file."""
    with pytest.raises(DocumentError, match=r"lint\.sarif"):
        parse_lint(text.encode(), "lint.sarif")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """With what to give instead."""
    with pytest.raises(DocumentError, match=r"cannot be read: .*fedcheck lint --format sarif"):
        read_lint(tmp_path / "x.sarif")
