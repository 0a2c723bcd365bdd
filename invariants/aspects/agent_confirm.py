"""Who answers what waits, with what, how often; and what waits."""

from __future__ import annotations

from collections.abc import Sequence

from ..scenarios.agents import DESTROY, ORDER, READ, answers, asks, returning
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, AnyStep

ANSWERS: Dimension[Sequence[tuple[str, bool]]] = Dimension(
    "answers",
    (
        Value("yes", (("u1", True),), "what every test does"),
        Value("no", (("u1", False),), "a no that is not read"),
        Value("none", (), "a question that answers itself"),
        Value("no-yes", (("u1", False), ("u1", True)), "a question that stays open"),
        Value("yes-yes", (("u1", True), ("u1", True)), "a double click"),
        Value("stranger", (("u2", True),), "whatever waits is taken"),
        Value("stranger-yes", (("u2", True), ("u1", True)), "a stranger who closes it"),
        Value("stranger-no", (("u2", True), ("u1", False)), "a yes that is kept"),
    ),
)
"""The answers, each with who gives it."""

ARGS: Dimension[str] = Dimension(
    "args",
    (
        Value("plain", '{"n": 7, "item": "rent"}', "what every test uses"),
        Value("unicode", '{"n": 7, "item": "re\\u0301s caf\\u00e9 Я"}', "forms are normalised"),
        Value("blanks", '{"n": 7, "item": "  rent \\n", "b": ""}', "trimmed to be shown"),
        Value("long", f'{{"n": 7, "item": "{"abcdefgh " * 100}"}}', "shortened to be shown"),
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

SESSION: Dimension[str] = Dimension(
    "session",
    (
        Value("own", "s2", "everybody has a session of their own"),
        Value("same-name", "s1", "a question that is looked up by its session"),
    ),
)
"""The session of the stranger."""

_ASKED, _OTHER, _BEFORE = "drop it, please", "drop mine, please", "drop it now"


def _scene(row: Row, _: Parameters) -> Scene:
    steps: list[AnyStep] = []
    if row[BETWEEN] == "agreed-before":
        steps += [_dropping(_BEFORE, row[ARGS]), answers(_BEFORE)]
    strained = {len(steps)}
    steps.append(_turn(row, _ASKED))
    if row[BETWEEN] == "other-user":
        session = "s3" if row[SESSION] == "s2" else row[SESSION]
        steps.append(_dropping(_OTHER, '{"n": 2}', user="u3", session=session))
    for user, approve in row[ANSWERS]:
        strained.add(len(steps))
        session = "s1" if user == "u1" else row[SESSION]
        steps.append(answers(_ASKED, approve=approve, user=user, session=session))
    return Scene(steps, frozenset(strained))


def _turn(row: Row, message: str) -> AnyStep:
    return asks(
        message,
        *(
            returning({"id": f"fern{n}q5", "left": 30 + n}, function=function, app=APPS[n])
            for n, function in enumerate(row[CALLS])
        ),
        arguments=[row[ARGS], '{"n": 8, "item": "heat"}'],
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
    context=(ARGS, CALLS, ORDER, BETWEEN, SESSION),
    scene=_scene,
)
