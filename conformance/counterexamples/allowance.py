"""How much a run may do for the sake of smaller counterexamples.

It is counted in scenarios, so that one seed gives the same counterexamples on any machine; the
time only counts where the run was given a time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from ..settings.options import RunOptions
from .reduce import BUDGET

_LEAST = 2 * BUDGET
"""Scenarios that reducing may take however short the run was."""

_FOR_CAUSES = 1 / 3
"""Share that is kept for finding failures with one cause."""


class Spent(Exception):
    """No more scenarios may be run for the sake of smaller counterexamples."""


@dataclass
class Allowance:
    """Scenarios that may still be run.

    Attributes:
        left: how many; ``None`` if that is not limited.
        each: how many to make one failure small.
        until: when it ends at the latest, by ``time.monotonic``.
    """

    left: int | None = None
    each: int = BUDGET
    until: float | None = None

    @property
    def most(self) -> int:
        """How many scenarios one failure may take as it stands."""
        return self.each if self.left is None else min(self.each, self.left)

    def over(self) -> bool:
        """Return whether its time is up."""
        return self.until is not None and time.monotonic() >= self.until

    def end_sooner(self, seconds: float) -> None:
        """Leave so much of its time for something else."""
        if self.until is not None:
            self.until -= seconds

    def take(self) -> None:
        """Count one more scenario. Raises ``Spent`` if that is one too many."""
        if self.over() or self.left == 0:
            raise Spent
        if self.left is not None:
            self.left -= 1

    def part(self, share: float) -> Allowance:
        """Take out a share of what is left, for one purpose; see ``give_back``."""
        until = self.until
        if until is not None:
            now = time.monotonic()
            until = now + max(until - now, 0) * share
        if self.left is None:
            return Allowance(None, self.each, until)
        given = int(self.left * share)
        self.left -= given
        return Allowance(given, self.each, until)

    def give_back(self, other: Allowance) -> None:
        """Take back what is left of a part."""
        if self.left is not None and other.left is not None:
            self.left += other.left


def allowance(options: RunOptions, ran: int, until: float | None) -> Allowance:
    """Return what a run may do: half as many scenarios as it has run, so a third of all.

    Args:
        options: of the run; a number of their own for each failure lifts the common limit.
        ran: scenarios that it has run.
        until: when the run has to end, by ``time.monotonic``; ``None`` if it may take long.
    """
    if options.reduce is not None:
        return Allowance(None, options.reduce, until)
    return Allowance(max(ran // 2, _LEAST), BUDGET, until)


def for_causes(whole: Allowance) -> Allowance:
    """Take out what finding common causes may use; it has the time that is left at the end."""
    causes = whole.part(_FOR_CAUSES)
    causes.until = whole.until
    return causes
