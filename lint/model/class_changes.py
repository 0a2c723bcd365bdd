"""Classes that are not what they say: by decorators, by ``__new__``, by metaclasses."""

from __future__ import annotations

import ast

from .arguments import callee_of
from .attributes import class_chain
from .bindings import parameters
from .evaluator import Evaluator
from .module import FUNCTIONS, Module, last_name
from .remembered import remembered_in_circles
from .values import Class, External, Function, Instance, Made, Sdk, SdkMethod, Value
from .wrappers.decorators import gives_back, results_of


def is_kept(evaluator: Evaluator, module: Module, cls: ast.ClassDef) -> bool:
    """Tell whether the decorators of a class give back the class with the methods that it has."""
    return all(
        _keeps(evaluator, item.value, cls, is_made=isinstance(decorator, ast.Call))
        for decorator in cls.decorator_list
        for item in evaluator.values(module, callee_of(decorator))
        if last_name(callee_of(decorator)) != "cache_model"
    )


@remembered_in_circles(meanwhile=True)
def makes_itself(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether calling a class makes one of its objects with what the call gives."""
    chain = list(class_chain(evaluator, cls))
    return not any(_makes_other(evaluator, each, chain) for each in chain)


def _keeps(evaluator: Evaluator, value: Value, cls: ast.ClassDef, *, is_made: bool) -> bool:
    if not isinstance(value, Function):
        return isinstance(value, External | Made | SdkMethod)
    if is_made:
        made = results_of(value)
        makers = [it.value for each in made for it in evaluator.values(value.module, each)]
        return bool(makers) and all(
            isinstance(maker, Function) and _keeps(evaluator, maker, cls, is_made=False)
            for maker in makers
        )
    skip = int(value.bound is not None)
    own = [arg.arg for arg in parameters(value.node)[skip : skip + 1]]
    names = {getattr(item, "name", "") for item in cls.body}
    changes = any(_changes(part, own, names) for part in ast.walk(value.node))
    return gives_back(value, own) and not changes


def _changes(part: ast.AST, own: list[str], names: set[str]) -> bool:
    """Tell whether a decorator of a class gives it another method: ``cls.go = …``."""
    if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store):
        return getattr(part.value, "id", None) in own and part.attr in names
    is_set = isinstance(part, ast.Call) and getattr(part.func, "id", "") == "setattr"
    if not isinstance(part, ast.Call) or not is_set or len(part.args) != 3:
        return False
    name = part.args[1]
    return not isinstance(name, ast.Constant) or name.value in names


def _makes_other(evaluator: Evaluator, cls: Class, chain: list[Class]) -> bool:
    for item in cls.node.keywords:
        for made in evaluator.values(cls.module, item.value) if item.arg == "metaclass" else ():
            owners = class_chain(evaluator, made.value) if isinstance(made.value, Class) else ()
            if any(_has(owner.node, "__call__") for owner in owners):
                return True
    found = [
        made.value
        for method in cls.node.body
        if isinstance(method, FUNCTIONS) and getattr(method, "name", "") == "__new__"
        for result in cls.module.returns(method)
        for made in evaluator.values(cls.module, result)
    ]
    return any(
        value.cls not in chain if isinstance(value, Instance) else isinstance(value, Sdk | Function)
        for value in found
    )


def _has(cls: ast.ClassDef, name: str) -> bool:
    return any(getattr(item, "name", "") == name for item in cls.body)
