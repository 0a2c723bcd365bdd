"""Calls that pass on ``*args`` and ``**kwargs`` of their function, for each caller."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import msgspec

from ..inference.calls.call_sites import call_sites
from ..inference.calls.calling import own_nodes
from ..inference.calls.keyword_arguments import collected
from ..inference.syntax.arguments import default_of, shows_all, standing_for
from ..inference.syntax.bindings import Binding, parameters
from ..inference.syntax.module import FUNCTIONS, FunctionNode, Module, last_name
from ..inference.values.values import UNKNOWN, Alternative, Frame, Function, Sdk, Step, Value
from ..view import FileView
from .calls import fully_shown
from .guards import refusal_expected
from .import_errors import never_runs
from .sdk_objects import is_attached, is_like

_DEEPEST = 5
_HOPS = 3
_STRAIGHT = (
    ast.Await,
    ast.Return,
    ast.Expr,
    ast.Assign,
    ast.AnnAssign,
    ast.With,
    ast.AsyncWith,
    ast.keyword,
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.Tuple,
    ast.List,
    ast.Dict,
)
"""Around a call these ask nothing: it happens whenever the function gets there."""
_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom)
_BINDING = ("staticmethod", "classmethod")


class Forwarded(msgspec.Struct, frozen=True):
    """A call with the arguments that one caller passes through.

    Attributes:
        call: with these arguments written out.
        way: the callers' calls, outermost first.
        frame: the same as a frame, in which the callee is read.
    """

    call: ast.Call
    way: tuple[Step, ...] = ()
    frame: Frame | None = None

    def called(self, view: FileView, callee: ast.expr, value: Value) -> list[Alternative]:
        """Return a value of the callee with this call path; empty if the callers give others."""
        found = view.evaluator.values(view.module, callee, self.frame)
        same = [it for it in found if it.value == value]
        ways = {it.via for it in same}
        known = [it.value for it in found if it.value != UNKNOWN or it.via in ways]
        if not all(is_like(it, value) for it in known):
            return []
        return [Alternative(value, (*it.via, *self.way), it.origin, it.frame) for it in same]


def forwarded(view: FileView, call: ast.Call) -> Iterator[Forwarded]:
    """Yield the call for each caller that gives arguments which the function passes through.

    ``def ok(data, **kw): return make(data, **kw)``, called ``ok(1, b=2)``: ``make(data, b=2)``.
    Only if the function always makes the call with unchanged arguments, and the caller certainly
    calls it and expects no exception.
    """
    if not shows_all(call):
        yield from (found for found in _forwarded(view, call, ()) if found.way)


def _forwarded(
    view: FileView, call: ast.Call, inner: tuple[FunctionNode, ...]
) -> Iterator[Forwarded]:
    written = fully_shown(view, call)
    if shows_all(written):
        yield Forwarded(written)
        return
    module, function = view.module, view.module.function(call)
    if (
        not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        or function in inner
        or len(inner) == _DEEPEST
        or not _hands_on(function, written)
        or not _always_makes(view, function, call)
        or is_attached(view, function.name)
    ):
        return
    name = view.evaluator.project_name(module, function)
    for caller, site, bound in call_sites(view.evaluator, module, function):
        place = view if caller is module else FileView(view.extension, caller)
        skip = _skipped(view, function, bound)
        if skip is None or not _is_plain(place, site, function):
            continue
        for outer in _forwarded(place, site, (*inner, function)):
            rest = _rest(function, outer.call, skip)
            if rest is not None:
                depth = outer.frame.depth + 1 if outer.frame else 1
                frame = Frame(function, caller, outer.call, outer.frame, bound, depth)
                yield Forwarded(
                    _with_rest(module, call, written, rest),
                    (*outer.way, Step(caller, site, name)),
                    view.evaluator.frame(frame),
                )


def _hands_on(function: FunctionNode, call: ast.Call) -> bool:
    """Tell whether a call spreads only ``*args`` and ``**kwargs`` of its function."""
    starred = [item.value for item in call.args if isinstance(item, ast.Starred)]
    spread = [item.value for item in call.keywords if item.arg is None]
    return (
        len(starred) < 2 > len(spread)
        and all(_is_rest(function, function.args.vararg, item) for item in starred)
        and all(_is_rest(function, function.args.kwarg, item) for item in spread)
    )


def _is_rest(function: FunctionNode, rest: ast.arg | None, given: ast.expr) -> bool:
    """Tell whether an expression is ``*args`` or ``**kwargs`` of a function, never rebound."""
    name = given.id if isinstance(given, ast.Name) else ""
    return (
        rest is not None
        and rest.arg == name
        and all(
            isinstance(part.ctx, ast.Load)
            for part in ast.walk(function)
            if isinstance(part, ast.Name) and part.id == name
        )
    )


def _always_makes(view: FileView, function: FunctionNode, call: ast.Call) -> bool:
    """Tell whether each run of a function reaches a call, whatever its arguments.

    Tests of other things are the same for all callers: ``if ctx.cache is None``.
    """
    decorators = getattr(function, "decorator_list", [])
    if any(last_name(item) not in _BINDING for item in decorators):
        return False
    around: list[ast.AST] = [call]
    for parent in view.module.ancestors(call):
        if parent is function:
            break
        is_sure = isinstance(parent, _STRAIGHT) or _runs(parent, around[-1])
        if not is_sure and not _is_neutral(view, parent):
            return False
        around.append(parent)
    place = (call.lineno, call.col_offset)
    return all(
        _is_neutral(view, view.module.parents.get(node))
        for node in own_nodes(function)
        if isinstance(node, _LEAVING) and node not in around
        if (node.lineno, node.col_offset) < place
    )


def _is_neutral(view: FileView, branch: ast.AST | None) -> bool:
    """Tell whether a branch does not depend on arguments."""
    return isinstance(branch, ast.If) and not _is_given(view, branch.test)


def _is_given(view: FileView, node: ast.AST, hops: int = _HOPS) -> bool:
    """Tell whether an expression may depend on arguments other than SDK objects."""
    return any(
        _is_given_as(view, name, binding, hops)
        for name in ast.walk(node)
        if isinstance(name, ast.Name)
        for scope, found in [view.evaluator.project.lookup(view.module, name)]
        for binding in (found if isinstance(scope, FUNCTIONS) else ())
    )


def _is_given_as(view: FileView, name: ast.Name, binding: Binding, hops: int) -> bool:
    if binding.kind == "param":
        return not any(isinstance(item.value, Sdk) for item in view.values(name))
    value = binding.assigned
    return not hops or value is None or _is_given(view, value, hops - 1)


def _runs(parent: ast.AST, child: ast.AST) -> bool:
    """Tell whether a child is a body that runs: of ``try``, of a retry loop."""
    if isinstance(parent, ast.For):
        asked = parent.iter
        is_retry = isinstance(asked, ast.Call) and last_name(asked.func) == "range"
        return is_retry and child in parent.body
    return isinstance(parent, ast.Try) and child in parent.body


def _skipped(view: FileView, function: FunctionNode, bound: Value | None) -> int | None:
    """Return the number of bound parameters (``self``); None if unknown."""
    cls = view.module.parents.get(function)
    if isinstance(cls, ast.ClassDef) and _is_extended(view, cls):
        return None
    if view.evaluator.enclosing_class(view.module, function) is None:
        return 0
    return 1 if bound is not None else None


def _is_extended(view: FileView, cls: ast.ClassDef) -> bool:
    """Tell whether a class has subclasses, which may override its method."""
    return any(
        cls.name in {last_name(base) for base in node.bases}
        for module in view.extension.project.naming(cls.name)
        for node in module.nodes(ast.ClassDef)
    )


def _is_plain(view: FileView, site: ast.Call, function: FunctionNode) -> bool:
    """Tell whether a call is not synthetic, certainly calls a function, and is unguarded."""
    if view.module.parents.get(site.func) is not site:
        return False  # ``partial(ok, 1)``: whoever calls that may give more
    callees = [item.value for item in view.values(site.func)]
    return (
        bool(callees)
        and all(isinstance(it, Function) and it.node is function for it in callees)
        and not refusal_expected(view, site)
        and not never_runs(view, site)
    )


class _Rest(msgspec.Struct, frozen=True):
    """The values of ``*args`` and ``**kwargs`` in a call."""

    args: list[ast.expr]
    keywords: list[ast.keyword]


def _rest(function: FunctionNode, given: ast.Call, skip: int) -> _Rest | None:
    """Return the ``*args`` and ``**kwargs`` of a call; None if it does not fit the signature."""
    spec = function.args
    if spec.kwarg is not None and collected(given, function) is None:
        return None
    every = [*spec.posonlyargs, *spec.args]
    bound, positional = every[:skip], every[skip:]
    by_place = {arg.arg for arg in positional[: len(given.args)]}
    nameable = {arg.arg for arg in (*spec.args, *spec.kwonlyargs)}
    own = {item.arg for item in given.keywords if item.arg in nameable}
    rest = _Rest(
        given.args[len(positional) :],
        [item for item in given.keywords if item.arg not in nameable],
    )
    unfit = (rest.args and spec.vararg is None) or (rest.keywords and spec.kwarg is None)
    known = by_place | own | {arg.arg for arg in (*bound, spec.vararg, spec.kwarg) if arg}
    lacking = [
        arg
        for arg in parameters(function)
        if arg.arg not in known and default_of(function, arg) is None
    ]
    return None if unfit or lacking or by_place & own else rest


def _with_rest(module: Module, call: ast.Call, written: ast.Call, rest: _Rest) -> ast.Call:
    """Return a call with ``*args`` and ``**kwargs`` written out."""
    args: list[ast.expr] = []
    for item in written.args:
        args.extend(rest.args if isinstance(item, ast.Starred) else [item])
    keywords: list[ast.keyword] = []
    for item in written.keywords:
        keywords.extend(rest.keywords if item.arg is None else [item])
    return standing_for(module, call, call.func, args, keywords)
