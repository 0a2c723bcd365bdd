"""The narrator reads summary and data of each step of its turn, and nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from ..scenarios.facts import call, turn
from ..scenarios.layers import asked, cached, found, marked_extensions, word
from ..scenarios.templates import BLANKS, TEMPLATES, TYPOGRAPHY
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import EXPOSE_PII_FLAG, Parameters
from ..vocabulary.scenario import (
    APPS,
    FUNCTIONS,
    AnyStep,
    Call,
    Environment,
    RenderPanel,
    SkeletonRefresh,
    StoreSet,
)

_EARLIER, _SECTIONS, _BESIDE, _OWN = 100, 150, 200, 300
"""First numbers of the marks of each kind of place."""


def _own(number: int) -> str:
    return word(_OWN + number)


def _deep() -> Any:
    value: Any = _own(0)
    for level in range(16):
        value = {"in": value} if level % 2 else [value]
    return value


def _records(many: int) -> list[Any]:
    return [{"title": _own(n), "state": "open"} for n in range(many)]


def _value(name: str, data: Any, source: str) -> Value[str]:
    return Value(name, json.dumps(data), source)


_LINE = "and so it went on, as it had before. "

RESULT: Dimension[str] = Dimension(
    "result",
    (
        _value("object", {"label": _own(0), "total": 3}, "what every example of the pages has"),
        _value("list", [_own(0), [_own(1), 1]], "data that is no object is no data"),
        _value("text", _own(0), "the same"),
        _value("number", 750_318_264, "the same"),
        _value("deep", _deep(), "only the upper levels are shown"),
        _value("records", _records(32), "lists are cut after so many items"),
        _value("fields", {f"f{n}": _own(n) for n in range(50)}, "objects are cut after so many"),
        _value(
            "names",
            {_own(0): 3, "in": [{_own(1): 4}], "by": _own(2)},
            "values are shown without their names",
        ),
        _value("long-text", {"body": f"{_LINE * 30}{_own(0)}"}, "texts are cut after so much"),
        _value(
            "zeros",
            {_own(0): 0, _own(1): False, "label": _own(2)},
            "what is zero or false is nothing: no 0 unread messages can be told",
        ),
        _value(
            "beside-nothing",
            {"a": None, "b": "", "c": 0, "d": [], "label": _own(0)},
            "one empty field makes all of it empty",
        ),
        _value(
            "envelope",
            {"_action_meta": {"duration_ms": 12}, "data": {"label": _own(0)}, "status": "none"},
            "names that mean something to the kernel",
        ),
        _value("empty", {}, "a step without data is no step"),
        _value("null", None, "the same"),
        _value(
            "templates",
            {"label": _own(0), **{kind: [*texts] for kind, texts in TEMPLATES.items()}},
            "results are taken for a format or a replacement",
        ),
        _value(
            "typography",
            {"label": _own(0), "texts": [*TYPOGRAPHY], "rows": [{"by": each} for each in BLANKS]},
            "texts are normalised, folded, trimmed or cleaned",
        ),
        _value("large-list", _records(90), "what is too large is told by its summary"),
        _value("huge-list", _records(800), "the same"),
        _value("huge-text", [f"{_own(0)} {_LINE * 1_000}"], "the same"),
    ),
)
"""What one call of the turn returns, as JSON text."""

Outcome = Callable[[str], Call]

_HALF = f"half of it, from {word(_BESIDE + 1)}"
_SIGNS = "100% of $$5, $& and {at} %s \\1 &amp; <b> (\u201cso\u201d)"
_NEWS = f"no answer from {word(_BESIDE)}"

OUTCOME: Dimension[Outcome] = Dimension(
    "outcome",
    (
        Value(
            "success",
            lambda data: Call(data_json=data, summary=f"found {word(_BESIDE)}"),
            "what tests look at",
        ),
        Value(
            "odd-summary",
            lambda data: Call(data_json=data, summary=f"{_SIGNS} {word(_BESIDE)}"),
            "summaries are taken for a format or a replacement",
        ),
        Value(
            "no-summary",
            lambda data: Call(data_json=data),
            "a step without a summary is no step",
        ),
        Value(
            "error",
            lambda data: Call(data_json=data, status="error", error=_NEWS),
            "only successes are shown, as in the ledger",
        ),
        Value(
            "error-and-summary",
            lambda data: Call(data_json=data, status="error", error=_NEWS, summary=_HALF),
            "the same",
        ),
    ),
)


def _beside(place: int) -> Call:
    mark = _BESIDE + 10 + 2 * place
    app, function = APPS[place % len(APPS)], FUNCTIONS[place % len(FUNCTIONS)]
    return call({"label": word(mark)}, app=app, function=function, summary=f"saw {word(mark + 1)}")


def _among(place: int, many: int) -> Callable[[Call], Sequence[Call]]:
    return lambda own: [own if n == place else _beside(n) for n in range(many)]


PLACE: Dimension[Callable[[Call], Sequence[Call]]] = Dimension(
    "place",
    (
        Value("alone", _among(0, 1), "what tests do"),
        Value("first", _among(0, 8), "only the newest calls are shown"),
        Value("middle", _among(4, 8), "the same, or only the first ones"),
        Value("last", _among(7, 8), "only the first calls are shown"),
        Value("of-thirty", _among(15, 30), "no more than so many are shown"),
        Value("twice", lambda own: [own, _beside(3), own], "a call that was made before is no new"),
    ),
)
"""Where the call stands among those of its turn."""

FLAG: Dimension[str | None] = Dimension(
    "flag",
    (
        Value("exposed", "true", "what other scenarios run with"),
        Value("masked", None, "the narrator is shown what the ledger holds"),
    ),
)

BEFORE: Dimension[Sequence[AnyStep]] = Dimension(
    "before",
    (
        Value("nothing", (), "what tests begin with"),
        Value(
            "turns",
            tuple(asked(1 + n, found(_EARLIER + 2 * n)) for n in range(6)),
            "the last results, or a buffer of them, are shown as well",
        ),
        Value(
            "failed-turn",
            (asked(1, call({"label": word(_EARLIER)}, status="error")),),
            "what failed is told in the next turn",
        ),
        Value(
            "others",
            (
                asked(1, found(_EARLIER), user="u2", session="s2"),
                asked(2, found(_EARLIER + 2), session="s3"),
            ),
            "a buffer that users share, or sessions",
        ),
        Value("sections", (SkeletonRefresh(), asked(1)), "the skeleton is put into every prompt"),
        Value(
            "kept",
            (
                *cached("board", _EARLIER),
                *cached(word(_EARLIER + 2), _EARLIER + 3),
                StoreSet(key="note", value_json=f'{{"label":"{word(_EARLIER + 1)}"}}'),
                StoreSet(key=word(_EARLIER + 4), value_json=f'{{"label":"{word(_EARLIER + 5)}"}}'),
            ),
            "what handlers have read or keep is shown as knowledge",
        ),
        Value("panel", (RenderPanel(),), "what the user looks at is shown"),
    ),
)
"""What bears marks that this turn's narrator must not be shown."""


