"""Short texts for people."""

from __future__ import annotations

import json
from typing import Any

_LIMIT = 120


def shorten(value: Any, limit: int = _LIMIT) -> str:
    """Return a value as JSON (a string as it is), cut in the middle to at most ``limit``."""
    text = value if isinstance(value, str) else _written(value)
    if len(text) <= limit:
        return text
    keep = limit // 2
    return f"{text[:keep]} … ({len(text) - 2 * keep} characters) … {text[-keep:]}"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 clause``, ``1,200 clauses``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _written(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return "a value that cannot be written as JSON"
