"""Stops a rule of another package that takes too long; ours ask the clock themselves."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from ..inference.syntax.memo import OutOfTime

_OWN = __name__.partition(".")[0]
_AGAIN = 0.5
"""Seconds after which a rule that has caught the first signal gets another one."""


def within_limit(check: Callable[..., Any], deadline: float) -> AbstractContextManager[None]:
    """Return what runs a rule's function: if it is another package's, until the deadline.

    Args:
        check: of the rule.
        deadline: on the clock of ``time.monotonic``, in seconds.

    Raises:
        OutOfTime: in the body, also while it waits; in another thread than the first and on
            Windows between two steps of Python, where one long call into C ends first.
    """
    if getattr(check, "__module__", "").partition(".")[0] == _OWN:
        return nullcontext()
    seconds = max(0.001, deadline - time.monotonic())
    first = threading.current_thread() is threading.main_thread()
    if first and hasattr(signal, "setitimer"):
        return _signalled_after(seconds)
    return _interrupted_after(seconds)


@contextmanager
def _signalled_after(seconds: float) -> Generator[None]:
    """Let a signal stop the body: it ends what waits, and long matches of a pattern too."""
    is_running = True

    def stop(*_: object) -> None:
        if is_running:
            raise OutOfTime

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        try:
            yield
        finally:
            is_running = False
    finally:  # also if a signal has come in the line above
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before or signal.SIG_DFL)


@contextmanager
def _interrupted_after(seconds: float) -> Generator[None]:
    import ctypes  # takes longer than the rest of a run on a small tree

    thread = ctypes.c_ulong(threading.get_ident())
    lock = threading.Lock()
    is_over = False

    def stop() -> None:
        with lock:
            if not is_over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(OutOfTime))

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            is_over = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)  # what is on its way
        timer.cancel()
