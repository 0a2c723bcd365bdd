"""What a finding says of a part of a payload that JSON cannot carry."""

from __future__ import annotations

import ast

from ..view import FileView
from .not_json import MEMBER, OBJECTS
from .refused_parts import MODEL, Refusal
from .sdk_objects import operand_of, source_of

_KEY = " as a key"
_ROW = "a Document"
_SHORT = 30
_SENT = {_ROW: "Write ….data", MODEL: 'Write ….model_dump(mode="json")'}
"""What else to write where a client sends it."""
_LASTING = ("the number", "a function", "a class", "a range", "a coroutine", "an iterator")
"""What ``mode="json"`` leaves too, or refuses."""
_INSTEAD = {
    **dict.fromkeys(OBJECTS.values(), "Write its fields: dataclasses.asdict(…) gives all"),
    "a set": "Write sorted(…)",
    "a generator": "Write list(…)",
    "bytes": "Write ….decode(), or keep it in ctx.storage and return the path",
    "a datetime": "Write ….isoformat()",
    "a date": "Write ….isoformat()",
    "a time": "Write ….isoformat()",
    "a timedelta": "Write ….total_seconds()",
    "a pattern": "Write ….pattern",
    "a tuple as a key": 'Write one text, such as f"{first}:{second}"',
    MODEL: 'Write ….model_dump(mode="json"): the SDK dumps only a model that is data itself',
    "a range": "Write list(…)",
    "a deque": "Write list(…)",
    "an iterator": "Write list(…)",
    "a view of a dict": "Write list(…)",
    "a function": "Call it: …()",
    "a class": "Write its name, or an instance's model_dump()",
    "a coroutine that nobody awaits": "Write await …",
    MEMBER: "Write ….value, or make it a class of str and Enum",
    f"{MEMBER}{_KEY}": "Write ….value",
    "the number nan": "Write None where there is no number",
    "the number inf": "Write None where there is no number",
    "the number -inf": "Write None where there is no number",
    "the context": "Return the fields that are needed",
    "an HTTPResponse": "Write ….json()",
    _ROW: 'Write {"id": ….id, **….data}',
    "a CompletionResult": "Write ….text",
    "a TimeContext": "Write ….now_utc",
}


def loss(view: FileView, refusal: Refusal) -> str:
    """Return what becomes of the result: ``data['at'] is a datetime: …``."""
    return (
        f"{said(refusal)}: ActionResult.to_dict() leaves it so in {view.sdk}, and JSON cannot "
        "carry it, so the kernel loses the result"
    )


def said(refusal: Refusal) -> str:
    """Return where what stands: ``data['at'] is a datetime``."""
    if refusal.what.endswith(_KEY):
        return f"{refusal.where} has {refusal.what.removesuffix(_KEY)} as its key"
    return f"{refusal.where} {'may be' if refusal.is_vague else 'is'} {refusal.what}"


def advice_for_sending(refusal: Refusal) -> str:
    """Return what to send instead, without a full stop."""
    instead = "" if refusal.source else _SENT.get(refusal.what, "")
    if not instead:
        return advice(refusal)
    return _filled(instead, refusal.at.node) if refusal.at is not None else instead


def advice(refusal: Refusal) -> str:
    """Return what to write instead, without a full stop."""
    if refusal.source in {"asdict", "vars"}:
        return f"Write {{**{refusal.source}(…), {_replaced(refusal)}}}"
    if refusal.source and not refusal.what.startswith(_LASTING):
        return 'Write ….model_dump(mode="json")'
    instead = _INSTEAD.get(refusal.what, "Write str(…), or leave it out")
    if refusal.what == _ROW and refusal.where.endswith("id']"):
        instead = "Write ….id"
    is_one = not refusal.what.endswith(_KEY) and not refusal.where.endswith("[…]")
    return _filled(instead, refusal.at.node) if refusal.at is not None and is_one else instead


def _replaced(refusal: Refusal) -> str:
    """Return the item of a dict that stands for a field: ``'at': ….isoformat()``."""
    instead = (
        _INSTEAD.get(refusal.what, "Write str(…)").removeprefix("Write ").partition(", or ")[0]
    )
    key = refusal.where.rpartition("[")[2].removesuffix("]")
    return f"{key}: {instead}"


def _filled(instead: str, part: ast.expr) -> str:
    """Write what the code calls a part in the place of the ellipses, if that is short."""
    text, operand = source_of(part), operand_of(part)
    if len(text) > _SHORT:
        return instead
    for behind in (".", "()"):
        instead = instead.replace(f"…{behind}", f"{operand}{behind}")
    return instead.replace("…", text)
