"""Where the tree itself decides what a model's dump holds: dumps of its own, fields set anew."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..model.arguments import callee_of
from ..model.attributes import class_chain
from ..model.evaluator import Evaluator
from ..model.fields import changes_any, is_remade, sets_by_name, writes_constructor
from ..model.foreign_stores import owners
from ..model.module import last_name
from ..model.remembered import remembered
from ..model.values import Class, External

_BASES = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel"})
_OF_SDK = "imperal_sdk.sdl."
_BESIDE = frozenset({"typing.Generic", "abc.ABC", "object"})
_OVERALL = frozenset({
    "model_serializer", "__get_pydantic_core_schema__", "model_dump", "dict", "__setattr__",
})  # fmt: skip


# ---- how a class is dumped -------------------------------------------------------------------


@remembered
def dumps_plainly(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a model that dumps its fields as pydantic does."""
    outer = [base for base in evaluator.bases(cls) if not isinstance(base, Class)]
    names = [base.name if isinstance(base, External) else "" for base in outer]
    models = [name for name in names if name in _BASES or name.startswith(_OF_SDK)]
    chain = list(class_chain(evaluator, cls))
    return (
        bool(models)
        and _BESIDE.issuperset(name for name in names if name not in models)
        and not writes_constructor(chain)
        and not any(map(_is_own, chain))
    )


def _is_own(owner: Class) -> bool:
    """Tell whether a class says itself how it is dumped."""
    if owner.node.keywords or any(_called(it) != "cache_model" for it in owner.node.decorator_list):
        return True
    return any(
        item.name in _OVERALL
        or any(_called(each) in _OVERALL or changes_any(each) for each in item.decorator_list)
        or sets_by_name(item, by_vars=False)
        for item in _methods(owner)
    )


def _methods(owner: Class) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for item in owner.node.body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            yield item


def _called(decorator: ast.expr) -> str:
    return last_name(callee_of(decorator))


def is_extended(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether an object of a class may be one of another class, which dumps it otherwise."""
    name = cls.node.name
    return any(
        last_name(base) == name
        for module in evaluator.project.naming(name)
        for node in module.nodes(ast.ClassDef)
        for base in node.bases
    )


# ---- what replaces the value of a field ------------------------------------------------------


@remembered
def is_field_replaced(evaluator: Evaluator, cls: Class, name: str) -> bool:
    """Tell whether code of the tree may put another value into a field, or into its dump."""
    chain = list(class_chain(evaluator, cls))
    return (
        is_remade(evaluator, chain, name)
        or any(owner.module.assigned_to_self(owner.node, name) for owner in chain)
        or bool(owners(evaluator, name))  # whatever else they are
    )
