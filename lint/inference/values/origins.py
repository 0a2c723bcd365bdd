"""Where a value is written: the displays behind names, helpers and branches.

``Evaluator.values`` says what an expression is worth; this says which dict or list display it
comes from and which names held it on the way, so that ``name["key"] = …`` and ``name.append(…)``
between the display and its use are seen too.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..calls.asyncio_gather import assigned, waited_for
from ..calls.call_sites import entering_calls
from ..calls.handlers import KINDS
from ..calls.kept_decorators import registers
from ..evaluator import Evaluator
from ..flow.branches import live_returns, may_run
from ..flow.conditions import are_related
from ..syntax.arguments import callee_of, default_of, given_in, shows_all
from ..syntax.bindings import Binding
from ..syntax.memo import remembered, remembered_in_circles
from ..syntax.module import FUNCTIONS, FunctionNode, Module, last_name
from .constructor_calls import field_given
from .values import Class, Const, Display, Frame, Function, Instance, frame_of, only_value

_DEEPEST = 12
_MOST = 16
_CALLS = 4
_HARMLESS = KINDS | {"staticmethod", "classmethod", "cache", "lru_cache", "cached", "emits"}
"""Decorators that return what the function returns."""


class Holder(msgspec.Struct, frozen=True, eq=False):
    """A name that holds a value between a binding and a use.

    Attributes:
        binding: what gave the name the value.
        use: where the name is read.
    """

    module: Module
    scope: ast.AST
    binding: Binding
    use: ast.Name

    def mentions(self, evaluator: Evaluator) -> Iterator[ast.Name]:
        """Yield the reads of the name between the binding and the use."""
        end = (self.use.lineno, self.use.col_offset)
        for node in self.module.reads(self.scope, self.use.id):
            if (node.lineno, node.col_offset) < end:
                _, found = evaluator.project.lookup(self.module, node)
                if self.binding in found:
                    yield node

    def inside(self, evaluator: Evaluator) -> Iterator[ast.Name]:
        """Yield the uses of the name in nested functions, which may run at any time."""
        for node in _uses_inside(evaluator, self.module, self.scope, self.use.id):
            if node is not self.use:
                yield node


@remembered
def _uses_inside(evaluator: Evaluator, module: Module, scope: ast.AST, name: str) -> list[ast.Name]:
    return [
        node
        for node in module.names.get(name, ())
        if module.owner(node) is not scope and evaluator.project.lookup(module, node)[0] is scope
    ]


class Written(msgspec.Struct, frozen=True, eq=False):
    """The expression that creates a value, and the names that hold it.

    Attributes:
        frame: the call in which it is to be read.
        holders: the names that hold it on its path, outermost first.
    """

    module: Module
    node: ast.expr
    frame: Frame | None = None
    holders: tuple[Holder, ...] = ()

    def part(self, node: ast.expr) -> Written:
        """Return a part of the expression, in the same frame."""
        return Written(self.module, node, self.frame)

    def is_mentioned(self, evaluator: Evaluator) -> bool:
        """Tell whether the names that hold it are read before it is used."""
        return any(True for holder in self.holders for _ in holder.mentions(evaluator))


def written(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None = None
) -> list[Written]:
    """Return the expressions that create the values of an expression."""
    found: list[Written] = []
    for item in _follow(evaluator, Written(module, node, frame), 0):
        found.append(item)
        if len(found) >= _MOST:
            break
    return found


def _follow(evaluator: Evaluator, at: Written, depth: int) -> Iterator[Written]:
    evaluator.project.clock.tick()
    if depth > _DEEPEST:
        yield at
        return
    node = at.node
    parts = _parts(node)
    if parts:
        yield from _one_of(evaluator, at, parts, depth)
    elif isinstance(node, ast.Name):
        yield from _name(evaluator, at, node, depth)
    elif isinstance(node, ast.Call):
        yield from _call(evaluator, at, node, depth)
    elif isinstance(node, ast.Await) and isinstance(node.value, ast.Name):
        yield from _task(evaluator, at, node.value, depth)
    elif isinstance(node, ast.Attribute):
        yield from _attribute(evaluator, at, node, depth)
    else:
        yield at


def _one_of(
    evaluator: Evaluator, at: Written, parts: list[ast.expr], depth: int
) -> Iterator[Written]:
    for part in parts:
        if isinstance(at.node, ast.IfExp) and not may_run(evaluator, at.module, part, at.frame):
            continue
        goes_on = isinstance(at.node, ast.BoolOp) and part is not parts[-1]
        seen, kept = 0, 0
        for item in _follow(evaluator, _at(at, part), depth + 1):  # who asks may stop at any
            if not (goes_on and _is_empty(evaluator, item)):
                yield item
            seen, kept = seen + 1, kept + (goes_on and _is_true(evaluator, item))
        if 0 < seen == kept:
            return


def _is_true(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether a value certainly is true."""
    node = at.node
    if isinstance(node, ast.Constant):
        return bool(node.value)
    parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
    is_filled = any(part and not isinstance(part, ast.Starred) for part in parts)
    return is_filled and not at.is_mentioned(evaluator)


