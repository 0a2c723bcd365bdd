"""FED114: an import that the SDK cannot satisfy."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator

from ...reports.lint.findings import Severity
from ..model.module import FUNCTIONS
from ..model.values import ModuleValue
from ..queries.guards import caught
from ..rule import Example, Hit, Rule
from ..sdk.surface import version_key, versions
from ..view import FileView

_SDK = "imperal_sdk"
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
    if isinstance(view.evaluator.module_named(view.module, _SDK), ModuleValue):
        return
    for statement in view.module.nodes(ast.ImportFrom):
        for node, name in _from(statement):
            yield from _judge(view, statement, node, name)
    for statement in view.module.nodes(ast.Import):
        for alias in statement.names:
            package, _, inner = alias.name.partition(".")
            if package == _SDK and inner:
                yield from _judge(view, statement, alias, inner.partition(".")[0])


def _from(statement: ast.ImportFrom) -> list[tuple[ast.AST, str]]:
    """Return what an import takes directly from the package: names, or one of its modules."""
    package, _, inner = (statement.module or "").partition(".")
    if statement.level or package != _SDK:
        return []
    if inner:
        found: list[tuple[ast.AST, str]] = [(statement, inner.partition(".")[0])]
    else:
        found = [(alias, alias.name) for alias in statement.names]
    return [(node, name) for node, name in found if name != _ELSEWHERE]


def _judge(view: FileView, statement: ast.stmt, node: ast.AST, name: str) -> Iterator[Hit]:
    offered = view.surface.members(_ROOT)
    if name == "*" or name.startswith("_") or name in offered or _only_for_types(view, statement):
        return
    changes = view.surface.history(_ROOT, name)
    removed = [since for since, text in changes if not text and view.surface.at_least(since)]
    past = f" (removed in {removed[-1]})" if removed else ""
    if changes and not removed:
        past = f" (it came with {changes[0][0]})"
    severity: Severity = "info" if caught(view.module, statement, *_CATCHING) else "error"
    yield Hit(
        node=node,
        message=f"{view.sdk} has no {name} to import{past}: {_effect(view, statement, severity)}. "
        f"{_advice(view, name, changes[0][0] if changes and not removed else '')}",
        severity=severity,
    )


def _advice(view: FileView, name: str, since: str) -> str:
    """Return what to write instead."""
    if since:
        return f"Require imperal-sdk>={since}."
    close = difflib.get_close_matches(name, view.surface.members(_ROOT), n=1, cutoff=0.8)
    instead = f"Write from imperal_sdk import {close[0]}." if close else "Leave the import out."
    return _HINTS.get(name, instead)


def _effect(view: FileView, statement: ast.stmt, severity: Severity) -> str:
    if severity == "info":
        return "the handler of the exception always runs"
    if any(isinstance(up, FUNCTIONS) for up in view.module.ancestors(statement)):
        return "it raises ImportError when the function runs"
    return "it raises ImportError, so the whole extension fails to load"


def _only_for_types(view: FileView, statement: ast.stmt) -> bool:
    """Tell whether an import stands under ``if TYPE_CHECKING``, which never runs."""
    return any(
        isinstance(up, ast.If)
        and any(
            (isinstance(part, ast.Name) and part.id == "TYPE_CHECKING")
            or (isinstance(part, ast.Attribute) and part.attr == "TYPE_CHECKING")
            for part in ast.walk(up.test)
        )
        for up in view.module.ancestors(statement)
    )


RULE = Rule(
    code="FED114",
    name="nonexistent-import",
    summary="A name or a module that the SDK does not have cannot be imported.",
    severity="error",
    triggers=(_SDK,),
    check=_check,
    what="""
Compares `from imperal_sdk import name`, `from imperal_sdk.module import …` and
`import imperal_sdk.module` with what the target version offers: its names, and the modules that
stand directly in the package. What a module holds is not judged. An import that catches
`ImportError` is an info, one under `if TYPE_CHECKING` is left alone.
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
