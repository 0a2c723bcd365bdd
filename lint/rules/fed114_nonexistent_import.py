"""FED114: an import that the SDK cannot satisfy."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from ...reports.lint.findings import Severity
from ..model.module import FUNCTIONS
from ..model.values import ModuleValue
from ..queries.guards import asked_before, caught
from ..queries.sdk_names import is_for_types, is_patched
from ..rule import Example, Hit, Rule
from ..sdk.module_surface import modules
from ..sdk.surface import PACKAGE, version_key, versions
from ..view import FileView

_ROOT = ""
"""Under which the surface keeps the names and modules of the package itself."""
_CATCHING = ("ImportError", "ModuleNotFoundError", "Exception")
_ELSEWHERE = "fact_ledger"
"""Reported by FED101."""
_HINTS = {
    "TaskCancelled": "Write from imperal_sdk.chat import TaskCancelled.",
    "CacheClient": "Use ctx.cache.",
    "StoreClient": "Use ctx.store.",
    "db": "Use ctx.store.",
    "tools": "Use ctx.extensions.call(app_id, method).",
    "ToolsClient": "Use ctx.extensions.call(app_id, method).",
    "ConfigClient": "Use ctx.config.",
}


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
    """Judge what an import takes from the package: its module, then its names."""
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
    """Judge a dotted path: its first part that the SDK does not have."""
    first = path.partition(".")[0]
    if path.startswith("_") or is_for_types(view, statement):
        return
    if first not in view.surface.members(_ROOT):
        changes = view.surface.history(_ROOT, first)
        yield _hit(view, statement, node, ("", first), changes)
        return
    known = modules(view.surface.version)
    absent = known.absent(path)
    if absent is not None and not is_patched(view, absent[1]):
        yield _hit(view, statement, node, absent, known.history(*absent))


def _hit(
    view: FileView,
    statement: ast.stmt,
    node: ast.AST,
    absent: tuple[str, str],
    changes: list[list[str]],
) -> Hit:
    module, name = absent
    removed = [since for since, text in changes if not text and view.surface.at_least(since)]
    past = f" (removed in {removed[-1]})" if removed else ""
    if changes and not removed:
        past = f" (it came with {changes[0][0]})"
    effect = _never_runs(view, statement, name)
    severity: Severity = "info" if effect else "error"
    where = f" in imperal_sdk.{module}" if module else ""
    return Hit(
        node=node,
        message=f"{view.sdk} has no {name}{where} to import{past}: "
        f"{effect or _effect(view, statement)}. "
        f"{_advice(view, absent, changes[0][0] if changes and not removed else '')}",
        severity=severity,
    )


def _advice(view: FileView, absent: tuple[str, str], since: str) -> str:
    """Return what to write instead."""
    module, name = absent
    if since:
        return f"Require imperal-sdk>={since}."
    known = modules(view.surface.version)
    offered = known.offered(module) if module else sorted(view.surface.members(_ROOT))
    close = difflib.get_close_matches(name, offered, n=1, cutoff=0.8)
    base = f"{PACKAGE}.{module}" if module else PACKAGE
    instead = f"Write from {base} import {close[0]}." if close else "Leave the import out."
    return _HINTS.get(name, instead)


def _never_runs(view: FileView, statement: ast.stmt, name: str) -> str:
    """Return what comes of an import that the author does not count on; empty if he does."""
    if caught(view.module, statement, *_CATCHING):
        return "the handler of the exception always runs"
    asked = asked_before(view.module, statement, name)
    return f"{asked} guards it, so this branch never runs" if asked else ""


def _effect(view: FileView, statement: ast.stmt) -> str:
    if any(isinstance(up, FUNCTIONS) for up in view.module.ancestors(statement)):
        return "it raises ImportError when the function runs"
    return "it raises ImportError, so the whole extension fails to load"


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
Private names are not judged. An import that catches `ImportError`, or that stands behind `hasattr`
or a check of the version, is an info; one under `if TYPE_CHECKING` is left alone.
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
            "from imperal_sdk import App\n", sdk="5.16.0", holds="(it came with 6.0.0): it raises"
        ),
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
