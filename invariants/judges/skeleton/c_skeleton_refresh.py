"""C-SKELETON-REFRESH: sections are refreshed at least every ttl seconds, for each user."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.skeleton import Place, PromptReading, read_skeleton
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
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_DEFAULT_TTL = 300


def _every_ttl(view: TraceView) -> Iterator[Finding]:
    """A value that was seen a period ago must be another one now."""
    for prompt, place in _declared(view):
        then = place.last_until(prompt.now - place.script.patience)
        if then is None or not then.mark.sure or not place.shown:
            continue
        if any(refresh.step > then.step for refresh in place.refreshes):
            continue
        yield Compared(tuple(_class_of(prompt, place)))
        if place.shown.mark.nth == then.mark.nth:
            yield Violation(
                kind="not refreshed in its period",
                step=prompt.step.index,
                expected=f"a newer value of section {_told(place)} than "
                f"{prompt.now - then.now:g} s ago",
                got=f"the same value, {then.mark.word}",
            )


def _unasked(view: TraceView) -> Iterator[Finding]:
    """A section that nobody asked to refresh appears a period after the user's first turn."""
    for prompt, place in _declared(view):
        if place.refreshes or prompt.known_for < place.script.patience:
            continue
        if not place.shown and not place.seen and not prompt.showing:
            continue
        yield Compared(tuple(_class_of(prompt, place)))
        if not place.shown and not place.seen:
            yield Violation(
                kind="never refreshed",
                step=prompt.step.index,
                expected=f"section {_told(place)}, {prompt.known_for:g} s after the first turn",
                got=f"a prompt with {len(prompt.showing)} other sections",
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
