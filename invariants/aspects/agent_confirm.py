"""Who answers what waits, with what, how often; what waits; and what fails meanwhile."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..scenarios.agents import (
    DESTROY,
    ORDER,
    READ,
    STREAM,
    Faults,
    answers,
    asks,
    failing,
    returning,
)
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep, Call, ModelFault

OWNER, STRANGER, ELSEWHERE = "owner", "stranger", "elsewhere"
ANSWERS: Dimension[Sequence[tuple[str, bool]]] = Dimension(
    "answers",
    (
        Value("yes", ((OWNER, True),), "what every test does"),
        Value("no", ((OWNER, False),), "a no that is not read"),
        Value("none", (), "a question that answers itself"),
        Value("no-yes", ((OWNER, False), (OWNER, True)), "a question that stays open"),
        Value("yes-no", ((OWNER, True), (OWNER, False)), "a yes that counts for what comes next"),
        Value("yes-yes", ((OWNER, True), (OWNER, True)), "a double click"),
        Value("stranger", ((STRANGER, True),), "whatever waits is taken"),
        Value("stranger-yes", ((STRANGER, True), (OWNER, True)), "a stranger who closes it"),
        Value("stranger-no", ((STRANGER, True), (OWNER, False)), "a yes that is kept"),
        Value("elsewhere", ((ELSEWHERE, True),), "a question that is looked up by its user"),
    ),
)
"""The answers, each with who gives it: the user of the turn, in another session, or another one."""

ARGS: Dimension[str] = Dimension(
    "args",
    (
        Value("plain", '{"n": 7, "item": "rent"}', "what every test uses"),
        Value("unicode", '{"n": 7, "item": "re\\u0301s caf\\u00e9 Я"}', "forms are normalised"),
        Value("blanks", '{"n": 7, "item": "  rent \\n", "b": ""}', "trimmed to be shown"),
        Value("long", f'{{"n": 7, "item": "{"abcdefgh " * 700}"}}', "shortened to be shown"),
        Value("large-number", '{"n": 9007199254740993, "item": "rent"}', "numbers become floats"),
        Value("nested", '{"n": 7, "a": [{"b": [null, {}]}], "c": [], "d": null}', "flattened"),
        Value("none", "{}", "nothing to show, so nothing to ask"),
    ),
)
"""The arguments of what waits."""

Asked = Sequence[tuple[str, str]]
"""Functions, each with the extension whose it is."""

_ONE, _OTHER_APP, _THIRD_APP = APPS
CALLS: Dimension[Asked] = Dimension(
    "calls",
    (
        Value("one", ((DESTROY, _ONE),), "one call"),
        Value("two", ((DESTROY, _ONE), (DESTROY, _OTHER_APP)), "only the first one waits"),
        Value("alike", ((DESTROY, _ONE),) * 2, "what waits is kept by the name of its tool"),
        Value("after-read", ((READ, _ONE), (DESTROY, _OTHER_APP)), "a gate for the first call"),
        Value("before-read", ((DESTROY, _ONE), (READ, _OTHER_APP)), "what stands behind it"),
        Value(
            "three",
            ((DESTROY, _ONE), (DESTROY, _OTHER_APP), (DESTROY, _THIRD_APP)),
            "one of many is not shown, or not gated",
        ),
    ),
)
"""What the model asks for."""

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
            "a question that is asked until its turn has ended well",
        ),
        Value(
            "cut-after", (ModelFault(request=1, kind="cut_stream"),), "the same, in half an answer"
        ),
    ),
)
"""What goes wrong with the model, before its user has answered or after.

