"""A comparison of two runs for people: as text, and as Markdown for a pull request."""

from __future__ import annotations

from collections.abc import Iterator

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
            row(code(text) if text else "" for text in (subject(each), each.before, each.after))
            for each in differences
        ]
        lines.append("")
    return "\n".join(lines).rstrip("\n")


def _text_lines(each: Difference) -> Iterator[str]:
    mark = "!" if each.regression else " "
    yield f"{mark} {printable(subject(each))}"
    yield f"    {_or_nothing(each.before)} -> {_or_nothing(each.after)}"


def subject(each: Difference) -> str:
    """Return what differs; of a clause that only advises, it says so."""
    return f"{each.subject} (SHOULD)" if each.level == "SHOULD" else each.subject


def _or_nothing(text: str) -> str:
    return printable(text) or "(nothing)"


def _conclusion(comparison: Comparison) -> str:
    code = f"(exit code {comparison.exit_code})"
    return f"{comparison.numbers} {code}" if comparison.differences else f"nothing changed {code}"
