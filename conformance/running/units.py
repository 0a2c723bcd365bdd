"""The parts of a run: the scenarios of each invariant, in this process or in several."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...invariants.catalog import find
from ...invariants.vocabulary.errors import KernelCrashed
from ...invariants.vocabulary.invariant import Invariant
from ...invariants.vocabulary.scenario import Scenario
from ...invariants.vocabulary.trace import KernelDescription
from ..adapters.base import same_description
from ..counterexamples.documents import flows_in
from ..driving.explore import derived_seed, explore
from ..driving.interrupts import raise_if_pressed
from ..driving.session import Unit
from ..driving.tally import UnitResult
from ..settings.options import GATE_EXAMPLES, RunOptions

if TYPE_CHECKING:
    from ..driving.plan import Plan

_ROUND = 50
"""Examples of one round when exploring by time."""

Progress = Callable[[str, int], None]
"""Called with an invariant's id and how many of its scenarios are done since the last call."""


def run_unit(
    plan: Plan, invariant: Invariant, progress: Progress, *, share: float = 1.0
) -> UnitResult:
    """Run an invariant's fixed scenarios, then explore its strategy.

    Args:
        plan: the kernel, and how much to explore.
        invariant: whose scenarios to run.
        progress: called after each scenario.
        share: the part of ``options.seconds`` that this invariant may use.
    """
    started = time.perf_counter()
    unit = Unit(plan.session, invariant.id, lambda: progress(invariant.id, 1))
    for scenario in plan.fixed_scenarios(invariant):
        unit.attempt(scenario, f"fixed:{scenario.id}")
    strategy = invariant.strategy(plan.description.parameters)
    seed = derived_seed(plan.options.seed, f"{invariant.id}:triples")
    further = plan.further_scenarios(invariant, seed)
    for seed, examples, triples in _rounds(invariant.id, plan.options, share):
        if unit.exhausted:
            break
        explore(
            strategy,
            lambda scenario: unit.attempt(scenario, "explore"),
            examples=examples,
            seed=seed,
        )
        for scenario in islice(further, triples):
            unit.attempt(scenario, "explore")
    unit.result.seconds = time.perf_counter() - started
    return unit.result


class _Round(NamedTuple):
    """What to draw from which seed, and how many triples to try beyond the rows."""

    seed: int
    examples: int
    triples: int


def _rounds(invariant_id: str, options: RunOptions, share: float) -> Iterator[_Round]:
    """Yield one round, or rounds until the time is up.

    A gate that draws no more than by default tries no triple: its rows hold every pair.
    """
    triples = max(0, options.examples - GATE_EXAMPLES)
    yield _Round(derived_seed(options.seed, invariant_id), options.examples, triples)
    if options.seconds is None:
        return
    end = time.monotonic() + options.seconds * share
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


def run_flows(plan: Plan, progress: Progress) -> list[UnitResult]:
    """Run the named scenarios; as a part of its own, which belongs to no invariant."""
    scenarios = flows(plan.options)
    unit = Unit(plan.session, "", lambda: progress("named scenarios", 1))
    for scenario in scenarios:
        unit.attempt(scenario, f"fixed:{scenario.id}")
    return [unit.result] if scenarios else []


def run_units(plan: Plan, progress: Progress) -> Iterator[UnitResult]:
    """Run every part of the plan; the results come in the plan's order, whatever ``workers``."""
    if plan.options.workers <= 1 or len(plan.invariants) < 2:
        for invariant in plan.invariants:
            share = 1 / len(plan.invariants)
            yield run_unit(plan, invariant, progress, share=share)
        return
    yield from _spread(plan, progress)


def _spread(plan: Plan, progress: Progress) -> Iterator[UnitResult]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context("spawn")
    workers = min(plan.options.workers, len(plan.invariants))
    share = workers / len(plan.invariants)
    with ProcessPoolExecutor(
        workers, mp_context=context, initializer=_become_worker, initargs=(os.getpid(),)
    ) as pool:
        futures = [
            pool.submit(
                _in_worker,
                plan.options,
                plan.description,
                f"{plan.nonce}{place}",
                invariant.id,
                share,
            )
            for place, invariant in enumerate(plan.invariants)
        ]
        try:
            for invariant, future in zip(plan.invariants, futures, strict=True):
                result = future.result()
                raise_if_pressed()
                progress(invariant.id, result.ran + len(result.skipped))
                yield result
        except BrokenProcessPool:
            raise KernelCrashed(
                "a process of the run was ended, by the kernel that it hosts or by the system; "
                "run with -n 1 to see which scenario does it, and without --in-process"
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _become_worker(parent: int) -> None:
    """Leave it to the parent what Ctrl-C means, which reaches us all; and end with it."""
    from ..adapters.supervisor import die_with

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent, signal.SIGKILL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait for the end of the pipe that only the parent holds, on any system."""
    import multiprocessing

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
    os._exit(1)


def _in_worker(
    options: RunOptions,
    known: KernelDescription,
    nonce: str,
    invariant_id: str,
    share: float,
) -> UnitResult:
    from ..driving.plan import plan_run

    with plan_run(options, nonce=nonce) as plan:
        same_description(known, plan.description)
        result = run_unit(plan, find(invariant_id), lambda _id, _n: None, share=share)
    result.protection = plan.session.adapter.protection
    return result
