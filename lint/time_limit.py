"""Stops a rule of another package that takes too long; ours ask the clock themselves."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from .model.clock import OutOfTime

_OWN = __name__.partition(".")[0]


def within_limit(check: Callable[..., Any], deadline: float) -> AbstractContextManager[None]:
    """Return what runs a rule's function: if it is another package's, until the deadline.

    Args:
        check: of the rule.
        deadline: on the clock of ``time.monotonic``, in seconds.

    Raises:
        OutOfTime: in the body, between two steps of Python; one long call into C ends first.
    """
    is_own = getattr(check, "__module__", "").partition(".")[0] == _OWN
    return nullcontext() if is_own else _stopped_at(deadline)


@contextmanager
def _stopped_at(deadline: float) -> Generator[None]:
    import ctypes  # takes longer than the rest of a run on a small tree

    thread = ctypes.c_ulong(threading.get_ident())
    lock = threading.Lock()
    is_over = False

    def stop() -> None:
        with lock:
            if not is_over:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(OutOfTime))

    timer = threading.Timer(max(0.0, deadline - time.monotonic()), stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with lock:
            is_over = True
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, None)  # what is on its way
        timer.cancel()
