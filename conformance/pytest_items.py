"""What the items of the pytest plug-in do; imported when a clause is collected, not before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import pytest
from msgspec.structs import replace

from ..invariants.catalog import catalog, clauses
from ..invariants.vocabulary.errors import FedcheckError, KernelError
from ..invariants.vocabulary.verdict import Verdict, Violation
from ..reports.console.escape import printable_lines
from ..reports.record.model import BodyLine, ClauseResult, Header, RunRecord
from ..reports.wording.narrative import Told, tell_clause, tell_counterexample, tell_incident
from .driving.plan import plan_run
from .running.suite import run_suite
from .settings.options import RunOptions

KERNEL_ITEM = "kernel"
"""The item about the kernel as a whole."""

_ERROR_LINES = 40

_RECORDS = pytest.StashKey[dict[tuple[str, str, str], RunRecord]]()
_LOST = pytest.StashKey[dict[tuple[str, str], str]]()


def item_names() -> list[str]:
    """Return the names of the items: the kernel, then every clause of the catalog."""
    return [KERNEL_ITEM, *clauses(catalog())]


@dataclass(frozen=True)
class JudgedItem:
    """A clause and the kernel to judge by it.

    Attributes:
        name: id of the clause, or ``KERNEL_ITEM``.
        given: the fields of ``RunOptions`` that were set.
        config: of the pytest run; it remembers what is known by now.
    """

    name: str
    given: dict[str, Any]
    config: pytest.Config

    def check(self) -> None:
        """Judge; fails, skips or expects to fail as the verdict says."""
        options = RunOptions(**self.given)
        lost = self.config.stash.setdefault(_LOST, {})
        kernel = (options.kernel, options.python)
        if kernel not in lost:
            try:
                self._check(options)
            except FedcheckError as error:
                # Kept: a kernel that hangs at its start would cost every item the deadline.
                lost[kernel] = _lost(options.kernel, error)
            else:
                return
        _fail(lost[kernel])

    def _check(self, options: RunOptions) -> None:
        if self.name == KERNEL_ITEM:
            _check_kernel(options)
        else:
            self._check_clause(options)

    def _check_clause(self, options: RunOptions) -> None:
        record = self._record(options, self.name.partition("/")[0])
        result = next(each for each in record.clauses if each.clause == self.name)
        if result.effective is Verdict.NOT_CLAIMED:
            pytest.skip(result.reason)
        if result.red:
            _fail(_explained(record, result))
        if result.effective.red:
            pytest.xfail(_explained(record, result))

    def _record(self, options: RunOptions, invariant: str) -> RunRecord:
        """Judge the whole invariant once, and remember it for the clause's neighbours."""
        known = self.config.stash.setdefault(_RECORDS, {})
        key = (options.kernel, options.python, invariant)
        if key not in known:
            record = run_suite(replace(options, select=(invariant,)), _Silent())
            if record.summary.interrupted:
                raise KeyboardInterrupt
            known[key] = record
        return known[key]


def _check_kernel(options: RunOptions) -> None:
    """Fail where a run of all clauses is not green although each of its clauses may be."""
    with plan_run(options) as plan:
        claimed = ", ".join(plan.description.capabilities) or "nothing"
        judged = any(clause in plan.requirements.clauses for clause in plan.session.clauses)
        deviations = [
            f"{name} = {declared!r}, where the documents say {documented!r}"
            for name, (documented, declared) in plan.deviations.items()
        ]
        lacking = ", ".join(x for x in plan.must_claim if x not in plan.description.capabilities)
    if lacking:
        _fail(f"the kernel does not claim {lacking}, which must_claim demands")
    if not judged:
        _fail(f"nothing is judged: the kernel claims {claimed}, which no required clause is about")
    if deviations:
        _fail("the kernel is judged by what it declares itself: " + "; ".join(deviations))


def _fail(text: str) -> NoReturn:
    pytest.fail(text, pytrace=False)


def _lost(reference: str, error: FedcheckError) -> str:
    lines = [f"the kernel {reference!r} could not be judged:"]
    lines += printable_lines(str(error), lines=_ERROR_LINES, limit=1000)
    if isinstance(error, KernelError) and error.stderr_tail:
        lines += ["stderr of the kernel:", *printable_lines(error.stderr_tail, lines=_ERROR_LINES)]
    return "\n".join(lines)


def _explained(record: RunRecord, result: ClauseResult) -> str:
    lines = [f"{result.clause}: {result.effective.value}: {result.reason}"]
    lines += [f"  {line}" for line in _laid_out(tell_clause(result))]
    for example in record.counterexamples_of(result):
        lines += ["", *_laid_out(tell_counterexample(example))]
    incidents = [x for x in record.incidents if x.clause in ("", result.clause)]
    if incidents and not result.counterexamples:
        lines += ["", *_laid_out(tell_incident(incidents[0]))]
    return "\n".join(lines)


def _laid_out(told: Iterator[Told]) -> Iterator[str]:
    return (f"{' ' * line.indent}{line.text}" for line in told)


class _Silent:
    """An observer that has nothing to show."""

    def planned(self, header: Header, scenarios: int) -> None:
        """See ``Observer``."""

    def advanced(self, invariant: str, scenarios: int) -> None:
        """See ``Observer``."""

    def stage(self, name: str, total: int | None) -> None:
        """See ``Observer``."""

    def reducing(self, clause: str, tried: int, most: int) -> None:
        """See ``Observer``."""

    def failed(self, violation: Violation) -> None:
        """See ``Observer``."""

    def found(self, line: BodyLine) -> None:
        """See ``Observer``."""
