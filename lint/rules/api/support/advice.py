"""What to write instead of a call or a name that does not exist."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....inference.calls.calling import constant_text
from ....inference.flow.conditions import conditions
from ....inference.flow.narrowing import asks_about
from ....inference.syntax.arguments import argument_at
from ....inference.syntax.spelling import spelled
from ....inference.values.changed_objects import names_of
from ....inference.values.values import SdkMethod
from ....sdk.module_surface import modules
from ....sdk.surface import Signature
from ....sdk_use.certainty import near_names
from ....sdk_use.extension_calls import own_app_id
from ....sdk_use.sdk_objects import call_problems, is_cured, source_of
from ....view import Access, FileView
from .rejected_calls import came_later, misspelt, parameters_of

_OTHER_NAMES = {
    "Heading": "Header",
    "Title": "Header",
    "H1": "Header",
    "Paragraph": "Text",
    "Label": "Text",
    "Column": "Stack",
    "Row": "Stack",
    "VStack": "Stack",
    "HStack": "Stack",
    "Box": "Stack",
    "Table": "DataTable",
    "TextField": "Input",
    "Dropdown": "Select",
    "Switch": "Toggle",
    "Spinner": "Loading",
    "ProgressBar": "Progress",
    "Metric": "Stat",
    "Banner": "Alert",
    "Anchor": "Link",
}
"""Component of other libraries → that of ``imperal_sdk.ui``."""


def instead_of(view: FileView, access: Access, path: str) -> str:
    """Return what to write instead of a name that a module lacks.

    Args:
        view: the file.
        access: the name, as an attribute of the module.
        path: of the module, below the package.
    """
    known = modules(view.surface.version)
    around = view.module.parents.get(access.node)
    extended = isinstance(around, ast.ClassDef) and access.node in around.bases
    offered = [
        name
        for name in known.offered(path)
        if not extended or ((found := known.callee(f"{path}.{name}")) and found.is_class)
    ]
    close = near_names(access.name, offered, most=1, alike=0.75)
    meant = _OTHER_NAMES.get(access.name, "") if path == "ui" else ""
    if meant in offered:
        return f"Write {source_of(access.owner)}.{meant}."
    if close:
        return f"Write {source_of(access.owner)}.{close[0]}."
    return "Extend pydantic.BaseModel, or a class that exists." if extended else "Leave it out."


BODY = frozenset({"content", "data", "files", "json"})
"""Parameters with which httpx sends a body."""
ITSELF = "calls this extension itself"
CIRCULAR = "CircularCallError"
"""What ``ctx.extensions.call`` raises if the one that calls is called."""
_ELSEWHERE = frozenset({"allow_redirects", "cert", "proxies", "stream", "trust_env", "verify"})
"""Parameters of other libraries, or of httpx's client."""


def method_problems(
    view: FileView, call: ast.Call, *, method: SdkMethod, spec: Signature
) -> list[str]:
    """Return what is wrong with a call; nothing that is not proved.

    Args:
        view: the file.
        call: the call, with what the callers of its function hand on written out.
        method: what is called.
        spec: its signature.
    """
    own = call_problems(call, spec)
    return [*own, *_unknown_to_httpx(call, method), *_of_itself(view, call, method)]


def _unknown_to_httpx(call: ast.Call, method: SdkMethod) -> Iterator[str]:
    """Yield what ``**kwargs`` hands on to a method of httpx that does not take it."""
    if method.owner.cls != "HTTPClient":
        return
    refused = _ELSEWHERE | (BODY if method.name in {"get", "delete"} else set[str]())
    for given in call.keywords:
        if given.arg in refused:
            yield f"hands {given.arg} on to httpx, whose {method.name}() has no such parameter"


def _of_itself(view: FileView, call: ast.Call, method: SdkMethod) -> Iterator[str]:
    """Yield the problem that ``ctx.extensions.call("notes", …)`` calls the extension itself."""
    if (method.owner.cls, method.name) != ("ExtensionsClient", "call"):
        return
    given = argument_at(call, "app_id", 0)
    is_here = given is not None and given in view.module.parents
    name = constant_text(view.evaluator, view.module, given) if is_here and given else None
    if not name or given is None or _is_compared(view, given):
        return
    if name == view.extension.once(own_app_id):
        yield ITSELF


def _is_compared(view: FileView, given: ast.expr) -> bool:
    """Tell whether a condition may exclude the extension's own id: ``if app != ext.app_id``."""
    written = spelled(given)
    others = names_of(view.module, written) - {written}
    return any(
        isinstance(part, (ast.Attribute, ast.Call)) or any(asks_about(test, it) for it in others)
        for test, _ in conditions(view.module, given)
        if any(asks_about(test, it) for it in (written, *others))
        for part in ast.walk(test)
    )


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


def lifetime(view: FileView, changes: list[list[str]]) -> tuple[str, str]:
    """Return in which releases a missing name exists, in words, and the next one that has it.

    Args:
        view: a file; its target version lacks it.
        changes: (release, what it is there) in order; an empty text where it was removed.

    Returns:
        Words such as " (removed in 4.0.0)", empty if no release has it; and the release to ask
        for, empty if none newer has it.
    """
    removed = [since for since, text in changes if not text and view.surface.at_least(since)]
    if removed:
        return f" (removed in {removed[-1]})", ""
    return (f" (it came with {changes[0][0]})", changes[0][0]) if changes else ("", "")
