"""FED114: an import of a name that the SDK does not define."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ....reports.lint.findings import Severity
from ...inference.values.values import ModuleValue
from ...rule import Example, Hit, Rule
from ...sdk.module_surface import modules
from ...sdk.releases import version_key, versions
from ...sdk.surface import PACKAGE
from ...sdk_use.certainty import near_names
from ...sdk_use.guards import asked_before, caught
from ...sdk_use.import_errors import Runs, failure
from ...sdk_use.reach import is_for_type_checkers, is_patched, is_stubbed
from ...sdk_use.sdk_names import ROOT, absent
from ...view import FileView
from .support.advice import lifetime

_ERRORS = ("ImportError", "ModuleNotFoundError")
_CATCHING = (*_ERRORS, "Exception")
_ELSEWHERE = "fact_ledger"
"""Reported by FED101."""
_HINTS = {
    "TaskCancelled": "Write from imperal_sdk.chat import TaskCancelled.",
    "CacheClient": "Use ctx.cache.",
    "StoreClient": "Use ctx.store.",
    "db": "Use ctx.store.",
    "tools": "Use await ctx.extensions.call(app_id, method).",
    "ToolsClient": "Use await ctx.extensions.call(app_id, method).",
    "ConfigClient": "Use ctx.config.",
}
_OWNERS = {"Extension": "ext", "ChatExtension": "chat"}
"""Class whose methods register handlers → the usual name of its object."""


def _check(view: FileView) -> Iterator[Hit]:
    if view.surface.key > version_key(versions()[-1]):
        return
    if isinstance(view.evaluator.module_named(view.module, PACKAGE), ModuleValue):
        return
    for statement in view.module.nodes(ast.ImportFrom):
        yield from _from(view, statement)
    for statement in view.module.nodes(ast.Import):
        for alias in statement.names:
            package, _, inner = alias.name.partition(".")
            if package == PACKAGE and inner:
                yield from _judge(view, statement, alias, inner)


def _from(view: FileView, statement: ast.ImportFrom) -> Iterator[Hit]:
    """Check what an import takes from the package: first the module, then the names."""
    package, _, inner = (statement.module or "").partition(".")
    if statement.level or package != PACKAGE or inner.partition(".")[0] == _ELSEWHERE:
        return
    hits = [*_judge(view, statement, statement, inner)] if inner else []
    base = f"{inner}." if inner else ""
    for alias in () if hits else statement.names:
        if alias.name not in {"*", _ELSEWHERE}:
            hits.extend(_judge(view, statement, alias, f"{base}{alias.name}"))
    yield from hits


def _judge(view: FileView, statement: ast.stmt, node: ast.AST, path: str) -> Iterator[Hit]:
    """Report the first part of a dotted path that the SDK does not have."""
    found = None if is_for_type_checkers(view.module, statement) else absent(view.surface, path)
    if found is None or is_patched(view, found[1]) or is_stubbed(view, path):
        return
    module, name = found
    changes = (
        modules(view.surface.version).history(module, name)
        if module
        else view.surface.history(ROOT, name)
    )
    yield _hit(view, statement, node, found, changes)


def _hit(
    view: FileView,
    statement: ast.stmt,
    node: ast.AST,
    lacking: tuple[str, str],
    changes: list[list[str]],
) -> Hit:
    module, name = lacking
    past, since = lifetime(view, changes)
    severity, effect = _effect(view, statement, lacking)
    where = f" in imperal_sdk.{module}" if module else ""
    return Hit(
        node=node,
        message=f"import of {name}: {effect}\n"
        f"{view.sdk} has no {name}{where}{past}. {_advice(view, node, lacking, since)}",
        severity=severity,
    )


def _advice(view: FileView, node: ast.AST, lacking: tuple[str, str], since: str) -> str:
    """Return what to write instead."""
    module, name = lacking
    if since:
        return f"Require imperal-sdk>={since}."
    method = _method(view, name)
    if method:
        return method
    known = modules(view.surface.version)
    offered = known.offered(module) if module else sorted(view.surface.members(ROOT))
    close = near_names(name, offered, most=1, alike=0.8)
    base = f"{PACKAGE}.{module}" if module else PACKAGE
    instead = f"Write from {base} import {close[0]}." if close else _without(view, node)
    return _HINTS.get(name, instead)


def _without(view: FileView, node: ast.AST) -> str:
    """Advise to remove the import and the code that uses its names."""
    aliases = [node] if isinstance(node, ast.alias) else getattr(node, "names", [])
    names = [alias.asname or alias.name for alias in aliases]
    used = [
        name
        for name in names
        if any(isinstance(use.ctx, ast.Load) for use in view.module.names.get(name, ()))
    ]
    what = f"the import and what uses {' and '.join(used)}" if used else "the import"
    return f"Leave {what} out."


def _method(view: FileView, name: str) -> str:
    """Return the method to call if the name is one of an extension object's."""
    for cls, known_as in _OWNERS.items():
        member = view.surface.member(cls, name)
        if member is not None and member.is_method and not name.startswith("_"):
            return f"It is a method of {cls}: write {known_as}.{name}(…)."
    return ""


