"""Loads what every run of the linter needs."""

from __future__ import annotations

import gc
from functools import cache


@cache
def load() -> None:
    """Load the linter and its rules, and let no collection look for garbage among them.

    Measured: it would cost a tenth of a short run, most of it when the process ends.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        from ..engine import run as linting
        from ..rules import own_rules

        assert linting.Linter  # noqa: S101 - it is loaded for later
        own_rules()
        gc.freeze()
    finally:
        if collects:
            gc.enable()
