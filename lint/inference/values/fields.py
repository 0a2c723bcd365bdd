"""The fields of objects, by class bodies and constructor calls."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator

from ..evaluator import Evaluator
from ..limits import CALLERS
from ..syntax.arguments import argument_at, callee_of, given_in
from ..syntax.bindings import parameters
from ..syntax.memo import remembered
from ..syntax.module import FUNCTIONS, Module, block_of, last_name
from ..syntax.spelling import is_none
from ..syntax.unpacking import unpacked
from .supers import is_super
from .values import (
    UNKNOWN,
    Alternative,
    Class,
    Const,
    Display,
    External,
    Frame,
    Function,
    Step,
    frame_of,
    only_value,
)

Making = tuple[Module, ast.Call, Frame | None]
"""A call of a class, and the calls through which its arguments are read."""
_DEPTH = 8


def maker(
    evaluator: Evaluator,
    module: Module,
    node: ast.expr,
    frame: Frame | None,
    depth: int = _DEPTH,
) -> Making | None:
    """Return the constructor call of an expression's object, and the frame of its arguments.

    Args:
        evaluator: of the extension.
        module: the file of the expression.
        node: the expression.
        frame: the calls by which it is reached.
        depth: how many names and parameters to follow.
    """
    if depth == 0:
        return None
    if isinstance(node, ast.Call):
        return _of_call(evaluator, module, node, frame, depth)
    if not isinstance(node, ast.Name):
        return None
    scope, bindings = evaluator.project.lookup(module, node)
    binding = bindings[0] if len(bindings) == 1 else None
    if binding is None or binding.path:
        return None
    if binding.kind == "assign" and isinstance(binding.value, ast.expr):
        return maker(evaluator, module, binding.value, frame, depth - 1)
    owner = frame_of(frame, scope)
    if binding.kind != "param" or owner is None or not isinstance(binding.node, ast.arg):
        return None
    return _of_parameter(evaluator, owner, binding.node, depth)


def _of_parameter(evaluator: Evaluator, owner: Frame, arg: ast.arg, depth: int) -> Making | None:
    given = _given(owner, arg)
    if given is not None:
        return maker(evaluator, owner.module, given, owner.outer, depth - 1)
    return (owner.module, owner.call, owner.outer) if _is_constructor(owner) else None


def _of_call(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None, depth: int
) -> Making | None:
    if is_super(node):
        around = module.function(node)
        owner = frame_of(frame, around)
        caller = next(iter(parameters(around)), None) if isinstance(around, FUNCTIONS) else None
        return _of_parameter(evaluator, owner, caller, depth) if owner and caller else None
    callee = only_value(evaluator.values(module, node.func, frame))
    if isinstance(callee, Class):
        return module, node, frame
    is_same = isinstance(callee, Function) and _returns_itself(callee)
    if not is_same or not isinstance(node.func, ast.Attribute):
        return None
    return maker(evaluator, module, node.func.value, frame, depth - 1)


def _returns_itself(method: Function) -> bool:
    """Tell whether a method returns ``self``: ``Query().where(…).limit(…)``."""
    itself = [arg.arg for arg in parameters(method.node)[:1]] if method.bound is not None else []
    results = method.module.returns(method.node)
    is_plain = isinstance(method.node, ast.FunctionDef) and not method.node.decorator_list
    return (
        is_plain
        and bool(results)
        and all(isinstance(it, ast.Name) and it.id in itself for it in results)
    )


def _given(owner: Frame, arg: ast.arg) -> ast.expr | None:
    function = owner.function
    if not isinstance(function, FUNCTIONS):
        return None
    if owner.bound is None or parameters(function)[:1] != [arg]:
        return given_in(owner, arg)
    callee = owner.call.func
    if _is_constructor(owner) or not isinstance(callee, ast.Attribute):
        return None
    return callee.value


def _is_constructor(owner: Frame) -> bool:
    return getattr(owner.function, "name", "") == "__init__"


_MADE = frozenset({
    "typing.NamedTuple", "pydantic.BaseModel", "pydantic.main.BaseModel", "msgspec.Struct",
})  # fmt: skip
_MAKING = frozenset({"attr.define", "attr.frozen", "attrs.define", "attrs.frozen", "attrs.mutable"})
"""Decorators that write a constructor, besides ``dataclass``."""
_BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt,
}  # fmt: skip


def given(
    evaluator: Evaluator,
    chain: list[Class],
    name: str,
    made: Making | None = None,
) -> Iterator[Alternative]:
    """Yield the arguments of all calls ``Cls(…)`` for a field, each with its call path.

    Args:
        evaluator: of the extension.
        chain: the class and those of the tree that it extends.
        name: of the field.
        made: the constructor call of the object and its frame, if known; only that counts.
    """
    if not _has_made_constructor(evaluator, chain):
        return
    calls: list[Making] = [made] if made is not None else []
    if made is None:
        calls += ((*site, None) for site in sites(evaluator, chain[0]))
    if len(calls) > CALLERS:
        yield Alternative(UNKNOWN)
        return
    yield from _given_to(evaluator, chain, name, calls)


def _given_to(
    evaluator: Evaluator, chain: list[Class], name: str, calls: list[Making]
) -> Iterator[Alternative]:
    cls = chain[0]
    declared = {
        field: (owner, item)
        for owner in reversed(chain)
        for field, item in annotated_fields(owner.node)
    }
    for module, call, outer in calls:
        step = Step(module, call, cls.node.name)
        names = list(declared)
        argument = argument_at(call, name, names.index(name) if name in declared else -1)
        if argument is not None:
            field = declared.get(name)
            for item in evaluator.values(module, argument, outer):
                if field is not None and _is_outside(evaluator, field[0].module, field[1], item):
                    continue
                yield Alternative(item.value, (*item.via, step), item.origin, item.frame)
        elif name in declared:
            owner, field = declared[name]
            default = _default(field)
            for item in evaluator.values(owner.module, default) if default is not None else ():
                yield Alternative(item.value, (step,))


def _is_outside(
    evaluator: Evaluator, module: Module, field: ast.AnnAssign, item: Alternative
) -> bool:
    """Tell whether ``Field(ge=5, le=300)`` refuses a number, so that no object holds it."""
    number = item.value.value if isinstance(item.value, Const) else None
    if not isinstance(number, (int, float)):
        return False
    calls = [
        it for it in ast.walk(field) if isinstance(it, ast.Call) and last_name(it.func) == "Field"
    ]
    bounds = [it for call in calls for it in call.keywords if it.arg in _BOUNDS]
    return any(
        isinstance(bound := only_value(evaluator.values(module, it.value)), Const)
        and isinstance(bound.value, (int, float))
        and not _BOUNDS[str(it.arg)](number, bound.value)
        for it in bounds
    )


def argument_of_field(
    evaluator: Evaluator, chain: list[Class], name: str, call: ast.Call
) -> ast.expr | None:
    """Return the argument that a dataclass or model stores unchanged in a field."""
    if not _has_made_constructor(evaluator, chain) or is_remade(evaluator, chain, name):
        return None
    names = [field for owner in reversed(chain) for field, _ in annotated_fields(owner.node)]
    declared = list(dict.fromkeys(names))
    return argument_at(call, name, declared.index(name)) if name in declared else None


def annotated_fields(cls: ast.ClassDef) -> Iterator[tuple[str, ast.AnnAssign]]:
    """Yield the annotated fields of a class itself, in order: ``ttl: int = 60``."""
    for item in cls.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            yield item.target.id, item


def writes_constructor(chain: Iterable[Class]) -> bool:
    """Tell whether a class or a base in the extension defines ``__init__`` or ``__new__``."""
    return any(item.name in {"__init__", "__new__"} for item in _methods(chain))


def constructor(chain: Iterable[Class]) -> ast.FunctionDef | None:
    """Return the ``__init__`` that calls of a class run, if the extension defines it."""
    return next((item for item in _methods(chain) if item.name == "__init__"), None)


def _methods(chain: Iterable[Class]) -> Iterator[ast.FunctionDef]:
    """Yield the synchronous methods of the classes, in their order."""
    for owner in chain:
        yield from (item for item in owner.node.body if isinstance(item, ast.FunctionDef))


_AFTER = frozenset({"__post_init__", "model_post_init"})
_OF_ALL = frozenset({"model_validator", "root_validator"})
_BY_NAME = frozenset({"getattr", "hasattr", "setattr"})
_ABOUT_FIELDS = ("validator", "serializer")


def is_remade(evaluator: Evaluator, chain: Iterable[Class], name: str) -> bool:
    """Tell whether a validator or ``__post_init__`` replaces the argument for a field."""
    return any(
        _remakes(evaluator, owner, item, name) for owner in chain for item in owner.node.body
    )


def _remakes(evaluator: Evaluator, owner: Class, item: ast.stmt, name: str) -> bool:
    if isinstance(item, ast.AnnAssign):
        is_it = isinstance(item.target, ast.Name) and item.target.id == name
        return is_it and _is_validated(evaluator, owner, item.annotation)
    if isinstance(item, ast.Assign):
        return names_field(_innermost(item.value), name)
    if not isinstance(item, ast.FunctionDef):
        return False
    if any(changes_any(each) or names_field(each, name) for each in item.decorator_list):
        return True
    is_of_all = any(last_name(callee_of(each)) in _OF_ALL for each in item.decorator_list)
    return (is_of_all or item.name in _AFTER) and _may_set(item, name)


def names_field(decorator: ast.expr, name: str) -> bool:
    """Tell whether ``@field_validator("when")`` is about a field; ``*FIELDS`` may be about any."""
    if not isinstance(decorator, ast.Call):
        return False
    may_name_any = last_name(decorator.func).endswith(_ABOUT_FIELDS)
    return any(
        given.value in {name, "*"} if isinstance(given, ast.Constant) else may_name_any
        for given in decorator.args
    )


def changes_any(decorator: ast.expr) -> bool:
    """Tell whether a decorator gets all fields: ``model_validator(mode="before")``."""
    kind = last_name(callee_of(decorator))
    is_after = kind == "model_validator" and "'after'" in ast.unparse(decorator)
    return kind in _OF_ALL and not is_after


def _innermost(value: ast.expr) -> ast.expr:
    """Return ``field_validator("when")`` of ``_plain = field_validator("when")(plain)``."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Call):
        value = value.func
    return value


