"""What tools return, taken out of what they are wrapped in on their way to a model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, cast

from ..vocabulary.json_values import parse, parse_at

_WRAPPERS = ("structuredContent", "result", "output")
_DEEPEST = 3
_REMEMBERED = 512


@lru_cache(maxsize=_REMEMBERED)
def unwrapped(text: str) -> tuple[str, ...]:
    """Return what a text may be an envelope around, the outermost first; nothing if it is none."""
    return tuple(dict.fromkeys(_inside(text, _DEEPEST)))


def _inside(text: str, depth: int) -> Iterator[str]:
    """Yield the texts that an envelope holds: a list of texts, or an object around a value."""
    if not depth or not text.lstrip().startswith(("{", "[")):
        return
    try:
        value = parse(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, list):
        texts = [_text_of(part) for part in cast("list[Any]", value)]
        if texts and None not in texts:
            yield "\n".join(filter(None, texts))
        return
    written = _members(text) if any(name in value for name in ("content", *_WRAPPERS)) else {}
    yield from _inside(written.get("content", ""), depth - 1)
    for name in _WRAPPERS:
        if name in written:
            yield value[name] if isinstance(value[name], str) else written[name]
            yield from _inside(written[name], depth - 1)


def _members(text: str) -> dict[str, str]:
    """Return the values of an object as they are written, which tells how long they are."""
    found: dict[str, str] = {}
    at = _behind(text, text.index("{") + 1)
    while text[at] != "}":
        name, end = parse_at(text, at)
        at = _behind(text, end)
        _, end = parse_at(text, at)
        found[name] = text[at:end]
        at = _behind(text, end)
    return found


def _behind(text: str, at: int) -> int:
    """Return where the next name or value begins."""
    while text[at] in " \t\r\n,:":
        at += 1
    return at


def _text_of(part: Any) -> str | None:
    if not isinstance(part, dict):
        return None
    fields = cast("dict[str, Any]", part)
    text = fields.get("text")
    return text if fields.get("type") == "text" and isinstance(text, str) else None
