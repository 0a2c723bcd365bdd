"""How calls fail, and what is made of it: no second try, a code, nothing raw for the user."""

from __future__ import annotations

from ..scenarios.dimensions import APP
from ..scenarios.dispatch import FUNCTION, READ, asks, planned, settled
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep, Call, Planned, Raised

_PATH = "/srv/kernel/ext/alpha/main.py:41 zq7trace"
_SECRET = "postgres://admin:zq9pass@db-3.internal/items refused"

HOW: Dimension[Planned | None] = Dimension(
    "how",
    (
        Value("not", None, "the call goes well"),
        Value("coded", Planned(error_code="RATE_LIMITED"), "an error with a code"),
        Value("own-code", Planned(error_code="ACME_QUOTA_2"), "a code of the extension's own"),
        Value("uncoded", Planned(), "an error without a code"),
        Value(
            "raised", Planned(raises=Raised(name="KeyError", message=f"zq5key {_PATH}")), "KeyError"
        ),
        Value(
            "raised-deep",
            Planned(raises=Raised(name="OperationalError", message=_SECRET)),
            "an exception whose text tells an address",
        ),
        Value(
            "raised-validation",
            Planned(
                raises=Raised(name="ValidationError", message="1 validation error for zq6Item")
            ),
            "taken for arguments that do not fit",
        ),
        Value(
            "invented", Planned(args_json='{"message_id": "acme-outlook-1"}'), "its id is refused"
        ),
    ),
)
"""How it fails; without one the call goes well."""

BESIDE: Dimension[str] = Dimension(
    "beside",
    (
        Value("alone", "alone", "one call in the turn"),
        Value("after", "after", "a call that went well before it"),
        Value("before", "before", "a call that goes well after it"),
        Value("unknown", "unknown", "a function that the extension does not have"),
    ),
)
"""What else there is in the turn."""

DRAFT: Dimension[bool] = Dimension(
    "draft",
    (
        Value("plain", False, "the model says that it failed"),
        Value("echo", True, "the model repeats whatever it was shown"),
    ),
)
"""What the model answers."""


def _scene(row: Row, parameters: Parameters) -> Scene:
    app, beside = row[APP], row[BESIDE]
    call = _call(row)
    fine = planned({"n": 1}, function=READ, app=app)
    unknown = planned({"n": 2}, {"n": 3}, function="no_such_item", app=app)
    calls = {"after": [fine, call], "before": [call, fine], "unknown": [call, unknown]}
    given = row[HOW]
    raised = given.raises if given is not None else None
    said = raised.message if row[DRAFT] and raised else ""
    steps: list[AnyStep] = [
        asks("do it", *calls.get(beside, [call]), draft=f"It did not work. {said}".strip()),
        asks("and again", *calls.get(beside, [call])),
    ]
    return settled(steps, parameters)


def _call(row: Row) -> Call:
    given = row[HOW]
    attempts = ({"n": 8}, {"n": 9})
    if given is None:
        return planned({"n": 7}, *attempts, function=row[FUNCTION], app=row[APP])
    args = given.args_json if given.args_json != "{}" else {"n": 7}
    fails = given.raises is None and given.args_json == "{}"
    return planned(
        args,
        *attempts,
        function=row[FUNCTION],
        app=row[APP],
        failing=given.error_code if fails else None,
        raises=given.raises,
    )


ASPECT = Aspect(
    name="dispatch.failures",
    title="A call that fails",
    clauses=(
        "I-PYDANTIC-RETRY-SCOPE/only-validation-retries",
        "I-PYDANTIC-RETRY-SCOPE/unknown-function-runs-nothing",
        "I-EXT-ERROR-CODE-NORMALIZED/every-failure-has-a-code",
        "I-EXT-ERROR-CODE-NORMALIZED/own-code-kept",
        "I-MAGIC-UX-1/no-raw-exception-to-user",
        "I-CHAT-FUNCTION-VERBATIM-PARAMS/arguments-verbatim",
        "C-AUDIT-FIELDS/fields-present",
        "C-AUDIT-FIELDS/known-words",
        "C-AUDIT-FIELDS/declared-action-type",
        "C-AUDIT-FIELDS/retention-by-type",
        "C-AUDIT-FIELDS/arguments-recorded",
    ),
    focus=HOW,
    context=(BESIDE, FUNCTION, DRAFT, APP),
    scene=_scene,
)
