"""Reads traces that fedcheck itself wrote, one on each line or one in a file."""

from __future__ import annotations

from collections.abc import Iterator

from ...invariants.vocabulary.codec import decode
from ...invariants.vocabulary.errors import DocumentError
from ...invariants.vocabulary.trace import TRACE_FORMAT, Trace
from .spans import OwnTrace, Place, Read, Remark


def is_ours(head: bytes) -> bool:
    """Return whether the beginning of a file is that of a trace of ours."""
    return b'"events"' in head and (TRACE_FORMAT.encode() in head or b'"event":' in head)


def read(document: bytes, place: Place) -> Iterator[Read]:
    """Yield the trace of a document; what is none is a remark."""
    try:
        yield OwnTrace(decode(document, Trace, str(place)), place)
    except DocumentError:
        yield Remark("no trace of fedcheck that this version reads", place)
