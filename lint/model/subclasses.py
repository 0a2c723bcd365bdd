"""Of which classes ``self`` is, in a method that subclasses inherit."""

from __future__ import annotations

import ast
from itertools import islice

from .evaluator import Evaluator
from .fields import sites
from .module import last_name
from .remembered import remembered_in_circles
from .values import Class

_MOST = 20


def _made_classes(evaluator: Evaluator, cls: Class) -> tuple[Class, ...]:
    """Return the classes of which the objects of a class are, as far as the tree makes any.

    That is the class itself, unless the tree makes objects of its subclasses only.
    """
    return _made_below(evaluator, cls) or (cls,)


def running(evaluator: Evaluator, cls: Class, method: ast.AST) -> tuple[Class, ...]:
    """Return those of them that run a method of the class, and not one of their own instead."""
    made = _made_classes(evaluator, cls)
    return tuple(each for each in made if runs(evaluator, each, method)) or made


def runs(evaluator: Evaluator, cls: Class, method: ast.AST) -> bool:
    """Tell whether objects of a class run a method; not one that a subclass replaces for them."""
    name = getattr(method, "name", "")
    for owner in (cls, *evaluator.bases(cls)):
        body = owner.node.body if isinstance(owner, Class) else []
        own = [it for it in body if getattr(it, "name", None) == name]
        if own and not any(it is method or _calls_super(it, name) for it in own):
            return False
        if method in own:
            return True
    return False


def _calls_super(function: ast.AST, name: str) -> bool:
    return any(
        isinstance(part, ast.Attribute)
        and part.attr == name
        and isinstance(part.value, ast.Call)
        and last_name(part.value.func) == "super"
        for part in ast.walk(function)
    )


@remembered_in_circles(meanwhile=())
def _made_below(evaluator: Evaluator, cls: Class) -> tuple[Class, ...]:
    below = subclasses(evaluator, cls)
    if not below or _is_made(evaluator, cls):
        return ()
    return tuple(each for each in below if _is_made(evaluator, each))


def subclasses(evaluator: Evaluator, cls: Class) -> list[Class]:
    """Return the classes of the tree that extend a class, theirs included."""
    found = [cls]
    for base in islice(found, _MOST + 1):
        for module in evaluator.project.naming(base.node.name):
            for node in module.nodes(ast.ClassDef):
                if base.node.name not in map(_name_of, node.bases):
                    continue
                each = Class(module, node)
                if each not in found and base in evaluator.bases(each):
                    found.append(each)
    return found[1:]


def _name_of(base: ast.expr) -> str:
    return last_name(base.value if isinstance(base, ast.Subscript) else base)


def _is_made(evaluator: Evaluator, cls: Class) -> bool:
    """Tell whether the tree calls a class by its name."""
    return any(True for _ in sites(evaluator, cls))
