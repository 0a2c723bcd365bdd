"""What a call returns."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator

from ..containers import rows
from ..evaluator import Evaluator
from ..flow.narrowing import narrowed
from ..flow.type_tests import has_attribute
from ..syntax.module import Module
from ..values import arithmetic as folding
from ..values import known_calls
from ..values import tuples_and_enums as named_tuples
from ..values.annotations import named_type
from ..values.attributes import attribute, has
from ..values.changed_objects import makes_itself
from ..values.supers import of_super, on_caller
from ..values.values import (
    UNKNOWN,
    Alternative,
    Class,
    Computed,
    Const,
    Coroutine,
    External,
    Frame,
    Function,
    Instance,
    Made,
    Namespace,
    Partial,
    Sdk,
    SdkClass,
    SdkMethod,
    Task,
    TupleClass,
    Value,
    only_value,
    replaced,
)
from .kept_decorators import is_followed
from .summaries import returned_once

_PASSING = frozenset(
    {"asyncio.wait_for", "asyncio.shield", "asyncio.create_task", "asyncio.ensure_future"}
)
NEW_INSTANCE = frozenset(
    {
        "model_copy",
        "model_validate",
        "model_construct",
        "parse_obj",
        "copy",
        "model_validate_json",
        "from_orm",
        "construct",
    }
)
"""Methods of models that return an object of the same class."""
_FOLDED: dict[str, Callable[..., object]] = {
    "int": int,
    "float": float,
    "str": str,
    "abs": abs,
    "len": len,
    "round": round,
    "min": min,
    "max": max,
    "bool": bool,
    "math.ceil": math.ceil,
    "math.floor": math.floor,
    "math.trunc": math.trunc,
}


def call(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> Iterable[Alternative]:
    """Return what a call may return."""
    if isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) in {2, 3}:
        return narrowed(evaluator, module, node, _getattr(evaluator, module, node, frame))
    if isinstance(node.func, ast.Attribute) and node.func.attr in _FOLLOWED:
        return _of_followed(evaluator, module, node, node.func, frame)
    callees = evaluator.values(module, node.func, frame)
    if len(callees) == 1:
        return _result(evaluator, module, node, callees[0], frame)
    return (item for callee in callees for item in _result(evaluator, module, node, callee, frame))


def _of_followed(
    evaluator: Evaluator, module: Module, node: ast.Call, func: ast.Attribute, frame: Frame | None
) -> Iterator[Alternative]:
    for base in evaluator.values(module, func.value, frame):
        known = _of_method(evaluator, module, node, base, frame)
        yield from known
        callees = () if known else attribute(evaluator, base, func.attr)
        for callee in on_caller(evaluator, module, func, callees, frame):
            yield from _result(evaluator, module, node, callee, frame)


_FOLLOWED = known_calls.TEXT_METHODS | known_calls.VIEWS | {"get", "encode"}


def _of_method(
    evaluator: Evaluator, module: Module, node: ast.Call, base: Alternative, frame: Frame | None
) -> tuple[Alternative, ...]:
    """Return the result of a method of a string or dict; empty for other methods."""
    return known_calls.of_method(evaluator, module, node, base, frame) or folding.got(
        evaluator, module, node, base, frame
    )


def _getattr(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> Iterator[Alternative]:
    asked = node.args[1]
    name = constant_text(evaluator, module, asked, frame)
    bases = evaluator.values(module, node.args[0], frame)
    if name is None:
        for base in bases or (Alternative(UNKNOWN),):
            yield replaced(base, _some_method(evaluator, base.value))
    else:
        read = ast.copy_location(ast.Attribute(node.args[0], name, ast.Load()), node)
        yield from evaluator.values(module, read, frame)
        own = [it.value for it in bases if not isinstance(it.value, Sdk)]
        if len(own) == len(bases) > 0 and all(has_attribute(evaluator, asked, it) for it in own):
            return
    for default in node.args[2:]:
        found = evaluator.values(module, default, frame)
        yield from (it for it in found if not (it in bases and has(evaluator, it.value, name)))


def _some_method(evaluator: Evaluator, owner: Value) -> Value:
    """Return the method of a computed name: each of ``ctx.http`` returns a response."""
    if not isinstance(owner, Sdk):
        return UNKNOWN
    members = evaluator.surface.members(owner.cls).values()
    methods = [it for it in members if it.is_method and not it.name.startswith("_")]
    if len({(it.is_async, it.returns) for it in methods}) != 1 or not methods[0].returns:
        return UNKNOWN
    return Computed(any_method_of(owner.cls), _of_sdk(evaluator, SdkMethod(owner, methods[0].name)))


def any_method_of(cls: str) -> str:
    """Return the placeholder name of an SDK method whose name is computed."""
    return f"{cls}.*"


def constant_text(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None = None
) -> str | None:
    """Return the string that an expression evaluates to, if there is exactly one."""
    value = only_value(evaluator.values(module, node, frame))
    text = value.value if isinstance(value, Const) else None
    return text if isinstance(text, str) else None


def _result(
    evaluator: Evaluator, module: Module, node: ast.Call, callee: Alternative, frame: Frame | None
) -> Iterable[Alternative]:
    value = callee.value
    if isinstance(value, Function):
        return _of_function(evaluator, module, node, callee, frame)
    if isinstance(value, (Class, SdkClass)):
        made = Instance(value) if isinstance(value, Class) else Sdk(value.cls)
        is_other = isinstance(value, Class) and not makes_itself(evaluator, value)
        return (Alternative(UNKNOWN if is_other else made),)
    if isinstance(value, Sdk) and evaluator.surface.member(value.cls, "__call__"):
        value = SdkMethod(value, "__call__")
    if isinstance(value, SdkMethod):
        found = _of_sdk(evaluator, value)
        return (Alternative(found, callee.via, callee.origin),)
    if isinstance(value, External):
        return _of_external(evaluator, module, node, value, frame)
    if isinstance(value, Made):
        return _of_made(evaluator, module, node, callee, frame)
    return _of_unknown(evaluator, module, node, frame)


def _of_made(
    evaluator: Evaluator, module: Module, node: ast.Call, callee: Alternative, frame: Frame | None
) -> Iterable[Alternative]:
    """Return the result of calling what ``partial(…)`` or ``namedtuple(…)`` returned."""
    value = callee.value
    if isinstance(value, Partial):
        return (Alternative(_of_sdk(evaluator, value.method), callee.via, callee.origin),)
    if isinstance(value, TupleClass):
        return (Alternative(named_tuples.tuple_of(value, module, node), frame=frame),)
    return _of_unknown(evaluator, module, node, frame)


def _of_unknown(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> Iterable[Alternative]:
    """``Model.model_validate(…)`` and ``instance.model_copy()`` of a class of the tree."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in NEW_INSTANCE:
        for base in evaluator.values(module, node.func.value, frame):
            if isinstance(base.value, Class):
                return (Alternative(Instance(base.value)),)
            if isinstance(base.value, Instance):
                return (Alternative(base.value),)
    return (Alternative(UNKNOWN),)


