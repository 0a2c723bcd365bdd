"""What a class extends, what extends it, and classes of other packages."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from itertools import islice

from ...sdk.module_surface import modules
from ...sdk.surface import MODELS
from ..evaluator import Evaluator
from ..syntax.memo import remembered, remembered_in_circles
from ..syntax.module import Module, last_name
from ..syntax.spelling import names_own
from ..syntax.unpacking import put_in
from .fields import sites
from .values import Class, External, Instance, SdkClass, Value

_MOST = 20


def _made_classes(evaluator: Evaluator, cls: Class) -> tuple[Class, ...]:
    """Return the class, or its subclasses if the extension instantiates those only."""
    return _made_below(evaluator, cls) or (cls,)


def running(evaluator: Evaluator, cls: Class, method: ast.AST) -> tuple[Class, ...]:
    """Return the instantiated classes that do not override a method."""
    made = _made_classes(evaluator, cls)
    return tuple(each for each in made if runs(evaluator, each, method)) or made


def runs(evaluator: Evaluator, cls: Class, method: ast.AST) -> bool:
    """Tell whether instances of a class run a method, and not an override."""
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
    """Return the direct and indirect subclasses of a class."""
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
    """Tell whether the extension calls a class by its name."""
    return any(True for _ in sites(evaluator, cls))


_ABSTRACT = ("collections.abc.", "typing.", "numbers.", "types.", "builtins.", "_collections_abc.")
"""Modules of classes that a dict, a list, a text or None may be an instance of."""
_LOWER = frozenset({
    "datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta",
    "collections.deque", "collections.defaultdict",
})  # fmt: skip

_MODELS = frozenset(
    {
        "pydantic.BaseModel",
        "pydantic.main.BaseModel",
        "pydantic.RootModel",
        "pydantic_settings.BaseSettings",
    }
)


def is_base_model(name: str) -> bool:
    """Tell whether a dotted name is pydantic's base of models, by whatever path."""
    return name.endswith(".BaseModel")


def is_outer_model(evaluator: Evaluator, cls: Value) -> bool:
    """Tell whether a class from outside the tree is a pydantic model: ``sdl.Entity`` too."""
    if isinstance(cls, SdkClass):
        return cls.cls in MODELS
    if not isinstance(cls, External):
        return False
    found = modules(evaluator.surface.version).named(cls.name)
    return cls.name in _MODELS or (found is not None and found.is_model)


def is_abstract(name: str) -> bool:
    """Tell whether a dotted name may be an ABC or protocol, with virtual subclasses."""
    return name == "object" or name.startswith(_ABSTRACT)


def is_special(name: str) -> bool:
    """Tell whether no display and no constant is an instance of a class: ``decimal.Decimal``.

    Not for ``collections.abc.Mapping``, nor for unknown names of other packages.
    """
    root, _, rest = name.partition(".")
    if is_base_model(name) or name in _LOWER:
        return True
    last = rest.rpartition(".")[2]
    return root in sys.stdlib_module_names and not name.startswith(_ABSTRACT) and last[:1].isupper()


_Owner = tuple[Module, ast.expr]
_SETTERS = ("setattr", "__setattr__")
_HOLDERS = ("vars", "__dict__")


def is_set_outside(evaluator: Evaluator, name: str, chain: Iterable[Class] = ()) -> bool:
    """Tell whether code outside of the methods sets an attribute on objects of a class.

    Args:
        evaluator: of the extension.
        name: of the attribute.
        chain: the class and its bases; for these ``setattr(row, key, value)`` counts too.
    """
    nodes = {cls.node for cls in chain}
    return bool(owners(evaluator, name)) or any(
        _class_of(item.value) in nodes
        for module, owner in _of_any_name(evaluator)
        for item in evaluator.values(module, owner)
    )


@remembered
def owners(evaluator: Evaluator, name: str) -> tuple[_Owner, ...]:
    """Return the objects on which an attribute is set, except ``self.name = …`` in methods."""
    found: list[_Owner] = []
    for module in evaluator.project.naming(name):
        stored = (node.value for node in module.stored(name))
        found += ((module, owner) for owner in stored if _is_foreign(module, owner))
        found += ((module, owner) for owner in _named(module, name))
    return tuple(found)


def _is_foreign(module: Module, owner: ast.expr) -> bool:
    """Tell whether an expression is not ``self`` of the method around it.

    ``cls`` counts, since a class method sets it for every object.
    """
    is_own = names_own(owner) and last_name(owner) != "cls"
    return not is_own or module.class_around(owner) is None


@remembered
def _of_any_name(evaluator: Evaluator) -> tuple[_Owner, ...]:
    """Return the objects on which attributes of computed names are set."""
    found = dict.fromkeys(
        module for word in (*_SETTERS, *_HOLDERS) for module in evaluator.project.naming(word)
    )
    return tuple((module, owner) for module in found for owner in _named(module, None))


def _named(module: Module, name: str | None) -> Iterator[ast.expr]:
    """``row`` of ``setattr(row, "at", now)``, ``vars(row)["at"] = now``, ``row.__dict__``."""
    for call in (call for setter in _SETTERS for call in module.calls.get(setter, ())):
        if len(call.args) == 3 and getattr(call.args[1], "value", None) == name:
            yield call.args[0]
    held = [(call.args[0], call) for call in module.calls.get("vars", ()) if call.args]
    held += [(node.value, node) for node in module.attributes("__dict__")]
    for owner, attributes in held:
        keys = [key for key, _ in put_in(module.parents, attributes)]
        if name in keys and _is_foreign(module, owner):
            yield owner


def _class_of(value: Value) -> ast.ClassDef | None:
    cls = value.cls if isinstance(value, Instance) else value
    return cls.node if isinstance(cls, Class) else None
