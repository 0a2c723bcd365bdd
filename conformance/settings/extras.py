"""Packages that only some commands need, each in an extra."""

from __future__ import annotations

import importlib

from ...invariants.vocabulary.errors import UsageError


def extra(module: str, name: str = "audit") -> object:
    """Return a module of an extra.

    Raises:
        UsageError: it is not installed.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(
            f"this needs the package {module.partition('.')[0]}: pip install 'fedcheck[{name}]'"
        ) from None
