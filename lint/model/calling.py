"""What a call returns, and what a function's callers give to its parameters."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator

from . import folding, known_calls
from .alternatives import replaced
from .annotations import annotated, named_type
from .arguments import argument_at, shows_all
from .attributes import attribute
from .bindings import parameters
from .call_sites import call_sites
from .decorators import remakes
from .evaluator import Evaluator
from .keyword_arguments import collected
from .module import FUNCTIONS, FunctionNode, Module
from .values import (
    UNKNOWN,
    Alternative,
    Class,
    Computed,
    Const,
    Coroutine,
    Display,
    External,
    Frame,
    Function,
    Instance,
    Made,
    Sdk,
    SdkClass,
    SdkMethod,
    Step,
    Value,
)

_FRAMES = 6
_PASSING = frozenset(
    {"asyncio.wait_for", "asyncio.shield", "asyncio.create_task", "asyncio.ensure_future"}
)
_NEW_INSTANCE = frozenset(
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
        return _getattr(evaluator, module, node, frame)
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
        for callee in () if known else attribute(evaluator, base, func.attr):
            yield from _result(evaluator, module, node, callee, frame)


_FOLLOWED = known_calls.TEXT_METHODS | known_calls.VIEWS | {"get", "encode"}


def _of_method(
    evaluator: Evaluator, module: Module, node: ast.Call, base: Alternative, frame: Frame | None
) -> tuple[Alternative, ...]:
    """Return what a method of a text or a dict returns; nothing if it is not followed."""
    return known_calls.of_method(evaluator, module, node, base, frame) or folding.got(
        evaluator, module, node, base, frame
    )


def _getattr(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> Iterator[Alternative]:
    name = constant_text(evaluator, module, node.args[1], frame)
    if name is None:
        yield Alternative(UNKNOWN)
    else:
        for base in evaluator.values(module, node.args[0], frame):
            yield from attribute(evaluator, base, name)
    for default in node.args[2:]:
        yield from evaluator.values(module, default, frame)


def constant_text(
    evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None = None
) -> str | None:
    """Return the one text that an expression is worth, if it is known."""
    found = evaluator.values(module, node, frame)
    if (
        len(found) == 1
        and isinstance(found[0].value, Const)
        and isinstance(found[0].value.value, str)
    ):
        return found[0].value.value
    return None


def _result(
    evaluator: Evaluator, module: Module, node: ast.Call, callee: Alternative, frame: Frame | None
) -> Iterable[Alternative]:
    value = callee.value
    if isinstance(value, Function):
        return _of_function(evaluator, module, node, callee, frame)
    if isinstance(value, Class):
        return (Alternative(Instance(value)),)
    if isinstance(value, SdkClass):
        return (Alternative(Sdk(value.cls)),)
    if isinstance(value, Sdk) and evaluator.surface.member(value.cls, "__call__"):
        value = SdkMethod(value, "__call__")
    if isinstance(value, SdkMethod):
        found = _of_sdk(evaluator, value)
        return (Alternative(found, callee.via, callee.origin),)
    if isinstance(value, External):
        return _of_external(evaluator, module, node, value, frame)
    return _of_unknown(evaluator, module, node, frame)


def _of_unknown(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None
) -> Iterable[Alternative]:
    """``Model.model_validate(…)`` and ``instance.model_copy()`` of a class of the tree."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in _NEW_INSTANCE:
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
    return Coroutine(found, f"{owner.cls}.{method.name}") if member.is_async else found


def _of_external(
    evaluator: Evaluator, module: Module, node: ast.Call, callee: External, frame: Frame | None
) -> Iterable[Alternative]:
    if isinstance(callee, Computed):
        return (Alternative(callee.result),)
    if callee.name == "datetime.timedelta":
        length = known_calls.duration(evaluator, module, node, frame)
        return (Alternative(length or Made(callee.name), frame=frame),)
    if callee.name == "super" and not node.args:
        return _of_super(evaluator, module, node)
    if callee.name in _PASSING and node.args:
        return evaluator.values(module, node.args[0], frame)
    if callee.name in _FOLDED and node.args and not node.keywords:
        return _fold(evaluator, module, node, callee.name, frame)
    if callee.name in {"os.environ.get", "os.getenv"} and len(node.args) == 2:
        default = evaluator.values(module, node.args[1], frame)
        return (*default, Alternative(Made("str"), frame=frame))
    if callee.name.endswith(".isoformat") and (node.args or node.keywords):
        return (Alternative(Made("str"), frame=frame),)
    return (Alternative(Made(callee.name), frame=frame),)


