"""Findings for people: with the source and a mark under it, or one line each.

Styles are always written; whoever prints the text strips them where no terminal is.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from ...invariants.vocabulary.text import counted
from ..console.escape import printable
from ..console.styles import styled
from .findings import Finding, LintReport, Severity, Span
from .shared import (
    RANK,
    Sources,
    active,
    below,
    defused,
    every_rule,
    fails,
    place,
    severities,
    source_line,
    worst_first,
)
from .silence import linted, nothing_found

_STALE = "FED004"
_COLOUR: dict[Severity, str] = {"error": "red", "warning": "yellow", "info": "cyan"}
_WIDEST = 110
"""Columns of source that an excerpt shows."""
GROUP_ABOVE = 20
"""More findings than this are grouped by rule …"""
_SHOWN_OF_GROUP = 3
"""… and only so many of each rule are shown whole."""


def render(report: LintReport, sources: Sources, *, grouped: bool | None = None) -> str:
    """Return each finding with its source, then what it comes to.

    Args:
        report: what was found.
        sources: the texts to quote.
        grouped: by rule, the worst first, and only some of each; by default when there are
            many.
    """
    found = worst_first(active(report))
    if grouped is None:
        grouped = len(found) > GROUP_ABOVE
    body = _by_rule(report, found, sources) if grouped else _one_by_one(found, sources)
    return "".join(f"{line}\n" for line in [*body, *_summary(report, found)])


def render_concise(report: LintReport, _sources: Sources) -> str:
    """Return one line a finding."""
    return "".join(f"{_headline(finding)}\n" for finding in worst_first(active(report)))


def _one_by_one(found: Sequence[Finding], sources: Sources) -> Iterator[str]:
    for finding in found:
        yield from _whole(finding, sources)
        yield ""


def _by_rule(report: LintReport, found: Sequence[Finding], sources: Sources) -> Iterator[str]:
    rules = every_rule(report)
    groups: dict[str, list[Finding]] = {}
    for finding in found:
        groups.setdefault(finding.code, []).append(finding)
    ordered = sorted(groups, key=lambda code: (_worst(groups[code]), -len(groups[code]), code))
    for code in ordered:
        own = worst_first(groups[code])
        files = len({finding.path for finding in own})
        title = f"{code} {rules[code].name}: {severities(own)} in {counted(files, 'file')}"
        yield styled(defused(printable(title)), bold=True, colour=_COLOUR[own[0].severity])
        yield f"  {defused(printable(rules[code].summary))}"
        yield ""
        yield from _one_by_one(own[:_SHOWN_OF_GROUP], sources)
        left = len(own) - _SHOWN_OF_GROUP
        if left > 0:
            yield f"  … {left:,} more: --select {code} --no-group, or --format concise"
            yield ""


def _worst(findings: Sequence[Finding]) -> int:
    return min(RANK[finding.severity] for finding in findings)


def _whole(finding: Finding, sources: Sources) -> Iterator[str]:
    yield _headline(finding)
    yield from _excerpt(finding, sources)
    for step in finding.chain:
        yield f"  via {place(step.path, step.span)}  {defused(printable(step.note))}"
    for line in below(finding):
        yield from _wrapped(defused(printable(line, limit=None)))
    if finding.fix is not None:
        how = "--fix" if finding.fix.safety == "safe" else "--fix --unsafe-fixes"
        yield f"  {styled('fix', colour='green')} ({how}): {defused(printable(finding.fix.title))}"


def _wrapped(line: str) -> Iterator[str]:
    """Break a line between words; nothing that is written in code is broken within a word."""
    yield from textwrap.wrap(
        line,
        _WIDEST,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _headline(finding: Finding) -> str:
    severity = styled(finding.severity, colour=_COLOUR[finding.severity], bold=True)
    where = styled(place(finding.path, finding.span), bold=True)
    message = defused(printable(finding.message, limit=None))
    return f"{where}: {severity} {defused(printable(finding.code))} {message}"


def _excerpt(finding: Finding, sources: Sources) -> Iterator[str]:
    span = finding.span
    line = source_line(sources, finding.path, span.line)
    if line is None or not line.strip():
        return
    shown, start, width = _marked(line, span)
    number = str(span.line)
    margin = " " * len(number)
    mark = styled("^" * width, colour=_COLOUR[finding.severity], bold=True)
    yield f"  {number} | {shown}"
    yield f"  {margin} | {' ' * start}{mark}{_end_of(span)}"


def _end_of(span: Span) -> str:
    return f" … to line {span.end_line}" if span.end_line > span.line else ""


def _marked(line: str, span: Span) -> tuple[str, int, int]:
    """Return a line cut to what fits and made visible, and where its mark begins, how wide."""
    first = min(span.column - 1, len(line))
    last = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    last = max(last, first)
    begin = max(0, first - _WIDEST // 2) if len(line) > _WIDEST else 0
    end = min(len(line), begin + _WIDEST)
    last = min(last, end)
    before = ("…" if begin else "") + _visible(line[begin:first])
    marked = _visible(line[first:last])
    after = _visible(line[last:end]) + ("…" if end < len(line) else "")
    return before + marked + after, _width(before), max(1, _width(marked))


def _visible(text: str) -> str:
    return defused(printable(text.replace("\t", "    "), limit=None))


def _width(text: str) -> int:
    """Return how many columns of a terminal a visible text takes."""
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    combining = sum(unicodedata.combining(character) != 0 for character in text)
    return len(text) + wide - combining


def _summary(report: LintReport, found: Sequence[Finding]) -> Iterator[str]:
    suppressed = len(report.findings) - len(found)
    what = linted(report.files, report.sdk)
    hidden = f"; {suppressed:,} suppressed" if suppressed else ""
    problems = counted(len(report.notes), "problem")
    partly = f"; not everything was linted: {problems}" if report.notes else ""
    if not found:
        yield nothing_found(what, hidden, partly)
        return
    files = len({finding.path for finding in found})
    yield f"{severities(found)} in {counted(files, 'file')} ({what}{hidden}){partly}."
    yield from _advice(report, found)


def _advice(report: LintReport, found: Sequence[Finding]) -> Iterator[str]:
    safe = sum(f.fix is not None and f.fix.safety == "safe" for f in found)
    unsafe = sum(f.fix is not None and f.fix.safety == "unsafe" for f in found)
    if safe:
        yield f"{counted(safe, 'finding')} may be fixed with --fix."
    if unsafe:
        yield f"{counted(unsafe, 'finding')} may be fixed with --fix --unsafe-fixes; read --diff."
    if len(found) > safe + unsafe:
        left = len(found) - safe - unsafe
        yield f"{counted(left, 'finding')} {'has' if left == 1 else 'have'} no automatic fix."
    yield f"More about a rule: fedcheck explain {worst_first(found)[0].code}"
    if not any(fails(finding.severity, report.fail_on) for finding in found):
        yield f"None of them fails the run (--fail-on {report.fail_on})."
    elif len(found) > GROUP_ABOVE and not _has_baseline(report):
        yield "To start from here: fedcheck lint --baseline FILE --update-baseline"


def _has_baseline(report: LintReport) -> bool:
    """Tell whether a baseline hid some of the findings, or holds what is gone."""
    return any(f.suppressed == "baseline" or f.code == _STALE for f in report.findings)


def render_statistics(report: LintReport, _sources: Sources) -> str:
    """Return one line a rule: how often, how severe, and how many could be fixed."""
    found = active(report)
    rules = every_rule(report)
    counts = Counter(finding.code for finding in found)
    fixable = Counter(f.code for f in found if f.fix is not None and f.fix.safety == "safe")
    width = len(str(max(counts.values(), default=0)))
    rows = [
        f"{count:>{width}} {code} {rules[code].name}"
        + (f" ({fixable[code]:,} fixable)" if fixable[code] else "")
        for code, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return "".join(f"{line}\n" for line in [*map(printable, rows), *_summary(report, found)])