Half an answer before it ends most turns, so that nothing is asked: the rows of calls have that.
"""

TOOL: Dimension[Sequence[int]] = Dimension(
    "tool",
    (
        Value("well", (), "tools that do what they are asked for"),
        Value("first-fails", (0,), "one that is called again, or ends the rest"),
        Value("last-fails", (-1,), "a failure for which all are called again"),
        Value("each-fails", (0, 1, 2), "no result for which the answer would be over"),
    ),
)
"""Which destructive calls fail at their tool, by place."""

BETWEEN: Dimension[str] = Dimension(
    "between",
    (
        Value("nothing", "nothing", "the answer comes next"),
        Value("other-user", "other-user", "a turn of somebody else, in which a call waits, too"),
        Value("agreed-before", "agreed-before", "the very same was asked for and agreed to"),
    ),
)
"""What happens before the answer."""

AFTER: Dimension[str] = Dimension(
    "after",
    (
        Value("nothing", "nothing", "the last answer ends it"),
        Value("greeting", "greeting", "calls without a result are run when the user goes on"),
        Value("another", "another", "an answer too many is kept for what waits next"),
    ),
)
"""What the user says next."""

SESSION: Dimension[str] = Dimension(
    "session",
    (
        Value("own", "s2", "everybody has a session of their own"),
        Value("same-name", "s1", "a question that is looked up by its session"),
    ),
)
"""The session of the stranger."""

_ASKED, _OTHER, _BEFORE = "drop it, please", "drop mine, please", "drop it now"
_NEXT, _GREETING = "drop the other one, too", "thanks, what else is there?"


def _scene(row: Row, _: Parameters) -> Scene:
    steps: list[AnyStep] = []
    if row[BETWEEN] == "agreed-before":
        steps += [_dropping(_BEFORE, row[ARGS]), answers(_BEFORE)]
    strained = {len(steps)}
    steps.append(_turn(row, _ASKED))
    if row[BETWEEN] == "other-user":
        session = "s3" if row[SESSION] == "s2" else row[SESSION]
        steps.append(_dropping(_OTHER, '{"n": 2}', user="u3", session=session))
    asked = {OWNER: ("u1", "s1"), STRANGER: ("u2", row[SESSION]), ELSEWHERE: ("u1", "s4")}
    for who, approve in row[ANSWERS]:
        strained.add(len(steps))
        user, session = asked[who]
        steps.append(answers(_ASKED, approve=approve, user=user, session=session))
    if row[AFTER] != "nothing":
        strained.add(len(steps))
    if row[AFTER] == "greeting":
        steps.append(asks(_GREETING))
    elif row[AFTER] == "another":
        steps.append(_dropping(_NEXT, '{"n": 3, "item": "lamp"}'))
    return Scene(steps, frozenset(strained))


def _turn(row: Row, message: str) -> AnyStep:
    asked = row[CALLS]
    places = [place for place, (function, _) in enumerate(asked) if function == DESTROY]
    failed = {places[place] for place in row[TOOL] if place < len(places)}
    return asks(
        message,
        *(_call(n, function, app, failed) for n, (function, app) in enumerate(asked)),
        arguments=[row[ARGS], '{"n": 8, "item": "heat"}', '{"n": 9, "item": "light"}'],
        one_by_one=row[ORDER],
        faults=row[MODEL],
        streams=row[STREAM],
    )


def _call(place: int, function: str, app: str, failed: Collection[int]) -> Call:
    if place in failed:
        return failing(f"the backend declined order {place}", function=function, app=app)
    return returning({"id": f"fern{place}q5", "left": 30 + place}, function=function, app=app)


def _dropping(message: str, args: str, *, user: str = "u1", session: str = "s1") -> AnyStep:
    call = returning({"id": "moss5q", "left": 8}, function=DESTROY)
    return asks(message, call, user=user, session=session, arguments=[args])


ASPECT = Aspect(
    name="agent.confirm",
    title="An answer to what waits",
    clauses=(
        "C-AGENT-CONFIRM/waits-for-yes",
        "C-AGENT-CONFIRM/no-runs-nothing",
        "C-AGENT-CONFIRM/yes-runs-what-was-shown",
    ),
    focus=ANSWERS,
    context=(ARGS, CALLS, ORDER, STREAM, MODEL, TOOL, BETWEEN, AFTER, SESSION),
    scene=_scene,
)
