"""What a tool returned is what the next prompts show, wherever it stands in the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..scenarios.dimensions import APP
from ..scenarios.facts import CALIBRATION, CLOSING, EXPOSED, call, turn, written
from ..scenarios.pools import POOL, Pool, alone, in_depth, in_fields, in_list, in_records
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import APPS, FUNCTIONS, AnyStep, Call

PLACE: Dimension[Callable[[Pool], Sequence[str]]] = Dimension(
    "place",
    (
        Value("fields", in_fields, "what every example of the pages has"),
        Value("list", in_list, "data that is no object; lists that become sets"),
        Value("records", in_records, "rows that are projected"),
        Value("depth", in_depth, "only the upper levels are kept, or cleaned"),
        Value("alone", alone, "data that is no object, or empty, is no data"),
    ),
)

Company = Callable[[tuple[Call, ...]], tuple[Call, ...]]

_BESIDE = call({"n": 1}, function=FUNCTIONS[1])
_FAILED = call({"n": 1}, status="error", app=APPS[1])

COMPANY: Dimension[Company] = Dimension(
    "company",
    (
        Value("none", lambda calls: calls, "what tests do"),
        Value("later", lambda calls: (*calls, _BESIDE), "only the newest call of a turn is whole"),
        Value("earlier", lambda calls: (_BESIDE, *calls), "only the first one is"),
        Value("failed", lambda calls: (*calls, _FAILED), "a failure spoils its neighbours"),
        Value("repeated", lambda calls: (*calls, calls[-1]), "equal results become one"),
    ),
)

AGE: Dimension[Callable[[Parameters], Sequence[AnyStep]]] = Dimension(
    "age",
    (
        Value("next-turn", lambda _: (), "what tests look at"),
        Value(
            "last-turn",
            lambda parameters: [turn(f"go on {n}") for n in range(parameters.window - 1)],
            "older facts are summarised",
        ),
        Value("beside-others", lambda _: (turn("and?", call({"n": 7})),), "facts are merged"),
    ),
)
"""When the facts are looked at last; they are in every turn before."""


def _scene(row: Row, parameters: Parameters) -> Scene:
    calls = tuple(written(text, app=row[APP]) for text in row[PLACE](row[POOL]))
    steps = [CALIBRATION, turn("show me", *row[COMPANY](calls)), *row[AGE](parameters), CLOSING]
    return Scene(steps, frozenset({1}), EXPOSED)


ASPECT = Aspect(
    name="ledger.fidelity",
    title="Data in the facts",
    clauses=(
        "I-DISPATCH-RESULT-DATA-PLUMBED/payload-is-data",
        "I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED/full-depth",
        "I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED/exact-leaves",
        "I-CROSS-TURN-FACT-LEDGER-DEEP-SERIALIZED/numbers-as-written",
        "C-LEDGER-ANY-DATA/prose-as-json-string",
        "C-LEDGER-ANY-DATA/value-as-it-is",
        "C-LEDGER-ANY-DATA/nothing-withheld",
        "C-LEDGER-UNICODE/characters-survive",
    ),
    focus=POOL,
    context=(PLACE, COMPANY, AGE, APP),
    scene=_scene,
)