def _may_set(method: ast.FunctionDef, name: str) -> bool:
    """Tell whether a method that runs after the constructor may set a field."""
    return _sets(method, name) or any(
        (isinstance(part, ast.Constant) and part.value == name) or _gives_away(part)
        for part in ast.walk(method)
    )


def _gives_away(part: ast.AST) -> bool:
    """Tell whether a call passes ``self`` on: ``shorten(self)``; not ``object.__setattr__``."""
    if not isinstance(part, ast.Call) or not any(last_name(it) == "self" for it in part.args):
        return False
    is_named = len(part.args) > 1 and isinstance(part.args[1], ast.Constant)
    return not (is_named and last_name(part.func).strip("_") in _BY_NAME)


def _is_validated(evaluator: Evaluator, owner: Class, annotation: ast.expr) -> bool:
    """Tell whether an annotation validates: ``Annotated[int, AfterValidator(…)]`` or an alias."""
    named = [part for part in ast.walk(annotation) if isinstance(part, (ast.Name, ast.Attribute))]
    found = [item.value for part in named for item in evaluator.values(owner.module, part)]
    written = [annotation, *(value.node for value in found if isinstance(value, Display))]
    return any("Validator(" in ast.unparse(each) for each in written)


def is_set_by_base(chain: Iterable[Class], name: str) -> bool:
    """Tell whether ``__init_subclass__`` gives each subclass an attribute of its own."""
    return any(item.name == "__init_subclass__" and _sets(item, name) for item in _methods(chain))


