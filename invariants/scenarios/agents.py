"""Scenarios of turns of an agent runtime, and the strategy that draws more of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..vocabulary.aspect import Dimension, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AgentTurn, Call, Confirm, ModelFault, Scenario, Turn
from .pools import POOL

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

READ, LIST, WRITE, DESTROY = "read_items", "list_items", "write_item", "drop_item"

ERROR = "the backend declined the order"
"""What a tool says of its failure."""


_POOLS = ("typography", "look-alike", "markup", "script")

SIGNS = " ".join(
    json.loads(text)
    for pool in POOL.values
    if pool.name in _POOLS
    for text in pool.value
    if not text.startswith(("{", "["))
)
"""A text of many words with what is folded, decoded, rendered or rewritten in texts."""


def asks(
    message: str,
    *calls: Call,
    user: str = "u1",
    session: str = "s1",
    draft: str = "Done.",
    arguments: Sequence[str] = (),
    cut: Sequence[int] = (),
    one_by_one: bool = False,
    faults: Sequence[ModelFault] = (),
    overlaps: bool = False,
    streams: bool = False,
) -> Turn:
    """Return a turn of an agent, whose model asks for these calls."""
    agent = AgentTurn(
        arguments=tuple(arguments),
        cut=tuple(cut),
        one_by_one=one_by_one,
        faults=tuple(faults),
        overlaps=overlaps,
        streams=streams,
    )
    return Turn(message=message, calls=calls, user=user, session=session, draft=draft, agent=agent)


def answers(
    message: str, *, approve: bool = True, user: str = "u1", session: str = "s1"
) -> Confirm:
    """Return a user's answer to what waits in the turn of this message."""
    return Confirm(
        message=message,
        decision="accept" if approve else "reject",
        user=user,
        session=session,
        of_agent=True,
    )


def returning(data: Any, *, function: str = READ, app: str = APPS[0]) -> Call:
    """Return a call whose tool returns this value."""
    return written(json.dumps(data), function=function, app=app)


def written(data_json: str, *, function: str = READ, app: str = APPS[0]) -> Call:
    """Return a call whose tool returns this JSON text."""
    return Call(app=app, function=function, data_json=data_json)


def failing(error: str = ERROR, *, function: str = WRITE, app: str = APPS[0]) -> Call:
    """Return a call whose tool fails."""
    return Call(app=app, function=function, status="error", error=error)


def item(word: str, number: int = 0) -> Call:
    """Return a call whose result holds a word that nothing else has."""
    return returning({"id": f"{word}{number}x7", "amount": 4000 + number, "open": True})


ORDER: Dimension[bool] = Dimension(
    "order",
    (
        Value("together", False, "calls that run side by side"),
        Value("one-by-one", True, "a history that grows between the calls"),
    ),
)
"""Whether the model asks for the calls of a turn together."""

STREAM: Dimension[bool] = Dimension(
    "answer",
    (
        Value("plain", False, "answers in one piece"),
        Value("streamed", True, "the code of another interface, which puts pieces together"),
    ),
)
"""Whether the runtime's streaming interface takes the turn, where it claims one."""

NUMBER: Dimension[int] = Dimension(
    "number",
    (
        Value("one", 1, "a call a turn"),
        Value("three", 3, "results that are exchanged, or of which one is kept"),
    ),
)
"""How many calls a turn has."""

Faults = tuple[ModelFault, ...]

FAULT: Dimension[Faults] = Dimension(
    "fault",
    (
        Value("none", (), "a model that answers"),
        Value("rate-limit", (ModelFault(kind="rate_limit"),), "a client that tries again"),
        Value("server-error", (ModelFault(kind="server_error", times=2),), "the same, twice"),
        Value(
            "late-error",
            (ModelFault(request=1, kind="server_error"),),
            "a turn that is begun anew after its tools have run",
        ),
        Value("cut-stream", (ModelFault(kind="cut_stream"),), "calls taken from half a stream"),
        Value(
            "late-cut",
            (ModelFault(request=1, kind="cut_stream"),),
            "a turn that fails, or is begun anew, after its tools have run",
        ),
    ),
)
"""What goes wrong with the model's answers."""


def conversations(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy for turns of one or two sessions with results of every kind."""
    from hypothesis import strategies as st

    from .payloads import json_values

    values = json_values()

    @st.composite
    def drawn(draw: DrawFn) -> Scenario:
        turns = [
            asks(
                f"question {place}",
                *(returning(draw(values)) for _ in range(draw(st.integers(0, 3)))),
                session=draw(st.sampled_from(("s1", "s2"))),
                one_by_one=draw(st.booleans()),
                draft=f"answer {place}",
            )
            for place in range(draw(st.integers(1, 4)))
        ]
        return Scenario(id="explore", steps=tuple(turns))

    return drawn()


def greetings(_parameters: Parameters) -> SearchStrategy[Scenario]:
    """Return the strategy of a promise whose rows are all that is tried: one short scenario.

    Turns of a real runtime are slow; what is drawn at random is drawn for one invariant.
    """
    from hypothesis import strategies as st

    turns = (asks("look it up", item("pearl")), asks("what was it?"))
    return st.just(Scenario(id="explore", steps=turns))


def portable(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return JSON texts without numbers beyond every double, which RFC 8259 promises nobody."""
    return tuple(each for each in values if each != "1e400")
