"""Scenarios for the fact ledger: how they are written, and the strategy that draws more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

from ..vocabulary.parameters import EXPOSE_PII_FLAG, Parameters
from ..vocabulary.scenario import APPS, FUNCTIONS, Call, Environment, Scenario, Turn
from .payloads import IMITATIONS, document, json_values

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

EXPOSED = Environment(flags={EXPOSE_PII_FLAG: "true"})
"""Raw data is opted in, so that what the classifier sees can be compared word for word."""

MESSAGES = (
    "show me the list",
    "and now?",
    "отправь на тот же адрес",
    "what about the second one",
    *IMITATIONS,
)


def call(
    data: Any,
    *,
    app: str = APPS[0],
    function: str = FUNCTIONS[0],
    status: Literal["success", "error"] = "success",
    summary: str = "",
) -> Call:
    """Return a call whose handler returns this data."""
    return Call(
        app=app,
        function=function,
        status=status,
        data_json=json.dumps(data),
        summary=summary,
        error="backend said no" if status == "error" else "",
    )


def written(data_json: str, *, app: str = APPS[0]) -> Call:
    """Return a call whose handler returns data that JSON writes so."""
    return Call(app=app, function=FUNCTIONS[0], status="success", data_json=data_json)


def turn(
    message: str,
    *calls: Call,
    draft: str = "Done.",
    user: str = "u1",
    session: str = "s1",
) -> Turn:
    """Return a turn in which the planner makes these calls."""
    return Turn(message=message, calls=calls, draft=draft, user=user, session=session)


CALIBRATION = turn("calibrate", call({"a": "я", "b": 1}))
"""Shows, from one small payload, how this kernel escapes and separates."""

CLOSING = turn("and then?")
"""A turn without calls: its prompt shows the ledger as it stands at the end."""


def fact_scenario(
    name: str, title: str, *turns: Turn, environment: Environment = EXPOSED
) -> Scenario:
    """Return a fixed scenario: a calibration turn, the given turns, a closing turn."""
    return Scenario(
        id=name, title=title, steps=(CALIBRATION, *turns, CLOSING), environment=environment
    )


def fact_scenarios(parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy for conversations with calls of every shape."""
    from hypothesis import strategies as st

    values = json_values()
    kinds = st.integers(0, 2**20)

    @st.composite
    def conversations(draw: DrawFn) -> Scenario:
        drawn = draw(values)
        turns: list[Turn] = []
        for place in range(draw(st.integers(1, parameters.window + 2))):
            picks = draw(st.lists(kinds, max_size=3))
            calls = tuple(_recipe_call(pick) for pick in picks)
            if place == 0:
                calls = (*calls, call(drawn, app=APPS[1]))
            turns.append(_recipe_turn(draw(kinds), calls))
        return Scenario(id="explore", steps=(CALIBRATION, *turns, CLOSING), environment=EXPOSED)

    return conversations()


def _recipe_call(pick: int) -> Call:
    pick, app = divmod(pick, len(APPS))
    pick, function = divmod(pick, len(FUNCTIONS))
    pick, failed = divmod(pick, 8)
    kind, size = divmod(pick, 64)
    return call(
        document(kind, size),
        app=APPS[app],
        function=FUNCTIONS[function],
        status="error" if failed == 7 else "success",
        summary=f"summary {size} of what was found",
    )


def _recipe_turn(pick: int, calls: tuple[Call, ...]) -> Turn:
    pick, message = divmod(pick, len(MESSAGES))
    pick, reply = divmod(pick, 4)
    other = pick % 8
    return turn(
        MESSAGES[message],
        *calls,
        draft=IMITATIONS[pick % len(IMITATIONS)] if reply == 3 else "Done.",
        user="u2" if other == 7 else "u1",
        session="s2" if other == 6 else "s1",
    )
