"""What is asked of a call or a format string to describe its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..evaluator import Evaluator
from ..syntax.module import FUNCTIONS, Module, last_name
from ..values.attributes import class_chain
from ..values.origins import Written
from ..values.values import Class, External, Frame
from .text_values import (
    EVERY,
    FREE,
    NOTHING_KNOWN,
    UNSAFE,
    Text,
)

_ONE_CLASS = re.compile(r"(\[\^?([^\]\\]|\\[-_.:/wWdDsS])*\]|\\[WDsS])[+*]?")
"""Patterns that are tried out: of one class of characters, so that none of them takes long."""
_FLAGS = frozenset({"ASCII", "A", "IGNORECASE", "I", "UNICODE", "U"})
_GROWING = frozenset({"append", "extend", "insert"})


def dumps_braces(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether a class is a pydantic model that is no RootModel and has no dump of its own."""
    bases: set[str] = set()
    for owner in class_chain(evaluator, cls):
        if any(isinstance(item, FUNCTIONS) for item in owner.node.body):
            return False  # a serializer of its own may make anything
        bases |= {last_name(base) for base in owner.node.bases}
    return "BaseModel" in bases


def several(separator: Text, element: Text) -> Text:
    """Describe an unknown number of parts."""
    if element.chars == FREE:
        return element.changed(FREE, element.longest)
    for times, text in (("parts", element), ("two parts", separator)):
        if text.chars == UNSAFE:
            why = f"join() may have {times}, and then {text.why}"
            return Text(FREE, why=why, is_possible=True)
    return NOTHING_KNOWN


def growths(evaluator: Evaluator, at: Written) -> int | None:
    """Return the number of statements that may extend a list; None if it may change otherwise."""
    if isinstance(at.node, ast.Tuple):
        return 0
    count = 0
    for holder in at.holders:
        for use in holder.mentions(evaluator):
            attribute = holder.module.parents.get(use)
            if not isinstance(attribute, ast.Attribute) or attribute.attr not in _GROWING:
                return None
            count += 1
    return count


def flags_of(call: ast.Call) -> list[ast.expr]:
    """Return what a call gives as ``flags=``."""
    return [item.value for item in call.keywords if item.arg == "flags"]


def tried_pattern(pattern: str, replacement: str, flags: list[ast.expr], every: str) -> str | None:
    """Return the result of a substitution on every kind of character; None if unknown."""
    if not _ONE_CLASS.fullmatch(pattern):
        return None
    names = {name for flag in flags for part in ast.walk(flag) if (name := last_name(part))}
    if not names - {"re"} <= _FLAGS:
        return None
    mode = re.ASCII if names & {"ASCII", "A"} else re.UNICODE
    try:
        made = re.sub(pattern, replacement, every, flags=mode)
    except re.error:
        return None
    keeps_controls = not re.match(r"\[\^|\\[WD]", pattern)
    return f"\n{made}" if keeps_controls and every == EVERY else made


def property_returns(evaluator: Evaluator, cls: Class, name: str) -> tuple[Module, list[ast.expr]]:
    """Return the module of a property and its return expressions; empty for other attributes."""
    for owner in class_chain(evaluator, cls):
        for item in owner.node.body:
            if getattr(item, "name", None) == name:
                marks: list[ast.expr] = getattr(item, "decorator_list", [])
                known = [last_name(mark) in {"property", "cached_property"} for mark in marks]
                return owner.module, owner.module.returns(item) if known == [True] else []
    return cls.module, []


PERCENT = re.compile(r"%%|%(?:\((?P<key>[^()]*)\))?(?P<spec>[-#0 +]*\d*(?:\.\d+)?[sdifrxXeEgGc])")


def given_operands(right: ast.expr, asked: list[re.Match[str]]) -> Iterator[ast.expr | None]:
    """Yield the operand of each conversion; None where it is unknown."""
    keys = [field["key"] for field in asked]
    if any(key is not None for key in keys):
        pairs = zip(right.keys, right.values, strict=True) if isinstance(right, ast.Dict) else ()
        known = {key.value: value for key, value in pairs if isinstance(key, ast.Constant)}
        is_whole = isinstance(right, ast.Dict) and len(known) == len(right.keys)
        yield from (known.get(key) if is_whole else None for key in keys)
        return
    values = right.elts if isinstance(right, ast.Tuple) else [right]
    is_whole = len(asked) == len(values) and not isinstance(right, ast.Dict)
    yield from (values if is_whole else [None] * len(asked))


def calls(
    evaluator: Evaluator, module: Module, node: ast.Call, frame: Frame | None, *names: str
) -> bool:
    """Tell whether a call certainly calls one of these external functions."""
    found = evaluator.values(module, node.func, frame)
    return bool(found) and all(
        isinstance(item.value, External) and item.value.name in names for item in found
    )
