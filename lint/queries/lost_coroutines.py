"""Coroutines that nobody can await: none of their reads lets them out of sight.

A read that gives a coroutine to ``await``, to a container or to code that is not known lets it
out, and nothing is said of it. All others end in an error, in a question with a wrong answer, or
in a function of the extension whose own reads of the parameter are of these kinds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeGuard

import msgspec

from ..model.arguments import argument_node
from ..model.bindings import Binding
from ..model.call_sites import call_sites
from ..model.module import FunctionNode, Module
from ..model.narrowing import possible
from ..model.values import UNKNOWN, Coroutine, External, Function, Instance, SdkClass
from ..model.written import is_changed
from ..view import FileView, ProjectView
from .async_calls import is_defined_once
from .coroutine_takers import taken
from .guards import caught
from .losses import EFFECTS, Loss, effect_of, placed, worst
from .sdk_objects import source_of
from .uses import (
    ASKING,
    HARMLESS,
    OF_COROUTINES,
    PLAIN_BUILTINS,
    Place,
    Use,
    binder,
    harms,
    is_refused,
    is_spread,
    is_tested,
    reads_in,
    use_of_object,
)

_DATA = frozenset({"bool", "bytes", "dict", "float", "int", "list", "set", "str", "tuple"})
_KNOWING = ASKING | {"eval", "exec", "locals", "vars"}
"""Functions that ask whether a value can be awaited, or reach each name."""
_HELD = Coroutine(UNKNOWN)
_WRAPPED = frozenset({"menu_item", "panel", "tray", "widget"})
"""Handlers whose result the SDK itself takes: it awaits the call and looks for ``to_dict``."""
_DEEP = 4
_MOST_READS = 1000


def loss_of(view: FileView, call: ast.Call) -> Loss | None:
    """Return what comes of the coroutine of a call; None where somebody may await it."""
    return _Walk(view.extension).fate(view.module, call, _DEEP)


class _Walk:
    """One search for the reads of a coroutine, also in the functions that get it."""

    def __init__(self, extension: ProjectView) -> None:
        self._extension = extension
        self._project = extension.project
        self._reads = _MOST_READS
        self._entered: dict[ast.AST, tuple[Module, ast.Call]] = {}

    def fate(self, module: Module, node: ast.expr, deep: int) -> Loss | None:
        """Return what comes of a coroutine that an expression is worth."""
        self._reads -= 1
        if self._reads < 0 or deep < 0:
            return None
        parent = module.parents.get(node)
        if isinstance(parent, ast.BoolOp | ast.IfExp | ast.NamedExpr):
            return self._flowing(module, node, parent, deep)
        if isinstance(parent, ast.Call | ast.keyword):
            return self._given(module, node, parent, deep)
        if isinstance(parent, ast.Assign | ast.AnnAssign) and binder(parent):
            return self._named(module, parent, binder(parent), deep)
        if isinstance(parent, ast.Return):
            return self._returned(module, parent, deep)
        if isinstance(parent, ast.Compare) and _is_identity(parent):
            return Loss("")
        if _is_part(parent, node):
            return self._held(module, parent)
        return Loss("") if isinstance(parent, ast.Expr) else self._used(module, node)

    def _used(self, module: Module, node: ast.expr) -> Loss | None:
        use = use_of_object(module, node)
        if use is None or not harms(self._project, module, Place(node, use)):
            return None
        if caught(module, node, "TypeError", "AttributeError"):
            return None
        return Loss(effect_of(module, Place(node, use)), raises=use not in HARMLESS)

    def _flowing(
        self,
        module: Module,
        node: ast.expr,
        parent: ast.BoolOp | ast.IfExp | ast.NamedExpr,
        deep: int,
    ) -> Loss | None:
        """``node or x`` is worth the coroutine, ``node and x`` is not."""
        if isinstance(parent, ast.NamedExpr):
            named = self._named(module, parent, parent.target.id, deep)
            return worst([named, self.fate(module, parent, deep)])
        if isinstance(parent, ast.IfExp):
            tested = parent.test is node
            return self._used(module, node) if tested else self.fate(module, parent, deep)
        tested = Loss(EFFECTS[Use.TEST]) if is_tested(module, node) else Loss("")
        if isinstance(parent.op, ast.And) and parent.values[-1] is not node:
            return tested
        return worst([tested, self.fate(module, parent, deep)])

    def _named(self, module: Module, binding: ast.AST, name: str, deep: int) -> Loss | None:
        function = module.function(binding)
        return self._of_reads(module, function, name, binding, deep) if function else None

    def _of_reads(
        self, module: Module, function: FunctionNode, name: str, binding: ast.AST, deep: int
    ) -> Loss | None:
        """Return what comes of the reads of a name that an assignment or a parameter binds."""
        if self._is_shared(module, function, name) or _calls_one(module, function, _KNOWING):
            return None
        reads = [
            read
            for read in reads_in(module, function, name)
            if any(each.node is binding for each in self._bound(module, read))
        ]
        return worst(self._read(module, read, binding, deep) for read in reads)

    def _read(self, module: Module, read: ast.Name, binding: ast.AST, deep: int) -> Loss | None:
        """Return what comes of a read; nothing where ``if isinstance(x, list)`` keeps it away."""
        held = [(each, _HELD) for each in self._bound(module, read) if each.node is binding]
        if not any(possible(self._extension.evaluator, module, read, held)):
            return Loss("", asks=True)
        return self.fate(module, read, deep)

    def _is_shared(self, module: Module, function: ast.AST, name: str) -> bool:
        """Tell whether a name lives outside of the function that binds it."""
        return any(
            name in node.names and function in module.ancestors(node)
            for kind in (ast.Global, ast.Nonlocal)
            for node in module.nodes(kind)
        )

    def _bound(self, module: Module, name: ast.Name) -> list[Binding]:
        return self._project.lookup(module, name)[1]

    def _held(self, module: Module, display: ast.expr) -> Loss | None:
        """``all([key, user])`` asks for the truth of each; what ``ui`` holds nobody awaits."""
        parent = module.parents.get(display)
        if _is_part(parent, display):
            return self._held(module, parent)
        if isinstance(parent, ast.Return):
            return self._answered(module, module.function(parent))
        call = module.parents.get(parent) if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call) or call.func is display:
            return None
        func = call.func
        if isinstance(func, ast.Name) and func.id in {"all", "any"} and len(call.args) == 1:
            return None if self._bound(module, func) else Loss(EFFECTS[Use.TEST])
        return taken(self._extension.evaluator, module, call, display, inside=True)

    # ---- arguments ---------------------------------------------------------------------------

    def _given(
        self, module: Module, node: ast.expr, parent: ast.Call | ast.keyword, deep: int
    ) -> Loss | None:
        call = module.parents.get(parent) if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call) or call.func is node:
            return None
        if is_spread(parent, node):
            return self._used(module, node)
        func = call.func
        if isinstance(func, ast.Name) and not self._bound(module, func):
            return self._to_builtin(module, node, call, func.id, deep)
        known = taken(self._extension.evaluator, module, call, node, inside=False)
        if known is not None:
            return known
        found = [item.value for item in self._extension.evaluator.values(module, func)]
        if len(found) != 1:
            return None
        if isinstance(found[0], External):
            return _to_library(module, node, call, found[0].name)
        if isinstance(found[0], Function):
            return self._to_function(module, node, call, found[0], deep)
        return None

    def _to_builtin(
        self, module: Module, node: ast.expr, call: ast.Call, name: str, deep: int
    ) -> Loss | None:
        if name == "isinstance" and len(call.args) == 2 and call.args[0] is node:
            known = self._is_data(module, call.args[1])
            return Loss(f"{source_of(call)} is never true", asks=True) if known else None
        if name in {"getattr", "hasattr"} and call.args[:1] == [node]:
            return _by_name(module, call, name)
        if name == "getattr" and call.args[2:] == [node]:
            return self.fate(module, call, deep)
        return self._used(module, node) if name in PLAIN_BUILTINS else None

    def _is_data(self, module: Module, asked: ast.expr) -> bool:
        """Tell whether a coroutine is of none of the classes that ``isinstance`` names."""
        if isinstance(asked, ast.Tuple):
            return all(self._is_data(module, part) for part in asked.elts)
        if isinstance(asked, ast.Name) and asked.id in _DATA and not self._bound(module, asked):
            return True
        found = [item.value for item in self._extension.evaluator.values(module, asked)]
        return bool(found) and all(isinstance(each, SdkClass) for each in found)

    def _to_function(
        self, caller: Module, node: ast.expr, call: ast.Call, callee: Function, deep: int
    ) -> Loss | None:
        function, module = callee.node, callee.module
        if isinstance(function, ast.Lambda) or function.decorator_list:
            return None
        if module.is_generator(function) or not self._is_only(callee):
            return None
        spec, skip = function.args, int(callee.bound is not None)
        named = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        given = (arg for arg in named if argument_node(call, function, arg, skip=skip) is node)
        arg = next(given, None)
        if arg is None or function in self._entered:
            return None
        self._entered[function] = caller, call
        found = self._of_reads(module, function, arg.arg, arg, deep - 1)
        del self._entered[function]
        return placed(found, f"in {function.name}() ")

    def _is_only(self, callee: Function) -> bool:
        """Tell whether no other class may have another method in the place of a method."""
        is_method = isinstance(callee.module.parents.get(callee.node), ast.ClassDef)
        name = getattr(callee.node, "name", "")
        return not is_method or (
            isinstance(callee.bound, Instance) and is_defined_once(self._project, name)
        )

    # ---- results -----------------------------------------------------------------------------

    def _returned(self, module: Module, node: ast.Return, deep: int) -> Loss | None:
        """Return what the callers of an async function make of its result's result."""
        function = module.function(node)
        if function in self._entered:
            return self._handed_back(module, function, deep)
        if not isinstance(function, ast.AsyncFunctionDef):
            return None
        evaluator = self._extension.evaluator
        if function.decorator_list or evaluator.roles(module, function):
            return self._answered(module, function)
        if not isinstance(module.parents.get(function), ast.Module):
            return None
        sites = call_sites(evaluator, module, function)
        called = {call.func for _, call, _ in sites}
        if not sites or any(name not in called for name in self._mentions(function.name)):
            return None
        found: list[Loss | None] = []
        for caller, call, _ in sites:
            outer = caller.parents.get(call)
            if not isinstance(outer, ast.Await):
                return None
            found.append(self.fate(caller, outer, deep - 1))
        return placed(worst(found), f"where {function.name}() is called, ")

    def _answered(self, module: Module, function: FunctionNode | None) -> Loss | None:
        """Return what comes of what a handler returns: who calls it awaits it once."""
        if not isinstance(function, ast.AsyncFunctionDef):
            return None
        evaluator = self._extension.evaluator
        roles = evaluator.roles(module, function)
        if not roles or any(role.kind == "expose" for role in roles):
            return None
        if is_changed(evaluator, module, function) or call_sites(evaluator, module, function):
            return None
        likely = any(role.kind not in _WRAPPED for role in roles)
        return Loss(f"{roles[0].label} returns it, not the result", likely=likely)

    def _handed_back(self, module: Module, function: ast.AST, deep: int) -> Loss | None:
        """Return what the one call that gave a function a coroutine makes of getting it back.

        A call of a plain function that returns calls which make it is judged itself.
        """
        caller, call = self._entered[function]
        is_async = isinstance(function, ast.AsyncFunctionDef)
        result = caller.parents.get(call) if is_async else call
        if not isinstance(result, ast.Await | ast.Call):
            return None
        if all(isinstance(each, ast.Call) for each in module.returns(function)):
            made = self._extension.evaluator.values(caller, call)
            if not is_async and all(isinstance(item.value, Coroutine) for item in made):
                return None
        loss = self.fate(caller, result, deep - 1)
        return loss and msgspec.structs.replace(loss, back=loss.back + 1)

    def _mentions(self, name: str) -> Iterator[ast.AST]:
        """Yield the places that name a function, calls among them."""
        for module in self._project.naming(name):
            yield from module.names.get(name, ())
            yield from (node for node in module.nodes(ast.Attribute) if node.attr == name)
            yield from (node for node in module.nodes(ast.Constant) if node.value == name)


