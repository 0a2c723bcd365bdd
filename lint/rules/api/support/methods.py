"""Methods of the SDK that code uses without calling them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ....inference.calls.call_sites import entering_calls
from ....inference.calls.calling import constant_text
from ....inference.flow.branches import may_run
from ....inference.flow.conditions import conditions
from ....inference.flow.type_tests import is_instance
from ....inference.syntax.module import FunctionNode, Module
from ....inference.syntax.spelling import spelled
from ....inference.values.values import (
    Alternative,
    External,
    Frame,
    Sdk,
    SdkMethod,
    Step,
    only_value,
)
from ....sdk_use.guards import exception_names, guard, spelt_out
from ....sdk_use.sdk_objects import is_certain, source_of
from ....view import Access, FileView
from .uses import Use, binder, holder, is_refused, reads_in, reads_of, use_by_builtin, use_of

_ASKING = frozenset({"isinstance", "hasattr"})
ALWAYS_TRUE = "the method itself is always true"
_EFFECTS = {
    Use.ITEM: "[ ] raises TypeError",
    Use.ATTRIBUTE: "the next attribute raises AttributeError",
    Use.TEXT: 'the text shows "<bound method …>"',
    Use.OPERATION: "the operation raises TypeError",
    Use.LOOP: "the loop raises TypeError",
    Use.EQUALITY: "the comparison is with the method",
    Use.ORDER: "the comparison is with the method",
    Use.TEST: ALWAYS_TRUE,
    Use.AWAITED: "await raises TypeError",
}
"""How a method is taken → what follows from it."""
CALLED = "called"
_TOLD = {
    ("ActionResult", "success"): (
        "summary",
        1,
        "JSON cannot carry it: the kernel loses the result",
    ),
    ("ActionResult", "error"): ("error", 0, "to_dict() drops it: the user gets no message"),
}
"""What makes a result → the text in it: its name, its place, what follows from a method there."""
_ABOUT = frozenset({"status_code", "ok", "headers", "url", "raise_for_status"})
"""What a response says besides what it holds."""


def use_of_method(view: FileView, access: Access) -> str:
    """Return the effect of using a method as a value; ``called``, or empty if unknown."""
    kept = _with_default(view.module, access.node)
    name = holder(view.module, kept)
    if name is None:
        return _effect(view, access.node)
    effects = {part: _effect(view, part) for part in reads_of(view.module, kept, name)}
    if CALLED in effects.values():
        return CALLED
    own = [_effect(view, access.node)] if kept is not access.node else []
    met = (effect for part, effect in effects.items() if not _is_asked(view.module, part))
    return next(filter(None, [*own, *met]), "")


def _with_default(module: Module, node: ast.expr) -> ast.expr:
    """Return ``r.text or ""`` around a method, or the method alone."""
    parent = module.parents.get(node)
    return parent if isinstance(parent, ast.BoolOp) and parent.values[0] is node else node


def _is_asked(module: Module, name: ast.Name) -> bool:
    """Tell whether a read stands where the name's type was tested: ``isinstance(t, str)``."""
    return any(_asks(part, name) for test, _ in conditions(module, name) for part in ast.walk(test))


def _asks(part: ast.AST, node: ast.expr) -> bool:
    """Tell whether a part of a test is about the type of an expression."""
    return (
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Name)
        and (part.func.id == "callable" or (part.func.id in _ASKING and _is_about(part, node)))
    )


def _effect(view: FileView, node: ast.expr) -> str:
    use = use_of(view.module, node)
    if use is None:
        return effect_of_giving(view, node)
    return CALLED if use is Use.CALLED else _EFFECTS[use]


def asked_first(view: FileView, access: Access) -> bool:
    """Tell whether ``callable(r.text)``, ``isinstance`` or ``except TypeError`` guards a method.

    ``hasattr(r, "text")`` does not count for a response of the SDK, which always has it.
    """
    node = access.node
    excuse = guard(view, access)
    if _is_second_try(view, node) or (
        excuse and not (excuse == "hasattr" and _always_has(view, node))
    ):
        return True
    statement = view.module.statement(node)
    tests = [spelt_out(view, view.module, test) for test, _ in conditions(view.module, node)]
    asked = [*tests, *([statement] if statement is not None else [])]
    return any(_asks(part, node) for test in asked for part in ast.walk(test))


