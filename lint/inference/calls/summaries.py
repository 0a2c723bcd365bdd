"""What a function returns: worked out once for all calls that give it the same."""

from __future__ import annotations

import ast
from typing import Any, TypeVar

from ..evaluator import Alternatives, Evaluator
from ..limits import SUMMARIES
from ..syntax.module import FunctionNode, Module
from ..values.values import (
    Alternative,
    Computed,
    Const,
    Coroutine,
    Display,
    Frame,
    Function,
    Namespace,
    Reading,
    Rows,
    Step,
    Summary,
    Value,
    types_of,
)
from .call_arguments import argument
from .returned import returned

_Part = TypeVar("_Part")
_IN_CALL = types_of(Display, Function, Namespace)
"""Values whose parts are read in the call in which they were made."""


def returned_once(evaluator: Evaluator, function: Function, frame: Frame) -> Alternatives:
    """Return what a function returns in a call; by an earlier call that gave it the same."""
    node = function.node
    if not evaluator.is_new(frame) or not _stands_alone(function.module, node):
        return returned(evaluator, function, frame)
    known = evaluator.summaries.setdefault(node, [])
    for summary in known:
        found = _adapted(evaluator, function, summary, frame)
        if found is not None:
            return found
    cuts = evaluator.cuts
    frame.reading = reading = Reading(frame.depth)
    try:
        found = returned(evaluator, function, frame)
    finally:
        frame.reading = None
    if cuts == evaluator.cuts and not reading.is_used and len(known) < SUMMARIES:
        known.append(Summary(frame, reading.given, reading.deepest - frame.depth, found))
    return found


def _stands_alone(module: Module, node: FunctionNode) -> bool:
    """Tell whether a function reads no names of functions around it."""
    return not isinstance(node, ast.Lambda) and module.function(node) is None


def _adapted(
    evaluator: Evaluator, function: Function, summary: Summary, frame: Frame
) -> Alternatives | None:
    """Return what a call returns by what another did; None if they give something else."""
    ways = _Ways(evaluator, summary.frame, frame)
    for arg, old in summary.given.items():
        new = tuple(argument(evaluator, function.module, function.node, arg, frame))
        if len(new) != len(old) or not all(map(ways.match, old, new)):
            return None
    found = [ways.put(item) for item in summary.found]
    known = tuple(item for item in found if item is not None)
    if len(known) < len(found) or evaluator.is_deep(frame, summary.levels):
        return None
    return known


class _Ways:
    """Puts the ways by which values reached one call in place of those that lead to another.

    Args:
        evaluator: of the extension.
        old: a call.
        new: another one of the same function.
    """

    def __init__(self, evaluator: Evaluator, old: Frame, new: Frame) -> None:
        self._evaluator = evaluator
        self._old = old
        self._deeper = new.depth - old.depth
        self._frames: dict[Frame | None, Frame | None] = {None: None, old: new}
        self._vias: dict[tuple[Step, ...], tuple[Step, ...]] = {(): ()}
        self._origins: dict[object, tuple[Module, ast.AST] | None] = {None: None}
        self._is_other = False

    def match(self, old: Alternative, new: Alternative) -> bool:
        """Tell whether two arguments are worth the same; note by which ways they came."""
        if not _is_same(old.value, new.value) or len(old.via) != len(new.via):
            return False
        if type(old.value) in _IN_CALL and old.frame is not new.frame:
            return False
        self._is_other = self._is_other or old != new
        return (
            _paired(self._vias, old.via, new.via)
            and _paired(self._origins, old.origin, new.origin)
            and _paired(self._frames, old.frame, new.frame)
        )

    def put(self, item: Alternative) -> Alternative | None:
        """Return what the new call returns for what the old one did; None if it is not known."""
        via = self._vias.get(item.via, None if self._is_other else item.via)
        origin = self._origins.get(item.origin, item.origin)
        if via is None or not self._is_known(item.frame):
            return None
        return Alternative(item.value, via, origin, self._frame(item.frame))

    def _is_known(self, frame: Frame | None) -> bool:
        """Tell whether the new call has one that stands for a call."""
        while frame not in self._frames:
            if frame is None or frame.outer is None:
                return not self._is_other
            frame = frame.outer
        return True

    def _frame(self, frame: Frame | None) -> Frame | None:
        if frame is None or frame in self._frames:
            return self._frames[frame]
        outer = self._frame(frame.outer)
        if outer is frame.outer:
            return frame
        depth = frame.depth + self._deeper
        return self._evaluator.frame(
            Frame(frame.function, frame.module, frame.call, outer, frame.bound, depth)
        )


def _is_same(one: Value, other: Value) -> bool:
    """Tell whether two values are one, also by type: ``1`` is not ``True``."""
    if one is other:
        return True
    if type(one) is not type(other) or one != other:
        return False
    if isinstance(one, Const) and isinstance(other, Const):
        return repr(one.value) == repr(other.value)
    if isinstance(one, Coroutine) and isinstance(other, Coroutine):
        return _is_same(one.result, other.result)
    return not isinstance(one, (Rows, Computed))


def _paired(known: dict[Any, _Part], old: _Part, new: _Part) -> bool:
    """Note that one thing stands for another; tell whether neither stands for a third."""
    if old in known:
        return known[old] == new
    is_free = new not in known.values()
    known[old] = new
    return is_free
