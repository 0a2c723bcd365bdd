"""Whether a context in one call is the handler's own, or that of a chosen user."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....inference.calls.roles import Role
from ....inference.evaluator import Evaluator
from ....inference.flow.branches import may_run
from ....inference.flow.conditions import conditions
from ....inference.flow.predicate_helpers import kept_answer
from ....inference.syntax.arguments import given_in
from ....inference.syntax.bindings import Binding
from ....inference.syntax.module import Module
from ....inference.values.constructor_calls import Place, field_given
from ....inference.values.values import (
    Const,
    Coroutine,
    Frame,
    Function,
    Instance,
    Sdk,
    SdkField,
    SdkMethod,
    frame_of,
)
from ....sdk_use.reach import A_USER, acting
from .system_user import (
    SCOPED_FROM,
    SCOPING,
    asks_who,
    function_asks,
    kept_in_object,
    names_of,
    names_user,
)

OWN = "own"
"""The handler's own context, or what hangs on it."""
SCOPED = "scoped"
"""What ``as_user`` or ``for_user`` gave."""
OPEN = "open"
"""What is not followed."""
Sources = frozenset[str]
_DEPTH = 12
_MOST = 1_000
"""Expressions after which a run is followed no further: real ones have dozens."""
_SAME = ast.Eq | ast.Is | ast.In
_OTHER = ast.NotEq | ast.IsNot | ast.NotIn


