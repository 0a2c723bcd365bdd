"""Ctrl-C is never lost.

Python raises KeyboardInterrupt wherever the main thread happens to be. In a callback of the
garbage collector or in a finaliser it is printed and dropped, and the run would go on as if
nothing had been pressed. So it is also remembered, and raised again at the next scenario
instead of being printed.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType


class _Key:
    """Whether Ctrl-C was pressed: a plain value, since a handler must not wait for any lock."""

    pressed = False


@contextmanager
def remembered() -> Generator[None]:
    """Remember Ctrl-C inside the block; outside the main thread nothing changes.

    A handler of the caller's own is left in place.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    _Key.pressed = False
    printing = sys.unraisablehook

    def leave_interrupts_out(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not KeyboardInterrupt:
            printing(dropped)

    sys.unraisablehook = leave_interrupts_out
    signal.signal(signal.SIGINT, _remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = printing
        _Key.pressed = False


def raise_if_pressed() -> None:
    """Raise KeyboardInterrupt if Ctrl-C was pressed, whether or not it came through before."""
    if _Key.pressed:
        raise KeyboardInterrupt


@contextmanager
def recognised() -> Generator[None]:
    """Turn what a library made of Ctrl-C, such as a failed assertion, back into it."""
    try:
        yield
    except Exception:
        raise_if_pressed()
        raise


def _remember(number: int, frame: FrameType | None) -> None:
    _Key.pressed = True
    signal.default_int_handler(number, frame)