def _sets(method: ast.FunctionDef, name: str) -> bool:
    return any(
        isinstance(part, ast.Attribute) and part.attr == name and isinstance(part.ctx, ast.Store)
        for part in ast.walk(method)
    )


def assigned_in(chain: Iterable[Class], name: str) -> list[tuple[Module, ast.expr | None]]:
    """Return (file, value) of each ``self.name = …`` in a class and its bases."""
    return [(it.module, value) for it in chain for value in assigned(it.module, it.node, name)]


def assigned(module: Module, cls: ast.ClassDef, name: str) -> list[ast.expr | None]:
    """Return the final values of ``self.name = …``; None for an unknown one.

    ``self.ttl = ttl`` is dropped if ``self.ttl = min(self.ttl, 300)`` follows, and so is a None
    in the constructor if another method sets the attribute.
    """
    values = module.assigned_to_self(cls, name)
    filled = [value for value in values if not is_none(value)]
    if (cls, name) in _otherwise_set(module):
        return [*filled, None]
    values = filled or values
    if len(values) < 2:
        return [*values]
    statements = [module.statement(value) for value in values]
    found: list[ast.expr | None] = []
    for value, statement in zip(values, statements, strict=True):
        parent = module.parents.get(statement) if statement is not None else None
        block = block_of(parent, statement) if parent is not None and statement else []
        later = block[block.index(statement) + 1 :] if statement in block else []
        if not any(each in statements for each in later):
            found.append(None if any(_asks(each, name, statements) for each in later) else value)
    return found


