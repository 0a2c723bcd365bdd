"""I-SKEL-AUTO-DERIVE-1: a tool named skeleton_refresh_X makes a section X."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.skeleton import Place, PromptReading, read_skeleton
from ...scenarios.skeleton import (
    environment,
    refresh,
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
from ...vocabulary.scenario import APPS, Environment, Extension, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import counted
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

DEFAULT_TTL = 300
"""Seconds between refreshes of a section for which nobody declared another period."""
_LIMIT = DEFAULT_TTL * 1.1 + 5


def _derived(view: TraceView) -> Iterator[tuple[PromptReading, Place]]:
    """Sections of refresh tools alone, in first prompts of turns that show another section.

    Nobody can have declared a shorter period, and a longer one would not be the default.
    """
    for prompt in view.reading(read_skeleton).prompts:
        for place in prompt.places.values():
            derived = not place.script.section.declared and place.removed is None
            if derived and prompt.first and place.script.section.ttl_seconds <= DEFAULT_TTL:
                yield prompt, place


def _stored(view: TraceView) -> Iterator[Finding]:
    for prompt, place in _derived(view):
        if not place.refreshes:
            continue
        yield Compared(tuple(_company(prompt, place)))
        if not place.shown:
            yield _missing(prompt, place, "refreshed, not shown", "refreshed before")


def _appears(view: TraceView) -> Iterator[Finding]:
    for prompt, place in _derived(view):
        shown_elsewhere = any(other is not place for other in prompt.showing)
        if place.refreshes or prompt.known_for < _LIMIT:
            continue
        if not shown_elsewhere and not place.shown and not place.seen:
            continue
        yield Compared(tuple(_company(prompt, place)))
        if not place.shown and not place.seen:
            seconds = f"{prompt.known_for:g} s after the user's first turn"
            yield _missing(prompt, place, "never refreshed", seconds)


def _again(view: TraceView) -> Iterator[Finding]:
    if view.trace.origin == "recording":
        yield from _again_as_told(view)
        return
    for prompt, place in _derived(view):
        then = place.last_until(prompt.now - _LIMIT)
        if place.refreshes or then is None or not then.mark.sure or not place.shown:
            continue
        yield Compared(tuple(_company(prompt, place)))
        if place.shown.mark.nth == then.mark.nth:
            yield Violation(
                kind="not refreshed again",
                step=prompt.step.index,
                expected=f"a newer value of section {_name(place)} than {prompt.now - then.now:g} "
                f"s ago; it is due every {DEFAULT_TTL} s",
                got=f"the same value, {then.mark.word}",
            )


def _again_as_told(view: TraceView) -> Iterator[Finding]:
    """In a recording every refresh is told."""
    for prompt, place in _derived(view):
        is_late = place.overdue is not None and place.overdue >= _LIMIT
        if is_late or len(place.refreshes) > 1:
            yield Compared(tuple(_company(prompt, place)), prompt.step.index)
        if is_late:
            yield Violation(
                kind="not refreshed again",
                step=prompt.step.index,
                expected=f"a refresh of section {_name(place)}; it is due every {DEFAULT_TTL} s",
                got=f"none for {place.overdue:g} s",
            )


def _company(prompt: PromptReading, place: Place) -> Iterator[str]:
    others = [o for o in prompt.places.values() if o is not place and o.script.section.declared]
    yield "beside declared sections" if others else "without declared sections"


def _missing(prompt: PromptReading, place: Place, kind: str, when: str) -> Violation:
    return Violation(
        kind=kind,
        step=prompt.step.index,
        expected=f"section {_name(place)}, of which only a refresh tool exists, {when}",
        got=f"a prompt with {counted(len(prompt.showing), 'other section')}",
    )


def _name(place: Place) -> str:
    return ".".join(place.script.spot)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    derived = {app: section(values(app), declared=False) for app in APPS}
    one = environment(beta=derived[APPS[1]])
    every = environment(**derived)
    for name, where in (("one", one), ("every", every)):
        yield scenario(
            f"derived-{name}-refreshed",
            "a section of a refresh tool alone is refreshed by hand",
            *refresh_all(),
            say(),
            where=where,
        )
        yield scenario(
            f"derived-{name}",
            "a section of a refresh tool alone, which nobody asks to refresh",
            refresh(),
            say(),
            say(user="u2"),
            wait(200),
            say(),
            wait(200),
            say(),
            wait(360),
            refresh(user="u2"),
            say(),
            say(user="u2"),
            where=where,
        )
    yield scenario(
        "derived-only-extension",
        "the only extension has a refresh tool alone",
        say(),
        wait(350),
        say(),
        wait(350),
        say(),
        where=Environment(extensions=(Extension(app=APPS[0], sections=(derived[APPS[0]],)),)),
    )


_COMPANY = (
    Partition("beside declared sections", "other extensions declare theirs"),
    Partition("without declared sections", "nobody declares one"),
)
_CLOCK = frozenset({"clock"})

INVARIANT = Invariant(
    id="I-SKEL-AUTO-DERIVE-1",
    title="A refresh tool alone makes a section",
    statement=(
        "A section X is derived from a tool skeleton_refresh_X although nobody declared it; it "
        f"is refreshed every {DEFAULT_TTL} s and shown as any other."
    ),
    sources=(context_channels("The three channels at a glance"),),
    clauses=(
        Clause(
            "shown-when-refreshed",
            "A derived section stands in the prompt once it was refreshed.",
            _stored,
            _COMPANY,
        ),
        Clause(
            "appears-unasked",
            f"A derived section appears within {DEFAULT_TTL} s although nobody refreshes it.",
            _appears,
            _COMPANY,
            capabilities=_CLOCK,
        ),
        Clause(
            "refreshed-again",
            f"A derived section is refreshed again every {DEFAULT_TTL} s.",
            _again,
            _COMPANY,
            capabilities=_CLOCK,
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "fact_ledger"}),
    reading=(
        "The documents only name this invariant; its content is read from the platform's "
        "published description: default period 300 s, which counts from the user's first turn."
    ),
)
