"""The secrets that an extension declares, and other facts of its declarations."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import msgspec

from ..files.plain_text import mentions
from ..inference.calls.handlers import EXTENSIONS, sdk_class
from ..inference.project import Project
from ..inference.syntax.module import Module, last_name
from ..inference.values.values import Class, Const, External, Made, SdkClass, Value, types_of
from ..sdk.surface import PACKAGE
from ..view import Access, FileView, ProjectView


class Secret(msgspec.Struct, frozen=True):
    """How a secret is declared.

    Attributes:
        write_mode: who may write it; empty if that is not known.
        scope: ``user`` or ``app``; empty if that is not known.
    """

    write_mode: str
    scope: str


def declared_secrets(extension: ProjectView) -> dict[str, Secret] | None:
    """Return name → declaration of each secret; None if not all of them can be followed."""
    project = extension.project
    if not shows_extension(extension) or unread(project, "secret"):
        return None
    if extension.once(is_handed_away):
        return None
    found = dict(_in_manifest(project.manifest))
    for module in project.mentioning("secret"):
        view = FileView(extension, module)
        if any(_is_hidden(view, access) for access in view.accesses("_secrets", "secret")):
            return None
        for call in module.nodes(ast.Call):
            declared = _declared(view, call)
            if declared is None:
                return None
            found.update(declared)
    return found


def walks_secrets(extension: ProjectView) -> bool:
    """Tell whether code iterates over declared secrets: ``ext.secrets``, ``ctx.secrets.list()``."""
    for module in extension.project.mentioning("secrets"):
        view = FileView(extension, module)
        listed = (owner.value for _, owner in view.calls("list"))
        if any(view.sdk_values(owner, "SecretClient") for owner in listed):
            return True
        accesses = view.accesses("secrets", "_declared_secrets")
        if any(
            access.name != "secrets" or _is_extension(extension, view, access.owner)
            for access in accesses
        ):
            return True
    return False


def _is_hidden(view: FileView, access: Access) -> bool:
    """Tell whether secrets may be declared otherwise than by ``ext.secret(…)``."""
    if access.name == "_secrets":
        return True
    parent = view.module.parents.get(access.node)
    plain = isinstance(access.node, ast.Attribute) and isinstance(parent, ast.Call)
    if plain and isinstance(parent, ast.Call) and parent.func is access.node:
        return False
    if isinstance(parent, (ast.FormattedValue, ast.Compare)):
        return False  # a text or a question: nobody can call it later
    return _is_extension(view.extension, view, access.owner)


def unread(project: Project, text: str) -> bool:
    """Tell whether a text stands in a file that cannot be parsed."""
    return any(
        mentions(source, text) and project.module(path) is None
        for path, source in project.sources.items()
    )


def is_handed_away(extension: ProjectView) -> bool:
    """Tell whether the extension object is passed to external code: ``register(ext)``."""
    for word in _RECEIVED:
        for module in extension.project.naming(word):
            for name in module.names.get(word, ()):
                call = module.parents.get(name)
                if not isinstance(call, ast.Call) or name not in call.args:
                    continue
                if _is_of_extension(extension, module, name) and _is_outside(
                    extension, module, call
                ):
                    return True
    return False


_RECEIVED = ("ext", "app", "extension")


def _is_of_extension(extension: ProjectView, module: Module, name: ast.Name) -> bool:
    found = extension.evaluator.values(module, name)
    return any(sdk_class(extension.evaluator, item.value) in EXTENSIONS for item in found)


def _is_outside(extension: ProjectView, module: Module, call: ast.Call) -> bool:
    found = [item.value for item in extension.evaluator.values(module, call.func)]
    return any(
        isinstance(value, External) and "." in value.name and value.name.split(".")[0] not in _PLAIN
        for value in found
    )


_PLAIN = frozenset({"imperal_sdk", "logging", "json", "inspect", "typing", "asyncio"})


def shows_extension(extension: ProjectView) -> bool:
    """Tell whether the files create the extension object."""
    for name in ("Extension", "App"):
        for module in extension.project.mentioning(name):
            for call in extension.project.calls_by_name(module, name):
                for item in extension.evaluator.values(module, call.func):
                    if isinstance(item.value, (SdkClass, Class)):
                        return True
    return False


def _in_manifest(manifest: dict[str, Any] | None) -> Iterator[tuple[str, Secret]]:
    listed = (manifest or {}).get("secrets")
    for item in listed if isinstance(listed, list) else ():  # pyright: ignore[reportUnknownVariableType]
        if isinstance(item, dict) and isinstance(item.get("name"), str):  # pyright: ignore[reportUnknownMemberType]
            mode, scope = (str(item.get(key, "")) for key in ("write_mode", "scope"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
            yield item["name"], Secret(mode, scope)  # pyright: ignore[reportUnknownArgumentType]


def _declared(view: FileView, call: ast.Call) -> dict[str, Secret] | None:
    """Return the secrets that a call declares; None if one is unknown."""
    if last_name(call.func) == "SecretSpec":
        return None
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "secret":
        return {}
    if not _is_extension(view.extension, view, call.func.value):
        return {}
    given = {item.arg: item.value for item in call.keywords if item.arg}
    name = call.args[0] if call.args else given.get("name")
    texts = _texts(view, name) if name is not None else []
    if not texts or len(given) != len(call.keywords):
        return None
    mode, scope = (_choice(view, given.get(key)) for key in ("write_mode", "scope"))
    return dict.fromkeys(texts, Secret(mode, scope))


def _choice(view: FileView, given: ast.expr | None) -> str:
    """Return a mode or scope argument; the default of both is ``user``."""
    if given is None:
        return "user"
    texts = _texts(view, given)
    return texts[0] if len(texts) == 1 else ""


def _is_extension(extension: ProjectView, view: FileView, owner: ast.expr) -> bool:
    """Tell whether an expression may be the extension; unknown ones may."""
    found = view.values(owner)
    classes = {sdk_class(extension.evaluator, item.value) for item in found}
    return not found or bool(classes & {*EXTENSIONS, ""})


def _texts(view: FileView, node: ast.expr) -> list[str]:
    """Return the strings that an expression may be; empty if one value is unknown."""
    texts: list[str] = []
    for item in view.values(node):
        if not isinstance(item.value, Const) or not isinstance(item.value.value, str):
            return []
        texts.append(item.value.value)
    return texts


UI = "ui."
"""Where the components are, below the SDK's package."""
_COMPONENTS = f"{PACKAGE}.{UI}"
_MADE = types_of(Made)


def made_by(value: Value) -> str:
    """Return ``ui.Text`` for the result of this component function; else empty."""
    if type(value) not in _MADE or not isinstance(value, Made):
        return ""
    return value.of.removeprefix(f"{PACKAGE}.") if value.of.startswith(_COMPONENTS) else ""
