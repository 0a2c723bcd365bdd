"""Which codes a planner takes for content, after something failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..scenarios.dimensions import APP
from ..scenarios.dispatch import FUNCTION, READ, WRITE, asks, planned, settled
from ..vocabulary.aspect import Aspect, Dimension, Row, Scene, Value
from ..vocabulary.parameters import Parameters
from ..vocabulary.scenario import AnyStep

_CODES = (
    *("VALIDATION_MISSING_FIELD", "VALIDATION_TYPE_ERROR", "FABRICATED_ID_SHAPE", "UNKNOWN_TOOL"),
    *("UNKNOWN_SUB_FUNCTION", "PERMISSION_DENIED", "BACKEND_TIMEOUT", "BACKEND_5XX"),
)

CODE: Dimension[Sequence[str]] = Dimension(
    "code",
    (
        Value("none", ("all went well", "rate limited", "limit 5xx"), "words like those of codes"),
        Value("same", ("RATE_LIMITED",), "the code of the failure itself"),
        Value("others", _CODES, "a guard that knows the code of this turn alone"),
        Value("last", ("EXT_UNSTRUCTURED_ERROR",), "the youngest code, which old lists lack"),
        Value("small", ("rate_limited", "Backend_Timeout"), "compared case by case"),
    ),
)
"""What the arguments of the later call hold."""

Form = Callable[[str], dict[str, Any]]

FORM: Dimension[Form] = Dimension(
    "form",
    (
        Value("whole", lambda code: {"text": code}, "the whole text"),
        Value("sentence", lambda code: {"text": f"failed: {code}."}, "in a sentence"),
        Value("nested", lambda code: {"a": [{"b": code}]}, "at a depth"),
        Value("joined", lambda code: {"text": f"x{code}y"}, "in the middle of a word"),
    ),
)
"""How they hold it."""

BEFORE: Dimension[str] = Dimension(
    "before",
    (
        Value("failed", "failed", "the call before it"),
        Value("between", "between", "a call that went well comes between"),
        Value("write-failed", "write-failed", "what failed was a write"),
        Value("nothing", "nothing", "nothing failed at all"),
        Value("last-turn", "last-turn", "it failed in the turn before"),
        Value("afterwards", "afterwards", "what fails is planned after it"),
        Value("other-user", "other-user", "it failed in another user's turn"),
    ),
)
"""What failed before it."""


def _scene(row: Row, parameters: Parameters) -> Scene:
    app, before = row[APP], row[BEFORE]
    kind = WRITE if before == "write-failed" else READ
    failed = planned({"n": 1}, function=kind, app=app, failing="RATE_LIMITED")
    fine = planned({"n": 2}, function=READ, app=app)
    steps: list[AnyStep] = [asks("begin", fine)]
    for number, code in enumerate(row[CODE]):
        late = planned(row[FORM](code), function=row[FUNCTION], app=app)
        lead = {"failed": [failed], "between": [failed, fine], "write-failed": [failed]}
        if before == "last-turn":
            steps.append(asks(f"first ({number})", failed))
        if before == "other-user":
            steps.append(asks(f"theirs ({number})", failed, user="u2", session="s2"))
        trail = [failed] if before == "afterwards" else []
        steps.append(asks(f"note it ({number})", *lead.get(before, [fine]), late, *trail))
    return settled(steps, parameters)


ASPECT = Aspect(
    name="dispatch.codes",
    title="A code of an error in the arguments",
    clauses=(
        "I-WRITE-ARG-NO-BLEED/no-code-in-writes",
        "I-WRITE-ARG-NO-BLEED/other-calls-pass",
        "I-CHAT-FUNCTION-VERBATIM-PARAMS/arguments-verbatim",
    ),
    focus=CODE,
    context=(BEFORE, FORM, FUNCTION, APP),
    scene=_scene,
)
