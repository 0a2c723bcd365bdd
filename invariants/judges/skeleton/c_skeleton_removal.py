"""C-SKELETON-REMOVAL: a section lives until the user uninstalls its extension."""

from __future__ import annotations

from collections.abc import Iterator

from ...readings.likeness import PARTITIONS, likenesses
from ...readings.skeleton import Place, PromptReading, read_skeleton
from ...scenarios.lookalike_apps import ALIKE
from ...scenarios.skeleton import (
    alike_sections,
    disable,
    refresh,
    refresh_all,
    say,
    scenario,
    skeleton_scenarios,
    wait,
)
from ...vocabulary.invariant import Clause, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, Scenario
from ...vocabulary.sources import context_channels
from ...vocabulary.text import counted, shorten
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation


def _gone(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_skeleton).prompts:
        for place in prompt.places.values():
            if place.removed is None or place.last_before(place.removed) is None:
                continue
            yield Compared((*_moment(prompt, place), *_alike(view, prompt, place)))
            if place.shown:
                yield Violation(
                    kind="shown after removal",
                    step=prompt.step.index,
                    expected=f"nothing of extension {place.script.spot[0]}, disabled in step "
                    f"{place.removed}",
                    got=shorten(prompt.lines[prompt.row(place)]),
                )


def _moment(prompt: PromptReading, place: Place) -> Iterator[str]:
    last = place.last_before(place.removed or 0)
    yield "the same session" if last and last.session == prompt.step.session else "another session"
    if last and prompt.now - last.now > place.script.patience:
        yield "after its period"


def _alike(view: TraceView, prompt: PromptReading, place: Place) -> set[str]:
    """Return how its extension is like others, of which the user has disabled some."""
    app = place.script.spot[0]
    apart = {
        other.script.spot[0]
        for other in prompt.places.values()
        if (other.removed is None) != (place.removed is None)
    }
    return {alike for other in apart for alike in likenesses(view, (app, other))}


def _others_stay(view: TraceView) -> Iterator[Finding]:
    for prompt in view.reading(read_skeleton).prompts:
        if not prompt.disabled or not prompt.first:
            continue
        own = any(place.removed is not None for place in prompt.places.values())
        who = "another extension" if own else "another user"
        for place in prompt.places.values():
            if place.removed is not None or not place.seen:
                continue
            yield Compared((who, *_alike(view, prompt, place)))
            if not place.shown:
                yield Violation(
                    kind=f"section of {who} gone",
                    step=prompt.step.index,
                    expected=f"section {'.'.join(place.script.spot)}, which nobody disabled for "
                    f"user {prompt.step.user}",
                    got=f"a prompt with {counted(len(prompt.showing), 'other section')}",
                )


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    yield scenario(
        "removal",
        "an extension is disabled; the others stay",
        *refresh_all(),
        say(),
        disable(APPS[1]),
        say(),
        say(session="other"),
        refresh(APPS[2]),
        say(),
        disable(APPS[0]),
        say(),
    )
    yield scenario(
        "removal-users",
        "an extension is disabled for one of two users",
        *refresh_all(),
        *refresh_all("u2"),
        say(),
        say(user="u2"),
        disable(),
        say(user="u2"),
        say(),
        refresh(user="u2"),
        say(),
        say(user="u2"),
    )
    yield scenario(
        "removal-later",
        "time passes after an extension was disabled",
        *refresh_all(),
        say(),
        disable(APPS[1]),
        wait(200),
        say(),
        wait(700),
        say(),
        wait(4000),
        say(session="other"),
    )
    yield scenario(
        "removal-alike",
        "extensions that are alike are disabled one by one",
        *(refresh(app) for app in ALIKE),
        say(),
        *(step for app in ("notes", "note", "jotter") for step in (disable(app), say())),
        where=alike_sections(),
    )


INVARIANT = Invariant(
    id="C-SKELETON-REMOVAL",
    title="A section goes with its extension",
    statement=(
        "A section is gone once the user has disabled its extension, and no other section is."
    ),
    sources=(context_channels("The three channels at a glance"),),
    clauses=(
        Clause(
            "gone",
            "No section of a disabled extension stands in the user's prompts.",
            _gone,
            (
                Partition("the same session", "where it was shown before"),
                Partition("another session", "elsewhere"),
                Partition(
                    "after its period",
                    "when it would have been refreshed",
                    capabilities=frozenset({"clock"}),
                ),
                *PARTITIONS,
            ),
        ),
        Clause(
            "others-stay",
            "Sections of other extensions, and of other users, stay.",
            _others_stay,
            (
                Partition("another extension", "the same user's"),
                Partition("another user", "who still has the extension"),
                *PARTITIONS,
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=skeleton_scenarios,
    capabilities=frozenset({"skeleton", "fact_ledger"}),
)
