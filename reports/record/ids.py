"""Identifiers, moments and JSON that are the same whenever a record is rendered again."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import cast

URN = "urn:fedcheck"
"""What stands where a format asks for a URI: a name, for fedcheck has no address on the web."""

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, URN).bytes


def stable_uuid(*parts: str) -> str:
    """Return the UUID (version 5) of a name in parts; other parts give another UUID.

    It is ``uuid.uuid5``, without an object for each of the thousands that a report needs.
    """
    name = "".join([f"{len(part)}:{part}" for part in parts])
    readable = name.encode("utf-8", "backslashreplace")
    digest = bytearray(hashlib.sha1(_NAMESPACE + readable, usedforsecurity=False).digest()[:16])
    digest[6] = digest[6] & 0x0F | 0x50
    digest[8] = digest[8] & 0x3F | 0x80
    text = digest.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def milliseconds(moment: str) -> int:
    """Return a moment of a record as milliseconds since the Unix epoch.

    Raises:
        ValueError: there is no such day or time.
    """
    whole, _, fraction = moment.removesuffix("Z").partition(".")
    seconds = datetime.fromisoformat(whole).replace(tzinfo=timezone.utc).timestamp()
    return int(seconds) * 1000 + int(fraction.ljust(3, "0")[:3] or 0)


def machine_json(document: object) -> str:
    """Return JSON for programs: one line, ASCII, in the order of the fields."""
    return f"{_JSON.encode(document)}\n"


def machine_json_pieces(document: object) -> Iterator[str]:
    """Yield the same text piece by piece, of a document that may hold an iterator for an array.

    What an iterator yields is taken one by one, and holds no iterators itself.
    """
    yield from _pieces(document)
    yield "\n"


def _pieces(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        members = cast("dict[str, object]", node).items()
        for number, (name, value) in enumerate(members):
            yield f"{',' if number else '{'}{_JSON.encode(name)}:"
            yield from _pieces(value)
        yield "}" if node else "{}"
    elif isinstance(node, list):
        for number, item in enumerate(cast("list[object]", node)):
            yield "," if number else "["
            yield from _pieces(item)
        yield "]" if node else "[]"
    elif isinstance(node, Iterator):
        yield "["
        for number, item in enumerate(cast("Iterator[object]", node)):
            yield f"{',' if number else ''}{_JSON.encode(item)}"
        yield "]"
    else:
        yield _JSON.encode(node)


_JSON = json.JSONEncoder(separators=(",", ":"), allow_nan=False)