def asked_in_vain(view: FileView, access: Access) -> str:
    """Return the effect of ``r.json if isinstance(r.json, list) else []``, which is always ``[]``.

    Empty if the response is read elsewhere too.
    """
    module = view.module
    call = module.parents.get(access.node)
    choice = module.parents.get(call) if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or not isinstance(choice, ast.IfExp):
        return ""
    if choice.test is not call or not _is_empty(choice.orelse) or len(call.args) != 2:
        return ""
    is_question = isinstance(call.func, ast.Name) and call.func.id == "isinstance"
    if not is_question or _is_read_elsewhere(module, access.owner, choice):
        return ""
    found = view.values(access.node)
    never = found and all(
        is_instance(view.evaluator, module, call.args[1], item.value) is False for item in found
    )
    return f"{source_of(call)} is never true" if never else ""


def _is_empty(node: ast.expr) -> bool:
    if isinstance(node, ast.Dict):
        return not node.keys
    if isinstance(node, (ast.List, ast.Tuple)):
        return not node.elts
    return isinstance(node, ast.Constant) and not node.value


def _is_read_elsewhere(module: Module, owner: ast.expr, choice: ast.IfExp) -> bool:
    """Tell whether a function passes a response on, or reads its data, outside of a choice."""
    function, name = module.function(choice), spelled(owner)
    reads = (node for kind in (ast.Name, ast.Attribute) for node in module.nodes(kind))
    same = (node for node in reads if spelled(node) == name and isinstance(node.ctx, ast.Load))
    return any(
        module.function(node) is function
        and choice not in module.ancestors(node)
        and getattr(module.parents.get(node), "attr", "") not in _ABOUT
        for node in same
    )


def _always_has(view: FileView, node: ast.expr) -> bool:
    found = view.values(node)
    return bool(found) and all(
        isinstance(item.value, SdkMethod)
        and isinstance(item.value.owner, Sdk)
        and item.value.owner.certain
        and is_certain(view, node, item)
        for item in found
    )


def _is_about(call: ast.Call, node: ast.expr) -> bool:
    return bool(call.args) and source_of(call.args[0]) == source_of(node)


def effect_of_giving(view: FileView, node: ast.expr) -> str:
    """Return the effect of passing a method to ``json.loads``, ``len`` and the like."""
    call = view.module.parents.get(node)
    if isinstance(call, ast.keyword):
        return _effect_of_telling(view, call, view.module.parents[call])
    if not isinstance(call, ast.Call) or call.func is node:
        return ""
    callee = only_value(view.values(call.func))
    if not isinstance(callee, External):
        return _effect_of_telling(view, node, call)
    raised = f"{source_of(call.func)}() raises TypeError"
    if is_refused(call, node, callee.name):
        return raised
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name != callee.name or (name == "iter" and len(call.args) > 1):
        return ""
    use = use_by_builtin(call, node)
    if use is Use.COUNTED:
        return raised
    return _EFFECTS.get(use, "") if use is not None else ""


def _effect_of_telling(view: FileView, given: ast.AST, call: ast.AST) -> str:
    """Return the effect of ``ActionResult.error(r.text)`` or ``success(data, summary=r.text)``."""
    callee = only_value(view.values(call.func)) if isinstance(call, ast.Call) else None
    if not isinstance(callee, SdkMethod) or not isinstance(call, ast.Call):
        return ""
    told = _TOLD.get((callee.owner.cls, callee.name))
    if told is None:
        return ""
    name, position, effect = told
    is_told = given in call.args[position : position + 1] or getattr(given, "arg", "") == name
    return effect if is_told else ""


def _is_second_try(view: FileView, node: ast.AST) -> bool:
    """Tell whether an attribute stands in ``except TypeError``, after a failed call."""
    return any(
        isinstance(up, ast.ExceptHandler) and "TypeError" in exception_names(up.type)
        for up in view.module.ancestors(node)
    )


_PLAIN = (ast.Name, ast.Constant, ast.Tuple, ast.List, ast.Set, ast.cmpop, ast.expr_context)


class NamedMethod(msgspec.Struct, frozen=True, eq=False):
    """A call of a method whose name one caller gives.

    Attributes:
        call: the call of the method.
        item: the method, with that caller in its call path.
        way: the calls that give the name, outermost first.
    """

    call: ast.Call
    item: Alternative
    way: tuple[Step, ...]


def named_methods(view: FileView) -> Iterator[NamedMethod]:
    """Yield the calls of SDK methods whose names callers give, once for each caller.

    Not below a test of the name other than a plain comparison, which may exclude the caller.
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
    """Yield the calls of the result of ``getattr``, direct or by a variable."""
    parent = module.parents.get(taken)
    name = binder(parent)
    read: list[ast.expr] = [taken, *(reads_in(module, function, name) if name else ())]
    for node in read:
        call = module.parents.get(node)
        if isinstance(call, ast.Call) and call.func is node:
            yield call


def _is_told_apart(module: Module, function: FunctionNode, name: ast.expr, call: ast.Call) -> bool:
    """Tell whether a condition around a call tests a name in a way that is not understood."""
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
