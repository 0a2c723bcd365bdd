"""The question that a condition asks, also where a name keeps its answer or a helper asks it."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from itertools import islice

from ..model.arguments import argument_node, callee_of, default_of, shows_all
from ..model.bindings import parameters, sole_value
from ..model.definitions import definition
from ..model.kept_answers import kept_answer
from ..model.module import Module, last_name
from ..model.type_tests import as_boolean
from ..model.values import Function, only_value
from ..view import FileView
from .versions import version_check

_KEEPING = frozenset({"cache", "lru_cache"})
"""Decorators that leave the answer as it is."""
_ANSWERS = (ast.Call, ast.Compare, ast.BoolOp, ast.UnaryOp)
"""What a name of another file may keep that asks something."""
_DISPLAYS = (ast.List, ast.Set, ast.Tuple)
_SMALL = 60
_DEPTH = 4


def spelt_out(view: FileView, module: Module, test: ast.expr, depth: int = _DEPTH) -> ast.expr:
    """Return a condition with the question in place of a name that keeps its answer.

    A call of a helper that does nothing but ask is replaced by what it asks of its arguments, and a
    comparison with the version of the SDK by a ``VersionCheck``.
    """
    if depth == 0:
        return test
    test = as_boolean(_of_each(view, module, test))
    if isinstance(test, ast.UnaryOp):
        return ast.UnaryOp(test.op, spelt_out(view, module, test.operand, depth - 1))
    if isinstance(test, ast.BoolOp):
        parts = [spelt_out(view, module, part, depth - 1) for part in test.values]
        return ast.BoolOp(test.op, parts)
    if isinstance(test, ast.Compare):
        return _compared(view, module, test, depth)
    if isinstance(test, ast.Call) and last_name(test.func) == "callable" and test.args:
        asked = [spelt_out(view, module, part, depth - 1) for part in test.args]
        return ast.Call(test.func, asked, test.keywords)
    return _looked_up(view, module, test, depth) if test in module.parents else test


def _of_each(view: FileView, module: Module, test: ast.expr) -> ast.expr:
    """Return ``all((ask("a"), ask("b")))`` for ``all(ask(n) for n in ("a", "b"))``."""
    if not isinstance(test, ast.Call) or len(test.args) != 1:
        return test
    each = test.args[0]
    if not isinstance(each, ast.GeneratorExp | ast.ListComp) or len(each.generators) != 1:
        return test
    loop, names = each.generators[0], each.generators[0].iter
    found = definition(view.evaluator, module, names) if names in module.parents else None
    names = found[1] if found is not None else names
    if not isinstance(names, _DISPLAYS) or not isinstance(loop.target, ast.Name) or loop.ifs:
        return test
    variable, asks = loop.target.id, _unnamed(view, module, each.elt)
    asked = [_Given({variable: it}).visit(copy.deepcopy(asks)) for it in names.elts[:_SMALL]]
    return ast.Call(test.func, [ast.copy_location(ast.Tuple(asked), each)], [])


def _compared(view: FileView, module: Module, test: ast.Compare, depth: int) -> ast.expr:
    """Spell out ``answer is not None``, and ``"key" in names`` where a name keeps the names."""
    if _is_about_one(test):
        left = spelt_out(view, module, test.left, depth - 1)
        return ast.Compare(left, test.ops, test.comparators)
    known = _looked_up(view, module, test, depth) if test in module.parents else test
    names = test.comparators[0]
    is_asked = known is test and isinstance(test.ops[0], ast.In | ast.NotIn)
    if not is_asked or not isinstance(names, ast.Name) or names not in module.parents:
        return known
    kept = sole_value(view.extension.project.lookup(module, names)[1])
    is_shown = isinstance(kept, ast.Attribute | ast.Call)
    return ast.Compare(test.left, test.ops, [kept]) if is_shown else test


def _looked_up(view: FileView, module: Module, test: ast.expr, depth: int) -> ast.expr:
    if isinstance(test, ast.Name | ast.Attribute):
        kept = kept_answer(view.evaluator, module, test)
        if kept is not test:
            return spelt_out(view, module, kept, depth - 1)
        found = definition(view.evaluator, module, test)
        is_answer = found is not None and found[0] is not module and isinstance(found[1], _ANSWERS)
        return spelt_out(view, *found, depth - 1) if found and is_answer else test
    check = version_check(view, module, test)
    if check is not None:
        return check
    return _of_helper(view, module, test, depth) if isinstance(test, ast.Call) else test


def _is_about_one(test: ast.Compare) -> bool:
    """Tell whether a comparison is with None, True or False."""
    right = test.comparators[0]
    is_one = isinstance(right, ast.Constant) and isinstance(right.value, bool | None)
    return len(test.ops) == 1 and is_one


def _of_helper(view: FileView, module: Module, call: ast.Call, depth: int) -> ast.expr:
    """Return what a function of the extension returns for a call, if it does nothing else."""
    if last_name(call.func) in {"hasattr", "getattr"}:
        return call
    helper = only_value(view.evaluator.values(module, call.func))
    returned = _sole_return(helper) if isinstance(helper, Function) else None
    if not isinstance(helper, Function) or returned is None:
        return call
    check = version_check(view, helper.module, returned, _constants(helper, call))
    if check is not None:
        return check
    given = _given(helper, call)
    if given is None:
        return call
    asked = _unnamed(view, helper.module, spelt_out(view, helper.module, returned, depth - 1))
    if sum(1 for _ in islice(ast.walk(asked), _SMALL)) == _SMALL:
        return call
    return _Given(given).visit(copy.deepcopy(asked)) if given else asked


def _unnamed(view: FileView, module: Module, asked: ast.expr, depth: int = _DEPTH) -> ast.expr:
    """Return a question with the objects in place of the second names that a helper gives them."""
    names = (it for it in ast.walk(asked) if isinstance(it, ast.Name) and it in module.parents)
    kept = {it.id: kept for it in names if (kept := second_name(view, module, it)) is not None}
    if not kept or not depth:
        return asked
    shown = {name: _unnamed(view, module, each, depth - 1) for name, each in kept.items()}
    return _Given(shown).visit(copy.deepcopy(asked))


def second_name(view: FileView, module: Module, name: ast.Name) -> ast.expr | None:
    """Return the name, the attribute or the constant that a name is another name for."""
    if name not in module.parents:
        return None
    kept = sole_value(view.extension.project.lookup(module, name)[1])
    return kept if isinstance(kept, ast.Name | ast.Attribute | ast.Constant) else None


def _given(helper: Function, call: ast.Call) -> dict[str, ast.expr] | None:
    """Return parameter → what a call gives, or its default; None if the call does not show it."""
    if helper.node.args.vararg or not shows_all(call):
        return None
    skip = int(helper.bound is not None)
    found = {
        arg.arg: argument_node(call, helper.node, arg, skip=skip) or default_of(helper.node, arg)
        for arg in parameters(helper.node)[skip:]
    }
    known = {name: node for name, node in found.items() if node is not None}
    return known if len(known) == len(found) else None


def _constants(helper: Function, call: ast.Call) -> Mapping[str, object]:
    """Return parameter → value of the arguments that a call writes out."""
    spec, names = helper.node.args, _positional(helper)
    try:
        values = [ast.literal_eval(arg) for arg in call.args]
    except (ValueError, TypeError, RecursionError):
        return {}
    known: dict[str, object] = dict(zip(names, values, strict=False))
    if spec.vararg is not None:
        known[spec.vararg.arg] = tuple(values[len(names) :])
    return known


def _positional(helper: Function) -> list[str]:
    spec = helper.node.args
    return [arg.arg for arg in (*spec.posonlyargs, *spec.args)]


def _sole_return(helper: Function) -> ast.expr | None:
    node = helper.node
    if isinstance(node, ast.Lambda):
        return node.body
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    if isinstance(node, ast.AsyncFunctionDef) or not body:
        return None
    if any(last_name(callee_of(each)) not in _KEEPING for each in node.decorator_list):
        return None
    return _returned(body)


def _returned(body: list[ast.stmt]) -> ast.expr | None:
    """Return what a body returns that asks one question, and else gives up."""
    first = body[0] if body else ast.Return(None)
    if isinstance(first, ast.Return):
        return first.value
    inside = _inside(first)
    return None if inside is None else _returned([*inside, *body[1:]])


def _inside(step: ast.stmt) -> list[ast.stmt] | None:
    """Return the statements in one that may lead to the question; None where it has another say.

    Names that keep values, and what is done besides, ask nothing.
    """
    if isinstance(step, ast.Expr | ast.Import | ast.ImportFrom | ast.Pass | ast.Assert):
        return []
    if isinstance(step, ast.Assign):
        return [] if isinstance(step.targets[0], ast.Name) else None
    if isinstance(step, ast.With):
        return step.body
    if isinstance(step, ast.If):
        return [] if not step.orelse and _gives_up(step.body) else None
    if not isinstance(step, ast.Try) or step.orelse or step.finalbody:
        return None
    return step.body if all(_gives_up(handler.body) for handler in step.handlers) else None


def _gives_up(body: list[ast.stmt]) -> bool:
    """``return False`` or ``raise``, where a question could not be asked."""
    *before, last = body
    if not all(isinstance(step, ast.Expr) for step in before):
        return False
    value = last.value if isinstance(last, ast.Return) else last
    is_nothing = value is None or (isinstance(value, ast.Constant) and not value.value)
    return is_nothing or isinstance(last, ast.Raise | ast.Pass)


class _Given(ast.NodeTransformer):
    """Puts arguments in the place of the parameters of an expression."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self._given = given

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the argument for the name of a parameter."""
        return self._given.get(node.id, node)
