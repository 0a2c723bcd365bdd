"""Members of SDK objects, the certainty that one is missing, and checks of calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

import msgspec

from ...reports.lint.findings import Severity
from ..inference.calls.calling import any_method_of
from ..inference.calls.handlers import sdk_class
from ..inference.syntax.arguments import argument_at
from ..inference.syntax.blocks import LOOPS
from ..inference.syntax.memo import remembered
from ..inference.syntax.module import COMPREHENSIONS, FUNCTIONS, Module
from ..inference.syntax.spelling import names_own
from ..inference.values.models import known_type
from ..inference.values.values import (
    UNKNOWN,
    Alternative,
    Class,
    Computed,
    Const,
    Instance,
    Sdk,
    SdkClass,
    SdkMethod,
    Value,
    is_same_way,
)
from ..sdk.surface import Signature, Surface
from ..view import Access, FileView, ProjectView
from .guards import fallback, guard
from .import_errors import never_runs
from .reach import is_of_package, is_replaced, may_name, setters

FROZEN = frozenset({"UserContext", "TenantContext"})
"""Pydantic models with frozen=True and extra="forbid"."""
_PYDANTIC = frozenset({"copy", "dict", "json", "parse_obj", "parse_raw", "schema", "schema_json",
                       "construct", "validate", "from_orm", "update_forward_refs"})  # fmt: skip


def has(surface: Surface, cls: str, name: str) -> bool:
    """Tell whether a class of the SDK has an attribute, inherited ones included."""
    if surface.member(cls, name) is not None or name.startswith("__"):
        return True
    bases = surface.member(cls, "(bases)")
    is_model = bases is not None and "BaseModel" in bases.text
    return is_model and (name in _PYDANTIC or name.startswith("model_"))


def has_special(view: FileView, cls: str, name: str) -> bool:
    """Tell whether the SDK defines a special method, or the extension patches it in."""
    return view.surface.member(cls, name) is not None or is_replaced(view, cls, name)


def is_attached(
    view: FileView, name: str, owner: str = "", *, own: bool = True, read: ast.AST | None = None
) -> bool:
    """Tell whether the extension itself sets an attribute of that name on anything.

    Args:
        view: a file of the extension.
        name: of the attribute.
        owner: class of the object; attributes of frozen objects are set on their class only.
        own: whether ``self.name = …`` counts in all classes, not only in subclasses of the SDK's.
            If not, ``setattr(x, key, value)`` counts only if ``x`` may be an SDK object.
        read: where it is read; an assignment after it in the same block is too late.
    """
    if owner in FROZEN:
        return is_replaced(view, owner, name)
    return any(
        (read is None or not _is_too_late(module, node, read))
        and (own or _may_be_for_sdk(view, module, node, name))
        for module, node in _attaching(view.extension, name)
    )


@remembered
def _attaching(extension: ProjectView, name: str) -> list[tuple[Module, ast.expr]]:
    """Return the calls of ``setattr`` and the attributes that set one of some name."""
    return [
        (module, node)
        for module in extension.project.naming(name)
        for node in (
            *(call for call in setters(module) if getattr(call.args[1], "value", "") == name),
            *keyed_stores(module),
            *module.stored(name),
        )
    ]


def _may_be_for_sdk(view: FileView, module: Module, node: ast.expr, name: str) -> bool:
    """Tell whether an assignment of an attribute may be to an SDK object."""
    if isinstance(node, ast.Attribute):
        is_other = names_own(node.value) or _is_known_other(view, module, node.value)
        return not is_other or _is_in_sdk_class(view, module, node)
    assert isinstance(node, ast.Call)  # noqa: S101 - of setattr
    return isinstance(node.args[1], ast.Constant) or _may_reach_sdk(view, module, node, name)


def _is_known_other(view: FileView, module: Module, owner: ast.expr) -> bool:
    """Tell whether an object certainly is of a class that extends none of the SDK."""
    found = [item.value for item in view.evaluator.values(module, owner)]
    return bool(found) and all(
        isinstance(value, Instance) and not sdk_class(view.evaluator, value) for value in found
    )


def _is_too_late(module: Module, node: ast.expr, read: ast.AST) -> bool:
    """Tell whether a node runs only after a read: same body, no loop.

    ``before = chat._handle`` ahead of ``chat._handle = …`` is what a wrapper of a method does.
    """
    if read not in module.parents or module.function(node) is not module.function(read):
        return False
    around = takewhile(lambda up: not isinstance(up, FUNCTIONS), module.ancestors(node))
    is_repeated = any(isinstance(up, (*LOOPS, *COMPREHENSIONS)) for up in around)
    first, last = module.statement(read), module.statement(node)
    place, start = (getattr(it, "lineno", 0) for it in (first, last))
    return not is_repeated and (place < start or first is last)


def _is_in_sdk_class(view: FileView, module: Module, node: ast.AST) -> bool:
    """Tell whether a node stands in a class that extends one of the SDK."""
    around = (up for up in module.ancestors(node) if isinstance(up, ast.ClassDef))
    return any(view.evaluator.sdk_base(Class(module, cls)) for cls in around)


def keyed_stores(module: Module) -> list[ast.Call]:
    """Return the calls that set an attribute whose name is computed: ``setattr(x, key, value)``."""
    return [call for call in setters(module) if not isinstance(call.args[1], ast.Constant)]


def _may_reach_sdk(view: FileView, module: Module, store: ast.Call, name: str) -> bool:
    """Tell whether such a call may set an attribute of that name on an SDK object.

    If the object is unknown, the name must be written somewhere in the extension.
    """
    owner, key, _ = store.args
    if not may_name(view.evaluator, module, key, name):
        return False
    found = [item.value for item in view.evaluator.values(module, owner)]
    if any(_is_of_sdk(view, value) for value in found):
        return True
    is_known = found and all(isinstance(it, (Instance, Class)) or known_type(it) for it in found)
    return not is_known and _is_spelt(view, name)


def _is_spelt(view: FileView, name: str) -> bool:
    """Tell whether the extension writes a name as a text or a keyword."""
    return any(
        any(node.value == name for node in module.nodes(ast.Constant))
        or any(node.arg == name for node in module.nodes(ast.keyword))
        for module in view.extension.project.naming(name)
    )


def _is_of_sdk(view: FileView, value: Value) -> bool:
    is_one = isinstance(value, (Sdk, SdkClass, SdkMethod)) or is_of_package(value)
    return is_one or bool(sdk_class(view.evaluator, value))


class Verdict(msgspec.Struct, frozen=True):
    """The certainty of a missing attribute, and the words for it."""

    severity: Severity
    text: str


def is_certain(view: FileView, node: ast.AST, item: Alternative) -> bool:
    """Tell whether an expression has no other value on the same call path."""
    if isinstance(item.value, Sdk) and not item.value.certain:
        return False
    others = [other for other in view.values(node) if is_same_way(item, other)]
    if not _is_one_of_several(view, node):  # then what is not known came another way
        others = [other for other in others if other.value != UNKNOWN or other.via == item.via]
    return all(is_like(other.value, item.value) for other in others)


def _is_one_of_several(view: FileView, node: ast.AST) -> bool:
    """Tell whether an expression has several values within its own function."""
    for part in _spine(node):
        if isinstance(part, (ast.IfExp, ast.BoolOp)):
            return True
        if isinstance(part, ast.Name):
            _, found = view.extension.project.lookup(view.module, part)
            given = found[0].value if len(found) == 1 else None
            parts = _spine(given) if given is not None else ()
            return len(found) > 1 or any(isinstance(it, (ast.IfExp, ast.BoolOp)) for it in parts)
    return False


def _spine(node: ast.AST) -> Iterator[ast.AST]:
    """Yield an expression and its owners: ``a.b().c``, ``a.b()``, ``a.b``, ``a``."""
    part: ast.AST | None = node
    while part is not None:
        yield part
        part = part.func if isinstance(part, ast.Call) else getattr(part, "value", None)
        part = part if isinstance(part, ast.AST) else None


def is_like(other: Value, value: Value) -> bool:
    """Tell whether an alternative does not weaken a finding: same class, or None."""
    if isinstance(other, Const) and other.value is None:
        return True
    if isinstance(value, SdkMethod):
        if isinstance(other, SdkMethod):
            return other.owner.cls == value.owner.cls
        return isinstance(other, Computed) and other.name == any_method_of(value.owner.cls)
    if isinstance(other, Sdk) and isinstance(value, Sdk):
        return other.cls == value.cls
    return other == value


def missing(view: FileView, access: Access, item: Alternative) -> Verdict:
    """Judge the use of an attribute that does not exist."""
    protected = guard(view, access, item.via)
    if protected:
        return Verdict("info", f"{protected} guards it, so this branch never runs")
    if never_runs(view, access.node):
        return Verdict("info", "this branch never runs")
    if access.how == "default":
        instead = fallback(view, access, item)
        if instead:
            return Verdict("info", instead)
        if not is_certain(view, access.owner, item):
            return Verdict("info", "getattr returns its default where the object is of that class")
        return Verdict("warning", "getattr always returns its default")
    if is_certain(view, access.owner, item):
        return Verdict("error", "it raises AttributeError")
    return Verdict("warning", "it raises AttributeError where the object is of that class")


def is_small(node: ast.AST, most: int = 200) -> bool:
    """Tell whether an expression has few enough parts to be written out."""
    stack = [node]
    while stack and most > 0:
        stack.extend(ast.iter_child_nodes(stack.pop()))
        most -= 1
    return not stack


def source_of(node: ast.AST) -> str:
    """Return an expression as text, short enough for a message."""
    if not is_small(node):
        return "this expression"
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 60 else f"{text[:57]}…"


_LOOSE = ast.Await | ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.Compare | ast.IfExp | ast.Lambda


def operand_of(node: ast.expr) -> str:
    """Return an expression as text behind which ``.name`` can stand: ``(await fetch())``."""
    return f"({source_of(node)})" if isinstance(node, _LOOSE) else source_of(node)


def call_problems(call: ast.Call, spec: Signature) -> list[str]:
    """Return the proved problems of a call's arguments."""
    starred = any(isinstance(item, ast.Starred) for item in call.args)
    given = [item.arg for item in call.keywords if item.arg is not None]
    spreads = starred or len(given) != len(call.keywords)
    found: list[str] = []
    if not starred and not spec.variadic and len(call.args) > len(spec.positional):
        most = len(spec.positional)
        found.append(f"takes {most} positional argument{'s' * (most != 1)}, got {len(call.args)}")
    if not spec.open:
        found.extend(f"has no parameter {name}" for name in given if name not in spec.names)
    by_position = () if starred else spec.positional[: len(call.args)]
    found.extend(f"gets {name} twice" for name in given if name in by_position)
    if not spreads:
        lacking = [
            name
            for name in spec.names
            if name in spec.required and name not in given and name not in by_position
        ]
        if lacking:
            found.append(f"needs {' and '.join(lacking)}")
    return found


def is_cured(problems: list[str], written: str, meant: str) -> bool:
    """Tell whether renaming one keyword solves all problems of a call."""
    return set(problems) <= {f"has no parameter {written}", f"needs {meant}"}


def argument_of(call: ast.Call, spec: Signature, name: str) -> ast.expr | None:
    """Return the argument that a call gives to a parameter, if the call shows it."""
    index = spec.positional.index(name) if name in spec.positional else -1
    return argument_at(call, name, index)
