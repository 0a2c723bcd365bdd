"""The constructor calls of extensions, and the validator's view of their arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from ...reports.lint.findings import Severity
from ..inference.calls.calling import constant_text
from ..inference.calls.handlers import EXTENSIONS, sdk_class
from ..inference.syntax.arguments import shows_all
from ..inference.syntax.module import FUNCTIONS, Module, last_name
from ..inference.values.values import Alternative, Const, SdkClass, Value
from ..rule import Hit
from ..sdk.surface import Surface
from ..view import FileView, ProjectView, asked_once
from .calls import arguments, shown
from .certainty import creation, is_alone

TRIGGER = "Extension"
_FIELDS = frozenset(
    {"app_id", "version", "display_name", "description", "icon", "actions_explicit"}
)
_SOMETIMES = (
    ast.If,
    ast.IfExp,
    ast.BoolOp,
    ast.For,
    ast.While,
    ast.Match,
    *FUNCTIONS,
)
_RECEIVERS = frozenset({"ext", "app", "extension"})


class ExtensionCall(msgspec.Struct, frozen=True, eq=False):
    """A call ``Extension(…)`` of the SDK's own class.

    Attributes:
        node: the call.
        given: name → argument, for those written out.
        is_whole: whether all are.
        is_certain: whether it always runs on import, and the callee is certain.
    """

    node: ast.Call
    given: dict[str, ast.expr]
    is_whole: bool
    is_certain: bool


class Problem(msgspec.Struct, frozen=True):
    """An argument that the validator refuses.

    Attributes:
        node: the argument, or the callee if it is missing.
        text: what is wrong, in words.
        value: what was given; the default if nothing was.
        severity: a warning if only some values are wrong.
    """

    node: ast.expr
    text: str
    value: object
    severity: Severity


@asked_once
def extension_calls(view: FileView) -> tuple[ExtensionCall, ...]:
    """Return the calls of a file that create an extension; not those of a fallback."""
    return tuple(_made(view))


def _made(view: FileView) -> Iterator[ExtensionCall]:
    for call in view.extension.project.calls_by_name(view.module, TRIGGER):
        callees = view.values(call.func)
        if not any(item.value == SdkClass("Extension") for item in callees):
            continue
        around = list(view.module.ancestors(call))
        if any(map(_stands_in, around)):
            continue
        certain = len(callees) == 1 and not any(isinstance(up, _SOMETIMES) for up in around)
        given, whole = arguments(view, call, "Extension", "__init__"), shows_all(shown(view, call))
        yield ExtensionCall(call, given, is_whole=whole, is_certain=certain)


def _stands_in(parent: ast.AST) -> bool:
    """Tell whether a node's children are a fallback: in ``except``, or ``if __name__ == …``."""
    if isinstance(parent, ast.If):
        return "__name__" in {getattr(part, "id", "") for part in ast.walk(parent.test)}
    return isinstance(parent, ast.ExceptHandler)


def problem_of(
    view: FileView, made: ExtensionCall, name: str, wrong: Callable[[object], str]
) -> Problem | None:
    """Return the problem of one argument, if it certainly has one.

    Args:
        view: the file.
        made: the call.
        name: of the argument; one that is not given has the default of the target version.
        wrong: says in words what is wrong with a value; an empty text if nothing is.
    """
    node = made.given.get(name)
    found = (
        _of_given(view, node, wrong) if node is not None else _of_default(view, made, name, wrong)
    )
    if found is None or name in view.extension.once(_given_later):
        return None
    return found if made.is_certain else msgspec.structs.replace(found, severity="warning")


def refused(view: FileView, found: Problem, number: str, advice: str) -> Hit:
    """Return the hit for a problem, with the number of the validator's rule."""
    return Hit(
        node=found.node,
        message=f"{found.text}\nThe validator of {view.sdk}, which gates publishing, refuses it "
        f"({number}). {advice}",
        severity=found.severity,
    )


def no_text(name: str, shown_value: str) -> str:
    """Return the message for an argument that is no string, on which the validator crashes."""
    return f"{name} is {shown_value}, no text, on which the check raises an exception"


