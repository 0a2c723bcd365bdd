"""Places in a wrapper at which what is decorated decides whether they are ever reached."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.arguments import argument_at, place_of
from ..model.bindings import Binding, parameters
from ..model.conditions import conditions
from ..model.module import COMPREHENSIONS, FUNCTIONS, FunctionNode, Module
from ..model.values import Alternative, Const, Decorated, Frame, Step
from ..view import FileView, kind_of
from .reach import function_around

_DEEPEST = 4
_MAY_READ = frozenset({"skeleton", "alert"})
_Test = tuple[ast.expr, bool | None]
"""What is asked on the way to a place, and the answer that leads there, if one is needed."""


def is_left_open(
    view: FileView, node: ast.AST, item: Alternative, *, for_all: bool = False
) -> bool:
    """Tell whether a wrapper on the way of a value may leave a place out for what it wraps.

    ``if section:`` in a wrapper of ``@cached(section="")`` is decided by the decorator, and
    ``if fn.__name__ in SLOW`` by the function. Where handlers share a wrapper of which one may do
    what another one may not, any condition may tell them apart.

    Args:
        view: the file.
        node: the place in it.
        item: the value.
        for_all: whether a condition has to hold for all that is decorated, and not only for what
            the value comes through.
    """
    first = next((at for at, step in enumerate(item.via) if isinstance(step, Decorated)), None)
    if first is None:
        return False
    callees = view.values(node.func) if isinstance(node, ast.Call) else ()
    kinds = {kind_of(other.value) for other in callees}
    is_shared = bool(kinds & _MAY_READ)
    asked = _Asked(view, is_shared=is_shared, for_all=for_all)
    places = [*((step.module, step.node) for step in item.via), (view.module, node)]
    for at in range(first, len(item.via)):
        step, place = item.via[at], places[at + 1]
        if isinstance(step, Decorated):
            asked.step = step
            if asked.is_open(*place):
                return True
        elif asked.is_open_in_helper(step, *place):
            return True
    return False


class _Asked:
    """What the code asks on the way from a wrapper to a place.

    Attributes:
        step: at which the wrapper takes the place of what is decorated.
    """

    step: Decorated

    def __init__(self, view: FileView, *, is_shared: bool, for_all: bool) -> None:
        self._view = view
        self._is_shared = is_shared
        self._for_all = for_all
        self._seen: set[ast.AST] = set()

    def is_open(self, module: Module, place: ast.AST) -> bool:
        """Tell whether a place in the wrapper, or in a function in it, may be left out."""
        for test, truth in _tests(module, place):
            is_decided = self._is_shared or self._asks_outside(module, test)
            if is_decided and not self._holds(module, test, truth):
                return True
        function = function_around(module, place)
        if function is None or function in self._seen or not self._is_inside(module, function):
            return False
        self._seen.add(function)
        return all(self.is_open(module, each) for each in _uses(module, function))

    def is_open_in_helper(self, step: Step, module: Module, place: ast.AST) -> bool:
        """Tell whether a call gives a helper what decides, there, whether a place is reached."""
        function = function_around(module, place)
        if function is None or not isinstance(step.node, ast.Call):
            return False
        names = {
            part.id
            for test, _ in _tests(module, place)
            for part in ast.walk(test)
            if isinstance(part, ast.Name)
        }
        taken = parameters(function)
        given = (
            argument_at(step.node, arg.arg, at - skip)
            for skip in (0, 1)
            for at, arg in enumerate(taken)
            if arg.arg in names
        )
        return any(each is not None and self._asks_outside(step.module, each) for each in given)

    def _is_wrapper(self, module: Module, function: ast.AST) -> bool:
        name = self._view.evaluator.project_name(module, function)
        return name == self.step.callee and not isinstance(function, ast.Lambda)

    def _is_inside(self, module: Module, function: FunctionNode) -> bool:
        """Tell whether a function stands in the wrapper, and not what makes the wrapper."""
        return any(self._is_wrapper(module, up) for up in module.functions_around(function))

    def _asks_outside(self, module: Module, test: ast.expr) -> bool:
        """Tell whether a test asks only what was known when the wrapper was made."""
        names = [part for part in ast.walk(test) if isinstance(part, ast.Name)]
        kinds = {self._kind(module, name, _DEEPEST) for name in names}
        return "made" in kinds and "given" not in kinds

    def _kind(self, module: Module, name: ast.Name, depth: int) -> str:
        """Return ``made`` for what a maker of the wrapper holds, ``given`` for what a call gives.

        Empty for what stands in the file, or is built in.
        """
        scope, found = self._view.evaluator.project.lookup(module, name)
        if not isinstance(scope, FUNCTIONS):
            return ""
        if not any(self._is_wrapper(module, each) for each in _around(module, scope)):
            return "made"
        kinds: set[str] = set()
        for binding in found:
            if _is_object(module, scope, binding):
                kinds.add("made")
            elif binding.kind not in {"assign", "for"} or binding.value is None or not depth:
                return "given"
            else:
                parts = (each for each in ast.walk(binding.value) if isinstance(each, ast.Name))
                kinds |= {self._kind(module, each, depth - 1) for each in parts}
        return "given" if "given" in kinds else "made" if "made" in kinds else ""

    def _holds(self, module: Module, test: ast.expr, truth: bool | None) -> bool:
        """Tell whether what decorators are given makes a test come out as it must."""
        names = [part for part in ast.walk(test) if isinstance(part, ast.Name)]
        if truth is None or len(names) != 1:
            return False
        evaluator = self._view.evaluator
        scope, _ = evaluator.project.lookup(module, names[0])
        if not isinstance(scope, FUNCTIONS) or self._is_wrapper(module, scope):
            return False
        frame = None
        if not self._for_all:
            call = self.step.module.parents.get(self.step.node)
            if not isinstance(call, ast.Call) or call.func is not self.step.node:
                return False
            frame = evaluator.frame(Frame(scope, self.step.module, call, None))
        worth = [item.value for item in evaluator.values(module, names[0], frame)]
        return bool(worth) and all(
            isinstance(value, Const) and _outcome(test, value.value) is truth for value in worth
        )


def _tests(module: Module, place: ast.AST) -> Iterator[_Test]:
    """Yield what is asked in the function of a place before it is reached, loops included."""
    yield from conditions(module, place, rebound=False)
    child = place
    for parent in module.ancestors(place):
        if isinstance(parent, FUNCTIONS):
            return
        if isinstance(parent, ast.For | ast.AsyncFor) and child is not parent.iter:
            yield parent.iter, None
        elif isinstance(parent, ast.Match) and child is not parent.subject:
            yield parent.subject, None
        elif isinstance(parent, COMPREHENSIONS) and not isinstance(child, ast.comprehension):
            yield from ((each.iter, None) for each in parent.generators)
        child = parent


def _uses(module: Module, function: FunctionNode) -> list[ast.AST]:
    """Return the places at which a function inside another one is called or handed on."""
    if isinstance(function, ast.Lambda):
        return [function]
    around = module.function(function)
    if around is None:
        return []
    found = module.names.get(function.name, ())
    return [name for name in found if around in module.ancestors(name)]


def _around(module: Module, scope: ast.AST) -> Iterator[ast.AST]:
    yield scope
    yield from module.functions_around(scope)


def _is_object(module: Module, scope: FunctionNode, binding: Binding) -> bool:
    """Tell whether a name is the object whose ``__call__`` takes the place of a function."""
    in_class = isinstance(module.parents.get(scope), ast.ClassDef)
    return in_class and isinstance(binding.node, ast.arg) and place_of(scope, binding.node) == 0


def _outcome(test: ast.expr, value: object) -> bool | None:
    """Return what a test of one name is worth; None if that is not computed."""
    if isinstance(test, ast.Name):
        return bool(value)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    other = test.comparators[0]
    if not isinstance(test.left, ast.Name) or not isinstance(other, ast.Constant):
        return None
    if isinstance(test.ops[0], ast.Eq | ast.Is):
        return value == other.value
    return value != other.value if isinstance(test.ops[0], ast.NotEq | ast.IsNot) else None
