"""What an import binds: a module of the tree, a name of one, or a name from outside."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ..evaluator import Evaluator
from ..values.values import UNKNOWN, External, ModuleValue, Value
from .bindings import Binding
from .module import Module
from .names import imported_path


def imported(evaluator: Evaluator, module: Module, binding: Binding) -> Iterable[Value]:
    """Return what an import binds."""
    alias, statement = binding.node, binding.value
    assert isinstance(alias, ast.alias)  # noqa: S101 - bindings.py made it so
    if isinstance(statement, ast.ImportFrom):
        return _member_of(evaluator, module, imported_path(statement), alias.name)
    dotted = alias.name if alias.asname else alias.name.split(".")[0]
    return (evaluator.module_named(module, dotted),)


def _member_of(evaluator: Evaluator, importer: Module, base: str, name: str) -> Iterable[Value]:
    """Return what ``from base import name`` binds."""
    owner = evaluator.module_named(importer, base)
    if isinstance(owner, ModuleValue):
        found = tuple(item.value for item in evaluator.global_name(owner.module, name))
        if found:
            return found
        sep = "" if base.endswith(".") else "."
        inner = evaluator.module_named(importer, f"{base}{sep}{name}")
        return (inner if isinstance(inner, ModuleValue) else UNKNOWN,)
    if isinstance(owner, External):
        return (evaluator.external(f"{owner.name}.{name}"),)
    return (UNKNOWN,)