def _calls_one(module: Module, function: ast.AST, names: Iterable[str]) -> bool:
    """Tell whether a function calls one of some names."""
    return any(
        function in module.ancestors(call) for name in names for call in module.calls.get(name, ())
    )


def _is_part(display: ast.AST | None, node: ast.expr) -> TypeGuard[ast.expr]:
    """Tell whether a list, a dict or the like holds a value."""
    if isinstance(display, ast.Dict):
        return node in display.values and not is_spread(display, node)
    if isinstance(display, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return display.elt is node
    if isinstance(display, ast.DictComp):
        return display.value is node
    return isinstance(display, ast.List | ast.Tuple | ast.Set)


def _is_identity(compare: ast.Compare) -> bool:
    return all(isinstance(operator, ast.Is | ast.IsNot) for operator in compare.ops)


def _by_name(module: Module, call: ast.Call, name: str) -> Loss | None:
    """``getattr(page, "data", None)`` and ``hasattr(page, "data")``."""
    asked = call.args[1] if len(call.args) > 1 else None
    attribute = asked.value if isinstance(asked, ast.Constant) else None
    if not isinstance(attribute, str) or attribute in OF_COROUTINES:
        return None
    if attribute.startswith(("_", "cr_")) or call.keywords:
        return None
    if name == "hasattr":
        return Loss(f"{source_of(call)} is never true", asks=True)
    if len(call.args) > 2:
        return Loss(f"{source_of(call)} is always {source_of(call.args[2])}", asks=True)
    is_caught = caught(module, call, "TypeError", "AttributeError")
    return None if is_caught else Loss(f"{source_of(call)} raises AttributeError", raises=True)


def _to_library(module: Module, node: ast.expr, call: ast.Call, name: str) -> Loss | None:
    if not is_refused(call, node, name) or caught(module, call, "TypeError"):
        return None
    return Loss(f"{source_of(call.func)}() raises TypeError", raises=True)
