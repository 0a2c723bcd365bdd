"""Calls of functions that are handed on: kept in tables, run over, given to other functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..arguments import callee_of, standing_for
from ..attributes import attribute, class_chain
from ..bindings import parameters
from ..class_changes import makes_itself
from ..conditions import conditions
from ..evaluator import Evaluator
from ..fields import constructor
from ..module import FUNCTIONS, FunctionNode, Module
from ..remembered import remembered_in_circles
from ..spelling import is_none
from ..subclasses import made_classes
from ..values import Alternative, Class, Frame, Function, Instance, ModuleValue, Value, frame_of
from .by_name import got_by_name, got_by_parts
from .keys import Site, SitesOf, entries, may_be
from .uses import Held, Part, Variable, imports_whole, reads_of, uses
from .walk import Arrived, follow

_CALLS = 40


@remembered_in_circles(meanwhile=())
def handed_calls(
    evaluator: Evaluator, sites_of: SitesOf, module: Module, function: FunctionNode
) -> tuple[Site, ...]:
    """Return the calls of a function through tables, names, parameters and the like.

    Args:
        evaluator: of the extension.
        sites_of: returns all calls of a function.
        module: the file of the function.
        function: what is called.
    """
    return tuple(_find(evaluator, sites_of, module, function))


def _find(
    evaluator: Evaluator, sites_of: SitesOf, module: Module, function: FunctionNode
) -> Iterator[Site]:
    owner = evaluator.enclosing_class(module, function)
    registering = list(_registering(evaluator, module, function, Function(module, function)))
    starts = [*_starts(evaluator, sites_of, module, function), *registering]
    calls: list[tuple[Held, ast.Call]] = []
    makers = {_outermost(each) for each in registering}
    for cls in _classes(evaluator, owner) if owner is not None else ():
        makers |= {_outermost(each) for each in _registering(evaluator, cls.module, cls.node, cls)}
        walk = _class_walk(evaluator, sites_of, cls)
        starts += _methods(evaluator, walk, function)
        calls += [each for each in walk.calls if _runs(evaluator, each[0].what, function)]
    if starts:
        calls += follow(evaluator, sites_of, starts).calls
    seen: set[tuple[ast.Call, Frame | None]] = set()
    for held, call in calls:
        if (call, held.frame) in seen or len(seen) >= _CALLS:
            continue
        seen.add((call, held.frame))
        if makers.isdisjoint(held.module.ancestors(call)):
            yield from _sites(evaluator, held, call)


def _outermost(held: Held) -> ast.AST | None:
    """Return the decorator in which what it decorates is used; it may be called there instead."""
    around = list(held.module.functions_around(held.node))
    return around[-1] if around else None


# ---- where it is handed on -------------------------------------------------------------------


def _starts(
    evaluator: Evaluator, sites_of: SitesOf, module: Module, function: FunctionNode
) -> Iterator[Held]:
    """Yield the uses of a function that are no calls."""
    if isinstance(function, ast.Lambda):
        yield Held(module, function, Function(module, function))
        return
    name = function.name
    is_method = isinstance(module.parents.get(function), ast.ClassDef)
    for place in (module,) if _is_inner(module, function) else evaluator.project.naming(name):
        found: list[ast.expr] = []
        found += (use for use in place.names.get(name, ()) if _is_handed(place, use))
        for alias in evaluator.project.aliases(place, name):
            found += (
                use for use in place.names.get(alias, ()) if _is_import(evaluator, place, use)
            )
        if is_method or (place is not module and imports_whole(evaluator, place, module)):
            found += (use for use in reads_of(place, name) if _is_handed(place, use))
        found += got_by_name(place, name)
        for use in found:
            yield from _worth(evaluator, place, use, function)
    if not _is_inner(module, function):
        yield from _got_by_part(evaluator, sites_of, function)


def _got_by_part(
    evaluator: Evaluator, sites_of: SitesOf, function: ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[Held]:
    """Yield ``getattr(self, f"do_{kind}")`` for ``do_load``."""
    for place, call in got_by_parts(evaluator.project, function.name):
        for item in evaluator.values(place, call.args[0]):
            if type(item.value) in {Instance, Class, ModuleValue}:
                for found in attribute(evaluator, item, function.name):
                    if isinstance(found.value, Function) and found.value.node is function:
                        asked = Held(place, call, found.value, (Part("key", function.name),))
                        yield from entries(evaluator, sites_of, asked, *reversed(call.args[:2]))


def _is_import(evaluator: Evaluator, module: Module, use: ast.Name) -> bool:
    """Tell whether an import gives a function the name by which it is handed on."""
    if not _is_handed(module, use):
        return False
    return any(it.kind == "import" for it in evaluator.project.lookup(module, use)[1])


def _is_inner(module: Module, function: ast.AST) -> bool:
    return isinstance(module.parents.get(function), FUNCTIONS)


def _is_handed(module: Module, use: ast.Name | ast.Attribute) -> bool:
    """Tell whether a name is read and not called at once."""
    parent = module.parents.get(use)
    is_callee = type(parent) is ast.Call and parent.func is use
    return not is_callee and type(use.ctx) is ast.Load


def _worth(
    evaluator: Evaluator, module: Module, use: ast.expr, function: FunctionNode
) -> Iterator[Held]:
    for item in evaluator.values(module, use):
        if isinstance(item.value, Function) and item.value.node is function:
            yield Held(module, use, item.value)


def _registering(
    evaluator: Evaluator, module: Module, node: FunctionNode | ast.ClassDef, what: Value
) -> Iterator[Held]:
    """Yield what a decorator of the tree does with a function or class: it puts it in a table."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    for decorator in decorators:
        callees = evaluator.values(module, callee_of(decorator))
        is_ours = any(isinstance(item.value, Function) for item in callees)
        for item in evaluator.values(module, decorator) if is_ours else ():
            made = item.value
            if isinstance(made, Function):
                yield from _in_decorator(evaluator, made, what, item.frame)


