"""What a clause's result says, as one line and as a block of text."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import ref

from ..console.escape import printable
from ..record.model import ClauseResult, Counterexample, RunRecord
from ..record.verdict_words import result_name
from .narrative import Told, tell_clause, tell_counterexample

SHORT = 300
"""Characters shown of one text in a line."""

_REMEMBERED = 2_000
_CONVERSATIONS: dict[int, tuple[ref[Counterexample], str]] = {}
"""Conversations told last, by the id of an object, with what tells whether it is still that one."""


def headline(record: RunRecord, result: ClauseResult, example: Counterexample | None = None) -> str:
    """Return one line: the verdict, and what was expected and got, or else the reason.

    Of a waived clause it is the reason, which names the waiver and its end.

    Args:
        record: the whole record.
        result: of the clause.
        example: the counterexample to tell; by default the clause's first one.
    """
    standing = "" if result.gating else f"advisory, {result.level}: "
    verdict = f"{standing}{result_name(result)}"
    told = example or next(iter(record.counterexamples_of(result)), None)
    if told is not None and not result.waiver:
        expected, got = short(told.violation.expected), short(told.violation.got)
        return f"{verdict}: expected {expected}, got {got}"
    return f"{verdict}: {short(result.reason)}" if result.reason else verdict


def seconds_spent(results: Iterable[ClauseResult]) -> float:
    """Return the seconds spent on an invariant: its clauses are judged on the same runs."""
    return max((result.seconds for result in results), default=0.0)


def details(result: ClauseResult, examples: Iterable[Counterexample]) -> str:
    """Return the promise, the classes of input that are missing, and these counterexamples."""
    told = list(tell_clause(result))
    if result.missing_partitions:
        told.append(Told("plain", f"not seen: {short(', '.join(result.missing_partitions))}"))
    return "\n".join([block(told), *(_conversation(example) for example in examples)])


def _conversation(example: Counterexample) -> str:
    """Return a counterexample as a block; every format tells the same ones."""
    known = _CONVERSATIONS.get(id(example))
    if known is not None and known[0]() is example:
        return known[1]
    if len(_CONVERSATIONS) >= _REMEMBERED:
        _CONVERSATIONS.clear()
    text = block(tell_counterexample(example))
    _CONVERSATIONS[id(example)] = (ref(example), text)
    return text


def block(lines: Iterable[Told]) -> str:
    """Return told lines as one indented text."""
    return "\n".join(" " * line.indent + line.text for line in lines)


def short(text: str) -> str:
    """Return a text made printable, without its middle if it is long."""
    return printable(text, limit=SHORT)
