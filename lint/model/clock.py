"""How much time a file has left."""

from __future__ import annotations

import time


class OutOfTime(Exception):
    """The file needs more time than it may have."""


class Clock:
    """Counts the time of one file.

    Attributes:
        deadline: when it is over by the clock, in seconds of ``time.monotonic``. What waits for
            others is held to it; what computes is not, for a busy machine makes it no slower.
    """

    def __init__(self) -> None:
        self.deadline = float("inf")
        self._computed = float("inf")

    def start(self, seconds: float) -> None:
        """Begin a file.

        Args:
            seconds: of this thread's CPU time.
        """
        self.deadline = time.monotonic() + seconds
        self._computed = time.thread_time() + seconds

    def tick(self) -> None:
        """Stop when the file's time is over.

        Raises:
            OutOfTime: This thread has computed for as long as it may.
        """
        # The clock is six times as quick to read as the thread's CPU time, and never behind it.
        if time.monotonic() > self.deadline and time.thread_time() > self._computed:
            raise OutOfTime
