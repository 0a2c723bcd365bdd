"""C-PANEL-REFRESH: panels that a handler names are re-fetched, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...readings.likeness import PARTITIONS, likenesses
from ...scenarios.drawing import Recipe, from_recipes
from ...scenarios.facts import CALIBRATION
from ...scenarios.facts import turn as turn_of
from ...scenarios.lookalike_apps import ALIKE, alike_environment
from ...vocabulary.invariant import Clause, Contradiction, Invariant, Partition
from ...vocabulary.parameters import Parameters
from ...vocabulary.scenario import APPS, FUNCTIONS, PANEL, Call, Scenario, Turn
from ...vocabulary.sources import context_channels
from ...vocabulary.trace import PanelRefreshed
from ...vocabulary.trace_view import TraceView
from ...vocabulary.verdict import Compared, Finding, Violation

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Panel = tuple[str, str]


def _turns(view: TraceView) -> Iterator[tuple[int, Turn, set[Panel]]]:
    for step in view.steps:
        if isinstance(step.stimulus, Turn):
            refreshed = {(event.app, event.panel) for event in step.all(PanelRefreshed)}
            yield step.index, step.stimulus, refreshed


def _asked(turn: Turn, *statuses: str) -> set[Panel]:
    return {
        (call.app, panel)
        for call in turn.calls
        if call.status in statuses
        for panel in call.refresh_panels
    }


def _requested(view: TraceView) -> Iterator[Finding]:
    for index, turn, refreshed in _turns(view):
        asked = _asked(turn, "success")
        if not asked:
            continue
        alike = likenesses(view, {app for app, _ in asked})
        yield Compared((*_classes(turn, asked), *alike))
        if asked - refreshed:
            yield Violation(
                kind="requested panel not refreshed",
                step=index,
                expected=f"refreshed: {_told(asked)}",
                got=_told(refreshed),
            )


def _classes(turn: Turn, asked: set[Panel]) -> Iterator[str]:
    yield "one panel" if len(asked) == 1 else "panels of several extensions"
    asking = [call for call in turn.calls if call.refresh_panels]
    if len(asking) < len(turn.calls):
        yield "beside a call that asks for none"
    if any(call.status == "error" for call in turn.calls):
        yield "beside a failed call"
    if len(asking) > len({call.app for call in asking}):
        yield "asked for twice"


def _nothing_else(view: TraceView) -> Iterator[Finding]:
    for index, turn, refreshed in _turns(view):
        if not turn.calls:
            continue
        asked = _asked(turn, "success", "error")
        alike = likenesses(view, {call.app for call in turn.calls}) if asked else ()
        yield Compared(("some panels asked for" if asked else "no panel asked for", *alike))
        if refreshed - asked:
            yield Violation(
                kind="panel refreshed that nobody asked for",
                step=index,
                expected=f"refreshed: {_told(asked)}",
                got=_told(refreshed),
            )


def _told(panels: set[Panel]) -> str:
    return ", ".join(f"{app}.{panel}" for app, panel in sorted(panels)) or "none"


def _call(app: str = APPS[0], *, asks: bool = True, function: str = FUNCTIONS[2]) -> Call:
    return Call(app=app, function=function, data_json='{"ok":true}', refresh_panels=(PANEL,) * asks)


def _scenarios(_parameters: Parameters) -> Iterator[Scenario]:
    steps = (
        CALIBRATION,
        turn_of("one", _call()),
        turn_of("two", _call(asks=False)),
        turn_of("three", _call(APPS[1]), _call(asks=False)),
        turn_of("four", _call(asks=False), _call(APPS[2]), _call(APPS[1], function=FUNCTIONS[0])),
        turn_of("five", _call(), _call(function=FUNCTIONS[1])),
        turn_of("six"),
        turn_of("seven", _call(asks=False), _call(APPS[1], asks=False)),
        turn_of("eight", _call(APPS[2]), user="u2", session="s2"),
        turn_of("nine", *(_call(app) for app in APPS)),
        turn_of("ten", _call(), Call(app=APPS[1], status="error", error="backend said no")),
    )
    yield Scenario(id="panels-refreshed", title="calls that ask for panels", steps=steps)
    yield Scenario(
        id="panels-refreshed-beside-failures",
        title="calls that ask for panels, beside calls that fail",
        steps=(
            CALIBRATION,
            *(
                turn_of(f"ask {app}", _call(app), Call(app=APPS[1], status="error", error="no"))
                for app in APPS
            ),
        ),
    )
    yield Scenario(
        id="panels-refreshed-alike",
        title="extensions that are alike: one asks for its panel, or all do",
        steps=(
            CALIBRATION,
            *(
                turn_of(f"ask {one}", *(_call(app, asks=app == one) for app in ALIKE))
                for one in ALIKE
            ),
            turn_of("all", *(_call(app) for app in ALIKE)),
        ),
        environment=alike_environment(),
    )


def strategy(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy: turns whose calls ask for panels or do not."""
    return from_recipes(_drawn, 2)


def _drawn(recipes: tuple[Recipe, ...]) -> Scenario:
    turns = [
        turn_of(
            f"turn {place}",
            *(
                _call(recipe.pick(APPS), asks=recipe.pick((True, False)))
                for _ in range(recipe.pick((1, 2, 3)))
            ),
            user=recipe.pick(("u1", "u1", "u2")),
        )
        for place, recipe in enumerate(recipes)
    ]
    return Scenario(id="explore", steps=(CALIBRATION, *turns))


INVARIANT = Invariant(
    id="C-PANEL-REFRESH",
    title="Named panels are re-fetched",
    statement="After a turn the panels that its successful calls named are re-fetched, and no "
    "others.",
    severity="medium",
    sources=(context_channels("(3) Post-turn — the narrator and the user see"),),
    capabilities=frozenset({"fact_ledger", "panels"}),
    reading=(
        "A panel that two calls name may be fetched once or twice. What a failed call names is "
        "free. An empty list means none; a scenario always has a list."
    ),
    clauses=(
        Clause(
            "requested-refreshed",
            "Each panel that a successful call names is re-fetched.",
            _requested,
            (
                Partition("one panel", "of one extension"),
                Partition("panels of several extensions", "in one turn"),
                Partition("beside a call that asks for none", "in the same turn"),
                Partition("beside a failed call", "of another extension"),
                Partition("asked for twice", "by two calls of one extension"),
                *PARTITIONS,
            ),
        ),
        Clause(
            "nothing-else-refreshed",
            "No panel is re-fetched that no call of the turn names.",
            _nothing_else,
            (
                Partition("no panel asked for", "none may be fetched"),
                Partition("some panels asked for", "no others may"),
                *PARTITIONS,
            ),
            contradictions=(
                Contradiction(
                    "panel-refresh-after-write page",
                    "after a write from chat every panel of the extension is fetched anew.",
                    "The founding documents know only panels that are named: those are judged.",
                ),
                Contradiction(
                    "SDK, ActionResult.refresh_panels",
                    "a missing list means all panels, an empty one none.",
                    "The founding documents do not tell them apart: no scenario leaves the list "
                    "out, and with an empty one none may be fetched.",
                ),
            ),
        ),
    ),
    scenarios=_scenarios,
    strategy=strategy,
)
