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


def around(text: str, first: int, limit: int = _LIMIT) -> str:
    """Return a text cut to about ``limit`` characters, the one at ``first`` among those shown."""
    if len(text) <= limit:
        return text
    start = min(max(0, first - limit // 3), len(text) - limit)
    left_out = len(text) - start - limit
    before = f"({start} characters) … " if start else ""
    return f"{before}{text[start : start + limit]}" + (
        f" … ({left_out} characters)" if left_out else ""
    )


def told_apart(expected: Any, got: Any, limit: int = _LIMIT) -> tuple[str, str]:
    """Return two values as JSON, both cut around the first character in which they differ."""
    texts = [value if isinstance(value, str) else _written(value) for value in (expected, got)]
    least = min(map(len, texts))
    first = next((n for n in range(least) if texts[0][n] != texts[1][n]), least)
    return around(texts[0], first, limit), around(texts[1], first, limit)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 clause``, ``1,200 clauses``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _written(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return "a value that cannot be written as JSON"
