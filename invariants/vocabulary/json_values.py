"""JSON values as the documents compare them: parsed, never as text.

Numbers are equal by value (``1`` is ``1.0``, ``-0.0`` is ``0``), exactly at any size; a
boolean is never a number; the order of keys is free.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import copysign, isfinite
from typing import Any, TypeAlias, TypeGuard, cast

_SAFE_WORD = re.compile(r"[a-z]{1,12}")
_SAFE_KEY = re.compile(r"[a-z][a-z_]{0,19}")
_SAFE_INTEGER = 10**6
_MOST_DIGITS = 4_000  # Python itself reads and writes whole numbers of 4,300 digits
_PLAIN_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[ _][A-Za-z0-9]+)*")
_PLAIN_DEPTH = 3

MEANINGFUL = frozenset(
    (
        *("null", "none", "nil", "undefined", "true", "false", "yes", "no", "on", "off"),
        *("nan", "inf", "infinity", "constructor", "prototype", "tostring", "valueof"),
    )
)
"""Words, in lower case, that some language or store takes for something else than a word."""

_KINDS: dict[type[object], str] = {
    dict: "object",
    list: "list",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}

_Container: TypeAlias = "dict[str, Any] | list[Any]"


@dataclass(frozen=True)
class Difference:
    """One place where two values differ.

    Attributes:
        path: keys and indexes from the root.
        kind: the kind of difference, such as ``key lost`` or ``boolean as number``.
        expected: the given value there, or ``None`` where nothing was given.
        got: the other value there, or ``None`` where it is missing.
    """

    path: tuple[str | int, ...]
    kind: str
    expected: Any
    got: Any

    @property
    def is_loss(self) -> bool:
        """Whether less is shown, rather than something else: a field, an item, an end of text."""
        if self.kind in ("key lost", "item lost"):
            return True
        texts = isinstance(self.expected, str) and isinstance(self.got, str)
        return texts and self.expected.startswith(self.got[: len(self.got) // 2])

    @property
    def where(self) -> str:
        """The path as people write it, e.g. ``$.items[3].id``."""
        return "$" + "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in self.path)


class DuplicateKey(ValueError):
    """A JSON object names a key twice, so its value is not defined."""


def parse(text: str) -> Any:
    """Parse one JSON value.

    Raises:
        ValueError: the text is not JSON, has a repeated key, or holds NaN or Infinity.
        RecursionError: it is nested beyond what the interpreter reads.
    """
    return _DECODER.decode(text)


def parse_leading(text: str) -> tuple[Any, str]:
    """Parse the JSON value at the start of the text; return it and the text behind it.

    Raises:
        ValueError: no JSON value stands there.
    """
    value, end = parse_at(text, len(text) - len(text.lstrip()))
    return value, text[end:].strip()


def parse_at(text: str, start: int) -> tuple[Any, int]:
    """Parse the JSON value that begins at a place; return it and where it ends.

    Raises:
        ValueError: no JSON value begins there.
    """
    return _DECODER.raw_decode(text, start)


def differences(given: Any, got: Any, *, safe_only: bool = False) -> Iterator[Difference]:
    """Yield where ``got`` differs from ``given``.

    Args:
        given: the value that the suite gave.
        got: the value that the kernel showed.
        safe_only: compare only what no masking may touch: structure, booleans, null,
            small integers, short lower-case words (``facts``: masking is on).
    """
    yield from _differences(given, got, (), safe_only)


def equal(given: Any, got: Any) -> bool:
    """Whether the two values are equal as JSON values: ``differences`` yields nothing."""
    if is_object(given) and is_object(got):
        return given.keys() == got.keys() and all(equal(v, got[k]) for k, v in given.items())
    if is_list(given) and is_list(got):
        return len(given) == len(got) and all(map(equal, given, got))
    return kind_of(given) == kind_of(got) and given == got


def whole_numbers_kept(given: Any, got: Any) -> bool:
    """Whether no whole number of an equal value is written with a fraction."""
    if is_object(given) and is_object(got):
        return all(whole_numbers_kept(item, got[key]) for key, item in given.items())
    if is_list(given) and is_list(got):
        return all(map(whole_numbers_kept, given, got))
    return type(given) is not int or type(got) is int


def zero_signs_kept(given: Any, got: Any) -> bool:
    """Whether each negative zero of an equal value is one."""
    if is_object(given) and is_object(got):
        return all(zero_signs_kept(item, got[key]) for key, item in given.items())
    if is_list(given) and is_list(got):
        return all(map(zero_signs_kept, given, got))
    return type(given) is not float or given != 0 or copysign(1, given) == copysign(1, got)


def is_safe(leaf: Any) -> bool:
    """Whether masking must leave this leaf alone."""
    if leaf is None or isinstance(leaf, bool):
        return True
    if isinstance(leaf, int):
        return abs(leaf) < _SAFE_INTEGER
    return isinstance(leaf, str) and (leaf == "" or _SAFE_WORD.fullmatch(leaf) is not None)


def is_plain(value: Any) -> bool:
    """Whether nothing about a value can be what a kernel stumbles over.

    A small object, in it perhaps a list, of words and whole numbers that mean nothing else.
    """
    return is_object(value) and bool(value) and depth(value) <= _PLAIN_DEPTH and _all_plain(value)


def _all_plain(value: Any) -> bool:
    if isinstance(value, str):
        return _PLAIN_TEXT.fullmatch(value) is not None and value.lower() not in MEANINGFUL
    if is_object(value):
        return bool(value) and all(map(_all_plain, (*value, *value.values())))
    if is_list(value):
        return bool(value) and all(map(_all_plain, value))
    return type(value) is int and 0 <= value < _SAFE_INTEGER


def depth(value: Any) -> int:
    """Levels of nesting: 0 for a leaf, 1 for a flat object."""
    levels, layer = 0, _containers((value,))
    while layer:
        levels += 1
        layer = [inner for node in layer for inner in _containers(_items(node))]
    return levels


def leaves(value: Any) -> list[Any]:
    """Return every leaf and every empty container, in no particular order."""
    found: list[Any] = []
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, (dict, list)) and node:
            stack.extend(_items(cast("_Container", node)))
        else:
            found.append(node)
    return found


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a parsed value is an object."""
    return isinstance(value, dict)


