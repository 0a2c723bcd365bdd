"""Uses of the SDK's private names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import msgspec

from .....reports.lint.findings import Severity
from ....files.plain_text import plain_text
from ....inference.calls.calling import constant_text
from ....inference.values.values import External, ModuleValue
from ....sdk.module_surface import modules
from ....sdk.surface import PACKAGE
from ....sdk_use.import_errors import Runs, failure, importing_calls, never_runs
from ....sdk_use.reach import is_for_type_checkers, is_stubbed
from ....sdk_use.sdk_names import taken_from_sdk
from ....view import Access, FileView

_ERRORS = ("ImportError", "ModuleNotFoundError")
_LONGEST = 4000
"""Bytes of an import that are looked at, so that no text takes long."""
_NAMES = rb"(?:\((?:[^()#]|\#[^\n]*\n){0,%d}|(?:[^\n(]|\\\n){0,%d})" % (_LONGEST, _LONGEST)
_FROM = rb"from(?<!\wfrom)\s+%s[\w.]{0,200}\s+import\b\s*" % PACKAGE.encode()
_PATH = re.compile(rb"%s[\w.]{0,200}\._[A-Za-z]" % PACKAGE.encode())
_IMPORT = re.compile(rb"%s(%s)" % (_FROM, _NAMES))
_PRIVATE = re.compile(rb"\b_[A-Za-z]")
_PACKAGE = re.compile(rb"import(?<!\wimport)\s+%s" % PACKAGE.encode())
_PUBLIC = re.compile(rb"\b[a-z]")
_ATTRIBUTE = re.compile(rb"\.\s*_[A-Za-z]")


_DOORS = frozenset({"_raw_skeleton", "_client"})
"""Names that a rule of their own tells of."""


def private_accesses(view: FileView) -> Iterator[Access]:
    """Yield the uses of private names of SDK objects; not those of the skeleton."""
    for access in view.sdk_accesses:
        name = access.name
        if name.startswith("_") and not name.startswith("__") and name not in _DOORS:
            yield access


class PrivatePath(msgspec.Struct, frozen=True):
    """A use of a private part of the SDK.

    Attributes:
        path: dotted, with the package.
        severity: ``info`` if the code copes without it; None for the rule's.
    """

    node: ast.AST
    path: str
    severity: Severity | None


def may_take(text: bytes) -> bool:
    """Tell whether a file's text may use a private part of a module of the SDK."""
    if PACKAGE.encode() not in text:
        return False
    taken = [found[1] for found in _IMPORT.finditer(text)]
    if any(map(_PRIVATE.search, taken)) or _PATH.search(text):
        return True
    has_modules = any(map(_PUBLIC.search, taken)) or _PACKAGE.search(text) is not None
    return has_modules and _ATTRIBUTE.search(text) is not None


def private_paths(view: FileView) -> Iterator[PrivatePath]:
    """Yield the imports of private parts of the SDK, and uses by attribute."""
    if not may_take(plain_text(view.module.source)) or isinstance(
        view.evaluator.module_named(view.module, PACKAGE), ModuleValue
    ):
        return
    taken: set[str] = set()
    for node, path in (*_imported(view), *_by_name(view)):
        private = _private_part(path)
        if (
            private
            and not is_for_type_checkers(view.module, node)
            and not is_stubbed(view, private)
        ):
            taken.add(private)
            yield PrivatePath(node, f"{PACKAGE}.{private}", _severity(view, node))
    for node, path in _on_modules(view):
        if path not in taken and not is_stubbed(view, path):
            yield PrivatePath(node, f"{PACKAGE}.{path}", "info" if never_runs(view, node) else None)


def _private_part(path: str) -> str:
    """Return a path up to its first private name; empty if it has none."""
    parts = path.split(".")
    for index, part in enumerate(parts, 1):
        if _is_private(part):
            return ".".join(parts[:index])
    return ""


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name != "_"


def _imported(view: FileView) -> Iterator[tuple[ast.AST, str]]:
    for kind in (ast.Import, ast.ImportFrom):
        for statement in view.module.nodes(kind):
            found = list(dict.fromkeys(_private_part(path) for path in taken_from_sdk(statement)))
            yield from ((statement, path) for path in found if path)


def _by_name(view: FileView) -> Iterator[tuple[ast.AST, str]]:
    """``importlib.import_module("imperal_sdk._x")``."""
    for call in importing_calls(view.module):
        text = constant_text(view.evaluator, view.module, call.args[0])
        package, _, path = (text or "").partition(".")
        if package == PACKAGE and path:
            yield call, path


def _on_modules(view: FileView) -> Iterator[tuple[ast.AST, str]]:
    """``imperal_sdk.cache._thing``, also by another name of the module."""
    for node in view.module.nodes(ast.Attribute):
        if not _is_private(node.attr):
            continue
        for item in view.values(node.value):
            name = item.value.name if type(item.value) is External else ""
            package, _, path = name.partition(".")
            is_module = not path or modules(view.surface.version).is_module(path)
            if package == PACKAGE and is_module:
                yield node, f"{path}.{node.attr}" if path else node.attr
                break


def _severity(view: FileView, node: ast.AST) -> Severity | None:
    return "info" if failure(view, node, *_ERRORS).runs <= Runs.CAUGHT else None
