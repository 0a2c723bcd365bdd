"""Personal data is masked wherever it stands in the data, unless exposure is opted in."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ..scenarios.dimensions import APP
from ..scenarios.facts import CALIBRATION, CLOSING, call, turn
from ..scenarios.personal import EMAILS, FOREIGN_EMAILS, PHONES, RARER_EMAILS, RARER_PHONES
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import EXPOSE_PII_FLAG, Parameters
from ..vocabulary.scenario import Call, Environment

Place = Callable[[str], Any]


def _deep(canary: str) -> Any:
    value: Any = canary
    for level in range(12):
        value = {"level": level, "in": value} if level % 2 else [value]
    return value


def _behind(fields: int) -> Place:
    return lambda canary: {**{f"field_{n}": n for n in range(fields)}, "from": canary}


PLACE: Dimension[Place] = Dimension(
    "place",
    (
        Value("field", lambda found: {"from": found, "n": 3}, "what tests use"),
        Value("alone", lambda found: found, "only objects are walked"),
        Value("item", lambda found: {"to": [found, "none"]}, "only fields are walked"),
        Value("inner-list", lambda found: [[found], [1]], "lists in lists are not walked"),
        Value("record", lambda found: {"rows": [{"n": 1}, {"by": found}]}, "rows are not walked"),
        Value("deep", _deep, "only the upper levels are walked"),
        Value("late-field", _behind(16), "only the first fields are walked"),
        Value("odd-name", lambda found: {"_meta_": {"X-9": found}}, "only fields with such names"),
        Value("letter", lambda found: {"a": found, "b": {"c": found}}, "names that say nothing"),
        Value("sentence", lambda found: {"note": f"please ask {found} today"}, "only whole texts"),
        Value("start", lambda found: {"note": f"{found}, please"}, "a blank is wanted before it"),
        Value("end", lambda found: {"note": f"ask {found}."}, "a blank is wanted behind it"),
        Value("brackets", lambda found: {"note": f"<{found}>;({found})"}, "split at blanks"),
        Value("scheme", lambda found: {"link": f"mailto:{found}?x=1"}, "links are left alone"),
        Value("lines", lambda found: {"log": f"one\n{found}\ntwo"}, "only the first line is read"),
        Value("twice", lambda found: {"note": f"{found} or {found}"}, "only the first is gone"),
        Value("far", lambda found: {"log": f"{'so far ' * 60}{found}"}, "long texts are left"),
        Value("json", lambda found: {"raw": json.dumps({"by": found})}, "quotes belong to it"),
    ),
)

DATA: Dimension[tuple[str, ...]] = Dimension(
    "data",
    (
        Value("plain", (EMAILS[0], PHONES[0]), "what tests use"),
        Value("known", (*EMAILS[1:], *PHONES[1:]), "capitals, subdomains, numbers in one piece"),
        Value("addresses", RARER_EMAILS, "patterns that know letters and dots alone"),
        Value("numbers", RARER_PHONES, "patterns of one country, or of one separator"),
        Value("foreign", (*FOREIGN_EMAILS, EMAILS[0]), "patterns of ASCII"),
    ),
)

FLAG: Dimension[str | None] = Dimension(
    "flag",
    (
        Value("absent", None, "the default"),
        Value("empty", "", "a flag that is set is taken for true"),
        Value("zero", "0", "a text is taken for true"),
        Value("false", "false", "the same"),
        Value("no", "no", "only some words are taken for false"),
        Value("true", "true", "masking that cannot be switched off"),
    ),
)

_BESIDE = call({"n": 1, "state": "open"})
_LONG = call({"log": "so far so good " * 60})

COMPANY: Dimension[Callable[[tuple[Call, ...]], tuple[Call, ...]]] = Dimension(
    "company",
    (
        Value("none", lambda calls: calls, "what tests do"),
        Value("later", lambda calls: (*calls, _BESIDE), "only the last call is masked"),
        Value("earlier", lambda calls: (_BESIDE, *calls), "only the first call is masked"),
        Value("long", lambda calls: (_LONG, *calls), "masking ends after so many characters"),
    ),
)


def _scene(row: Row, _: Parameters) -> Scene:
    calls = tuple(call(row[PLACE](canary), app=row[APP]) for canary in row[DATA])
    flag = row[FLAG]
    flags = {} if flag is None else {EXPOSE_PII_FLAG: flag}
    return Scene(
        [CALIBRATION, turn("who wrote?", *row[COMPANY](calls)), turn("and?"), CLOSING],
        frozenset({1}),
        Environment(flags=flags, flags_matter=True),
    )


ASPECT = Aspect(
    name="ledger.mask",
    title="Personal data in the facts",
    clauses=(
        "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/masked-unless-true",
        "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/any-script-masked",
        "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/exposed-when-true",
        "I-FACT-LEDGER-PII-MASK-DEFAULT-OFF/safe-values-kept",
    ),
    focus=PLACE,
    context=(DATA, FLAG, COMPANY, APP),
    scene=_scene,
)
