"""The values that an expression may have, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from .limits import VALUES
from .values import (
    UNKNOWN,
    Alternative,
    Const,
    Display,
    EnumMember,
    Function,
    Namespace,
    Sdk,
    Value,
)

_FRAMED = frozenset({Display, Function, Namespace})
_WHOLE = frozenset({tuple, list})


def distinct(items: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """Keep one alternative, the one with the shortest way, for each value."""
    if type(items) in _WHOLE and len(items := tuple(items)) < 2:
        return items
    rest = iter(items)
    start = tuple(islice(rest, 2))
    if len(start) < 2:
        return start
    kept: dict[object, Alternative] = {}
    for item in chain(start, rest):
        value = item.value
        key: object = value
        if type(value) is Const or type(value) is EnumMember:
            key = (type(value.value), value.value)
        elif type(value) in _FRAMED:
            key = (value, id(item.frame))
        if key not in kept or len(item.via) < len(kept[key].via):
            kept[key] = item
        if len(kept) > VALUES:
            kept[Value] = Alternative(UNKNOWN)
            break
    return tuple(kept.values())


def proved(items: Iterable[Alternative]) -> list[Alternative]:
    """Leave out guesses where a handler proves what comes: a dead helper casts no doubt on it."""
    found = list(items)
    objects = [item.value for item in found if isinstance(item.value, Sdk)]
    known = {value.cls for value in objects if value.certain}
    if len(objects) < 2 or not known:
        return found
    return [
        item
        for item in found
        if not isinstance(item.value, Sdk) or item.value.certain or item.value.cls not in known
    ]


def replaced(item: Alternative, value: Value) -> Alternative:
    """Return the alternative with another value, on the same way."""
    return Alternative(value, item.via, item.origin, item.frame)


def carried(inside: Iterable[Alternative], base: Alternative) -> Iterator[Alternative]:
    """Yield what a container holds, on the way by which the container came."""
    for each in inside:
        via = (*each.via, *base.via)
        yield Alternative(each.value, via, each.origin or base.origin, each.frame)


def is_same_way(one: Alternative, other: Alternative) -> bool:
    """Tell whether one run can meet either value: the calls to one lead to the other as well."""
    short, long = sorted((one.via, other.via), key=len)
    return long[len(long) - len(short) :] == short
