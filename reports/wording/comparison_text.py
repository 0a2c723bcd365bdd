"""A comparison of two runs for people: as text, and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from ...invariants.vocabulary.text import counted
from ..console.escape import printable
from ..record.comparison import Comparison, Difference
from .markdown_text import code, row

_TABLE_HEAD = (row(("", "before", "after")), row(["---"] * 3))


def to_text(comparison: Comparison) -> str:
    """Return a comparison as plain text, topic by topic."""
    lines = [f"{printable(comparison.old)} -> {printable(comparison.new)}"]
    for topic, differences in comparison.by_topic.items():
        lines += ["", f"{topic}:"]
        for each in differences:
            lines += _text_lines(each)
    return "\n".join([*lines, "", _conclusion(comparison)])


def to_markdown(comparison: Comparison) -> str:
    """Return a comparison as Markdown; nothing in it that a kernel said is markup."""
    lines = [f"### {code(comparison.old)} → {code(comparison.new)}", ""]
    lines += [f"**{_conclusion(comparison)}**", ""]
    for topic, differences in comparison.by_topic.items():
        lines += [f"#### {topic[0].upper()}{topic[1:]}", "", *_TABLE_HEAD]
        lines += [
            row(code(text) if text else "" for text in (each.subject, each.before, each.after))
            for each in differences
        ]
        lines.append("")
    return "\n".join(lines).rstrip("\n")


def _text_lines(each: Difference) -> Iterator[str]:
    mark = "!" if each.regression else " "
    yield f"{mark} {printable(each.subject)}"
    yield f"    {_or_nothing(each.before)} -> {_or_nothing(each.after)}"


def _or_nothing(text: str) -> str:
    return printable(text) or "(nothing)"


def _conclusion(comparison: Comparison) -> str:
    worse = sum(each.regression for each in comparison.differences)
    if worse:
        return f"{counted(worse, 'regression')} (exit code {comparison.exit_code})"
    if comparison.differences:
        return f"no regression (exit code {comparison.exit_code})"
    return f"nothing changed (exit code {comparison.exit_code})"
