"""What must still be done when a signal is about to end us without any exit handler."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

_FATAL = (signal.SIGTERM, signal.SIGHUP)

_last_acts: list[Callable[[], object]] = []


def before_dying(act: Callable[[], object]) -> None:
    """Have a function called before SIGTERM or SIGHUP ends us; a function is called once.

    Takes over those signals for which nobody else has a handler.
    """
    if act not in _last_acts:
        _last_acts.append(act)
    if threading.current_thread() is not threading.main_thread():
        return
    for number in _FATAL:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, die)


def die(number: int, _frame: FrameType | None) -> None:
    """End by a signal, after what must still be done."""
    for act in _last_acts:
        act()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