def _of_sdk(evaluator: Evaluator, method: SdkMethod) -> Value:
    owner = method.owner
    member = evaluator.surface.member(owner.cls, method.name)
    if member is None:
        return UNKNOWN
    found = named_type(evaluator, member.returns)
    if method.name == "as_user" and isinstance(owner, Sdk):
        found = Sdk(owner.cls, owner.kind, owner.certain, scoped=True)
    if isinstance(owner, SdkClass) and owner.cls == "ActionResult":
        found = Sdk("ActionResult")
    return Coroutine(found) if member.is_async else found


def _of_external(
    evaluator: Evaluator, module: Module, node: ast.Call, callee: External, frame: Frame | None
) -> Iterable[Alternative]:
    if isinstance(callee, Computed):
        return (Alternative(callee.result),)
    if callee.name in _SPECIAL:
        return _special(evaluator, module, node, callee.name, frame)
    if callee.name == "super" and not node.args:
        return of_super(evaluator, module, node)
    if callee.name in _PASSING and node.args:
        return _waited(evaluator.values(module, node.args[0], frame))
    if callee.name in _FOLDED and node.args and not node.keywords:
        return _fold(evaluator, module, node, callee.name, frame)
    if callee.name in {"os.environ.get", "os.getenv"} and len(node.args) == 2:
        default = evaluator.values(module, node.args[1], frame)
        return (*default, Alternative(Made("str"), frame=frame))
    if callee.name.endswith(".isoformat") and (node.args or node.keywords):
        return (Alternative(Made("str"), frame=frame),)
    known = rows.of_call(evaluator, module, node, callee.name, frame)
    return known or (Alternative(Made(callee.name), frame=frame),)


