"""Who answers what waits, with what, how often; and what waits."""

from __future__ import annotations

from collections.abc import Sequence

from ..scenarios.agents import DESTROY, ORDER, READ, answers, asks, returning
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep

OWNER, STRANGER, ELSEWHERE = "owner", "stranger", "elsewhere"
ANSWERS: Dimension[Sequence[tuple[str, bool]]] = Dimension(
    "answers",
    (
        Value("yes", ((OWNER, True),), "what every test does"),
        Value("no", ((OWNER, False),), "a no that is not read"),
        Value("none", (), "a question that answers itself"),
        Value("no-yes", ((OWNER, False), (OWNER, True)), "a question that stays open"),
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

CALLS: Dimension[Sequence[str]] = Dimension(
    "calls",
    (
        Value("one", (DESTROY,), "one call"),
        Value("two", (DESTROY, DESTROY), "only the first one waits"),
        Value("after-read", (READ, DESTROY), "a gate that looks at the first call alone"),
        Value("before-read", (DESTROY, READ), "what stands behind it"),
        Value("three", (DESTROY, DESTROY, DESTROY), "one of many is not shown, or not gated"),
    ),
)
"""What the model asks for."""

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
    return asks(
        message,
        *(
            returning({"id": f"fern{n}q5", "left": 30 + n}, function=function, app=APPS[n])
            for n, function in enumerate(row[CALLS])
        ),
        arguments=[row[ARGS], '{"n": 8, "item": "heat"}', '{"n": 9, "item": "light"}'],
        one_by_one=row[ORDER],
    )


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
    context=(ARGS, CALLS, ORDER, BETWEEN, AFTER, SESSION),
    scene=_scene,
)
