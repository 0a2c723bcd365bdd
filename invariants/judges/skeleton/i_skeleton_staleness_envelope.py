"""I-SKELETON-STALENESS-ENVELOPE: the classifier is told that sections are not live, and how old."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from ...readings.skeleton import Place, PromptReading, read_skeleton
from ...readings.skeleton_text import states_staleness
from ...scenarios.skeleton import (
    environment,
    refresh,
    refresh_all,
    say,
    scenario,
    section,
    skeleton_scenarios,
    value,
    values,
    wait,
)
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_LEAST, _SHARE = 5.0, 0.1
_MINUTE = 60


def _stated(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_skeleton).prompts:
        objects = _objects(prompt)
        if not objects:
            continue
        yield Compared(tuple(_occasion(prompt)), prompt.step.index)
        first = min(map(prompt.begin, objects))
        if not states_staleness(prompt.lines, first):
            yield Violation(
                kind="no statement before the first section",
                step=prompt.step.index,
                expected="a statement above the first section that sections are cached snapshots",
                got=shorten("\n".join(prompt.lines[max(0, first - 3) : first + 1])),
            )


def _objects(prompt: PromptReading) -> list[Place]:
    return [place for place in prompt.showing if isinstance(place.value, dict)]


def _occasion(prompt: PromptReading) -> Iterator[str]:
    yield "one section" if len(prompt.showing) == 1 else "several sections"
    if any(place.seen for place in prompt.showing):
        yield "a later turn"


def _shown(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_skeleton).prompts:
        for place in _objects(prompt):
            yield Compared(tuple(_occasion(prompt)), prompt.step.index)
            if prompt.age(place) is None:
                yield Violation(
                    kind="section without age",
                    step=prompt.step.index,
                    expected=f"an age such as 145s or 2m25s with {_told(place)}",
                    got=shorten(prompt.lines[prompt.row(place)]),
                )


def _accurate(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_skeleton).prompts:
        for place in _objects(prompt):
            bounds, age = _bounds(prompt, place), prompt.age(place)
            if bounds is None or age is None:
                continue
            yield Compared(tuple(_age_class(prompt, place, *bounds)), prompt.step.index)
            youngest, oldest = bounds
            if view.trace.origin == "recording" and _holds_several_ages(prompt, place):
                continue
            if not _within(age, bounds):
                yield Violation(
                    kind="too young" if age < youngest else "too old",
                    step=prompt.step.index,
                    expected=f"{_told(place)} {_span(youngest, oldest)} old",
                    got=f"{age:g} s: {shorten(prompt.lines[prompt.begin(place)])}",
                )


def _within(age: float, bounds: tuple[float, float]) -> bool:
    youngest, oldest = bounds
    return youngest - _slack(youngest) <= age <= oldest + _slack(oldest)


def _holds_several_ages(prompt: PromptReading, place: Place) -> bool:
    """Whether a section without a word of its own may stand in the same line."""
    return prompt.lines[prompt.row(place)].casefold().count("age") > 1


def _bounds(prompt: PromptReading, place: Place) -> tuple[float, float] | None:
    """Between what ages the truth lies: a kernel may refresh a section on its own at any time."""
    if not place.shown:
        return None
    asked = place.refreshes[-1].now if place.refreshes else 0.0
    oldest = max(asked, place.reported or 0.0)
    if place.shown.since < oldest:
        return None
    return prompt.now - place.shown.since, prompt.now - oldest


def _age_class(
    prompt: PromptReading, place: Place, youngest: float, oldest: float
) -> Iterator[str]:
    if oldest == 0:
        yield "just refreshed"
    if youngest >= 2 * _LEAST:
        yield "seconds" if youngest < _MINUTE else "minutes"
        if place.refreshes[1:]:
            yield "refreshed several times"
        if any(_bounds(prompt, o) != (youngest, oldest) for o in prompt.showing):
            yield "sections of different ages"


def _slack(age: float) -> float:
    return max(_LEAST, _SHARE * age)


def _span(youngest: float, oldest: float) -> str:
    return f"{oldest:g} s" if youngest == oldest else f"{youngest:g} to {oldest:g} s"


def _told(place: Place) -> str:
    return f"section {place.script.spot[0]}.{place.script.spot[1]}"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield scenario("staleness-one", "one section, over two turns", refresh(), say(), say("more"))
    yield scenario("staleness-all", "sections of all extensions", *refresh_all(), say(), say("ok"))
    yield scenario(
        "staleness-other-shapes",
        "sections that are no objects stand beside one that is",
        refresh(APPS[1]),
        refresh(APPS[2]),
        refresh(),
        say(),
        where=environment(beta=section(["three new"]), gamma=section([[1, 2], None])),
    )
    yield scenario(
        "staleness-ages-in-values",
        "values that read like ages",
        *refresh_all(),
        say(),
        wait(40),
        say(),
        where=environment(
            alpha=section([value("alpha", n, note="cached ~1s ago", dur="7m") for n in range(6)])
        ),
    )
    rooms = {app: section(values(app), ttl=100_000) for app in APPS}
    steps = [(refresh(app), say(), wait(gap)) for app, gap in zip(APPS, (17, 31, 25), strict=True)]
    yield scenario(
        "staleness-ages",
        "sections refreshed one after the other",
        *chain.from_iterable(steps),
        say(),
        wait(72),
        say(),
        refresh(APPS[1]),
        say(),
        wait(55),
        say(),
        where=environment(**rooms),
    )
    yield scenario(
        "staleness-minutes",
        "ages of minutes and hours",
        refresh(),
        say(),
        wait(145),
        say(),
        wait(3575),
        say(),
        wait(80_000),
        say(),
        where=environment(**rooms),
    )


_NUMBER = (
    Partition("one section", "a prompt shows one section"),
    Partition("several sections", "a prompt shows more than one"),
    Partition("a later turn", "a section was shown before"),
)

INVARIANT = Invariant(
    id="I-SKELETON-STALENESS-ENVELOPE",
    title="Sections say that they are cached, and since when",
    statement=(
        "A note above the sections says that they are cached snapshots, and each section bears "
        "its age."
    ),
    sources=(
        context_channels("(1) Pre-turn — the intent classifier sees"),
        context_channels("The three channels at a glance"),
    ),
    clauses=(
        Clause(
            "staleness-stated",
            "A statement that sections are not live precedes the first of them.",
            _stated,
            _NUMBER,
        ),
        Clause("age-shown", "Each section that is an object has an age.", _shown, _NUMBER),
        Clause(
            "age-accurate",
            "The age is the time since the section's last refresh, to 5 seconds or 10 %.",
            _accurate,
            (
                Partition("just refreshed", "no time has passed"),
                Partition("seconds", "less than a minute has passed"),
                Partition("minutes", "a minute or more has passed"),
                Partition("sections of different ages", "one prompt shows several ages"),
                Partition("refreshed several times", "the last refresh counts"),
            ),
            capabilities=frozenset({"clock"}),
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "fact_ledger"}),
    reading=(
        "Wording and place of note and age are free (contradiction C17); 145s, 2m25s and 1h02m "
        "are ages (C16). A section that is no object needs none. A kernel may refresh more often "
        "than it must: an age is judged between the last moment at which the value was asked for, "
        "or reported by the kernel as stored, and the first at which it was seen."
    ),
)
