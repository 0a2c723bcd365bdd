"""The calls of ``ctx.cache`` in a file, with their arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.arguments import shows_all
from ..model.module import Module
from ..model.project import mentions
from ..model.values import Alternative, SdkMethod, Value
from ..view import FileView, ProjectView
from .forwarded_calls import Forwarded, forwarded
from .sdk_calls import called
from .sdk_objects import argument_of, is_certain
from .spread_arguments import fully_shown, shown

_OWNER = "CacheClient"
_WORD = "cache"


class CacheCall(msgspec.Struct, frozen=True):
    """A call of the cache.

    Attributes:
        node: the call; for one that a helper makes of what it gets, the call of the helper.
        method: ``get``, ``set``, ``delete`` or ``get_or_fetch``.
        item: the alternative that makes it a cache call.
        certain: whether the receiver is proved, and nothing else is called here.
        arguments: name → what this call gives.
    """

    node: ast.Call
    method: str
    item: Alternative
    certain: bool
    arguments: dict[str, ast.expr]


class _Handed(msgspec.Struct, frozen=True):
    """A call that hands something on to a method of the cache.

    Attributes:
        module: its file.
        maker: the call of the method as it is written: ``fn(*args, **kwargs)``.
        call: what it is for the cache.
    """

    module: Module
    maker: ast.Call
    call: CacheCall


def cache_calls(view: FileView, *methods: str) -> Iterator[CacheCall]:
    """Yield the calls of the named methods on a cache.

    Also of what ``partial`` made of one, and calls of a helper that hands on all that it gets.
    """
    handed = view.extension.once(_all_handed)
    makers = {each.maker for each in handed}
    for call, callees in view.sdk_calls.items():
        for item in callees:
            found = _cache_call(view, call, item, methods, is_maker=call in makers)
            if found is not None:
                yield found
                break
    for each in handed:
        if each.module is view.module and each.call.method in methods:
            yield each.call


def _cache_call(
    view: FileView, call: ast.Call, item: Alternative, methods: tuple[str, ...], *, is_maker: bool
) -> CacheCall | None:
    method, whole = called(view, call, item.value)
    if method is None or method.owner.cls != _OWNER or method.name not in methods:
        return None
    written = fully_shown(view, whole) if is_maker else shown(view, whole)
    certain = method.certain and is_certain(view, call.func, item)
    return CacheCall(call, method.name, item, certain, _arguments(view, method, written))


def _arguments(view: FileView, method: SdkMethod, call: ast.Call) -> dict[str, ast.expr]:
    member = view.surface.member(_OWNER, method.name)
    spec = member.signature if member else None
    names = (*spec.names, "ttl") if spec else ()
    given = {name: argument_of(call, spec, name) for name in names} if spec else {}
    return {name: node for name, node in given.items() if node is not None}


# ---- through helpers -------------------------------------------------------------------------


def _all_handed(extension: ProjectView) -> tuple[_Handed, ...]:
    found: dict[tuple[ast.AST, str], _Handed] = {}
    for module in extension.project.mentioning("*"):
        view = FileView(extension, module)
        for maker in module.nodes(ast.Call):
            for each in _handed(view, maker) if not shows_all(maker) else ():
                found.setdefault((each.call.node, each.call.method), each)
    return tuple(found.values())


def _handed(view: FileView, maker: ast.Call) -> Iterator[_Handed]:
    """Yield the calls that give a call of the cache what it spreads, each with its own part."""
    methods = [it for item in view.values(maker.func) if (it := _of_cache(item.value)) is not None]
    made = list(forwarded(view, maker)) if methods else []
    for method in methods:
        for each in made:
            for item in each.called(view, maker.func, method)[:1]:
                yield from _parts(view, maker, method, each, item)


def _of_cache(value: Value) -> SdkMethod | None:
    return value if isinstance(value, SdkMethod) and value.owner.cls == _OWNER else None


def _parts(
    view: FileView, maker: ast.Call, method: SdkMethod, made: Forwarded, item: Alternative
) -> Iterator[_Handed]:
    every = _arguments(view, method, made.call)
    for step in made.way:
        site, around = step.node, step.module.function(step.node)
        own = {
            name: node
            for name, node in every.items()
            if node in step.module.parents and step.module.function(node) is around
        }
        if own and isinstance(site, ast.Call) and mentions(step.module.source, _WORD):
            call = CacheCall(site, method.name, item, method.certain, own)
            yield _Handed(step.module, maker, call)
