"""Tells on a terminal how an audit goes on: what was read and judged, and how fast."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager

from .auditing import Progress, silent

_EVERY = 0.2


@contextmanager
def watching(*, quiet: bool = False) -> Generator[Progress]:
    """Give what is to be told of the progress; nothing is shown where nobody watches or asks."""
    if quiet or not sys.stderr.isatty():
        yield silent
        return
    began = time.monotonic()
    shown = 0.0

    def tell(phase: str, done: int, of: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown < _EVERY and done < of:
            return
        shown = now
        rate = done / max(now - began, 0.001)
        left = (of - done) / max(rate, 0.001)
        text = f"{phase} {done:,} of {of:,}, {rate:,.1f} a second, {left:,.0f} s to go"
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
