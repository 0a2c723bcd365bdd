"""The parts of a run: the scenarios of each invariant, in this process or in several."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...invariants.catalog import find
from ...invariants.vocabulary.errors import KernelCrashed
from ...invariants.vocabulary.invariant import Invariant
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import KernelDescription
from ...reports.record.model import Incident
from ..adapters.base import same_description
from ..counterexamples.documents import flows_in
from ..driving.explore import derived_seed, explore
from ..driving.interrupts import become_worker, raise_if_pressed
from ..driving.session import Unit
from ..driving.shares import numbers
from ..driving.tally import ClauseTally, UnitResult
from ..driving.turns import in_turn, restarts
from ..settings.options import GATE_EXAMPLES, RunOptions
from .watch import Enough, Known, Watch

if TYPE_CHECKING:
    from ..driving.plan import Plan

REPEATED = "repeated"
"""Stands for an invariant where failures of an earlier part of the run are repeated."""

Elsewhere = Callable[["Plan", Watch, list[UnitResult], Counter[str]], None]
"""Adds to the results, one for each invariant, what other machines have seen; so many fixed
scenarios of each are done."""

_ROUND = 50
"""Examples of one round when exploring by time."""

_ALONE = 200
"""Fixed scenarios that one process runs before others are started: they tell the most."""


def run_units(
    plan: Plan, watch: Watch, into: list[UnitResult], elsewhere: Elsewhere | None = None
) -> None:
    """Run every part of the plan: first the fixed scenarios of all invariants, then exploration.

    The fixed ones come in turn, what tells most first, so that a broken kernel is told within
    seconds; exploration goes invariant by invariant. Of several processes, this one runs the first
    fixed scenarios alone. A part whose fixed scenarios have all run when the time is up is
    complete: it is only not explored.

    Args:
        plan: the kernel, and how much to explore.
        watch: counts, and says when it is enough.
        into: gets one result for each invariant, in the plan's order, whatever ``workers``. They
            are filled as the run goes on, so that they hold what is known whenever it ends.
        elsewhere: runs the tables and the exploration on other machines.

    Raises:
        Enough: a limit of the run was reached.
    """
    parts = {invariant.id: _Part(plan, invariant, watch) for invariant in plan.own}
    into += [part.result for part in parts.values()]
    fixed = in_turn((each.id, plan.fixed_scenarios(each)) for each in plan.own)
    drawn = None if watch.limit is not None else plan.options.examples * len(parts)
    spread = (plan.options.workers > 1 and len(parts) > 1) or (elsewhere is not None and parts)
    first = fixed[:_ALONE] if spread else fixed
    watch.stage("fixed scenarios", len(first))
    with _completed(parts.values()):
        for invariant, scenario in first:
            parts[invariant].run([scenario])
    if spread:
        left = len(fixed) - len(first)
        name = "more fixed scenarios" if drawn == 0 else "more fixed scenarios, and exploration"
        watch.stage(name, None if drawn is None else left + drawn)
        done = Counter(invariant for invariant, _ in first)
        (elsewhere or _spread)(plan, watch, into[-len(parts) :], done)
        return
    watch.stage("exploration", drawn)
    for place, part in enumerate(parts.values()):
        part.explore(len(parts) - place)


@contextmanager
def _completed(parts: Iterable[_Part]) -> Generator[None]:
    """Complete the parts whose fixed scenarios have all run when the time is up."""
    try:
        yield
    except Enough as enough:
        for part in parts:
            part.result.complete = enough.why == "time" and part.has_run
        raise


class _Part:
    """The scenarios of one invariant.

    Args:
        plan: the kernel, and how much to explore.
        invariant: whose scenarios they are.
        watch: counts, and says when it is enough.
        incidents: those that its scenarios have shown in another process.
        done: how many of its scenarios another process has run; ``None`` if there is no other.
    """

    def __init__(
        self,
        plan: Plan,
        invariant: Invariant,
        watch: Watch,
        incidents: Sequence[Incident] = (),
        done: int | None = None,
    ) -> None:
        self._left = len(plan.fixed_scenarios(invariant)) - (done or 0)
        self._plan, self._invariant, self._watch = plan, invariant, watch
        passed = plan.earlier.left.get(invariant.id, 0) if plan.earlier else 0
        self._unit = Unit(
            plan.session,
            invariant.id,
            lambda: watch.advanced(invariant.id, 1),
            watch.failed,
            incidents,
            max(0, passed - (done or 0)),
        )
        self.result.done = passed if done is None else 0

    @property
    def result(self) -> UnitResult:
        """What was seen so far."""
        return self._unit.result

    @property
    def has_run(self) -> bool:
        """Whether all its fixed scenarios have run."""
        return not self._left

    def run(self, scenarios: Sequence[Scenario]) -> None:
        """Run fixed scenarios; raises ``Enough`` as ``run_units``."""
        with self._timed():
            for scenario in scenarios:
                self._watch.check()
                self._unit.attempt(scenario, f"fixed:{scenario.id}")
                self._left -= 1

    def explore(self, among: float) -> None:
        """Explore the invariant's strategy.

        Args:
            among: how many invariants, this one included, share the time that is left.

        Raises:
            Enough: a limit of the run was reached; not where only the time is up, for what must
                be run has been run.
        """
        end = self._watch.exploring_ends
        if end is not None:
            now = time.monotonic()
            end = now + max(end - now, 0) / among
        with self._timed():
            try:
                self._explore(end)
            except Enough as enough:
                if enough.why != "time":
                    raise
        self._unit.result.complete = True

    def _explore(self, end: float | None) -> None:
        plan, invariant = self._plan, self._invariant
        strategy = invariant.strategy(plan.description.parameters)
        seed = derived_seed(plan.options.seed, f"{invariant.id}:triples")
        further = plan.further_scenarios(invariant, seed)
        for seed, examples, triples in _rounds(invariant.id, plan.options, end):
            if self._unit.exhausted:
                break
            explore(
                strategy,
                lambda scenario: self._attempt(scenario, end),
                examples=examples,
                seed=seed,
            )
            for scenario in islice(further, triples):
                self._attempt(scenario, end)

    def _attempt(self, scenario: Scenario, end: float | None) -> None:
        self._watch.check()
        if end is not None and time.monotonic() >= end:
            raise Enough("time")
        self._unit.attempt(scenario, "explore")

    @contextmanager
    def _timed(self) -> Generator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self._unit.result.seconds += time.perf_counter() - started


class _Round(NamedTuple):
    """What to draw from which seed, and how many triples to try beyond the rows."""

    seed: int
    examples: int
    triples: int


def _rounds(invariant_id: str, options: RunOptions, end: float | None) -> Iterator[_Round]:
    """Yield one round, or rounds until the time is up.

    A gate that draws no more than by default tries no triple: its rows hold every pair.
    """
    triples = max(0, options.examples - GATE_EXAMPLES)
    yield _Round(derived_seed(options.seed, invariant_id), options.examples, triples)
    if end is None:
        return
    for place in count(1):
        if time.monotonic() >= end:
            return
        yield _Round(derived_seed(options.seed, f"{invariant_id}:{place}"), _ROUND, _ROUND)


def flows(options: RunOptions) -> list[Scenario]:
    """Return the named scenarios that the options ask for.

    Raises:
        UsageError: their folder cannot be read, or a file in it is no scenario.
    """
    return flows_in(Path(options.scenarios)) if options.scenarios else []


def run_flows(plan: Plan, watch: Watch, into: list[UnitResult]) -> None:
    """Run the named scenarios; as a part of its own, which belongs to no invariant.

    Of several shards the first one does.

    Raises:
        Enough: a limit of the run was reached.
    """
    scenarios = flows(plan.options)
    if not scenarios or (plan.options.shard and numbers(plan.options.shard)[0] > 1):
        return
    if plan.earlier and "" not in plan.earlier.left:
        return
    watch.stage("named scenarios", len(scenarios))
    passed = plan.earlier.left[""] if plan.earlier else 0
    unit = Unit(
        plan.session,
        "",
        lambda: watch.advanced("named scenarios", 1),
        watch.failed,
        passed=passed,
    )
    unit.result.done = passed
    into.append(unit.result)
    for scenario in scenarios:
        watch.check()
        unit.attempt(scenario, f"fixed:{scenario.id}")
    unit.result.complete = True


def repeat_unconfirmed(plan: Plan, watch: Watch, into: list[UnitResult]) -> None:
    """Run the failures again that an interrupted run had no time to repeat, so that this one does.

    They are counted in the part of the run that has found them.
    """
    examples = plan.earlier.unconfirmed if plan.earlier else ()
    again = UnitResult(REPEATED)
    into += [again] if examples else []
    for example in examples:
        watch.check()
        unit = Unit(plan.session, REPEATED, failed=watch.failed)
        unit.attempt(example.scenario, example.found_in)
        found = unit.result.tallies.get(example.clause, ClauseTally()).failures
        if failure := found.get(example.kind):
            again.tallies.setdefault(example.clause, ClauseTally()).failures[example.kind] = failure


def _spread(plan: Plan, watch: Watch, into: list[UnitResult], done: Counter[str]) -> None:
    """Run in other processes what is left, where so many fixed scenarios of each are done."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context("spawn")
    workers = min(plan.options.workers, len(plan.own))
    results = into[-len(plan.own) :]
    pairs = sorted(
        zip(plan.own, results, strict=True),
        key=lambda pair: any(map(restarts, plan.fixed_scenarios(pair[0]))),
    )
    with ProcessPoolExecutor(
        workers, mp_context=context, initializer=become_worker, initargs=(os.getpid(),)
    ) as pool:
        try:
            with _held_back():
                futures = [
                    pool.submit(
                        in_worker,
                        plan.options,
                        plan.description,
                        f"{plan.nonce}{place}",
                        invariant.id,
                        watch.known(),
                        max((len(results) - place) / workers, 1.0),
                        tuple(result.incidents),
                        done[invariant.id],
                    )
                    for place, (invariant, result) in enumerate(pairs)
                ]
            for (_, result), future in zip(pairs, futures, strict=True):
                found = future.result()
                raise_if_pressed()
                result.merge(found)
                told(found, watch)
        except BrokenProcessPool:
            raise_if_pressed()
            raise KernelCrashed(
                "a process of the run was ended, by the kernel that it hosts or by the system; "
                "run with -n 1 to see which scenario does it, and without --in-process"
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


@contextmanager
def _held_back() -> Generator[None]:
    """Hold Ctrl-C back while processes start: they do not hear it before they can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # its start lets signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def told(found: UnitResult, watch: Watch) -> None:
    """Tell what a worker has seen; raises ``Enough`` if it, or all together, reached a limit."""
    watch.advanced(found.invariant, found.ran + len(found.skipped))
    for tally in found.tallies.values():
        for failure in tally.failures.values():
            watch.failed(failure.violation)
    watch.check_failures()
    if not found.complete:
        raise Enough("time")


def in_worker(
    options: RunOptions,
    known: KernelDescription,
    nonce: str,
    invariant_id: str,
    seen: Known,
    among: float,
    incidents: tuple[Incident, ...],
    done: int,
) -> UnitResult:
    """Run the tables and the exploration of one invariant in a process of their own."""
    from ..driving.plan import plan_run

    with plan_run(options, nonce=nonce) as plan:
        same_description(known, plan.description)
        watch = Watch.elsewhere(options, seen)
        invariant = find(invariant_id)
        part = _Part(plan, invariant, watch, incidents, done)
        fixed = in_turn([(invariant_id, plan.fixed_scenarios(invariant))])
        with suppress(Enough):
            with _completed([part]):
                part.run([scenario for _, scenario in fixed[done:]])
            part.explore(among)
    part.result.protection = plan.session.adapter.protection
    return part.result
