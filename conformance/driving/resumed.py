"""What a run that was interrupted has done, from its sealed record."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ...invariants.vocabulary.errors import DocumentError
from ...reports.console.escape import printable
from ...reports.console.files import reading
from ...reports.record.model import Counterexample, Header
from ...reports.record.reader import parse_record


@dataclass(frozen=True)
class Earlier:
    """The part of a run before this one.

    Attributes:
        header: of its record.
        sha256: of all bytes of its record.
        left: scenarios that are done of each invariant that it did not complete, by its id;
            under an empty one those of a folder.
        unconfirmed: failures that nobody could repeat any more.
    """

    header: Header
    sha256: str
    left: Mapping[str, int]
    unconfirmed: tuple[Counterexample, ...]


def earlier_of(path: Path) -> Earlier:
    """Read the record of a run that did not do all.

    Raises:
        DocumentError: it is no sealed record, or that of a shard, or nothing is left to do.
        UsageError: it cannot be read.
    """
    where = printable(str(path))
    with reading(path):
        data = path.read_bytes()
    record = parse_record(data, where)
    if record.header.shard or record.header.shards:
        kind = f"of shard {record.header.shard}" if record.header.shard else "of a merged run"
        raise DocumentError(f"{where}: is the record {kind}; only a run of its own is resumed")
    if not record.shares:
        raise DocumentError(
            f"{where}: does not tell what is left: the run did all that it was to do, or was "
            "interrupted before its first scenario; run it again"
        )
    return Earlier(
        header=record.header,
        sha256=hashlib.sha256(data).hexdigest(),
        left={share.invariant: share.done for share in record.shares if not share.complete},
        unconfirmed=tuple(each for each in record.counterexamples if not each.attempts),
    )
