"""Calls of the cache, and what is wrong with their fetchers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ....inference.flow.branches import may_run
from ....inference.syntax.bindings import parameters
from ....inference.syntax.memo import is_stub
from ....inference.syntax.module import Module, last_name, own_nodes
from ....inference.values.attributes import class_chain
from ....inference.values.known_calls import LOG_METHODS
from ....inference.values.models import is_model, known_type
from ....inference.values.origins import Written, is_changed
from ....inference.values.origins import called as origins_called
from ....inference.values.values import (
    Alternative,
    Class,
    Const,
    Coroutine,
    Display,
    Frame,
    Function,
    Instance,
    SdkMethod,
    Value,
)
from ....payloads.dumps import dumped_as
from ....sdk_use.calls import called, shown
from ....sdk_use.reach import never_ends
from ....sdk_use.sdk_objects import argument_of, is_certain
from ....view import FileView
from .service_responses import answer_of

_OWNER = "CacheClient"


class CacheCall(msgspec.Struct, frozen=True):
    """A call of the cache.

    Attributes:
        node: the call.
        method: ``get``, ``set``, ``delete`` or ``get_or_fetch``.
        item: the alternative that makes it a cache call.
        certain: whether the receiver is proved, and nothing else is called here.
        arguments: name → argument of this call.
    """

    node: ast.Call
    method: str
    item: Alternative
    certain: bool
    arguments: dict[str, ast.expr]


def cache_calls(view: FileView, *methods: str) -> Iterator[CacheCall]:
    """Yield the calls of the named methods of a cache.

    Also by ``partial``.
    """
    for call, callees in view.sdk_calls.items():
        for item in callees:
            found = _cache_call(view, call, item, methods)
            if found is not None:
                yield found
                break


def _cache_call(
    view: FileView, call: ast.Call, item: Alternative, methods: tuple[str, ...]
) -> CacheCall | None:
    method, whole = called(view, call, item.value)
    if method is None or method.owner.cls != _OWNER or method.name not in methods:
        return None
    certain = method.certain and is_certain(view, call.func, item)
    return CacheCall(call, method.name, item, certain, _arguments(view, method, shown(view, whole)))


def _arguments(view: FileView, method: SdkMethod, call: ast.Call) -> dict[str, ast.expr]:
    member = view.surface.member(_OWNER, method.name)
    spec = member.signature if member else None
    names = (*spec.names, "ttl") if spec else ()
    given = {name: argument_of(call, spec, name) for name in names} if spec else {}
    return {name: node for name, node in given.items() if node is not None}


_DEEPEST = 4
_NO_CALL = "a coroutine, which cannot be called: the SDK calls the fetcher itself"


class Fault(msgspec.Struct, frozen=True):
    """The reason why a fetcher fails.

    Attributes:
        text: in words; empty if it may.
        always: whether it fails on every path.
    """

    text: str
    always: bool = True


def wrong_fetcher(view: FileView, item: Alternative, model: Class | None) -> Fault:
    """Return the reason why a fetcher fails.

    Args:
        view: the file of the call.
        item: one of the values of the fetcher.
        model: the class that the call names.
    """
    value = item.value
    if isinstance(value, Coroutine):
        return Fault(_NO_CALL)
    if isinstance(value, (Const, Display, Instance)):
        kind = _kind(view, value)
        return Fault(f"{kind}, which cannot be called" if kind else "")
    if not isinstance(value, Function):
        return Fault("")
    function, module = value.node, value.module
    if not isinstance(function, ast.Lambda) and (
        is_changed(view.evaluator, module, function) or module.is_generator(function)
    ):
        return Fault("")
    places = [Written(module, node, item.frame) for node in module.returns(function)]
    found = [each for at in places for each in _values(view, at)]
    is_awaited = all(isinstance(each, Coroutine) for each in found)
    if is_awaited or isinstance(function, ast.AsyncFunctionDef):
        return _not_of(view, value, item.frame, model)
    return Fault(_unawaited(view, found))


def _unawaited(view: FileView, found: list[Value]) -> str:
    """Return the reason that a plain function returns something that cannot be awaited."""
    kinds = [_kind(view, value) for value in found]
    if not kinds or not all(kinds):
        return ""
    return f"a plain function that returns {kinds[0]}, which cannot be awaited"


def _kind(view: FileView, value: Value) -> str:
    """Return the type of a value that can be neither called nor awaited; else empty."""
    return known_type(value) or _model(view, value)


def _model(view: FileView, value: Value) -> str:
    """Return ``an object of Note`` for an instance of a model; else empty."""
    if isinstance(value, Instance) and is_model(view.evaluator, value.cls) is True:
        return f"an object of {value.cls.node.name}"
    return ""


def _not_of(view: FileView, function: Function, frame: Frame | None, model: Class | None) -> Fault:
    """Return the reason that an async function returns no instance of the model."""
    kinds = list(_ends(view, function, frame, model, 0))
    wrong = [kind for kind in kinds if kind]
    if not wrong:
        return Fault("")
    always = len(wrong) == len(kinds)
    return Fault(f"a function that {'returns' if always else 'may return'} {wrong[0]}", always)


def _ends(
    view: FileView, function: Function, frame: Frame | None, model: Class | None, depth: int
) -> Iterator[str]:
    """Yield in words what each path through a function returns; empty for what may be right."""
    module, node = function.module, function.node
    if isinstance(node, ast.Lambda):
        yield from _of_ways(view, Written(module, node.body, frame), model, depth)
        return
    exits = [each for each in own_nodes(node) if isinstance(each, ast.Return)]
    for each in exits:
        if may_run(view.evaluator, module, each, frame):
            at = Written(module, each.value, frame) if each.value is not None else None
            yield from ("None",) if at is None else _of_ways(view, at, model, depth)
    if (not exits or _falls_off(view, module, node, frame)) and _comes_to_its_end(
        view, module, node
    ):
        yield "None"


def _falls_off(
    view: FileView,
    module: Module,
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    frame: Frame | None,
) -> bool:
    """Tell whether some path of a function ends without ``return``: ``if found: return …``.

    Not below loops, or tests that the call decides.
    """
    last = function.body[-1]
    given = {arg.arg for arg in parameters(function)} if frame is not None else set[str]()
    asked = (part.test for part in ast.walk(last) if isinstance(part, ast.If))
    is_chosen = any(getattr(it, "id", "") in given for test in asked for it in ast.walk(test))
    return not is_chosen and _falls(function.body) and may_run(view.evaluator, module, last, frame)


def _falls(block: list[ast.stmt]) -> bool:
    """Tell whether control leaves a block at its end, past statements that cannot raise."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return _falls(last.body) or _falls(last.orelse)
    if isinstance(last, ast.Try):
        blocks = [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        return any(map(_falls, blocks))
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return last_name(last.value.func) in LOG_METHODS | {"print"}
    return last is None or isinstance(last, (ast.Assign, ast.AugAssign, ast.Pass))


def _comes_to_its_end(
    view: FileView, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> bool:
    return not (
        is_stub(module, function)
        or module.is_generator(function)
        or never_ends(view.evaluator, module, function)
    )


def _of_ways(view: FileView, at: Written, model: Class | None, depth: int) -> Iterator[str]:
    """Yield the same for each alternative of an expression and of the functions it calls."""
    node = at.node.value if isinstance(at.node, ast.Await) else at.node
    if isinstance(node, ast.IfExp):
        for part in (node.body, node.orelse):
            if may_run(view.evaluator, at.module, part, at.frame):
                yield from _of_ways(view, at.part(part), model, depth)
        return
    functions: list[tuple[Function, Frame]] = []
    if isinstance(node, ast.Call) and depth < _DEEPEST:
        functions = origins_called(view.evaluator, at.module, node, at.frame)
    for function, frame in functions:
        yield from _ends(view, function, frame, model, depth + 1)
    if not functions:
        yield _returned(view, at, model)


def _returned(view: FileView, at: Written, model: Class | None) -> str:
    plain = dumped_as(view, at) or answer_of(view, at)
    if plain:
        return plain
    found = [it.result if isinstance(it, Coroutine) else it for it in _values(view, at)]
    kinds = [known_type(value) or _other_model(view, value, model) for value in found]
    return kinds[0] if kinds and all(kinds) else ""


def _values(view: FileView, at: Written) -> list[Value]:
    return [item.value for item in view.evaluator.values(at.module, at.node, at.frame)]


def _other_model(view: FileView, value: Value, model: Class | None) -> str:
    if model is None or not isinstance(value, Instance):
        return ""
    chain = [each.node for each in class_chain(view.evaluator, value.cls)]
    return "" if model.node in chain else _model(view, value)
