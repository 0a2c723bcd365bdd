"""Tries failures on a kernel that was just started: what earlier scenarios left cannot help there.

A kernel in which state outlives a scenario can show a failure in a scenario that does not have
what makes it fail: another user's entry, say, which the scenario before has left. Whoever runs
it alone then sees the promise kept, and takes the bug for mended.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from ..driving.session import Session

T = TypeVar("T")


class Afresh:
    """Starts a kernel afresh, as long as it may.

    Args:
        session: the kernel.
        seconds: how long starting it, and the scenario after, may take in all.

    Attributes:
        outlives: whether a failure was seen that ends when the kernel is started afresh.
    """

    def __init__(self, session: Session, seconds: float = math.inf) -> None:
        self._session = session
        self._left = seconds
        self.outlives = False

    def shows(self, shown: Callable[[], bool]) -> bool | None:
        """Return whether a failure shows in a kernel that was just started.

        ``None`` where nobody can say: the kernel is not ours to start, or there is no time left.

        Args:
            shown: runs the scenario and says whether it fails.
        """
        with self.begun() as begun:
            found = shown() if begun else None
        self.outlives = self.outlives or found is False
        return found

    @contextmanager
    def begun(self) -> Generator[bool]:
        """Start the kernel afresh for what follows; yield whether it is."""
        begun = self._left > 0 and self._session.renew()
        started = time.monotonic()
        yield begun
        if begun:
            self._left -= time.monotonic() - started

    def last(self, made: Sequence[T], shown: Callable[[T], bool]) -> T:
        """Return the last of what was made smaller and smaller that shows the failure alone.

        Args:
            made: scenarios; the first one is known to show it alone.
            shown: runs one and says whether it fails.
        """
        if len(made) == 1:
            return made[0]
        alone = self.shows(lambda: shown(made[-1]))
        if alone or (alone is None and not self.outlives):
            return made[-1]
        known, beyond = 0, len(made) - 1
        while beyond - known > 1:
            middle = (known + beyond) // 2
            if self.shows(lambda each=made[middle]: shown(each)):
                known = middle
            else:
                beyond = middle
        return made[known]
