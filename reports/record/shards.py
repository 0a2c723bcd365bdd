"""The shards that a record was merged from: its id follows from them, and they belong to it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable

from .model import Header
from .record_parts import Shard


def name_of(shard: Shard) -> str:
    """Return what people call a record that took part: ``shard 2/5`` or ``part 2/3``."""
    return shard.shard if shard.shard.startswith("part ") else f"shard {shard.shard}"


def merged_id(shards: Iterable[Shard]) -> str:
    """Return the id of the run that these shards make."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, ",".join(shard.sha256 for shard in shards)))


def missing_shards(header: Header, digests: Collection[str]) -> list[str]:
    """Return the shards whose records are not at hand, in words.

    Args:
        header: of the merged record.
        digests: SHA-256 of each file that is at hand.
    """
    return [
        f"{name_of(shard)} (SHA-256 {shard.sha256})"
        for shard in header.shards
        if shard.sha256 not in digests
    ]
