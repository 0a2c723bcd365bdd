"""Scenarios of what a planner hands over, and the strategy that draws more of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..vocabulary.aspect import Dimension, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, Call, Confirm, Planned, Raised, Scenario, Turn

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

READ, WRITE, STRICT, DESTROY = "read_items", "write_item", "save_item", "drop_item"

FUNCTION: Dimension[str] = Dimension(
    "function",
    (
        Value("write", WRITE, "where guards sit first"),
        Value("read", READ, "guards that look at writes alone"),
    ),
)
"""What the function does."""

FITTING: dict[str, Any] = {"title": "rent", "tags": ["home"]}
"""Arguments that every function takes."""


def planned(
    args: dict[str, Any] | str,
    *attempts: dict[str, Any] | str,
    function: str = WRITE,
    app: str = APPS[0],
    data: Any = None,
    failing: str | None = None,
    raises: Raised | None = None,
) -> Call:
    """Return a call with scripted arguments.

    Args:
        args: the arguments that the planner gives first, as an object or as JSON text.
        attempts: those that it gives when it is asked again.
        function: the function called.
        app: its extension.
        data: what the handler returns.
        failing: the error code with which the handler fails, if it does.
        raises: what the handler raises.
    """
    first, *others = (
        each if isinstance(each, str) else json.dumps(each) for each in (args, *attempts)
    )
    return Call(
        app=app,
        function=function,
        status="success" if failing is None else "error",
        data_json=json.dumps({"ok": True} if data is None else data),
        error="" if failing is None else "the backend declined",
        planned=Planned(
            args_json=first, attempts=tuple(others), raises=raises, error_code=failing or ""
        ),
    )


def asks(
    message: str, *calls: Call, user: str = "u1", session: str = "s1", draft: str = "Done."
) -> Turn:
    """Return a turn whose planner makes these calls; no other turn has its message."""
    return Turn(message=message, calls=calls, user=user, session=session, draft=draft)


def answer(
    message: str, decision: str = "accept", *, user: str = "u1", session: str = "s1"
) -> Confirm:
    """Return the answer to the cards of the turn that had this message."""
    return Confirm(
        message=message,
        decision="accept" if decision == "accept" else "reject",
        user=user,
        session=session,
    )


def settled(turns: Sequence[AnyStep], parameters: Parameters) -> Scene:
    """Return turns as a scene: where writes wait, their user says yes to each at once.

    The turns are the steps whose outcome the focus is about.
    """
    steps: list[AnyStep] = []
    strained: set[int] = set()
    for step in turns:
        strained.add(len(steps))
        steps.append(step)
        if parameters.confirm_writes and isinstance(step, Turn):
            steps.append(answer(step.message, user=step.user, session=step.session))
    return Scene(steps, frozenset(strained))


def held(name: str, args: Sequence[dict[str, Any]]) -> Scenario:
    """Return a scenario in which calls that wait for a yes have these arguments, and get one."""
    steps: list[AnyStep] = []
    for number, each in enumerate(args):
        steps += [
            asks(f"drop it ({number})", planned(each, function=DESTROY)),
            answer(f"drop it ({number})"),
        ]
    return Scenario(id=name, title="Arguments of what waits for a yes", steps=tuple(steps))


def naming(values: Sequence[str]) -> str:
    """Return a message in which the user names values, so that none of them is invented."""
    return "use " + " and ".join(values)


def conversations(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy for turns whose calls have arguments of every kind."""
    from hypothesis import strategies as st

    from .payloads import json_values

    values = json_values()
    functions = st.sampled_from((READ, WRITE))

    @st.composite
    def drawn(draw: DrawFn) -> Scenario:
        turns = [
            asks(
                f"ask {place}",
                *(
                    planned(draw_args(draw), function=draw(functions))
                    for _ in range(draw(st.integers(1, 3)))
                ),
            )
            for place in range(draw(st.integers(1, 3)))
        ]
        return Scenario(id="explore", steps=tuple(turns))

    def draw_args(draw: DrawFn) -> str:
        return json.dumps({f"field{n}": draw(values) for n in range(draw(st.integers(0, 3)))})

    return drawn()