def _of_default(
    view: FileView, made: ExtensionCall, name: str, wrong: Callable[[object], str]
) -> Problem | None:
    default = default_of(view.surface, name) if made.is_whole else None
    text = wrong(default.value) if default is not None else ""
    return Problem(made.node.func, text, default.value, "error") if default and text else None


def _of_given(view: FileView, node: ast.expr, wrong: Callable[[object], str]) -> Problem | None:
    def is_wrong(item: Alternative) -> bool:
        return isinstance(item.value, Const) and bool(wrong(item.value.value))

    for item in view.values(node):
        if isinstance(item.value, Const) and is_wrong(item):
            certain = is_alone(view, node, item, is_wrong)
            value = item.value.value
            return Problem(node, wrong(value), value, "error" if certain else "warning")
    return None


def declared_id(view: FileView, made: ExtensionCall) -> str:
    """Return the ``app_id`` of an extension; empty if unknown or ambiguous."""
    node = made.given.get("app_id")
    text = constant_text(view.evaluator, view.module, node) if node is not None else None
    return text or ""


def app_id_of(view: FileView, owner: ast.expr) -> str:
    """Return the id of the extension that a name holds; empty if unknown or ambiguous."""
    created = creation(view.evaluator, view.module, owner)
    if created is None or "app_id" in view.extension.once(_given_later):
        return ""
    for module in view.extension.project.mentioning(TRIGGER):
        file = FileView(view.extension, module)
        for made in extension_calls(file):
            if made.node is created:
                return declared_id(file, made)
    return ""


def own_app_id(extension: ProjectView) -> str:
    """Return the id of the linted extension; empty if unknown or ambiguous."""
    views = (FileView(extension, module) for module in extension.project.mentioning(TRIGGER))
    made = [(view, each) for view in views for each in extension_calls(view)]
    found = {declared_id(view, each) if each.is_certain else "" for view, each in made}
    named = (extension.project.manifest or {}).get("app_id")
    found |= {named} if isinstance(named, str) else set[str]()
    is_known = len(found) == 1 and "app_id" not in extension.once(_given_later)
    return found.pop() if is_known else ""


def default_of(surface: Surface, name: str) -> Const | None:
    """Return the default of a parameter of ``Extension`` in one release; None if it has none."""
    member = surface.member("Extension", "__init__")
    return _defaults(member.text[member.text.index("(") :]).get(name) if member else None


@cache
def _defaults(signature: str) -> dict[str, Const]:
    node = ast.parse(f"def f{signature}: ...").body[0]
    assert isinstance(node, ast.FunctionDef)  # noqa: S101 - the text was built so
    spec = node.args
    names = [*spec.posonlyargs, *spec.args]
    pairs: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True),
        *zip(spec.kwonlyargs, spec.kw_defaults, strict=True),
    ]
    return {arg.arg: Const(value.value) for arg, value in pairs if isinstance(value, ast.Constant)}


def _given_later(extension: ProjectView) -> frozenset[str]:
    """Return the attributes that are set on an extension later, ``ext.icon = …``."""
    return frozenset(
        name
        for name in _FIELDS
        if any(_stores(extension, module, name) for module in extension.project.naming(name))
    ) | frozenset(
        name
        for module in extension.project.naming("setattr")
        for call in module.calls.get("setattr", ())
        if len(call.args) == 3 and _may_be_extension(extension, module, call.args[0])
        for name in _set_by(call.args[1])
    )


def _stores(extension: ProjectView, module: Module, name: str) -> bool:
    return any(_may_be_extension(extension, module, node.value) for node in module.stored(name))


def _set_by(name: ast.expr) -> Iterable[str]:
    if isinstance(name, ast.Constant):
        return [name.value] if isinstance(name.value, str) else []
    return _FIELDS


def _may_be_extension(extension: ProjectView, module: Module, owner: ast.expr) -> bool:
    values = [item.value for item in extension.evaluator.values(module, owner)]
    if any(sdk_class(extension.evaluator, value) in EXTENSIONS for value in values):
        return True
    unknown = not values or any(type(value) is Value for value in values)
    return unknown and last_name(owner) in _RECEIVERS
