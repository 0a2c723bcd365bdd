"""Models of the extension that extend models of the SDK: ``class Note(sdl.Entity)``."""

from __future__ import annotations

import ast

from ..inference.syntax.arguments import callee_of
from ..inference.syntax.module import last_name
from ..inference.values.attributes import class_chain
from ..inference.values.values import Class, External, Value
from ..sdk.module_surface import Callee, modules
from ..sdk.surface import Signature
from ..view import FileView

_HARMLESS = frozenset({"pydantic.BaseModel", "typing.Generic", "abc.ABC", "object"})
_CHANGING = frozenset({"__init__", "__new__", "model_config"})
_VALIDATORS = frozenset({"model_validator", "root_validator"})


def required_by_sdk(view: FileView, cls: Class) -> tuple[str, Signature] | None:
    """Return (SDK model, signature of its required fields) that a class extends.

    None if it extends none, or its own code may fill in missing fields.
    """
    owners = list(class_chain(view.evaluator, cls))
    bases = [_base(view, value) for value in view.evaluator.bases(cls)]
    models = [base for base in bases if isinstance(base, Callee)]
    if not models or None in bases or any(_may_fill_in(owner.node) for owner in owners):
        return None
    given = {name for owner in owners for name in _defaults(owner.node)}
    specs = [model.signature for model in models]
    if None in specs:
        return None
    required = {name for spec in specs if spec is not None for name in spec.required} - given
    names = tuple(sorted(required))
    path = models[0].path.rpartition(".")[2]
    return path, Signature((), names, frozenset(required), variadic=False, open=True)


def _base(view: FileView, value: Value) -> Callee | str | None:
    """Return the SDK model that a base is; a string for a harmless base, None if unknown."""
    if isinstance(value, Class):
        return "in the tree"
    if not isinstance(value, External):
        return None
    found = modules(view.surface.version).named(value.name)
    if found is not None:
        return found if found.is_model else None
    return value.name if value.name in _HARMLESS else None


def _may_fill_in(node: ast.ClassDef) -> bool:
    if node.keywords or node.decorator_list:
        return True
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            called = map(callee_of, item.decorator_list)
            if item.name in _CHANGING or any(last_name(part) in _VALIDATORS for part in called):
                return True
        elif isinstance(item, (ast.Assign, ast.AnnAssign)):
            targets = item.targets if isinstance(item, ast.Assign) else [item.target]
            if any(last_name(target) in _CHANGING for target in targets):
                return True
        elif not isinstance(item, (ast.Expr, ast.Pass)):
            return True
    return False


def _defaults(node: ast.ClassDef) -> set[str]:
    """Return the fields that a class redeclares, so that they may have a default."""
    found: set[str] = set()
    for item in node.body:
        if isinstance(item, ast.AnnAssign):
            plain = item.value is None and "Field" not in ast.unparse(item.annotation)
            found |= set() if plain else {last_name(item.target)}
        elif isinstance(item, ast.Assign):
            found |= {last_name(target) for target in item.targets}
    return found
