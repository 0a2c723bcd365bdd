"""What the extension itself puts in the place of something of the SDK."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ..model.evaluator import Evaluator
from ..model.module import Module, last_name
from ..model.remembered import remembered
from ..model.values import Const, External, SdkClass, Value
from ..sdk.surface import PACKAGE
from ..view import FileView, ProjectView

_STORING = frozenset({"setdefault", "update"})


def is_patched(view: FileView, name: str) -> bool:
    """Tell whether the extension itself puts something of that name into a module of the SDK."""
    return _sets(view.extension, name, is_of_package)


def is_replaced(view: FileView, cls: str, name: str) -> bool:
    """Tell whether the extension gives a class of the SDK an attribute: ``Page.next = f``.

    What it gives to a base of the class counts, and another class in the place of this one.
    """
    bases = view.surface.member(cls, "(bases)")
    given = {cls, *(bases.text.split(", ") if bases is not None else ())}

    def is_of_class(value: Value) -> bool:
        return isinstance(value, SdkClass) and value.cls in given

    return _sets(view.extension, name, is_of_class) or is_patched(view, cls)


def is_stubbed(view: FileView, path: str) -> bool:
    """Tell whether the extension puts a module of its own in the place of a module of the SDK.

    ``sys.modules["imperal_sdk.tools"] = stub``

    Args:
        view: a file of the extension.
        path: dotted, below the package; what hangs on a module counts too.
    """
    parts = path.split(".")
    stubs = view.extension.once(_stubs)
    return any(".".join(parts[:count]) in stubs for count in range(1, len(parts) + 1))


def is_of_package(value: Value) -> bool:
    """Tell whether a value is a module of the SDK, or a name from one."""
    return isinstance(value, External) and value.name.partition(".")[0] == PACKAGE


def _sets(extension: ProjectView, name: str, is_owner: Callable[[Value], bool]) -> bool:
    values = extension.evaluator.values
    for module, owner in _owners(extension, name):
        if any(is_owner(item.value) for item in values(module, owner)):
            return True
    return any(
        any(is_owner(item.value) for item in values(module, owner))
        and may_name(extension.evaluator, module, key, name)
        for module, owner, key in extension.once(_set_by_function)
    )


@remembered
def _owners(extension: ProjectView, name: str) -> list[tuple[Module, ast.expr]]:
    """Return what gets an attribute of some name by assignment."""
    return [
        (module, node.value)
        for module in extension.project.naming(name)
        for node in module.stored(name)
    ]


def _set_by_function(extension: ProjectView) -> list[tuple[Module, ast.expr, ast.expr]]:
    """Return what gets an attribute by ``setattr``, and the name of that."""
    return [
        (module, call.args[0], call.args[1])
        for module in extension.project.naming("setattr")
        for call in setters(module)
    ]


def setters(module: Module) -> list[ast.Call]:
    """Return the calls of ``setattr(x, key, value)`` in a file."""
    found = (call for call in module.calls.get("setattr", ()) if isinstance(call.func, ast.Name))
    return [call for call in found if len(call.args) == 3]


def may_name(evaluator: Evaluator, module: Module, key: ast.expr, name: str) -> bool:
    """Tell whether a computed name may be this one."""
    told = [item.value for item in evaluator.values(module, key)]
    return not told or any(not isinstance(it, Const) or it.value == name for it in told)


def _stubs(extension: ProjectView) -> frozenset[str]:
    """Return the modules of the SDK, below the package, which the extension replaces."""
    values = extension.evaluator.values
    named = (
        item.value.value
        for module in extension.project.naming("modules")
        for key in _keys(module)
        for item in values(module, key)
        if isinstance(item.value, Const) and isinstance(item.value.value, str)
    )
    start = f"{PACKAGE}."
    return frozenset(name[len(start) :] for name in named if name.startswith(start))


def _keys(module: Module) -> Iterator[ast.expr]:
    """Yield the keys that a file gives a value in ``sys.modules``."""
    for node in module.nodes(ast.Subscript):
        if isinstance(node.ctx, ast.Store) and last_name(node.value) == "modules":
            yield node.slice
    for call in (call for name in _STORING for call in module.calls.get(name, ())):
        is_table = isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "modules"
        for given in call.args[:1] if is_table else ():
            yield from filter(None, given.keys) if isinstance(given, ast.Dict) else (given,)
