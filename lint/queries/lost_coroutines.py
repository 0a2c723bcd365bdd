"""Coroutines that nobody can await: none of their reads lets them out of sight.

A read that gives a coroutine to ``await``, to a container or to code that is not known lets it
out, and nothing is said of it. All others end in an error, in a question with a wrong answer, or
in a function of the extension whose own reads of the parameter are of these kinds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import msgspec

from ..model.arguments import argument_node
from ..model.bindings import Binding
from ..model.call_sites import call_sites
from ..model.module import FunctionNode, Module
from ..model.narrowing import possible
from ..model.values import UNKNOWN, Coroutine, External, Function, SdkClass
from ..view import FileView, ProjectView
from .guards import caught
from .sdk_objects import source_of
from .uses import (
    ASKING,
    COUNTING,
    HARMLESS,
    OF_COROUTINES,
    Place,
    Use,
    binder,
    harms,
    is_refused,
    is_tested,
    reads_in,
    use_of_object,
)

_EFFECTS = {
    Use.ITEM: "[ ] raises TypeError",
    Use.LOOP: "the loop raises TypeError",
    Use.OPERATION: "the operation raises TypeError",
    Use.TEST: "a coroutine is always true",
    Use.EQUALITY: "the comparison is with the coroutine",
    Use.ORDER: "the comparison raises TypeError",
    Use.TEXT: 'the text shows "<coroutine …>"',
    Use.UNPACKING: "unpacking raises TypeError",
    Use.ENTERED: "with raises an error",
}
"""How a coroutine is taken → what comes of it."""
_DATA = frozenset({"bool", "bytes", "dict", "float", "int", "list", "set", "str", "tuple"})
_KNOWING = ASKING | {"eval", "exec", "locals", "vars"}
"""Functions that ask whether a value can be awaited, or reach each name."""
_HELD = Coroutine(UNKNOWN)
_DEEP = 4
_MOST_READS = 1000


class Loss(msgspec.Struct, frozen=True):
    """What comes of a coroutine that nobody can await.

    Attributes:
        text: the effect that is worst.
        raises: whether it is an exception.
        asks: whether the code asks what it has, so that it may know several kinds of values.
        back: how many functions handed the coroutine back before.
    """

    text: str
    raises: bool = False
    asks: bool = False
    back: int = 0


def effect_of(module: Module, place: Place) -> str:
    """Return what comes of a coroutine that is used so, in words."""
    parent = module.parents.get(place.node)
    if place.use is Use.ATTRIBUTE and isinstance(parent, ast.Attribute):
        owner = place.node.id if isinstance(place.node, ast.Name) else ""
        return f"{owner}.{parent.attr} raises AttributeError"
    if place.use is Use.COUNTED and isinstance(parent, ast.Call):
        return f"{source_of(parent.func)}() raises TypeError"
    return _EFFECTS[place.use]


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
        if isinstance(parent, ast.List | ast.Tuple):
            return self._listed(module, parent)
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
            return _worst([named, self.fate(module, parent, deep)])
        if isinstance(parent, ast.IfExp):
            tested = parent.test is node
            return self._used(module, node) if tested else self.fate(module, parent, deep)
        tested = Loss(_EFFECTS[Use.TEST]) if is_tested(module, node) else Loss("")
        if isinstance(parent.op, ast.And) and parent.values[-1] is not node:
            return tested
        return _worst([tested, self.fate(module, parent, deep)])

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
        return _worst(self._read(module, read, binding, deep) for read in reads)

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

    def _listed(self, module: Module, display: ast.List | ast.Tuple) -> Loss | None:
        """``all([key, user])`` asks for the truth of each."""
        parent = module.parents.get(display)
        if not isinstance(parent, ast.Call) or parent.args != [display] or parent.keywords:
            return None
        func = parent.func
        if not isinstance(func, ast.Name) or func.id not in {"all", "any"}:
            return None
        return None if self._bound(module, func) else Loss(_EFFECTS[Use.TEST])

    # ---- arguments ---------------------------------------------------------------------------

    def _given(
        self, module: Module, node: ast.expr, parent: ast.Call | ast.keyword, deep: int
    ) -> Loss | None:
        call = module.parents.get(parent) if isinstance(parent, ast.keyword) else parent
        if not isinstance(call, ast.Call) or call.func is node:
            return None
        func = call.func
        if isinstance(func, ast.Name) and not self._bound(module, func):
            return self._to_builtin(module, node, call, func.id, deep)
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
        return self._used(module, node) if name in COUNTING | {"bool", "str", "repr"} else None

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
        if isinstance(function, ast.Lambda) or function.decorator_list or callee.bound:
            return None
        if isinstance(module.parents.get(function), ast.ClassDef) or module.is_generator(function):
            return None
        spec = function.args
        named = (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)
        given = (arg for arg in named if argument_node(call, function, arg, skip=0) is node)
        arg = next(given, None)
        if arg is None or function in self._entered:
            return None
        self._entered[function] = caller, call
        found = self._of_reads(module, function, arg.arg, arg, deep - 1)
        del self._entered[function]
        return _placed(found, f"in {function.name}() ")

    # ---- results -----------------------------------------------------------------------------

    def _returned(self, module: Module, node: ast.Return, deep: int) -> Loss | None:
        """Return what the callers of an async function make of its result's result."""
        function = module.function(node)
        if function in self._entered:
            return self._handed_back(module, function, deep)
        if not isinstance(function, ast.AsyncFunctionDef) or function.decorator_list:
            return None
        evaluator = self._extension.evaluator
        is_inner = not isinstance(module.parents.get(function), ast.Module)
        if is_inner or evaluator.roles(module, function):
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
        return _placed(_worst(found), f"where {function.name}() is called, ")

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


def _worst(found: Iterable[Loss | None]) -> Loss | None:
    """Return the worst of several ends; None if one of them lets the coroutine out."""
    worst, asks = Loss(""), False
    for each in found:
        if each is None:
            return None
        asks = asks or each.asks
        if _rank(each) > _rank(worst):
            worst = each
    return msgspec.structs.replace(worst, asks=asks)


def _placed(loss: Loss | None, where: str) -> Loss | None:
    """Return a loss to which another function leads; None where nothing is known to come of it."""
    if loss is None or not loss.text:
        return None
    if loss.back:
        return msgspec.structs.replace(loss, back=loss.back - 1)
    return msgspec.structs.replace(loss, text=where + loss.text)


def _rank(loss: Loss) -> tuple[bool, bool, bool]:
    """What only a guard lets through comes after the guard, which a coroutine never passes."""
    return loss.asks and bool(loss.text), loss.raises, bool(loss.text)


def _calls_one(module: Module, function: ast.AST, names: Iterable[str]) -> bool:
    """Tell whether a function calls one of some names."""
    return any(
        function in module.ancestors(call) for name in names for call in module.calls.get(name, ())
    )


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
