"""Fields that a class gets by its constructor without writing one: dataclasses and models."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from .arguments import argument_at, callee_of
from .evaluator import Evaluator
from .module import Module, last_name
from .values import Alternative, Class, External, Step

_MADE = frozenset({"typing.NamedTuple", "pydantic.BaseModel", "pydantic.main.BaseModel"})
_SITES = 100


def given(evaluator: Evaluator, chain: list[Class], name: str) -> Iterator[Alternative]:
    """Yield what the calls ``Cls(…)`` in the tree give to a field, each with the call as its way.

    Args:
        evaluator: of the extension.
        chain: the class and those of the tree that it extends.
        name: of the field.
    """
    if not _has_made_constructor(evaluator, chain):
        return
    cls = chain[0]
    declared = {
        item.target.id: (owner, item)
        for owner in reversed(chain)
        for item in owner.node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    }
    for module, call in _sites(evaluator, cls):
        step = Step(module, call, cls.node.name)
        names = list(declared)
        argument = argument_at(call, name, names.index(name) if name in declared else -1)
        if argument is not None:
            for item in evaluator.values(module, argument):
                yield Alternative(item.value, (*item.via, step), item.origin, item.frame)
        elif name in declared:
            owner, field = declared[name]
            default = _default(field)
            for item in evaluator.values(owner.module, default) if default is not None else ():
                yield Alternative(item.value, (step,))


def writes_constructor(chain: Iterable[Class]) -> bool:
    """Tell whether a class, or one of the tree that it extends, writes a constructor itself."""
    return any(
        isinstance(item, ast.FunctionDef) and item.name in {"__init__", "__new__"}
        for owner in chain
        for item in owner.node.body
    )


def _has_made_constructor(evaluator: Evaluator, chain: list[Class]) -> bool:
    if writes_constructor(chain):
        return False
    return any(
        last_name(callee_of(item)) == "dataclass" for item in chain[0].node.decorator_list
    ) or any(
        isinstance(base, External) and base.name in _MADE for base in evaluator.bases(chain[0])
    )


def _sites(evaluator: Evaluator, cls: Class) -> Iterator[tuple[Module, ast.Call]]:
    count = 0
    for module in evaluator.project.naming(cls.node.name):
        for call in evaluator.project.calls_by_name(module, cls.node.name):
            found = evaluator.values(module, call.func)
            is_its = any(
                isinstance(item.value, Class) and item.value.node is cls.node for item in found
            )
            if is_its and count < _SITES:
                count += 1
                yield module, call


def _default(field: ast.AnnAssign) -> ast.expr | None:
    """Return a default that is written as such; ``field(default_factory=…)`` is not followed."""
    if not isinstance(field.value, ast.Call):
        return field.value
    return next((item.value for item in field.value.keywords if item.arg == "default"), None)
