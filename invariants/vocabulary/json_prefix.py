"""How much of a text is a leading part of some serialisation of a JSON value.

A kernel may cut a payload anywhere, escape as it likes, space as it likes and order keys
as it likes; what follows the leading part is its marker, whatever it says.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .json_values import is_list, is_object, parse

_SPACE = re.compile(r"[ \t]*")
_NUMBER = re.compile(r"-?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_At = tuple[int, bool]
"""How far the text agrees, and whether the value is complete there."""


def leading(text: str, value: Any) -> tuple[int, bool]:
    """Return the length of the longest leading part, and whether it is the whole value."""
    return _value(text, 0, value)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, value: Any) -> _At:
    start = _skip(text, at)
    end, complete = _unspaced(text, start, value)
    return (at if end == start else end), complete


def _unspaced(text: str, at: int, value: Any) -> _At:
    if isinstance(value, str):
        return _string(text, at, value)
    if is_object(value):
        return _object(text, at, value)
    if is_list(value):
        return _list(text, at, value)
    if value is None or isinstance(value, bool):
        return _literal(text, at, json.dumps(value))
    return _number(text, at, value)


def _literal(text: str, at: int, literal: str) -> _At:
    length = _common(text, at, literal)
    return at + length, length == len(literal)


def _number(text: str, at: int, value: float) -> _At:
    match = _NUMBER.match(text, at)
    if match is None:
        return at, False
    try:
        if parse(match.group()) == value:
            return match.end(), True
    except ValueError:
        pass
    return at + _common(text, at, json.dumps(value)), False


def _string(text: str, at: int, value: str) -> _At:
    for ascii_only in (False, True):
        literal = json.dumps(value, ensure_ascii=ascii_only)
        if text.startswith(literal, at):
            return at + len(literal), True
    return _partial_string(text, at, value)


def _partial_string(text: str, at: int, value: str) -> _At:
    if not text.startswith('"', at):
        return at, False
    at += 1
    units = _Units(value)
    while units.left():
        step = units.match(text, at)
        if step == 0:
            return at, False
        at += step
    return (at + 1, True) if text.startswith('"', at) else (at, False)


class _Units:
    """Walks a string in UTF-16 units, because an escape names one unit, not one character."""

    def __init__(self, value: str) -> None:
        self._value = value
        self._at = 0
        self._low = ""

    def left(self) -> bool:
        return self._at < len(self._value) or self._low != ""

    def match(self, text: str, at: int) -> int:
        """Consume one unit if the text shows it at this place; return the characters used."""
        if self._low:
            used = _escape_of(text, at, self._low)
            self._low = "" if used else self._low
            return used
        char = self._value[self._at]
        if char not in '"\\' and text.startswith(char, at):
            self._at += 1
            return 1
        if ord(char) > 0xFFFF:
            high, low = _surrogates(char)
            used = _escape_of(text, at, high)
            self._low = low if used else ""
        else:
            used = _escape_of(text, at, char)
        self._at += 1 if used else 0
        return used


def _escape_of(text: str, at: int, unit: str) -> int:
    if not text.startswith("\\", at):
        return 0
    if _SHORT.get(text[at + 1 : at + 2]) == unit:
        return 2
    digits = text[at + 2 : at + 6]
    if text.startswith("u", at + 1) and digits.lower() == f"{ord(unit):04x}":
        return 6
    return 0


def _surrogates(char: str) -> tuple[str, str]:
    code = ord(char) - 0x10000
    return chr(0xD800 + (code >> 10)), chr(0xDC00 + (code & 0x3FF))


def _list(text: str, at: int, items: list[Any]) -> _At:
    if not text.startswith("[", at):
        return at, False
    at += 1
    for index, item in enumerate(items):
        if index:
            comma = _skip(text, at)
            if not text.startswith(",", comma):
                return at, False
            at = comma + 1
        at, complete = _value(text, at, item)
        if not complete:
            return at, False
    return _closing(text, at, "]")


def _object(text: str, at: int, pairs: dict[str, Any]) -> _At:
    if not text.startswith("{", at):
        return at, False
    at += 1
    left = dict(pairs)
    while left:
        at, key = _key(text, at, left, first=len(left) == len(pairs))
        if key is None:
            return at, False
        colon = _skip(text, at)
        if not text.startswith(":", colon):
            return at, False
        at, complete = _value(text, colon + 1, left.pop(key))
        if not complete:
            return at, False
    return _closing(text, at, "}")


def _key(text: str, at: int, left: dict[str, Any], *, first: bool) -> tuple[int, str | None]:
    if not first:
        comma = _skip(text, at)
        if not text.startswith(",", comma):
            return at, None
        at = comma + 1
    start = _skip(text, at)
    literal = _STRING.match(text, start)
    if literal is not None and (key := json.loads(literal.group())) in left:
        return literal.end(), key
    end = max((_string(text, start, key)[0] for key in left), default=start)
    return (at if end == start else end), None


def _closing(text: str, at: int, bracket: str) -> _At:
    end = _skip(text, at)
    return (end + 1, True) if text.startswith(bracket, end) else (at, False)


def _common(text: str, at: int, literal: str) -> int:
    for index, char in enumerate(literal):
        if not text.startswith(char, at + index):
            return index
    return len(literal)
