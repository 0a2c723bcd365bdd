"""``value.name`` for each kind of value."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .annotations import annotated, named_type
from .module import Module
from .values import (
    UNKNOWN,
    Alternative,
    Class,
    Const,
    External,
    Function,
    Instance,
    Made,
    ModuleValue,
    Sdk,
    SdkClass,
    SdkField,
    SdkMethod,
    Value,
)

if TYPE_CHECKING:
    from .evaluate import Evaluator


def attribute(evaluator: Evaluator, base: Alternative, name: str) -> Iterator[Alternative]:
    """Yield the values of an attribute."""
    value = base.value
    if isinstance(value, Const) and value.value is None:
        return
    if isinstance(value, Instance):
        yield from _of_instance(evaluator, base, value, name)
    elif isinstance(value, ModuleValue):
        yield from _of_module(evaluator, value.module, name)
    elif isinstance(value, Class):
        found = _in_class(evaluator, value, name)
        yield from found or (Alternative(UNKNOWN),)
    else:
        yield Alternative(_simple(evaluator, value, name), base.via, base.origin, base.frame)


def _simple(evaluator: Evaluator, value: Value, name: str) -> Value:
    if isinstance(value, Sdk):
        return of_sdk(evaluator, value, name)
    if isinstance(value, SdkClass):
        member = evaluator.surface.member(value.cls, name)
        return SdkMethod(value, name) if member is not None and member.is_method else UNKNOWN
    if isinstance(value, External):
        return evaluator.external(f"{value.name}.{name}")
    if isinstance(value, Made):
        return External(f"{value.of}().{name}")
    return UNKNOWN


def of_sdk(evaluator: Evaluator, value: Sdk, name: str) -> Value:
    """Return the value of an attribute of an SDK object; unknown if it has none."""
    surface = evaluator.surface
    if value.cls == "Context" and surface.client(name):
        return Sdk(surface.client(name), value.kind, value.certain, value.scoped)
    member = surface.member(value.cls, name)
    if member is None:
        return UNKNOWN
    if member.is_method:
        return SdkMethod(value, name)
    found = named_type(evaluator, member.returns)
    return found if isinstance(found, Sdk) else SdkField(value, name)


def _of_module(evaluator: Evaluator, module: Module, name: str) -> Iterable[Alternative]:
    found = evaluator.global_name(module, name)
    if found:
        return found
    if module.source.path.name == "__init__.py":
        return (Alternative(evaluator.module_named(module, f".{name}")),)
    return (Alternative(UNKNOWN),)


def _of_instance(
    evaluator: Evaluator, base: Alternative, value: Instance, name: str
) -> Iterator[Alternative]:
    found = False
    for item in _assigned_to_self(evaluator, value.cls, name):
        found = True
        yield item
    for item in _in_class(evaluator, value.cls, name, of_instance=True):
        found = True
        if isinstance(item.value, Function):
            yield _bound(evaluator, base, value, item.value)
        else:
            yield item
    if not found:
        sdk = evaluator.sdk_base(value.cls)
        yield Alternative(of_sdk(evaluator, Sdk(sdk), name) if sdk else UNKNOWN)


def _bound(
    evaluator: Evaluator, base: Alternative, value: Instance, found: Function
) -> Alternative:
    decorators: list[ast.expr] = getattr(found.node, "decorator_list", [])
    if any(isinstance(item, ast.Name) and item.id == "property" for item in decorators):
        returns = getattr(found.node, "returns", None)
        return Alternative(annotated(evaluator, found.module, returns))
    return Alternative(Function(found.module, found.node, value), base.via, frame=base.frame)


def class_chain(evaluator: Evaluator, cls: Class) -> Iterator[Class]:
    """Yield a class and those of the tree that it extends."""
    yield cls
    for base in evaluator.bases(cls):
        if isinstance(base, Class):
            yield base


def _in_class(
    evaluator: Evaluator, cls: Class, name: str, *, of_instance: bool = False
) -> tuple[Alternative, ...]:
    for owner in class_chain(evaluator, cls):
        found = evaluator.project.table(owner.node).get(name, [])
        declared = [item.node for item in found if isinstance(item.node, ast.AnnAssign)]
        if declared and of_instance:
            return (Alternative(annotated(evaluator, owner.module, declared[0].annotation)),)
        if found:
            return tuple(
                item
                for binding in found
                for item in evaluator.binding(owner.module, owner.node, binding, None)
            )
        for statement in owner.node.body:
            if (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and statement.target.id == name
            ):
                return (Alternative(annotated(evaluator, owner.module, statement.annotation)),)
    return ()


def _assigned_to_self(evaluator: Evaluator, cls: Class, name: str) -> Iterator[Alternative]:
    """Yield the values of ``self.name = …`` in the methods of a class and its bases."""
    for owner in class_chain(evaluator, cls):
        for value in owner.module.assigned_to_self(owner.node, name):
            yield from evaluator.values(owner.module, value)
