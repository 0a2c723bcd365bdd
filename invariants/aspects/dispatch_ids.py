"""Which ids a planner invents, wherever it puts them, and which are real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..scenarios.dimensions import APP
from ..scenarios.dispatch import FITTING, FUNCTION, STRICT, asks, naming, planned, settled
from ..vocabulary.aspect import Apart, Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import Call

_INVENTED = ("acme-outlook-1", "a-b-0", "mail2-box3-000042", "gmail-inbox-9007199254740993")
_LONG = "QUJD" * 37 + "=="

IDS: Dimension[Sequence[str]] = Dimension(
    "ids",
    (
        Value("digits", ("18f3a9c2d4e5b6a7", "190000000000000001"), "what mail services give"),
        Value("invented", _INVENTED, "words and a number: what a model makes up"),
        Value(
            "hyphenated",
            (
                *("3f2b8c1e-9a4d-4c6b-8e2f-1a2b3c4d5e6f", "a-1", "acme-outlook-x", "acme--7"),
                *("ACME-outlook-1", "acme-outlook-1-2", "acme_outlook_1", "re: acme-outlook-1"),
                *("my-acme-outlook-1", "1-outlook-1", "acme-outlook-1a", "acme-outlook-", "a-1-2"),
            ),
            "a guard that refuses every hyphen",
        ),
        Value("opaque", (_LONG, "<CAF=x@mail.example>", "1", "а-б-1"), "base64, angle brackets"),
        Value("unseen", ("18f3a9c2d4e5b6ff", "f0000000-9a4d-4c6b-8e2f-1a2b3c4d5e6f"), "a guess"),
    ),
)
"""The ids that the planner gives; the user named all but the last ones."""

FIELD: Dimension[str] = Dimension(
    "field",
    (
        Value("message", "message_id", "the field of the incident"),
        Value("thread", "thread_id", "named in the changelog"),
        Value("email", "email_id", "named in the changelog"),
        Value("msg", "msg_id", "the short form, which lists forget"),
    ),
)
"""The field that holds the id."""

BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("nothing", "nothing", "the id alone"),
        Value("text", "text", "other fields, and deeper ones, that hold such a text"),
        Value("misfit", "misfit", "validation that comes first hides the id"),
        Value("retry", "retry", "guards that look at the first attempt alone"),
        Value("neighbour", "neighbour", "a state that one call leaves to the next"),
        Value("suspicion", "suspicion", "a state that an invented id leaves to later turns"),
    ),
)
"""What else there is in the call."""


def _scene(row: Row, parameters: Parameters) -> Scene:
    field, beside, app = row[FIELD], row[BESIDE], row[APP]
    calls = [call for value in row[IDS] for call in _calls(field, value, row)]
    plain = [planned({field: "18f3a9c2d4e5b6a7"}, function=row[FUNCTION], app=app)]
    named = [value for value in row[IDS] if not _is_guess(row)]
    message = naming(["18f3a9c2d4e5b6a7", *named])
    turns = [asks(f"{message} ({n})", *calls[n : n + 6]) for n in range(0, len(calls), 6)]
    if beside == "suspicion":
        invented = planned({field: "gmail-inbox-3"}, function=row[FUNCTION], app=app)
        turns = [asks(f"use gmail-inbox-3 ({n})", invented) for n in range(2)] + turns
    if beside == "neighbour":
        turns = [asks(f"{message} ({n})", *plain, call, *plain) for n, call in enumerate(calls)]
    return settled([asks(f"{message} (plain)", *plain), *turns], parameters)


def _is_guess(row: Row) -> bool:
    return row.chosen[IDS.name].name == "unseen"


def _calls(field: str, value: str, row: Row) -> Sequence[Call]:
    beside, function, app = row[BESIDE], row[FUNCTION], row[APP]
    args: dict[str, Any] = {field: value}
    if beside == "text":
        other: dict[str, Any] = {"subject": "acme-outlook-7", "in": {"message_id": "a-b-7"}}
        return [planned({**other, **args}, function=function, app=app)]
    if beside == "misfit":
        return [planned({"tags": "none", **args}, FITTING, function=STRICT, app=app)]
    if beside == "retry":
        return [planned({"title": "rent"}, {**FITTING, **args}, function=STRICT, app=app)]
    return [planned(args, function=function, app=app)]


ASPECT = Aspect(
    name="dispatch.ids",
    title="An id in the arguments",
    clauses=(
        "I-AH-1/fabricated-id-shape",
        "I-AH-1/other-ids-pass",
        "I-AH-1/id-never-seen",
        "I-PYDANTIC-RETRY-BUDGET/fitting-retry-runs",
    ),
    focus=IDS,
    context=(FIELD, FUNCTION, BESIDE, APP),
    scene=_scene,
    apart=(
        Apart(
            ("beside", frozenset({"misfit", "retry"})),
            ("field", frozenset({"thread", "email", "msg"})),
            "the strict function has one field for an id",
        ),
        Apart(
            ("beside", frozenset({"misfit", "retry"})),
            ("ids", frozenset({"unseen"})),
            "a guess is told by its first arguments",
        ),
    ),
)
