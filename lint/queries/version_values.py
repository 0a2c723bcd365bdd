"""The few operations with which programs take a version apart and compare it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ..model.narrowing import COMPARISONS
from ..sdk.releases import version_key

_TEXTS = frozenset({"split", "rsplit", "partition", "strip", "lstrip", "rstrip", "replace",
                    "removeprefix", "startswith", "endswith", "isdigit", "isnumeric",
                    "isdecimal"})  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "int": int,
    "str": str,
    "float": float,
    "tuple": tuple,
    "list": list,
    "Version": version_key,
    "parse": version_key,
    "parse_version": version_key,
    "LooseVersion": version_key,
    "StrictVersion": version_key,
}


class Unreadable(Exception):
    """An expression is worth nothing that is known."""


def items_of(value: Any) -> list[object]:
    """Return the items of a text, list or tuple.

    Raises:
        Unreadable: It is none of them.
    """
    if not isinstance(value, str | list | tuple):
        raise Unreadable
    return [*value]  # pyright: ignore[reportUnknownVariableType]


def compared(how: ast.cmpop, left: Any, right: Any) -> object:
    """Return the outcome of a comparison.

    Raises:
        Unreadable: The operator compares objects, not what they are worth, or is a new one.
        TypeError: The values cannot be compared.
    """
    if isinstance(how, ast.Is | ast.IsNot) or type(how) not in COMPARISONS:
        raise Unreadable
    return COMPARISONS[type(how)](left, right)


def item_of(value: Any, index: Any) -> object:
    """Return an item or a slice of a text, list or tuple.

    Raises:
        Unreadable: It is none of them.
        LookupError: It has no such item.
    """
    if not isinstance(value, str | list | tuple):
        raise Unreadable
    return value[index]  # pyright: ignore[reportUnknownVariableType]


def called(name: str, *given: Any, method: bool = False) -> object:
    """Return the result of a function, or of a text's method, by its name.

    Args:
        name: of the function or method.
        given: the arguments; of a method the text comes first.
        method: whether it is a method.

    Raises:
        Unreadable: It is none of those with which versions are taken apart.
        ValueError: The function refuses the values.
    """
    if method:
        if name not in _TEXTS or not isinstance(given[0], str):
            raise Unreadable
        return getattr(given[0], name)(*given[1:])
    if name not in _FUNCTIONS:
        raise Unreadable
    return _FUNCTIONS[name](*given)
