"""The table of what the standard library's functions and methods return."""

from __future__ import annotations

from importlib import import_module

import pytest

from fedcheck.lint.inference.values.standard_types import (
    RESULTS,
    class_name,
    standard_class,
)


def _resolved(name: str) -> object:
    """Return what a dotted name stands for."""
    parts = name.split(".")
    found: object = import_module("builtins")
    if len(parts) > 1 and parts[0] != "dict":
        found = import_module(parts.pop(0))
    for part in parts:
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("name", RESULTS)
def test_what_makes_values_is_there(name: str) -> None:
    """Each callee exists in the standard library, and so does the class of its results."""
    assert callable(_resolved(name))
    assert standard_class(RESULTS[name]) is not None


@pytest.mark.parametrize(
    ("made", "cls"),
    [
        ("datetime.datetime.now", "datetime.datetime"),
        ("datetime.datetime.now().date", "datetime.date"),
        ("datetime.datetime.now().replace().isoformat", "str"),
        ("hashlib.sha256().digest", "bytes"),
        ("uuid.uuid4", "uuid.UUID"),
        ("datetime.date", "datetime.date"),
        ("orjson.loads", "orjson.loads"),
    ],
)
def test_methods_of_times_make_times(made: str, cls: str) -> None:
    """What a method returns is told by the class that it is called on."""
    assert cls == class_name(made)