def is_list(value: Any) -> TypeGuard[list[Any]]:
    """Whether a parsed value is a list."""
    return isinstance(value, list)


def kind_of(value: object) -> str:
    """The JSON kind of a value: object, list, string, boolean, number or null.

    What is none of them, such as what stands for a text that cannot be read, is ``no JSON``.
    """
    return _KINDS.get(type(value), "no JSON")


def _differences(
    given: Any, got: Any, path: tuple[str | int, ...], safe_only: bool
) -> Iterator[Difference]:
    kind, other = kind_of(given), kind_of(got)
    if kind == "object" and other == "object":
        yield from _object_differences(given, got, path, safe_only)
    elif kind == "list" and other == "list":
        yield from _list_differences(given, got, path, safe_only)
    elif kind in ("object", "list") or not safe_only or is_safe(given):
        if kind != other:
            yield Difference(path, f"{kind} as {other}", given, got)
        elif given != got:
            yield Difference(path, f"{kind} changed", given, got)


def _object_differences(
    given: dict[str, Any], got: dict[str, Any], path: tuple[str | int, ...], safe_only: bool
) -> Iterator[Difference]:
    renamed = False
    for key, value in given.items():
        if safe_only and _SAFE_KEY.fullmatch(key) is None:
            renamed = True
        elif key not in got:
            yield Difference((*path, key), "key lost", value, None)
        else:
            yield from _differences(value, got[key], (*path, key), safe_only)
    for key, other in got.items():
        if key not in given and not renamed:
            yield Difference((*path, key), "key added", None, other)


def _list_differences(
    given: list[Any], got: list[Any], path: tuple[str | int, ...], safe_only: bool
) -> Iterator[Difference]:
    for index, (item, other) in enumerate(zip(given, got, strict=False)):
        yield from _differences(item, other, (*path, index), safe_only)
    for index in range(len(got), len(given)):
        yield Difference((*path, index), "item lost", given[index], None)
    for index in range(len(given), len(got)):
        yield Difference((*path, index), "item added", None, got[index])


def _containers(values: Iterable[Any]) -> list[_Container]:
    return [value for value in values if isinstance(value, (dict, list))]


def _items(container: _Container) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise DuplicateKey("a key stands twice in one object")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _number(text: str) -> float:
    """Return a number with a point or an exponent; one beyond every float as a whole number."""
    number = float(text)
    if isfinite(number):
        return number
    exact = Decimal(text)
    if exact.adjusted() > _MOST_DIGITS:
        raise ValueError(f"a number with the exponent {exact.adjusted():,} is larger than we read")
    return int(exact)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique_pairs, parse_constant=_refuse_constant, parse_float=_number
)
