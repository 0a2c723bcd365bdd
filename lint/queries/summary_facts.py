"""What a summary says that neither the code nor the user said before: facts."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

import msgspec

from ..model.arguments import given_in
from ..model.bindings import parameters
from ..model.branches import may_run
from ..model.call_sites import entering_calls
from ..model.conditions import conditions, subjects
from ..model.evaluator import Evaluator
from ..model.module import Module, last_name
from ..model.values import Const, Display, Frame, Value
from ..model.written import written
from ..view import FileView
from .echoes import Echoes
from .payloads import ResultCall
from .shown_facts import fetched_rows
from .text_parts import formatted, inner_texts


class Fact(msgspec.Struct, frozen=True, eq=False):
    """A fact in the summary of a result.

    Attributes:
        node: the part of the text that it is.
        text: where it is put into words: the summary, or what a caller gives to it.
        frame: the call that gives it to the function of the result; None if it stands there.
    """

    node: ast.expr
    text: ast.expr
    frame: Frame | None = None


_DEEPEST = 4
"""Helpers through which a text is handed on."""


def fact_in(
    view: FileView, call: ResultCall, counts: Callable[[Frame], bool] | None
) -> Fact | None:
    """Return a fact in the summary of a result, also one that a caller gives to its function.

    Args:
        view: the file.
        call: the call that makes the result.
        counts: tells which of the callers count; None if all do, and the function itself too.
    """
    text = call.summary
    if text is None:
        return None
    if counts is None:
        found = _own(view.evaluator, view.module, text)
        found = found or fetched_rows(view.evaluator, view.module, text)
        if found is not None:
            return Fact(found, text)
    return _from_callers(view.evaluator, view.module, call.node, text, _DEEPEST, counts)


def _from_callers(
    evaluator: Evaluator,
    module: Module,
    place: ast.Call,
    text: ast.expr,
    depth: int,
    counts: Callable[[Frame], bool] | None = None,
) -> Fact | None:
    """Return a fact that a text gets from the calls of the function around a place."""
    function = module.function(place)
    if function is None or not depth:
        return None
    for frame in entering_calls(evaluator, module, function):
        leads = frame.outer is None and (counts is None or counts(frame))
        leads = leads and may_run(evaluator, module, place, frame)
        if leads and not _is_open(evaluator, module, place, frame):
            fact = _given(evaluator, module, text, frame, depth)
            if fact is not None:
                return fact
    return None


def _is_open(evaluator: Evaluator, module: Module, place: ast.Call, frame: Frame) -> bool:
    """Tell whether a test on the way asks for what a call gives and nobody knows: ``if data:``."""
    asked = (
        name for test, _ in conditions(module, place, rebound=False) for name in subjects(test)
    )
    bound = (evaluator.project.lookup(module, name)[1] for name in asked)
    given = (given_in(frame, found[0].node) for found in bound if found)
    return any(
        not isinstance(item.value, Const) and not _is_text(item.value)
        for node in given
        if node is not None
        for item in evaluator.values(frame.module, node)
    )


def _is_text(value: Value) -> bool:
    return isinstance(value, Display) and isinstance(value.node, ast.JoinedStr | ast.BinOp)


def _own(evaluator: Evaluator, module: Module, text: ast.expr) -> ast.expr | None:
    """Return a fact in a text as its own function puts it together."""
    function = module.function(text)
    for at in written(evaluator, module, text):
        if at.module is module and module.function(at.node) is function:
            for part in _parts(at.node):
                if not _is_known(evaluator, module, part):
                    return part
    return None


def _given(
    evaluator: Evaluator, module: Module, text: ast.expr, frame: Frame, depth: int
) -> Fact | None:
    """Return a fact that one call gives to the function of a text."""
    for name in _given_names(evaluator, module, text, frame):
        _, found = evaluator.project.lookup(module, name)
        given = given_in(frame, found[0].node) if len(found) == 1 else None
        if given is None:
            continue
        fact = _own(evaluator, frame.module, given)
        if fact is None and name is not text and not _is_known(evaluator, frame.module, given):
            fact = given
        if fact is not None:
            return Fact(fact, given, frame)
        further = _from_callers(evaluator, frame.module, frame.call, given, depth - 1)
        if further is not None:
            return further
    rows = fetched_rows(evaluator, module, text, frame)
    return Fact(rows, rows, frame) if rows is not None else None


def _given_names(
    evaluator: Evaluator, module: Module, text: ast.expr, frame: Frame
) -> Iterator[ast.Name]:
    """Yield the names in a text that may be parameters: the text itself, and its parts."""
    if isinstance(text, ast.Name):
        yield text
    for at in written(evaluator, module, text, frame):
        if at.frame is frame and at.module is module:
            yield from (part for part in _parts(at.node) if isinstance(part, ast.Name))


def _parts(text: ast.expr) -> Iterator[ast.expr]:
    """Yield what a text is made of besides what it says itself."""
    if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Add):
        for side in (text.left, text.right):
            yield from _parts(side)
    elif isinstance(text, ast.JoinedStr | ast.BinOp):
        yield from inner_texts(text) or ()
    elif isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute):
        if text.func.attr == "format":
            yield from formatted(text)
    elif isinstance(text, ast.Call) and last_name(text.func) == "str":
        yield from text.args


def _is_known(evaluator: Evaluator, module: Module, node: ast.expr) -> bool:
    if all(isinstance(item.value, Const) for item in evaluator.values(module, node)):
        return True
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Await) for part in parts):
        return False
    function = module.function(node)
    known = {arg.arg for arg in parameters(function)} if function is not None else set[str]()
    names = {part.id: part for part in reversed(parts) if isinstance(part, ast.Name)}
    plain = bool(names) and all(_is_echo(evaluator, module, name, known) for name in names.values())
    return plain or Echoes(evaluator).holds(module, node)


def _is_echo(evaluator: Evaluator, module: Module, name: ast.Name, known: set[str]) -> bool:
    """A parameter, a builtin, an error, or a variable that is made of those only."""
    if name.id in known:
        return True
    _, found = evaluator.project.lookup(module, name)
    if found and all(isinstance(item.node, ast.ExceptHandler) for item in found):
        return True
    values = [item.value for item in found if item.kind == "assign"]
    parts = [part for value in values if value for part in ast.walk(value)]
    return (
        len(values) == len(found)
        and not any(isinstance(part, ast.Await | ast.Call) for part in parts)
        and all(part.id in known for part in parts if isinstance(part, ast.Name))
    )
