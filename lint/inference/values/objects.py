"""The fields of one particular object, by the constructor call that made it."""

from __future__ import annotations

import ast

from ..calls.call_sites import call_sites
from ..calls.calling import NEW_INSTANCE
from ..evaluator import Alternatives, Evaluator
from ..syntax.arguments import argument_at, argument_node
from ..syntax.bindings import parameters
from ..syntax.memo import remembered
from ..syntax.module import FUNCTIONS, FunctionNode, Module
from .attributes import attribute, class_chain, property_of
from .definitions import definition
from .fields import Making, assigned_in, constructor, given, is_remade, maker
from .origins import written
from .values import (
    UNKNOWN,
    Alternative,
    Class,
    Const,
    Display,
    Frame,
    Function,
    Instance,
    Made,
    Sdk,
    Step,
    Value,
    distinct,
    only_value,
    replaced,
)

_DEEPEST = 6


def of_object(
    evaluator: Evaluator,
    module: Module,
    node: ast.Attribute,
    base: Alternative,
    frame: Frame | None,
) -> Alternatives:
    """Return the values of an attribute of this particular object.

    Of ``short = Limits(60)`` the arguments of ``long = Limits(900)`` do not count; if the object
    is unknown, the values of all objects do.

    Args:
        evaluator: of the extension.
        module: the file of the expression.
        node: the expression.
        base: what its owner is worth: an instance of a class of the tree.
        frame: the calls by which the expression is reached.
    """
    found = tuple(attribute(evaluator, base, node.attr))
    if not any(_is_given(evaluator, item) for item in found):
        return found
    assert isinstance(base.value, Instance)  # noqa: S101 - the caller looked
    copied = _copied(evaluator, module, node)
    if copied is not None:
        return copied
    getter = property_of(evaluator, base.value, node.attr)
    if getter is not None:
        return _handed_out(evaluator, module, node, getter, frame) or found
    if len(found) < 2:
        return found
    here = maker(evaluator, module, node.value, frame) if frame is not None else None
    makers = _makers(evaluator, module, node.value, 0) if here is None else {}
    if frame is not None and here is None and not makers and _differ(found):
        return (Alternative(UNKNOWN),)  # an object that a loop or a table gives, one of any kind
    own: list[Alternative] = []
    for made in [here] if here else [(where, call, None) for call, where in makers.items()]:
        values = _of_made(evaluator, base.value.cls, node.attr, made)
        if not values:
            return _mixed(found)
        own += values
    return distinct(own) or _mixed(found)


def _handed_out(
    evaluator: Evaluator, module: Module, node: ast.Attribute, getter: Function, frame: Frame | None
) -> Alternatives:
    """Return the SDK objects that a property of this object returns."""
    depth = frame.depth + 1 if frame else 1
    call = _call_of(evaluator, node)
    inside = evaluator.frame(Frame(getter.node, module, call, frame, getter.bound, depth))
    results = getter.module.returns(getter.node) if not evaluator.is_deep(inside) else ()
    found = [it for each in results for it in evaluator.values(getter.module, each, inside)]
    own = tuple(item for item in found if isinstance(item.value, Sdk))
    return own or (Alternative(UNKNOWN),) * bool(found)


@remembered
def _call_of(_evaluator: Evaluator, node: ast.Attribute) -> ast.Call:
    """Return a synthetic call for a read of a property; the same one each time."""
    return ast.copy_location(ast.Call(node, [], []), node)


def _differ(found: Alternatives) -> bool:
    """Tell whether a field holds values of different types."""
    values = [item.value for item in found if item.value != Const(None)]
    if not all(isinstance(value, (Const, Made, Display)) for value in values):
        return False
    return len({_type_of(value) for value in values}) > 1


def _type_of(value: Value) -> object:
    if isinstance(value, Const):
        return type(value.value)
    return value.of if isinstance(value, Made) else Display


def _mixed(found: Alternatives) -> Alternatives:
    """Return the values of a field of an unknown object, with an unknown one among them."""
    if not any(type(item.value) is Value for item in found):
        return found
    return tuple(
        replaced(
            item, Sdk(item.value.cls, item.value.kind, certain=False, scoped=item.value.scoped)
        )
        if isinstance(item.value, Sdk)
        else item
        for item in found
    )


