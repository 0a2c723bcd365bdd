"""Which arguments fit the one function whose schema demands something."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec

from .json_values import is_object
from .scenario import STRICT

_REQUIRED = ("title", "tags")
_TYPES: dict[str, tuple[Any, str]] = {
    "title": (str, "a text"),
    "tags": (list[str], "a list of texts"),
    "due": (date, "a date such as 2026-05-15"),
    "message_id": (str, "a text"),
}


def misfits(function: str, args: Any) -> dict[str, str]:
    """Return the fields that do not fit a function's schema, each with what is wrong with it."""
    if function != STRICT.name:
        return {}
    given = args if is_object(args) else {}
    wrong = {name: "is missing" for name in _REQUIRED if name not in given}
    for name, value in given.items():
        if name not in _TYPES:
            wrong[name] = "is no argument"
        elif not _fits(name, value):
            wrong[name] = f"must be {_TYPES[name][1]}"
    return wrong


def _fits(name: str, value: Any) -> bool:
    try:
        msgspec.convert(value, _TYPES[name][0])
    except msgspec.ValidationError:
        return False
    return True
