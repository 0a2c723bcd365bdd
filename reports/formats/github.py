"""The record as workflow commands, which GitHub shows as annotations of a step.

GitHub keeps ten errors, ten warnings and ten notices of a step and drops the rest without a
word, so the last one of each says how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from ..record.model import RunRecord
from ..record.verdict_words import coverage
from ..wording.clause_text import short
from ..wording.concerns import Concern, concerns

SHOWN = 10
"""Annotations of one level that GitHub keeps of a step."""

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def github_commands(record: RunRecord) -> str:
    """Return a record as lines of workflow commands, and one plain line with the numbers."""
    told = record.summary
    summary = f"fedcheck: {coverage(record)}; {told.passed:,} passed (exit code {told.exit_code})"
    return "\n".join([*_commands(concerns(record)), summary]) + "\n"


def _commands(found: Iterable[Concern]) -> Iterator[str]:
    for level, group in groupby(found, key=lambda concern: concern.level):
        first = list(islice(group, SHOWN))
        others = sum(1 for _ in group)  # noqa: B031  the rest of it
        for concern in first[: SHOWN - 1] if others else first:
            title = f"{concern.clause}: {concern.verdict}"
            yield command(_COMMANDS[level], title, f"{concern.message}\n{concern.details}")
        if others:
            more = f"and {others + 1} more: see the record"
            yield command(_COMMANDS[level], "fedcheck", more)


def command(name: str, title: str, message: str) -> str:
    """Return one workflow command; neither title nor message can end it or begin another."""
    value = _data(short(title)).replace(":", "%3A").replace(",", "%2C")
    return f"::{name} title={value}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