def _is_empty(evaluator: Evaluator, at: Written) -> bool:
    """Tell whether a value certainly is false, so that ``or`` takes its right side."""
    node = at.node
    if isinstance(node, ast.Constant):
        return not node.value
    bare = (isinstance(node, ast.Dict) and not node.keys) or (
        isinstance(node, (ast.List, ast.Tuple)) and not node.elts
    )
    return bare and not at.is_mentioned(evaluator)


def _parts(node: ast.expr) -> list[ast.expr]:
    """Return the expressions of which one is the value."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return node.values
    if isinstance(node, ast.NamedExpr):
        return [node.value]
    if isinstance(node, ast.Await) and isinstance(node.value, ast.Call):
        return [node.value]
    return []


def _at(at: Written, node: ast.expr) -> Written:
    return Written(at.module, node, at.frame, at.holders)


def _name(evaluator: Evaluator, at: Written, node: ast.Name, depth: int) -> Iterator[Written]:
    scope, found = evaluator.project.lookup(at.module, node)
    if are_related(at.module, node, found):
        yield at
        return
    values = [assigned(evaluator, at.module, binding) for binding in found]
    if not found or None in values:
        holders = (Holder(at.module, scope, binding, node) for binding in found)
        here = Written(at.module, node, at.frame, (*at.holders, *holders))
        given = _given(evaluator, here, scope, found)
        if given is None:
            yield from _elsewhere(evaluator, here)
        for item in given or ():
            yield from _follow(evaluator, item, depth + 1)
        return
    for binding, value in zip(found, values, strict=True):
        assert value is not None  # noqa: S101 - just looked
        holder = Holder(at.module, scope, binding, node)
        inner = Written(at.module, value, at.frame, (*at.holders, holder))
        yield from _follow(evaluator, inner, depth + 1)


def _given(
    evaluator: Evaluator, at: Written, scope: ast.AST, found: list[Binding]
) -> list[Written] | None:
    """Return the origins of the arguments for the parameter that a name is.

    None if it is no parameter, or a call does not show its argument. The names in the calls are
    holders too, so that changes before the call count.
    """
    arg = found[0].node if len(found) == 1 else None
    if not isinstance(arg, ast.arg) or not isinstance(scope, FUNCTIONS):
        return None
    own = frame_of(at.frame, scope)
    given: list[Written] = []
    for frame in [own] if own is not None else entering_calls(evaluator, at.module, scope):
        item = _given_in(evaluator, at, scope, arg, frame)
        if item is None:
            return None
        if may_run(evaluator, at.module, at.node, frame):
            given.append(item)
    return given or None


def _given_in(
    evaluator: Evaluator, at: Written, function: FunctionNode, arg: ast.arg, frame: Frame
) -> Written | None:
    """Return the origin of the argument or default of a parameter in one call."""
    if arg in {function.args.vararg, function.args.kwarg}:
        return None
    node = given_in(frame, arg)
    if node is not None:
        return Written(frame.module, node, frame.outer, at.holders)
    is_left = shows_all(frame.call) and is_left_alone(function)
    default = default_of(function, arg) if is_left else None
    if default is None or evaluator.roles(at.module, function):
        return None
    return Written(at.module, default, None, at.holders)


def _task(evaluator: Evaluator, at: Written, node: ast.Name, depth: int) -> Iterator[Written]:
    """``await task`` behind ``task = asyncio.create_task(find())``."""
    _, found = evaluator.project.lookup(at.module, node)
    calls = [assigned(evaluator, at.module, binding) for binding in found]
    if not calls or not all(isinstance(call, ast.Call) for call in calls):
        yield at
        return
    for call in calls:
        assert isinstance(call, ast.Call)  # noqa: S101 - just looked
        yield from _call(evaluator, _at(at, call), call, depth + 1)


def _attribute(
    evaluator: Evaluator, at: Written, node: ast.Attribute, depth: int
) -> Iterator[Written]:
    """Follow a field to the constructor argument, so that changes of that name count."""
    given = field_given(evaluator, at.module, node, at.frame)
    if given is None or not isinstance(given[1], ast.Name):
        yield from _elsewhere(evaluator, at)
        return
    module, value, frame = given
    yield from _follow(evaluator, Written(module, value, frame, at.holders), depth + 1)


def _elsewhere(evaluator: Evaluator, at: Written) -> Iterator[Written]:
    """Return the origins by the evaluator: imported constants, parameters, attributes."""
    for item in evaluator.values(at.module, at.node, at.frame):
        if isinstance(item.value, Display):
            yield Written(item.value.module, item.value.node, item.frame, at.holders)
        else:
            yield at


def _call(evaluator: Evaluator, at: Written, node: ast.Call, depth: int) -> Iterator[Written]:
    functions = called(evaluator, at.module, node, at.frame)
    too_deep = at.frame is not None and at.frame.depth >= _CALLS
    inner = None if functions else waited_for(evaluator, at.module, node, at.frame)
    if inner is not None:
        yield from _call(evaluator, _at(at, inner), inner, depth + 1)
        return
    if not functions or too_deep:
        yield at
        return
    for function, frame in functions:
        for value in live_returns(evaluator, function.module, function.node, frame):
            yield from _follow(
                evaluator, Written(function.module, value, frame, at.holders), depth + 1
            )


def called(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> list[tuple[Function, Frame]]:
    """Return the functions that a call may call; empty if it may call unknown ones too."""
    found: list[tuple[Function, Frame]] = []
    for item in evaluator.values(module, node.func, frame):
        if not isinstance(item.value, Function) or not _is_plain(evaluator, item.value):
            return []
        depth = frame.depth + 1 if frame else 1
        inner = Frame(item.value.node, module, node, frame, item.value.bound, depth)
        found.append((item.value, inner))
    return found


def _is_plain(evaluator: Evaluator, function: Function) -> bool:
    """Tell whether calling a function runs its body with the given arguments, unchanged."""
    return not is_changed(evaluator, function.module, function.node)


@remembered_in_circles(meanwhile=True)
def is_changed(evaluator: Evaluator, module: Module, function: FunctionNode) -> bool:
    """Tell whether a decorator may change what a function returns."""
    if isinstance(function, ast.Lambda):
        return True
    return not all(registers(evaluator, module, each) for each in _others(function))


def is_left_alone(function: FunctionNode) -> bool:
    """Tell whether a function has only decorators that are known to leave it unchanged."""
    return not isinstance(function, ast.Lambda) and not _others(function)


def _others(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """Return the decorators that are not known by name to keep the result."""
    return [it for it in function.decorator_list if last_name(callee_of(it)) not in _HARMLESS]


def instance_of(evaluator: Evaluator, at: Written, node: ast.expr) -> Class | None:
    """Return the class of the extension of which an expression certainly is an instance."""
    value = only_value(evaluator.values(at.module, node, at.frame))
    return value.cls if isinstance(value, Instance) else None


def constants(evaluator: Evaluator, at: Written, node: ast.expr) -> list[object]:
    """Return the constants that an expression may be; empty if one is unknown."""
    found: list[object] = []
    for item in evaluator.values(at.module, node, at.frame):
        if not isinstance(item.value, Const):
            return []
        found.append(item.value.value)
    return found