def _effect(view: FileView, statement: ast.stmt, lacking: tuple[str, str]) -> tuple[Severity, str]:
    """Return the severity and the effect of an import; milder if the code catches the failure."""
    if caught(view.module, statement, *_CATCHING):
        return "info", "the handler of the exception always runs"
    asked = asked_before(view, statement, *lacking)
    if asked:
        return "info", f"{asked} guards it, so this branch never runs"
    comes = failure(view, statement, *_ERRORS)
    if comes.runs is Runs.NEVER:
        return comes.severity, f"it would raise ImportError{comes.effect}"
    return comes.severity, f"it raises ImportError{comes.effect}"


RULE = Rule(
    code="FED114",
    name="nonexistent-import",
    summary="A name or a module that the SDK does not have cannot be imported.",
    severity="error",
    triggers=(PACKAGE,),
    named_here=True,
    check=_check,
    what="""
Compares `from imperal_sdk import name`, `from imperal_sdk.module import name` and
`import imperal_sdk.module` with what the target version offers: its modules and their names.
Private names are not judged, and neither is what the extension puts into the package itself:
`imperal_sdk.name = …`, `sys.modules["imperal_sdk.module"] = …`.

An import that catches `ImportError`, or that stands behind `hasattr`, `find_spec` or a check of the
version, is an info, and so is one in a file whose own import is caught. Behind another condition it
is a warning; one under `if TYPE_CHECKING` is left alone.
""",
    why="""
`ImportError` at the top of a file keeps the whole extension from loading. After an upgrade the name
may be gone; for a lower target it may not have come yet.
""",
    example="from imperal_sdk import ActionResults",
    instead="from imperal_sdk import ActionResult",
    references=("SDK sources: __init__.py",),
    bad=(
        Example(
            "from imperal_sdk import ActionResults, Extension\n\next = Extension('n')\n",
            holds="import ActionResult.",
        ),
        Example(
            "from imperal_sdk import Extension\nfrom imperal_sdk.tools import ToolsClient\n",
            holds="removed in 5.1.0",
        ),
        Example(
            "import imperal_sdk.fact_ledger as ledger\nfrom imperal_sdk import Extension\n",
            holds="fact_ledger",
        ),
        Example(
            "from imperal_sdk import Extension, secret\n",
            holds="write ext.secret(…).",
        ),
        Example("from imperal_sdk import App\n", sdk="5.16.0", holds="(it came with 6.0.0)"),
        Example(
            """
from imperal_sdk import Extension

try:
    from imperal_sdk import Nothing
except ImportError:
    Nothing = None
""",
            severity="info",
        ),
        Example(
            """
import imperal_sdk
from imperal_sdk import Extension

if hasattr(imperal_sdk, "Nothing"):
    from imperal_sdk import Nothing
""",
            holds="hasattr guards it, so this branch never runs",
            severity="info",
        ),
        Example(
            """
import imperal_sdk
from imperal_sdk import Extension

if imperal_sdk.__version__ >= "9":
    from imperal_sdk import Nothing
""",
            holds="a check of the version guards it",
            severity="info",
        ),
    ),
    good=(
        Example(
            """
from typing import TYPE_CHECKING

import imperal_sdk
import imperal_sdk.cache.client
from imperal_sdk import ActionResult as Result, Extension, WebhookResponse, sdl, ui
from imperal_sdk import *
from imperal_sdk.chat import TaskCancelled
from imperal_sdk.testing import MockContext
from imperal_sdk.ui import Button, MODAL_SIZES, theme
from imperal_sdk.ui.base import UINode as Node
from imperal_sdk.ui.theme import AgencyTheme
from imperal_sdk.types.models import HTTPResponse
from imperal_sdk.sdl import *
from imperal_sdk._shared_http import shared_http

if TYPE_CHECKING:
    from imperal_sdk import Anything
"""
        ),
        Example(
            "from imperal_sdk import Extension\nfrom .imperal_sdk import helper\n"
            "from imperal_sdk_extras import more\n"
        ),
    ),
)
