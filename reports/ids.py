"""Identifiers, moments and JSON that are the same whenever a record is rendered again."""

from __future__ import annotations

import json
import uuid
from datetime import datetime, timezone

HOME = "https://github.com/fedcheck/fedcheck"
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, f"{HOME}/ns")


def stable_uuid(*parts: str) -> str:
    """Return the UUID (version 5) of a name in parts; other parts give another UUID."""
    name = "".join(f"{len(part)}:{part}" for part in parts)
    readable = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return str(uuid.uuid5(_NAMESPACE, readable))


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
    return json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n"