def _in_decorator(
    evaluator: Evaluator, made: Function, what: Value, frame: Frame | None
) -> Iterator[Held]:
    for given in parameters(made.node)[int(made.bound is not None) :][:1]:
        variable = Variable(made.module, made.node, given.arg, given)
        for place, use in uses(evaluator, variable):
            if isinstance(use, ast.Name) and _is_handed(place, use):
                yield Held(place, use, what, (), frame)


# ---- methods, by the objects of their class --------------------------------------------------


def _classes(evaluator: Evaluator, owner: Class) -> Iterator[Class]:
    yield from dict.fromkeys((owner, *made_classes(evaluator, owner)))


@remembered_in_circles(meanwhile=Arrived())
def _class_walk(evaluator: Evaluator, sites_of: SitesOf, cls: Class) -> Arrived:
    return follow(evaluator, sites_of, list(_of_class(evaluator, cls)))


def _of_class(evaluator: Evaluator, cls: Class) -> Iterator[Held]:
    """Yield the uses of a class, and the objects that it makes where they are handed on."""
    node = cls.node
    variable = Variable(cls.module, cls.module.scope(node), node.name, node)
    for place, use in uses(evaluator, variable):
        call = place.parents.get(use)
        if not isinstance(call, ast.Call) or call.func is not use:
            yield Held(place, use, cls)
        elif not isinstance(place.parents.get(call), ast.Attribute | ast.Await | ast.Expr):
            yield Held(place, call, Instance(cls))
    yield from _registering(evaluator, cls.module, node, cls)


def _methods(evaluator: Evaluator, walk: Arrived, function: FunctionNode) -> Iterator[Held]:
    name = getattr(function, "name", "")
    for held, read in walk.reads:
        if read.attr == name:
            for item in attribute(evaluator, Alternative(held.what), name):
                if isinstance(item.value, Function) and item.value.node is function:
                    yield msgspec.structs.replace(held, node=read, what=item.value)


def _runs(evaluator: Evaluator, what: Value, function: FunctionNode) -> bool:
    """Tell whether calling a class or an object runs a method: ``__init__`` or ``__call__``."""
    name = getattr(function, "name", "")
    if isinstance(what, Class) and name == "__init__" and makes_itself(evaluator, what):
        return constructor(class_chain(evaluator, what)) is function
    if not isinstance(what, Instance) or name != "__call__":
        return False
    found = attribute(evaluator, Alternative(what), name)
    return any(isinstance(it.value, Function) and it.value.node is function for it in found)


# ---- the calls -------------------------------------------------------------------------------


def _sites(evaluator: Evaluator, held: Held, call: ast.Call) -> Iterator[Site]:
    module, what = held.module, held.what
    around = module.function(call)
    for key, table, name in held.asked:
        is_here = module.function(key) is around
        if is_here and not may_be(evaluator, module, key, held.frame, name, (call, table)):
            return
    if _is_left_out(evaluator, held, call):
        return
    bound = what.bound if isinstance(what, Function) else what
    if isinstance(bound, Class):
        bound = Instance(bound) if isinstance(what, Class) else bound
    full = _with_given(held, call)
    if full is not None and _is_readable(evaluator, held, full):
        yield Site(module, full, bound, held.frame, held.is_own)


def _is_left_out(evaluator: Evaluator, held: Held, call: ast.Call) -> bool:
    """Tell whether a condition asks what is called, or what stands beside it in the table."""
    if not isinstance(call.func, ast.Name):
        return False
    _, found = evaluator.project.lookup(held.module, call.func)
    loops = (it.node for it in found if it.kind == "for")
    parts = (
        part
        for loop in loops
        if isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension)
        for part in ast.walk(loop.target)
    )
    names = {call.func.id, *(part.id for part in parts if isinstance(part, ast.Name))}
    return any(
        isinstance(part, ast.Name) and part.id in names
        for test, _ in conditions(held.module, call, rebound=False)
        if not _asks_if_there(test)
        for part in ast.walk(test)
    )


def _asks_if_there(test: ast.expr) -> bool:
    """``if handler``, ``if handler is None``, ``if callable(handler)``."""
    if isinstance(test, ast.Compare):
        return is_none(test.comparators[0])
    return isinstance(test, ast.Name | ast.NamedExpr | ast.Call)


def _with_given(held: Held, call: ast.Call) -> ast.Call | None:
    """Return a call with what ``partial(load, "notes")`` gives before it; None if that is lost."""
    if not held.given:
        return call
    args, keywords = list(call.args), list(call.keywords)
    for made in reversed(held.given):
        values = [*made.args[1:], *(item.value for item in made.keywords)]
        if not all(isinstance(value, ast.Constant) for value in values):
            return None
        names = {item.arg for item in keywords}
        args = [*made.args[1:], *args]
        keywords += [item for item in made.keywords if item.arg not in names]
    return standing_for(held.module, call, call.func, args, keywords)


def _is_readable(evaluator: Evaluator, held: Held, call: ast.Call) -> bool:
    """Tell whether the arguments of a call say in its frame what they are.

    A function inside the one that got the callee has callers of its own, which nothing ties to it.
    """
    if held.frame is None:
        return True
    given = [*call.args, *(item.value for item in call.keywords)]
    for part in (part for each in given for part in ast.walk(each)):
        if isinstance(part, ast.Name):
            scope, found = evaluator.project.lookup(held.module, part)
            is_given = any(binding.kind == "param" for binding in found)
            if is_given and frame_of(held.frame, scope) is None:
                return False
    return True
