"""C-SKELETON-REFRESH: sections are refreshed at least every ttl seconds, for each user."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.skeleton import Place, PromptReading, Sighting, read_skeleton
from ...scenarios.skeleton import (
    environment,
    refresh_all,
    say,
    scenario,
    section,
    skeleton_scenarios,
    values,
    wait,
)
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import counted
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_DEFAULT_TTL = 300


def _every_ttl(view: TraceView) -> Iterator[Finding]:
    """A value that was seen a period ago must be another one now, and as new as its periods."""
    if view.trace.origin == "recording":
        yield from _every_ttl_as_told(view)
        return
    for prompt, place in _declared(view):
        then = _a_period_ago(prompt, place)
        if not place.shown or (then is None and not _told_by_number(place)):
            continue
        yield Compared(tuple(_class_of(prompt, place)), prompt.step.index)
        if then is not None and place.shown.mark.nth == then.mark.nth:
            yield Violation(
                kind="not refreshed in its period",
                step=prompt.step.index,
                expected=f"a newer value of section {_told(place)} than "
                f"{prompt.now - then.now:g} s ago",
                got=f"the same value, {then.mark.word}",
            )
        elif place.shown.mark.last < _due_return(place):
            yield Violation(
                kind="refreshed too seldom",
                step=prompt.step.index,
                expected=f"what section {_told(place)}, returns at refresh {place.least} or later",
                got=f"{place.shown.mark.word}, which it returns until refresh "
                f"{place.shown.mark.last + 1}",
            )


def _every_ttl_as_told(view: TraceView) -> Iterator[Finding]:
    """In a recording every refresh is told."""
    for prompt, place in _declared(view):
        if place.overdue is not None or len(place.refreshes) > 1:
            yield Compared(tuple(_class_of(prompt, place)), prompt.step.index)
        if place.overdue is not None:
            yield Violation(
                kind="not refreshed in its period",
                step=prompt.step.index,
                expected=f"a refresh of section {_told(place)}",
                got=f"none for {place.overdue:g} s",
            )


def _a_period_ago(prompt: PromptReading, place: Place) -> Sighting | None:
    """Return how the section was shown a period ago, if its next refresh must show by now."""
    then = place.last_until(prompt.now - place.script.patience)
    if then is None or not then.mark.sure:
        return None
    return None if any(each.step > then.step for each in place.refreshes) else then


def _told_by_number(place: Place) -> bool:
    """Whether the periods that are over lead to a value that was not shown before."""
    if place.least <= len(place.refreshes):
        return False
    return any(sighting.mark.last < _due_return(place) for sighting in place.seen)


def _due_return(place: Place) -> int:
    """Which of its returns a section must have come to."""
    return min(place.least, len(place.script.values)) - 1


def _unasked(view: TraceView) -> Iterator[Finding]:
    """A section that nobody asked to refresh appears a period after the user's first turn."""
    for prompt, place in _declared(view):
        if place.refreshes or prompt.known_for < place.script.patience:
            continue
        if not place.shown and not place.seen and not prompt.showing:
            continue
        yield Compared(tuple(_class_of(prompt, place)), prompt.step.index)
        if not place.shown and not place.seen:
            yield Violation(
                kind="never refreshed",
                step=prompt.step.index,
                expected=f"section {_told(place)}, {prompt.known_for:g} s after the first turn",
                got=f"a prompt with {counted(len(prompt.showing), 'other section')}",
            )


def _declared(view: TraceView) -> Iterator[tuple[PromptReading, Place]]:
    for prompt in view.reading(read_skeleton).prompts:
        for place in prompt.places.values() if prompt.first else ():
            if place.script.section.declared and place.removed is None:
                yield prompt, place


def _class_of(prompt: PromptReading, place: Place) -> Iterator[str]:
    ttl = place.script.section.ttl_seconds
    yield "the default period" if ttl == _DEFAULT_TTL else "a period of its own"
    if prompt.waited_by not in ("", prompt.step.user):
        yield "another user's step moved the clock"
    if prompt.waits > 1:
        yield "short steps of the clock"


def _told(place: Place) -> str:
    return f"{'.'.join(place.script.spot)}, which is due every {place.script.section.ttl_seconds} s"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    rooms = {
        app: section(values(app), ttl=ttl) for app, ttl in zip(APPS, (30, 120, 300), strict=True)
    }
    where = environment(**rooms)
    yield scenario(
        "refresh-periods",
        "sections with different periods",
        *refresh_all(),
        say(),
        *(step for gap in (40, 100, 200) for step in (wait(gap), say())),
        where=where,
    )
    yield scenario(
        "refresh-short-steps",
        "the clock moves in steps shorter than a period",
        *refresh_all(),
        say(),
        *(wait(9) for _ in range(16)),
        say(),
        *(wait(45) for _ in range(5)),
        say(session="other"),
        where=where,
    )
    yield scenario(
        "refresh-users",
        "two users, whose sections are refreshed on their own schedules",
        *refresh_all(),
        say(),
        wait(20),
        *refresh_all("u2"),
        say(user="u2"),
        wait(160, user="u2"),
        say(),
        say(user="u2"),
        wait(400),
        say(user="u2"),
        say(),
        where=where,
    )
    yield scenario(
        "refresh-unasked",
        "sections that nobody asks to refresh",
        say(),
        say(user="u2"),
        *refresh_all("u3"),
        say(user="u3"),
        wait(150),
        say(),
        *(wait(60) for _ in range(4)),
        say(user="u2"),
        say(),
        where=where,
    )


_KINDS = (
    Partition("the default period", "300 s"),
    Partition("a period of its own", "another"),
    Partition("short steps of the clock", "time passes in several steps"),
    Partition("another user's step moved the clock", "time passes for all users"),
)

INVARIANT = Invariant(
    id="C-SKELETON-REFRESH",
    title="Sections are refreshed every ttl seconds",
    statement="Each section of each user is refreshed at least every ttl seconds.",
    sources=(
        context_channels("The three channels at a glance"),
        context_channels("Channel 1 — Skeleton"),
    ),
    clauses=(
        Clause(
            "every-ttl",
            "A section that is older than its period is shown with a newer value.",
            _every_ttl,
            _KINDS,
        ),
        Clause(
            "first-refresh-unasked",
            "A declared section appears within its period although nobody refreshes it.",
            _unasked,
            _KINDS,
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "fact_ledger", "clock"}),
    reading=(
        "The first period of a user counts from the first turn. A kernel may refresh earlier, or "
        "only when the section is next needed; 10 % and 5 seconds beyond the period are not judged."
    ),
)