def _scene(row: Row, _: Parameters) -> Scene:
    before = row[BEFORE]
    own = turn("and now, the same way as last time?", *row[PLACE](row[OUTCOME](row[RESULT])))
    flag = row[FLAG]
    flags = {EXPOSE_PII_FLAG: flag} if flag else {}
    environment = Environment(flags=flags, extensions=marked_extensions(_SECTIONS).extensions)
    return Scene([*before, own, asked(20)], frozenset({len(before)}), environment)


_ID = "I-NARRATOR-NO-FABRICATED-CONTENT-CLAIMS"

ASPECT = Aspect(
    name="narrator.input",
    title="What the narrator is shown",
    clauses=(
        f"{_ID}/this-turn-visible",
        f"{_ID}/failed-call-visible",
        f"{_ID}/large-data-visible",
        f"{_ID}/field-names-visible",
        f"{_ID}/numbers-visible",
        f"{_ID}/texts-visible",
        f"{_ID}/isolation",
    ),
    focus=RESULT,
    context=(OUTCOME, PLACE, FLAG, BEFORE),
    scene=_scene,
    apart=(
        Apart(
            ("result", frozenset({"empty", "null"})),
            ("outcome", frozenset({"no-summary", "error"})),
            "nothing is left that a prompt could show",
        ),
    ),
)