def _copied(evaluator: Evaluator, module: Module, node: ast.Attribute) -> Alternatives | None:
    """Return a field of ``slot.model_copy(update=…)``; None for other objects."""
    place = definition(evaluator, module, node.value)
    call = place[1] if place is not None else None
    if place is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    if call.func.attr not in NEW_INSTANCE:
        return None
    update = argument_at(call, "update", -1)
    if call.func.attr != "model_copy" or (update and not isinstance(update, ast.Dict)):
        return (Alternative(UNKNOWN),)
    for key, value in zip(update.keys, update.values, strict=True) if update else ():
        if not isinstance(key, ast.Constant):
            return (Alternative(UNKNOWN),)
        if key.value == node.attr:
            return evaluator.values(place[0], value)
    owner = ast.copy_location(ast.Attribute(call.func.value, node.attr, ast.Load()), node)
    return evaluator.values(place[0], owner)


def _is_given(evaluator: Evaluator, item: Alternative) -> bool:
    """Tell whether a value is a constructor argument."""
    step = item.via[-1] if item.via else None
    if step is None or not isinstance(step.node, ast.Call):
        return False
    made = evaluator.values(step.module, step.node.func)
    return any(isinstance(each.value, Class) for each in made)


def _of_made(evaluator: Evaluator, cls: Class, name: str, made: Making) -> list[Alternative]:
    """Return the constructor argument for a field."""
    module, call, outer = made
    own = [item.value for item in evaluator.values(module, call.func, outer)]
    chain = list(class_chain(evaluator, own[0] if isinstance(own[0], Class) else cls))
    start = constructor(chain)
    if start is None:
        if is_remade(evaluator, chain, name):
            return []
        return list(given(evaluator, chain, name, made))
    depth = outer.depth + 1 if outer else 1
    frame = evaluator.frame(Frame(start, module, call, outer, Instance(chain[0]), depth))
    step = Step(module, call, chain[0].node.name)
    found: list[Alternative] = []
    for where, value in assigned_in(chain, name):
        if value is None:
            return [Alternative(UNKNOWN)]
        inside = frame if where.function(value) is start else None
        found += [
            Alternative(item.value, (*item.via, step), item.origin, item.frame)
            for item in evaluator.values(where, value, inside)
        ]
    return found


def _makers(
    evaluator: Evaluator, module: Module, owner: ast.expr, depth: int
) -> dict[ast.Call, Module]:
    """Return the constructor calls of an expression's object; empty unless all are known."""
    if depth > _DEEPEST:
        return {}
    if isinstance(owner, ast.Name):
        scope, bindings = evaluator.project.lookup(module, owner)
        arg = bindings[0].node if len(bindings) == 1 else None
        if isinstance(arg, ast.arg) and isinstance(scope, FUNCTIONS):
            return _given_by_callers(evaluator, module, scope, arg, depth)
    place = definition(evaluator, module, owner) or _kept(evaluator, module, owner)
    if place is None:
        return {}
    where, made = place
    if isinstance(made, ast.Call):
        return {made: where} if _makes(evaluator, where, made) else _returned(evaluator, place)
    return _makers(evaluator, where, made, depth + 1) if isinstance(made, ast.Name) else {}


def _returned(evaluator: Evaluator, place: tuple[Module, ast.expr]) -> dict[ast.Call, Module]:
    """Return the constructor calls of what a function returns."""
    found: dict[ast.Call, Module] = {}
    for at in written(evaluator, *place):
        if not isinstance(at.node, ast.Call) or not _makes(evaluator, at.module, at.node):
            return {}
        found[at.node] = at.module
    return found


def _makes(evaluator: Evaluator, module: Module, call: ast.Call) -> bool:
    return isinstance(only_value(evaluator.values(module, call.func)), Class)


def _kept(evaluator: Evaluator, module: Module, owner: ast.expr) -> tuple[Module, ast.expr] | None:
    """Return the value of ``self.limits``, if it is assigned once."""
    if not isinstance(owner, ast.Attribute):
        return None
    value = only_value(evaluator.values(module, owner.value))
    cls = value.cls if isinstance(value, Instance) else None
    values = cls.module.assigned_to_self(cls.node, owner.attr) if cls is not None else []
    return (cls.module, values[0]) if cls is not None and len(values) == 1 else None


def _given_by_callers(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg, depth: int
) -> dict[ast.Call, Module]:
    """Return the constructor calls of the arguments that callers give to a parameter."""
    is_method = evaluator.enclosing_class(module, function) is not None
    found: dict[ast.Call, Module] = {}
    for caller, call, bound in call_sites(evaluator, module, function):
        given = argument_node(call, function, arg, skip=int(bound is not None))
        if is_method and parameters(function)[:1] == [arg]:
            given = call.func.value if isinstance(call.func, ast.Attribute) else None
        makers = _makers(evaluator, caller, given, depth + 1) if given is not None else None
        if not makers:
            return {}
        found |= makers
    return found
