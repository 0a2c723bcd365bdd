"""Functions that are taken by name: ``getattr(self, "load")``, ``getattr(self, f"do_{kind}")``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from ..module import Module
from ..project import Project, plain_text
from ..remembered import remembered

_DYNAMIC = re.compile(rb"getattr\(\s*[^,\n]{1,80},\s*(?:[fF][\"']|[\"']\w{1,80}[\"']\s*\+)")


def got_by_name(module: Module, name: str) -> list[ast.Call]:
    """Return the calls ``getattr(x, "name")`` of a file."""
    return _calls_by_name(module).get(name, [])


@remembered
def _calls_by_name(module: Module) -> dict[str, list[ast.Call]]:
    known: dict[str, list[ast.Call]] = {}
    for call in _calls(module) if b"getattr" in plain_text(module.source) else ():
        asked = call.args[1]
        if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
            known.setdefault(asked.value, []).append(call)
    return known


def got_by_parts(project: Project, name: str) -> Iterator[tuple[Module, ast.Call]]:
    """Yield the calls ``getattr(x, f"do_{kind}")`` that may ask for a name."""
    for path, call, before, after in _calls_by_parts(project):
        is_long = len(name) > len(before) + len(after)
        module = project.module(path) if is_long else None
        if module is not None and name.startswith(before) and name.endswith(after):
            yield module, call


@remembered
def _calls_by_parts(project: Project) -> list[tuple[Path, ast.Call, str, str]]:
    found: list[tuple[Path, ast.Call, str, str]] = []
    for source in project.holding(("getattr",)):
        module = project.module(source.path) if _DYNAMIC.search(plain_text(source)) else None
        for call in _calls(module) if module is not None else ():
            before, after = _ends(call.args[1])
            if before or after:
                found.append((source.path, call, before, after))
    return found


def _calls(module: Module) -> Iterator[ast.Call]:
    calls = module.calls.get("getattr", ())
    return (call for call in calls if isinstance(call.func, ast.Name) and len(call.args) > 1)


def _ends(asked: ast.expr) -> tuple[str, str]:
    """Return what a text that is put together begins and ends with, as far as it is written."""
    if isinstance(asked, ast.JoinedStr) and asked.values:
        return _text(asked.values[0]), _text(asked.values[-1])
    if isinstance(asked, ast.BinOp) and isinstance(asked.op, ast.Add):
        return _text(asked.left), _text(asked.right)
    return "", ""


def _text(part: ast.expr) -> str:
    known = part.value if isinstance(part, ast.Constant) else None
    return known if isinstance(known, str) else ""
