"""The record as one JSON document, for programs that would rather not read NDJSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from ...invariants.vocabulary.codec import to_json
from ..record.model import RunRecord
from ..record.verdict_words import coverage, outcome

REPORT_FORMAT = "fedcheck-report/1"


def json_report(record: RunRecord) -> Iterator[str]:
    """Yield everything that a record holds as one canonical JSON object, with a line feed.

    Its keys are those of ``RunRecord``; ``format`` names the document, ``outcome`` says in
    words what the run came to, ``coverage`` how much of what is demanded was judged.

    Raises:
        DocumentError: the record holds a number that JSON does not have.
    """
    told = {
        "format": REPORT_FORMAT,
        "outcome": outcome(record).word.lower(),
        "coverage": coverage(record),
    }
    members: dict[str, object] = {**told, **{name: getattr(record, name) for name in _FIELDS}}
    for number, name in enumerate(sorted(members)):
        yield f'{"," if number else "{"}"{name}":'
        value = members[name]
        if isinstance(value, Sequence) and not isinstance(value, str):
            yield from _array(cast("Sequence[object]", value))
        else:
            yield to_json(value)
    yield "}\n"


def _array(lines: Iterable[object]) -> Iterator[str]:
    yield "["
    for number, line in enumerate(lines):
        yield f"{',' if number else ''}{to_json(line)}"
    yield "]"


_FIELDS = RunRecord.__struct_fields__
