"""The calls of ``ctx.cache`` in a file, with their arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.values import Alternative, Partial, Sdk, SdkMethod
from ..view import FileView
from .sdk_objects import argument_of, is_certain
from .spread_arguments import shown


class CacheCall(msgspec.Struct, frozen=True):
    """A call of the cache.

    Attributes:
        method: ``get``, ``set``, ``delete`` or ``get_or_fetch``.
        item: the alternative that makes it a cache call.
        certain: whether the receiver is proved, and nothing else is called here.
    """

    node: ast.Call
    method: str
    item: Alternative
    certain: bool
    arguments: dict[str, ast.expr]


def cache_calls(view: FileView, *methods: str) -> Iterator[CacheCall]:
    """Yield the calls of the named methods on a cache, also of what ``partial`` made of one."""
    for call, callees in view.sdk_calls.items():
        for item in callees:
            found = _cache_call(view, call, item, methods)
            if found is not None:
                yield found
                break


def _cache_call(
    view: FileView, call: ast.Call, item: Alternative, methods: tuple[str, ...]
) -> CacheCall | None:
    value, whole = item.value, call
    if isinstance(value, Partial):
        if value.module is not view.module:
            return None
        value, whole = value.method, _completed(value.node, call)
    elif isinstance(call.func, ast.Call):
        return None
    if (
        not isinstance(value, SdkMethod)
        or value.owner.cls != "CacheClient"
        or value.name not in methods
    ):
        return None
    member = view.surface.member("CacheClient", value.name)
    spec = member.signature if member else None
    if spec is None:
        return None
    names = (*spec.names, "ttl")
    written = shown(view, whole)
    given = {name: argument_of(written, spec, name) for name in names}
    arguments = {name: node for name, node in given.items() if node is not None}
    proved = not isinstance(value.owner, Sdk) or value.owner.certain
    certain = proved and is_certain(view, call.func, item)
    return CacheCall(call, value.name, item, certain, arguments)


def _completed(made: ast.Call, call: ast.Call) -> ast.Call:
    """Return what ``partial(method, key)(Model)`` calls: ``method(key, Model)``."""
    given = {item.arg for item in call.keywords}
    kept = [item for item in made.keywords if item.arg is None or item.arg not in given]
    args, keywords = [*made.args[1:], *call.args], [*kept, *call.keywords]
    return ast.copy_location(ast.Call(made.args[0], args, keywords), call)
