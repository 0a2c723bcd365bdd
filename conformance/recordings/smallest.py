"""Cuts a recorded conversation to the smallest one that still shows a breach."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from ...invariants.recorded import every_clause
from ...invariants.vocabulary.errors import Unjudgeable
from ...invariants.vocabulary.scenario import Turn
from ...invariants.vocabulary.trace import AnyEvent, Given, ModelRequest, Trace
from ...invariants.vocabulary.verdict import Violation
from ..driving.judging import judge

_MOST_TRIES = 300
_STEP = re.compile(r"step \d+")


def violations(trace: Trace, clause: str) -> list[Violation]:
    """Return how a recording breaks a clause; nothing if the clause's judge fails on it."""
    known = every_clause()
    if clause not in known:
        return []
    try:
        found = judge(trace, {clause: known[clause]})
    except Unjudgeable:
        return []
    return [each for each in found.get(clause, []) if isinstance(each, Violation)]


def of_steps(trace: Trace, steps: Iterable[int]) -> Trace:
    """Return the recording of some turns alone, numbered anew."""
    numbers = {step: index for index, step in enumerate(sorted(set(steps)))}
    events = tuple(
        replace(event, step=numbers[event.step]) for event in trace.events if event.step in numbers
    )
    return replace(trace, events=events)


def smallest(trace: Trace, clause: str, kind: str) -> Trace:
    """Return the smallest recording, as far as it was tried, that shows the same breach.

    The same is what is told in the same words: a request that lost its messages here would be
    said to have had none.
    """
    told = {_words(each) for each in violations(trace, clause) if each.kind == kind}
    tries = 0

    def shows(smaller: Trace) -> bool:
        nonlocal tries
        tries += 1
        if tries > _MOST_TRIES:
            return False
        return any(
            each.kind == kind and _words(each) in told for each in violations(smaller, clause)
        )

    if not shows(trace):
        return trace
    steps = sorted({event.step for event in trace.events})
    kept = _fewer(steps, lambda some: shows(of_steps(trace, some)))
    trace = of_steps(trace, kept)
    indexes = list(range(len(trace.events)))
    fixed = [x for x in indexes if isinstance(trace.events[x], Given)]
    rest = [x for x in indexes if x not in fixed]
    kept = _fewer(rest, lambda some: shows(_with(trace, sorted([*fixed, *some]))))
    trace = _with(trace, sorted([*fixed, *kept]))
    for index, event in enumerate(trace.events):
        if isinstance(event, ModelRequest) and not isinstance(event.prompt, str):
            trace = _shorter_prompt(trace, index, event, shows)
    return trace


def _words(found: Violation) -> tuple[str, str]:
    """What is told of a breach but the number of its turn, which is another one in fewer turns."""
    return _STEP.sub("step", found.expected), _STEP.sub("step", found.got)


def _with(trace: Trace, indexes: Sequence[int]) -> Trace:
    return replace(trace, events=tuple(trace.events[index] for index in indexes))


def _shorter_prompt(
    trace: Trace, index: int, event: ModelRequest, shows: Callable[[Trace], bool]
) -> Trace:
    def put(some: list[int]) -> Trace:
        changed: AnyEvent = replace(event, prompt=tuple(event.prompt[x] for x in some))  # type: ignore[misc]
        return replace(trace, events=(*trace.events[:index], changed, *trace.events[index + 1 :]))

    kept = _fewer(list(range(len(event.prompt))), lambda some: shows(put(some)))
    return put(kept)


def _fewer(items: list[int], shows: Callable[[list[int]], bool]) -> list[int]:
    """Leave out as much as may be left out: halves first, then smaller pieces."""
    size = max(1, len(items) // 2)
    while items:
        start = 0
        while start < len(items):
            fewer = items[:start] + items[start + size :]
            if shows(fewer):
                items = fewer
            else:
                start += size
        if size == 1:
            break
        size //= 2
    return items


def stimulus_of(trace: Trace) -> tuple[Turn, ...]:
    """Return the turns of a recording."""
    found = (event.stimulus for event in trace.events if isinstance(event, Given))
    return tuple(each for each in found if isinstance(each, Turn))
