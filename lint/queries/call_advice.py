"""What to write instead of a method's call that the SDK rejects."""

from __future__ import annotations

import ast

from ..model.values import SdkMethod
from ..sdk.surface import Signature
from ..view import FileView
from .method_problems import BODY
from .rejected_calls import came_later, misspelt, parameters_of
from .sdk_objects import is_cured, source_of

_RENAMED = {
    ("CacheClient", "ttl"): "ttl_seconds",
    ("CacheClient", "expire"): "ttl_seconds",
    ("ActionResult.success", "message"): "summary",
    ("ActionResult.success", "msg"): "summary",
    ("ActionResult.error", "message"): "error",
    ("ActionResult.error", "msg"): "error",
}
"""(Class or method, keyword of another library) → what the SDK calls it."""
_HINTS = {
    "set": "Write ctx.cache.set(key, model, ttl_seconds=60).",
    "get": "Write ctx.cache.get(key, Model).",
}
_LACKING = {
    "needs data": ": data is a dict of what the summary tells",
    "needs summary": ": summary is a sentence for the user",
}


def advice(
    view: FileView, call: ast.Call, value: SdkMethod, spec: Signature, problems: list[str]
) -> str:
    """Return what to write instead of a method's call with some problems."""
    unknown = {key.arg for key in call.keywords if key.arg and key.arg not in spec.names}
    owner = value.owner.cls
    later = came_later(view, value, unknown)
    if later:
        return later
    if owner == "HTTPClient" and unknown & BODY:
        return (
            "ctx.http sends no body with GET and DELETE: send params=. If the service asks for a "
            "body: async with httpx.AsyncClient() as client: response = await client.request("
            f'"{value.name.upper()}", url, {min(unknown & BODY)}=…), an httpx.Response '
            "(.json(), .text; no .body)."
        )
    if (owner, value.name) == ("NotifyClient", "__call__"):
        return f'Write await {source_of(call.func)}("What the user is told").'
    other = renamed(call, value, spec)
    if other is not None and is_cured(problems, *other):
        return f"Write {other[1]}= instead of {other[0]}=."
    close = misspelt(call, spec) if len(problems) == len(unknown) == 1 else None
    if close is not None:
        return f"Write {close[1]}= instead of {close[0]}=."
    if owner == "ActionResult" and value.name in _RESULTS:
        return _RESULTS[value.name](spec, unknown, problems)
    if owner == "CacheClient" and value.name in _HINTS:
        return _HINTS[value.name]
    return parameters_of(call, spec)


def _error_advice(spec: Signature, unknown: set[str], problems: list[str]) -> str:
    if "data" in unknown:
        return "An error carries no data: say it in the text, or return success with it."
    if unknown == {"summary"} and len(problems) == 1:
        return "Leave summary= out: an error says all in its text."
    code = ", code=…" if "code" in spec.names else ""
    return f"Write ActionResult.error(error, retryable=False{code})."


def _success_advice(_spec: Signature, _unknown: set[str], problems: list[str]) -> str:
    told = next((text for lack, text in _LACKING.items() if lack in problems), "")
    return f"Write ActionResult.success(data, summary){told}."


_RESULTS = {"error": _error_advice, "success": _success_advice}


def renamed(call: ast.Call, method: SdkMethod, spec: Signature) -> tuple[str, str] | None:
    """Return (written, meant) of a keyword that has a known other name."""
    given = {item.arg for item in call.keywords}
    for item in call.keywords:
        new = _new_name(method, item.arg or "")
        if not new or new in given or item.arg in spec.names:
            continue
        if new not in spec.positional or spec.positional.index(new) >= len(call.args):
            return item.arg or "", new
    return None


def _new_name(method: SdkMethod, written: str) -> str:
    owner = method.owner.cls
    return _RENAMED.get((owner, written)) or _RENAMED.get((f"{owner}.{method.name}", written), "")
