"""JSON values that stand somewhere in a text, such as a history that is one text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..vocabulary.json_values import is_list, is_object, parse, parse_at

_BEGIN = re.compile(r'[{\["]|-?\d[\d.eE+-]*|\b(?:true|false|null)\b')
_REMEMBERED = 2048
_DEEPEST = 3
_TOO_DEEP = 500
"""How many characters are passed over where more brackets begin than can be read."""


def canonical(value: Any) -> str:
    """Return the one text of all values that are equal as JSON."""
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=_REMEMBERED)
def values_in(text: str) -> frozenset[str]:
    """Return the canonical texts of the JSON values in a text, and of those inside of them."""
    return frozenset(_found(text, _DEEPEST))


def _found(text: str, depth: int) -> Iterator[str]:
    at = 0
    while (begin := _BEGIN.search(text, at)) is not None:
        try:
            value, at = parse_at(text, begin.start())
        except RecursionError:
            at = begin.start() + _TOO_DEEP
            continue
        except ValueError:
            at = begin.start() + 1 if text[begin.start()] in '{["' else begin.end()
            continue
        try:
            yield from _inside(value, depth)
        except RecursionError:  # so deep a value is none of ours
            continue


def _inside(value: Any, depth: int) -> Iterator[str]:
    yield canonical(value)
    if is_object(value):
        for item in value.values():
            yield from _inside(item, depth)
    elif is_list(value):
        for item in value:
            yield from _inside(item, depth)
    elif isinstance(value, str) and depth and value[:1] and value[:1] in '{["-0123456789tfn':
        try:
            yield from _inside(parse(value), depth - 1)
        except (ValueError, RecursionError):
            yield from _found(value, depth - 1) if "\n" in value else ()


def _plain(value: Any) -> Any:
    if is_object(value):
        return {name: _plain(item) for name, item in value.items()}
    if is_list(value):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
