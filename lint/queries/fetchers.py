"""What the fetcher of ``ctx.cache.get_or_fetch`` is, and what it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.attributes import class_chain
from ..model.bindings import parameters
from ..model.branches import may_run
from ..model.calling import own_nodes
from ..model.known_calls import LOG_METHODS
from ..model.models import is_model, known_type
from ..model.module import Module, last_name
from ..model.stubs import is_stub
from ..model.values import (
    Alternative,
    Class,
    Const,
    Coroutine,
    Display,
    Frame,
    Function,
    Instance,
    Value,
)
from ..model.written import Written, called, is_changed
from ..view import FileView
from .answers import answer_of
from .dump_calls import dumped_as
from .endings import never_ends

_DEEPEST = 4
_NO_CALL = "a coroutine, which cannot be called: the SDK calls the fetcher itself"


class Fault(msgspec.Struct, frozen=True):
    """Why a fetcher cannot work.

    Attributes:
        text: in words; empty if it may.
        always: whether it never works, and not only if the code takes one of several ways.
    """

    text: str
    always: bool = True


def wrong_fetcher(view: FileView, item: Alternative, model: Class | None) -> Fault:
    """Return why a fetcher cannot work.

    Args:
        view: the file of the call.
        item: one of the values of the fetcher.
        model: the class that the call names.
    """
    value = item.value
    if isinstance(value, Coroutine):
        return Fault(_NO_CALL)
    if isinstance(value, Const | Display | Instance):
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
    """Tell that a plain function returns what cannot be awaited."""
    kinds = [_kind(view, value) for value in found]
    if not kinds or not all(kinds):
        return ""
    return f"a plain function that returns {kinds[0]}, which cannot be awaited"


def _kind(view: FileView, value: Value) -> str:
    """Return what a value is, if it is none that can be called or awaited."""
    return known_type(value) or _model(view, value)


def _model(view: FileView, value: Value) -> str:
    """Return ``an object of Note`` for one of a model; empty for everything else."""
    if isinstance(value, Instance) and is_model(view.evaluator, value.cls) is True:
        return f"an object of {value.cls.node.name}"
    return ""


def _not_of(view: FileView, function: Function, frame: Frame | None, model: Class | None) -> Fault:
    """Tell that an async function returns what is no object of the model."""
    kinds = list(_ends(view, function, frame, model, 0))
    wrong = [kind for kind in kinds if kind]
    if not wrong:
        return Fault("")
    always = len(wrong) == len(kinds)
    return Fault(f"a function that {'returns' if always else 'may return'} {wrong[0]}", always)


def _ends(
    view: FileView, function: Function, frame: Frame | None, model: Class | None, depth: int
) -> Iterator[str]:
    """Yield what each way through a function returns, in words; empty for what may be right."""
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
    """Tell whether a function that returns comes to its end as well: ``if found: return …``.

    Loops are left alone, of which the last round may return or raise, and what a call chooses.
    """
    last = function.body[-1]
    given = {arg.arg for arg in parameters(function)} if frame is not None else set[str]()
    asked = (part.test for part in ast.walk(last) if isinstance(part, ast.If))
    is_chosen = any(getattr(it, "id", "") in given for test in asked for it in ast.walk(test))
    return not is_chosen and _falls(function.body) and may_run(view.evaluator, module, last, frame)


def _falls(block: list[ast.stmt]) -> bool:
    """Tell whether control comes out of a block behind what certainly does not raise."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return _falls(last.body) or _falls(last.orelse)
    if isinstance(last, ast.Try):
        blocks = [last.orelse or last.body, *(handler.body for handler in last.handlers)]
        return any(map(_falls, blocks))
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return last_name(last.value.func) in LOG_METHODS | {"print"}
    return last is None or isinstance(last, ast.Assign | ast.AugAssign | ast.Pass)


def _comes_to_its_end(
    view: FileView, module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> bool:
    return not (
        is_stub(module, function)
        or module.is_generator(function)
        or never_ends(view.evaluator, module, function)
    )


def _of_ways(view: FileView, at: Written, model: Class | None, depth: int) -> Iterator[str]:
    """Yield the same of each way through an expression and the functions that it calls."""
    node = at.node.value if isinstance(at.node, ast.Await) else at.node
    if isinstance(node, ast.IfExp):
        for part in (node.body, node.orelse):
            if may_run(view.evaluator, at.module, part, at.frame):
                yield from _of_ways(view, at.part(part), model, depth)
        return
    functions: list[tuple[Function, Frame]] = []
    if isinstance(node, ast.Call) and depth < _DEEPEST:
        functions = called(view.evaluator, at.module, node, at.frame)
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
