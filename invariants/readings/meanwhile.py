"""What happened between two steps of one owner: none of it may touch what the owner keeps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from ..vocabulary.invariant import Partition
from ..vocabulary.scenario import (
    Advance,
    CacheSet,
    Probe,
    RenderPanel,
    SkeletonRefresh,
    StoreSet,
    Turn,
)
from ..vocabulary.trace_view import StepView, TraceView

_KINDS: dict[type[object], str] = {
    Advance: "time",
    CacheSet: "another set",
    Probe: "another handler",
    RenderPanel: "a panel",
    SkeletonRefresh: "a refresh",
    StoreSet: "a document",
}

PARTITIONS = (
    *(Partition(name, f"{name} came in between", "observed") for name in _KINDS.values()),
    Partition("a turn", "a turn came in between", "observed"),
    Partition("a failed turn", "a turn with a failed call came in between", "observed"),
    Partition("another user", "another user did something in between", "observed"),
    Partition("another session", "the user did something in another session", "observed"),
)
"""Input classes of a clause that says that something lasts."""


def meanwhile(view: TraceView, start: int, end: int) -> tuple[str, ...]:
    """Return what happened after the step ``start`` and before the step ``end``, by name."""
    place = view.reading(_places)[start]
    between = takewhile(lambda step: step.index < end, islice(view.steps, place + 1, None))
    mine = view.steps[place]
    return tuple(sorted({name for step in between for name in _names(step, mine)}))


def _places(view: TraceView) -> dict[int, int]:
    """Where each step stands, by its index."""
    return {step.index: place for place, step in enumerate(view.steps)}


def _names(step: StepView, mine: StepView) -> Iterator[str]:
    given = step.stimulus
    if isinstance(given, Turn):
        failed = any(call.status == "error" for call in given.calls)
        yield "a failed turn" if failed else "a turn"
    elif type(given) in _KINDS:
        yield _KINDS[type(given)]
    if step.user != mine.user:
        yield "another user"
    elif step.session != mine.session:
        yield "another session"
