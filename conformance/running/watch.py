"""What a run is asked to stop at, and what it tells meanwhile: failures, time, scenarios done."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import Literal, NamedTuple

from ...invariants.vocabulary.verdict import Violation
from ..counterexamples.confirm import CONFIRMATIONS
from ..settings.options import RunOptions

Why = Literal["failures", "time"]

CONFIRMING_SHARE, EACH_SHARE = 1 / 3, 1 / 30
"""Share of ``--time`` that is kept for confirming and reducing: at most, and at least for each
clause that was seen to fail; more where repeating it takes longer."""


class Enough(BaseException):
    """A limit is reached. No ``Exception``, so that Hypothesis takes it for no failure of a test.

    Attributes:
        why: which limit.
    """

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


class Known(NamedTuple):
    """What a watch has seen; see ``Watch``."""

    started: float
    broken: frozenset[str]
    deciding: frozenset[str] | None
    covered: frozenset[tuple[str, str]]


class Watch:
    """Counts what a run comes to, tells it on, and ends the run at its limits.

    Args:
        options: those of the run.
        advanced: is told the invariant and how many more of its scenarios are done.
        failed: is told the first violation of each clause that decides over the run.
        stage: is told what begins, and how many scenarios or failures it has, if that is known.
        started: when the run began, by ``time.monotonic``.
        reducing: is told of a clause whose failure is made small how many scenarios were tried,
            and how many may be.
    """

    def __init__(
        self,
        options: RunOptions,
        advanced: Callable[[str, int], None] = lambda _invariant, _count: None,
        failed: Callable[[Violation], None] = lambda _violation: None,
        stage: Callable[[str, int | None], None] = lambda _name, _total: None,
        started: float | None = None,
        reducing: Callable[[str, int, int], None] = lambda _clause, _tried, _most: None,
    ) -> None:
        self._most = 1 if options.fail_fast else options.max_failures
        self._seconds = options.seconds
        self.started = time.monotonic() if started is None else started
        self._failed = failed
        self._broken: set[str] = set()
        self._deciding: Collection[str] | None = None
        self._covered: Collection[tuple[str, str]] = frozenset()
        self._advanced, self._ran = advanced, 0
        self._stage = stage
        self.reducing = reducing

    def stage(self, name: str, total: int | None) -> None:
        """Tell on what begins, unless there is nothing in it.

        Args:
            name: what it is.
            total: scenarios or failures that it has; ``None`` if only the time ends it.
        """
        if total != 0:
            self._stage(name, total)

    def advanced(self, invariant: str, count: int) -> None:
        """Tell on that so many more scenarios of an invariant are done."""
        self._ran += count
        self._advanced(invariant, count)

    def counts(self, deciding: Collection[str], covered: Collection[tuple[str, str]]) -> None:
        """Say what ``--max-failures`` counts.

        Args:
            deciding: ids of the clauses that decide over the run.
            covered: clause and kind of each failure that a waiver accepts.
        """
        self._deciding, self._covered = deciding, covered

    def known(self) -> Known:
        """Return what a watch in another process has to know of this one."""
        deciding = None if self._deciding is None else frozenset(self._deciding)
        return Known(self.started, frozenset(self._broken), deciding, frozenset(self._covered))

    @classmethod
    def elsewhere(cls, options: RunOptions, known: Known) -> Watch:
        """Return a watch that goes on in another process."""
        watch = cls(options, started=known.started)
        watch._broken |= known.broken
        watch._deciding, watch._covered = known.deciding, known.covered
        return watch

    def failed(self, violation: Violation) -> None:
        """Count a violation; tell it on if it is the first of a clause that decides."""
        known = (violation.clause, violation.kind) in self._covered
        if known or violation.clause in self._broken:
            return
        self._broken.add(violation.clause)
        if self._deciding is None or violation.clause in self._deciding:
            self._failed(violation)

    @property
    def limit(self) -> float | None:
        """When the whole run has to end, by ``time.monotonic``; ``None`` if it may take long."""
        return None if self._seconds is None else self.started + self._seconds

    @property
    def exploring_ends(self) -> float | None:
        """When scenarios have to end, so that what they have shown can be confirmed in time."""
        if self.limit is None or self._seconds is None:
            return None
        spent = time.monotonic() - self.started
        repeating = 2 * CONFIRMATIONS * spent / max(self._ran, 1)
        each = max(self._seconds * EACH_SHARE, repeating)
        return self.limit - min(self._seconds * CONFIRMING_SHARE, len(self._broken) * each)

    @property
    def enough(self) -> bool:
        """Whether as many clauses were seen to fail as the run is to show."""
        return self._most is not None and len(self._counted()) >= self._most

    def check_failures(self) -> None:
        """Raise ``Enough`` if as many clauses were seen to fail as the run is to show."""
        if self.enough:
            raise Enough("failures")

    def check(self) -> None:
        """Raise ``Enough`` if a limit of the whole run is reached."""
        self.check_failures()
        if self.exploring_ends is not None and time.monotonic() >= self.exploring_ends:
            raise Enough("time")

    def over(self) -> bool:
        """Return whether the time of the whole run is up."""
        return self.limit is not None and time.monotonic() >= self.limit

    def _counted(self) -> set[str]:
        if self._deciding is None:
            return self._broken
        return {clause for clause in self._broken if clause in self._deciding}
