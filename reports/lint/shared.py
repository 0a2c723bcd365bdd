"""What the renderers of findings have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from ...invariants.vocabulary.text import counted
from ..console.escape import printable
from .findings import FailOn, Finding, LintReport, RuleText, Severity, Span

Sources = Mapping[str, str]
"""Path, as findings name it, → text of the file."""

SDK = "imperal-sdk"
"""Name under which formats with properties tell the version of the SDK."""

_LINES_SHOWN = 10

RANK: dict[Severity, int] = {"error": 0, "warning": 1, "info": 2}


def active(report: LintReport) -> list[Finding]:
    """Return the findings that are not suppressed."""
    return active_of(report.findings)


def active_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return those of some findings that are not suppressed."""
    return [finding for finding in findings if not finding.suppressed]


def fails(severity: Severity, fail_on: FailOn) -> bool:
    """Return whether a finding of this severity makes a run fail."""
    return fail_on != "never" and RANK[severity] <= RANK[fail_on]


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with errors first, else in the order they came in."""
    return sorted(findings, key=lambda finding: RANK[finding.severity])


def one_per_cause(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings in their order, those of one file with one cause as one, the worst of them.

    The finding that stays names the places of the others.
    """
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in active_of(findings):
        if finding.cause:
            groups.setdefault((finding.path, finding.code, finding.cause), []).append(finding)
    dropped: set[int] = set()
    kept: dict[int, Finding] = {}
    for group in groups.values():
        first = worst_first(group)[0]
        others = [finding for finding in group if finding is not first]
        dropped |= set(map(id, others))
        kept[id(first)] = msgspec.structs.replace(first, also=tuple(it.span for it in others))
    return tuple(kept.get(id(it), it) for it in findings if id(it) not in dropped)


def also_at(finding: Finding) -> str:
    """Say in which other lines a cause shows; empty if there is none."""
    lines = sorted({span.line for span in finding.also} - {finding.span.line})
    if not lines:
        return ""
    shown = ", ".join(map(str, lines[:_LINES_SHOWN]))
    more = f" and {len(lines) - _LINES_SHOWN} more" if len(lines) > _LINES_SHOWN else ""
    return f"The same in line{'s' if len(lines) > 1 else ''} {shown}{more}."


def every_rule(report: LintReport) -> dict[str, RuleText]:
    """Return the rules of a report by code, also those that only a finding names."""
    rules = {rule.code: rule for rule in report.rules}
    for finding in report.findings:
        if finding.code not in rules:
            rules[finding.code] = RuleText(
                code=finding.code,
                name=finding.rule,
                summary=finding.rule,
                severity=finding.severity,
                invariant=finding.invariant,
            )
    return dict(sorted(rules.items()))


def unicode_only(text: str) -> str:
    """Return ``text`` as every JSON reader takes it: half a character becomes its escape."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def uri(path: str) -> str:
    """Return a path as a URI reference that no reader takes for a scheme or a host."""
    from urllib.parse import quote

    try:
        name = path.encode("utf-8", "surrogateescape")  # bytes of a name that is no UTF-8
    except UnicodeEncodeError:
        name = path.encode("utf-8", "backslashreplace")
    quoted = quote(name, safe="/~")
    return f"/{quoted.lstrip('/')}" if quoted.startswith("//") else quoted


def shown_path(path: str) -> str:
    """Return a path that may begin a line: no command of a CI system can be made of it."""
    text = defused(printable(path, limit=None))
    return f"./{text}" if text.lstrip().startswith("::") else text


_LOG_COMMAND = re.compile(r"##(?=[\w.]*\[)")


def defused(text: str) -> str:
    """Return ``text`` without the marks by which a build log is made to run commands.

    ``##[error]`` and ``##vso[task.setvariable …]`` count anywhere in a line.
    """
    return _LOG_COMMAND.sub("## ", text)


def place(path: str, span: Span) -> str:
    """Return ``path:line:column``."""
    return f"{shown_path(path)}:{span.line}:{span.column}"


def source_line(sources: Sources, path: str, line: int) -> str | None:
    """Return a line of a source, counted from 1, without its end; ``None`` if unknown."""
    text = sources.get(path)
    if text is None:
        return None
    lines = split_lines(text)
    return lines[line - 1] if 0 < line <= len(lines) else None


@lru_cache(maxsize=8)  # findings come file by file
def split_lines(text: str) -> list[str]:
    """Return the lines of Python source: only LF, CR LF and CR end one."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def below(finding: Finding) -> list[str]:
    """Return the lines below the first: advice, and the other places of the same cause."""
    return [line for line in (*finding.advice.split("\n"), also_at(finding)) if line]


def whole(finding: Finding) -> str:
    """Return the message and what stands below it, for formats that show the chain themselves."""
    return "\n".join([finding.message, *below(finding)])


def with_chain(finding: Finding) -> str:
    """Return all that a finding says, also the way from the handler, line by line."""
    steps = [f"via {step.path}:{step.span.line} {step.note}" for step in finding.chain]
    return "\n".join([finding.message, *steps, *below(finding)])


def severities(findings: Sequence[Finding]) -> str:
    """Return ``2 errors, 1 warning``; empty for none."""
    counts = Counter(finding.severity for finding in findings)
    nouns = {"error": "error", "warning": "warning", "info": "note"}
    return ", ".join(counted(counts[s], nouns[s]) for s in RANK if counts[s])
