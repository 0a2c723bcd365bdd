"""Free text: strings that a user or the classifier fills."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..evaluator import Evaluator
from ..syntax.module import Module, last_name
from ..values.attributes import class_chain
from ..values.definitions import definition
from ..values.fields import is_remade
from ..values.models import is_model
from ..values.values import Class, Frame, Instance
from .text_values import ALLOWED

_AROUND = frozenset({"Annotated", "Optional", "Union"})
_FREE_WORDS = frozenset(
    [
        "query",
        "q",
        "text",
        "title",
        "label",
        "folder",
        "keyword",
        "keywords",
        "search",
        "prompt",
        "message",
        "topic",
        "phrase",
        "question",
        "subject",
        "body",
        "content",
        "description",
    ]
)


def free_name(evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None) -> str:
    """``params.query``: a text field of a model that a user or the classifier fills."""
    if isinstance(node, ast.BoolOp):
        found = (free_name(evaluator, module, part, frame) for part in node.values)
        return next((name for name in found if name), "")
    if isinstance(node, ast.Name) and node.id in _FREE_WORDS:
        return f"{node.id} is free text" if _is_parameter(evaluator, module, node) else ""
    if not isinstance(node, ast.Attribute) or node.attr not in _FREE_WORDS:
        return ""
    base = [item.value for item in evaluator.values(module, node.value, frame)]
    typed = any(
        isinstance(value, Instance) and _is_free(evaluator, value.cls, node.attr) for value in base
    )
    return f"{ast.unparse(node)} is free text" if typed else ""


def chosen(evaluator: Evaluator, module: Module, node: ast.expr, frame: Frame | None) -> str:
    """Return a choice of ``params.sort: Literal["new", "by name"]`` that no key may hold."""
    if not isinstance(node, ast.Attribute):
        return ""
    for item in evaluator.values(module, node.value, frame):
        cls = item.value.cls if isinstance(item.value, Instance) else None
        found = _field(evaluator, cls, node.attr) if cls is not None else None
        for text in _choices(evaluator, *found) if found is not None else ():
            if not ALLOWED.fullmatch(text):
                return f"{ast.unparse(node)} may be {text!r}"
    return ""


def _field(evaluator: Evaluator, cls: Class, name: str) -> tuple[Module, ast.AnnAssign] | None:
    """Return a field of a pydantic model that no validator changes."""
    chain = list(class_chain(evaluator, cls))
    if not is_model(evaluator, cls) or is_remade(evaluator, chain, name):
        return None
    return _declared(chain, name)


def _declared(chain: list[Class], name: str) -> tuple[Module, ast.AnnAssign] | None:
    for owner in chain:
        for item in owner.node.body:
            if isinstance(item, ast.AnnAssign) and last_name(item.target) == name:
                return owner.module, item
    return None


def _choices(evaluator: Evaluator, module: Module, field: ast.AnnAssign) -> list[str]:
    """Return the strings of a field's ``Literal`` type."""
    place = definition(evaluator, module, field.annotation)
    values = _listed(place[1] if place is not None else field.annotation)
    return [each.value for each in values if isinstance(each.value, str)]


def _listed(written: ast.expr) -> Iterator[ast.Constant]:
    """Yield the constants of ``Literal``, also in ``Optional``; not those of a list's items."""
    if isinstance(written, ast.BinOp):
        yield from _listed(written.left)
        yield from _listed(written.right)
    if not isinstance(written, ast.Subscript):
        return
    parts = written.slice.elts if isinstance(written.slice, ast.Tuple) else [written.slice]
    name = last_name(written.value)
    if name == "Literal":
        yield from (part for part in parts if isinstance(part, ast.Constant))
    for part in parts if name in _AROUND else ():
        yield from _listed(part)


def _is_free(evaluator: Evaluator, cls: Class, name: str) -> bool:
    """Tell whether a field is a text without a pattern, a choice or a validator of its own."""
    chain = list(class_chain(evaluator, cls))
    if is_remade(evaluator, chain, name):
        return False
    found = _declared(chain, name)
    if found is None:
        return True
    _, item = found
    text = f"{ast.unparse(item.annotation)} {item.value and ast.unparse(item.value)}"
    plain = re.match(r"['\"]?(Optional\[)?str\b|Annotated\[str\b", text)
    return bool(plain) and "pattern=" not in text and "regex=" not in text


def _is_parameter(evaluator: Evaluator, module: Module, node: ast.Name) -> bool:
    _, found = evaluator.project.lookup(module, node)
    return bool(found) and all(
        binding.kind == "param"
        and isinstance(binding.node, ast.arg)
        and binding.node.annotation is not None
        and ast.unparse(binding.node.annotation) == "str"
        for binding in found
    )