def _waited(items: Iterable[Alternative]) -> Iterator[Alternative]:
    for item in items:
        value = item.value
        is_coroutine = isinstance(value, Coroutine)
        yield replaced(item, Task(value.result)) if is_coroutine else item


_NAMESPACE = "types.SimpleNamespace"
_SPECIAL = named_tuples.MAKERS | {"functools.partial", "datetime.timedelta", "type", _NAMESPACE}


def _special(
    evaluator: Evaluator, module: Module, node: ast.Call, name: str, frame: Frame | None
) -> Iterator[Alternative]:
    """Times, ``namedtuple("Slot", "key ttl")``, ``partial(ctx.cache.get, key)``."""
    if name == "datetime.timedelta":
        length = known_calls.duration(evaluator, module, node, frame)
        yield Alternative(length or Made(name), frame=frame)
    elif name == "type":
        found = evaluator.values(module, node.args[0], frame) if len(node.args) == 1 else ()
        for item in found or (Alternative(UNKNOWN),):
            cls = item.value.cls if isinstance(item.value, Instance) else Made(name)
            yield replaced(item, cls)
    elif name == _NAMESPACE:
        yield Alternative(Namespace(name, module, node), frame=frame)
    elif name in named_tuples.MAKERS:
        yield Alternative(TupleClass(name, module, node), frame=frame)
    else:
        callees = evaluator.values(module, node.args[0], frame) if node.args and not frame else ()
        methods = [(item, item.value) for item in callees if isinstance(item.value, SdkMethod)]
        for item, method in methods:
            yield Alternative(Partial(name, method, module, node), item.via, item.origin)
        if len(methods) != len(callees) or not callees:
            yield Alternative(Made(name), frame=frame)


def _fold(
    evaluator: Evaluator, module: Module, node: ast.Call, name: str, frame: Frame | None
) -> Iterator[Alternative]:
    """Compute a pure builtin of constant arguments, for each value of a single argument."""
    rows = [evaluator.values(module, arg, frame) for arg in node.args]
    if len(rows) > 1 and any(len(row) != 1 for row in rows):
        yield Alternative(Made(name), frame=frame)
        return
    for item in rows[0]:
        given = [item.value, *(row[0].value for row in rows[1:])]
        known = [value.value for value in given if isinstance(value, Const)]
        result: Value = Made(name)
        if len(known) == len(given):
            try:
                result = Const(_FOLDED[name](*known))
            except (TypeError, ValueError, OverflowError):
                result = Made(name)
        yield Alternative(result, item.via, frame=frame)


def _of_function(
    evaluator: Evaluator, module: Module, node: ast.Call, callee: Alternative, frame: Frame | None
) -> Iterable[Alternative]:
    function = callee.value
    assert isinstance(function, Function)  # noqa: S101 - the caller looked
    depth = frame.depth + 1 if frame else 1
    if not is_followed(evaluator, function.module, function.node):
        return (Alternative(UNKNOWN),)
    inner = evaluator.frame(Frame(function.node, module, node, frame, function.bound, depth))
    found = returned_once(evaluator, function, inner)
    if isinstance(function.node, ast.AsyncFunctionDef):
        return tuple(replaced(item, Coroutine(item.value)) for item in found)
    return found
