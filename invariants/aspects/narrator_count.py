"""A number that contradicts the only one that the results give does not reach the user."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..scenarios.facts import EXPOSED, call, turn, written
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.number_words import in_words
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import (
    APPS,
    FUNCTIONS,
    AnyStep,
    Call,
    Environment,
    Extension,
    Section,
    SkeletonRefresh,
)


class Numbers(NamedTuple):
    """What the results say, and what the draft says instead."""

    right: int
    wrong: int


WRONG: Dimension[Numbers] = Dimension(
    "wrong",
    (
        Value("incident", Numbers(36, 50), "the incident of May 2026: 36 tasks, told as 50"),
        Value("next", Numbers(36, 37), "an error by one is let pass as another way to count"),
        Value("near", Numbers(36, 43), "what is about right is let pass"),
        Value("swapped", Numbers(36, 63), "digits are compared without their order"),
        Value("appended", Numbers(36, 361), "the right number stands in the wrong one"),
        Value("preceded", Numbers(36, 536), "the same, at its end"),
        Value("few", Numbers(3, 8), "small numbers are let pass, for every text has some"),
        Value("dozen", Numbers(5, 12), "the same"),
        Value("none", Numbers(0, 9), "zero is nothing that could be contradicted"),
        Value("last-digit", Numbers(4_086, 4_091), "only the leading digits are compared"),
        Value("middle-digits", Numbers(4_086, 4_806), "length and ends are compared, or a sum"),
        Value("less", Numbers(360, 47), "what is less is taken for a part of it"),
        Value("year", Numbers(1_897, 1_954), "years are let pass"),
        Value("longer", Numbers(248, 36_418), "numbers of other lengths are no counts"),
    ),
)
"""How far the draft is from the results."""

_LARGE = frozenset({"last-digit", "middle-digits", "less", "year", "longer"})
_BEYOND_WORDS = _LARGE | {"appended", "preceded"}


def _tasks(many: int) -> str:
    return json.dumps([{"title": "pay"}] * many)


STATED: Dimension[Callable[[int], str]] = Dimension(
    "stated",
    (
        Value("total", lambda n: f'{{"total": {n}}}', "what every example of the pages has"),
        Value("inside", lambda n: f'{{"page": {{"open": {n}}}}}', "only the upper level is read"),
        Value("alone", str, "data that is no object is not read"),
        Value("text", lambda n: f'{{"total": "{n}"}}', "only numbers are read"),
        Value("among-text", lambda n: f'{{"by": "ann", "open": {n}, "as": "a list"}}', "the same"),
        Value("list", _tasks, "nobody counts"),
        Value("list-inside", lambda n: f'{{"tasks": {_tasks(n)}}}', "the same"),
        Value("both", lambda n: f'{{"total": {n}, "tasks": {_tasks(n)}}}', "counts are not known"),
    ),
)
"""How the data give the number."""


def _told(number: int) -> str:
    return in_words(number) if number < 100 else str(number)


PHRASE: Dimension[Callable[[int], str]] = Dimension(
    "phrase",
    (
        Value("sentence", lambda n: f"You have {n} tasks.", "what tests use"),
        Value("beginning", lambda n: f"{n} tasks are open.", "a list that numbers its items"),
        Value("end", lambda n: f"Open tasks: {n}", "a sentence without an end"),
        Value("full-stop", lambda n: f"I count {n}.", "the full stop makes it a fraction"),
        Value("grouped", lambda n: f"You have {n:,} tasks.", "a number ends at its separator"),
        Value("word", lambda n: f"You have {_told(n)} tasks.", "numbers are digits"),
        Value("word-first", lambda n: f"{_told(n).title()} tasks are open.", "the same"),
        Value("fraction", lambda n: f"You have {n}.0 tasks.", "written otherwise than the data"),
        Value("bold", lambda n: f"You have **{n}** tasks.", "markup belongs to the word"),
        Value("code", lambda n: f"You have `{n}` tasks.", "code is quoted, hence true"),
        Value("table", lambda n: f"| tasks | {n} |", "tables are taken for data"),
        Value("brackets", lambda n: f"Your tasks ({n}) are these", "brackets are skipped"),
    ),
)
"""How the draft says it."""

_CHATTER = "I have looked through everything that was there for you. "

WHERE: Dimension[Callable[[str, str], str]] = Dimension(
    "where",
    (
        Value("alone", lambda said, _: said, "what tests use"),
        Value("late", lambda said, _: f"{_CHATTER * 9}{said}", "only the beginning is read"),
        Value("very-late", lambda said, _: f"{_CHATTER * 40}{said}", "the same, 2,000 characters"),
        Value("early", lambda said, _: f"{said} {_CHATTER * 9}", "only the end is read"),
        Value("beside-truth", lambda said, true: f"{true}\n\n{said}", "one true number is enough"),
    ),
)
"""Where in the draft it says it; the second text has the right number."""


class Told(NamedTuple):
    """What happens beside the turn.

    Attributes:
        before: steps before it.
        calls: calls beside its own.
    """

    before: Sequence[AnyStep] = ()
    calls: Sequence[Call] = ()


def _said(wrong: int) -> Told:
    return Told((turn("and before?", call({"total": 12}), draft=f"You have {wrong} tasks."),))


def _of_another_user(wrong: int) -> Told:
    return Told((turn("and mine?", call({"total": wrong}), user="u2", session="s2"),))


_OTHER = call({"state": "closed"}, app=APPS[1], function=FUNCTIONS[1], summary="closed it")
_FAILED = call({}, status="error", app=APPS[1])
_LONG = call({"note": "and so it went on, as it had before. " * 120})

BESIDE: Dimension[Callable[[int], Told]] = Dimension(
    "beside",
    (
        Value("nothing", lambda _: Told(), "what tests do"),
        Value("failed-call", lambda _: Told(calls=(_FAILED,)), "a failure ends the checks"),
        Value("other-calls", lambda _: Told(calls=(_OTHER,) * 4), "only the last call is read"),
        Value("long-data", lambda _: Told(calls=(_LONG,)), "the guard is off for long data"),
        Value(
            "earlier-turn",
            lambda wrong: Told((turn("and before?", call({"total": wrong})),)),
            "results of the session are known",
        ),
        Value("other-user", _of_another_user, "results that users share"),
        Value("section", lambda _: Told((SkeletonRefresh(),)), "what the skeleton holds is known"),
        Value("said-before", _said, "what was drafted once is known"),
    ),
)
"""What could wrongly bear the number out, or keep the guard away."""


def _scene(row: Row, _: Parameters) -> Scene:
    right, wrong = row[WRONG]
    told, phrase = row[BESIDE](wrong), row[PHRASE]
    own = written(row[STATED](right))
    drafts = [row[WHERE](phrase(number), phrase(right)) for number in (wrong, right)]
    steps = [
        *told.before,
        turn("how many?", own, *told.calls, draft=drafts[0]),
        turn("sure?", own, *told.calls, draft=drafts[1]),
        turn(f"not {wrong}?", own, draft=f"No, not {wrong}."),
    ]
    strained = frozenset({len(told.before)})
    if row.chosen[BESIDE.name].name != "section":
        return Scene(steps, strained, EXPOSED)
    section = Section(returns_json=(json.dumps({"tasks": wrong}),))
    apps = (Extension(app=APPS[0], sections=(section,)),)
    return Scene(steps, strained, Environment(flags=EXPOSED.flags, extensions=apps))


_ID = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS"

ASPECT = Aspect(
    name="narrator.count",
    title="Numbers that contradict the results",
    clauses=(f"{_ID}/contradicted-count", f"{_ID}/counted-draft-survives"),
    focus=WRONG,
    context=(STATED, PHRASE, WHERE, BESIDE),
    scene=_scene,
    apart=(
        Apart(
            ("wrong", _LARGE),
            ("stated", frozenset({"list", "list-inside", "both"})),
            "so many records are no better than a few",
        ),
        Apart(
            ("wrong", _BEYOND_WORDS),
            ("phrase", frozenset({"word", "word-first"})),
            "nobody writes such numbers in words",
        ),
        Apart(
            ("wrong", frozenset({"none"})),
            ("stated", frozenset({"list", "list-inside", "both"})),
            "an empty list says that there is nothing, and gives no number",
        ),
        Apart(
            ("wrong", frozenset({"next"})),
            ("beside", frozenset({"other-calls"})),
            "a list and the values of other calls are one more",
        ),
        Apart(
            ("wrong", frozenset({"next"})),
            ("stated", frozenset({"both"})),
            "the number and the records together are one more",
        ),
    ),
)
