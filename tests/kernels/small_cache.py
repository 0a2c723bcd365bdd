"""A cache that keeps every promise, as a program; told so, it misbehaves in one corner.

``python small_cache.py ACTION MARK`` does what ``raw.py`` does for ACTION whenever a value is to
live exactly 301 seconds. MARK says whose process this is.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

DESCRIPTION = {"kernel": "small-cache", "version": "1", "capabilities": ["cache"]}
TROUBLE = 301


def is_trouble(scenario: dict[str, Any]) -> bool:
    """Whether a scenario reaches the corner."""
    return any(step.get("ttl_seconds") == TROUBLE for step in scenario["steps"])


def run(scenario: dict[str, Any]) -> dict[str, Any]:
    """Take the steps of a scenario."""
    entries: dict[tuple[str, str, str], str] = {}
    events = [_take(step, entries) for step in scenario["steps"]]
    return {"events": [{"event": "cache_outcome", "step": i, **e} for i, e in enumerate(events)]}


def _take(step: dict[str, Any], entries: dict[tuple[str, str, str], str]) -> dict[str, Any]:
    place = (step["user"], step["app"], step["key"])
    if step["step"] == "cache_set":
        return _set(step, entries, place)
    if step["step"] == "cache_get":
        value = entries.get(place)
        return {"outcome": "miss" if value is None else "hit", "value_json": value}
    return {"outcome": "miss" if entries.pop(place, None) is None else "accepted"}


def _set(
    step: dict[str, Any], entries: dict[tuple[str, str, str], str], place: tuple[str, str, str]
) -> dict[str, Any]:
    life = step.get("ttl_seconds") or 60
    if not re.fullmatch(r"[A-Za-z0-9_:-]{1,128}", step["key"]) or not 5 <= life <= 300:
        return {"outcome": "refused"}
    entries[place] = step["value_json"]
    return {"outcome": "accepted"}


def serve(action: str) -> None:
    """Answer requests until stdin ends."""
    import raw

    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["method"] == "describe":
            raw.answer(request["id"], DESCRIPTION)
        elif action in raw.ACTIONS and is_trouble(request["params"]["scenario"]):
            raw.ACTIONS[action](request["id"])
        else:
            raw.answer(request["id"], run(request["params"]["scenario"]))


if __name__ == "__main__":
    serve(sys.argv[1])
