"""The constructor argument of an object's field, in one run."""

from __future__ import annotations

import ast

from ..evaluator import Evaluator
from ..syntax.module import Module
from .attributes import class_chain
from .classes import is_set_outside
from .fields import argument_of_field, assigned_in, constructor, maker
from .values import Class, Frame, Instance, only_value

Place = tuple[Module, ast.expr, Frame | None]
"""An expression and the call in which it is to be read."""


def field_given(
    evaluator: Evaluator, module: Module, node: ast.Attribute, frame: Frame | None
) -> Place | None:
    """Return the constructor argument that a field was set to.

    None if the constructor call is unknown, or the class assigns the field more than once.
    """
    made = maker(evaluator, module, node.value, frame)
    if made is None:
        return None
    where, call, outer = made
    cls = only_value(evaluator.values(where, call.func, outer))
    chain = list(class_chain(evaluator, cls)) if isinstance(cls, Class) else []
    start = constructor(chain)
    if not chain or is_set_outside(evaluator, node.attr, chain):
        return None
    if start is None:
        argument = argument_of_field(evaluator, chain, node.attr, call)
        return (where, argument, outer) if argument is not None else None
    values = assigned_in(chain, node.attr)
    owner, value = values[0] if len(values) == 1 else (None, None)
    if owner is None or value is None or owner.function(value) is not start:
        return None
    depth = outer.depth + 1 if outer else 1
    inside = Frame(start, where, call, outer, Instance(chain[0]), depth)
    return owner, value, evaluator.frame(inside)
