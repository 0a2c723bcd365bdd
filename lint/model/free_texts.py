"""Texts that a user or the classifier fills: what stands in them is anybody's guess."""

from __future__ import annotations

import ast
import re

from .attributes import class_chain
from .evaluator import Evaluator
from .module import FUNCTIONS, Module, last_name
from .values import Class, Frame, Instance

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


def _is_free(evaluator: Evaluator, cls: Class, name: str) -> bool:
    """Tell whether a field is a text without a pattern, a choice or a validator of its own."""
    for owner in class_chain(evaluator, cls):
        methods = [item for item in owner.node.body if isinstance(item, FUNCTIONS)]
        validated = any(
            isinstance(part, ast.Constant) and part.value in {name, "*"}
            for method in methods
            for decorator in getattr(method, "decorator_list", [])
            for part in ast.walk(decorator)
        )
        if validated:
            return False
        for item in owner.node.body:
            if isinstance(item, ast.AnnAssign) and last_name(item.target) == name:
                text = f"{ast.unparse(item.annotation)} {item.value and ast.unparse(item.value)}"
                plain = re.match(r"['\"]?(Optional\[)?str\b|Annotated\[str\b", text)
                return bool(plain) and "pattern=" not in text and "regex=" not in text
    return True


def _is_parameter(evaluator: Evaluator, module: Module, node: ast.Name) -> bool:
    _, found = evaluator.project.lookup(module, node)
    return bool(found) and all(
        binding.kind == "param"
        and isinstance(binding.node, ast.arg)
        and binding.node.annotation is not None
        and ast.unparse(binding.node.annotation) == "str"
        for binding in found
    )
