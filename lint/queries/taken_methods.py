"""A method that the code takes without calling it: what comes of that, and whether it is meant."""

from __future__ import annotations

import ast

from ..model.conditions import conditions
from ..model.instance_tests import is_instance
from ..model.module import Module
from ..model.spelling import spelled
from ..model.values import External, Sdk, SdkMethod, only_value
from ..view import Access, FileView
from .guards import exception_names, guard
from .questions import spelt_out
from .sdk_objects import is_certain, source_of
from .uses import Use, holder, is_refused, reads_of, use_of, use_of_object

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
"""How a method is taken → what comes of it."""
CALLED = "called"
_TOLD = {
    ("ActionResult", "success"): (
        "summary",
        1,
        "JSON cannot carry it: the kernel loses the result",
    ),
    ("ActionResult", "error"): ("error", 0, "to_dict() drops it: the user gets no message"),
}
"""What makes a result → the text in it: its name, its place, what comes of a method there."""
_ABOUT = frozenset({"status_code", "ok", "headers", "url", "raise_for_status"})
"""What a response says besides what it holds."""


def use_of_method(view: FileView, access: Access) -> str:
    """Return what comes of a method: an effect, ``called``, or an empty text if not known."""
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
    """Tell whether a read stands where the name's type is known: behind ``isinstance(t, str)``."""
    return any(_asks(part, name) for test, _ in conditions(module, name) for part in ast.walk(test))


def _asks(part: ast.AST, node: ast.expr) -> bool:
    """Tell whether a part of a test asks for the type of an expression."""
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
    """``callable(r.text)``, ``isinstance`` and ``except TypeError`` show that the author knows.

    ``hasattr(r, "text")`` does not where ``r`` is a response of the SDK, which always has it.
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
    """Return what is said of ``isinstance(r.json, list)`` that leaves nothing of a response.

    ``r.json if isinstance(r.json, list) else []`` is always ``[]``. An empty text where
    something else reads the response too.
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
    if isinstance(node, ast.List | ast.Tuple):
        return not node.elts
    return isinstance(node, ast.Constant) and not node.value


def _is_read_elsewhere(module: Module, owner: ast.expr, choice: ast.IfExp) -> bool:
    """Tell whether a function hands a response on, or reads what it holds, outside of a choice."""
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
    """Return what comes of a method that is given to ``json.loads`` or ``len``, which need data."""
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
    use = use_of_object(view.module, node)
    if use is Use.COUNTED:
        return raised
    return _EFFECTS.get(use, "") if use is not None else ""


def _effect_of_telling(view: FileView, given: ast.AST, call: ast.AST) -> str:
    """Return what comes of ``ActionResult.error(r.text)`` and ``success(data, summary=r.text)``."""
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
    """Tell whether an attribute stands in ``except TypeError``, behind a call that failed."""
    return any(
        isinstance(up, ast.ExceptHandler) and "TypeError" in exception_names(up.type)
        for up in view.module.ancestors(node)
    )
