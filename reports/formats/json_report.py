"""The record as one JSON document, for programs that would rather not read NDJSON."""

from __future__ import annotations

from ...invariants.vocabulary.codec import to_json
from ..record.model import RunRecord
from ..record.verdict_words import coverage, outcome

REPORT_FORMAT = "fedcheck-report/1"


def json_report(record: RunRecord) -> str:
    """Return everything that a record holds as one canonical JSON object, with a line feed.

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
    return to_json({**told, **{name: getattr(record, name) for name in _FIELDS}}) + "\n"


_FIELDS = RunRecord.__struct_fields__
