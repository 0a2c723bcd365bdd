"""Where TaskCancelled of ``ctx.progress`` is swallowed, in its function or in callers."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator

import msgspec

from ....inference.calls.call_sites import call_sites
from ....inference.syntax.arguments import given_in
from ....inference.syntax.bindings import parameters
from ....inference.syntax.module import FUNCTIONS, FunctionNode, Module, last_name, own_nodes
from ....inference.values.known_calls import WAITING
from ....inference.values.origins import called, is_left_alone
from ....inference.values.values import UNKNOWN, Alternative, External, Step
from ....sdk_use.guards import BROAD, exception_names
from ....sdk_use.reach import function_around
from ....view import FileView

NAME = "TaskCancelled"
_MOST = 60
_PASSING = WAITING | {"gather"}
"""Functions of asyncio that raise, where they are awaited, what their coroutines raise."""
_HOLDING = (ast.Starred, ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp)

Catcher = ast.ExceptHandler | ast.Call


class Swallowed(msgspec.Struct, frozen=True, eq=False):
    """What catches the exception without raising it again.

    Attributes:
        module: where it stands.
        catcher: the handler, or the call of ``suppress`` or ``gather``.
        at: the call inside of it that raises.
        item: an alternative whose chain shows the calls from there; without any if ``at`` is the
            call of ``ctx.progress`` itself.
    """

    module: Module
    catcher: Catcher
    at: ast.Call
    item: Alternative


class _Place(msgspec.Struct, frozen=True, eq=False):
    """A call that raises the exception."""

    module: Module
    call: ast.Call
    way: tuple[Step, ...] = ()


def swallowed(view: FileView, progress: ast.Call) -> Iterator[Swallowed]:
    """Yield what swallows TaskCancelled of a call of ``ctx.progress``, nearest first.

    Awaited calls of the functions, and those in ``asyncio.gather``, are followed; at most 60.
    """
    todo = deque([_Place(view.module, progress)])
    seen: set[ast.AST] = set()
    while todo:
        place = todo.popleft()
        taken = _taken_by_helper(view, place)
        if taken is not None:
            yield taken
        raised = _raised_at(view, place.module, place.call)
        if raised is None and place.way:
            continue
        catcher, goes_on = _catcher(view, place.module, raised or place.call, inside=place.call)
        if catcher is not None:
            item = Alternative(UNKNOWN, place.way, None)
            yield Swallowed(place.module, catcher, place.call, item)
        function = function_around(place.module, place.call)
        if not goes_on or raised is None or function is None:
            continue
        if function not in seen and len(seen) < _MOST:
            seen.add(function)
            todo.extend(_before(view, place, function))


def _taken_by_helper(view: FileView, place: _Place) -> Swallowed | None:
    """Return what swallows it inside of ``safe`` in ``await safe(step(ctx))``."""
    site = place.module.parents.get(place.call)
    if not isinstance(site, ast.Call) or _raised_at(view, place.module, site) is None:
        return None
    for function, frame in called(view.evaluator, place.module, site, None):
        module, scope = function.module, function.node
        given = (it for it in parameters(scope) if given_in(frame, it) is place.call)
        reads = [name for arg in given for name in module.reads(scope, arg.arg)]
        waiting = module.parents.get(reads[0]) if len(reads) == 1 else None
        if isinstance(waiting, ast.Await):
            catcher, _ = _catcher(view, module, waiting, inside=place.call)
            if catcher is not None:
                return Swallowed(module, catcher, place.call, Alternative(UNKNOWN, place.way))
    return None


def _before(view: FileView, place: _Place, function: FunctionNode) -> Iterator[_Place]:
    """Yield the calls of a function without unknown decorators."""
    if not (isinstance(function, ast.Lambda) or is_left_alone(function)):
        return
    name = view.evaluator.project_name(place.module, function)
    for module, call, _ in call_sites(view.evaluator, place.module, function):
        yield _Place(module, call, (Step(module, call, name), *place.way))


def _raised_at(view: FileView, module: Module, call: ast.Call) -> ast.AST | None:
    """Return the ``await`` or the like that raises a coroutine's exception; None if none does.

    A plain function that returns the coroutine does not raise, but its callers do.
    """
    child: ast.AST = call
    for parent in module.ancestors(call):
        if isinstance(parent, ast.Await):
            return parent
        if _is_iterated(parent, child):
            return child
        if isinstance(parent, ast.Lambda):
            return child
        if isinstance(parent, ast.Return):
            function = function_around(module, call)
            return child if isinstance(function, ast.FunctionDef) else None
        if isinstance(parent, ast.Assign):
            use = _gathered_later(module, parent)
            return _raised_at(view, module, use) if use is not None else None
        if not isinstance(parent, _HOLDING) and not _passes_on(view, module, parent):
            return None
        child = parent
    return None


def _is_iterated(parent: ast.AST, child: ast.AST) -> bool:
    """Tell whether ``async for`` iterates over a node."""
    is_async = isinstance(parent, ast.AsyncFor) or (
        isinstance(parent, ast.comprehension) and bool(parent.is_async)
    )
    return is_async and child is getattr(parent, "iter", None)


def _gathered_later(module: Module, given: ast.Assign) -> ast.Call | None:
    """Return ``gather(*tasks)`` for ``tasks = [step(ctx) for …]``."""
    target = given.targets[0]
    scope = function_around(module, given)
    if len(given.targets) != 1 or not isinstance(target, ast.Name) or scope is None:
        return None
    for read in module.reads(scope, target.id):
        star = module.parents.get(read)
        call = module.parents.get(star) if isinstance(star, ast.Starred) else None
        is_behind = (read.lineno, read.col_offset) > (given.lineno, given.col_offset)
        if is_behind and isinstance(call, ast.Call) and last_name(call.func) == "gather":
            return call
    return None


def _passes_on(view: FileView, module: Module, call: ast.AST) -> bool:
    if not isinstance(call, ast.Call) or last_name(call.func) not in _PASSING:
        return False
    found = view.evaluator.values(module, call.func)
    return bool(found) and all(
        isinstance(item.value, External) and item.value.name.startswith("asyncio.")
        for item in found
    )


def _catcher(
    view: FileView, module: Module, node: ast.AST, *, inside: ast.Call
) -> tuple[Catcher | None, bool]:
    """Return (what swallows the exception raised at a node, whether it leaves the function).

    Args:
        view: of the file that is judged.
        module: the file of the node.
        node: the await, or the like.
        inside: the call of the coroutine, which ``gather`` inside the await may hold.
    """
    gather = _keeps_exceptions(node)
    if gather is not None and gather is not inside:
        return (None if _is_looked_through(module, gather) else gather), False
    child = node
    for parent in module.ancestors(node):
        if isinstance(parent, FUNCTIONS):
            break
        if isinstance(parent, ast.Try) and child in parent.body:
            handler = next((each for each in parent.handlers if _catches(each)), None)
            if handler is not None and not _lets_through(module, handler):
                named = bool(exception_names(handler.type) & {NAME})
                return (None if named or _raises(handler) else handler), False
        dropping = _dropping(view, module, parent, child)
        if dropping is not None:
            return dropping, False
        child = parent
    return None, True


def _keeps_exceptions(node: ast.AST) -> ast.Call | None:
    """Return the call ``gather(…, return_exceptions=True)`` that an ``await`` waits for."""
    call = node.value if isinstance(node, ast.Await) else None
    if not isinstance(call, ast.Call) or last_name(call.func) != "gather":
        return None
    kept = any(
        item.arg == "return_exceptions"
        and isinstance(item.value, ast.Constant)
        and item.value.value is True
        for item in call.keywords
    )
    return call if kept else None


def _is_looked_through(module: Module, gather: ast.Call) -> bool:
    """Tell whether the result of ``await gather(…)`` is used."""
    waiting = module.parents[gather]
    statement = module.parents.get(waiting)
    if isinstance(statement, ast.Expr):
        return False
    scope = function_around(module, gather)
    if not isinstance(statement, ast.Assign) or scope is None:
        return True
    for target in statement.targets:
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
        for part in parts:
            name = part.value if isinstance(part, ast.Starred) else part
            if not isinstance(name, ast.Name):
                return True
            if any(
                isinstance(use.ctx, ast.Load) and scope in module.ancestors(use)
                for use in module.names.get(name.id, ())
            ):
                return True
    return False


def _dropping(view: FileView, module: Module, parent: ast.AST, child: ast.AST) -> ast.Call | None:
    """Return the ``contextlib.suppress`` around a statement that covers TaskCancelled."""
    if not isinstance(parent, ast.With) or child not in parent.body:
        return None
    for item in parent.items:
        call = item.context_expr
        if isinstance(call, ast.Call) and BROAD & set(map(last_name, call.args)):
            found = view.evaluator.values(module, call.func)
            if found and all(each.value == External("contextlib.suppress") for each in found):
                return call
    return None


def _catches(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or bool(exception_names(handler.type) & (BROAD | {NAME}))


def _is_raised_later(module: Module, handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler stores the exception for a later ``raise``: ``failed = e``."""
    kept = {
        target.id
        for node in own_nodes(handler)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name)
        if node.value.id == handler.name
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    function = function_around(module, handler)
    loops = (ast.For, ast.AsyncFor, ast.While)
    if any(isinstance(up, loops) for up in module.ancestors(handler)):
        return False  # it would go on with the next one first
    return any(
        isinstance(node.exc, ast.Name) and node.exc.id in kept
        for node in module.nodes(ast.Raise)
        if kept and node.lineno > handler.lineno and function_around(module, node) is function
    )


def _lets_through(module: Module, handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler always ends in a bare ``raise``."""
    if _is_raised_later(module, handler):
        return True
    last = handler.body[-1]
    if not isinstance(last, ast.Raise) or last.cause is not None:
        return False
    same = last.exc is None or (isinstance(last.exc, ast.Name) and last.exc.id == handler.name)
    ways = (ast.Return, ast.Raise, ast.Continue, ast.Break)
    return same and not any(
        isinstance(node, ways) and node is not last for node in own_nodes(handler)
    )


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in own_nodes(handler))
