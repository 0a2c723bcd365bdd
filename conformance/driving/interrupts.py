"""Ctrl-C is never lost; SIGTERM and SIGHUP mean the same.

Python raises KeyboardInterrupt wherever the main thread happens to be. In a callback of the
garbage collector or in a finaliser it is printed and dropped, and the run would go on as if
nothing had been pressed. So it is also remembered, and raised again at the next scenario
instead of being printed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType

from ..adapters.fatal import die


class _Key:
    """Whether Ctrl-C was pressed: a plain value, since a handler must not wait for any lock."""

    pressed = False


STOPPING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The signals that end a run early: Ctrl-C, the end of a CI job, a terminal that is closed."""


@contextmanager
def remembered() -> Generator[None]:
    """Remember Ctrl-C inside the block, and take SIGTERM and SIGHUP for it.

    Outside the main thread nothing changes. A handler of the caller's own is left in place, and
    so is a signal that is ignored, as ``nohup`` has it. That of an adapter is taken over: what it
    does is done when the adapter is closed.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    before = {number: signal.getsignal(number) for number in STOPPING} if in_main_thread else {}
    usual = (signal.SIG_DFL, signal.default_int_handler, die)
    ours = {number: handler for number, handler in before.items() if handler in usual}
    if not ours:
        yield
        return
    _Key.pressed = False
    printing = sys.unraisablehook

    def leave_interrupts_out(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not KeyboardInterrupt:
            printing(dropped)

    sys.unraisablehook = leave_interrupts_out
    for number in ours:
        signal.signal(number, _remember)
    try:
        yield
    finally:
        for number, handler in ours.items():
            signal.signal(number, handler)
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


def become_worker(parent: int) -> None:
    """In a new process: leave it to the parent what Ctrl-C means, and end with it.

    Args:
        parent: its process id.
    """
    from ..adapters.supervisor import die_with

    for number in STOPPING:
        if number != signal.SIGTERM:  # by which the parent ends us
            signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # held back while we started
    die_with(parent, signal.SIGKILL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the pipe that only the parent holds, on any system."""
    import multiprocessing

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
    os._exit(1)
