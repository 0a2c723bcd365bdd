"""Methods that the code takes by a name that its callers give: ``getattr(ctx.http, method)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..model.branches import may_run
from ..model.call_sites import entering_calls
from ..model.calling import constant_text
from ..model.conditions import conditions
from ..model.module import FunctionNode, Module
from ..model.values import Alternative, Frame, SdkMethod, Step
from ..view import FileView
from .uses import binder, reads_in

_PLAIN = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.cmpop, ast.expr_context)


class NamedMethod(msgspec.Struct, frozen=True, eq=False):
    """What a call becomes by the name that one caller gives.

    Attributes:
        call: the call of the method.
        item: the method, on its way through that caller.
        way: the calls that give the name, outermost first.
    """

    call: ast.Call
    item: Alternative
    way: tuple[Step, ...]


def named_methods(view: FileView) -> Iterator[NamedMethod]:
    """Yield the calls of methods of the SDK whose names callers give, once for each caller.

    Not where a question about the name stands before the call that is no plain comparison: it may
    be meant for other callers.
    """
    for taken in view.module.calls.get("getattr", ()):
        function = view.module.function(taken)
        if (
            function is None
            or not isinstance(taken.func, ast.Name)
            or len(taken.args) not in {2, 3}
            or constant_text(view.evaluator, view.module, taken.args[1]) is not None
        ):
            continue
        for call in _calls_of(view.module, function, taken):
            if not _is_told_apart(view.module, function, taken.args[1], call):
                for frame in _frames(view, function, taken.args[1]):
                    yield from _in_frame(view, call, frame)


def _calls_of(module: Module, function: FunctionNode, taken: ast.Call) -> Iterator[ast.Call]:
    """Yield the calls of what ``getattr`` gave, at once or by the name that keeps it."""
    parent = module.parents.get(taken)
    name = binder(parent)
    read: list[ast.expr] = [taken, *(reads_in(module, function, name) if name else ())]
    for node in read:
        call = module.parents.get(node)
        if isinstance(call, ast.Call) and call.func is node:
            yield call


def _is_told_apart(module: Module, function: FunctionNode, name: ast.expr, call: ast.Call) -> bool:
    """Tell whether a condition around a call asks of a name what is not followed."""
    asked = _names(name)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and asked & _names(node.value):
            asked |= {it for target in node.targets for it in _names(target)}
    tests = [test for test, _ in conditions(module, call)]
    return any(asked & _names(test) and not _is_plain(test) for test in tests)


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _is_plain(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and all(
        isinstance(part, _PLAIN) for part in ast.walk(test) if part is not test
    )


def _frames(view: FileView, function: FunctionNode, name: ast.expr) -> Iterator[Frame]:
    """Yield the calls of a function in which a name in it is known."""
    evaluator, module = view.evaluator, view.module
    for frame in entering_calls(evaluator, module, function):
        if constant_text(evaluator, module, name, frame) is not None:
            yield frame


def _in_frame(view: FileView, call: ast.Call, frame: Frame) -> Iterator[NamedMethod]:
    if not may_run(view.evaluator, view.module, call, frame):
        return
    found = view.evaluator.values(view.module, call.func, frame)
    if len(found) == 1 and isinstance(found[0].value, SdkMethod):
        name = view.evaluator.project_name(view.module, frame.function)
        item, way = found[0], (Step(frame.module, frame.call, name),)
        yield NamedMethod(call, Alternative(item.value, (*item.via, *way), item.origin), way)
