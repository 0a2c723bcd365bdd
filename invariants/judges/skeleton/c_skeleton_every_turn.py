"""C-SKELETON-EVERY-TURN: every stored section stands in every prompt."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.likeness import PARTITIONS, likenesses
from ...readings.skeleton import Place, PromptReading, read_skeleton
from ...readings.skeleton_names import read_titled
from ...scenarios.facts import call, turn
from ...scenarios.skeleton import (
    alike_sections,
    environment,
    refresh,
    refresh_alike,
    refresh_all,
    say,
    scenario,
    section,
    skeleton_scenarios,
    value,
    wait,
)
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

_LONG_MESSAGE = "please " * 900


def _all_shown(view: TraceView) -> Iterator[Finding]:
    """Until somebody disables an extension: from then on C-SKELETON-REMOVAL judges."""
    for prompt in view.reading(read_skeleton).prompts:
        if prompt.disabled or not prompt.first:
            continue
        stored = [p for p in prompt.places.values() if p.refreshes or p.seen]
        if stored:
            alike = likenesses(view, {place.script.spot[0] for place in stored})
            yield Compared((*_occasion(prompt, stored), *alike), prompt.step.index)
        for place in stored:
            if not place.shown:
                yield Violation(
                    kind="no longer shown" if place.seen else "never shown",
                    step=prompt.step.index,
                    expected=f"section {'.'.join(place.script.spot)}, {_since(prompt, place)}",
                    got=_told(prompt),
                )
    yield from _all_named(view)


def _all_named(view: TraceView) -> Iterator[Finding]:
    """A value without a word of its own is found by the name of its section."""
    for titled in view.reading(read_titled):
        yield Compared((), titled.prompt.step.index)
        if not titled.shown:
            yield Violation(
                kind="name not shown",
                step=titled.prompt.step.index,
                expected=f"section {'.'.join(titled.spot)}, which the kernel has stored",
                got=_told(titled.prompt),
            )


def _occasion(prompt: PromptReading, stored: list[Place]) -> Iterator[str]:
    if any(not place.seen for place in stored):
        yield "the first turn after the refresh"
    if any(place.seen for place in stored):
        yield "a later turn"
    if len({place.script.spot[0] for place in stored}) > 1:
        yield "several extensions"
    sessions = {place.seen[-1].session for place in stored if place.seen}
    if sessions and prompt.step.session not in sessions:
        yield "another session of the user"
    if prompt.failed & {place.script.spot[0] for place in stored}:
        yield "after a failed call"
    if any(prompt.now - s.now > place.script.patience for place in stored for s in place.seen[-1:]):
        yield "after its period"


def _since(prompt: PromptReading, place: Place) -> str:
    if place.seen:
        return f"shown {prompt.now - place.seen[-1].now:g} s ago"
    return f"refreshed {prompt.now - place.refreshes[-1].now:g} s ago"


def _newest(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_skeleton).prompts:
        for place in prompt.showing:
            step = place.refreshes[-1].step if place.refreshes else -1
            then = place.last_before(step)
            if not prompt.first or then is None or not then.mark.sure or not place.shown:
                continue
            when = "the next turn" if place.seen[-1].step < step else "a later turn"
            yield Compared((when,), prompt.step.index)
            if place.shown.mark.nth == then.mark.nth:
                yield Violation(
                    kind="value of an earlier refresh",
                    step=prompt.step.index,
                    expected=f"the value that section {'.'.join(place.script.spot)} got in step "
                    f"{step}",
                    got=f"the value from before, {then.mark.word}",
                )


def _told(prompt: PromptReading) -> str:
    names = ", ".join(".".join(place.script.spot) for place in prompt.showing)
    return f"sections {names}" if names else "a prompt without a section"


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield scenario(
        "every-turn",
        "sections of all extensions over several turns and sessions",
        refresh(APPS[2]),
        say(),
        *refresh_all(),
        say("again"),
        say(_LONG_MESSAGE),
        say(session="other"),
        say(""),
        say("  "),
        *(say(f"turn {n}") for n in range(14)),
    )
    yield scenario(
        "every-turn-refreshes",
        "each refresh shows in the next prompt",
        refresh(),
        say(),
        refresh(),
        say(),
        say(),
        refresh(APPS[1]),
        refresh(),
        say(),
        say(session="other"),
        say(""),
    )
    yield scenario(
        "every-turn-hostile",
        "values with hostile shapes are shown too",
        *refresh_all(),
        say(),
        say(),
        where=environment(
            alpha=section(
                [value(APPS[0], n, none=None, yes=True, empty="", zero=-0.0) for n in range(6)]
            ),
            beta=section(
                [value(APPS[1], n, big=2**64 + 1, x="\ud800\u0000\u202e") for n in range(6)]
            ),
            gamma=section([value(APPS[2], n, **{"k" * 300: {}, "": []}) for n in range(6)]),
        ),
    )
    yield scenario(
        "every-turn-later",
        "sections stay when their period is over",
        *refresh_all(),
        say(),
        wait(1000),
        say(),
        wait(100_000),
        say(session="other"),
    )
    failed = call({}, status="error")
    yield scenario(
        "every-turn-with-calls",
        "tools of the extensions run, and fail",
        *refresh_all(),
        *(
            turn("go", each, user="u1", session="u1-s")
            for app in APPS
            for each in (failed, call({"n": 1}, app=app), call({}, app=app, status="error"))
        ),
        say(),
    )
    yield scenario(
        "every-turn-alike",
        "sections of extensions that are alike",
        *(step for each in refresh_alike() for step in (each, say())),
        say(session="other"),
        where=alike_sections(),
    )


INVARIANT = Invariant(
    id="C-SKELETON-EVERY-TURN",
    title="Every stored section is shown on every turn",
    statement=(
        "Each classifier prompt shows every stored section of the user, of all extensions, with "
        "the value of its last refresh."
    ),
    sources=(
        context_channels("Channel 1 — Skeleton"),
        context_channels("(1) Pre-turn — the intent classifier sees"),
    ),
    clauses=(
        Clause(
            "all-sections-shown",
            "Every stored section of the user stands in the prompt.",
            _all_shown,
            (
                Partition("the first turn after the refresh", "nothing was shown before"),
                Partition("a later turn", "it was shown before"),
                Partition("several extensions", "sections of two or more extensions"),
                Partition("another session of the user", "the user speaks elsewhere"),
                Partition("after a failed call", "of an extension that has a section"),
                Partition(
                    "after its period",
                    "its period is over",
                    capabilities=frozenset({"clock"}),
                ),
                *PARTITIONS,
            ),
        ),
        Clause(
            "newest-value-shown",
            "A section shows the value of its last refresh, from the next turn on.",
            _newest,
            (
                Partition("the next turn", "the first prompt after the refresh"),
                Partition("a later turn", "a prompt after that"),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "fact_ledger"}),
    reading=(
        "A section counts as stored once a refresh was asked for or a prompt has shown it; a "
        "kernel may refresh more often, so any later value passes. Only the first prompt of a "
        "turn is judged. A section whose value is no object, or holds no word of its own, is "
        "looked for by its name, once the kernel reports it as stored."
    ),
)
