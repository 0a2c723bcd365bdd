"""What is wrong with the call of a method of the SDK: its arguments, and what it does with them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.arguments import argument_at
from ..model.calling import constant_text
from ..model.changed_objects import names_of
from ..model.conditions import conditions
from ..model.narrowing import asks_about
from ..model.spelling import spelled
from ..model.values import SdkMethod
from ..sdk.surface import Signature
from ..view import FileView
from .extension_calls import own_app_id
from .sdk_objects import call_problems

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
    """Yield that ``ctx.extensions.call("notes", …)`` is a call of the extension "notes"."""
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
    """Tell whether a condition may keep the own id away: ``if app != ext.app_id``."""
    written = spelled(given)
    others = names_of(view.module, written) - {written}
    return any(
        isinstance(part, ast.Attribute | ast.Call) or any(asks_about(test, it) for it in others)
        for test, _ in conditions(view.module, given)
        if any(asks_about(test, it) for it in (written, *others))
        for part in ast.walk(test)
    )
