"""A run on a cluster of Dask: each worker takes the scenarios of one invariant after the other.

Workers need this suite, and must reach the kernel by the reference that was given; nothing else is
shared. One that is lost is replaced by running its part again, under ids that no kernel has seen.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from typing import Any, NamedTuple, cast

from ...invariants.vocabulary.errors import KernelCrashed
from ...invariants.vocabulary.trace import KernelDescription
from ...reports.record.model import Incident
from ..driving.cluster import joined, submitted
from ..driving.interrupts import raise_if_pressed
from ..driving.plan import Plan
from ..driving.tally import UnitResult
from ..settings.extras import extra
from ..settings.options import RunOptions
from .units import in_worker, told
from .watch import Known, Watch

_ALONE = threading.Lock()
"""A worker may have several threads, and what draws scenarios is made for one."""


class Task(NamedTuple):
    """What a worker is to do; see ``units.in_worker``.

    Attributes:
        options: those of the run.
        known: what the kernel says of itself.
        nonce: makes the ids of this part fresh.
        invariant: whose scenarios are run.
        seen: what the run has seen, with the time of day at which it began.
        among: how many parts, this one included, share the time that is left.
        incidents: those that the invariant's scenarios have shown here.
        done: how many of its fixed scenarios were run here.
    """

    options: RunOptions
    known: KernelDescription
    nonce: str
    invariant: str
    seen: Known
    among: float
    incidents: tuple[Incident, ...]
    done: int


def run_there(task: Task) -> UnitResult:
    """Do a task on a worker, whose clock counts from another moment than ours."""
    with _ALONE:
        began = task.seen.started + time.monotonic() - time.time()
        nonce = f"{task.nonce}{secrets.token_hex(2)}"
        seen = task.seen._replace(started=began)
        return in_worker(*task._replace(nonce=nonce, seen=seen))


def spread(plan: Plan, watch: Watch, results: list[UnitResult], done: Counter[str]) -> None:
    """Run on the workers what is left of the fixed scenarios, and the exploration.

    Args:
        plan: the kernel, and how much to explore.
        watch: counts, and says when it is enough.
        results: one for each invariant, with what its own scenarios have shown; they get the rest.
        done: how many fixed scenarios of each invariant were run here.

    Raises:
        Enough: a limit of the run was reached.
        UsageError: the scheduler cannot be reached.
        KernelError: as ``run_units``.
    """
    options = plan.options
    with joined(options.dask) as client:
        workers = max(1, len(client.scheduler_info()["workers"]))
        known = watch.known()
        seen = known._replace(started=known.started + time.time() - time.monotonic())
        futures = [
            submitted(
                client,
                run_there,
                Task(
                    options,
                    plan.description,
                    f"{plan.nonce}{place}",
                    invariant.id,
                    seen,
                    max((len(results) - place) / workers, 1.0),
                    tuple(result.incidents),
                    done[invariant.id],
                ),
            )
            for place, (invariant, result) in enumerate(zip(plan.own, results, strict=True))
        ]
        for result, future in zip(results, futures, strict=True):
            found = _result(future)
            raise_if_pressed()
            result.merge(found)
            told(found, watch)


def _result(future: Any) -> UnitResult:
    try:
        return future.result()
    except cast("Any", extra("distributed", "dask")).KilledWorker:
        raise KernelCrashed(
            "a worker of the cluster was ended each time that it ran a part, by the kernel that it "
            "hosts or by the system; run without --dask to see which scenario does it"
        ) from None
