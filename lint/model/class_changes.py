"""Classes that are not what they say: by decorators, by ``__new__``, by metaclasses."""

from __future__ import annotations

import ast

from .arguments import callee_of
from .attributes import class_chain
from .evaluator import Evaluator
from .module import FUNCTIONS, Module, last_name
from .remembered import remembered_in_circles
from .values import Class, External, Function, Instance, Made, Sdk, SdkMethod


def is_kept(evaluator: Evaluator, module: Module, cls: ast.ClassDef) -> bool:
    """Tell whether the decorators of a class give back the class; one of the tree may not."""
    return all(
        isinstance(item.value, External | Made | SdkMethod)
        for decorator in cls.decorator_list
        for item in evaluator.values(module, callee_of(decorator))
        if last_name(callee_of(decorator)) != "cache_model"
    )


@remembered_in_circles(meanwhile=True)
def makes_itself(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether calling a class makes one of its objects with what the call gives."""
    chain = list(class_chain(evaluator, cls))
    return not any(_makes_other(evaluator, each, chain) for each in chain)


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
