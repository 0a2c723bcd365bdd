"""Values that a condition in the code rules out where a name is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .bindings import leaves
from .module import COMPREHENSIONS, FUNCTIONS, Module, block_of
from .values import Class, Const, Display, External, Instance, Made, Sdk, SdkClass, Value

if TYPE_CHECKING:
    from .evaluate import Evaluator

Condition = tuple[ast.expr, bool]
"""A test and whether it is true."""


def conditions(module: Module, node: ast.AST) -> Iterator[Condition]:
    """Yield the tests whose outcome is known where a node is evaluated, in its own function."""
    child = node
    for parent in module.ancestors(node):
        yield from _of_parent(parent, child)
        if isinstance(parent, FUNCTIONS):
            return
        child = parent


def _of_parent(parent: ast.AST, child: ast.AST) -> Iterator[Condition]:
    if isinstance(parent, ast.If | ast.IfExp | ast.While):
        yield from _of_branch(parent, child)
    elif isinstance(parent, ast.BoolOp):
        for value in parent.values[: _index(parent.values, child)]:
            yield from _split(value, truth=isinstance(parent.op, ast.And))
    elif isinstance(parent, COMPREHENSIONS) and not isinstance(child, ast.comprehension):
        for test in (test for generator in parent.generators for test in generator.ifs):
            yield from _split(test, truth=True)
    if isinstance(child, ast.stmt):
        yield from _exits_before(parent, child)


def _of_branch(parent: ast.If | ast.IfExp | ast.While, child: ast.AST) -> Iterator[Condition]:
    """A test holds in its body; what comes after a loop may come by ``break``."""
    if child is parent.test:
        return
    body = parent.body if isinstance(parent.body, list) else [parent.body]
    if child in body or not isinstance(parent, ast.While):
        yield from _split(parent.test, truth=child in body)


def _index(nodes: list[ast.expr], child: ast.AST) -> int:
    return next(index for index, node in enumerate(nodes) if node is child)


def _exits_before(parent: ast.AST, child: ast.stmt) -> Iterator[Condition]:
    """After ``if test: return`` the test is false."""
    for before in block_of(parent, child):
        if before is child:
            return
        if isinstance(before, ast.If) and not before.orelse and _settles(before):
            yield from _split(before.test, truth=False)
        elif isinstance(before, ast.Assert):
            yield from _split(before.test, truth=True)


def _settles(node: ast.If) -> bool:
    """Tell whether a test is false after its statement: ``if x is None: return`` or ``x = y``."""
    if leaves(node.body[-1]):
        return True
    test = node.test
    subject = test.left if isinstance(test, ast.Compare) else test
    if isinstance(subject, ast.UnaryOp):
        subject = subject.operand
    return isinstance(subject, ast.Name) and any(
        isinstance(target, ast.Name) and target.id == subject.id
        for statement in node.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
    )


def _split(test: ast.expr, *, truth: bool) -> Iterator[Condition]:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _split(test.operand, truth=not truth)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == truth:
        for value in test.values:
            yield from _split(value, truth=truth)
    else:
        yield test, truth


def possible(
    evaluator: Evaluator, module: Module, name: ast.Name, values: list[Value]
) -> list[bool]:
    """Tell for each value whether the conditions around a name leave it possible."""
    if name.id not in module.tested_names:
        return [True] * len(values)
    tests = [(test, truth) for test, truth in conditions(module, name) if _speaks_of(test, name.id)]
    return [
        all(_allows(evaluator, module, test, value, truth=truth) for test, truth in tests)
        for value in values
    ]


def _speaks_of(test: ast.expr, name: str) -> bool:
    subject: ast.AST = test
    if isinstance(test, ast.Call) and test.args:
        subject = test.args[0]
    elif isinstance(test, ast.Compare):
        subject = test.left
    return isinstance(subject, ast.Name) and subject.id == name


def _allows(
    evaluator: Evaluator, module: Module, test: ast.expr, value: Value, *, truth: bool
) -> bool:
    if isinstance(test, ast.Name):
        return _truthy(value) in {None, truth}
    if isinstance(test, ast.Compare):
        return _compared(test, value, truth=truth)
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and len(test.args) == 2:
        if test.func.id == "isinstance":
            return _is_instance(evaluator, module, test.args[1], value) in {None, truth}
        if test.func.id == "hasattr":
            return truth or not _has(evaluator, test.args[1], value)
    return True


def _truthy(value: Value) -> bool | None:
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Sdk):
        return None if value.cls in {"Page", "Document"} else True
    return True if isinstance(value, Class | SdkClass) else None


def _compared(test: ast.Compare, value: Value, *, truth: bool) -> bool:
    """``x is None`` and ``x is not None``."""
    right = test.comparators[0]
    if not (isinstance(right, ast.Constant) and right.value is None):
        return True
    if not isinstance(test.ops[0], ast.Is | ast.IsNot | ast.Eq | ast.NotEq):
        return True
    asks_none = isinstance(test.ops[0], ast.Is | ast.Eq)
    if type(value) is Value or isinstance(value, Made | Display):
        return True
    is_none = isinstance(value, Const) and value.value is None
    return (is_none == asks_none) == truth


_BUILTIN = {"dict": dict, "list": list, "str": str, "int": int, "float": float, "bool": bool,
            "tuple": tuple, "set": set, "bytes": bytes}  # fmt: skip


def _is_instance(
    evaluator: Evaluator, module: Module, types: ast.expr, value: Value
) -> bool | None:
    """Tell whether a value is of one of the types; None if that is not known."""
    parts = types.elts if isinstance(types, ast.Tuple) else [types]
    answers = [_is_of(evaluator, module, part, value) for part in parts]
    if any(answer is None for answer in answers):
        return None
    return any(answers)


def _is_of(evaluator: Evaluator, module: Module, part: ast.expr, value: Value) -> bool | None:
    found = evaluator.values(module, part)
    wanted = found[0].value if len(found) == 1 else None
    if isinstance(value, Sdk):
        if isinstance(wanted, SdkClass):
            return wanted.cls == value.cls
        return False if isinstance(wanted, External | Class) else None
    builtin = _BUILTIN.get(wanted.name) if isinstance(wanted, External) else None
    if isinstance(value, Const):
        return isinstance(value.value, builtin) if builtin else False
    if isinstance(value, Display):
        return _display_is(value.node, builtin)
    return False if isinstance(value, Instance) and builtin else None


def _display_is(node: ast.expr, builtin: type | None) -> bool | None:
    kinds: dict[type[ast.expr], type] = {
        ast.Dict: dict, ast.DictComp: dict, ast.List: list, ast.ListComp: list, ast.Set: set,
        ast.SetComp: set, ast.Tuple: tuple, ast.JoinedStr: str,
    }  # fmt: skip
    own = kinds.get(type(node))
    return None if own is None else own is builtin


def _has(evaluator: Evaluator, attribute: ast.expr, value: Value) -> bool:
    return (
        isinstance(value, Sdk)
        and isinstance(attribute, ast.Constant)
        and evaluator.surface.member(value.cls, str(attribute.value)) is not None
    )