@remembered
def _otherwise_set(module: Module) -> set[tuple[ast.AST, str]]:
    """Return (class, attribute) for ``self.key, self.ttl = slot`` and ``self.count += 1``."""
    followed = {
        target
        for node in (*module.nodes(ast.Assign), *module.nodes(ast.AnnAssign))
        for target, _ in unpacked(node)
    } | {node.target for node in module.nodes(ast.AnnAssign)}
    return {
        (up, node.attr)
        for node in module.nodes(ast.Attribute)
        if isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and node not in followed
        for up in module.ancestors(node)
        if isinstance(up, ast.ClassDef)
    }


def _asks(later: ast.stmt, name: str, statements: list[ast.stmt | None]) -> bool:
    """``if self.ttl > 300: self.ttl = 300``."""
    return (
        isinstance(later, ast.If)
        and any(isinstance(it, ast.Attribute) and it.attr == name for it in ast.walk(later.test))
        and any(part in statements for part in ast.walk(later))
    )


def _has_made_constructor(evaluator: Evaluator, chain: list[Class]) -> bool:
    if writes_constructor(chain):
        return False
    return any(_makes(evaluator, chain[0], it) for it in chain[0].node.decorator_list) or any(
        isinstance(base, External) and base.name in _MADE for base in evaluator.bases(chain[0])
    )


def is_plain(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is plain, so that ``ttl: int = 60`` makes the attribute 60."""
    bases = list(evaluator.bases(cls))
    return all(
        isinstance(each, Class)
        and not (each.node.decorator_list or each.node.keywords)
        and not sets_by_name(each.node)
        for each in (cls, *bases)
    )


@remembered
def sets_by_name(node: ast.AST, *, by_vars: bool = True) -> bool:
    """Tell whether a class or method sets attributes by computed names.

    ``setattr(self, key, value)`` and ``self.__dict__.update(given)``; ``vars(self).update(given)``
    only ``by_vars``.
    """
    names = {last_name(part) for part in ast.walk(node)}
    return not names.isdisjoint(_SETTING) or (by_vars and "vars" in names)


_SETTING = frozenset({"setattr", "__dict__", "__setattr__"})


def _makes(evaluator: Evaluator, cls: Class, decorator: ast.expr) -> bool:
    callee = callee_of(decorator)
    if last_name(callee) == "dataclass":
        return True
    found = [item.value for item in evaluator.values(cls.module, callee)]
    return any(isinstance(value, External) and value.name in _MAKING for value in found)


def sites(evaluator: Evaluator, cls: Class) -> Iterator[tuple[Module, ast.Call]]:
    """Yield the calls of a class by its name."""
    for module in evaluator.project.naming(cls.node.name):
        for call in evaluator.project.calls_by_name(module, cls.node.name):
            found = evaluator.values(module, call.func)
            is_its = any(
                isinstance(item.value, Class) and item.value.node is cls.node for item in found
            )
            if is_its:
                yield module, call


def _default(field: ast.AnnAssign) -> ast.expr | None:
    """Return a default that is written as such; ``field(default_factory=…)`` is not followed."""
    if not isinstance(field.value, ast.Call):
        return field.value
    return next((item.value for item in field.value.keywords if item.arg == "default"), None)