class Run:
    """One run of a handler, in which constants and the acting user decide branches.

    Args:
        evaluator: of the extension.
        role: the handler.
    """

    def __init__(self, evaluator: Evaluator, role: Role) -> None:
        self._evaluator = evaluator
        self._role = role
        self._user = acting(role.kind)
        self._depth = 0
        self._steps = 0

    # ---- branches ----------------------------------------------------------------------------

    def reaches(self, module: Module, node: ast.AST, frame: Frame | None) -> bool:
        """Tell whether a node may be evaluated in one call of the function around it."""
        return may_run(self._evaluator, module, node, frame) and not any(
            self._excludes(module, test, frame, truth=truth)
            for test, truth in conditions(module, node, rebound=False)
        )

    def _excludes(
        self, module: Module, test: ast.expr, frame: Frame | None, *, truth: bool
    ) -> bool:
        asks = bool(self._user) and asks_who(self._evaluator, module, test)
        known = self._outcome(module, test, frame) if asks else None
        if known is None and isinstance(test, ast.Attribute):
            known = self._field_is_set(module, test, frame)
        if known is not None:
            return known is not truth
        return asks or names_user(self._evaluator, module, test, frame, truth=truth)

    def _field_is_set(
        self, module: Module, test: ast.Attribute, frame: Frame | None
    ) -> bool | None:
        """Return the truth of a flag that an object got from its constructor."""
        given = field_given(self._evaluator, module, test, frame)
        found = self._evaluator.values(*given) if given is not None else ()
        return _agreed(
            [bool(it.value.value) if isinstance(it.value, Const) else None for it in found]
        )

    def _outcome(self, module: Module, test: ast.expr, frame: Frame | None) -> bool | None:
        """Return the outcome of a test of who runs the code; None if unknown."""
        if not self._user or self._depth > _DEPTH or self._steps > _MOST:
            return None
        self._depth += 1
        self._steps += 1
        try:
            return self._answer(module, test, frame)
        finally:
            self._depth -= 1

    def _answer(self, module: Module, test: ast.expr, frame: Frame | None) -> bool | None:
        if isinstance(test, ast.Compare):
            return self._compared(module, test, frame)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            inner = self._outcome(module, test.operand, frame)
            return None if inner is None else not inner
        if isinstance(test, ast.BoolOp):
            ends = isinstance(test.op, ast.Or)
            answers = [self._outcome(module, part, frame) for part in test.values]
            if ends in answers:
                return ends
            return None if None in answers else not ends
        if isinstance(test, ast.Name):
            kept = kept_answer(self._evaluator, module, test)
            return None if kept is test else self._outcome(module, kept, frame)
        if isinstance(test, ast.NamedExpr | ast.Await):
            return self._outcome(module, test.value, frame)
        if isinstance(test, ast.Attribute):
            given = field_given(self._evaluator, module, test, frame)
            kept_there = kept_in_object(self._evaluator, module, test)
            places = [given] if given else [(*place, None) for place in kept_there]
            return _agreed([self._outcome(*place) for place in places])
        return self._called(module, test, frame) if isinstance(test, ast.Call) else None

    def _compared(self, module: Module, test: ast.Compare, frame: Frame | None) -> bool | None:
        if len(test.ops) != 1 or not isinstance(test.ops[0], _SAME | _OTHER):
            return None
        for asked, side in ((test.left, test.comparators[0]), (test.comparators[0], test.left)):
            names = names_of(self._evaluator, module, side)
            is_id = bool(names) and SCOPED_FROM not in names_of(self._evaluator, module, asked)
            user = self._acting(module, asked, frame) if is_id else ""
            if user:
                return (user in names) is isinstance(test.ops[0], _SAME)
        return None

    def _acting(self, module: Module, asked: ast.expr, frame: Frame | None) -> str:
        """Return whose id an expression is, ``ctx.user.imperal_id``; empty if unknown."""
        for part in ast.walk(asked):
            if isinstance(part, ast.Name):
                found = self.sources(module, part, frame)
                if len(found) == 1 and OPEN not in found:
                    return self._user if OWN in found else A_USER
        return ""

    def _called(self, module: Module, call: ast.Call, frame: Frame | None) -> bool | None:
        answers: list[bool | None] = []
        for function, inner in self._callees(module, call, frame):
            for value in self._returned(function, inner):
                if isinstance(value, ast.Constant):
                    answers.append(bool(value.value) if self._asks(function) else None)
                else:
                    answers.append(self._outcome(function.module, value, inner))
        return _agreed(answers)

    def _asks(self, function: Function) -> bool:
        return function_asks(self._evaluator, function.module, function.node)

    def _returned(self, function: Function, inner: Frame) -> Iterator[ast.expr]:
        """Yield the expressions that one call of a function may return."""
        for value in function.module.returns(function.node):
            if self.reaches(function.module, value, inner):
                yield value

    def _callees(
        self, module: Module, call: ast.Call, frame: Frame | None
    ) -> list[tuple[Function, Frame]]:
        """Return the functions that a call runs; empty if it may run others."""
        if call.func not in module.parents:
            return []
        found = [item.value for item in self._evaluator.values(module, call.func, frame)]
        functions = [value for value in found if isinstance(value, Function)]
        depth = frame.depth + 1 if frame else 1
        return [
            (
                value,
                self._evaluator.frame(Frame(value.node, module, call, frame, value.bound, depth)),
            )
            for value in (functions if len(functions) == len(found) else ())
        ]

    # ---- contexts ----------------------------------------------------------------------------

    def sources(self, module: Module, node: ast.AST, frame: Frame | None) -> Sources:
        """Return whose contexts an expression may be, derive from, or contain."""
        if self._depth > _DEPTH or self._steps > _MOST:
            return frozenset({OPEN})
        self._depth += 1
        self._steps += 1
        try:
            return frozenset(self._sources(module, node, frame))
        finally:
            self._depth -= 1

    def _sources(self, module: Module, node: ast.AST, frame: Frame | None) -> Iterator[str]:
        if isinstance(node, ast.Name):
            yield from self._of_name(module, node, frame)
        elif (place := self._owner(module, node, frame)) is not None:
            yield from self.sources(*place)
        elif isinstance(node, ast.Call):
            yield from self._of_call(module, node, frame)
        elif _parts(node):
            for part in _parts(node):
                if self.reaches(module, part, frame):
                    yield from self.sources(module, part, frame)
        else:
            yield from self._by_value(module, node, frame)

    def _of_name(self, module: Module, name: ast.Name, frame: Frame | None) -> Iterator[str]:
        scope, found = self._evaluator.project.lookup(module, name)
        if not found:
            yield OPEN
        for binding in found:
            if binding.kind == "param":
                yield from self._of_parameter(module, name, scope, binding, frame)
            elif binding.kind not in {"assign", "for"} or binding.value is None or binding.path:
                yield from self._by_value(module, name, frame)
            elif self.reaches(module, binding.node, frame) and not any(
                self._is_replaced(module, binding, later, frame) for later in found
            ):
                yield from self.sources(module, binding.value, frame)

    def _of_parameter(
        self,
        module: Module,
        name: ast.Name,
        scope: ast.AST | None,
        binding: Binding,
        frame: Frame | None,
    ) -> Iterator[str]:
        owner = frame_of(frame, scope)
        given = given_in(owner, binding.node) if owner is not None else None
        if owner is None and self._role.context is binding.node:
            yield OWN
        elif owner is not None and given is not None:
            yield from self.sources(owner.module, given, owner.outer)
        else:
            yield from self._by_value(module, name, frame)

    def _is_replaced(
        self, module: Module, binding: Binding, later: Binding, frame: Frame | None
    ) -> bool:
        """Tell whether ``if user_id: store = …`` certainly rebinds a name in a call."""
        statement, around = binding.node, later.node
        if later is binding or getattr(around, "lineno", 0) <= getattr(statement, "lineno", 0):
            return False
        shared = set(module.ancestors(statement))
        for up in module.ancestors(around):
            if up in shared:
                break
            if not isinstance(up, ast.If):
                return False
        own = set(conditions(module, statement, rebound=False))
        tests = [it for it in conditions(module, around, rebound=False) if it not in own]
        return bool(tests) and all(
            self._excludes(module, test, frame, truth=not truth) for test, truth in tests
        )

    def _of_call(self, module: Module, call: ast.Call, frame: Frame | None) -> Iterator[str]:
        if isinstance(call.func, ast.Attribute) and call.func.attr in SCOPING:
            yield SCOPED
            return
        found: set[str] = set()
        callees = self._callees(module, call, frame)
        for function, inner in callees:
            for value in self._returned(function, inner):
                found.update(self.sources(function.module, value, inner))
            if self._user != A_USER and {OWN, SCOPED} <= found and self._asks(function):
                found.discard(OWN)
        yield from found if callees else self._by_value(module, call, frame)

    def _owner(self, module: Module, node: ast.AST, frame: Frame | None) -> Place | None:
        """Return the expression from which another one derives: ``ctx`` of ``ctx.store``."""
        if isinstance(node, ast.Attribute):
            found = self._evaluator.values(module, node.value, frame)
            if any(isinstance(item.value, Instance) for item in found):
                return field_given(self._evaluator, module, node, frame)
            return module, node.value, frame
        is_passed_on = isinstance(node, ast.Await | ast.NamedExpr | ast.Starred)
        return (module, node.value, frame) if is_passed_on else None

    def _by_value(self, module: Module, node: ast.AST, frame: Frame | None) -> Iterator[str]:
        found = self._evaluator.values(module, node, frame)
        is_followed = bool(found) and all(item.value == Const(None) for item in found)
        for item in found:
            value = item.value
            while isinstance(value, Coroutine):
                value = value.result
            owner = value.owner if isinstance(value, SdkMethod | SdkField) else value
            if isinstance(owner, Sdk):
                is_followed = True
                yield SCOPED if owner.scoped else OWN
        if not is_followed:
            yield OPEN


def _agreed(answers: list[bool | None]) -> bool | None:
    found = set(answers)
    return found.pop() if len(found) == 1 else None


def _parts(node: ast.AST) -> list[ast.expr]:
    """Return the alternatives or the items of an expression."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return node.elts
    return [node.elt] if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp) else []
