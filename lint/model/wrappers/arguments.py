"""What a wrapper of the tree gives to the function that it wraps: ``f(Own(ctx), *args)``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

import msgspec

from ..arguments import argument_at, place_of
from ..bindings import parameters
from ..evaluator import Evaluator
from ..module import FunctionNode, Module
from ..remembered import remembered, remembered_in_circles
from ..values import UNKNOWN, Alternative, Class, Frame, Function, Instance
from .decorators import Wrapper, calls_inside, handed_over, hands_over, outer
from .wrapping import wrapping

_READS = frozenset({"get", "items", "keys", "values", "copy"})
_KEYED = frozenset({"pop", "setdefault"})


class Handing(msgspec.Struct, frozen=True, eq=False):
    """A call that a wrapper makes of what it wraps.

    Attributes:
        module: where the wrapper stands.
        inner: the function that makes the call, which others call in place of the wrapped one.
        owner: the class whose object decorates, if ``inner`` is its ``__call__``.
        own: names of the positional parameters of ``inner``, without ``self``.
        call: the call.
        lead: how many positional arguments ``inner`` gets before those that its callers give.
    """

    module: Module
    inner: FunctionNode
    owner: Class | None
    own: tuple[str, ...]
    call: ast.Call
    lead: int = 0


Plain = Callable[[], Iterable[Alternative]]


def handed(
    evaluator: Evaluator,
    module: Module,
    function: FunctionNode,
    arg: ast.arg,
    frame: Frame,
    plain: Plain,
) -> Iterable[Alternative]:
    """Return what a parameter of a decorated function is worth in one call.

    Args:
        evaluator: of the extension.
        module: the file of the function.
        function: what is decorated.
        arg: the parameter.
        frame: the call, which in fact calls the wrapper, or is one that this lets others make.
        plain: what the parameter is worth if wrappers pass everything on.
    """
    changing = _changing(evaluator, module, function)
    made = wrapping(evaluator, module, function)
    if len(changing) > 1 or not made.is_clear:
        return (Alternative(UNKNOWN),)
    if changing == ((),):
        return _by_others(evaluator, made.wrappers, frame, plain)
    found: list[Alternative] = []
    for handing in (each for row in changing for each in row):
        given = _given(evaluator, handing, function, arg, frame)
        found.extend(plain() if given is None else given)
    return found if changing else plain()


def _by_others(
    evaluator: Evaluator, wrappers: tuple[Wrapper, ...], frame: Frame, plain: Plain
) -> Iterable[Alternative]:
    """Return what a parameter is worth if a wrapper lets others call the function.

    Their calls are followed where they are functions of the tree, so that a call of the wrapper
    says nothing then.
    """
    outer = frame.outer
    while outer is not None:
        if any(wrapper.holds(outer.call) for wrapper in wrappers):
            return plain()
        outer = outer.outer
    is_followed = all(_is_followed(evaluator, each) for each in wrappers)
    return (*(() if is_followed else plain()), Alternative(UNKNOWN))


def _is_followed(evaluator: Evaluator, wrapper: Wrapper) -> bool:
    """Tell whether a wrapper hands over to functions of the tree, and not only ``*args``."""
    return all(
        isinstance(item.value, Function) and _shows_another(call)
        for call in handed_over(wrapper)
        for item in evaluator.values(wrapper.function.module, call.func)
    )


def _shows_another(call: ast.Call) -> bool:
    """Tell whether a call that gets a function shows one more argument: ``run(f, ctx, *args)``."""
    shown = [item for item in call.args if not isinstance(item, ast.Starred)]
    return len(shown) + sum(item.arg is not None for item in call.keywords) > 1


def passes_on(evaluator: Evaluator, module: Module, function: FunctionNode) -> bool:
    """Tell whether a function gets from its wrappers, if it has any, what its callers give."""
    is_clear = wrapping(evaluator, module, function).is_clear
    return is_clear and not _changing(evaluator, module, function)


def passes_first(wrapper: Wrapper, position: int) -> bool:
    """Tell whether a wrapper hands on, in its place, what it gets as a positional argument."""
    if hands_over(wrapper):
        return False
    return all(_passes(handing, position) for handing in _handings(wrapper))


def _passes(handing: Handing, position: int) -> bool:
    own, inner, call = handing.own, handing.inner, handing.call
    is_bare = _is_bare(handing)
    stored = (part for part in ast.walk(inner) if isinstance(part, ast.Name))
    changed = {part.id for part in stored if not isinstance(part.ctx, ast.Load)}
    for index, item in enumerate(call.args[: position + 1]):
        held = item.value if isinstance(item, ast.Starred) else item
        name = held.id if isinstance(held, ast.Name) and is_bare else ""
        if name in changed:
            return False
        if isinstance(item, ast.Starred):
            rest = inner.args.vararg
            return rest is not None and rest.arg == name and index == len(own)
        if index == position:
            return index < len(own) and own[index] == name
    return False


def _is_bare(handing: Handing) -> bool:
    """Tell whether the parameters of a wrapper are the only ones around a call."""
    nearest = handing.module.function(handing.call)
    return nearest is handing.inner or (nearest is not None and not parameters(nearest))


# ---- the calls that a wrapper makes ----------------------------------------------------------


_Calls = tuple[tuple[Handing, ...], ...]


@remembered_in_circles(meanwhile=())
def _changing(evaluator: Evaluator, module: Module, function: FunctionNode) -> _Calls:
    """Return the calls of each wrapper that does not just pass everything on.

    An empty row stands for one that lets others call the function.
    """
    found = wrapping(evaluator, module, function).wrappers
    rows = [_handings(each) for each in found]
    changing = [row for row in rows if not all(map(_is_passing, row))]
    changing += [() for each in found if hands_over(each)]
    return tuple(changing)


def _handings(wrapper: Wrapper) -> tuple[Handing, ...]:
    module = wrapper.function.module
    found: list[Handing] = []
    for call in calls_inside(wrapper):
        inner = outer(module, call, wrapper)
        if inner is None:
            continue
        parent = module.parents.get(inner)
        owner = Class(module, parent) if isinstance(parent, ast.ClassDef) else None
        positional = [arg.arg for arg in (*inner.args.posonlyargs, *inner.args.args)]
        lead = wrapper.lead or 0
        own = tuple(it for it in positional[lead + bool(owner) :] if it not in wrapper.wrapped)
        found.append(Handing(module, inner, owner, own, call, lead))
    return tuple(found)


def _is_passing(handing: Handing) -> bool:
    """Tell whether a call hands on all that the wrapper gets: ``f(ctx, *args, **kwargs)``."""
    spec, call = handing.inner.args, handing.call
    written = [ast.unparse(item) for item in (*call.args, *(it.value for it in call.keywords))]
    rest = [f"*{spec.vararg.arg}"] if spec.vararg else []
    named = [spec.kwarg.arg] if spec.kwarg else []
    if spec.defaults or spec.kwonlyargs or [it.arg for it in call.keywords] != [None] * len(named):
        return False
    if not _is_bare(handing) or written != [*handing.own, *rest, *named]:
        return False
    changed = {name.removeprefix("*") for name in written}
    uses = [each for each in ast.walk(handing.inner) if isinstance(each, ast.Name)]
    return not any(
        each.id in changed
        and (not isinstance(each.ctx, ast.Load) or (each.id in named and _key(handing, each)))
        for each in uses
    )


# ---- what one of them gives ------------------------------------------------------------------


def _given(
    evaluator: Evaluator,
    handing: Handing,
    function: FunctionNode,
    arg: ast.arg,
    frame: Frame,
) -> Iterable[Alternative] | None:
    """Return what a call of the wrapped function gives to a parameter; None if just passed on."""
    call, index = handing.call, place_of(function, arg)
    node = argument_at(call, arg.arg, index)
    if node is not None:
        return _worth(evaluator, handing, node, frame)
    before = call.args[: index + 1]
    stars = [at for at, item in enumerate(before) if isinstance(item, ast.Starred)]
    if stars:
        if not _is_rest(evaluator, handing, before[stars[0]]):
            return (Alternative(UNKNOWN),)
        shift = stars[0] - len(handing.own)
        if shift:
            return _shifted(evaluator, arg, index - shift, frame)
        if argument_at(frame.call, "", index - int(frame.bound is not None)) is not None:
            return None
    spread = [item.value for item in call.keywords if item.arg is None]
    if stars and not spread:
        return None
    if spread and arg.arg not in handing.own and _is_named_rest(handing, spread, arg.arg):
        return None
    return (Alternative(UNKNOWN),)


def _worth(
    evaluator: Evaluator, handing: Handing, node: ast.expr, frame: Frame
) -> Iterable[Alternative] | None:
    """Return what an argument is worth that a wrapper writes.

    Its parameters are what the call gives; for a method, whose object the wrapper gets as its
    first one, only what is passed on under its own name is told.
    """
    if frame.bound is None:
        bound = Instance(handing.owner) if handing.owner else None
        call = _completed(handing, frame.call)
        inner = Frame(handing.inner, frame.module, call, frame.outer, bound, frame.depth)
        return evaluator.values(handing.module, node, evaluator.frame(inner))
    if isinstance(node, ast.Name):
        _, found = evaluator.project.lookup(handing.module, node)
        if any(item.kind == "param" for item in found):
            is_same = len(found) == 1 and node.id in handing.own
            return None if is_same else (Alternative(UNKNOWN),)
    return evaluator.values(handing.module, node)


def _completed(handing: Handing, call: ast.Call) -> ast.Call:
    """Return a call with as many arguments before its own as ``partial(…)`` puts there."""
    return _with_lead(call, handing.lead) if handing.lead else call


@remembered
def _with_lead(call: ast.Call, lead: int) -> ast.Call:
    before = [ast.copy_location(ast.Constant(...), call) for _ in range(lead)]
    return ast.copy_location(ast.Call(call.func, [*before, *call.args], call.keywords), call)


def _shifted(
    evaluator: Evaluator, arg: ast.arg, position: int, frame: Frame
) -> Iterable[Alternative]:
    """``f(db, *args)``: everything stands one place further on than in the call."""
    place = position - int(frame.bound is not None)
    node = argument_at(frame.call, arg.arg, place)
    if node is None:
        return (Alternative(UNKNOWN),)
    return evaluator.values(frame.module, node, frame.outer)


def _is_rest(evaluator: Evaluator, handing: Handing, item: ast.expr) -> bool:
    """Tell whether ``*args`` is what the wrapper got."""
    rest, held = handing.inner.args.vararg, item.value if isinstance(item, ast.Starred) else None
    if rest is None or not isinstance(held, ast.Name) or held.id != rest.arg:
        return False
    _, found = evaluator.project.lookup(handing.module, held)
    return [binding.node for binding in found] == [rest]


def _is_named_rest(handing: Handing, spread: list[ast.expr], name: str) -> bool:
    """Tell whether ``**kwargs`` is what the wrapper got, as far as one name is concerned."""
    rest = handing.inner.args.kwarg
    if rest is None or len(spread) != 1 or ast.unparse(spread[0]) != rest.arg:
        return False
    for each in ast.walk(handing.inner):
        if isinstance(each, ast.Name) and each.id == rest.arg:
            key = _key(handing, each)
            if key in {"?", name} or not isinstance(each.ctx, ast.Load):
                return False
    return True


def _key(handing: Handing, use: ast.Name) -> str:
    """Return the key that a use of ``**kwargs`` changes; ``?`` for any, nothing for none."""
    parents = handing.module.parents
    parent = parents.get(use)
    if isinstance(parent, ast.keyword) and parent.arg is None:
        return ""
    key: ast.expr | None = None
    if isinstance(parent, ast.Subscript) and parent.value is use:
        if isinstance(parent.ctx, ast.Load):
            return ""
        key = parent.slice
    elif isinstance(parent, ast.Attribute):
        call = parents.get(parent)
        if parent.attr in _READS:
            return ""
        if parent.attr in _KEYED and isinstance(call, ast.Call) and call.args:
            key = call.args[0]
    elif isinstance(parent, ast.Compare):
        return ""
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else "?"
