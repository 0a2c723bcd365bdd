"""Who answers a card, with what, how often; and what waits on it."""

from __future__ import annotations

from collections.abc import Sequence

from ..scenarios.dispatch import DESTROY, READ, WRITE, answer, asks, planned
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import Advance, AnyStep, Call, Raised

ANSWERS: Dimension[Sequence[tuple[str, str]]] = Dimension(
    "answers",
    (
        Value("yes", (("u1", "accept"),), "what every test does"),
        Value("no", (("u1", "reject"),), "a no that is not read"),
        Value("no-yes", (("u1", "reject"), ("u1", "accept")), "a card that stays open"),
        Value("yes-yes", (("u1", "accept"), ("u1", "accept")), "a double click"),
        Value(
            "yes-no-yes",
            (("u1", "accept"), ("u1", "reject"), ("u1", "accept")),
            "a no that opens the card again",
        ),
        Value("stranger", (("u2", "accept"),), "a card that is looked up by its id alone"),
        Value("stranger-yes", (("u2", "accept"), ("u1", "accept")), "a stranger who closes it"),
        Value("none", (), "a card that answers itself"),
    ),
)
"""The answers, each with who gives it."""

ARGS: Dimension[str] = Dimension(
    "args",
    (
        Value("plain", '{"n": 7, "item": "rent"}', "what every test uses"),
        Value(
            "unicode",
            '{"n": 7, "item": "re\\u0301sume\\u0301 \\ud83d\\ude00 Я"}',
            "forms are normalised",
        ),
        Value(
            "blanks", '{"n": 7, "item": "  rent \\n", "b": ""}', "trimmed on the way to the card"
        ),
        Value("long", f'{{"n": 7, "item": "{"abcdefgh " * 400}"}}', "shortened for the card"),
        Value("numbers", '{"n": 7, "a": 9007199254740993, "b": 0.1, "c": 1e21}', "doubles"),
        Value("nested", '{"n": 7, "a": [{"b": [null, true, {}]}], "c": {"d": []}}', "flattened"),
        Value("none", "{}", "nothing to show, so nothing to ask"),
        Value("phone", '{"n": 7, "call": "+49 30 1234567"}', "only addresses are masked"),
        Value("mail", '{"n": 7, "to": "ada.lovelace@example.com"}', "masked, and run as masked"),
    ),
)
"""The arguments of what waits."""

CALLS: Dimension[str] = Dimension(
    "calls",
    (
        Value("one", "one", "one call"),
        Value("two", "two", "only the first destructive call of a chain waits"),
        Value("after-read", "after-read", "a gate that goes by what the turn began with"),
        Value("after-write", "after-write", "a turn that has written already"),
        Value("two-apps", "two-apps", "calls of two extensions"),
        Value("before-read", "before-read", "what is planned behind it waits, too"),
        Value("two-then-read", "two-then-read", "what is planned behind two of them"),
        Value("failing", "failing", "a call that fails after the yes"),
        Value("raising", "raising", "a handler that raises after the yes"),
    ),
)
"""What the turn calls."""

BETWEEN: Dimension[str] = Dimension(
    "between",
    (
        Value("nothing", "nothing", "the answer comes next"),
        Value("turn", "turn", "another turn of the same session"),
        Value("other-user", "other-user", "a turn of somebody else, who has a card too"),
        Value("other-card", "other-card", "a second card of the same user"),
        Value("minute", "minute", "a plan that is out of date after a minute"),
        Value("done-before", "done-before", "the very same was asked for and agreed to before"),
    ),
)
"""What happens between card and answer."""

SESSION: Dimension[str] = Dimension(
    "session",
    (
        Value("own", "s2", "everybody has a session of their own"),
        Value("same-name", "s1", "a card that is looked up by its session"),
    ),
)
"""The session of the stranger."""

_ASKED = "drop it, please"


def _scene(row: Row, parameters: Parameters) -> Scene:
    del parameters
    steps: list[AnyStep] = []
    if row[BETWEEN] == "done-before":
        steps += [asks("drop it now", *_calls(row)), answer("drop it now")]
    strained = {len(steps)}
    steps.append(asks(_ASKED, *_calls(row)))
    other = planned('{"n": 1}', function=DESTROY)
    if row[BETWEEN] == "turn":
        steps.append(asks("what else is there?", planned({"n": 2}, function=READ)))
    elif row[BETWEEN] == "other-user":
        steps.append(asks("drop mine", other, user="u2", session=row[SESSION]))
    elif row[BETWEEN] == "minute":
        steps.append(Advance(seconds=61))
    elif row[BETWEEN] == "other-card":
        steps.append(asks("drop that, too", other))
    for user, decision in row[ANSWERS]:
        strained.add(len(steps))
        session = "s1" if user == "u1" else row[SESSION]
        steps.append(answer(_ASKED, decision, user=user, session=session))
    steps.append(asks("is it done?", planned({"n": 3}, function=READ)))
    return Scene(steps, frozenset(strained))


def _calls(row: Row) -> Sequence[Call]:
    drop = planned(row[ARGS], '{"n": 99}', function=DESTROY)
    kinds: dict[str, Sequence[Call]] = {
        "one": [drop],
        "two": [drop, planned('{"n": 8, "item": "heat"}', function=DESTROY)],
        "after-read": [planned({"n": 4}, function=READ), drop],
        "after-write": [planned({"n": 4}, function=WRITE), drop],
        "before-read": [drop, planned({"n": 4}, function=READ)],
        "two-then-read": [
            drop,
            planned('{"n": 8}', function=DESTROY),
            planned({"n": 4}, function="list_items"),
        ],
        "failing": [planned(row[ARGS], '{"n": 99}', function=DESTROY, failing="BACKEND_TIMEOUT")],
        "raising": [
            planned(row[ARGS], '{"n": 99}', function=DESTROY, raises=Raised(message="zq lost"))
        ],
        "two-apps": [drop, planned('{"n": 8}', function=DESTROY, app="beta")],
    }
    return kinds[row[CALLS]]


ASPECT = Aspect(
    name="confirm.answers",
    title="An answer to a card",
    clauses=(
        "C-CONFIRM-GATE/destructive-waits",
        "C-CONFIRM-GATE/card-tells-the-call",
        "C-CONFIRM-GATE/reads-run-at-once",
        "C-CONFIRM-BYTE-IDENTICAL/what-was-shown-runs",
        "C-CONFIRM-BYTE-IDENTICAL/no-second-planning",
        "C-CONFIRM-OWNER-ONCE/only-the-asker",
        "C-CONFIRM-OWNER-ONCE/rejected-never-runs",
        "C-CONFIRM-OWNER-ONCE/accepted-runs-once",
        "C-AUDIT-FIELDS/agreement-recorded",
        "C-AUDIT-FIELDS/arguments-masked",
    ),
    focus=ANSWERS,
    context=(ARGS, CALLS, BETWEEN, SESSION),
    scene=_scene,
)
