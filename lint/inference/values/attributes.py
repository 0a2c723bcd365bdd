"""The values of attributes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..calls.roles import CONTEXT_NAMES
from ..evaluator import Evaluator
from ..syntax.arguments import argument_at
from ..syntax.memo import remembered_in_circles
from ..syntax.module import Module, last_name
from ..syntax.spelling import OWN_NAMES
from .annotations import annotated, is_told_by_caller, named_type, says_nothing
from .classes import is_set_outside, owners
from .fields import annotated_fields, assigned_in, given, is_plain, is_remade, is_set_by_base
from .known_calls import CONSTANTS, of_duration
from .tuples_and_enums import member
from .values import (
    UNKNOWN,
    Alternative,
    Class,
    Const,
    Duration,
    EnumMember,
    External,
    Function,
    Instance,
    Made,
    ModuleValue,
    Namespace,
    Record,
    Sdk,
    SdkClass,
    SdkField,
    SdkMethod,
    Value,
    carried,
    only_value,
    replaced,
    types_of,
)


def of_sdk(evaluator: Evaluator, value: Sdk, name: str) -> Value:
    """Return the value of an attribute of an SDK object; unknown if it has none."""
    surface = evaluator.surface
    if value.cls == "Context" and surface.client(name):
        if _is_replaced(evaluator, name):
            return UNKNOWN
        return Sdk(surface.client(name), value.kind, value.certain, value.scoped)
    member = surface.member(value.cls, name)
    if member is None:
        return UNKNOWN
    if member.is_method:
        return SdkMethod(value, name)
    found = named_type(evaluator, member.returns)
    return found if isinstance(found, Sdk) else SdkField(value, name)


def has(evaluator: Evaluator, value: Value, name: str | None) -> bool:
    """Tell whether a value is an object of the SDK with an attribute of that name."""
    if not isinstance(value, Sdk) or name is None:
        return False
    return evaluator.surface.member(value.cls, name) is not None


@remembered_in_circles(meanwhile=False)  # what is changed may come from a client itself
def _is_replaced(evaluator: Evaluator, name: str) -> bool:
    """Tell whether the extension replaces a client of a context: ``ctx.http = Mine()``.

    ``cache`` cannot be set, and setting ``skeleton`` is a finding of its own.
    """
    if name in {"cache", "skeleton"}:
        return False
    return any(
        _may_be_context(evaluator, module, owner) for module, owner in owners(evaluator, name)
    )


def _may_be_context(evaluator: Evaluator, module: Module, owner: ast.expr) -> bool:
    name = last_name(owner)
    return name in CONTEXT_NAMES or (
        name not in OWN_NAMES
        and any(
            isinstance(item.value, Sdk) and item.value.cls == "Context"
            for item in evaluator.values(module, owner)
        )
    )


def attribute(evaluator: Evaluator, base: Alternative, name: str) -> Iterable[Alternative]:
    """Return the values of an attribute."""
    value = base.value
    if type(value) is Value:
        return (base,)
    if type(value) in _SIMPLE:
        return (replaced(base, _simple(evaluator, value, name)),)
    if isinstance(value, Instance):
        return _of_object(evaluator, base, value, name)
    if isinstance(value, ModuleValue):
        return _of_owner(evaluator, value, name)
    if isinstance(value, Class):
        known = _of_owner(evaluator, value, name) or (Alternative(UNKNOWN),)
        return (_of_class(evaluator, value, item) for item in known)
    if isinstance(value, (EnumMember, Namespace, Record)):
        return _of_parts(evaluator, base, value, name)
    if isinstance(value, Const) and value.value is None:
        return ()
    return (replaced(base, _simple(evaluator, value, name)),)


def _of_object(
    evaluator: Evaluator, base: Alternative, value: Instance, name: str
) -> Iterable[Alternative]:
    if name == "__class__":
        return (replaced(base, value.cls),)
    found = _of_instance(evaluator, base, value, name)
    is_set = is_set_outside(evaluator, name, class_chain(evaluator, value.cls))
    return _perhaps(found) if is_set else found


_SIMPLE = types_of(External, Made, Sdk, SdkClass) - {Namespace}
_KEPT = types_of(Function, Instance, Namespace, Sdk, SdkMethod)
"""What a namespace is asked for."""


def _perhaps(found: Iterable[Alternative]) -> Iterator[Alternative]:
    """Yield the constants among the values, and an unknown one, for code may replace them."""
    for item in found:
        if isinstance(item.value, Const):
            yield item
        yield replaced(item, UNKNOWN)


def _of_owner(evaluator: Evaluator, owner: Class | ModuleValue, name: str) -> Iterable[Alternative]:
    """``Settings.life``, ``settings.LIFE``, of a class or module of the extension."""
    if isinstance(owner, ModuleValue):
        found = _of_module(evaluator, owner.module, name)
        is_set = is_set_outside(evaluator, name)
    else:
        found = _in_class(evaluator, owner, name)
        is_set = is_set_outside(evaluator, name, class_chain(evaluator, owner))
    if not is_set or any(isinstance(item.value, Function) for item in found):
        return found
    return tuple(_perhaps(found))


def _of_parts(
    evaluator: Evaluator, base: Alternative, value: EnumMember | Namespace | Record, name: str
) -> Iterable[Alternative]:
    if isinstance(value, Namespace):
        return _of_namespace(evaluator, base, value, name)
    if isinstance(value, EnumMember):
        return _of_member(evaluator, base, value, name)
    if name not in value.names or not isinstance(value.node, ast.Tuple):
        return (Alternative(UNKNOWN),)
    found = value.node.elts[value.names.index(name)]
    return evaluator.values(value.module, found, base.frame)


def _of_namespace(
    evaluator: Evaluator, base: Alternative, value: Namespace, name: str
) -> Iterable[Alternative]:
    """``box.ctx`` of ``box = SimpleNamespace(ctx=ctx)``.

    Constants are unknown: they are settings, which code may change, ``vars(box)``.
    """
    given = argument_at(value.node, name, -1)
    inside = evaluator.values(value.module, given, base.frame) if given is not None else ()
    kept = (it if _is_asked_for(it.value) else replaced(it, UNKNOWN) for it in inside)
    held = tuple(carried(kept, base)) or (Alternative(UNKNOWN),)
    return _perhaps(held) if is_set_outside(evaluator, name) else held


def _is_asked_for(value: Value) -> bool:
    return type(value) in _KEPT or value == Const(None)


def _of_member(
    evaluator: Evaluator, base: Alternative, value: EnumMember, name: str
) -> Iterable[Alternative]:
    """``Colour.RED.value``, ``Colour.RED.mixed()``."""
    found = _of_instance(evaluator, base, Instance(value.cls), name) if name != "value" else ()
    methods = tuple(item for item in found if isinstance(item.value, Function))
    return methods or (replaced(base, _simple(evaluator, value, name)),)


def _simple(evaluator: Evaluator, value: Value, name: str) -> Value:
    if isinstance(value, External):
        dotted = f"{value.name}.{name}"
        known = CONSTANTS.get(dotted)
        return evaluator.external(dotted) if known is None else Const(known)
    if isinstance(value, Sdk):
        return of_sdk(evaluator, value, name)
    if isinstance(value, SdkClass):
        member = evaluator.surface.member(value.cls, name)
        return SdkMethod(value, name) if member is not None and member.is_method else UNKNOWN
    if isinstance(value, Const):  # no constant has a value but a member of an Enum
        return Const(value.value) if name == "value" else UNKNOWN
    if isinstance(value, Duration):
        known = of_duration(value, name)
        if known is not None:
            return known
    if isinstance(value, Made):
        return External(f"{value.of}().{name}")
    return UNKNOWN


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
    chain = list(class_chain(evaluator, value.cls))
    if len(chain) > 1 and is_set_by_base(chain, name):
        yield Alternative(UNKNOWN)
        return
    for item in () if _is_computed(evaluator, chain, name) else _assigned(evaluator, chain, name):
        found = True
        yield item
    for item in _in_class(evaluator, value.cls, name, of_instance=True):
        keeps_place = found and item.value == Const(None) and not item.via
        if isinstance(item.value, Function):
            yield from _bound(evaluator, base, value, item.value)
        elif not keeps_place:
            yield item
        found = True
    if not found:
        sdk = evaluator.sdk_base(value.cls)
        yield Alternative(of_sdk(evaluator, Sdk(sdk), name) if sdk else UNKNOWN)


def property_of(evaluator: Evaluator, value: Instance, name: str) -> Function | None:
    """Return what computes an attribute of an object, if one property does."""
    getter = only_value(_in_class(evaluator, value.cls, name, of_instance=True))
    if isinstance(getter, Function) and _computes(getter.node):
        return Function(getter.module, getter.node, value)
    return None


def _computes(function: ast.AST) -> bool:
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    return any(_is_property(last_name(item)) for item in decorators)


def _bound(
    evaluator: Evaluator, base: Alternative, value: Instance, found: Function
) -> Iterator[Alternative]:
    if _computes(found.node):
        typed = annotated(evaluator, found.module, getattr(found.node, "returns", None))
        yield from _returned_of_sdk(evaluator, found, typed) or (Alternative(typed),)
    else:
        method = Function(found.module, found.node, value)
        yield Alternative(method, base.via, frame=base.frame)


def _returned_of_sdk(evaluator: Evaluator, method: Function, typed: Value) -> list[Alternative]:
    """Return the SDK objects that a property returns, with the handler of their context."""
    results = method.module.returns(method.node)
    if len(results) != 1 or not (isinstance(typed, Sdk) or type(typed) is Value):
        return []
    found = evaluator.values(method.module, results[0])
    return [item for item in found if isinstance(item.value, Sdk)]


def _is_property(decorator: str) -> bool:
    """``property``, ``functools.cached_property``, ``limit.setter``."""
    return decorator.endswith("property") or decorator in {"setter", "getter", "deleter"}


def _of_class(evaluator: Evaluator, owner: Class, item: Alternative) -> Alternative:
    """``Cls.load`` of a classmethod: the class is its first argument; ``Colour.RED`` of an Enum."""
    value = item.value
    if isinstance(value, Const):
        return replaced(item, member(evaluator, owner, value))
    if isinstance(value, Made) and value.of == "enum.auto":
        return replaced(item, Instance(owner))
    decorators = getattr(value.node, "decorator_list", []) if isinstance(value, Function) else []
    if isinstance(value, Function) and any(last_name(it) == "classmethod" for it in decorators):
        return Alternative(Function(value.module, value.node, owner), item.via, frame=item.frame)
    return item


def has_decorator(function: ast.AST, name: str) -> bool:
    """Tell whether a function has a builtin decorator: ``classmethod`` and the like."""
    decorators: list[ast.expr] = getattr(function, "decorator_list", [])
    return any(isinstance(item, ast.Name) and item.id == name for item in decorators)


def class_chain(evaluator: Evaluator, cls: Class) -> Iterator[Class]:
    """Yield a class and those of the tree that it extends."""
    yield cls
    for base in evaluator.bases(cls):
        if isinstance(base, Class):
            yield base


def declared_fields(node: ast.ClassDef) -> Iterator[tuple[str, ast.AnnAssign]]:
    """Yield the fields that a model itself declares; not private names or class variables."""
    for name, item in annotated_fields(node):
        if not name.startswith("_") and "ClassVar" not in ast.unparse(item.annotation):
            yield name, item


def _in_class(
    evaluator: Evaluator, cls: Class, name: str, *, of_instance: bool = False
) -> tuple[Alternative, ...]:
    for owner in class_chain(evaluator, cls):
        found = evaluator.project.table(owner.node).get(name, [])
        declared = [item.node for item in found if isinstance(item.node, ast.AnnAssign)]
        if declared and of_instance and not (declared[0].value and is_plain(evaluator, cls)):
            return _of_field(evaluator, cls, owner, declared[0])
        if found:
            last = found[-1]
            is_last = last.kind == "assign" and last.node in owner.node.body
            return tuple(
                item
                for binding in (found[-1:] if is_last else found)
                for item in evaluator.binding(owner.module, owner.node, binding, None)
            )
        for statement in owner.node.body:
            if (
                isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and statement.target.id == name
            ):
                if of_instance:
                    return _of_field(evaluator, cls, owner, statement)
                return (Alternative(annotated(evaluator, owner.module, statement.annotation)),)
    return ()


def _of_field(
    evaluator: Evaluator, cls: Class, owner: Class, field: ast.AnnAssign
) -> tuple[Alternative, ...]:
    """Return a field of an instance: by its annotation, or by the calls of the class."""
    typed = annotated(evaluator, owner.module, field.annotation)
    if type(typed) is not Value and not isinstance(typed, Sdk) and not is_told_by_caller(typed):
        return (Alternative(typed),)
    chain = list(class_chain(evaluator, cls))
    name = field.target.id if isinstance(field.target, ast.Name) else ""
    found = tuple(
        replaced(item, typed) if says_nothing(item.value) else item
        for item in given(evaluator, chain, name)
    )
    if not found or is_remade(evaluator, chain, name):
        return (Alternative(typed),)
    return found


def _is_computed(evaluator: Evaluator, chain: list[Class], name: str) -> bool:
    """Tell whether an attribute is a property, so that ``self.name = …`` calls its setter."""
    return any(
        _computes(binding.node)
        for owner in chain
        for binding in evaluator.project.table(owner.node).get(name, ())
    )


def _assigned(evaluator: Evaluator, chain: list[Class], name: str) -> Iterator[Alternative]:
    """Yield the values of ``self.name = …`` in the methods of a class and its bases."""
    values = assigned_in(chain, name)
    if any(value is None for _, value in values):
        yield Alternative(UNKNOWN)
        return
    for module, value in values:
        yield from evaluator.values(module, value) if value is not None else ()
