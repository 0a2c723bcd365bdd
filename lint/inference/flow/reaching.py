"""Which bindings of a name reach a use of it in the same scope."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ..syntax.bindings import Binding
from ..syntax.blocks import Loop, breaks_of, is_endless, leaves
from ..syntax.module import Module

State = frozenset[Binding] | None
"""The bindings that may hold; None where control does not come."""

Outcome = Callable[[ast.expr], bool | None]
"""Says how a test always turns out; None if it may turn out either way."""


class Reaching:
    """Finds the bindings of one name that reach its uses in the same scope.

    Structured: blocks, branches, loops and ``try`` are followed; jumps out of loops are
    approximated by keeping every binding inside the loop, but those out of ``while True`` are
    followed. Where the outcome of a test is known, only its branch counts.
    """

    def __init__(
        self, module: Module, scope: ast.AST, found: list[Binding], outcome: Outcome
    ) -> None:
        self._module = module
        self._scope = scope
        self._bindings = found
        self._outcome = outcome
        self._path: set[ast.AST] = set()
        self._answer: State = None
        self._inner: dict[ast.AST, list[Binding]] = {}
        self._breaking: set[ast.AST] = set()
        self._left: list[frozenset[Binding]] = []
        for binding in found:
            for up in (binding.node, *module.ancestors(binding.node)):
                self._inner.setdefault(up, []).append(binding)

    def at(self, use: ast.AST) -> list[Binding]:
        """Return the bindings that may hold at a use, in source order."""
        body = getattr(self._scope, "body", None)
        if not isinstance(body, list):
            return self._bindings
        self._path = {use, *self._module.ancestors(use)}
        self._answer = None
        start = frozenset(item for item in self._bindings if item.kind == "param")
        self._block(body, start)  # pyright: ignore[reportUnknownArgumentType]
        answer = self._answer
        return self._bindings if answer is None else [it for it in self._bindings if it in answer]

    def _block(self, statements: list[ast.stmt], state: State) -> State:
        for statement in statements:
            if state is None or self._answer is not None:
                return state
            state = self._statement(statement, state)
        return state

    def _statement(self, node: ast.stmt, state: frozenset[Binding]) -> State:
        holds_use = node in self._path
        if not holds_use and node not in self._inner and node not in self._breaking:
            return None if leaves(node, self._module.swallowing) else state
        step = _STEPS.get(type(node))
        if step is not None:
            return step(self, node, state)
        own = self._inner.get(node, [])
        if holds_use:
            walrus = [item for item in own if isinstance(item.node, ast.NamedExpr)]
            self._answer = state | frozenset(walrus)
        return frozenset(own[-1:]) if own else state

    def _header(self, node: ast.AST | None, state: frozenset[Binding]) -> frozenset[Binding]:
        """Apply the bindings of a condition, and stop if the use stands in it."""
        if node is None:
            return state
        state |= frozenset(self._inner.get(node, []))
        if node in self._path:
            self._answer = state
        return state

    def if_(self, node: ast.If, state: frozenset[Binding]) -> State:
        """Join both branches, unless the use is reached by one of them only."""
        state = self._header(node.test, state)
        if node not in self._path:
            taken = self._outcome(node.test)
            if taken is not None:
                return self._block(node.body if taken else node.orelse, state)
        return _join(self._block(node.body, state), self._block(node.orelse, state))

    def loop(self, node: Loop, state: frozenset[Binding]) -> State:
        """Join the state before the loop with everything that the loop binds."""
        header = node.test if isinstance(node, ast.While) else node.iter
        state = self._header(header, state)
        inner = frozenset(self._inner.get(node, []))
        before = state | inner
        targets = frozenset(item for item in inner if item.node is node)
        if targets:
            before = targets | frozenset(item for item in inner if item.node is not node)
        if is_endless(node):
            return self._endless(node, before)
        ran = self._block(node.body, before)
        after = ran if ran is not None and _certainly_runs(node) else state | inner
        return self._block(node.orelse, after)

    def _endless(self, node: Loop, before: frozenset[Binding]) -> State:
        """Join the states at each ``break`` of ``while True``."""
        for jump in breaks_of(node):
            self._breaking.update((jump, *self._module.ancestors(jump)))
        around, self._left = self._left, []
        self._block(node.body, before)
        found, self._left = self._left, around
        return frozenset[Binding]().union(*found) if found else None

    def break_(self, _node: ast.Break, state: frozenset[Binding]) -> State:
        """Keep the state with which the loop is left."""
        self._left.append(state)
        return None

    def with_(self, node: ast.With | ast.AsyncWith, state: frozenset[Binding]) -> State:
        """Run the body once; a context that swallows exceptions may leave it anywhere."""
        for item in node.items:
            state = self._header(item.context_expr, state)
        inner = self._inner.get(node, [])
        own = frozenset(item for item in inner if item.node is node)
        result = self._block(node.body, own or state)
        may_break_off = node in self._module.swallowing
        return _join(result, state | frozenset(inner)) if may_break_off else result

    def try_(self, node: ast.Try, state: frozenset[Binding]) -> State:
        """A handler may see any binding of the body."""
        inside = frozenset(
            binding for statement in node.body for binding in self._inner.get(statement, [])
        )
        result = self._block(node.body, state)
        if result is not None:
            result = self._block(node.orelse, result)
        for handler in node.handlers:
            named = frozenset(item for item in self._inner.get(handler, []) if item.node is handler)
            result = _join(result, self._block(handler.body, named or (state | inside)))
        at_last = frozenset(it for step in node.finalbody for it in self._inner.get(step, ()))
        self._left = [left | at_last for left in self._left]
        last = result if result is not None else state | inside
        after = self._block(node.finalbody, last)
        return None if result is None else after

    def match(self, node: ast.Match, state: frozenset[Binding]) -> State:
        """Join the cases with the state before."""
        state = self._header(node.subject, state)
        result: State = state
        for case in node.cases:
            own = frozenset(self._inner.get(case.pattern, []))
            result = _join(result, self._block(case.body, own or state))
        return result


def _certainly_runs(node: Loop) -> bool:
    """Tell whether a loop certainly runs its body: ``for bad in "@.+":``."""
    items = node.iter if isinstance(node, ast.For) else None
    is_filled = (isinstance(items, ast.Constant) and bool(items.value)) or (
        isinstance(items, (ast.Tuple, ast.List))
        and any(not isinstance(item, ast.Starred) for item in items.elts)
    )
    return is_filled and not any(
        isinstance(part, (ast.Break, ast.Continue)) for step in node.body for part in ast.walk(step)
    )


def _join(left: State, right: State) -> State:
    if left is None or right is None:
        return right if left is None else left
    return left | right


_STEPS: dict[type[ast.AST], Callable[[Reaching, Any, frozenset[Binding]], State]] = {
    ast.Break: Reaching.break_,
    ast.If: Reaching.if_,
    ast.For: Reaching.loop,
    ast.AsyncFor: Reaching.loop,
    ast.While: Reaching.loop,
    ast.With: Reaching.with_,
    ast.AsyncWith: Reaching.with_,
    ast.Try: Reaching.try_,
    ast.Match: Reaching.match,
}
_TRY_STAR: type[ast.AST] | None = getattr(ast, "TryStar", None)
if _TRY_STAR is not None:
    _STEPS[_TRY_STAR] = Reaching.try_