def _of_super(evaluator: Evaluator, module: Module, node: ast.Call) -> Iterator[Alternative]:
    """``super()``: an instance of the first base that the tree knows."""
    cls = next((up for up in module.ancestors(node) if isinstance(up, ast.ClassDef)), None)
    bases = evaluator.bases(Class(module, cls)) if cls is not None else ()
    base = next((base for base in bases if isinstance(base, Class)), None)
    yield Alternative(Instance(base) if base is not None else UNKNOWN)


def _fold(
    evaluator: Evaluator, module: Module, node: ast.Call, name: str, frame: Frame | None
) -> Iterator[Alternative]:
    """Compute a harmless builtin of known arguments; of one argument for each of its values."""
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
    inner = evaluator.frame(Frame(function.node, module, node, frame, function.bound, depth))
    found = _returned(evaluator, function, inner)
    if isinstance(function.node, ast.AsyncFunctionDef):
        maker = function.node.name
        found = tuple(replaced(item, Coroutine(item.value, maker)) for item in found)
    if remakes(evaluator, function.module, function.node):
        return (*found, Alternative(UNKNOWN))
    return found


def _returned(evaluator: Evaluator, function: Function, frame: Frame) -> tuple[Alternative, ...]:
    node = function.node
    if isinstance(node, ast.Lambda):
        return evaluator.values(function.module, node.body, frame)
    typed = annotated(evaluator, function.module, node.returns)
    if isinstance(typed, Instance | Sdk):
        return (Alternative(typed),)
    if frame.depth > _FRAMES or function.module.is_generator(node):
        return (Alternative(typed if isinstance(typed, Made) else UNKNOWN),)
    found: list[Alternative] = []
    for value in function.module.returns(node):
        found.extend(evaluator.values(function.module, value, frame))
    if isinstance(typed, Made) and found:
        return tuple(replaced(item, typed) if item.value == UNKNOWN else item for item in found)
    return tuple(found) or (Alternative(Const(None)),)


def returns(function: FunctionNode) -> Iterator[ast.expr]:
    """Yield what a function returns, not what functions inside it return."""
    for node in own_nodes(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value


def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body without those of functions and classes inside it."""
    body: list[ast.AST] | ast.AST = getattr(function, "body", [])
    stack: list[ast.AST] = list(reversed(body)) if isinstance(body, list) else [body]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


# ---- arguments -------------------------------------------------------------------------------


def argument(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg, frame: Frame
) -> Iterable[Alternative]:
    """Return the value of a parameter in one call."""
    is_method = evaluator.enclosing_class(module, function) is not None
    bound = is_method and frame.bound is not None
    if bound and parameters(function)[:1] == [arg]:
        assert frame.bound is not None  # noqa: S101 - just looked
        return (Alternative(frame.bound),)
    if arg is function.args.kwarg:
        display = collected(frame.call, function)
        return (
            Alternative(Display(frame.module, display) if display else UNKNOWN, frame=frame.outer),
        )
    given = argument_node(frame.call, function, arg, skip=int(bound))
    if given is not None:
        return evaluator.values(frame.module, given, frame.outer)
    default = default_of(function, arg)
    if default is not None and shows_all(frame.call):
        return evaluator.values(module, default)
    return (Alternative(UNKNOWN),)


def argument_node(
    call_node: ast.Call, function: FunctionNode, arg: ast.arg, *, skip: int
) -> ast.expr | None:
    """Return the argument that a call gives to a parameter, if the call shows it."""
    positional = [*function.args.posonlyargs, *function.args.args]
    index = positional.index(arg) - skip if arg in positional else -1
    return argument_at(call_node, arg.arg, index)


def default_of(function: FunctionNode, arg: ast.arg) -> ast.expr | None:
    """Return the default of a parameter."""
    spec = function.args
    positional = [*spec.posonlyargs, *spec.args]
    if arg in positional:
        index = positional.index(arg) - (len(positional) - len(spec.defaults))
        return spec.defaults[index] if index >= 0 else None
    if arg in spec.kwonlyargs:
        return spec.kw_defaults[spec.kwonlyargs.index(arg)]
    return None


def from_callers(
    evaluator: Evaluator, module: Module, function: FunctionNode, arg: ast.arg
) -> list[Alternative]:
    """Return what the calls in the tree give to a parameter, each with the call as its way."""
    name = evaluator.project_name(module, function)
    return [
        Alternative(item.value, (*item.via, Step(caller, node, name)), item.origin, item.frame)
        for caller, node, bound in call_sites(evaluator, module, function)
        for item in argument(
            evaluator, module, function, arg, Frame(function, caller, node, None, bound)
        )
    ]
