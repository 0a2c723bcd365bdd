"""What fails before an answer or after it: the model, or a tool; once, or until the turn fails."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..scenarios.agents import DESTROY, STREAM, Faults, answers, asks, failing, returning
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, Call, ModelFault

_LONG = 12
"""More tries than any client has."""

MODEL: Dimension[Faults] = Dimension(
    "model",
    (
        Value("well", (), "a model that answers"),
        Value("fails-before", (ModelFault(kind="server_error"),), "a turn that is begun anew"),
        Value(
            "fails-after",
            (ModelFault(request=1, kind="server_error"),),
            "an answer that is taken up anew, with all that ran",
        ),
        Value(
            "away-after",
            (ModelFault(request=1, kind="server_error", times=_LONG),),
            "a question that stays open until its turn has ended well",
        ),
        Value(
            "cut-after", (ModelFault(request=1, kind="cut_stream"),), "the same, in half an answer"
        ),
    ),
)
"""What goes wrong with the model, before its user has answered or after.

Half an answer before it ends most turns, so that nothing is asked: other rows have that.
"""

TOOL: Dimension[Sequence[int]] = Dimension(
    "tool",
    (
        Value("well", (), "tools that do what they are asked for"),
        Value("first-fails", (0,), "one that is called again, or ends the rest"),
        Value("last-fails", (-1,), "a failure for which all are called again"),
        Value("each-fails", (0, -1), "no result for which the answer would be over"),
    ),
)
"""Which calls fail at their tool, by place."""

ANSWERS: Dimension[Sequence[bool]] = Dimension(
    "answers",
    (
        Value("yes", (True,), "what is begun anew is done twice"),
        Value("no", (False,), "what is begun anew has forgotten the answer"),
        Value("no-yes", (False, True), "a question that failed and is open again"),
        Value("yes-no", (True, False), "the same"),
        Value("yes-yes", (True, True), "the same"),
    ),
)
"""The answers of the user."""

CALLS: Dimension[tuple[Sequence[str], bool]] = Dimension(
    "calls",
    (
        Value("one", (APPS[:1], False), "one call"),
        Value("two", (APPS[:2], False), "one has run, and the other has not"),
        Value("alike", (APPS[:1] * 2, False), "the same of one tool"),
        Value("two-in-turn", (APPS[:2], True), "a question in the answer to another one"),
    ),
)
"""The extensions whose destructive function the model asks for, and whether one by one."""

AFTER: Dimension[bool] = Dimension(
    "after",
    (
        Value("nothing", False, "the last answer ends it"),
        Value("greeting", True, "calls without a result are run when the user goes on"),
    ),
)
"""Whether the user says something next."""

_ASKED = "drop it, please"


def _scene(row: Row, _: Parameters) -> Scene:
    apps, one_by_one = row[CALLS]
    failed = {range(len(apps))[place] for place in row[TOOL]}
    turn = asks(
        _ASKED,
        *(_call(place, app, failed) for place, app in enumerate(apps)),
        arguments=['{"n": 7, "item": "rent"}', '{"n": 8, "item": "heat"}'],
        one_by_one=one_by_one,
        faults=row[MODEL],
        streams=row[STREAM],
    )
    steps: list[AnyStep] = [turn, *(answers(_ASKED, approve=yes) for yes in row[ANSWERS])]
    if row[AFTER]:
        steps.append(asks("thanks, what else is there?"))
    return Scene(steps, frozenset(range(len(steps))))


def _call(place: int, app: str, failed: Collection[int]) -> Call:
    if place in failed:
        return failing(f"the backend declined order {place}", function=DESTROY, app=app)
    data = {"id": f"fern{place}q5", "left": 30 + place}
    return returning(data, function=DESTROY, app=app)


ASPECT = Aspect(
    name="agent.answers",
    title="An answer under failures",
    clauses=(
        "C-AGENT-CONFIRM/yes-runs-what-was-shown",
        "C-AGENT-CONFIRM/no-runs-nothing",
        "C-AGENT-CONFIRM/waits-for-yes",
    ),
    focus=MODEL,
    context=(TOOL, ANSWERS, CALLS, STREAM, AFTER),
    scene=_scene,
)
